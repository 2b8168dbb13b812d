//! What a run and the driver of its jobs tell each other: calls that are wanted, and what came of them.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::note::{Failed, Failures, Want};
use super::profile::Serve;
use crate::base::lock::lock;

/// Shared by the run, which waits for replies, and the driver, which sees that there are jobs that make the calls.
#[derive(Debug, Default)]
pub struct Fleet {
    serves: BTreeMap<String, Serve>,
    /// How many nodes of the plan ask each model and have no result yet.
    left: Mutex<BTreeMap<String, usize>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    wanted: BTreeMap<String, (Want, u64)>,
    landed: BTreeMap<String, u64>,
    /// By node, in the order in which they became known.
    failed: BTreeMap<String, Vec<Failed>>,
    stopped: BTreeMap<String, String>,
    lost: BTreeMap<String, String>,
}

/// What is wanted at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// The nodes.
    pub wanted: Vec<Want>,
    /// How many calls are missing, by model.
    pub missing: BTreeMap<String, u64>,
    /// How many replies have come since the run began, by model.
    pub landed: BTreeMap<String, u64>,
    /// Models of which nothing will be wanted any more.
    pub over: Vec<String>,
}

impl Fleet {
    /// A fleet that serves these models, each asked by so many nodes of the plan.
    pub fn new(serves: BTreeMap<String, Serve>, nodes: BTreeMap<String, usize>) -> Self {
        Self {
            serves,
            left: Mutex::new(nodes),
            state: Mutex::default(),
        }
    }

    /// A node that asks this model has its result.
    pub fn has_result(&self, model: &str) {
        if let Some(left) = lock(&self.left).get_mut(model) {
            *left = left.saturating_sub(1);
        }
    }

    /// How a model is served, if it is on the cluster.
    pub fn serves(&self, model: &str) -> Option<&Serve> {
        self.serves.get(model)
    }

    /// The models.
    pub fn models(&self) -> impl Iterator<Item = &String> {
        self.serves.keys()
    }

    /// So many calls of a node are missing.
    pub fn want(&self, want: Want, missing: u64) {
        lock(&self.state)
            .wanted
            .insert(want.key.clone(), (want, missing));
    }

    /// Replies have come for a node.
    pub fn landed(&self, key: &str, replies: u64) {
        let mut state = lock(&self.state);
        let Some((want, missing)) = state.wanted.get_mut(key) else {
            return;
        };
        *missing = missing.saturating_sub(replies);
        let model = want.model.clone();
        *state.landed.entry(model).or_default() += replies;
    }

    /// Nothing more is wanted for a node.
    pub fn settled(&self, key: &str) {
        lock(&self.state).wanted.remove(key);
    }

    /// What is wanted now.
    pub fn demand(&self) -> Demand {
        let state = lock(&self.state);
        let mut missing: BTreeMap<String, u64> = BTreeMap::new();
        for (want, calls) in state.wanted.values() {
            *missing.entry(want.model.clone()).or_default() += calls;
        }
        Demand {
            wanted: state
                .wanted
                .values()
                .map(|(want, _)| want.clone())
                .collect(),
            missing,
            landed: state.landed.clone(),
            over: lock(&self.left)
                .iter()
                .filter(|(_, left)| **left == 0)
                .map(|(model, _)| model.clone())
                .collect(),
        }
    }

    /// Calls came to nothing at a task.
    pub fn failed(&self, failures: Failures) {
        let mut state = lock(&self.state);
        if let Some(why) = failures.stopped {
            state.stopped.entry(failures.node.clone()).or_insert(why);
        }
        let calls = state.failed.entry(failures.node).or_default();
        calls.extend(failures.calls);
    }

    /// The calls of a node that came to nothing, without the first so many. They are kept: the node may come back for other
    /// rows.
    pub fn failed_after(&self, key: &str, known: usize) -> Vec<Failed> {
        let state = lock(&self.state);
        let all = state.failed.get(key).map_or(&[][..], Vec::as_slice);
        all.get(known..).unwrap_or_default().to_vec()
    }

    /// Why no call of a node is made any more, if so.
    pub fn stopped(&self, key: &str, model: &str) -> Option<String> {
        let state = lock(&self.state);
        state
            .stopped
            .get(key)
            .or_else(|| state.lost.get(model))
            .cloned()
    }

    /// A model cannot be had, and why.
    pub fn lose(&self, model: &str, why: String) {
        lock(&self.state)
            .lost
            .entry(model.to_owned())
            .or_insert(why);
    }
}

#[cfg(test)]
mod tests {
    use super::super::note::Sort;
    use super::*;

    fn want(key: &str, model: &str) -> Want {
        Want {
            title: format!("judge.{key}"),
            key: key.to_owned(),
            inputs: Vec::new(),
            model: model.to_owned(),
            block: 4,
        }
    }

    #[test]
    fn demand_is_what_is_missing_by_model_and_ends_with_its_nodes() {
        let nodes = BTreeMap::from([("m".to_owned(), 2)]);
        let fleet = Fleet::new(BTreeMap::new(), nodes);
        fleet.want(want("a", "m"), 10);
        fleet.want(want("b", "m"), 5);
        fleet.landed("a", 4);
        fleet.landed("nobody", 4);
        let demand = fleet.demand();
        assert_eq!(demand.missing["m"], 11);
        assert_eq!(demand.landed["m"], 4);
        assert_eq!(demand.wanted.len(), 2);
        fleet.settled("a");
        fleet.has_result("m");
        assert_eq!(fleet.demand().missing["m"], 5);
        assert_eq!(fleet.demand().over, [""; 0]);
        fleet.settled("b");
        fleet.has_result("m");
        assert_eq!(fleet.demand().over, ["m"]);
        assert!(fleet.demand().wanted.is_empty());
    }

    #[test]
    fn what_failed_is_kept_for_rows_that_are_asked_about_later() {
        let fleet = Fleet::default();
        let failed = |call: &str| Failed {
            call: call.to_owned(),
            sort: Sort::Refused,
            message: "no".to_owned(),
        };
        let failures = |call: &str| Failures {
            node: "a".to_owned(),
            calls: vec![failed(call)],
            stopped: None,
        };
        fleet.failed(failures("1"));
        assert_eq!(fleet.failed_after("a", 0), [failed("1")]);
        fleet.failed(failures("2"));
        assert_eq!(fleet.failed_after("a", 1), [failed("2")]);
        assert_eq!(fleet.failed_after("a", 0).len(), 2);
        assert_eq!(fleet.failed_after("a", 9), []);
        assert_eq!(fleet.stopped("a", "m"), None);
        fleet.lose("m", "no jobs".to_owned());
        assert_eq!(fleet.stopped("a", "m").unwrap(), "no jobs");
    }
}
