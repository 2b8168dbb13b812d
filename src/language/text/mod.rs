//! Texts: their paragraphs, sections, chapters, sentences, tokens, words with parts of speech and tense, and named
//! entities; and what follows from them: beginnings, scans and counts.
//!
//! Everything here is about one text and knows nothing of tables, specs or experiments. Places are
//! [`Span`]s: bytes. Nothing but comparisons takes more than time in proportion to the length of a text. [`annotate`] is
//! what is built in; [`external`] lets a program of the user's do it instead, and is the only part that
//! starts anything.

pub(crate) mod abbreviation;
mod annotate;
mod annotation;
mod chapters;
mod characters;
mod compare;
mod cuts;
mod entities;
pub mod external;
mod heading;
pub mod inflect;
pub(crate) mod lexicon;
mod measure;
mod memo;
pub(crate) mod numeral;
mod paragraphs;
mod pieces;
mod quoted;
mod scan;
mod scope;
mod sections;
mod sentences;
mod span;
mod tagger;
mod tokens;
mod truncate;
mod word_list;
mod words;

pub use self::annotate::{ANNOTATOR_VERSION, Tagged, annotate, tagged};
pub use self::annotation::{Annotations, Entity, EntityKind, Tag, Word};
pub use self::chapters::{NoChapters, chapters};
pub use self::characters::Characters;
pub use self::compare::{Comparison, Overlap, Stems, Unit};
pub use self::entities::entities;
pub use self::external::Want;
pub use self::measure::{Layer, Measure, MeasureError};
pub(crate) use self::paragraphs::Headings;
#[cfg(test)]
pub(crate) use self::paragraphs::with_indentation;
pub use self::paragraphs::{Paragraph, paragraphs, units};
pub use self::pieces::pieces;
pub use self::quoted::quoted;
pub use self::scan::{Scan, chunks, scans};
pub use self::scope::Scope;
pub use self::sections::sections;
pub use self::sentences::sentences;
pub use self::span::Span;
pub use self::tagger::{TaggerError, tag};
pub use self::tokens::{Encoding, FileTokenizer, Tokenizer, TokenizerError, TokenizerSpec};
pub use self::truncate::beginning;
pub(crate) use self::word_list::WordList;
pub use self::words::words;
