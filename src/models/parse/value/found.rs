//! What stands where a score should stand, and what it is on a scale.
//!
//! Must not read texts.

use std::ops::Range;

use crate::models::score::{Outcome, Reason, Scale};

/// What stands where a score should stand.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::models::parse) enum Value {
    /// A number; `out_of` where it is written as a fraction (`4/5`).
    Number { value: f64, out_of: Option<f64> },
    /// A label of the scale, by its place among them, and its number.
    Label { label: usize, value: f64 },
    /// A percentage: never a mark on a Likert scale.
    Percent,
    /// A few words that are none of the labels.
    Other,
    /// Several numbers offered for one score, or words around a number that are not wholly understood; as
    /// written.
    Several(Vec<Range<usize>>),
}

/// A value and where it stands, relative to the text it was read from.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::models::parse) struct Found {
    pub(in crate::models::parse) value: Value,
    pub(in crate::models::parse) span: Range<usize>,
}

impl Found {
    /// A place whose words are not wholly understood.
    pub(in crate::models::parse) fn unclear(span: Range<usize>) -> Self {
        let value = Value::Several(vec![span.clone()]);
        Self { value, span }
    }

    /// The same in a text before which so many bytes have been put.
    pub(in crate::models::parse) fn shifted(self, by: usize) -> Self {
        let shift = |span: Range<usize>| span.start + by..span.end + by;
        Self {
            value: match self.value {
                Value::Several(spans) => Value::Several(spans.into_iter().map(shift).collect()),
                value => value,
            },
            span: shift(self.span),
        }
    }

    /// The same, unclear if it is a number that names no scale: where the text states another one.
    pub(in crate::models::parse) fn on_another_scale(self) -> Self {
        match self.value {
            Value::Number { out_of: None, .. } => Self::unclear(self.span),
            _ => self,
        }
    }

    /// The number that it comes to, where it is understood.
    pub(in crate::models::parse) fn value(&self) -> Option<f64> {
        match self.value {
            Value::Number { value, .. } | Value::Label { value, .. } => Some(value),
            Value::Percent | Value::Other | Value::Several(_) => None,
        }
    }

    /// The label that it is, as the spec writes it.
    pub(in crate::models::parse) fn label(&self, scale: &Scale) -> Option<String> {
        match self.value {
            Value::Label { label, .. } => Some(scale.labels.get(label)?.name.clone()),
            _ => None,
        }
    }

    /// Whether two values say different things; what is not understood is never taken for the same.
    pub(in crate::models::parse) fn differs(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Number { value: a, .. }, Value::Number { value: b, .. }) => {
                a.total_cmp(b).is_ne()
            }
            (Value::Label { label: a, .. }, Value::Label { label: b, .. }) => a != b,
            (Value::Number { .. }, Value::Label { .. })
            | (Value::Label { .. }, Value::Number { .. }) => self.value() != other.value(),
            _ => true,
        }
    }

    /// What the value is on a scale; its places lie in `reply`.
    pub(in crate::models::parse) fn outcome(&self, reply: &str, scale: &Scale) -> Outcome {
        let text = |span: &Range<usize>| reply[span.clone()].to_owned();
        let off_scale = || Outcome::Unscored(Reason::OffScale(text(&self.span)));
        match &self.value {
            Value::Label { value, .. } => Outcome::Scored(*value),
            Value::Number { .. } if !scale.labels.is_empty() => off_scale(),
            Value::Number { value, out_of } => {
                let same_top = out_of.is_none_or(|top| (top - scale.max).abs() < f64::EPSILON);
                if same_top && scale.contains(*value) {
                    Outcome::Scored(*value)
                } else {
                    off_scale()
                }
            }
            Value::Percent | Value::Other => off_scale(),
            Value::Several(spans) => {
                Outcome::Unscored(Reason::Ambiguous(spans.iter().map(text).collect()))
            }
        }
    }
}
