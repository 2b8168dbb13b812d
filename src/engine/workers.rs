//! Where work is done: threads for rows, and places for those that are computed row by row.

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::outcome::{NodeError, failed};

/// Tables of more bytes are much.
const MUCH: usize = 1 << 20;

/// So many bytes of results may be on their way to the disk while other nodes compute in their places, and a result counts as
/// no fewer than these.
const WRITING: usize = 16 << 20;
const LEAST: usize = 1 << 20;

/// The threads of a run.
pub(super) struct Workers {
    /// How many nodes run at once, and how many rows are computed at once.
    pub(super) jobs: usize,
    /// Places for rows that are computed here, of all judges together.
    pub(super) computing: Semaphore,
    /// Room for results that are being stored, in units of the least.
    writing: Semaphore,
    /// The threads that other stages compute their rows on; without them they share those of the process.
    pool: Option<ThreadPool>,
}

impl Workers {
    pub(super) fn new(jobs: usize) -> Self {
        Self {
            jobs,
            computing: Semaphore::new(jobs),
            writing: Semaphore::new(WRITING / LEAST),
            pool: threads(jobs),
        }
    }

    /// Room for a result of so many bytes that is being stored, if there is any: not where nodes are to run one after the other.
    pub(super) fn room_to_write(&self, bytes: usize) -> Option<SemaphorePermit<'_>> {
        if self.jobs == 1 {
            return None;
        }
        let units = u32::try_from(bytes.div_ceil(LEAST).max(1)).ok()?;
        self.writing.try_acquire_many(units).ok()
    }

    /// Does work on tables of so many bytes. Threads keep what they needed, in case they need it again: where that is much,
    /// it goes back to the system with threads that end.
    pub(super) fn compute_of<T: Send>(&self, bytes: usize, work: impl FnOnce() -> T + Send) -> T {
        if bytes <= MUCH {
            return self.compute(work);
        }
        on(threads(self.jobs).as_ref(), work)
    }

    /// Does work whose rows are computed side by side.
    pub(super) fn compute<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        on(self.pool.as_ref(), work)
    }
}

fn threads(jobs: usize) -> Option<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
    pool.ok()
}

fn on<T: Send>(pool: Option<&ThreadPool>, work: impl FnOnce() -> T + Send) -> T {
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Does work that blocks.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, NodeError> {
    tokio::task::spawn_blocking(work).await.map_err(failed)
}
