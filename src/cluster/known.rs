//! What a driver knows of the jobs: what is on disk, what the scheduler said, what follows from both.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use super::note::{Note, Orders};
use super::polling::Polling;
use super::session::{Array, Session};
use super::slurm::{Bounds, Row};
use super::waves::Standing;

/// What a driver knows of the jobs.
#[derive(Debug)]
pub struct Known {
    pub(super) began: Instant,
    pub(super) polling: Polling,
    pub(super) bounds: Option<Bounds>,
    pub(super) arrays: Vec<Array>,
    pub(super) rows: BTreeMap<(u64, u32), Row>,
    pub(super) notes: BTreeMap<(String, u32), Note>,
    /// What each start of a task has stored, and where, and whether it has ended.
    pub(super) starts: BTreeMap<String, (String, u64, bool)>,
    /// When each task was last seen to change.
    pub(super) heard: BTreeMap<(String, u32), Duration>,
    /// When the scheduler last answered.
    pub(super) answered: Option<Duration>,
    pub(super) standings: BTreeMap<(String, u32), Standing>,
    pub(super) models: BTreeMap<String, Submissions>,
    pub(super) orders: Option<Orders>,
    pub(super) failures: BTreeSet<String>,
    pub(super) silence: bool,
    pub(super) said: BTreeMap<String, String>,
    /// Arrays that are to be submitted.
    pub(super) queue: VecDeque<Array>,
    /// Nothing is submitted before then.
    pub(super) patience: Duration,
}

/// What was submitted for a model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Submissions {
    pub(super) barren: u32,
    pub(super) landed: u64,
    pub(super) progress: bool,
    pub(super) count: u32,
}

impl Known {
    /// What is on disk.
    pub fn of(session: &Session) -> Self {
        let arrays = session.arrays();
        let mut models: BTreeMap<String, Submissions> = BTreeMap::new();
        for array in &arrays {
            models.entry(array.model.clone()).or_default().count += array.tasks;
        }
        Self {
            began: Instant::now(),
            polling: Polling::new(Duration::ZERO),
            bounds: None,
            arrays,
            rows: BTreeMap::new(),
            notes: BTreeMap::new(),
            starts: BTreeMap::new(),
            heard: BTreeMap::new(),
            answered: None,
            standings: BTreeMap::new(),
            models,
            orders: None,
            failures: BTreeSet::new(),
            silence: false,
            said: BTreeMap::new(),
            queue: VecDeque::new(),
            patience: Duration::ZERO,
        }
    }

    /// The jobs that may still do something, by the scheduler's id.
    pub fn alive(&self) -> Vec<u64> {
        let alive = |array: &&Array| {
            (0..array.tasks).any(|task| {
                let standing = self.standings.get(&(array.token.clone(), task));
                standing.is_none_or(Standing::is_alive)
            })
        };
        let arrays = self.arrays.iter().filter(alive);
        arrays.filter_map(|array| array.job).collect()
    }

    /// The starts of tasks that are known to have ended, by name.
    pub fn ended(&self) -> BTreeSet<String> {
        let ended = self.starts.iter().filter(|(_, (_, _, ended))| *ended);
        ended.map(|(name, _)| name.clone()).collect()
    }

    /// The nodes that replies were stored on, how many they were, and by how many tasks.
    pub fn work(&self) -> (BTreeSet<String>, u64, usize) {
        let busy = || self.starts.iter().filter(|(_, (_, stored, _))| *stored > 0);
        let hosts = busy().map(|(_, (host, _, _))| host.clone()).collect();
        let tasks: BTreeSet<&str> = busy()
            .filter_map(|(name, _)| Some(name.rsplit_once('.')?.0))
            .collect();
        (
            hosts,
            busy().map(|(_, (_, stored, _))| stored).sum(),
            tasks.len(),
        )
    }
}
