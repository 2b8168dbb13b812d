//! The part of a reply that is read, and how much of it is looked at around a place.

use regex::Regex;

use crate::models::parse::value::How;
use crate::models::score::Scale;

/// How much behind a label is looked at, in bytes.
const REACH: usize = 240;

/// How much before one.
const LOOK_BACK: usize = 32;

/// Compiles a constant.
pub(super) fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}

/// How a text is read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'r> {
    /// The reply up to the end of the visible part.
    pub(super) text: &'r str,
    /// Where the part starts.
    pub(super) from: usize,
    /// Whether number words count, rather than digits.
    pub(super) words: bool,
    pub(super) scale: &'r Scale,
}

impl<'r> Reading<'r> {
    /// How a value is read where nothing around it says more.
    pub(super) fn how(&self) -> How<'r> {
        How {
            words: self.words,
            ..How::plain(self.scale)
        }
    }

    /// The visible part.
    pub(super) fn part(&self) -> &'r str {
        &self.text[self.from..]
    }
}

/// As much of a text as a joint can fill.
pub(super) fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(REACH)]
}

/// The end of a text, or of its last line if that is shorter.
pub(super) fn tail(text: &str) -> &str {
    let start = text.len().saturating_sub(LOOK_BACK);
    &text[text.ceil_char_boundary(start)..]
}
