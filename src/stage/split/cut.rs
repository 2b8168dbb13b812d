//! Cutting one text into its parts.

use regex::Regex;

use super::{Parts, pattern};
use crate::base::failure::Failure;
use crate::language::text::{self, Characters, Scan, Scope, Span, Tokenizer};

/// One part of a text.
pub(super) struct Part {
    pub(super) text: String,
    /// Where it stands, in characters, the end excluded.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) previous: Option<String>,
}

/// What cuts texts, made once for all of them.
pub(super) struct Cutter<'s> {
    parts: &'s Parts,
    tokenizer: Tokenizer,
    pattern: Option<Regex>,
}

impl<'s> Cutter<'s> {
    /// For these parts.
    ///
    /// # Errors
    /// A pattern that cannot be read.
    pub(super) fn new(parts: &'s Parts, tokenizer: Tokenizer) -> Result<Self, Failure> {
        let pattern = match parts {
            Parts::Pattern { pattern } => Some(pattern::read(pattern).map_err(|why| {
                Failure::new(format!(
                    "`{pattern}` is no regular expression: {}",
                    why.message
                ))
            })?),
            _ => None,
        };
        Ok(Self {
            parts,
            tokenizer,
            pattern,
        })
    }

    /// Whether the pattern, if parts begin with one, is nowhere in a text.
    pub(super) fn is_whole(&self, text: &str) -> bool {
        self.pattern
            .as_ref()
            .is_some_and(|pattern| !pattern.is_match(text))
    }

    /// The parts of a text, or why there are none.
    ///
    /// # Errors
    /// A tokenizer that cannot read the text.
    pub(super) fn cut(&self, text: &str) -> Result<Result<Vec<Part>, String>, Failure> {
        let scans = match self.scans(text)? {
            Ok(scans) => scans,
            Err(why) => return Ok(Err(why)),
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

    fn scans(&self, text: &str) -> Result<Result<Vec<Scan>, String>, Failure> {
        let pieces = |scope, characters| {
            text::pieces(text, scope, characters).map_err(|why| why.to_string())
        };
        Ok(match self.parts {
            Parts::Scans {
                tokens, overlap, ..
            } => {
                let range = usize::try_from(*tokens).unwrap_or(usize::MAX);
                Ok(text::scans(text, &self.tokenizer, range, overlap.0)?)
            }
            Parts::Chunks { tokens, .. } => {
                let least = usize::try_from(*tokens).unwrap_or(usize::MAX);
                Ok(text::chunks(text, &self.tokenizer, least)?)
            }
            Parts::Paragraphs => pieces(Scope::Paragraph, 1),
            Parts::Sections { characters } => pieces(Scope::Section, *characters),
            Parts::Chapters => pieces(Scope::Chapter, 1),
            Parts::Sentences => Ok(numbered(text::sentences(text))),
            Parts::Pattern { .. } => {
                let matches = self
                    .pattern
                    .iter()
                    .flat_map(|pattern| pattern.find_iter(text));
                Ok(numbered(pattern::parts(
                    text,
                    matches.map(|found| found.start()),
                )))
            }
        })
    }
}

fn numbered(spans: Vec<Span>) -> Vec<Scan> {
    let scans = spans.into_iter().zip(1..);
    scans
        .map(|(span, number)| Scan {
            number,
            span,
            context: None,
        })
        .collect()
}
