//! Every place where a reply names a metric, and the value that stands there.
//!
//! Must not choose between places: that is the reader's part.

use std::ops::Range;

use super::label::{self, Label, Strength};
use crate::models::parse::metrics::Metrics;
use crate::models::parse::owner;
use crate::models::parse::trim::trim_start;
use crate::models::parse::value::{self, Found, How, Standing, standing};
use crate::models::score::Scale;

/// One mention of a metric.
#[derive(Debug, Clone)]
pub(in crate::models::parse) struct Hit {
    /// The metric's place in the reader's list.
    pub(in crate::models::parse) metric: usize,
    /// Where its name stands in the reply.
    pub(in crate::models::parse) name: Range<usize>,
    pub(in crate::models::parse) label: Label,
    /// The value behind the label's colon, with its place in the reply.
    pub(in crate::models::parse) value: Option<Found>,
    /// Whose value it is.
    standing: Standing,
}

impl Hit {
    /// Reads the surroundings of the names of metrics in the visible part that starts at `from`; `text` is the
    /// reply up to the end of that part.
    pub(in crate::models::parse) fn of_part(
        text: &str,
        from: usize,
        metrics: &Metrics,
        scale: &Scale,
        hits: &mut Vec<Self>,
    ) {
        let part = &text[from..];
        let names = metrics.mentions(part);
        let mut names = names
            .map(|(metric, name)| (metric, label::around(part, name.start, name.end), name))
            .peekable();
        while let Some((metric, mut label, name)) = names.next() {
            let next = names.peek().map(|(_, label, _)| label.start);
            let value = value_behind(part, label, next, scale).map(|found| found.shifted(from));
            let standing = value.as_ref().map(|found| {
                let gap = &part[name.end..(found.span.start - from).max(name.end)];
                match standing(part, label.start, metrics) {
                    Standing::Own if owner::follows_value(part, label.start, gap) => {
                        Standing::Doubtful
                    }
                    standing => standing,
                }
            });
            label.start += from;
            label.end += from;
            hits.push(Self {
                metric,
                name: name.start + from..name.end + from,
                label,
                value,
                standing: standing.unwrap_or(Standing::Own),
            });
        }
    }

    /// The value, if it is another's.
    pub(in crate::models::parse) fn disowned(&self) -> Option<&Found> {
        let other = self.standing == Standing::Other;
        self.value.as_ref().filter(|_| other)
    }

    /// The value, unless it is another's.
    pub(in crate::models::parse) fn stated(&self) -> Option<&Found> {
        let own = self.standing != Standing::Other;
        self.value.as_ref().filter(|_| own)
    }

    /// How firmly the label says that its value is the score.
    pub(in crate::models::parse) fn strength(&self) -> Strength {
        self.label.strength
    }

    /// The value, if it is the verdict's; unclear if that is in doubt.
    pub(in crate::models::parse) fn verdict(&self) -> Option<Found> {
        let found = self.value.as_ref()?;
        match self.standing {
            Standing::Own => Some(found.clone()),
            Standing::Doubtful => Some(Found::unclear(self.label.start..found.span.end)),
            Standing::Other => None,
        }
    }
}

/// The value behind a label, if a colon and a value in a known shape follow; `next` is where the next label
/// starts.
fn value_behind(text: &str, label: Label, next: Option<usize>, scale: &Scale) -> Option<Found> {
    let rest = trim_start(&text[label.end..], label::is_filler);
    let closed_before_colon = has_emphasis(&text[label.end..text.len() - rest.len()]);
    let rest = rest.strip_prefix([':', '\u{ff1a}'])?;
    let closed_behind_colon = rest.starts_with("**") || rest.starts_with("__");
    let behind_colon = text.len() - rest.len();
    let rest = trim_start(rest, label::is_filler);
    let start = text.len() - rest.len();
    if rest.starts_with('[') {
        let closes =
            closed_behind_colon && text[behind_colon..start].ends_with(char::is_whitespace);
        if label.bold || closed_before_colon || closes {
            return None;
        }
    }
    let how = How {
        firm: label.strength != Strength::Bare,
        broken: text[behind_colon..start].contains(['\n', '\r']),
        labelled: next.is_some(),
        ..How::plain(scale)
    };
    let text = &text[..next.unwrap_or(text.len()).max(start)];
    value::read(text, start, how)
}

/// Whether a stretch of filler holds a mark of bold.
fn has_emphasis(filler: &str) -> bool {
    filler.contains("**") || filler.contains("__")
}
