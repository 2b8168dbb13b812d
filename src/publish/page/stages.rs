//! The instances of stages for the graph: their outcome, and which were cached according to the records.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::engine::{Finished, Outcome};
use crate::output::page::{Instance, State};
use crate::stage::Relation;

/// The keys of results that were known already when the runs were made that the records tell of.
pub(super) fn known(records: &[Value]) -> BTreeSet<String> {
    let nodes = records
        .iter()
        .filter_map(|record| record["nodes"].as_array());
    let mut known: BTreeMap<&str, bool> = BTreeMap::new();
    for node in nodes.flatten() {
        if let Some(key) = node["key"].as_str() {
            let reused = node["reused"] == Value::Bool(true);
            *known.entry(key).or_insert(true) &= reused;
        }
    }
    let known = known.into_iter().filter(|(_, known)| *known);
    known.map(|(key, _)| key.to_owned()).collect()
}

/// The instances of one experiment.
pub(super) fn of(finished: &Finished, known: &BTreeSet<String>) -> Vec<Instance> {
    let outcomes = finished.plan.nodes.iter().zip(&finished.run.outcomes);
    outcomes
        .map(|(node, outcome)| {
            let mut instance = Instance {
                stage: node.name.to_string(),
                kind: node.name.kind.name().to_owned(),
                reads: node.inputs.iter().map(|input| input.0).collect(),
                known: false,
                rows: 0,
                seconds: 0.0,
                state: State::Done,
                notes: Vec::new(),
            };
            match outcome {
                Outcome::Done(done) => {
                    instance.known = known.contains(&done.key.to_string());
                    instance.rows = done.rows;
                    instance.seconds = done.summary.seconds;
                    let relation = done.summary.counts.relation.as_ref();
                    instance.notes.extend(relation.map(Relation::words));
                    instance.notes.extend(done.summary.warnings.iter().cloned());
                }
                Outcome::Failed(failure) => {
                    instance.state = State::Failed;
                    instance.notes.push(failure.message.clone());
                }
                Outcome::Skipped => instance.state = State::Skipped,
            }
            instance
        })
        .collect()
}
