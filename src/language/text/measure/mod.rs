//! Counts of a document: how long it is, and how many units and entities it has.
//!
//! Used for tables about a corpus (thesis, Tables 3.1 and 3.5). The units are those that
//! manipulations and splitters use; nothing here divides or annotates a text. Tokens as a model
//! counts them are counted by its tokenizer, not here.

mod name;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use self::name::MeasureError;
use super::{Annotations, EntityKind, NoChapters, chapters, paragraphs, sections};

/// Fewest characters of a section (thesis, Section 3.2.3 b).
const SECTION: usize = 3000;

/// Something that can be counted in a document. It is written as one word, and for entities as
/// `entities:KIND+KIND:single`, where kinds and `single` or `multi` may be left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Measure {
    /// `characters`: Unicode scalar values, line breaks included.
    Characters,
    /// `tokens`: what blanks separate.
    Tokens,
    /// `words`: words and punctuation marks as the annotation divides them.
    Words,
    /// `spacy-tokens`: words, and runs of blanks other than one space (such as each line break), which
    /// are tokens for spaCy too. The thesis counts so (Table 3.1).
    SpacyTokens,
    /// `sentences`.
    Sentences,
    /// `paragraphs`: what blank lines separate, headings included.
    Paragraphs,
    /// `sections`: consecutive paragraphs of together at least 3000 characters.
    Sections,
    /// `chapters`: what stands under chapter headings.
    Chapters,
    /// `entities`, `entities:PERSON`, `entities:GPE+LOC:multi`: mentions of named entities.
    Entities(Mentions),
}

/// Which mentions of entities are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mentions {
    /// Of these kinds; of all kinds where there are none.
    pub kinds: BTreeSet<EntityKind>,
    /// Of this length; of any where it is none.
    pub length: Option<Length>,
}

/// How many tokens a mention has: what blanks separate, so `Jean-Paul` is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Length {
    /// `single`: one.
    Single,
    /// `multi`: two or more.
    Multi,
}

/// What must be known about a text before it can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// [`Annotations::sentences`].
    Sentences,
    /// [`Annotations::words`].
    Words,
    /// [`Annotations::entities`].
    Entities,
}

impl Measure {
    /// How many there are in a text.
    ///
    /// # Errors
    /// When chapters are to be counted and the text has no reliable ones.
    pub fn count(&self, text: &str, annotations: &Annotations) -> Result<usize, NoChapters> {
        Ok(match self {
            Self::Characters => text.chars().count(),
            Self::Tokens => text.split_whitespace().count(),
            Self::Words => annotations.words.len(),
            Self::SpacyTokens => annotations.words.len() + blank_tokens(text),
            Self::Sentences => annotations.sentences.len(),
            Self::Paragraphs => paragraphs(text).len(),
            Self::Sections => sections(text, SECTION).len(),
            Self::Chapters => chapters(text)?.len(),
            Self::Entities(mentions) => mentions.count(text, annotations),
        })
    }

    /// What the annotations must hold for it, if anything.
    pub fn layer(&self) -> Option<Layer> {
        match self {
            Self::Words | Self::SpacyTokens => Some(Layer::Words),
            Self::Sentences => Some(Layer::Sentences),
            Self::Entities(_) => Some(Layer::Entities),
            _ => None,
        }
    }
}

impl Mentions {
    fn count(&self, text: &str, annotations: &Annotations) -> usize {
        let counts = annotations.entities.iter().filter(|entity| {
            let several = || entity.span.of(text).split_whitespace().nth(1).is_some();
            (self.kinds.is_empty() || self.kinds.contains(&entity.kind))
                && match self.length {
                    None => true,
                    Some(Length::Single) => !several(),
                    Some(Length::Multi) => several(),
                }
        });
        counts.count()
    }
}

/// Runs of blanks other than one space.
fn blank_tokens(text: &str) -> usize {
    let runs = text.split(|letter: char| !letter.is_whitespace());
    runs.filter(|run| !run.is_empty() && *run != " ").count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::text::{Entity, Span, Tag, Word};

    fn entity(start: usize, end: usize, kind: EntityKind) -> Entity {
        let span = Span::new(start, end);
        Entity { span, kind }
    }

    fn count(written: &str) -> usize {
        let text = "Ann Lee saw Öl.\n\nIn New\nYork, Ann sang.";
        let annotations = Annotations {
            sentences: vec![Span::new(0, 16), Span::new(18, 40)],
            words: vec![
                Word {
                    span: Span::new(0, 3),
                    tag: Tag::Nnp,
                };
                12
            ],
            entities: vec![
                entity(0, 7, EntityKind::Person),
                entity(12, 15, EntityKind::Loc),
                entity(21, 29, EntityKind::Gpe),
                entity(31, 34, EntityKind::Person),
            ],
        };
        let measure: Measure = written.parse().unwrap();
        measure.count(text, &annotations).unwrap()
    }

    #[test]
    fn units_are_counted() {
        assert_eq!(count("characters"), 39);
        assert_eq!(count("tokens"), 9);
        assert_eq!(count("words"), 12);
        assert_eq!(count("spacy-tokens"), 14);
        assert_eq!(count("sentences"), 2);
        assert_eq!(count("paragraphs"), 2);
        assert_eq!(count("sections"), 0);
    }

    #[test]
    fn entities_are_counted_by_kind_and_length() {
        assert_eq!(count("entities"), 4);
        assert_eq!(count("entities:PERSON"), 2);
        assert_eq!(count("entities:PERSON:single"), 1);
        assert_eq!(count("entities:GPE+LOC"), 2);
        assert_eq!(count("entities:GPE+LOC:multi"), 1);
        assert_eq!(count("entities:multi"), 2);
        assert_eq!(count("entities:DATE"), 0);
    }

    #[test]
    fn chapters_that_are_not_there_are_no_zero() {
        let none = Measure::Chapters.count("A text.", &Annotations::default());
        assert!(none.is_err());
    }
}
