//! The kinds of places where a verdict may stand, in whatever form.
//!
//! Must not look for them.

use super::value::Found;

/// The kinds of places, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// `{"fluency": 4}`
    Object,
    /// `[[4]]`, `<score>4</score>`
    Marked,
    /// `FINAL Fluency Score: 4`
    FinalMetric,
    /// `Final score: 4`
    Final,
    /// `Fluency: 4`
    Metric,
    /// `Score: 4`
    Label,
    /// No label.
    Bare,
    /// What the reply says is another's, or an example: no verdict, but a doubt in the one before it.
    Disowned,
}

/// A place with a value, in the reply.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) metric: usize,
    pub(super) strength: Strength,
    pub(super) found: Found,
    /// Where its label starts, or the value itself.
    pub(super) start: usize,
}

impl Place {
    /// A value without a label.
    pub(super) fn bare(found: Found) -> Self {
        Self {
            metric: 0,
            strength: Strength::Bare,
            start: found.span.start,
            found,
        }
    }
}
