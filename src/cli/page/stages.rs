//! The instances of stages for the graph: what the run came to, and what the records say was known already.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Made;
use crate::cli::run::{Ended, Finished};
use crate::engine::Outcome;
use crate::page::{Instance, State};

/// The keys of results that were known already when the runs were made that the records tell of.
pub(super) fn known(records: &[Value]) -> BTreeSet<String> {
    let nodes = records.iter().filter_map(|record| record["nodes"].as_array());
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
pub(super) fn of_one(finished: &Finished, known: &BTreeSet<String>) -> Vec<Instance> {
    let owners = vec![BTreeSet::from([0]); finished.plan.nodes.len()];
    instances(finished, &owners, known)
}

/// The instances of all experiments, those that several share once; of nodes that belong to experiments without a page
/// nothing.
pub(super) fn of_all(made: &[Made<'_>], ended: &Ended, known: &BTreeSet<String>) -> Vec<Instance> {
    let mut owners = vec![BTreeSet::new(); ended.whole.plan.nodes.len()];
    for (index, made) in made.iter().enumerate() {
        for place in made.places {
            owners[place.0].insert(index);
        }
    }
    instances(&ended.whole, &owners, known)
}

fn instances(
    finished: &Finished,
    owners: &[BTreeSet<usize>],
    known: &BTreeSet<String>,
) -> Vec<Instance> {
    let plan = &finished.plan;
    let shown: Vec<usize> = (0..owners.len()).filter(|&at| !owners[at].is_empty()).collect();
    let position: BTreeMap<usize, usize> =
        shown.iter().enumerate().map(|(new, &old)| (old, new)).collect();
    let one = |&at: &usize| {
        let node = &plan.nodes[at];
        let outcome = &finished.run.outcomes[at];
        let mut instance = Instance {
            stage: node.name.to_string(),
            kind: node.name.kind.name().to_owned(),
            experiments: owners[at].clone(),
            reads: node.inputs.iter().filter_map(|input| position.get(&input.0).copied()).collect(),
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
                instance.notes.clone_from(&done.summary.warnings);
            }
            Outcome::Failed(failure) => {
                instance.state = State::Failed;
                instance.notes.push(failure.message.clone());
            }
            Outcome::Skipped => instance.state = State::Skipped,
        }
        instance
    };
    shown.iter().map(one).collect()
}
