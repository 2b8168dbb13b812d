//! Digits of full width, as Chinese and Japanese texts have them: `４．５／５` reads `4.5/5`.
//!
//! Must not change anything else.

use std::borrow::Cow;
use std::ops::Range;

use crate::parse::number::{Found, Value};

/// How many bytes shorter a sign becomes.
const SHORTER: usize = '４'.len_utf8() - 1;

/// A text with digits of one width only.
pub(super) struct Narrow<'t> {
    pub(super) text: Cow<'t, str>,
    /// Where in it the signs stand that were wider, in ascending order.
    wide: Vec<usize>,
}

impl<'t> Narrow<'t> {
    /// Narrows the digits of a text, and the signs right behind a digit that may belong to its number.
    pub(super) fn new(text: &'t str) -> Self {
        if !text.contains(|c| is_digit(c) || is_sign(c)) {
            return Self {
                text: Cow::Borrowed(text),
                wide: Vec::new(),
            };
        }
        let (mut narrow, mut wide) = (String::with_capacity(text.len()), Vec::new());
        for c in text.chars() {
            let digit = narrow.ends_with(|c: char| c.is_ascii_digit());
            let ascii = match c {
                c if is_digit(c) || (digit && is_sign(c)) => narrowed(c),
                _ => None,
            };
            if ascii.is_some() {
                wide.push(narrow.len());
            }
            narrow.push(ascii.unwrap_or(c));
        }
        Self {
            text: Cow::Owned(narrow),
            wide,
        }
    }

    /// Where a place in the narrow text stands in the text as it was.
    pub(super) fn place(&self, place: &Range<usize>) -> Range<usize> {
        self.at(place.start)..self.at(place.end)
    }

    /// The same value, standing in the text as it was.
    pub(super) fn found(&self, found: Found) -> Found {
        Found {
            span: self.place(&found.span),
            value: match found.value {
                Value::Several(spans) => {
                    Value::Several(spans.iter().map(|span| self.place(span)).collect())
                }
                value => value,
            },
        }
    }

    fn at(&self, at: usize) -> usize {
        at + SHORTER * self.wide.partition_point(|wide| *wide < at)
    }
}

/// Whether a sign is a digit of full width.
fn is_digit(c: char) -> bool {
    matches!(c, '\u{ff10}'..='\u{ff19}')
}

/// Whether a sign of full width may belong to a number: `．`, `／`, `％`, `－`, `～`.
fn is_sign(c: char) -> bool {
    matches!(
        c,
        '\u{ff0e}' | '\u{ff0f}' | '\u{ff05}' | '\u{ff0d}' | '\u{ff5e}'
    )
}

/// The sign of ASCII that one of full width stands for.
fn narrowed(c: char) -> Option<char> {
    char::from_u32((c as u32).checked_sub(0xfee0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_full_width_and_signs_between_them_become_narrow() {
        for (text, narrow) in [
            ("4", "4"),
            ("４．５／５", "4.5/5"),
            ("４％", "4%"),
            ("３～４", "3~4"),
            ("3－4．5", "3-4.5"),
            ("评分：４。", "评分：4。"),
            ("．／％－～", "．／％－～"),
            ("Ａ（４）", "Ａ（4）"),
        ] {
            assert_eq!(Narrow::new(text).text, narrow);
        }
    }

    #[test]
    fn places_are_found_again() {
        let text = "é４字３／５";
        let narrow = Narrow::new(text);
        for (part, was) in [("4", "４"), ("3/5", "３／５"), ("/5", "／５"), ("字", "字")] {
            let at = narrow.text.find(part).unwrap();
            assert_eq!(&text[narrow.place(&(at..at + part.len()))], was);
        }
    }
}
