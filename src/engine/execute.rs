//! Running a plan: independent nodes at once, each as soon as what it reads is there.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::runtime::Handle;

use super::absent::Absent;
use super::budget::Limits;
use super::calls::Caller;
use super::cluster::Cluster;
use super::event::{Event, Sink, Summary};
use super::exported::Exported;
use super::fetch::Books;
use super::files::Files;
use super::frames::Frames;
use super::interrupt::Interrupt;
use super::library::Library;
use super::outcome::{NodeError, Outcome, Run};
use super::results::Results;
use super::schedule::{self, Attempt};
use super::seen::Seen;
use super::shared::Shared;
use super::tables::Tables;
use super::work;
use super::workers::Workers;
use crate::base::failure::Failure;
use crate::base::fetch::Fetcher;
use crate::base::key::Digest;
use crate::cache::{CacheError, NodeStore};
use crate::frame::Frame;
use crate::models::template::Templates;
use crate::models::wire::Secrets;
use crate::plan::{Node, NodeId, Plan};
use crate::spec::Folders;
use crate::stage::Gives;

/// How a plan is run. Nothing of this can change a result.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many nodes run at once, and how many rows are computed at once.
    pub jobs: usize,
    /// After a failure, still run everything that does not depend on it.
    pub keep_going: bool,
    /// Call no model and fetch nothing: what is not cached is an error.
    pub offline: bool,
    /// The most that may be called and spent.
    pub limits: Limits,
    /// The keys of model servers.
    pub secrets: Arc<Secrets>,
    /// Where the cache lies, and what the spec says about files that are not there.
    pub folders: Folders,
    /// What is not here and is known by its digest.
    pub absent: Arc<Absent>,
    /// Who makes calls, where it is not this process.
    pub cluster: Cluster,
}

/// A plan ready to be run.
pub struct Engine {
    shared: Arc<Shared>,
    keep_going: bool,
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
        let library = Library::new(
            Arc::clone(&options.secrets),
            options.folders.clone(),
            Arc::clone(&plan.nodes),
        );
        let absent = &options.absent;
        let titles: Vec<String> = plan.nodes.iter().map(Node::title).collect();
        let seen = Arc::new(Seen::open(&nodes, &titles, absent.strange_cache));
        let files = Files::new(
            Arc::clone(absent),
            options.folders.clone(),
            interrupt.clone(),
        );
        let files = Arc::new(files.seen(Arc::clone(&seen)));
        let caller = Caller::open(
            &options.folders.cache,
            offline,
            options.limits,
            interrupt.clone(),
            Arc::clone(&sink),
            match &options.cluster {
                Cluster::Job(desk) => Some(Arc::clone(desk)),
                Cluster::None | Cluster::Fleet(_) => None,
            },
        )?;
        let books = Books {
            downloads: nodes.downloads(),
            files: Arc::clone(&files),
            absent: Arc::clone(absent),
            fetcher: Fetcher::default(),
            offline,
            interrupt: interrupt.clone(),
            sink: Arc::clone(&sink),
            damaged: Mutex::default(),
        };
        Ok(Self {
            keep_going: options.keep_going,
            shared: Arc::new(Shared {
                titles,
                templates,
                results: Results::new(nodes, Arc::clone(absent), seen, Arc::clone(&sink)),
                frames: Frames::new(plan.nodes.len()),
                caller,
                said: Arc::default(),
                library,
                files,
                books: Arc::new(books),
                absent: Arc::clone(absent),
                workers: Workers::new(jobs),
                offline,
                cluster: options.cluster.clone(),
                wanted: Mutex::default(),
                checked: AtomicBool::new(true),
                plan,
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
        if let Err(error) = self.shared.results.nodes.remember(experiment, keys) {
            let message = format!(
                "`tribunal why` cannot compare with this run: {}",
                error.in_full()
            );
            self.shared.warn(None, message);
        }
    }

    /// Says what a person should know about a run that is over.
    pub fn warn(&self, message: String) {
        self.shared.warn(None, message);
    }

    /// What earlier runs kept under a name; nothing of a cache that came from elsewhere.
    pub fn kept<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.shared.results.seen.kept(name)
    }

    /// Keeps something under a name for the runs to come: a convenience, and what of it is lost costs some time.
    pub fn keep(&self, name: &str, what: &impl Serialize) {
        self.shared.results.seen.keep(name, what);
    }

    /// Which key each node had in the last run of an experiment; damage is told and counts as none.
    pub fn last_keys(&self, experiment: &str) -> BTreeMap<String, Digest> {
        match self.shared.results.nodes.load_last(experiment) {
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
            shared.frames.reset();
        };
        if let Some(id) = outcomes.changed.filter(|_| !outcomes.interrupted) {
            let failure = Failure::new("results in the cache keep changing under this run")
                .hint("see that nothing else writes to the cache folder, or use another one");
            outcomes.failed(shared, id, failure);
        }
        shared.results.seen.save();
        let mut summary = summarize(shared, &outcomes);
        for message in shared.caller.damages() {
            shared.warn(None, message);
        }
        if let Some(damage) = shared.results.nodes.take_warning() {
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
        work::frame(&self.shared, id).await.map_err(Failure::from)
    }

    /// What is shown of an attempt. What somebody may have touched since it was last read is read now, so that damage is met while
    /// it can still be repaired.
    pub(super) async fn tables(&self, attempt: &mut Attempt) -> Tables {
        for id in self.ended(attempt, Gives::Shown) {
            let output = match &attempt.outcomes[id.0] {
                Outcome::Done(done) => done.output,
                _ => continue,
            };
            if !self.shared.results.is_untouched(&output)
                && let Err(error) = work::frame(&self.shared, id).await
            {
                self.lost(attempt, id, error);
            }
        }
        // Whoever keeps what a run came to does not keep the cache open.
        let (shared, runtime) = (Arc::downgrade(&self.shared), Handle::current());
        Tables::new(self.ended(attempt, Gives::Shown), move |id| {
            let Some(shared) = shared.upgrade() else {
                return Err(Failure::new("the cache was closed before tables were read"));
            };
            Ok(runtime.block_on(work::frame(&shared, id))?)
        })
    }

    pub(super) async fn exports(&self, attempt: &mut Attempt) -> BTreeMap<NodeId, Exported> {
        let mut exports = BTreeMap::new();
        for id in self.ended(attempt, Gives::File) {
            match work::exported(&self.shared, id).await {
                Ok(rows) => {
                    exports.insert(id, rows);
                }
                // Left out of a bundle, and what it is made from too: the tables stand without it.
                Err(NodeError::Failed(_))
                    if self
                        .shared
                        .done(id)
                        .is_ok_and(|done| self.shared.results.is_absent(&done.output)) =>
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
            NodeError::Failed(failure) => attempt.failed(&self.shared, id, failure),
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

pub(super) fn summarize(shared: &Shared, attempt: &Attempt) -> Summary {
    let mut summary = Summary {
        interrupted: attempt.interrupted,
        limit: shared.interrupt.why().map(str::to_owned),
        ..shared.caller.account.summary()
    };
    let nodes = shared.plan.nodes.iter().zip(&shared.titles);
    for ((node, title), outcome) in nodes.zip(&attempt.outcomes) {
        summary.count(node, &|| title.clone(), outcome);
        if matches!(outcome, Outcome::Skipped) && !attempt.interrupted {
            (shared.sink)(Event::Skipped {
                node: title.clone(),
            });
        }
    }
    summary
}
