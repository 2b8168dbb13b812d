//! What a string or bare value says as a score.
//!
//! Must not know which metric it is for.

use super::tree::Node;
use crate::models::parse::evaluation_form::label::is_filler;
use crate::models::parse::value::{self, Found, How, Value};
use crate::models::score::Scale;

/// The longest number read with an exponent, in bytes.
const LONGEST: usize = 40;

/// What a value says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    /// A number, or several.
    Score(Found),
    /// In so many words that there is none.
    None,
}

/// Reads a value; `None` where it is neither a score nor the word for none.
pub(super) fn said(reply: &str, node: &Node, scale: &Scale) -> Option<Said> {
    let (Node::Text(span) | Node::Bare(span)) = node else {
        return None;
    };
    let inner = reply[span.clone()].trim_start_matches(is_filler);
    let start = span.end - inner.len();
    let mut text = inner.trim_end_matches(is_filler);
    // Line breaks at the end of a string, still escaped.
    while let Some(rest) = text
        .strip_suffix("\\n")
        .or_else(|| text.strip_suffix("\\r"))
    {
        text = rest.trim_end_matches(is_filler);
    }
    let is_label = scale.label(text).is_some();
    if !is_label && says_none(text) {
        return Some(Said::None);
    }
    if let Some(found) = plain(text).filter(|_| !is_label) {
        return Some(Said::Score(found.shifted(start)));
    }
    let text = &reply[..start + text.len()];
    // What stands in the place of a label and is none is told.
    let how = How {
        firm: !scale.labels.is_empty(),
        ..How::plain(scale)
    };
    value::read(text, start, how).map(Said::Score)
}

/// Whether a value is a word for none.
fn says_none(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "",
        "null",
        "none",
        "nil",
        "nan",
        "n/a",
        "na",
        "undefined",
        "unknown",
        "-",
        "\u{2014}",
        "?",
    ];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
        || text.eq_ignore_ascii_case("not applicable")
}

/// A number as JSON and programming languages write it, exponents included.
fn plain(text: &str) -> Option<Found> {
    let sign = |b: u8| b.is_ascii_digit() || b"+-.eE".contains(&b);
    let starts = text.trim_start_matches(['+', '-', '.']);
    if text.len() > LONGEST
        || !text.bytes().all(sign)
        || !starts.starts_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let value = Value::Number {
        value: text.parse().ok()?,
        out_of: None,
    };
    let span = 0..text.len();
    Some(Found { value, span })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Said> {
        said(text, &Node::Text(0..text.len()), &Scale::ANY_1_TO_5)
    }

    #[test]
    fn numbers_may_be_written_in_many_ways() {
        for text in [
            "4",
            "4.0",
            "4,0",
            "+4",
            "4.",
            "4.0.",
            "4e0",
            " **4** ",
            "4/5",
            "4 / 5",
            "4 out of 5",
            "4 - good",
            "4 (good)",
            "4: good",
            "4 – good",
            "4 / 5 points",
            "4 points",
            "4 Stars - good",
            "4 - 2 slips",
        ] {
            let Some(Said::Score(Found {
                value: Value::Number { value, .. },
                span,
            })) = read(text)
            else {
                panic!("{text}");
            };
            assert!((value - 4.0).abs() < 1e-12, "{text}");
            assert!(text[span].contains('4'), "{text}");
        }
    }

    #[test]
    fn words_for_none_are_no_score() {
        for text in ["", " ", "N/A", "null", "None", "NaN", "-", "not applicable"] {
            assert_eq!(read(text), Some(Said::None), "{text:?}");
        }
    }

    #[test]
    fn other_texts_say_nothing() {
        for text in [
            "good", "4 typos", "4th", "true", "four", "Infinity", "score 4", "1.2.3", "e4",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_wholly_understood_is_no_number() {
        for text in [
            "--4",
            "4-good",
            "5 - 1 = 4",
            "3 - 4",
            "5 – 1",
            "3 -> 4",
            "3 → 4",
            "<4",
            "~4",
            "4 points deducted",
        ] {
            let number = matches!(
                read(text),
                Some(Said::Score(Found {
                    value: Value::Number { .. },
                    ..
                }))
            );
            assert!(!number, "{text}");
        }
    }
}
