//! `split`: cuts every text into parts, one row each.

mod check;
mod contract;
mod cut;
mod pattern;
mod raw;
mod run;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

use crate::language::text::TokenizerSpec;
use crate::stage::StageName;

/// The columns that are added.
pub const SPLIT_COLUMNS: [&str; 4] = ["section", "start", "end", "previous"];

/// Cuts every text into parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Split {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// The column whose texts are cut.
    #[serde(skip_serializing_if = "is_text")]
    pub column: String,
    /// The column with the number of parts, if it is to be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<String>,
    /// What the parts are.
    #[serde(flatten)]
    pub parts: Parts,
}

fn is_text(column: &str) -> bool {
    column == "text"
}

/// What texts are cut into, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// Parts of whole sentences with at most so many tokens each (thesis, 4.3.1).
    #[default]
    Scans,
    /// Parts of whole sentences with at least so many tokens each (HAMLET, 3.1.1).
    Chunks,
    /// Paragraphs.
    Paragraphs,
    /// Neighbouring paragraphs that have so many characters together (thesis, 3.2.3).
    Sections,
    /// Chapters.
    Chapters,
    /// Sentences.
    Sentences,
    /// Parts that begin where a regular expression matches.
    Pattern,
}

impl Cut {
    /// Its name in specs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scans => "scans",
            Self::Chunks => "chunks",
            Self::Paragraphs => "paragraphs",
            Self::Sections => "sections",
            Self::Chapters => "chapters",
            Self::Sentences => "sentences",
            Self::Pattern => "pattern",
        }
    }
}

/// What texts are cut into, with all that belongs to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "into", rename_all = "kebab-case")]
pub enum Parts {
    /// Parts with at least so many tokens each.
    Chunks {
        /// The tokens of a chunk.
        tokens: u64,
        /// What a token is.
        tokenizer: TokenizerSpec,
    },
    /// Parts with at most so many tokens each.
    Scans {
        /// The scan range.
        tokens: u64,
        /// The share of it that is repeated as previous context.
        overlap: Overlap,
        /// What a token is.
        tokenizer: TokenizerSpec,
    },
    /// Paragraphs.
    Paragraphs,
    /// Neighbouring paragraphs.
    Sections {
        /// The fewest characters of a section.
        characters: usize,
    },
    /// Chapters.
    Chapters,
    /// Sentences.
    Sentences,
    /// Parts that begin where a regular expression matches.
    Pattern {
        /// The expression.
        pattern: String,
    },
}

/// The share of a scan range that is repeated from the part before: from 0, hard mode, to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Overlap(f64);

impl<'de> Deserialize<'de> for Overlap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let share = f64::deserialize(deserializer)?;
        if (0.0..=1.0).contains(&share) {
            Ok(Self(share))
        } else {
            Err(serde::de::Error::custom(
                "an overlap is a share of the part before, from 0 to 1",
            ))
        }
    }
}

impl JsonSchema for Overlap {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Overlap".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

impl Parts {
    /// What the parts are called.
    fn name(&self) -> &'static str {
        match self {
            Self::Scans { .. } => Cut::Scans,
            Self::Chunks { .. } => Cut::Chunks,
            Self::Paragraphs => Cut::Paragraphs,
            Self::Sections { .. } => Cut::Sections,
            Self::Chapters => Cut::Chapters,
            Self::Sentences => Cut::Sentences,
            Self::Pattern { .. } => return "parts",
        }
        .name()
    }

    /// What a token is, where that matters.
    pub fn tokenizer(&self) -> Option<&TokenizerSpec> {
        match self {
            Self::Scans { tokenizer, .. } | Self::Chunks { tokenizer, .. } => Some(tokenizer),
            _ => None,
        }
    }
}
