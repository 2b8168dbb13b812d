//! Every place where a reply names a metric, and the value that stands there.
//!
//! Must not choose between places: that is the reader's part.

use std::ops::Range;

use super::label::{self, Label, Strength};
use crate::parse::number::{self, Found};

/// One mention of a metric.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    /// The metric's place in the reader's list.
    pub(super) metric: usize,
    /// Where its name stands in the reply.
    pub(super) name: Range<usize>,
    pub(super) label: Label,
    /// The value behind the label's colon, with its place in the reply.
    pub(super) value: Option<Found>,
}

impl Hit {
    /// Reads the surroundings of the name at `name` within the visible part that ends at
    /// `text.len()`; `text` is the reply up to that end and `from` where the part starts.
    pub(super) fn read(text: &str, from: usize, metric: usize, name: Range<usize>) -> Self {
        let part = &text[from..];
        let mut label = label::around(part, name.start - from, name.end - from);
        let value = value_behind(part, label).map(|found| found.shifted(from));
        label.start += from;
        label.end += from;
        Self {
            metric,
            name,
            label,
            value,
        }
    }

    /// How firmly the label says that its value is the score.
    pub(super) fn strength(&self) -> Strength {
        self.label.strength
    }
}

/// The value behind a label, if a colon and a value in a known shape follow.
fn value_behind(text: &str, label: Label) -> Option<Found> {
    let rest = text[label.end..].trim_start_matches(label::is_filler);
    let closed_before_colon = has_emphasis(&text[label.end..text.len() - rest.len()]);
    let rest = rest.strip_prefix([':', '\u{ff1a}'])?;
    let closed_behind_colon = rest.starts_with("**") || rest.starts_with("__");
    let behind_colon = text.len() - rest.len();
    let rest = rest.trim_start_matches(label::is_filler);
    let start = text.len() - rest.len();
    let broken = text[behind_colon..start].contains(['\n', '\r']);
    let Some(inside) = rest.strip_prefix('[') else {
        return number::number(rest, broken).map(|found| found.shifted(start));
    };
    let closes = closed_behind_colon && text[behind_colon..start].ends_with(char::is_whitespace);
    if label.bold || closed_before_colon || closes {
        return None;
    }
    let digits = inside.trim_start_matches(label::is_filler);
    let found = number::number(digits, false)?;
    let behind = digits[found.span.end..].trim_start_matches(label::is_filler);
    let at = text.len() - digits.len();
    behind.starts_with(']').then(|| found.shifted(at))
}

/// Whether a stretch of filler holds a mark of bold.
fn has_emphasis(filler: &str) -> bool {
    filler.contains("**") || filler.contains("__")
}
