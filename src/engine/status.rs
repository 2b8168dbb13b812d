//! What a run would do: which results are known, which nodes would run and why, and how many
//! questions they would ask. Nothing is run and nothing written.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use super::estimate::{self, Estimate, mean_reply};
use super::execute::Engine;
use super::looks::{Look, looks, looks_with_fields};
use super::outcome::{Done, NodeError, failed, said};
use super::ready;
use super::results::Results;
use super::shared::Shared;
use crate::base::failure::Failure;
use crate::base::key::{Digest, differences};
use crate::frame::Frame;
use crate::models::ask::Needs;
use crate::plan::{Node, NodeId};
use crate::stage::Ask;

/// What a run would do with one node.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Whether it would run.
    pub state: State,
    /// The printable key, where what the node reads is known.
    pub fields: Option<Value>,
    /// Questions it would put to a model, where the rows are known.
    pub questions: Option<u64>,
    /// What its calls would come to, where it would make calls and the rows are known.
    pub calls: Option<Estimate>,
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
        /// How to repair it.
        #[serde(skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
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
    let looks = looks_with_fields(shared, Results::look);
    shared.results.seen.save();
    // What is told without reading texts is told of many judges at once.
    let ids: Vec<NodeId> = shared.plan.ids().collect();
    let mut told: Vec<Option<Estimate>> = ids
        .par_iter()
        .map(|&id| {
            let runs = matches!(&looks[id.0], Look::Key(_, _, None));
            let asks = runs && shared.plan.node(id).stage.asks().is_some();
            // What goes wrong is told below.
            let told = asks.then(|| estimate(shared, id, &looks, None, None).ok());
            told.flatten().flatten()
        })
        .collect();
    let mut forecasts = Vec::new();
    let mut last_read = None;
    for (id, look) in shared.plan.ids().zip(&looks) {
        let (fields, key, known) = match look {
            Look::Waits(on) => {
                let on = shared.titles[on.0].clone();
                forecasts.push(Forecast::bare(State::Waits { on }));
                continue;
            }
            Look::Fails(error) => {
                forecasts.push(Forecast::bare(State::failed(error)));
                continue;
            }
            Look::Key(fields, key, known) => (fields, key, known),
        };
        let before = last.get(&shared.titles[id.0]);
        let changed = before
            .filter(|before| *before != key)
            .and_then(|before| shared.results.nodes.fields_of(before))
            .zip(fields.as_ref())
            .map(|(before, fields)| differences(&before, fields))
            .unwrap_or_default();
        let state = match known {
            Some(known) => State::Known { rows: known.rows },
            None => State::Runs {
                why: match before {
                    None => Why::New,
                    Some(before) if before == key => Why::Gone,
                    Some(_) => Why::Changed,
                },
            },
        };
        let node = shared.plan.node(id);
        let runs = matches!(state, State::Runs { .. });
        let asks = node.stage.asks().filter(|_| runs);
        let questions = asks.and_then(|_| questions(node, &looks));
        let calls = asks.map(|_| match told[id.0].take() {
            Some(told) => Ok(Some(told)),
            None => estimate(shared, id, &looks, before, Some(&mut last_read)),
        });
        // As many as may be asked, not as many as there are rows.
        let most = |calls: &Estimate| {
            let counted = questions.filter(|_| calls.least_calls.is_none());
            counted.unwrap_or(calls.calls + calls.stored + calls.too_long)
        };
        let (state, calls) = match calls.transpose() {
            Ok(calls) => (state, calls.flatten()),
            Err(error) => (State::failed(&error), None),
        };
        let questions = calls.as_ref().map(most).or(questions);
        forecasts.push(Forecast {
            state,
            fields: fields.clone(),
            questions: questions.or_else(|| counted(shared, asks?, node, &looks)),
            calls,
            changed,
        });
    }
    forecasts
}

impl State {
    fn failed(error: &NodeError) -> Self {
        let hint = match error {
            NodeError::Failed(failure) => failure.hint.clone(),
            _ => None,
        };
        Self::Fails {
            message: said(error),
            hint,
        }
    }
}

impl Forecast {
    fn bare(state: State) -> Self {
        Self {
            state,
            fields: None,
            questions: None,
            calls: None,
            changed: Vec::new(),
        }
    }
}

impl Engine {
    /// The keys of all nodes whose results are known.
    ///
    /// # Errors
    /// When a key cannot be made, as with files that are not there: nobody knows then which results
    /// belong to it.
    pub fn known_keys(&self) -> Result<Vec<Digest>, Failure> {
        let shared = self.shared();
        let mut keys = Vec::new();
        for (look, title) in looks(shared, Results::look).into_iter().zip(&shared.titles) {
            match look {
                Look::Key(_, key, Some(_)) => keys.push(key),
                Look::Fails(NodeError::Failed(failure)) => return Err(failure.at(title)),
                Look::Fails(error) => return Err(Failure::new(said(&error)).at(title)),
                Look::Key(_, _, None) | Look::Waits(_) => {}
            }
        }
        Ok(keys)
    }
}

fn questions(node: &Node, looks: &[Look]) -> Option<u64> {
    let rows = node.inputs.iter().map(|input| match &looks[input.0] {
        Look::Key(_, _, Some(done)) => done.rows,
        _ => 0,
    });
    node.stage.questions_about(rows.sum())
}

/// The same of a node that makes the rows that it asks about, where its table is here.
fn counted(shared: &Shared, asks: &dyn Ask, node: &Node, looks: &[Look]) -> Option<u64> {
    let Look::Key(_, _, Some(input)) = &looks[node.inputs.first()?.0] else {
        return None;
    };
    let table = shared.results.read(&input.output).ok()?;
    let table = ready::asked(node, Arc::new(table)).ok()?;
    let asking = ready::asking(&shared.files, node).ok()?;
    let rows = shared.rows(&asking, table, Needs::Prompt).ok()?;
    let count = (0..rows.count()).filter(|&row| rows.not_applicable(row).is_none());
    Some(count.count() as u64 * u64::from(asks.repeats()))
}

/// What the calls of a node would come to. How long replies are is told by its last result, or by that
/// of another stage that asked the same model.
fn estimate(
    shared: &Shared,
    id: NodeId,
    looks: &[Look],
    before: Option<&Digest>,
    last_read: Option<&mut Option<(Digest, Arc<Frame>)>>,
) -> Result<Option<Estimate>, NodeError> {
    let node = shared.plan.node(id);
    let known = |id: &NodeId| match &looks[id.0] {
        Look::Key(_, _, Some(done)) => Some(&**done),
        _ => None,
    };
    let inputs: Vec<&Done> = node.inputs.iter().filter_map(known).collect();
    let files = shared.files.of(node).map_err(failed)?;
    let name = |node: &Node| node.stage.model().map(|model| model.name.clone());
    let mine = before.and_then(|key| shared.results.known(&shared.titles[id.0], key));
    let others = shared
        .plan
        .ids()
        .filter(|other| name(shared.plan.node(*other)) == name(node));
    let history = mine
        .as_ref()
        .and_then(|done| mean_reply(&done.summary.counts))
        .or_else(|| {
            let mut others = others.filter_map(|other| known(&other));
            others.find_map(|done| mean_reply(&done.summary.counts))
        });
    estimate::estimate(shared, node, &inputs, &files, history, last_read)
}
