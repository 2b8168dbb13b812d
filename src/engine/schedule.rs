//! The order of work: every node as soon as what it reads is there, as many at once as there is room
//! for.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::event::Event;
use super::execute::{Outcome, Shared};
use super::node::{Done, NodeError};
use crate::plan::{Node, NodeId};
use crate::stage::Stage;

/// How one walk through the plan ended.
#[derive(Default)]
pub(super) struct Attempt {
    /// Per node, in plan order.
    pub(super) outcomes: Vec<Outcome>,
    /// Whether something was cut short by an interruption.
    pub(super) interrupted: bool,
    /// Whether a damaged result came out differently when computed again.
    pub(super) changed: bool,
}

/// Runs the plan once, as far as failures and interruption allow.
pub(super) async fn attempt(shared: &Arc<Shared>, keep_going: bool) -> Attempt {
    let plan = &shared.plan;
    let readers = plan.readers();
    let mut waiting: Vec<usize> = plan
        .nodes
        .iter()
        .map(|node| node.inputs.iter().collect::<BTreeSet<_>>().len())
        .collect();
    let mut ready: BTreeSet<NodeId> = plan.ids().filter(|id| waiting[id.0] == 0).collect();
    let mut places = Places::new(shared.jobs);
    let mut outcomes: Vec<Option<Outcome>> = vec![None; plan.nodes.len()];
    let mut running: JoinSet<(NodeId, Result<Done, NodeError>)> = JoinSet::new();
    let mut attempt = Attempt::default();
    let mut stop = false;
    loop {
        let next = |ready: &BTreeSet<NodeId>, places: &mut Places| {
            ready.iter().copied().find(|&id| places.free(plan.node(id)))
        };
        while let Some(id) = next(&ready, &mut places).filter(|_| !stop) {
            ready.remove(&id);
            let inputs: Option<Vec<Done>> = plan
                .node(id)
                .inputs
                .iter()
                .map(|input| match &outcomes[input.0] {
                    Some(Outcome::Done(done)) => Some(Done::clone(done)),
                    _ => None,
                })
                .collect();
            let Some(inputs) = inputs else { continue };
            places.take(plan.node(id));
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
        places.give(plan.node(id));
        match result {
            Ok(done) => {
                outcomes[id.0] = Some(Outcome::Done(Box::new(done)));
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
                stop |= !keep_going;
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

/// How many judges wait for models at once. They need memory for their rows and nothing else; the
/// models' own limits bound the calls.
const WAITING: usize = 32;

/// How many more nodes may begin: those that compute share the processors, those that wait for a
/// model do not.
struct Places {
    computing: usize,
    waiting: usize,
}

impl Places {
    fn new(jobs: usize) -> Self {
        Self {
            computing: jobs,
            waiting: WAITING,
        }
    }

    fn of(&mut self, node: &Node) -> &mut usize {
        match &*node.stage {
            Stage::Judge(judge) if judge.model.provider.reads_prompts() => &mut self.waiting,
            _ => &mut self.computing,
        }
    }

    fn free(&mut self, node: &Node) -> bool {
        *self.of(node) > 0
    }

    fn take(&mut self, node: &Node) {
        *self.of(node) -= 1;
    }

    fn give(&mut self, node: &Node) {
        *self.of(node) += 1;
    }
}
