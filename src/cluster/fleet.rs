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
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    wanted: BTreeMap<String, (Want, u64)>,
    landed: BTreeMap<String, u64>,
    failed: BTreeMap<String, BTreeMap<String, Failed>>,
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
}

impl Fleet {
    /// A fleet that serves these models.
    pub fn new(serves: BTreeMap<String, Serve>) -> Self {
        Self {
            serves,
            state: Mutex::default(),
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
        lock(&self.state).wanted.insert(want.key.clone(), (want, missing));
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
            wanted: state.wanted.values().map(|(want, _)| want.clone()).collect(),
            missing,
            landed: state.landed.clone(),
        }
    }

    /// Calls came to nothing at a task.
    pub fn failed(&self, failures: Failures) {
        let mut state = lock(&self.state);
        if let Some(why) = failures.stopped {
            state.stopped.entry(failures.node.clone()).or_insert(why);
        }
        let calls = state.failed.entry(failures.node).or_default();
        for call in failures.calls {
            calls.entry(call.call.clone()).or_insert(call);
        }
    }

    /// The calls of a node that came to nothing since the last time; what they are is kept by whoever asks.
    pub fn take_failed(&self, key: &str) -> Vec<Failed> {
        let taken = lock(&self.state).failed.remove(key);
        taken.unwrap_or_default().into_values().collect()
    }

    /// Why no call of a node is made any more, if so.
    pub fn stopped(&self, key: &str, model: &str) -> Option<String> {
        let state = lock(&self.state);
        state.stopped.get(key).or_else(|| state.lost.get(model)).cloned()
    }

    /// A model cannot be had, and why.
    pub fn lose(&self, model: &str, why: String) {
        lock(&self.state).lost.entry(model.to_owned()).or_insert(why);
    }
}
