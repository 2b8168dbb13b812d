//! What a stage hands back beside its table.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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

/// Counts of a judge stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Scores on the scale.
    #[serde(default)]
    pub scored: u64,
    /// Scores that do not exist, by reason.
    #[serde(default)]
    pub unscored: BTreeMap<String, u64>,
    /// Replies by the model that servers say answered.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, u64>,
    /// Tokens and the like that servers reported, summed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub usage: BTreeMap<String, u64>,
}

impl Counts {
    /// Adds another stage's counts.
    pub fn add(&mut self, other: &Self) {
        self.scored += other.scored;
        for (reason, n) in &other.unscored {
            *self.unscored.entry(reason.clone()).or_default() += n;
        }
        for (model, n) in &other.models {
            *self.models.entry(model.clone()).or_default() += n;
        }
        for (what, n) in &other.usage {
            *self.usage.entry(what.clone()).or_default() += n;
        }
    }
}
