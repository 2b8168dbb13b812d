//! Manipulations of named entities: \[21\] swapped among each other, \[22\] exchanged for foreign ones,
//! \[31\] replaced by a pronoun, \[32\] replaced by a vague term.
//!
//! Each takes the entities as they were found and the number of operations as a value: how many that
//! is, is the caller's rule (Kleiner 2025, Eq. 3.12 and 3.15), over the pool size that stands beside
//! each manipulation. The changes are in order, never overlap, and lie in entities, except for the
//! articles and possessive endings that \[31\] and \[32\] say they take along.

mod exchange;
mod mention;
mod names;
mod pronoun;
mod swap;
mod term;
#[cfg(test)]
mod tests;

pub use exchange::{ExchangeEntities, exchange_entities, exchangeable};
pub use mention::replaceable;
pub use pronoun::{EntityToPronoun, entities_to_pronouns};
pub use swap::{Mentions, SwapEntities, swap_entities, swappable};
pub use term::{Article, EntityToTerm, Term, Terms, entities_to_terms};
