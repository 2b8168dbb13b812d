//! The different values that equally good places offer for one metric.
//!
//! Keeps a few of them: who reads an ambiguous reply needs to see that values differ, not all of a
//! million. Must not prefer one to another.

use std::ops::Range;

use super::value::{Found, Value};

/// The most different values kept.
const MOST: usize = 8;

/// Different values, each with where its label (or the value itself) starts.
#[derive(Debug, Clone, Default)]
pub(super) struct Offers {
    list: Vec<(Found, usize)>,
}

impl Offers {
    /// Adds a value unless the same is there already.
    pub(super) fn add(&mut self, found: Found, start: usize) {
        let new = self.list.iter().all(|(held, _)| held.differs(&found));
        if new && self.list.len() < MOST {
            self.list.push((found, start));
        }
    }

    /// Whether there is no value.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether some value here is not `other`.
    pub(super) fn contradict(&self, other: &Found) -> bool {
        self.list
            .iter()
            .any(|(held, _)| held.span != other.span && held.differs(other))
    }

    /// The one value, or all of them as the numbers of an ambiguous one; and where label and value
    /// stand, of several values from the first to the last.
    pub(super) fn verdict(mut self) -> Option<(Found, Range<usize>)> {
        if self.list.len() < 2 {
            let (found, start) = self.list.pop()?;
            let end = found.span.end;
            return Some((found, start..end));
        }
        let start = self.list.iter().map(|(_, start)| *start).min()?;
        let end = self.list.iter().map(|(found, _)| found.span.end).max()?;
        let first = self.list.first()?.0.span.start;
        let numbers = self
            .list
            .into_iter()
            .flat_map(|(found, _)| match found.value {
                Value::Several(spans) => spans,
                _ => vec![found.span],
            });
        let value = Value::Several(numbers.collect());
        let span = first..end.max(first);
        Some((Found { value, span }, start..end))
    }
}
