//! The verdicts of objects, held against what stands around them.
//!
//! Must not choose among objects (see `objects`).

use super::issues;
use super::objects::Objects;
use crate::models::parse::agree::{self, Asked, Verdict};
use crate::models::parse::likert::places;
use crate::models::parse::metrics::Metrics;
use crate::models::parse::place::Strength;
use crate::models::parse::value::Value;
use crate::models::parse::visible::settled;
use crate::models::parse::{Finish, Form, MetricError, Thoughts};
use crate::models::score::Scale;

/// Reads JSON replies with a fixed list of metrics.
///
/// Make one per list of metrics and use it for every reply, from any number of threads.
#[derive(Debug, Clone)]
pub struct Reader {
    metrics: Metrics,
}

impl Reader {
    /// Prepares to read these metrics. In a reply capitals do not matter, and blanks, `-` and
    /// `_` within a name stand for one another.
    ///
    /// # Errors
    /// [`MetricError`] for names that no reply could hold or that read the same.
    pub fn new(metrics: &[String]) -> Result<Self, MetricError> {
        let metrics = Metrics::new(metrics)?;
        Ok(Self { metrics })
    }

    /// Reads one reply, without its trailer (see [`super::super::trailer`]);
    /// `thoughts` are not part of the answer.
    pub fn read(&self, reply: &str, finish: Finish, scale: &Scale, thoughts: Thoughts<'_>) -> Form {
        settled(reply, finish, thoughts, &self.metrics, |answer| {
            self.answer(&Asked::new((reply, finish), answer, scale, &self.metrics))
        })
    }

    /// Reads what of a reply is answer.
    fn answer(&self, asked: &Asked<'_>) -> Form {
        let objects = asked.objects();
        let mut issues = Vec::new();
        for object in objects.roots() {
            issues::collect(asked, object, &mut issues);
        }
        let mut verdicts: Vec<Option<Verdict>> =
            objects.verdicts().map(Option::<&Verdict>::cloned).collect();
        verdicts.resize_with(self.metrics.len(), || None);
        if verdicts.iter().any(Option::is_some) {
            around(asked, objects, &mut verdicts);
        }
        Form {
            readings: agree::readings(asked, verdicts),
            issues,
        }
    }
}

/// Holds verdicts against what stands outside of the objects: a number behind a label, or behind the object in
/// whatever form, leaves no verdict if it differs; sentences that lead up to an object may speak of other numbers.
fn around(asked: &Asked<'_>, objects: &Objects, verdicts: &mut [Option<Verdict>]) {
    for place in places(asked, false) {
        if objects.hold(place.start) || !matches!(place.found.value, Value::Number { .. }) {
            continue;
        }
        let Some(verdict) = &mut verdicts[place.metric] else {
            continue;
        };
        if place.strength < Strength::Bare || place.start > verdict.span.end {
            verdict.hear(&place.found, place.start);
        } else if let Some(found) = &verdict.found {
            verdict.contradicted |= found.differs(&place.found);
        }
    }
}
