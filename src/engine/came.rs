//! Replies that are counted as made by this run though it reads them from the store.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::base::key::Digest;
use crate::base::lock::lock;

/// Replies that came to this run by another way than a call of its own, each until it is read.
#[derive(Default)]
pub(super) struct Came {
    keys: Mutex<BTreeSet<Digest>>,
    /// Whether jobs made the calls: those are counted when they are read, those of a batch were when it was.
    pub(super) by_jobs: bool,
}

impl Came {
    /// Takes note of one.
    pub(super) fn note(&self, key: Digest) {
        lock(&self.keys).insert(key);
    }

    /// Whether this one did; told once.
    pub(super) fn take(&self, key: &Digest) -> bool {
        lock(&self.keys).remove(key)
    }
}
