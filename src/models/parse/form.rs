//! What every parser makes of a reply: a reading per metric and a list of issues.
//!
//! Must not know how replies are written.

use std::ops::Range;

use serde::Serialize;

use super::Finish;
use super::items::{Item, Items};
use super::visible::Visible;
use crate::models::score::{Outcome, Reason};

/// What a reply says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Form {
    /// One per metric, in the order in which the metrics were given.
    pub readings: Vec<Reading>,
    /// In the order in which they stand in the reply, repetitions included.
    pub issues: Vec<Issue>,
    /// The errors that the reply marks, each of which is an issue too, in the same order; `None` where its form has
    /// none, or it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spans: Option<Vec<ErrorSpan>>,
    /// What it says of the elements of a list, where its parser looks for that; `readings` then hold what it says if there
    /// is but one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Items>,
}

/// What a reply says about one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reading {
    /// The metric's name as given to the reader.
    pub metric: String,
    /// The score, or why there is none.
    pub outcome: Outcome,
    /// The label that was read, as the scale spells it, where the scale has labels.
    pub label: Option<String>,
    /// Why the score is what it is, where the reply gives a reason apart from it.
    pub explanation: Option<String>,
    /// Where in the reply (in bytes) the label, if there is one, and the number stand that led to the
    /// outcome.
    pub span: Option<Range<usize>>,
    /// Where of that the number alone stands.
    #[serde(skip)]
    pub value: Option<Range<usize>>,
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

/// An error that the judge marked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrorSpan {
    /// The words of the judged text as the reply quotes them, without quotation marks around them.
    pub location: Option<String>,
    /// What is wrong with them.
    pub explanation: Option<String>,
    /// How grave that is.
    pub severity: Severity,
    /// Of what kind the error is.
    pub category: Option<String>,
    /// Where in the reply (in bytes) its block stands.
    pub span: Range<usize>,
}

/// How grave an error is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Severity {
    /// A number.
    Number(f64),
    /// A word, as written.
    Word(String),
    /// The reply does not say.
    None,
}

impl Form {
    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let readings = self.readings.iter().map(Reading::size);
        let issues = self.issues.iter().map(|issue| {
            let texts = [&issue.metric, &issue.label];
            size_of_val(issue) + issue.text.len() + lengths(texts)
        });
        let spans = self.spans.iter().flatten().map(|span| {
            let texts = [&span.location, &span.explanation, &span.category];
            size_of_val(span) + lengths(texts)
        });
        let items = self.items.iter().flat_map(|items| &items.list);
        let items = items.map(Item::size);
        size_of_val(self)
            + readings.sum::<usize>()
            + issues.sum::<usize>()
            + spans.sum::<usize>()
            + items.sum::<usize>()
    }
}

impl Reading {
    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        size_of_val(self) + self.metric.len() + lengths([&self.label, &self.explanation])
    }

    /// A metric to which the reply says nothing.
    pub(crate) fn without_score(metric: &str, why: Reason) -> Self {
        Self {
            metric: metric.to_owned(),
            outcome: Outcome::Unscored(why),
            label: None,
            explanation: None,
            span: None,
            value: None,
            contradicted: false,
        }
    }
}

/// How long texts are together, in bytes.
fn lengths<const N: usize>(texts: [&Option<String>; N]) -> usize {
    texts.into_iter().flatten().map(String::len).sum()
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
