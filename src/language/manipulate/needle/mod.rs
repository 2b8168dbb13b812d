//! Semantic needles: one sentence of a document altered, and laid in hay.
//!
//! Three steps, so that each is the same wherever it can be: [`find`] chooses and alters the sentence
//! ([`Needle`], its [`Position`] in the document left open), [`Donors::draw`] chooses the document
//! that gives random hay, and [`lay`] puts both together. Nothing here divides, tags or reads a text.
//!
//! # What stays the same
//!
//! Draws are made from streams that are named by what they are for. To compare positions, needles
//! and hay, the caller names
//! - the stream for [`find`] by document and needle, not by hay and position: one document then has
//!   one needle of a kind, in whatever hay and place;
//! - the stream for [`Donors::draw`] by document alone: all its needles lie in the same document's
//!   hay, and longer hay goes on where shorter hay ends.
//!
//! Models never name a stream. Neither choice looks at the position that is asked for, only at
//! [`Room`], the widest position of the experiment.
//!
//! Headings are neither needle nor hay, and no sentence is counted by its place among them.
//!
//! Source: Aksoy et al., "Semantic Needles in Document Haystacks" (2026), "Formal description" and
//! Appendix A.

mod clause;
mod conjunction;
mod entity;
mod find;
mod group;
mod hay;
mod lay;
mod negation;
mod place;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
mod token;

pub use conjunction::ConjunctionSwap;
pub use entity::EntityReplacement;
pub use find::{Found, Room, find};
pub use hay::{Donor, Donors, Source};
pub use lay::{Haystack, Position, lay};
pub use negation::{After, Negation};
pub use place::{Hay, NeedlePlace};

use crate::base::draw::Draw;
use crate::language::manipulate::edit::Change;
use crate::language::text::{Annotations, Headings, Span, Word};

/// What is done to the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needle {
    /// `not` is inserted (the paper's `neg`). Needs words.
    Negation(After),
    /// `and` and `or` change places (`con`). Needs words.
    Conjunction,
    /// A name is replaced by another of the document (`ner`). Needs entities.
    Entity,
}

impl Needle {
    /// The changes to one sentence, spans counted in the document; none where it cannot be altered so.
    pub fn alter(
        self,
        text: &str,
        annotations: &Annotations,
        sentence: Span,
        draw: &mut Draw,
    ) -> Option<Vec<Change>> {
        let words = words_of(&annotations.words, sentence);
        match self {
            Self::Negation(after) => negation::negate(text, words, after),
            Self::Conjunction => conjunction::swap(text, words),
            Self::Entity => entity::replace(text, &annotations.entities, sentence, draw),
        }
    }

    /// What a sentence must have for it, as it reads after `that has`.
    fn wants(self) -> &'static str {
        match self {
            Self::Negation(_) => "a main verb and no negation",
            Self::Conjunction => "an `and` or an `or`",
            Self::Entity => "a name with another of its kind elsewhere in the document",
        }
    }
}

/// The sentences that are no headings: what is counted, altered and laid around a needle.
fn prose(text: &str, sentences: &[Span]) -> Vec<Span> {
    let headings = Headings::of(text);
    let prose = sentences
        .iter()
        .filter(|sentence| !headings.hold(**sentence));
    prose.copied().collect()
}

/// The words that stand in a sentence.
fn words_of(words: &[Word], sentence: Span) -> &[Word] {
    let from = words.partition_point(|word| word.span.start < sentence.start);
    let to = words.partition_point(|word| word.span.end <= sentence.end);
    words.get(from..to).unwrap_or_default()
}
