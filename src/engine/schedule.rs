//! The order of work: every node as soon as what it reads is there, as many at once as there is room
//! for.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::event::Event;
use super::looks::{Look, looks};
use super::node;
use super::outcome::{Done, NodeError, Outcome};
use super::places::Places;
use super::results::Results;
use super::shared::Shared;
use super::work;
use crate::base::failure::Failure;
use crate::plan::NodeId;

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
    let (leave, mut left) = mpsc::unbounded_channel();
    let mut places = Places::new(shared.workers.jobs, &shared.cluster, leave);
    for id in to_run.into_iter().filter(|id| waiting[id.0] == 0) {
        places.could_begin(plan, id, is_large(shared, id));
    }
    let mut running: JoinSet<(NodeId, Result<Done, NodeError>)> = JoinSet::new();
    let mut stop = shared.interrupt.is_raised();
    attempt.interrupted = stop;
    loop {
        while let Some((id, place)) = (!stop).then(|| places.next()).flatten() {
            let shared = Arc::clone(shared);
            running.spawn(async move { (id, node::run(&shared, id, Some(place)).await) });
        }
        let joined = tokio::select! {
            Some(id) = left.recv() => {
                places.left(id);
                continue;
            }
            joined = running.join_next() => joined,
        };
        let Some(joined) = joined else {
            break;
        };
        let (id, result) = match joined {
            Ok(finished) => finished,
            // A task that panicked is a bug; it is told as such rather than swallowed.
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        };
        places.left(id);
        match result {
            Ok(done) => {
                attempt.outcomes[id.0] = shared.ran(id, done);
                for reader in &readers[id.0] {
                    waiting[reader.0] -= 1;
                    if waiting[reader.0] == 0 {
                        places.could_begin(plan, *reader, is_large(shared, *reader));
                    }
                }
            }
            Err(NodeError::Failed(failure)) => {
                shared.ended(id);
                attempt.failed(shared, id, failure);
                stop |= !keep_going;
            }
            // Nothing begins any more, so nothing has to be checked for it: the node was not run.
            Err(NodeError::Unchecked) if stop => {}
            Err(NodeError::Unchecked) => {
                if shared.checked.load(Ordering::Relaxed) || check() {
                    shared.checked.store(true, Ordering::Relaxed);
                    places.could_begin(plan, id, is_large(shared, id));
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

/// Tables that take more bytes than these on the disk are large.
const LARGE: u64 = 8 << 20;

/// Whether a node will take large tables into memory that are not there: those that are read in parts are not.
fn is_large(shared: &Shared, id: NodeId) -> bool {
    let in_parts = work::read_in_parts(shared, id);
    let bytes = |input: &NodeId| {
        let done = shared.frames.done(*input)?;
        let there = shared.frames.remembered(*input).is_some();
        let path = shared.results.nodes.path_of(&done.output);
        let file = (!there).then(|| path.metadata().ok()).flatten()?;
        Some(file.len())
    };
    let inputs = shared.plan.node(id).inputs.iter();
    !in_parts.is_ok_and(|output| output.is_some()) && inputs.filter_map(bytes).sum::<u64>() > LARGE
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
