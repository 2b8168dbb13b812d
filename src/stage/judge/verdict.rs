//! What one reply says of one metric.

use crate::models::logprobs::Expectation;
use crate::models::parse::{self, ErrorSpan, Issue};
use crate::models::score::{Outcome, Reason};

/// What one reply says of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// A score, or why there is none.
    pub outcome: Outcome,
    /// The label that the score is of, where the scale has labels.
    pub label: Option<String>,
    /// The mark that the reply writes, where the score is an expectation.
    pub written: Option<f64>,
    /// The probability that lies on the scale, where the score is an expectation.
    pub mass: Option<f64>,
    /// Why the score is what it is, where the reply says it apart from the score.
    pub explanation: Option<String>,
    /// The issues found; those that name no metric are with each.
    pub issues: Vec<Issue>,
    /// The errors that the reply marks, where its form has any.
    pub spans: Option<Vec<ErrorSpan>>,
    /// Whether the metric is scored by a reply that names another score for it too.
    pub contradicted: bool,
}

impl Verdict {
    pub(super) fn without_score(reason: Reason) -> Self {
        Self {
            outcome: Outcome::Unscored(reason),
            label: None,
            written: None,
            mass: None,
            explanation: None,
            issues: Vec::new(),
            spans: None,
            contradicted: false,
        }
    }

    pub(super) fn of(reading: parse::Reading, form: (&[Issue], Option<&Vec<ErrorSpan>>)) -> Self {
        let (issues, spans) = form;
        let of_metric = |issue: &&Issue| {
            let metric = issue.metric.as_ref();
            metric.is_none_or(|named| *named == reading.metric)
        };
        Self {
            contradicted: reading.contradicted && reading.outcome.score().is_some(),
            spans: spans.cloned(),
            issues: issues.iter().filter(of_metric).cloned().collect(),
            outcome: reading.outcome,
            label: reading.label,
            written: None,
            mass: None,
            explanation: reading.explanation,
        }
    }

    /// Takes an expectation for the score.
    pub(super) fn expect(&mut self, Expectation { outcome, mass }: Expectation) {
        self.written = self.outcome.score();
        self.outcome = outcome;
        self.mass = mass;
    }
}
