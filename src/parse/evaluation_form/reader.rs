//! The compiled form of a list of metrics, and the choice among the places that name them.
//!
//! Must not know how labels and numbers are written (see `label` and `number`).

use std::ops::Range;

use regex::{Regex, RegexBuilder};
use thiserror::Error;

use super::hit::Hit;
use super::number::{Found, Value};
use super::visible::visible;
use super::{Form, Reading, issues};
use crate::parse::Finish;
use crate::score::{Outcome, Reason, Scale};

/// The longest name of a metric, in characters.
const LONGEST_NAME: usize = 100;

/// The most metrics one form can have.
const MOST_METRICS: usize = 64;

/// How much memory the compiled names may take, in bytes.
const SIZE_LIMIT: usize = 64 << 20;

/// Why metrics cannot be looked for in a reply.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MetricError {
    /// A name has no letter or digit.
    #[error(
        "metric `{0}` has no letter or digit in its name; give it a name that judges can write"
    )]
    Blank(String),
    /// Two names read the same in a reply.
    #[error("metrics `{0}` and `{1}` read the same in a reply; rename one of them")]
    Twice(String, String),
    /// A name is too long, or there are too many of them.
    #[error(
        "metric names are too many or too long (at most {MOST_METRICS} of {LONGEST_NAME} characters); shorten the list at `{0}`"
    )]
    TooLong(String),
}

/// Reads evaluation forms with a fixed list of metrics.
///
/// Make one per list of metrics and use it for every reply, from any number of threads.
#[derive(Debug, Clone)]
pub struct Reader {
    metrics: Vec<Metric>,
    /// Any of the names; longer ones are tried first.
    names: Option<Regex>,
}

/// One metric of a reader.
#[derive(Debug, Clone)]
struct Metric {
    name: String,
    /// Matches the name and nothing but the name.
    exactly: Regex,
}

impl Reader {
    /// Prepares to read these metrics. In a reply capitals do not matter, and blanks, `-` and
    /// `_` within a name stand for one another.
    ///
    /// # Errors
    /// [`MetricError`] for names that no reply could hold or that read the same.
    pub fn new(metrics: &[String]) -> Result<Self, MetricError> {
        let mut known: Vec<Metric> = Vec::with_capacity(metrics.len());
        let mut patterns = Vec::with_capacity(metrics.len());
        for name in metrics {
            if !name.contains(char::is_alphanumeric) {
                return Err(MetricError::Blank(name.clone()));
            }
            if known.len() == MOST_METRICS || name.chars().count() > LONGEST_NAME {
                return Err(MetricError::TooLong(name.clone()));
            }
            let pattern = pattern(name);
            let exactly = compile(&format!("^(?:{pattern})$"), name)?;
            if let Some(same) = known.iter().find(|metric| metric.exactly.is_match(name)) {
                return Err(MetricError::Twice(same.name.clone(), name.clone()));
            }
            patterns.push(pattern);
            known.push(Metric {
                name: name.clone(),
                exactly,
            });
        }
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
        let names = match metrics.last() {
            Some(last) => Some(compile(&patterns.join("|"), last)?),
            None => None,
        };
        Ok(Self {
            metrics: known,
            names,
        })
    }

    /// Reads one reply, without its trailer (see [`super::super::trailer`]).
    pub fn read(&self, reply: &str, finish: Finish, scale: &Scale) -> Form {
        let answer = visible(reply);
        let mut hits = Vec::new();
        for part in &answer.parts {
            self.find(reply, part, &mut hits);
        }
        let reason = || {
            let blank = |part: &Range<usize>| reply[part.clone()].trim().is_empty();
            if reply.trim().is_empty() {
                Reason::NoReply
            } else if answer.unclosed {
                Reason::ThinkNotClosed
            } else if finish == Finish::Length {
                Reason::CutByLength
            } else if answer.parts.iter().all(blank) {
                Reason::NoReply
            } else {
                Reason::NoScoreFound
            }
        };
        let best = self.strongest(&hits);
        let readings = self.metrics.iter().zip(best).map(|(metric, best)| {
            let name = metric.name.clone();
            match best {
                Some(best) => best.reading(name, reply, scale),
                None => Reading {
                    metric: name,
                    outcome: Outcome::Unscored(reason()),
                    span: None,
                    contradicted: false,
                },
            }
        });
        let readings = readings.collect();
        let name = |metric: usize| self.metrics[metric].name.clone();
        let issues = issues::collect(reply, &answer.parts, &hits, |text| self.metric(text))
            .into_iter()
            .map(|found| found.issue(name))
            .collect();
        Form { readings, issues }
    }

    /// Appends every mention of a metric in one visible part of the reply.
    fn find(&self, reply: &str, part: &Range<usize>, hits: &mut Vec<Hit>) {
        let Some(names) = &self.names else { return };
        let text = &reply[part.clone()];
        for found in names.find_iter(text) {
            if !super::label::is_word(text, found.start(), found.end()) {
                continue;
            }
            let Some(metric) = self.metric(found.as_str()) else {
                continue;
            };
            let name = part.start + found.start()..part.start + found.end();
            hits.push(Hit::read(&reply[..part.end], part.start, metric, name));
        }
    }

    /// The metric that has this name.
    fn metric(&self, text: &str) -> Option<usize> {
        let same = |metric: &Metric| metric.name.eq_ignore_ascii_case(text);
        let position = self.metrics.iter().position(same);
        position.or_else(|| {
            self.metrics
                .iter()
                .position(|metric| metric.exactly.is_match(text))
        })
    }

    /// Per metric the first of the strongest places that have a value.
    fn strongest<'h>(&self, hits: &'h [Hit]) -> Vec<Option<Best<'h>>> {
        let mut best: Vec<Option<Best<'h>>> = self.metrics.iter().map(|_| None).collect();
        for hit in hits {
            let Some(found) = &hit.value else { continue };
            match &mut best[hit.metric] {
                Some(held) if held.hit.strength() < hit.strength() => {}
                Some(held) if held.hit.strength() == hit.strength() => {
                    held.contradicted |= differs(&held.found.value, &found.value);
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
    fn reading(&self, metric: String, reply: &str, scale: &Scale) -> Reading {
        let text = |span: &Range<usize>| reply[span.clone()].to_owned();
        let off_scale = || Outcome::Unscored(Reason::OffScale(text(&self.found.span)));
        let outcome = match &self.found.value {
            Value::Number { value, out_of } => {
                let same_top = out_of.is_none_or(|top| (top - scale.max).abs() < f64::EPSILON);
                if same_top && scale.contains(*value) {
                    Outcome::Scored(*value)
                } else {
                    off_scale()
                }
            }
            Value::Percent => off_scale(),
            Value::Several(spans) => {
                Outcome::Unscored(Reason::Ambiguous(spans.iter().map(text).collect()))
            }
        };
        Reading {
            metric,
            outcome,
            span: Some(self.hit.label.start..self.found.span.end),
            contradicted: self.contradicted,
        }
    }
}

/// Whether two values say different things; ranges are never taken for the same.
fn differs(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number { value: a, .. }, Value::Number { value: b, .. }) => a.total_cmp(b).is_ne(),
        _ => true,
    }
}

/// The pattern of a name: its words, with any blanks, `-` or `_` between them.
fn pattern(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || c == '-' || c == '_');
    let words: Vec<_> = words
        .filter(|word| !word.is_empty())
        .map(regex::escape)
        .collect();
    words.join(r"[\s_-]+")
}

/// Compiles a pattern that is matched without regard to capitals.
fn compile(pattern: &str, name: &str) -> Result<Regex, MetricError> {
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .size_limit(SIZE_LIMIT)
        .build()
        .map_err(|_| MetricError::TooLong(name.to_owned()))
}
