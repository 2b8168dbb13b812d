//! What a driver knows of the jobs: what is on disk, what the scheduler said, what follows from both.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use super::crew::Crew;
use super::note::{Incarnation, Note, Orders};
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
    /// What each start of a task said last.
    pub(super) starts: BTreeMap<Incarnation, Note>,
    /// When each task was last seen to change.
    pub(super) heard: BTreeMap<(String, u32), Duration>,
    /// When the scheduler last answered.
    pub(super) answered: Option<Duration>,
    pub(super) standings: BTreeMap<(String, u32), Standing>,
    pub(super) crews: BTreeMap<Crew, Submissions>,
    pub(super) orders: Option<Orders>,
    pub(super) failures: BTreeSet<String>,
    pub(super) silence: bool,
    pub(super) said: BTreeMap<Crew, String>,
    /// Arrays that are to be submitted.
    pub(super) queue: VecDeque<Array>,
    /// Nothing is submitted before then.
    pub(super) patience: Duration,
    /// How often in a row the scheduler took no jobs.
    pub(super) refusals: u32,
}

/// What was submitted for a crew.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Submissions {
    pub(super) barren: u32,
    pub(super) landed: u64,
    pub(super) progress: bool,
    pub(super) count: u32,
    /// What was missing then, or is since.
    pub(super) asked: u64,
    /// How often jobs were submitted, and when those that die are replaced at the soonest.
    pub(super) times: u32,
    pub(super) rested: Duration,
}

impl Known {
    /// What is on disk.
    pub fn of(session: &Session) -> Self {
        let arrays = session.arrays();
        let mut crews: BTreeMap<Crew, Submissions> = BTreeMap::new();
        for array in &arrays {
            crews.entry(array.crew.clone()).or_default().count += array.tasks;
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
            crews,
            orders: None,
            failures: BTreeSet::new(),
            silence: false,
            said: BTreeMap::new(),
            queue: VecDeque::new(),
            patience: Duration::ZERO,
            refusals: 0,
        }
    }

    /// The arrays that may still do something, those in doubt among them.
    pub fn alive(&self) -> Vec<&Array> {
        let alive = |array: &&Array| {
            (0..array.tasks).any(|task| {
                let standing = self.standings.get(&(array.token.clone(), task));
                standing.is_none_or(Standing::is_alive)
            })
        };
        let open = |array: &&Array| array.refused.is_none();
        self.arrays.iter().filter(open).filter(alive).collect()
    }

    /// The starts of tasks that are known to have ended, by name.
    pub fn ended(&self) -> BTreeSet<String> {
        let ended = self.starts.values().filter(|note| note.phase.has_ended());
        ended.map(|note| note.of.to_string()).collect()
    }

    /// Whether the last note of some task is not its last word.
    pub fn is_unfinished(&self) -> bool {
        self.starts.values().any(|note| !note.phase.has_ended())
    }

    /// The nodes that replies, or results of stages, were stored on, how many they were, and by how many tasks.
    pub fn work(&self, stages: bool) -> (BTreeSet<String>, u64, usize) {
        let mine = |note: &&Note| note.stored > 0 && (note.crew == Crew::Stages) == stages;
        let busy = || self.starts.values().filter(mine);
        let tasks: BTreeSet<(&str, u32)> = busy()
            .map(|note| (note.of.array.as_str(), note.of.task))
            .collect();
        (
            busy().map(|note| note.host.clone()).collect(),
            busy().map(|note| note.stored).sum(),
            tasks.len(),
        )
    }
}
