//! What a run and the driver of its jobs tell each other: calls and stages that are wanted, and what came of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use super::crew::Crew;
use super::note::{Failed, Failures, Want};
use super::profile::{Needs, Stages};
use crate::base::failure::Failure;
use crate::base::lock::lock;

/// Shared by the run, which waits for replies, and the driver, which sees that there are jobs that make the calls.
#[derive(Debug, Default)]
pub struct Fleet {
    crews: BTreeMap<Crew, Needs>,
    /// Which stages jobs compute.
    stages: Option<Stages>,
    /// How many nodes of the plan each crew works for that have no result yet.
    left: Mutex<BTreeMap<Crew, usize>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    wanted: BTreeMap<String, (Want, u64)>,
    landed: BTreeMap<Crew, u64>,
    /// Stages that jobs are done with.
    computed: BTreeSet<String>,
    /// By node, in the order in which they became known.
    failed: BTreeMap<String, Vec<Failed>>,
    stopped: BTreeMap<String, Failure>,
    lost: BTreeMap<Crew, String>,
}

/// What is wanted at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// The nodes.
    pub wanted: Vec<Want>,
    /// How many calls, or stages, are missing, by crew.
    pub missing: BTreeMap<Crew, u64>,
    /// How many replies, or results, have come since the run began, by crew.
    pub landed: BTreeMap<Crew, u64>,
    /// Of whom nothing will be wanted any more.
    pub over: Vec<Crew>,
}

impl Fleet {
    /// A fleet of these crews, with what their jobs need and how many nodes of the plan each works for; and which stages go
    /// to jobs.
    pub fn new(crews: BTreeMap<Crew, (Needs, usize)>, stages: Option<Stages>) -> Self {
        let nodes = crews
            .iter()
            .map(|(crew, (_, nodes))| (crew.clone(), *nodes));
        Self {
            left: Mutex::new(nodes.collect()),
            crews: crews
                .into_iter()
                .map(|(crew, (needs, _))| (crew, needs))
                .collect(),
            stages,
            state: Mutex::default(),
        }
    }

    /// A node that this crew works for has its result.
    pub fn has_result(&self, crew: &Crew) {
        if let Some(left) = lock(&self.left).get_mut(crew) {
            *left = left.saturating_sub(1);
        }
    }

    /// What the jobs of a crew need, if it is on the cluster.
    pub fn needs(&self, crew: &Crew) -> Option<&Needs> {
        self.crews.get(crew)
    }

    /// Whether jobs compute stages of this kind.
    pub fn computes(&self, kind: &str) -> bool {
        self.stages.as_ref().is_some_and(|stages| stages.has(kind))
    }

    /// Whether a stage that reads so many rows is worth a job.
    pub fn is_worth_it(&self, rows: u64) -> bool {
        self.stages
            .as_ref()
            .is_some_and(|stages| rows >= stages.rows)
    }

    /// The crews.
    pub fn crews(&self) -> impl Iterator<Item = &Crew> {
        self.crews.keys()
    }

    /// So much of a node is missing: calls, or the one stage.
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
        let crew = want.crew.clone();
        *state.landed.entry(crew).or_default() += replies;
    }

    /// Nothing more is wanted for a node.
    pub fn settled(&self, key: &str) {
        lock(&self.state).wanted.remove(key);
    }

    /// What is wanted now.
    pub fn demand(&self) -> Demand {
        let state = lock(&self.state);
        let mut missing: BTreeMap<Crew, u64> = BTreeMap::new();
        let mut wanted = Vec::new();
        for (key, (want, calls)) in &state.wanted {
            if !state.stopped.contains_key(key) {
                *missing.entry(want.crew.clone()).or_default() += calls;
                wanted.push(want.clone());
            }
        }
        let left = lock(&self.left);
        let over = left
            .iter()
            .filter(|(crew, left)| **left == 0 && !missing.contains_key(*crew));
        Demand {
            over: over.map(|(crew, _)| crew.clone()).collect(),
            wanted,
            missing,
            landed: state.landed.clone(),
        }
    }

    /// A job is done with a stage: it has a result, or there is a reason why it has none.
    pub fn computed(&self, key: &str) {
        lock(&self.state).computed.insert(key.to_owned());
    }

    /// Whether one is.
    pub fn is_computed(&self, key: &str) -> bool {
        lock(&self.state).computed.contains(key)
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

    /// Why nothing is done for a node any more, if so.
    pub fn stopped(&self, key: &str, crew: &Crew) -> Option<Failure> {
        let state = lock(&self.state);
        let lost = || state.lost.get(crew).map(Failure::new);
        state.stopped.get(key).cloned().or_else(lost)
    }

    /// What is wanted of a crew now is given up, and why; what is wanted of it later is another matter.
    pub fn give_up(&self, crew: &Crew, why: &str) {
        let mut state = lock(&self.state);
        let wanted = state.wanted.iter();
        let keys = wanted.filter(|(_, (want, _))| want.crew == *crew);
        let keys: Vec<String> = keys.map(|(key, _)| key.clone()).collect();
        for key in keys {
            let failure = || Failure::new(why);
            state.stopped.entry(key).or_insert_with(failure);
        }
    }

    /// A crew does nothing any more, and why.
    pub fn lose(&self, crew: &Crew, why: String) {
        lock(&self.state).lost.entry(crew.clone()).or_insert(why);
    }
}

#[cfg(test)]
mod tests {
    use super::super::note::Sort;
    use super::*;

    fn m() -> Crew {
        Crew::of_model("m")
    }

    fn want(key: &str, model: &str) -> Want {
        Want {
            title: format!("judge.{key}"),
            key: key.to_owned(),
            inputs: Vec::new(),
            crew: Crew::of_model(model),
        }
    }

    #[test]
    fn demand_is_what_is_missing_by_model_and_ends_with_its_nodes() {
        let crews = BTreeMap::from([(m(), (Needs::default(), 2))]);
        let fleet = Fleet::new(crews, None);
        fleet.want(want("a", "m"), 10);
        fleet.want(want("b", "m"), 5);
        fleet.landed("a", 4);
        fleet.landed("nobody", 4);
        let demand = fleet.demand();
        assert_eq!(demand.missing[&m()], 11);
        assert_eq!(demand.landed[&m()], 4);
        assert_eq!(demand.wanted.len(), 2);
        fleet.settled("a");
        fleet.has_result(&m());
        assert_eq!(fleet.demand().missing[&m()], 5);
        assert_eq!(fleet.demand().over, []);
        fleet.settled("b");
        fleet.has_result(&m());
        assert_eq!(fleet.demand().over, [m()]);
        assert!(fleet.demand().wanted.is_empty());
    }

    #[test]
    fn what_is_given_up_is_not_wanted_any_more_and_what_comes_later_is() {
        let crews = BTreeMap::from([(m(), (Needs::default(), 2))]);
        let fleet = Fleet::new(crews, None);
        fleet.want(want("a", "m"), 1);
        fleet.give_up(&m(), "they die");
        assert_eq!(fleet.stopped("a", &m()).unwrap().message, "they die");
        assert_eq!(fleet.demand().missing, BTreeMap::new());
        fleet.want(want("b", "m"), 1);
        assert_eq!(fleet.stopped("b", &m()), None);
        assert_eq!(fleet.demand().missing[&m()], 1);
        // Nobody ends who is wanted, whatever was counted before.
        fleet.has_result(&m());
        fleet.has_result(&m());
        assert_eq!(fleet.demand().over, []);
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
        assert_eq!(fleet.stopped("a", &m()), None);
        fleet.lose(&m(), "no jobs".to_owned());
        assert_eq!(fleet.stopped("a", &m()).unwrap().message, "no jobs");
    }
}
