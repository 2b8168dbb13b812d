//! Where work is done: threads for rows, and places for those that are computed row by row.

use tokio::sync::Semaphore;

use super::outcome::{NodeError, failed};

/// The threads of a run.
pub(super) struct Workers {
    /// How many nodes run at once, and how many rows are computed at once.
    pub(super) jobs: usize,
    /// Places for rows that are computed here, of all judges together.
    pub(super) computing: Semaphore,
    /// The threads that other stages compute their rows on; without them they share those of the process.
    pool: Option<rayon::ThreadPool>,
}

impl Workers {
    pub(super) fn new(jobs: usize) -> Self {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        Self {
            jobs,
            computing: Semaphore::new(jobs),
            pool: pool.ok(),
        }
    }

    /// Does work whose rows are computed side by side.
    pub(super) fn compute<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// Does work that blocks.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, NodeError> {
    tokio::task::spawn_blocking(work).await.map_err(failed)
}
