//! The output of a stage: its table, counts and warnings.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Answer, Relation};
use crate::frame::Frame;

/// A stage's result.
#[derive(Clone, Debug)]
pub struct Output {
    /// The table.
    pub frame: Frame,
    /// What was counted on the way; stored beside the table.
    pub counts: Counts,
    /// What a person should know, in sentences; stored beside the table and shown on every run.
    pub warnings: Vec<String>,
}

impl Output {
    /// A result with nothing to count or say.
    pub fn of(frame: Frame) -> Self {
        Self {
            frame,
            counts: Counts::default(),
            warnings: Vec::new(),
        }
    }
}

/// What was counted while a stage came to its result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Scores on the scale.
    #[serde(default)]
    pub scored: u64,
    /// Of these, scores of replies that name another score for the same metric too; each parser says which counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub contradicted: u64,
    /// Scores that do not exist, by reason.
    #[serde(default)]
    pub unscored: BTreeMap<String, u64>,
    /// The same for each metric that lacks a score.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unscored_of: BTreeMap<String, BTreeMap<String, u64>>,
    /// Texts that were generated.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub written: u64,
    /// Texts that were not, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unwritten: BTreeMap<String, u64>,
    /// Calls that were made, where an answer comes to more or less scores than another.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub asked: u64,
    /// Of these, calls that failed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed: u64,
    /// Replies by the model that servers say answered.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, u64>,
    /// Tokens and the like that servers reported, summed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub usage: BTreeMap<String, u64>,
    /// What a relation between tables did with their rows; of one stage, and not summed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<Relation>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands out references"
)]
pub(super) fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Counts {
    /// Adds another stage's counts.
    pub fn add(&mut self, other: &Self) {
        self.scored += other.scored;
        self.contradicted += other.contradicted;
        self.written += other.written;
        self.asked += other.asked;
        self.failed += other.failed;
        for (mine, others) in [
            (&mut self.unscored, &other.unscored),
            (&mut self.unwritten, &other.unwritten),
            (&mut self.models, &other.models),
            (&mut self.usage, &other.usage),
        ] {
            for (what, n) in others {
                *mine.entry(what.clone()).or_default() += n;
            }
        }
        for (metric, reasons) in &other.unscored_of {
            let mine = self.unscored_of.entry(metric.clone()).or_default();
            for (reason, n) in reasons {
                *mine.entry(reason.clone()).or_default() += n;
            }
        }
    }

    /// Counts a score of a metric that does not exist.
    pub fn unscored(&mut self, metric: &str, reason: &str) {
        let of = self.unscored_of.entry(metric.to_owned()).or_default();
        for counts in [of, &mut self.unscored] {
            *counts.entry(reason.to_owned()).or_default() += 1;
        }
    }

    /// Adds what a server says of one answer.
    pub fn answered(&mut self, answer: &Answer) {
        let Ok(reply) = &answer.reply else {
            return;
        };
        if let Some(model) = &reply.model {
            let name = match &reply.revision {
                Some(revision) => format!("{model} ({revision})"),
                None => model.clone(),
            };
            *self.models.entry(name).or_default() += 1;
        }
        for (what, n) in &reply.usage {
            *self.usage.entry(what.clone()).or_default() += n;
        }
    }
}
