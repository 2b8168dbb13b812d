//! Verb inflection: from the past to the present and back.
//!
//! A table of irregular verbs, the rules of spelling for all others, and the word list to decide which
//! words are verbs: a form whose verb is not known is left alone rather than guessed at, so nothing
//! comes out that is no English word. Only finite forms have a tense: the past (`VBD`), the present
//! (`VBZ`, `VBP`) and four modals; infinitives, participles and gerunds have none.

mod context;
mod flip;
mod irregular;
mod lemma;
mod regular;
mod subject;

pub use context::flip_at;
pub use flip::{Subject, flip, past, third_person};
pub use lemma::lemma;
pub use subject::subject;

pub(crate) use lemma::is_participle_only;
pub(crate) use regular::bases_of_s;

#[cfg(test)]
mod tests;
