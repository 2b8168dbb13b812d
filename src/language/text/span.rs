//! A stretch of a text.

use serde::Serialize;

/// A stretch of a text: bytes from `start` (included) to `end` (excluded), both at letter
/// boundaries of the text it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// First byte that no longer belongs to it.
    pub end: usize,
}

impl Span {
    /// The stretch between two places.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The whole of a text.
    pub fn whole(text: &str) -> Self {
        Self::new(0, text.len())
    }

    /// What stands there.
    ///
    /// # Panics
    /// When the span belongs to another text and cuts a letter or lies outside.
    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether it holds nothing: a place rather than a stretch.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Whether `other` lies in it.
    pub fn contains(&self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two have a letter in common.
    #[cfg(test)]
    pub(crate) fn overlaps(&self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}
