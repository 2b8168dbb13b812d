//! `split`: cuts every text into parts, one row each.

mod check;
mod contract;
mod raw;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

use crate::base::failure::Failure;
use crate::base::wording::{count, some_because};
use crate::frame::ColumnData;
use crate::language::text::{self, Characters, Scan, Scope, TokenizerSpec};
use crate::stage::contract::Compute;
use crate::stage::inputs::{Inputs, World};
use crate::stage::refused::{Refused, told, why_not, without_record};
use crate::stage::rows::each;
use crate::stage::{Output, StageName};

/// The columns that are added.
pub const SPLIT_COLUMNS: [&str; 4] = ["section", "start", "end", "previous"];

/// Cuts every text into parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Split {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// What the parts are.
    #[serde(flatten)]
    pub parts: Parts,
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

impl Compute for Split {
    /// Gives one row per part: the columns of the input with the part's `text`, then `section` (from 1),
    /// `start` and `end` (in characters of the document, the end excluded) and `previous` (what is repeated
    /// from the part before, where there is an overlap). A document that cannot be cut so keeps one row
    /// without text, and says why.
    ///
    /// # Errors
    /// A missing column, a tokenizer that cannot read a text.
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        let input = inputs.one()?;
        if let Some(name) = SPLIT_COLUMNS.iter().find(|name| input.has(name)) {
            return Err(Failure::new(format!(
                "the documents have a column `{name}`, which `split` adds"
            ))
            .hint(
                "rename it, leave it out with `columns`, or cut whole documents instead of parts",
            ));
        }
        let tokenizer = match self.parts.tokenizer() {
            Some(tokenizer) => world.tokenizer(tokenizer)?,
            None => text::Tokenizer::default(),
        };
        let column = input.column("text")?;
        let cut = each(input.rows(), |row| match column.text(row) {
            Some(text) => self.cut(&text, &tokenizer),
            None => Ok(Err(why_not(input, row).unwrap_or_default())),
        });
        let (mut base, mut texts, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let (mut starts, mut ends, mut previous) = (Vec::new(), Vec::new(), Vec::new());
        let mut reasons = Refused::new(input)?;
        let mut refused = Vec::new();
        let ids = input.column("doc_id")?;
        for (row, cut) in cut.into_iter().enumerate() {
            let (parts, why) = match cut? {
                Ok(parts) => (parts, None),
                Err(why) => {
                    // Whoever left the document without text has said so already.
                    if !told(input, row) {
                        let id = ids.text(row).unwrap_or_default();
                        refused.push((id.into_owned(), why.clone()));
                    }
                    (Vec::new(), Some(why))
                }
            };
            if why.is_some() {
                base.push(row);
                numbers.push(None);
                texts.push(None);
                starts.push(None);
                ends.push(None);
                previous.push(None);
                reasons.push(why);
            }
            for (number, part) in (1..).zip(parts) {
                base.push(row);
                numbers.push(Some(number));
                texts.push(Some(part.text));
                starts.push(i64::try_from(part.start).ok());
                ends.push(i64::try_from(part.end).ok());
                previous.push(part.previous);
                reasons.push(None);
            }
        }
        let mut frame = without_record(input).take(&base)?;
        for (name, data) in [
            ("text", ColumnData::Text(texts)),
            ("section", ColumnData::Int(numbers)),
            ("start", ColumnData::Int(starts)),
            ("end", ColumnData::Int(ends)),
            ("previous", ColumnData::Text(previous)),
        ] {
            frame = frame.with_column(name, data)?;
        }
        let frame = reasons.add(frame)?;
        let mut output = Output::of(frame);
        if !refused.is_empty() {
            output.warnings.push(format!(
                "{} cannot be cut: {}",
                count(refused.len(), "document"),
                some_because(&refused)
            ));
        }
        Ok(output)
    }
}

impl Split {
    /// The parts of a text, or why there are none.
    fn cut(
        &self,
        text: &str,
        tokenizer: &text::Tokenizer,
    ) -> Result<Result<Vec<Part>, String>, Failure> {
        let scans: Vec<Scan> = match &self.parts {
            Parts::Scans {
                tokens, overlap, ..
            } => {
                let range = usize::try_from(*tokens).unwrap_or(usize::MAX);
                text::scans(text, tokenizer, range, overlap.0)?
            }
            Parts::Chunks { tokens, .. } => {
                let least = usize::try_from(*tokens).unwrap_or(usize::MAX);
                text::chunks(text, tokenizer, least)?
            }
            Parts::Paragraphs | Parts::Sections { .. } | Parts::Chapters => {
                let (scope, characters) = match &self.parts {
                    Parts::Sections { characters } => (Scope::Section, *characters),
                    Parts::Chapters => (Scope::Chapter, 1),
                    _ => (Scope::Paragraph, 1),
                };
                match text::pieces(text, scope, characters) {
                    Ok(pieces) => pieces,
                    Err(why) => return Ok(Err(why.to_string())),
                }
            }
        };
        if scans.is_empty() {
            return Ok(Err(format!("the text has no {}", self.parts.name())));
        }
        let mut characters = Characters::new(text);
        let mut place = |byte| {
            let outside = || Failure::new(format!("a part ends within a letter, at byte {byte}"));
            characters.before(byte).ok_or_else(outside)
        };
        scans
            .into_iter()
            .map(|scan| {
                Ok(Part {
                    text: scan.span.of(text).to_owned(),
                    start: place(scan.span.start)?,
                    end: place(scan.span.end)?,
                    previous: scan.context.map(|span| span.of(text).to_owned()),
                })
            })
            .collect::<Result<_, Failure>>()
            .map(Ok)
    }
}

/// One part of a document.
struct Part {
    text: String,
    start: usize,
    end: usize,
    previous: Option<String>,
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
