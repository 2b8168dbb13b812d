//! Running a plan: independent nodes at once, each as soon as what it reads is there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::task::JoinSet;

use super::calls::Caller;
use super::event::{Event, Sink, Summary};
use super::files::Files;
use super::interrupt::Interrupt;
use super::library::Library;
use super::node::{Done, NodeError};
use crate::cache::{CacheError, NodeStore};
use crate::frame::Frame;
use crate::key::Digest;
use crate::plan::{NodeId, Plan};
use crate::spec::Folders;
use crate::stage::{Failure, Kind};
use crate::template::Templates;

/// How a plan is run. Nothing of this can change a result.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many nodes run at once, and how many rows are computed at once.
    pub jobs: usize,
    /// After a failure, go on with everything that does not need it.
    pub keep_going: bool,
    /// Ask nobody: a call that is not stored is an error.
    pub offline: bool,
    /// Where the cache lies, and what the spec says about files that are not there.
    pub folders: Folders,
}

/// Everything the nodes of one run share.
pub(super) struct Shared {
    pub(super) plan: Plan,
    pub(super) titles: Vec<String>,
    pub(super) templates: Templates,
    pub(super) nodes: NodeStore,
    pub(super) caller: Caller,
    pub(super) files: Files,
    pub(super) library: Library,
    pub(super) interrupt: Interrupt,
    pub(super) sink: Sink,
    pub(super) jobs: usize,
    pub(super) folders: Folders,
    /// Tables that are still to be read, by the node that made them.
    frames: Mutex<BTreeMap<NodeId, Arc<Frame>>>,
    readers: Mutex<Vec<usize>>,
}

/// A plan ready to be run.
pub struct Engine {
    shared: Arc<Shared>,
    keep_going: bool,
}

/// How one node ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It has a result.
    Done(Done),
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
    /// The results of table stages, by node.
    pub tables: BTreeMap<NodeId, Arc<Frame>>,
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
}

impl Engine {
    /// Opens the cache.
    ///
    /// # Errors
    /// When the cache folder cannot be used.
    pub fn new(
        plan: Plan,
        templates: Templates,
        options: &Options,
        interrupt: Interrupt,
        sink: Sink,
    ) -> Result<Self, CacheError> {
        let readers = plan.readers().iter().map(Vec::len).collect();
        Ok(Self {
            keep_going: options.keep_going,
            shared: Arc::new(Shared {
                titles: plan.nodes.iter().map(crate::plan::Node::title).collect(),
                nodes: NodeStore::open(&options.folders.cache)?,
                caller: Caller::open(&options.folders.cache, options.offline, interrupt.clone())?,
                files: Files::default(),
                library: Library::default(),
                jobs: options.jobs.max(1),
                folders: options.folders.clone(),
                frames: Mutex::default(),
                readers: Mutex::new(readers),
                plan,
                templates,
                interrupt,
                sink,
            }),
        })
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.shared.plan
    }

    /// Keeps which key each node had, for saying later what has changed.
    ///
    /// # Errors
    /// When the cache folder cannot be written.
    pub fn remember(
        &self,
        experiment: &str,
        keys: BTreeMap<String, Digest>,
    ) -> Result<(), CacheError> {
        self.shared.nodes.remember(experiment, keys)
    }

    /// Which key each node had in the last run of an experiment; damage is told and counts as none.
    pub fn last_keys(&self, experiment: &str) -> BTreeMap<String, Digest> {
        match self.shared.nodes.load_last(experiment) {
            Ok(keys) => keys,
            Err(damage) => {
                self.shared.warn(None, damage.to_string());
                BTreeMap::new()
            }
        }
    }

    /// Runs the plan to its end, or as far as failures and interruption allow.
    pub async fn run(&self) -> Run {
        let started = Instant::now();
        let shared = &self.shared;
        (shared.sink)(Event::Started {
            nodes: shared.plan.nodes.len(),
        });
        let mut outcomes = self.attempt().await;
        // A damaged result that came out differently when computed again: keys below it were made
        // from the old one, so everything is looked at afresh. Damage is repaired by then.
        for _ in 0..3 {
            let Attempt { changed: true, .. } = outcomes else {
                break;
            };
            shared.reset();
            outcomes = self.attempt().await;
        }
        let mut summary = summarize(shared, &outcomes);
        let tables = self.tables(&mut outcomes).await;
        for message in shared.caller.damages() {
            shared.warn(None, message);
        }
        if let Some(damage) = shared.nodes.take_warning() {
            shared.warn(None, damage.to_string());
        }
        summary.took(started.elapsed());
        (shared.sink)(Event::Done(summary.clone()));
        Run {
            outcomes: outcomes.outcomes,
            tables,
            summary,
        }
    }

    async fn attempt(&self) -> Attempt {
        let shared = &self.shared;
        let plan = &shared.plan;
        let readers = plan.readers();
        let mut waiting: Vec<usize> = plan
            .nodes
            .iter()
            .map(|node| node.inputs.iter().collect::<BTreeSet<_>>().len())
            .collect();
        let mut ready: BTreeSet<NodeId> = plan.ids().filter(|id| waiting[id.0] == 0).collect();
        let mut outcomes: Vec<Option<Outcome>> = vec![None; plan.nodes.len()];
        let mut running: JoinSet<(NodeId, Result<Done, NodeError>)> = JoinSet::new();
        let mut attempt = Attempt::default();
        let mut stop = false;
        loop {
            while running.len() < shared.jobs && !stop {
                let Some(id) = ready.pop_first() else { break };
                let inputs: Option<Vec<Done>> = plan
                    .node(id)
                    .inputs
                    .iter()
                    .map(|input| match &outcomes[input.0] {
                        Some(Outcome::Done(done)) => Some(done.clone()),
                        _ => None,
                    })
                    .collect();
                let Some(inputs) = inputs else { continue };
                let shared = Arc::clone(shared);
                running.spawn(async move { (id, shared.node(id, inputs).await) });
            }
            let Some(joined) = running.join_next().await else {
                break;
            };
            let (id, result) = match joined {
                Ok(finished) => finished,
                // A task that panicked is a bug; it is told as such rather than swallowed.
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            };
            match result {
                Ok(done) => {
                    outcomes[id.0] = Some(Outcome::Done(done));
                    shared.has_read(id);
                    for reader in &readers[id.0] {
                        waiting[reader.0] -= 1;
                        if waiting[reader.0] == 0 {
                            ready.insert(*reader);
                        }
                    }
                }
                Err(NodeError::Failed(failure)) => {
                    (shared.sink)(Event::Failed {
                        node: shared.titles[id.0].clone(),
                        message: failure.message.clone(),
                        hint: failure.hint.clone(),
                    });
                    outcomes[id.0] = Some(Outcome::Failed(failure));
                    stop |= !self.keep_going;
                }
                Err(NodeError::Interrupted) => {
                    attempt.interrupted = true;
                    stop = true;
                }
                Err(NodeError::Changed) => {
                    attempt.changed = true;
                    stop = true;
                }
            }
            if shared.interrupt.is_raised() {
                attempt.interrupted = true;
                stop = true;
            }
        }
        attempt.outcomes = outcomes
            .into_iter()
            .map(|outcome| outcome.unwrap_or(Outcome::Skipped))
            .collect();
        // Raised after the last node was done: nothing was cut short.
        attempt.interrupted &= attempt
            .outcomes
            .iter()
            .any(|outcome| matches!(outcome, Outcome::Skipped));
        attempt
    }

    async fn tables(&self, attempt: &mut Attempt) -> BTreeMap<NodeId, Arc<Frame>> {
        let mut tables = BTreeMap::new();
        for id in self.shared.plan.ids() {
            if self.shared.plan.node(id).name.kind != Kind::Table {
                continue;
            }
            let Outcome::Done(done) = &attempt.outcomes[id.0] else {
                continue;
            };
            match self.shared.frame(id, done).await {
                Ok(frame) => {
                    tables.insert(id, frame);
                }
                Err(NodeError::Failed(failure)) => {
                    attempt.outcomes[id.0] = Outcome::Failed(failure);
                }
                Err(NodeError::Interrupted | NodeError::Changed) => {
                    attempt.outcomes[id.0] = Outcome::Skipped;
                }
            }
        }
        tables
    }
}

#[derive(Default)]
struct Attempt {
    outcomes: Vec<Outcome>,
    interrupted: bool,
    changed: bool,
}

fn summarize(shared: &Shared, attempt: &Attempt) -> Summary {
    let mut summary = Summary {
        interrupted: attempt.interrupted,
        calls_made: shared.caller.made.load(Ordering::Relaxed),
        calls_reused: shared.caller.reused.load(Ordering::Relaxed),
        ..Summary::default()
    };
    for (title, outcome) in shared.titles.iter().zip(&attempt.outcomes) {
        match outcome {
            Outcome::Done(done) => {
                summary.counts.add(&done.summary.counts);
                if done.reused {
                    summary.reused += 1;
                } else {
                    summary.ran += 1;
                    summary.spent.insert(title.clone(), done.summary.seconds);
                }
            }
            Outcome::Failed(_) => summary.failed += 1,
            Outcome::Skipped => {
                summary.skipped += 1;
                if !attempt.interrupted {
                    (shared.sink)(Event::Skipped {
                        node: title.clone(),
                    });
                }
            }
        }
    }
    summary
}

impl Shared {
    /// A node's table: from memory, from the cache, or, where that is damaged, computed again.
    pub(super) async fn frame(
        self: &Arc<Self>,
        id: NodeId,
        done: &Done,
    ) -> Result<Arc<Frame>, NodeError> {
        if let Some(frame) = self.frames().get(&id) {
            return Ok(Arc::clone(frame));
        }
        let (shared, output) = (Arc::clone(self), done.output);
        let loaded = self
            .blocking(move || {
                let bytes = shared
                    .nodes
                    .load(&output)
                    .map_err(|damage| damage.to_string())?;
                Frame::from_parquet(bytes, None).map_err(|error| error.to_string())
            })
            .await?;
        match loaded {
            Ok(frame) => Ok(self.remember_frame(id, frame)),
            Err(damage) => {
                self.warn(
                    Some(&self.titles[id.0]),
                    format!("{damage}; computing it again"),
                );
                Box::pin(self.again(id, done)).await
            }
        }
    }

    /// Computes a damaged result again from what it reads.
    async fn again(self: &Arc<Self>, id: NodeId, done: &Done) -> Result<Arc<Frame>, NodeError> {
        let mut inputs = Vec::new();
        for &input in &self.plan.node(id).inputs {
            let digests = Box::pin(self.redo(input)).await?;
            inputs.push(digests);
        }
        let fresh = self.node(id, inputs).await?;
        if fresh.output != done.output {
            return Err(NodeError::Changed);
        }
        self.frame(id, &fresh).await
    }

    /// A node's result, known or computed, from its sources down.
    async fn redo(self: &Arc<Self>, id: NodeId) -> Result<Done, NodeError> {
        let mut inputs = Vec::new();
        for &input in &self.plan.node(id).inputs {
            inputs.push(Box::pin(self.redo(input)).await?);
        }
        self.node(id, inputs).await
    }

    /// Keeps a table in memory while nodes that read it have yet to run.
    pub(super) fn remember_frame(&self, id: NodeId, frame: Frame) -> Arc<Frame> {
        let frame = Arc::new(frame);
        if self.is_table(id) || self.readers()[id.0] > 0 {
            self.frames().insert(id, Arc::clone(&frame));
        }
        frame
    }

    /// A node has its result: what it read is needed once less, and forgotten when nobody needs it.
    fn has_read(&self, id: NodeId) {
        let inputs: BTreeSet<NodeId> = self.plan.node(id).inputs.iter().copied().collect();
        let mut readers = self.readers();
        for input in inputs {
            readers[input.0] = readers[input.0].saturating_sub(1);
            if readers[input.0] == 0 {
                self.frames().remove(&input);
            }
        }
    }

    fn is_table(&self, id: NodeId) -> bool {
        self.plan.node(id).name.kind == Kind::Table
    }

    fn reset(&self) {
        *self.readers() = self.plan.readers().iter().map(Vec::len).collect();
        self.frames().clear();
    }

    fn frames(&self) -> MutexGuard<'_, BTreeMap<NodeId, Arc<Frame>>> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn readers(&self) -> MutexGuard<'_, Vec<usize>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
