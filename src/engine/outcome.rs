//! What nodes and runs come to.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::event::Summary;
use super::exported::Exported;
use super::tables::Tables;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::frame::FrameError;
use crate::plan::{Node, NodeId, Plan};
use crate::stage::{Counts, shortfalls};

/// A node's result as later nodes need it.
#[derive(Clone, Debug)]
pub struct Done {
    /// The node's key.
    pub key: Digest,
    /// Digest of the result's bytes.
    pub output: Digest,
    /// Rows of the result.
    pub rows: u64,
    /// Digests of the files it read, by what each is to it.
    pub files: serde_json::Value,
    /// What is stored beside the result.
    pub summary: NodeSummary,
    /// Whether it was known already.
    pub reused: bool,
}

/// What is stored beside a result.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NodeSummary {
    /// What was scored and what not.
    #[serde(default)]
    pub counts: Counts,
    /// What a person should know.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Seconds it took when it ran.
    #[serde(default)]
    pub seconds: f64,
    /// Some calls failed, so the next run should try again.
    #[serde(default)]
    pub try_again: bool,
}

/// Why a node has no result.
#[derive(Clone, Debug)]
pub enum NodeError {
    /// It failed.
    Failed(Failure),
    /// The run was interrupted.
    Interrupted,
    /// It would run, and the plan was not checked.
    Unchecked,
    /// What it reads turned out damaged and came out differently when run again.
    Changed,
}

impl From<Failure> for NodeError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<NodeError> for Failure {
    fn from(error: NodeError) -> Self {
        match error {
            NodeError::Failed(failure) => failure,
            NodeError::Interrupted | NodeError::Unchecked => Self::new("interrupted"),
            NodeError::Changed => Self::new("a damaged result came out differently"),
        }
    }
}

impl From<FrameError> for NodeError {
    fn from(error: FrameError) -> Self {
        Self::Failed(error.into())
    }
}

pub(super) fn failed(error: impl std::fmt::Display) -> NodeError {
    NodeError::Failed(Failure::new(error.to_string()))
}

/// How one node ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It has a result.
    Done(Arc<Done>),
    /// It failed.
    Failed(Failure),
    /// It was not run.
    Skipped,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// Per node, in plan order.
    pub outcomes: Vec<Outcome>,
    /// The rows that are exported, by node.
    pub exports: BTreeMap<NodeId, Exported>,
    /// The results of table and figure stages.
    pub tables: Tables,
    /// What it came to.
    pub summary: Summary,
}

impl Run {
    /// A node's result, if it has one.
    pub fn done(&self, id: NodeId) -> Option<&Done> {
        match self.outcomes.get(id.0) {
            Some(Outcome::Done(done)) => Some(done),
            _ => None,
        }
    }

    /// What a run of several plans came to for one of them, whose nodes are at these places of the joined plan
    /// (`Plan::join`). Of calls, tokens and time the summary tells what all came to together.
    #[must_use]
    pub fn part(&self, places: &[NodeId], plan: &Plan) -> Self {
        let mut summary = Summary {
            ran: 0,
            reused: 0,
            failed: 0,
            skipped: 0,
            counts: Counts::default(),
            shortfalls: Vec::new(),
            spent: BTreeMap::new(),
            ..self.summary.clone()
        };
        let (mut outcomes, mut exports) = (Vec::new(), BTreeMap::new());
        for (id, place) in plan.ids().zip(places) {
            let outcome = self.outcomes[place.0].clone();
            let node = plan.node(id);
            summary.count(node, &|| node.title(), &outcome);
            outcomes.push(outcome);
            if let Some(rows) = self.exports.get(place) {
                exports.insert(id, rows.clone());
            }
        }
        summary.interrupted &= summary.skipped > 0;
        Self {
            outcomes,
            exports,
            tables: self.tables.part(places),
            summary,
        }
    }
}

impl Summary {
    /// Counts what a node came to, whose title is asked for where it is told.
    pub(super) fn count(&mut self, node: &Node, title: &dyn Fn() -> String, outcome: &Outcome) {
        match outcome {
            Outcome::Done(done) => {
                let counts = &done.summary.counts;
                self.counts.add(counts);
                let short = shortfalls(title, &node.name, &node.stage, counts);
                self.shortfalls.extend(short);
                if done.reused {
                    self.reused += 1;
                } else {
                    self.ran += 1;
                    self.spent.insert(title(), done.summary.seconds);
                }
            }
            Outcome::Failed(_) => self.failed += 1,
            Outcome::Skipped => self.skipped += 1,
        }
    }
}

/// An error in words.
pub(super) fn said(error: &NodeError) -> String {
    match error {
        NodeError::Failed(Failure { message, .. }) => message.clone(),
        NodeError::Interrupted | NodeError::Unchecked => "interrupted".to_owned(),
        NodeError::Changed => "changed meanwhile".to_owned(),
    }
}
