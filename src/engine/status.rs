//! What a run would do: which results are known, which nodes would run and why, and how many
//! questions they would ask. Nothing is run and nothing written.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::execute::Engine;
use super::node::{Done, NodeError};
use crate::key::{Digest, differences};
use crate::plan::{Node, NodeId};
use crate::stage::{Failure, Stage};

/// What a run would do with one node.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Whether it would run.
    pub state: State,
    /// The printable key, where what the node reads is known.
    pub fields: Option<Value>,
    /// Questions it would put to a model, where the rows are known.
    pub questions: Option<u64>,
    /// The fields in which the key differs from the last run's: path, then, now.
    pub changed: Vec<(String, Value, Value)>,
}

/// Whether a node would run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum State {
    /// Its result is known.
    Known {
        /// Rows of the result.
        rows: u64,
    },
    /// It would run.
    Runs {
        /// Why.
        why: Why,
    },
    /// It reads something that would run, and may turn out to be known.
    Waits {
        /// What it waits for: the first such node.
        on: NodeTitle,
    },
    /// It cannot run.
    Fails {
        /// What is wrong.
        message: String,
    },
}

/// A node's title.
pub type NodeTitle = String;

/// Why a node would run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// It never ran in this experiment.
    New,
    /// Its key differs from the last run's.
    Changed,
    /// Its key is the last run's, but the result is gone, damaged, or had failed calls.
    Gone,
}

/// What a run of the engine's plan would do, per node. `last` holds each node's key of the last run.
pub fn forecast(engine: &Engine, last: &BTreeMap<String, Digest>) -> Vec<Forecast> {
    let shared = engine.shared();
    let mut done: BTreeMap<NodeId, Done> = BTreeMap::new();
    let mut forecasts = Vec::new();
    for id in shared.plan.ids() {
        let node = shared.plan.node(id);
        let title = &shared.titles[id.0];
        let unknown = node.inputs.iter().find(|input| !done.contains_key(input));
        if let Some(on) = unknown {
            let on = shared.titles[on.0].clone();
            forecasts.push(Forecast::bare(State::Waits { on }));
            continue;
        }
        let inputs = node.inputs.iter().map(|input| done[input].output).collect();
        let (fields, key, _) = match shared.key(node, inputs) {
            Ok(key) => key,
            Err(error) => {
                forecasts.push(Forecast::bare(State::Fails {
                    message: said(error),
                }));
                continue;
            }
        };
        let before = last.get(title);
        let changed = before
            .filter(|before| **before != key)
            .and_then(|before| shared.nodes.fields_of(before))
            .map(|before| differences(&before, &fields))
            .unwrap_or_default();
        let state = match shared.known(title, &key) {
            Some(known) => {
                let rows = known.rows;
                done.insert(id, known);
                State::Known { rows }
            }
            None => State::Runs {
                why: match before {
                    None => Why::New,
                    Some(before) if *before == key => Why::Gone,
                    Some(_) => Why::Changed,
                },
            },
        };
        let questions = match state {
            State::Runs { .. } => questions(node, &done),
            _ => None,
        };
        forecasts.push(Forecast {
            state,
            fields: Some(fields),
            questions,
            changed,
        });
    }
    forecasts
}

impl Forecast {
    fn bare(state: State) -> Self {
        Self {
            state,
            fields: None,
            questions: None,
            changed: Vec::new(),
        }
    }
}

impl Engine {
    /// The keys of all nodes whose results are known.
    pub fn known_keys(&self) -> Vec<Digest> {
        let shared = self.shared();
        let mut done: BTreeMap<NodeId, Done> = BTreeMap::new();
        for id in shared.plan.ids() {
            let node = shared.plan.node(id);
            let inputs: Option<Vec<Digest>> = node
                .inputs
                .iter()
                .map(|input| done.get(input).map(|done| done.output))
                .collect();
            let key = inputs.and_then(|inputs| shared.key(node, inputs).ok());
            if let Some(known) =
                key.and_then(|(_, key, _)| shared.known(&shared.titles[id.0], &key))
            {
                done.insert(id, known);
            }
        }
        done.values().map(|done| done.key).collect()
    }
}

fn questions(node: &Node, done: &BTreeMap<NodeId, Done>) -> Option<u64> {
    let Stage::Judge(judge) = &*node.stage else {
        return None;
    };
    let rows: u64 = node.inputs.iter().map(|input| done[input].rows).sum();
    Some(rows * u64::from(judge.repeats))
}

fn said(error: NodeError) -> String {
    match error {
        NodeError::Failed(Failure { message, .. }) => message,
        NodeError::Interrupted => "interrupted".to_owned(),
        NodeError::Changed => "changed meanwhile".to_owned(),
    }
}
