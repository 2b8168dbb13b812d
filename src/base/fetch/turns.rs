//! Taking turns: one request at a time to each host.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// When the last request to a host ended, held by whoever may ask it next.
pub(super) type Turn = tokio::sync::OwnedMutexGuard<Option<Instant>>;

/// The hosts asked so far.
#[derive(Debug, Default)]
pub(super) struct Turns {
    hosts: Mutex<BTreeMap<String, Arc<tokio::sync::Mutex<Option<Instant>>>>>,
}

impl Turns {
    /// Waits for everyone who asked for this host before.
    pub(super) async fn take(&self, host: String) -> Turn {
        let queue = Arc::clone(
            self.hosts
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(host)
                .or_default(),
        );
        queue.lock_owned().await
    }
}
