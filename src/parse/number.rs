//! The number behind a label: its shape, and what around it makes it no score.
//!
//! Works on the text right behind a label. Must not know metrics, or choose between places.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::score::{Outcome, Reason, Scale};

/// What stands where a score should stand.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A number; `out_of` where it is written as a fraction (`4/5`).
    Number { value: f64, out_of: Option<f64> },
    /// A percentage: never a mark on a Likert scale.
    Percent,
    /// Several numbers offered for one score, as written.
    Several(Vec<Range<usize>>),
}

/// A value and where it stands, relative to the text it was read from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) value: Value,
    pub(super) span: Range<usize>,
}

impl Found {
    /// The same in a text before which so many bytes have been put.
    pub(super) fn shifted(self, by: usize) -> Self {
        let shift = |span: Range<usize>| span.start + by..span.end + by;
        Self {
            value: match self.value {
                Value::Several(spans) => Value::Several(spans.into_iter().map(shift).collect()),
                value => value,
            },
            span: shift(self.span),
        }
    }

    /// Whether two values say different things; ranges are never taken for the same.
    pub(super) fn differs(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Number { value: a, .. }, Value::Number { value: b, .. }) => {
                a.total_cmp(b).is_ne()
            }
            _ => true,
        }
    }

    /// What the value is on a scale; its places lie in `reply`.
    pub(super) fn outcome(&self, reply: &str, scale: &Scale) -> Outcome {
        let text = |span: &Range<usize>| reply[span.clone()].to_owned();
        let off_scale = || Outcome::Unscored(Reason::OffScale(text(&self.span)));
        match &self.value {
            Value::Number { value, out_of } => {
                let same_top = out_of.is_none_or(|top| (top - scale.max).abs() < f64::EPSILON);
                if same_top && scale.contains(*value) {
                    Outcome::Scored(*value)
                } else {
                    off_scale()
                }
            }
            Value::Percent => off_scale(),
            Value::Several(spans) => {
                Outcome::Unscored(Reason::Ambiguous(spans.iter().map(text).collect()))
            }
        }
    }
}

/// One number, perhaps as a fraction or a range, followed by nothing that continues a word.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"[-+−]?[0-9]+(?:[.,][0-9]+)?";
    let pattern = format!(
        r"^(?P<first>{number})(?:\s*/\s*(?P<whole>{number})|\s+out\s+of\s+(?P<of>{number})|[-–—](?P<dash>{number})|\s+(?:to|or)\s+(?P<word>{number})|(?P<percent>[^\S\r\n]?%))?"
    );
    Regex::new(&pattern).expect("the pattern is a constant")
});

/// Reads the number at the start of `text`.
///
/// `broken` says that a line break stands between label and number: then `1. First point` is
/// the start of a list.
pub(super) fn number(text: &str, broken: bool) -> Option<Found> {
    // Marks of a scale are short: what follows later cannot belong to the number.
    let head = head(text);
    let parts = NUMBER.captures(head)?;
    let first = parts.name("first")?;
    let whole = parts.get(0)?;
    if runs_on(head, whole.end()) {
        // `4 or 5th` offers 4 and goes on; `4th` offers nothing.
        if runs_on(head, first.end()) || whole.end() == first.end() {
            return None;
        }
        return plain(head, first.range(), broken);
    }
    let span = 0..whole.end();
    if let Some(other) = parts.name("dash").or_else(|| parts.name("word")) {
        let value = Value::Several(vec![first.range(), other.range()]);
        return Some(Found { value, span });
    }
    if parts.name("percent").is_some() {
        let value = Value::Percent;
        return Some(Found { value, span });
    }
    if let Some(out_of) = parts.name("whole").or_else(|| parts.name("of")) {
        let value = Value::Number {
            value: parse(first.as_str())?,
            out_of: Some(parse(out_of.as_str())?),
        };
        return Some(Found { value, span });
    }
    plain(head, first.range(), broken)
}

/// A single number without fraction or range, unless it numbers a list.
fn plain(head: &str, span: Range<usize>, broken: bool) -> Option<Found> {
    let digits = &head[span.clone()];
    if digits.bytes().all(|b| b.is_ascii_digit()) && numbers_a_list(&head[span.end..], broken) {
        return None;
    }
    let value = Value::Number {
        value: parse(digits)?,
        out_of: None,
    };
    Some(Found { value, span })
}

/// Whether a word or a longer number goes on at `at`.
fn runs_on(text: &str, at: usize) -> bool {
    let mut rest = text[at..].chars();
    match rest.next() {
        Some(c) if c.is_alphanumeric() => true,
        Some('.' | ',') => rest.next().is_some_and(|c| c.is_ascii_digit()),
        _ => false,
    }
}

/// Whether what follows an integer shows it to be a list number rather than a score.
fn numbers_a_list(rest: &str, broken: bool) -> bool {
    let Some(mark @ ('.' | ')')) = rest.chars().next() else {
        return false;
    };
    let after = &rest[mark.len_utf8()..];
    let line = after.split('\n').next().unwrap_or_default();
    let words = line.trim_start();
    if broken {
        return words.len() < line.len() && !words.trim_end().is_empty();
    }
    let next = after.trim_start_matches(|c: char| c.is_whitespace() || c == '*');
    mark == ')'
        && next
            .get(..5)
            .is_some_and(|word| word.eq_ignore_ascii_case("final"))
}

/// The value of digits with a decimal point or comma.
fn parse(digits: &str) -> Option<f64> {
    digits.replace(',', ".").replace('−', "-").parse().ok()
}

/// The first characters of a text: enough for every number that can be a score.
pub(super) fn head(text: &str) -> &str {
    const LONGEST: usize = 96;
    if text.len() <= LONGEST {
        return text;
    }
    let mut end = LONGEST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Option<(f64, Option<f64>, usize)> {
        match number(text, false)? {
            Found {
                value: Value::Number { value, out_of },
                span,
            } => Some((value, out_of, span.end)),
            _ => None,
        }
    }

    #[test]
    fn whole_and_decimal_numbers_are_read() {
        assert_eq!(one("4"), Some((4.0, None, 1)));
        assert_eq!(one("4.25 (close)"), Some((4.25, None, 4)));
        assert_eq!(one("3,5"), Some((3.5, None, 3)));
        assert_eq!(one("4. The rest"), Some((4.0, None, 1)));
        assert_eq!(one("4, Fluency: 3"), Some((4.0, None, 1)));
        assert_eq!(one("4: or so"), Some((4.0, None, 1)));
    }

    #[test]
    fn fractions_keep_their_whole() {
        assert_eq!(one("4/5"), Some((4.0, Some(5.0), 3)));
        assert_eq!(one("8 out of 10."), Some((8.0, Some(10.0), 11)));
    }

    #[test]
    fn words_that_begin_with_digits_are_no_numbers() {
        for text in ["4th chapter", "3D", "1.2.3", "x", "", "four", "٤"] {
            assert_eq!(number(text, false), None, "{text}");
        }
    }

    #[test]
    fn ranges_offer_several_numbers() {
        for text in ["3-4", "3.5–4", "3 or 4", "3 to 4"] {
            assert!(
                matches!(number(text, false), Some(Found { value: Value::Several(v), .. }) if v.len() == 2),
                "{text}"
            );
        }
        assert_eq!(one("4 or 5th place"), Some((4.0, None, 1)));
        assert_eq!(one("4 - 3 faults"), Some((4.0, None, 1)));
    }

    #[test]
    fn a_list_number_on_the_next_line_is_no_score() {
        assert_eq!(number("1. First point", true), None);
        assert_eq!(number("2) FINAL", true), None);
        assert!(number("4.\nNext line", true).is_some());
        assert!(number("4.5. Fine", true).is_some());
    }

    #[test]
    fn the_number_of_the_next_form_line_is_no_score() {
        assert_eq!(number("4) FINAL Fluency Score: 3", false), None);
        assert_eq!(number("4) **FINAL", false), None);
        assert!(number("4) 4)", false).is_some());
        assert!(number("4. FINAL", false).is_some());
    }

    #[test]
    fn a_percentage_is_no_mark() {
        let found = number("80 %", false).map(|found| found.value);
        assert_eq!(found, Some(Value::Percent));
        // The sign must stand on the same line, whatever ends lines.
        assert_eq!(one("4\n%"), Some((4.0, None, 1)));
        assert_eq!(one("4\r\n%"), Some((4.0, None, 1)));
    }
}
