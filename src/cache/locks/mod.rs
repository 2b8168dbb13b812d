//! One lock per key, across threads and processes, so that the same work is not paid for twice.
//!
//! All keys share one file: the lock of a key is the byte whose offset is the first 62 bits of
//! the key, so there is nothing to clean up, and the kernel releases the locks of a killed
//! process. Linux uses open-file-description locks, macOS process locks (through one open file
//! per process, because closing any other would release them); elsewhere only threads of one process exclude each other, and two processes may do the same work twice.
//! Results never depend on these locks: this module guards money, not correctness.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use fs_err as fs;

use super::error::{CacheError, Damage, Flaw};
use super::lock_file;
use super::root::Root;
use crate::base::key::Digest;

mod system;

/// Longest pause between two looks at a lock that another process holds.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// Every lock file this process has open, so that it is opened once.
static OPEN: Mutex<BTreeMap<PathBuf, Weak<Shared>>> = Mutex::new(BTreeMap::new());

/// The key locks of one cache folder; clones share them.
#[derive(Debug, Clone)]
pub struct KeyLocks {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    file: fs::File,
    path: PathBuf,
    state: Mutex<State>,
    released: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Offsets held, or being tried, by threads of this process.
    held: BTreeSet<u64>,
    /// The file system refused a lock.
    unsupported: bool,
    /// Somebody has been told.
    told: bool,
    /// Others are not asked, as where calls are divided among machines in another way.
    own_threads_only: bool,
}

/// The right to work on one key; dropping it passes the right on.
#[derive(Debug)]
#[must_use = "the lock is released when the guard is dropped"]
pub struct Guard {
    shared: Arc<Shared>,
    offset: u64,
}

impl KeyLocks {
    /// The key locks of the cache at `top`, which is created if needed.
    pub fn open(top: &Path) -> Result<Self, CacheError> {
        Self::of(&Root::open(top)?)
    }

    pub(crate) fn of(root: &Root) -> Result<Self, CacheError> {
        let path = root.part("locks");
        let folder = root.part("");
        let folder = fs::canonicalize(&folder).map_err(|error| CacheError::io(&folder, error))?;
        let unique = folder.join("locks");
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shared) = open.get(&unique).and_then(Weak::upgrade) {
            return Ok(Self { shared });
        }
        let shared = Arc::new(Shared {
            file: lock_file::open(&path)?,
            path,
            state: Mutex::default(),
            released: Condvar::new(),
        });
        open.retain(|_, other| other.strong_count() > 0);
        open.insert(unique, Arc::downgrade(&shared));
        Ok(Self { shared })
    }

    /// Has these locks hold among the threads of this process only: where calls are claimed by files, locks on a network
    /// disk would cost time and promise nothing.
    pub fn among_threads(&self) {
        self.shared.state().own_threads_only = true;
    }

    /// Takes the lock of `key` unless anyone, this thread included, holds it.
    pub fn try_lock(&self, key: &Digest) -> Option<Guard> {
        let offset = offset_of(key);
        let mut state = self.shared.state();
        if !state.held.insert(offset) {
            return None;
        }
        let own_threads_only = state.own_threads_only;
        drop(state);
        if own_threads_only {
            return Some(Guard {
                shared: Arc::clone(&self.shared),
                offset,
            });
        }
        match system::try_lock(&self.shared.file, offset) {
            system::Outcome::Taken => {}
            system::Outcome::Held => {
                self.shared.forget(offset);
                return None;
            }
            system::Outcome::Unsupported => self.shared.state().unsupported = true,
        }
        Some(Guard {
            shared: Arc::clone(&self.shared),
            offset,
        })
    }

    /// Waits for the lock of `key`; `None` as soon as `interrupted` says so.
    ///
    /// A thread that already holds the lock would wait for itself, until interrupted.
    pub fn lock(&self, key: &Digest, interrupted: &dyn Fn() -> bool) -> Option<Guard> {
        let mut pause = Duration::from_millis(1);
        loop {
            if interrupted() {
                return None;
            }
            if let Some(guard) = self.try_lock(key) {
                return Some(guard);
            }
            // Woken early by a thread of this process; another process can only be polled.
            let state = self.shared.state();
            if state.held.contains(&offset_of(key)) {
                drop(self.shared.released.wait_timeout(state, pause));
            } else {
                drop(state);
                std::thread::sleep(pause);
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// That the file system has no locks, once, after the first lock was asked for.
    pub fn take_warning(&self) -> Option<Damage> {
        let mut state = self.shared.state();
        if !state.unsupported || state.told {
            return None;
        }
        state.told = true;
        Some(Damage::new(&self.shared.path, Flaw::NoLocks))
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // The set is valid after every statement, so a panic elsewhere can't have spoilt it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self, offset: u64) {
        self.state().held.remove(&offset);
        self.released.notify_all();
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        system::unlock(&self.shared.file, self.offset);
        self.shared.forget(self.offset);
    }
}

/// The first 62 bits of a key: file offsets are signed, and the byte after must exist too.
fn offset_of(key: &Digest) -> u64 {
    let first = key.as_bytes().first_chunk().copied().unwrap_or_default();
    u64::from_be_bytes(first) >> 2
}
