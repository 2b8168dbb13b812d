//! The choice among the places of a form that name a metric.
//!
//! Must not know how labels and numbers are written (see `label` and `number`).

use super::hit::Hit;
use super::issues;
use crate::parse::form::why_none;
use crate::parse::metrics::Metrics;
use crate::parse::number::Found;
use crate::parse::visible::{Visible, settled};
use crate::parse::{Finish, Form, MetricError, Reading, Thoughts};
use crate::score::Scale;

/// Reads evaluation forms with a fixed list of metrics.
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
            self.answer(reply, answer, finish, scale)
        })
    }

    /// Reads what of a reply is answer.
    fn answer(&self, reply: &str, answer: &Visible, finish: Finish, scale: &Scale) -> Form {
        let mut hits = Vec::new();
        for part in &answer.parts {
            let text = &reply[..part.end];
            for (metric, name) in self.metrics.mentions(&reply[part.clone()]) {
                let name = part.start + name.start..part.start + name.end;
                hits.push(Hit::read(text, part.start, metric, name));
            }
        }
        let best = self.strongest(&hits);
        let readings = self.metrics.names().zip(best).map(|(name, best)| {
            let none = || Reading::without_score(name, why_none(reply, answer, finish));
            best.map_or_else(none, |best| best.reading(name, reply, scale))
        });
        let readings = readings.collect();
        let name = |metric: usize| self.metrics.name(metric).to_owned();
        let metric = |text: &str| self.metrics.position(text);
        let issues = issues::collect(reply, &answer.parts, &hits, metric)
            .into_iter()
            .map(|found| found.issue(name))
            .collect();
        Form { readings, issues }
    }

    /// Per metric the first of the strongest places that have a value.
    fn strongest<'h>(&self, hits: &'h [Hit]) -> Vec<Option<Best<'h>>> {
        let mut best: Vec<Option<Best<'h>>> = (0..self.metrics.len()).map(|_| None).collect();
        for hit in hits {
            let Some(found) = &hit.value else { continue };
            match &mut best[hit.metric] {
                Some(held) if held.hit.strength() < hit.strength() => {}
                Some(held) if held.hit.strength() == hit.strength() => {
                    held.contradicted |= held.found.differs(found);
                }
                place => {
                    *place = Some(Best {
                        hit,
                        found,
                        contradicted: false,
                    });
                }
            }
        }
        best
    }
}

/// The place whose value counts.
struct Best<'h> {
    hit: &'h Hit,
    found: &'h Found,
    contradicted: bool,
}

impl Best<'_> {
    /// What this place says on the given scale.
    fn reading(&self, metric: &str, reply: &str, scale: &Scale) -> Reading {
        Reading {
            metric: metric.to_owned(),
            outcome: self.found.outcome(reply, scale),
            span: Some(self.hit.label.start..self.found.span.end),
            contradicted: self.contradicted,
        }
    }
}
