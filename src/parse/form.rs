//! What every parser makes of a reply: a reading per metric and a list of issues.
//!
//! Must not know how replies are written.

use std::ops::Range;

use serde::Serialize;

use super::Finish;
use super::visible::Visible;
use crate::score::{Outcome, Reason};

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
    /// Where in the reply (in bytes) the label, if there is one, and the number stand that led to the
    /// outcome.
    pub span: Option<Range<usize>>,
    /// Whether another place that could have decided says something else; each parser says which
    /// places those are.
    pub contradicted: bool,
}

/// One fault the judge found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// The metric that the issue is about by its heading, its place or its label, by the name given to
    /// the reader; `None` where the reply does not say.
    pub metric: Option<String>,
    /// The label, as written; an entry with two labels makes two issues.
    pub label: Option<String>,
    /// What the judge wrote, blanks collapsed and bold marks removed; empty where the judge
    /// gave a label only.
    pub text: String,
    /// Where in the reply (in bytes) labels and text stand.
    pub span: Range<usize>,
}

impl Reading {
    /// A metric to which the reply says nothing.
    pub(super) fn without_score(metric: &str, why: Reason) -> Self {
        Self {
            metric: metric.to_owned(),
            outcome: Outcome::Unscored(why),
            span: None,
            contradicted: false,
        }
    }
}

/// Why a reply has no score, if no place in its answer could be one.
pub(super) fn why_none(reply: &str, answer: &Visible, finish: Finish) -> Reason {
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
}
