//! The choice among the objects of a reply.
//!
//! Must not know how objects are written (see `scan`) or what their keys mean (see `walk`).

use super::issues;
use super::scan::Scanner;
use super::walk::{Naming, Verdict, verdicts};
use crate::parse::form::why_none;
use crate::parse::metrics::Metrics;
use crate::parse::visible::{Visible, settled};
use crate::parse::{Finish, Form, MetricError, Reading, Thoughts};
use crate::score::{Outcome, Reason, Scale};

/// Reads JSON replies with a fixed list of metrics.
///
/// Make one per list of metrics and use it for every reply, from any number of threads.
#[derive(Debug, Clone)]
pub struct Reader {
    metrics: Metrics,
}

/// The object that counts for a metric so far.
#[derive(Debug)]
struct Best {
    verdict: Verdict,
    /// Lower is stronger.
    rank: (Naming, bool),
    contradicted: bool,
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
        let mut best: Vec<Option<Best>> = (0..self.metrics.len()).map(|_| None).collect();
        let mut issues = Vec::new();
        for part in &answer.parts {
            let cut = finish == Finish::Length && part.end == reply.len();
            for root in Scanner::new(&reply[..part.end], part.start, cut) {
                issues::collect(reply, &root.object, &self.metrics, &mut issues);
                let said = verdicts(reply, &root.object, &self.metrics);
                for (place, verdict) in best.iter_mut().zip(said) {
                    if let Some(verdict) = verdict {
                        let rank = (verdict.naming, !root.complete);
                        compare(place, verdict, rank);
                    }
                }
            }
        }
        let readings = self.metrics.names().zip(best).map(|(name, best)| {
            let none = || Reading::without_score(name, why_none(reply, answer, finish));
            best.map_or_else(none, |best| best.reading(name, reply, scale))
        });
        Form {
            readings: readings.collect(),
            issues,
        }
    }
}

/// Lets a later object take the place of the one held, unless that is stronger.
fn compare(place: &mut Option<Best>, verdict: Verdict, rank: (Naming, bool)) {
    let contradicted = match place {
        // An object that names nobody says nothing against one that names the metric.
        Some(held) if held.rank.0 == rank.0 => held.contradicted | differ(&held.verdict, &verdict),
        Some(held) => held.rank.0 < rank.0 && held.contradicted,
        None => false,
    };
    match place {
        Some(held) if held.rank < rank => held.contradicted = contradicted,
        place => {
            *place = Some(Best {
                verdict,
                rank,
                contradicted,
            });
        }
    }
}

/// Whether two objects say different things about a metric.
fn differ(held: &Verdict, other: &Verdict) -> bool {
    match (&held.found, &other.found) {
        (Some(held), Some(other)) => held.differs(other),
        (held, other) => held.is_some() != other.is_some(),
    }
}

impl Best {
    /// What this object says on the given scale.
    fn reading(self, metric: &str, reply: &str, scale: &Scale) -> Reading {
        let none = || Outcome::Unscored(Reason::NoScoreFound);
        Reading {
            metric: metric.to_owned(),
            outcome: self
                .verdict
                .found
                .map_or_else(none, |found| found.outcome(reply, scale)),
            span: Some(self.verdict.span),
            contradicted: self.contradicted,
        }
    }
}
