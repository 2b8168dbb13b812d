//! What every parser makes of a reply: a reading per metric and a list of issues.
//!
//! Must not know how replies are written.

use std::ops::Range;

use serde::Serialize;

use super::Finish;
use super::visible::Visible;
use crate::models::score::{Outcome, Reason};

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
        // Nothing but thoughts that the server kept to itself.
        if finish == Finish::Length {
            Reason::CutByLength
        } else {
            Reason::NoReply
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::parse::{Thoughts, visible::visible};

    #[test]
    fn what_is_wrong_with_a_reply_is_told_by_its_end_and_its_tags() {
        let given = Thoughts::default();
        let opened = Thoughts {
            opened: true,
            ..given
        };
        for (reply, finish, thoughts, reason) in [
            ("", Finish::Stop, given, Reason::NoReply),
            (" \n", Finish::Unknown, given, Reason::NoReply),
            ("", Finish::Length, given, Reason::CutByLength),
            ("", Finish::Length, opened, Reason::CutByLength),
            ("", Finish::Stop, opened, Reason::NoReply),
            ("Hm", Finish::Length, opened, Reason::ThinkNotClosed),
            ("Hm", Finish::Stop, opened, Reason::NoScoreFound),
            ("Hm</think>", Finish::Stop, opened, Reason::NoReply),
            ("Hm</think>", Finish::Length, opened, Reason::CutByLength),
            ("Hm</think>It", Finish::Length, opened, Reason::CutByLength),
            ("<think>Hm", Finish::Length, given, Reason::ThinkNotClosed),
            ("Hm</think>It", Finish::Stop, given, Reason::ThinkNotClosed),
            ("<think>Hm</think>", Finish::Stop, given, Reason::NoReply),
            ("Hm", Finish::Length, given, Reason::CutByLength),
            ("Hm", Finish::Stop, given, Reason::NoScoreFound),
        ] {
            let answer = visible(reply, finish, thoughts);
            let case = (reply, finish, thoughts);
            assert_eq!(why_none(reply, &answer, finish), reason, "{case:?}");
        }
    }
}
