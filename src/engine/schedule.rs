//! The order of work: every node as soon as what it reads is there, as many at once as there is room
//! for.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::task::JoinSet;

use super::cluster::Cluster;
use super::event::Event;
use super::looks::{Look, looks};
use super::node;
use super::outcome::{Done, NodeError, Outcome};
use super::results::Results;
use super::shared::Shared;
use crate::base::failure::Failure;
use crate::models::spec::ModelSpec;
use crate::plan::{Node, NodeId};

/// How one walk through the plan ended.
#[derive(Default)]
pub(super) struct Attempt {
    /// Per node, in plan order.
    pub(super) outcomes: Vec<Outcome>,
    /// Whether something was cut short by an interruption.
    pub(super) interrupted: bool,
    /// The node that met a damaged result which came out differently when computed again.
    pub(super) changed: Option<NodeId>,
}

impl Attempt {
    /// Notes and tells that a node failed.
    pub(super) fn failed(&mut self, shared: &Shared, id: NodeId, failure: Failure) {
        (shared.sink)(Event::Failed {
            node: shared.titles[id.0].clone(),
            message: failure.message.clone(),
            hint: failure.hint.clone(),
        });
        self.outcomes[id.0] = Outcome::Failed(failure);
    }
}

/// Runs the plan once, as far as failures and interruption allow.
pub(super) async fn attempt(
    shared: &Arc<Shared>,
    keep_going: bool,
    check: &dyn Fn() -> bool,
) -> Attempt {
    let plan = &shared.plan;
    let readers = plan.readers();
    let mut attempt = Attempt {
        outcomes: known(shared),
        ..Attempt::default()
    };
    let is_known = |id: &NodeId| matches!(attempt.outcomes[id.0], Outcome::Done(_));
    let to_run: Vec<NodeId> = plan.ids().filter(|id| !is_known(id)).collect();
    shared.expect(&to_run);
    let mut waiting: Vec<usize> = Vec::with_capacity(plan.nodes.len());
    for node in &*plan.nodes {
        let unknown = node.inputs.iter().filter(|input| !is_known(input));
        waiting.push(unknown.collect::<BTreeSet<_>>().len());
    }
    let mut places = Places::new(shared.workers.jobs, &shared.cluster);
    for id in to_run.into_iter().filter(|id| waiting[id.0] == 0) {
        places.of(plan.node(id)).ready.insert(id);
    }
    let mut running: JoinSet<(NodeId, Result<Done, NodeError>)> = JoinSet::new();
    let mut stop = shared.interrupt.is_raised();
    attempt.interrupted = stop;
    loop {
        while let Some(id) = (!stop).then(|| places.next()).flatten() {
            let shared = Arc::clone(shared);
            running.spawn(async move { (id, node::run(&shared, id).await) });
        }
        let Some(joined) = running.join_next().await else {
            break;
        };
        let (id, result) = match joined {
            Ok(finished) => finished,
            // A task that panicked is a bug; it is told as such rather than swallowed.
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        };
        places.of(plan.node(id)).free += 1;
        match result {
            Ok(done) => {
                attempt.outcomes[id.0] = shared.ran(id, done);
                for reader in &readers[id.0] {
                    waiting[reader.0] -= 1;
                    if waiting[reader.0] == 0 {
                        places.of(plan.node(*reader)).ready.insert(*reader);
                    }
                }
            }
            Err(NodeError::Failed(failure)) => {
                attempt.failed(shared, id, failure);
                stop |= !keep_going;
            }
            // Nothing begins any more, so nothing has to be checked for it: the node was not run.
            Err(NodeError::Unchecked) if stop => {}
            Err(NodeError::Unchecked) => {
                if shared.checked.load(Ordering::Relaxed) || check() {
                    shared.checked.store(true, Ordering::Relaxed);
                    places.of(plan.node(id)).ready.insert(id);
                } else {
                    attempt.interrupted = true;
                    stop = true;
                }
            }
            Err(NodeError::Interrupted) => {
                attempt.interrupted = true;
                stop = true;
            }
            Err(NodeError::Changed) => {
                attempt.changed = Some(id);
                stop = true;
            }
        }
        if shared.interrupt.is_raised() {
            attempt.interrupted = true;
            stop = true;
        }
    }
    // Raised after the last node was done: nothing was cut short.
    attempt.interrupted &= attempt
        .outcomes
        .iter()
        .any(|outcome| matches!(outcome, Outcome::Skipped));
    attempt
}

/// What is known before anything runs. Why there is no result is told where one would be made.
fn known(shared: &Shared) -> Vec<Outcome> {
    let looks = shared.plan.ids().zip(looks(shared, Results::look));
    let outcome = |(id, look): (NodeId, Look)| match look {
        Look::Key(_, _, Some(done)) => {
            node::reused(shared, id, &done);
            shared.found(id, *done)
        }
        Look::Key(_, _, None) | Look::Waits(_) | Look::Fails(_) => Outcome::Skipped,
    };
    looks.map(outcome).collect()
}

/// How many stages wait for models, mirrors and jobs at once. They need memory for their rows and nothing else; the
/// models' own limits bound the calls.
const WAITING: usize = 32;

/// Nodes that could begin and how many more may: those that compute share the processors, those
/// that wait for a model, a mirror or a job do not.
struct Places<'c> {
    cluster: &'c Cluster,
    computing: Queue,
    waiting: Queue,
}

struct Queue {
    free: usize,
    ready: BTreeSet<NodeId>,
}

impl<'c> Places<'c> {
    fn new(jobs: usize, cluster: &'c Cluster) -> Self {
        let queue = |free| Queue {
            free,
            ready: BTreeSet::new(),
        };
        Self {
            cluster,
            computing: queue(jobs),
            waiting: queue(WAITING),
        }
    }

    fn of(&mut self, node: &Node) -> &mut Queue {
        let served = |model: &ModelSpec| model.provider.server().is_some();
        if node.stage.model().is_some_and(served)
            || !node.stage.downloads().is_empty()
            || self.cluster.fleet_of(node).is_some()
        {
            &mut self.waiting
        } else {
            &mut self.computing
        }
    }

    /// The next node to begin, which takes a place.
    fn next(&mut self) -> Option<NodeId> {
        let queues = [&mut self.computing, &mut self.waiting];
        let queue = queues
            .into_iter()
            .filter(|queue| queue.free > 0 && !queue.ready.is_empty())
            .min_by_key(|queue| queue.ready.first().copied())?;
        queue.free -= 1;
        queue.ready.pop_first()
    }
}
