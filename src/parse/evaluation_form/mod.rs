//! The parser `evaluation-form`: one score per metric and a list of issues.
//!
//! The form the judges are asked to fill in (a list of issues per metric, then a line
//! `FINAL <Metric> Score: x` per metric) comes back in many shapes. The rule for scores:
//!
//! 1. Blanks of any kind and number count as one blank. `<think>…</think>` is not part of the
//!    answer; a reply with only one of the two tags is unscored (`think-not-closed`).
//! 2. A score is a number behind a label and a colon. Labels, strongest first:
//!    `FINAL <Metric> Score`, `<Metric> Score`, `<Metric>`. Capitals do not matter; numbering
//!    and bold may surround any part.
//! 3. A number in square brackets counts behind a label that is not bold. A bold label before
//!    `[x]`, a bare `Rating: x`, `<Metric> - x` and `<Metric> (x)` are not scores.
//! 4. Per metric the strongest label that has a number decides, and of several equally strong
//!    ones the *first*. That is what the thesis's numbers follow (replies that write a form
//!    twice, with different scores, are counted with the first); a reading that another place
//!    contradicts is flagged as [`contradicted`](Reading::contradicted).
//! 5. A number off the scale is unscored (`off-scale`), one place with several numbers (`3-4`,
//!    `3 or 4`) is `ambiguous`. A list number that merely follows the label (`Fluency:` and on
//!    the next line `1. First point`) is no score.
//! 6. A reply that was cut by the length limit is scored if a score is found before the cut.
//!
//! Source of the rule: the tables of the `JudgeMemo` thesis (Kleiner, 2025), recomputed from its
//! recorded replies; all of them come out under this rule on [`Scale::ANY_1_TO_5`]. The parser
//! must not correct, round or complete what a judge wrote.

mod bullet;
mod heading;
mod hit;
mod issues;
mod label;
mod line;
mod number;
mod reader;
mod visible;

pub use reader::{MetricError, Reader};

use std::ops::Range;

use serde::Serialize;

use super::Finish;
use crate::score::{Outcome, Scale};

/// What a reply says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Form {
    /// One per metric, in the order in which the metrics were given.
    pub readings: Vec<Reading>,
    /// In the order in which they stand in the reply, repetitions included.
    pub issues: Vec<Issue>,
}

/// What a reply says about one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reading {
    /// The metric's name as given to the reader.
    pub metric: String,
    /// The score, or why there is none.
    pub outcome: Outcome,
    /// Where in the reply (in bytes) the label and number stand that led to the outcome.
    pub span: Option<Range<usize>>,
    /// Whether an equally strong label has another number elsewhere in the reply.
    pub contradicted: bool,
}

/// One fault the judge found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// The metric under whose heading the issue stands (or that its label names), by the name
    /// given to the reader; `None` where the reply does not say.
    pub metric: Option<String>,
    /// The label in square brackets, as written; a bullet with two labels makes two issues.
    pub label: Option<String>,
    /// What the judge wrote, blanks collapsed and bold marks removed; empty where the judge
    /// gave a label only.
    pub text: String,
    /// Where in the reply (in bytes) labels and text stand.
    pub span: Range<usize>,
}

/// Reads one reply; for many replies keep a [`Reader`].
///
/// # Errors
/// [`MetricError`] when the metric names cannot be told apart in a reply.
pub fn read(
    reply: &str,
    finish: Finish,
    metrics: &[String],
    scale: &Scale,
) -> Result<Form, MetricError> {
    Ok(Reader::new(metrics)?.read(reply, finish, scale))
}

#[cfg(test)]
mod tests;
