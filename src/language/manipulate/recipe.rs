//! What is done to one document: a manipulation, how strong, and with which settings.

use serde::Serialize;

use super::Manipulation;
use super::density::Density;
use super::edit::NotApplicable;
use super::entities::{Article, Mentions};
use super::intensity::Intensity;
use super::needle::After;
use super::punctuation::Marks;
use super::word_order::Shuffle;
use crate::language::text::{EntityKind, Scope, Span, Want, sentences};

/// What is done to every document of a stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recipe {
    /// The manipulation.
    pub manipulation: Manipulation,
    /// How many operations; needles have one each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intensity: Option<Intensity>,
    /// What else there is to say about it.
    pub settings: Settings,
}

/// What there is to say about a manipulation besides its intensity.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Settings {
    /// \[11\] to \[14\] and \[17\].
    Passages(Passages),
    /// \[24\].
    Statements {
        /// The fewest characters of a paragraph that takes part.
        min_characters: usize,
        /// The sentences to add; the built-in ones, if none are given.
        statements: Option<Vec<String>>,
    },
    /// \[21\].
    Swap {
        /// The kinds of entities that take part.
        kinds: Vec<EntityKind>,
        /// Which mentions of a name are replaced.
        mentions: Mentions,
    },
    /// \[22\] and \[31\].
    Entities {
        /// The kinds of entities that take part.
        kinds: Vec<EntityKind>,
    },
    /// \[32\].
    Terms {
        /// The kinds of entities that take part.
        kinds: Vec<EntityKind>,
        /// The words that stand in.
        terms: Vec<String>,
        /// What is done about articles.
        article: Article,
    },
    /// \[41\], \[42\] and \[45\].
    Letters {
        /// Spread over the text, or close together.
        density: Density,
    },
    /// \[43\].
    WordOrder {
        /// Spread over the text, or close together.
        density: Density,
        /// One pair of words or all of a sentence.
        shuffle: Shuffle,
    },
    /// \[44\].
    Punctuation {
        /// Spread over the text, or close together.
        density: Density,
        /// Which marks may be taken out.
        marks: Marks,
    },
    /// Needles.
    Needle(NeedlePlace),
}

/// Which passages take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Passages {
    /// What a passage is.
    pub scope: Scope,
    /// The fewest characters of one; sections are filled up to them.
    pub min_characters: usize,
    /// How often a passage is repeated.
    pub times: usize,
}

/// Where the changed sentence of a needle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NeedlePlace {
    /// Sentences before it.
    pub before: usize,
    /// Sentences after it.
    pub after: usize,
    /// Whose sentences those are.
    pub hay: Hay,
    /// The most sentences on either side of a needle in the whole experiment: documents need as many, so
    /// that every position is tried on the same documents.
    pub room: usize,
    /// How many sentences either way are tried when the middle one cannot be changed.
    pub reach: usize,
    /// For a negation: where `not` is put.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_after: Option<After>,
}

/// Whose sentences stand around a needle.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Hay {
    /// The document's own.
    #[default]
    Original,
    /// Those of another document, drawn at random.
    Random,
}

impl Passages {
    /// The passages of a text that take part.
    ///
    /// # Errors
    /// When the text is not divided so.
    pub fn of(&self, text: &str) -> Result<Vec<Span>, NotApplicable> {
        self.scope
            .units(text, self.min_characters)
            .map_err(|why| NotApplicable(why.to_string()))
    }
}

impl Recipe {
    /// What must be known about texts.
    pub fn wants(&self) -> Want {
        let (mut words, mut entities) = (false, false);
        match self.manipulation {
            Manipulation::VerbTenses | Manipulation::Negation | Manipulation::ConjunctionSwap => {
                words = true;
            }
            Manipulation::SwapEntities
            | Manipulation::ExchangeEntities
            | Manipulation::EntityToPronoun
            | Manipulation::EntityToTerm
            | Manipulation::EntityReplacement => entities = true,
            Manipulation::WordOrder => {}
            _ => return Want::default(),
        }
        Want {
            sentences: true,
            words,
            entities,
        }
    }

    /// Whether the number of operations follows from the number of tokens (Eq. 3.2, 3.23 and A.6).
    pub fn counts_tokens(&self) -> bool {
        matches!(self.intensity, Some(Intensity::PerThousand { .. }))
            || matches!(
                self.manipulation,
                Manipulation::Typos | Manipulation::WordRemoval
            )
    }

    /// Whether content comes from other documents.
    pub fn needs_donors(&self) -> bool {
        match &self.settings {
            Settings::Needle(place) => place.hay == Hay::Random,
            _ => matches!(
                self.manipulation,
                Manipulation::InsertContent | Manipulation::ExchangeContent
            ),
        }
    }

    /// Whether shortened documents are filled up from whole ones.
    pub fn needs_wholes(&self) -> bool {
        self.manipulation == Manipulation::RemoveContent
    }

    /// What another document can give: passages, or sentences as hay.
    pub fn gives(&self, text: &str) -> Vec<Span> {
        match &self.settings {
            // A document that is not divided so has nothing to give.
            Settings::Passages(passages) => passages.of(text).unwrap_or_default(),
            _ => sentences(text),
        }
    }
}

impl Manipulation {
    /// How strong it is where nothing else is said: for \[17\], \[24\], \[32\], \[41\], \[42\] and \[43\] as in
    /// Table 3.7, with the rows of \[42\] and \[43\] put right; for \[11\] to \[14\] as in Table A.4 and for
    /// \[45\] as in Table A.5 of the thesis. For the others it names no one setting.
    pub fn usual_intensity(self) -> Option<Intensity> {
        let percent = |percent| Intensity::Percent {
            start: percent,
            end: percent,
        };
        let per_thousand = |bias| Intensity::PerThousand {
            per_thousand: 1.0,
            bias,
        };
        Some(match self {
            Self::SwapContent | Self::RemoveContent | Self::InsertContent | Self::RepeatContent => {
                Intensity::Count(2)
            }
            Self::ExchangeContent => per_thousand(2),
            Self::TemporalInconsistencies => per_thousand(1),
            Self::EntityToTerm => percent(35),
            Self::Typos => percent(2),
            Self::VerbTenses | Self::WordOrder => percent(5),
            Self::WordRemoval => Intensity::Count(50),
            _ => return None,
        })
    }
}
