//! The choice among the objects of a reply.
//!
//! Must not know how objects are written (see `scan`) or what their keys mean (see `walk`).

use std::ops::Range;

use super::issues;
use super::scan::Scanner;
use super::walk::{Naming, Verdict, verdicts};
use crate::models::parse::evaluation_form::hit::Hit;
use crate::models::parse::form::why_none;
use crate::models::parse::metrics::Metrics;
use crate::models::parse::offers::Offers;
use crate::models::parse::value::{Value, has, names_another, states_other};
use crate::models::parse::visible::{Visible, settled};
use crate::models::parse::{Finish, Form, MetricError, Reading, Thoughts};
use crate::models::score::{Outcome, Reason, Scale};

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
        let mut other_scale = false;
        let mut hits = Vec::new();
        let mut objects: Vec<Range<usize>> = Vec::new();
        for part in &answer.parts {
            let cut = finish == Finish::Length && part.end == reply.len();
            other_scale |= states_other(&reply[part.clone()], scale);
            let names = self.metrics.mentions(&reply[part.clone()]);
            Hit::of_part(&reply[..part.end], part.start, names, scale, &mut hits);
            let mut behind = part.start;
            for root in Scanner::new(&reply[..part.end], part.start, cut) {
                issues::collect(reply, &root.object, &self.metrics, &mut issues);
                let words = before(&reply[behind..root.object.span.start]);
                behind = root.object.span.end;
                objects.push(root.object.span.clone());
                if names_another(words) {
                    continue;
                }
                let said = verdicts(reply, &root.object, &self.metrics, scale);
                for (place, verdict) in best.iter_mut().zip(said) {
                    if let Some(verdict) = verdict {
                        let rank = (verdict.naming, !root.complete);
                        compare(place, verdict, rank, announces(words));
                    }
                }
            }
        }
        // A label outside of the objects that says something else leaves no verdict.
        let inside = |hit: &Hit| {
            let before = objects.partition_point(|object| object.start <= hit.name.start);
            let object = before.checked_sub(1).map(|at| &objects[at]);
            object.is_some_and(|object| hit.name.start < object.end)
        };
        for hit in hits.iter().filter(|hit| !inside(hit)) {
            if let Some(best) = &mut best[hit.metric]
                && let Some(found) = &mut best.verdict.found
                && let Some(other) = hit.verdict()
                && matches!(other.value, Value::Number { .. })
                && found.differs(&other)
            {
                let spans = vec![found.span.clone(), other.span];
                found.value = Value::Several(spans);
                best.contradicted = true;
            }
        }
        let readings = self.metrics.names().zip(best).map(|(name, best)| {
            let none = || Reading::without_score(name, why_none(reply, answer, finish));
            best.map_or_else(none, |best| best.reading(name, reply, scale, other_scale))
        });
        Form {
            readings: readings.collect(),
            issues,
        }
    }
}

/// How much before an object is looked at, in bytes.
const LOOK_BACK: usize = 100;

/// The words on the last line before an object that has any.
fn before(text: &str) -> &str {
    let near = &text[text.ceil_char_boundary(text.len().saturating_sub(LOOK_BACK))..];
    let lines = near.rsplit('\n').map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with("```"));
    lines.next().unwrap_or_default()
}

/// Whether words announce the verdict that takes the place of what stood before.
fn announces(words: &str) -> bool {
    const WORDS: [&str; 14] = [
        "actual",
        "amended",
        "answer",
        "corrected",
        "correction",
        "final",
        "finally",
        "instead",
        "no",
        "now",
        "revised",
        "revision",
        "updated",
        "verdict",
    ];
    words
        .split(|c: char| !c.is_alphabetic())
        .any(|word| has(&WORDS, word))
}

/// Lets a later object take the place of the one held, unless that is stronger; of two that differ neither counts
/// unless the later one is `announced`.
fn compare(place: &mut Option<Best>, verdict: Verdict, rank: (Naming, bool), announced: bool) {
    let Some(held) = place else {
        *place = Some(Best {
            verdict,
            rank,
            contradicted: false,
        });
        return;
    };
    // An object that names nobody says nothing against one that names the metric.
    if held.rank.0 != rank.0 {
        if rank.0 < held.rank.0 {
            *held = Best {
                verdict,
                rank,
                contradicted: false,
            };
        }
        return;
    }
    let differs = differ(&held.verdict, &verdict);
    held.contradicted |= differs;
    if differs
        && !(announced && held.rank >= rank)
        && let (Some(first), Some(second)) = (&held.verdict.found, &verdict.found)
    {
        let mut offers = Offers::default();
        offers.add(first.clone(), held.verdict.span.start);
        offers.add(second.clone(), verdict.span.start);
        if let Some((found, span)) = offers.verdict() {
            held.verdict.found = Some(found);
            held.verdict.span = span;
        }
    } else if held.rank >= rank {
        held.verdict = verdict;
        held.rank = rank;
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
    fn reading(self, metric: &str, reply: &str, scale: &Scale, other_scale: bool) -> Reading {
        let none = || Outcome::Unscored(Reason::NoScoreFound);
        Reading {
            metric: metric.to_owned(),
            outcome: self
                .verdict
                .found
                .map(|found| {
                    if other_scale {
                        found.on_another_scale()
                    } else {
                        found
                    }
                })
                .map_or_else(none, |found| found.outcome(reply, scale)),
            span: Some(self.verdict.span),
            contradicted: self.contradicted,
        }
    }
}
