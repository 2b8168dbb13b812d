//! Running a plan: independent nodes at once, each as soon as what it reads is there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::Semaphore;

use super::absent::Absent;
use super::budget::Limits;
use super::calls::Caller;
use super::event::{Event, Sink, Summary};
use super::files::Files;
use super::frames::whole_readers;
use super::interrupt::Interrupt;
use super::library::Library;
use super::node::{Done, NodeError};
use super::schedule::{self, Attempt};
use crate::base::failure::Failure;
use crate::base::fetch::Fetcher;
use crate::base::key::Digest;
use crate::cache::{CacheError, Downloads, NodeStore};
use crate::frame::Frame;
use crate::models::template::Templates;
use crate::models::wire::Secrets;
use crate::plan::{Node, NodeId, Plan};
use crate::spec::Folders;
use crate::stage::{Counts, Gives, shortfalls};

/// How a plan is run. Nothing of this can change a result.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many nodes run at once, and how many rows are computed at once.
    pub jobs: usize,
    /// After a failure, go on with everything that does not need it.
    pub keep_going: bool,
    /// Ask nobody: a call or a book that is not stored is an error.
    pub offline: bool,
    /// The most that may be called and spent.
    pub limits: Limits,
    /// The keys of model servers.
    pub secrets: Arc<Secrets>,
    /// Where the cache lies, and what the spec says about files that are not there.
    pub folders: Folders,
    /// What is not here and is known by its digest.
    pub absent: Arc<Absent>,
}

/// Everything the nodes of one run share.
pub(super) struct Shared {
    pub(super) plan: Plan,
    pub(super) titles: Vec<String>,
    pub(super) templates: Templates,
    pub(super) nodes: NodeStore,
    pub(super) caller: Caller,
    pub(super) files: Files,
    pub(super) absent: Arc<Absent>,
    pub(super) downloads: Downloads,
    pub(super) fetcher: Fetcher,
    /// Nothing is asked for that is not stored.
    pub(super) offline: bool,
    pub(super) library: Library,
    pub(super) interrupt: Interrupt,
    pub(super) sink: Sink,
    pub(super) jobs: usize,
    /// Whether the plan was checked, which it must be before a node runs whose result is not known.
    pub(super) checked: AtomicBool,
    /// The keys of stored results whose damage was reported.
    pub(super) damaged: Mutex<BTreeSet<Digest>>,
    pub(super) folders: Folders,
    /// Tables that are still to be read, by the node that made them.
    pub(super) frames: Mutex<BTreeMap<NodeId, Arc<Frame>>>,
    /// How many nodes have yet to read each table whole.
    pub(super) readers: Mutex<Vec<usize>>,
    /// Results of this run so far.
    pub(super) done: Mutex<BTreeMap<NodeId, Done>>,
    /// Places for rows that are computed here, of all judges together.
    pub(super) computing: Semaphore,
    /// The threads that other stages compute their rows on; without them they share those of the process.
    pub(super) pool: Option<rayon::ThreadPool>,
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
    Done(Box<Done>),
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
    /// The rows that are exported, as parquet, by node: the bytes as they are stored.
    pub exports: BTreeMap<NodeId, Vec<u8>>,
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

impl Run {
    /// What a run of several plans came to for one of them, whose nodes are at these places of the joined plan
    /// (`Plan::join`). Of calls, tokens and time the summary tells what all came to together.
    #[must_use]
    pub fn part(&self, places: &[NodeId], plan: &Plan) -> Self {
        let mut summary = Summary {
            ran: 0,
            reused: 0,
            failed: 0,
            skipped: 0,
            counts: Counts::default(),
            shortfalls: Vec::new(),
            spent: BTreeMap::new(),
            ..self.summary.clone()
        };
        let (mut outcomes, mut tables, mut exports) =
            (Vec::new(), BTreeMap::new(), BTreeMap::new());
        for (id, place) in plan.ids().zip(places) {
            let outcome = self.outcomes[place.0].clone();
            let node = plan.node(id);
            summary.count(node, &node.title(), &outcome);
            outcomes.push(outcome);
            if let Some(table) = self.tables.get(place) {
                tables.insert(id, Arc::clone(table));
            }
            if let Some(rows) = self.exports.get(place) {
                exports.insert(id, rows.clone());
            }
        }
        summary.interrupted &= summary.skipped > 0;
        Self {
            outcomes,
            exports,
            tables,
            summary,
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
        let jobs = options.jobs.max(1);
        let offline = options.offline || options.absent.untrusted;
        let nodes = NodeStore::open(&options.folders.cache)?;
        let library = Library::new(Arc::clone(&options.secrets), options.folders.clone());
        library.expect(&plan);
        Ok(Self {
            keep_going: options.keep_going,
            shared: Arc::new(Shared {
                titles: plan.nodes.iter().map(Node::title).collect(),
                downloads: nodes.downloads(),
                nodes,
                caller: Caller::open(
                    &options.folders.cache,
                    offline,
                    options.limits,
                    interrupt.clone(),
                    Arc::clone(&sink),
                )?,
                files: Files::new(Arc::clone(&options.absent), interrupt.clone()),
                absent: Arc::clone(&options.absent),
                fetcher: Fetcher::default(),
                offline,
                library,
                jobs,
                checked: AtomicBool::new(true),
                damaged: Mutex::default(),
                computing: Semaphore::new(jobs),
                pool: rayon::ThreadPoolBuilder::new()
                    .num_threads(jobs)
                    .build()
                    .ok(),
                done: Mutex::default(),
                folders: options.folders.clone(),
                frames: Mutex::default(),
                readers: Mutex::new(whole_readers(&plan)),
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

    /// Keeps which key each node had, for saying later what has changed. Where that cannot be
    /// written only an explanation is lost, so it is a warning.
    pub fn remember(&self, experiment: &str, keys: BTreeMap<String, Digest>) {
        if let Err(error) = self.shared.nodes.remember(experiment, keys) {
            let message = format!(
                "`tribunal why` will not know of this run: {}",
                error.in_full()
            );
            self.shared.warn(None, message);
        }
    }

    /// Says what a person should know about a run that is over.
    pub fn warn(&self, message: String) {
        self.shared.warn(None, message);
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
        self.run_checked(&|| true).await
    }

    /// Runs the plan as [`Engine::run`] does, if a check says that it may; the check is only made where something has
    /// to run that is not known.
    pub async fn run_if(&self, check: &dyn Fn() -> bool) -> Run {
        self.shared.checked.store(false, Ordering::Relaxed);
        self.run_checked(check).await
    }

    async fn run_checked(&self, check: &dyn Fn() -> bool) -> Run {
        let started = Instant::now();
        let shared = &self.shared;
        let mut restarts = 0;
        let (mut outcomes, tables, exports) = loop {
            (shared.sink)(Event::Started {
                nodes: shared.plan.nodes.len(),
            });
            let mut attempt = schedule::attempt(shared, self.keep_going, check).await;
            let tables = self.tables(&mut attempt).await;
            let exports = self.exports(&mut attempt).await;
            // A damaged result that came out differently when computed again: keys below it were made
            // from the old one, so everything is looked at afresh. Damage is repaired by then.
            let again = attempt.changed.is_some() && restarts < 3 && !attempt.interrupted;
            if !again {
                break (attempt, tables, exports);
            }
            restarts += 1;
            shared.reset();
        };
        if let Some(id) = outcomes.changed.filter(|_| !outcomes.interrupted) {
            let failure = Failure::new("results in the cache keep changing under this run")
                .hint("see that nothing else writes to the cache folder, or use another one");
            shared.failed(&mut outcomes, id, failure);
        }
        let mut summary = summarize(shared, &outcomes);
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
            exports,
            summary,
        }
    }

    /// The table of a node that has a result after [`Engine::run`].
    ///
    /// # Errors
    /// When it has none, or the cache cannot be read.
    pub async fn result(&self, id: NodeId) -> Result<Arc<Frame>, Failure> {
        self.shared.frame(id).await.map_err(Failure::from)
    }

    pub(super) async fn tables(&self, attempt: &mut Attempt) -> BTreeMap<NodeId, Arc<Frame>> {
        let mut tables = BTreeMap::new();
        for id in self.ended(attempt, Gives::Shown) {
            match self.shared.frame(id).await {
                Ok(frame) => {
                    tables.insert(id, frame);
                }
                Err(error) => self.lost(attempt, id, error),
            }
        }
        tables
    }

    pub(super) async fn exports(&self, attempt: &mut Attempt) -> BTreeMap<NodeId, Vec<u8>> {
        let mut exports = BTreeMap::new();
        for id in self.ended(attempt, Gives::File) {
            match self.shared.stored(id).await {
                Ok(bytes) => {
                    exports.insert(id, bytes);
                }
                // Left out of a bundle, and what it is made from too: the tables stand without it.
                Err(NodeError::Failed(_))
                    if self
                        .shared
                        .done(id)
                        .is_ok_and(|done| self.shared.is_absent(&done.output)) =>
                {
                    let message = "its rows were left out of the bundle, so no file is written";
                    let title = &self.shared.titles[id.0];
                    self.shared.warn(Some(title), message.to_owned());
                }
                Err(error) => self.lost(attempt, id, error),
            }
        }
        exports
    }

    /// The nodes that have a result of this sort.
    fn ended(&self, attempt: &Attempt, gives: Gives) -> Vec<NodeId> {
        let plan = &self.shared.plan;
        plan.ids()
            .filter(|&id| plan.node(id).name.kind.about().gives == gives)
            .filter(|&id| matches!(attempt.outcomes[id.0], Outcome::Done(_)))
            .collect()
    }

    /// Notes that a result which was there cannot be had.
    fn lost(&self, attempt: &mut Attempt, id: NodeId, error: NodeError) {
        match error {
            NodeError::Failed(failure) => self.shared.failed(attempt, id, failure),
            NodeError::Interrupted | NodeError::Unchecked => {
                attempt.interrupted = true;
                attempt.outcomes[id.0] = Outcome::Skipped;
            }
            NodeError::Changed => {
                attempt.changed = Some(id);
                attempt.outcomes[id.0] = Outcome::Skipped;
            }
        }
    }
}

impl Shared {
    /// Notes and tells that a node failed.
    pub(super) fn failed(&self, attempt: &mut Attempt, id: NodeId, failure: Failure) {
        (self.sink)(Event::Failed {
            node: self.titles[id.0].clone(),
            message: failure.message.clone(),
            hint: failure.hint.clone(),
        });
        attempt.outcomes[id.0] = Outcome::Failed(failure);
    }
}

pub(super) fn summarize(shared: &Shared, attempt: &Attempt) -> Summary {
    let mut summary = Summary {
        interrupted: attempt.interrupted,
        limit: shared.interrupt.why().map(str::to_owned),
        ..shared.caller.summary()
    };
    let nodes = shared.plan.nodes.iter().zip(&shared.titles);
    for ((node, title), outcome) in nodes.zip(&attempt.outcomes) {
        summary.count(node, title, outcome);
        if matches!(outcome, Outcome::Skipped) && !attempt.interrupted {
            (shared.sink)(Event::Skipped {
                node: title.clone(),
            });
        }
    }
    summary
}

impl Summary {
    /// Counts what a node came to.
    fn count(&mut self, node: &Node, title: &str, outcome: &Outcome) {
        match outcome {
            Outcome::Done(done) => {
                let counts = &done.summary.counts;
                self.counts.add(counts);
                let short = shortfalls(title, &node.name, &node.stage, counts);
                self.shortfalls.extend(short);
                if done.reused {
                    self.reused += 1;
                } else {
                    self.ran += 1;
                    self.spent.insert(title.to_owned(), done.summary.seconds);
                }
            }
            Outcome::Failed(_) => self.failed += 1,
            Outcome::Skipped => self.skipped += 1,
        }
    }
}
