//! Cached results of a plan, without running anything: for redrawing reports.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use super::execute::{Engine, summarize};
use super::node_key;
use super::outcome::{NodeError, Outcome, Run};
use super::schedule::Attempt;
use super::work::narrow;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::frame::Frame;
use crate::plan::NodeId;

impl Engine {
    /// The results of all nodes that have one, as [`Engine::run`] would find them; the others are skipped, or failed where
    /// their key cannot be made. A result some of whose calls failed is one too: it is what the last run came to.
    ///
    /// Nothing is run and no model is called.
    pub async fn recall(&self) -> Run {
        let started = Instant::now();
        let shared = self.shared();
        let plan = self.plan();
        let mut attempt = Attempt::default();
        for id in plan.ids() {
            let node = plan.node(id);
            let inputs: Option<Vec<_>> = node
                .inputs
                .iter()
                .map(|input| output(&attempt, *input))
                .collect();
            let Some(inputs) = inputs else {
                attempt.outcomes.push(Outcome::Skipped);
                continue;
            };
            attempt
                .outcomes
                .push(match node_key::key(shared, node, inputs) {
                    Err(NodeError::Failed(failure)) => Outcome::Failed(failure),
                    Err(NodeError::Interrupted | NodeError::Unchecked | NodeError::Changed) => {
                        Outcome::Skipped
                    }
                    Ok((_, key, _)) => {
                        match shared.results.stored_result(&shared.titles[id.0], &key) {
                            Some(done) => {
                                shared.frames.has_result(id, done.clone());
                                shared.has_read(id);
                                Outcome::Done(Box::new(done))
                            }
                            None => Outcome::Skipped,
                        }
                    }
                });
        }
        let tables = self.tables(&mut attempt).await;
        let exports = self.exports(&mut attempt).await;
        let mut summary = summarize(shared, &attempt);
        summary.took(started.elapsed());
        Run {
            outcomes: attempt.outcomes,
            exports,
            tables,
            summary,
        }
    }

    /// Some columns of the result of a node, those of them that there are, after [`Engine::run`].
    ///
    /// # Errors
    /// When it has none, or the cache cannot be read.
    pub async fn columns(&self, id: NodeId, columns: &[&str]) -> Result<Arc<Frame>, Failure> {
        let columns: BTreeSet<&str> = columns.iter().copied().collect();
        let narrow = narrow(self.shared(), id, &columns).await;
        narrow.map_err(Failure::from)
    }
}

fn output(attempt: &Attempt, id: NodeId) -> Option<Digest> {
    match attempt.outcomes.get(id.0) {
        Some(Outcome::Done(done)) => Some(done.output),
        _ => None,
    }
}
