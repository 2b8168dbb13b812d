//! `truncate`: keeps the beginning of every text, never cutting a sentence.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Failure, Output, StageName};
use crate::frame::{ColumnData, Frame};
use crate::wording::{count, some_of};

/// Keeps the beginning of every text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Truncate {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// How much is kept.
    pub tokens: Length,
    /// What a token is.
    pub tokenizer: Tokenizer,
}

/// What a token is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tokenizer {
    /// A word between blanks: the thesis's tokens.
    #[default]
    Whitespace,
}

/// How much of a text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// All of it.
    Full,
    /// As many whole sentences as fit into this many whitespace-separated tokens.
    Tokens(u64),
}

impl Truncate {
    /// Truncates the column `text`; the other columns stay as they are. A text whose first sentence
    /// is already too long keeps that sentence, and a warning names it.
    ///
    /// # Errors
    /// When there is no column `text`.
    pub fn run(&self, input: &Frame) -> Result<Output, Failure> {
        let column = input.column("text")?;
        let Length::Tokens(limit) = self.tokens else {
            return Ok(Output::of(input.clone()));
        };
        let mut long = Vec::new();
        let mut texts = Vec::with_capacity(input.rows());
        for row in 0..input.rows() {
            let text = column.text(row);
            let cut = text.as_deref().map(|text| beginning(text, limit));
            if cut.is_some_and(|cut| tokens(cut) > limit) {
                long.push(row);
            }
            texts.push(cut.map(str::to_owned));
        }
        let mut output = Output::of(input.clone().with_column("text", ColumnData::Text(texts))?);
        if !long.is_empty() {
            let ids = input.column("doc_id")?;
            let names: Vec<String> = long
                .iter()
                .map(|&row| ids.text(row).unwrap_or_default().into_owned())
                .collect();
            output.warnings.push(format!(
                "the first sentence alone has more than {limit} tokens in {}: {}",
                count(long.len(), "document"),
                some_of(&names)
            ));
        }
        Ok(output)
    }
}

/// The longest beginning of whole sentences with at most `limit` tokens, or the first sentence.
fn beginning(text: &str, limit: u64) -> &str {
    if tokens(text) <= limit {
        return text;
    }
    let (mut end, mut used) = (0, 0);
    for sentence in sentencex::get_sentence_boundaries("en", text) {
        // A boundary that is none for Rust would be the splitter's mistake; the sentence goes on.
        let Some(part) = text.get(end..sentence.end_byte) else {
            continue;
        };
        used += tokens(part);
        if used > limit && !text[..end].trim().is_empty() {
            break;
        }
        end = sentence.end_byte;
        if used > limit {
            break;
        }
    }
    text[..end].trim_end()
}

fn tokens(text: &str) -> u64 {
    text.split_whitespace().count() as u64
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
                    Err(E::custom("the only word known here is \"full\""))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_sentences_are_kept_up_to_the_limit() {
        let text = "Mr. Hale came in. He sat down.\n\nNobody spoke for a while.";
        assert_eq!(beginning(text, 7), "Mr. Hale came in. He sat down.");
        assert_eq!(beginning(text, 9), "Mr. Hale came in. He sat down.");
        assert_eq!(beginning(text, 12), text);
    }

    #[test]
    fn a_first_sentence_that_is_too_long_is_kept_whole() {
        assert_eq!(
            beginning("One two three four. Five.", 2),
            "One two three four."
        );
    }

    #[test]
    fn letters_of_several_bytes_do_not_move_the_cut() {
        let text = "“Où ça?” — dit-elle. Zwei drei vier. Fünf.";
        for limit in 1..10 {
            let cut = beginning(text, limit);
            assert!(text.starts_with(cut));
            assert!(cut.ends_with(['.', '?', '”']), "{limit}: {cut}");
        }
        assert_eq!(beginning("ééééé. Zwei drei vier. Drei ENDE.", 1), "ééééé.");
        assert_eq!(
            beginning("aéééé. Zwei drei vier. Drei ENDE.", 4),
            "aéééé. Zwei drei vier."
        );
    }

    #[test]
    fn a_text_that_fits_is_unchanged() {
        assert_eq!(beginning("  One.  ", 5), "  One.  ");
    }
}
