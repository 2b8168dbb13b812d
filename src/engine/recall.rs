//! Cached results of a plan, without running anything: for redrawing reports.

use std::sync::Arc;
use std::time::Instant;

use super::execute::{Engine, summarize};
use super::looks::{Look, looks};
use super::outcome::{NodeError, Outcome, Run};
use super::pick::Pick;
use super::results::Results;
use super::schedule::Attempt;
use super::work::narrow;
use crate::base::failure::Failure;
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
        let mut attempt = Attempt::default();
        for (id, look) in self.plan().ids().zip(looks(shared, Results::find)) {
            attempt.outcomes.push(match look {
                Look::Key(_, _, Some(done)) => shared.found(id, *done),
                Look::Fails(NodeError::Failed(failure)) => Outcome::Failed(failure),
                Look::Key(_, _, None) | Look::Waits(_) | Look::Fails(_) => Outcome::Skipped,
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
        let columns = columns.iter().map(ToString::to_string).collect();
        let narrow = narrow(self.shared(), id, Arc::new(Pick::Only(columns))).await;
        narrow.map_err(Failure::from)
    }
}
