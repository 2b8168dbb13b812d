//! `truncate`: keeps the beginning of every text, never cutting a sentence.

mod check;
mod contract;
mod raw;

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::base::failure::Failure;
use crate::base::wording::{count, some_of};
use crate::frame::{ColumnData, Frame};
use crate::language::text;
use crate::language::text::{Tokenizer, TokenizerSpec};
use crate::stage::contract::Compute;
use crate::stage::inputs::{Inputs, World};
use crate::stage::pile::Pile;
use crate::stage::refused::without_record;
use crate::stage::rows::each;
use crate::stage::{Output, StageName};

/// Keeps the beginning of every text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Truncate {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// How much is kept.
    pub tokens: Length,
    /// What a token is.
    pub tokenizer: TokenizerSpec,
}

/// How much of a text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// All of it.
    Full,
    /// As many whole sentences as fit into this many tokens.
    Tokens(u64),
}

impl Compute for Truncate {
    /// Truncates the column `text`; the other columns stay as they are, but for what manipulations recorded
    /// of the whole text, which goes. A text whose first sentence
    /// is already too long keeps that sentence, and a warning names it.
    ///
    /// # Errors
    /// When there is no column `text`, or the tokenizer cannot read one.
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        let mut long = Vec::new();
        let mut pile = Pile::new(world);
        let limit = match self.tokens {
            Length::Full => None,
            Length::Tokens(limit) => Some((limit, world.tokenizer(&self.tokenizer)?)),
        };
        for part in inputs.parts() {
            let part = part?;
            pile.push(match &limit {
                Some((limit, tokenizer)) => cut(&part, *limit, tokenizer, &mut long)?,
                None => part.into_owned(),
            })?;
        }
        let mut output = Output::of(pile.end()?);
        if let Some((limit, _)) = limit.filter(|_| !long.is_empty()) {
            output.warnings.push(format!(
                "the first sentence alone has more than {limit} tokens in {}: {}",
                count(long.len(), "document"),
                some_of(&long)
            ));
        }
        Ok(output)
    }

    fn in_parts(&self) -> bool {
        true
    }
}

/// Cuts the texts of some rows; documents whose first sentence is too long are added to `long`.
fn cut(
    input: &Frame,
    limit: u64,
    tokenizer: &Tokenizer,
    long: &mut Vec<String>,
) -> Result<Frame, Failure> {
    let column = input.column("text")?;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let cut = each(input.rows(), |row| -> Result<_, Failure> {
        let Some(text) = column.text(row) else {
            return Ok((None, false));
        };
        let kept = text::beginning(&text, most, tokenizer)?;
        let long = tokenizer.count(kept)? > most;
        Ok((Some(kept.to_owned()), long))
    });
    let ids = input.column("doc_id")?;
    let mut texts = Vec::new();
    for (row, cut) in cut.into_iter().enumerate() {
        let (text, is_long) = cut?;
        texts.push(text);
        if is_long {
            long.push(ids.text(row).unwrap_or_default().into_owned());
        }
    }
    Ok(without_record(input).with_column("text", ColumnData::Text(texts))?)
}

impl Serialize for Length {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Full => serializer.serialize_str("full"),
            Self::Tokens(n) => serializer.serialize_u64(*n),
        }
    }
}

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LengthVisitor;
        impl Visitor<'_> for LengthVisitor {
            type Value = Length;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of tokens or \"full\"")
            }

            fn visit_u64<E: Error>(self, n: u64) -> Result<Length, E> {
                if n == 0 {
                    Err(E::custom("keeps nothing of a text"))
                } else {
                    Ok(Length::Tokens(n))
                }
            }

            fn visit_i64<E: Error>(self, n: i64) -> Result<Length, E> {
                let n =
                    u64::try_from(n).map_err(|_| E::custom("a text has no fewer than 0 tokens"))?;
                self.visit_u64(n)
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Length, E> {
                if word == "full" {
                    Ok(Length::Full)
                } else if word.parse::<u64>().is_ok() {
                    Err(E::custom("write the number without quotes"))
                } else {
                    Err(E::custom("the only word allowed here is \"full\""))
                }
            }
        }
        deserializer.deserialize_any(LengthVisitor)
    }
}

impl JsonSchema for Length {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Length".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "integer", "minimum": 1 }, { "const": "full" }] })
    }
}
