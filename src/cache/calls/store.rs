//! The store of model calls: get, put, refresh.
//!
//! Opening reads nothing. A value that fails its check is a miss and a report, never an answer.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::index::Index;
use super::record;
use super::segment;
use super::writer::{Job, Writer};
use crate::base::key::Digest;
use crate::cache::disk;
use crate::cache::error::{CacheError, Damage, Flaw};
use crate::cache::root::Root;

/// The size of a file that is written on trial, in bytes: more than most replies.
const TRIAL: usize = 64 << 10;

/// The store of model replies; to be shared by all threads of a run.
#[derive(Debug)]
pub struct CallStore {
    index: Arc<Mutex<Index>>,
    /// Started by the first put. Declared before `root`, so that it is done before the cache is given up.
    writer: Mutex<Option<Writer>>,
    /// Who writes segments that nobody else writes to, as jobs on several machines do.
    owner: Option<String>,
    root: Root,
}

impl CallStore {
    /// Opens the store in the cache at `top`, which is created if needed; reads nothing yet.
    pub fn open(top: &Path) -> Result<Self, CacheError> {
        let root = Root::open(top)?;
        let mut index = Index::new(&root.part("calls"));
        if let Some(warning) = root.warning() {
            index.report(warning);
        }
        Ok(Self {
            index: Arc::new(Mutex::new(index)),
            writer: Mutex::new(None),
            owner: None,
            root,
        })
    }

    /// The same, for a process that may share the folder with others on machines whose locks it does not see: it writes to
    /// segments that it has made itself, which bear its name and are left alone until they are [freed](Self::free).
    pub fn open_as(top: &Path, owner: &str) -> Result<Self, CacheError> {
        let store = Self::open(top)?;
        Ok(Self {
            owner: Some(owner.to_owned()),
            ..store
        })
    }

    /// Gives the segments of owners that are done to everybody: who is, is told by name and by when it last wrote.
    pub fn free(
        &self,
        is_done: &dyn Fn(&str, Option<SystemTime>) -> bool,
    ) -> Result<(), CacheError> {
        segment::free(&self.root.part("calls"), is_done)
    }

    /// Picks up what processes on other machines have added: opens every segment anew, which is when network disks look
    /// again at how long a file is.
    pub fn reopen(&self) -> Result<(), CacheError> {
        self.index().reopen()
    }

    /// The value stored for `key`, checked. Sees what this process has put, and what others had
    /// put at the last [`refresh`](Self::refresh). Damaged records count as absent and are reported
    /// by [`take_damages`](Self::take_damages).
    pub fn get(&self, key: &Digest) -> Result<Option<Vec<u8>>, CacheError> {
        read(&self.index, key)
    }

    /// Whether a record for `key` is there, without reading its value.
    pub fn contains(&self, key: &Digest) -> Result<bool, CacheError> {
        let mut index = self.index();
        index.load()?;
        Ok(index.has(key))
    }

    /// How many keys there are.
    pub fn count(&self) -> Result<usize, CacheError> {
        let mut index = self.index();
        index.load()?;
        Ok(index.len())
    }

    /// Sees that a value could be stored: that the folder is there, takes files, and has room for one. To be called before
    /// the first value is paid for; costs a file of some kilobytes.
    pub fn prepare(&self) -> Result<(), CacheError> {
        let mut trial = disk::Pending::create(&self.root.part("calls").join("trial"))?;
        trial.write(&vec![0; TRIAL])?;
        trial.sync()
    }

    /// Sees that the cache was not deleted since it was opened; costs one look at a file.
    pub fn check(&self) -> Result<(), CacheError> {
        self.root.check()
    }

    /// Picks up what other processes have added; costs one look at each segment.
    pub fn refresh(&self) -> Result<(), CacheError> {
        self.index().refresh()
    }

    /// Stores `value` under `key` and returns when it is durable. `at` is Unix time in seconds.
    ///
    /// A key that can already be read keeps its first value.
    pub fn put(&self, key: &Digest, value: &[u8], at: u64) -> Result<(), CacheError> {
        let (sender, receiver) = sync_channel(1);
        self.put_then(key, value, at, move |result| {
            // The receiver waits just below; it can't be gone.
            let _ = sender.send(result);
        });
        receiver.recv().unwrap_or(Err(CacheError::WriterGone))
    }

    /// Like [`put`](Self::put), but returns at once and calls `done` (from another thread, so it should be
    /// brief) when the value is durable or known not to be. The caller bounds how much is under way.
    pub fn put_then(
        &self,
        key: &Digest,
        value: &[u8],
        at: u64,
        done: impl FnOnce(Result<(), CacheError>) + Send + 'static,
    ) {
        // Framed (hashed, compressed) in the caller's thread: there are many of these and one writer.
        let record = match record::encode(key, value, at) {
            Ok(record) => record,
            Err(error) => return done(Err(error)),
        };
        let job = Job {
            key: *key,
            record,
            done: Box::new(done),
        };
        if let Some((job, error)) = self.send(job) {
            (job.done)(Err(error));
        }
    }

    /// Writes the records of some calls, in the order of their keys, as they would stand in a segment;
    /// hands back how many there were. Keys without an intact record are left out.
    ///
    /// # Errors
    /// When the cache cannot be read, or `to` not written to.
    pub fn copy(&self, keys: &BTreeSet<Digest>, to: &mut dyn Write) -> Result<usize, CacheError> {
        let mut copied = 0;
        for key in keys {
            let intact = |record: &[u8]| {
                let header = record::check(record).filter(|header| header.key == *key);
                header.map(|_| record.to_vec())
            };
            if let Some(record) = find(&self.index, key, intact)? {
                to.write_all(&record)
                    .map_err(|error| CacheError::io(&self.root.part("calls"), error))?;
                copied += 1;
            }
        }
        Ok(copied)
    }

    /// Where a segment stands that nobody writes to yet, in a cache without calls.
    pub fn path_of_first(&self) -> PathBuf {
        segment::path_of(&self.root.part("calls"), 0, "seg")
    }

    /// What was found damaged since the last time, each thing once.
    pub fn take_damages(&self) -> Vec<Damage> {
        self.index().take_damages()
    }

    /// Queues a job, or gives it back with the reason.
    fn send(&self, job: Job) -> Option<(Job, CacheError)> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let running = match &mut *writer {
            Some(running) => running,
            none => match Writer::start(
                self.root.part("calls"),
                self.owner.clone(),
                Arc::clone(&self.index),
            ) {
                Ok(started) => none.insert(started),
                Err(error) => return Some((job, error)),
            },
        };
        let refused = running.send(job).err()?;
        Some((refused, CacheError::WriterGone))
    }

    fn index(&self) -> MutexGuard<'_, Index> {
        // Every change of the index leaves it usable, so a panic elsewhere can't have spoilt it.
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads and checks the value of `key`.
pub(super) fn read(index: &Mutex<Index>, key: &Digest) -> Result<Option<Vec<u8>>, CacheError> {
    find(index, key, |record| record::decode(key, record))
}

/// What `take` makes of the first record of `key` that is intact to it, going on to later ones while
/// earlier ones are damaged.
fn find<T>(
    index: &Mutex<Index>,
    key: &Digest,
    take: impl Fn(&[u8]) -> Option<T>,
) -> Result<Option<T>, CacheError> {
    let lock = || index.lock().unwrap_or_else(PoisonError::into_inner);
    lock().load()?;
    loop {
        let Some((spot, file, path)) = lock().find(key) else {
            return Ok(None);
        };
        // Read without holding the index: disks are slow and threads many.
        let mut record = vec![0; spot.length as usize];
        let offset = spot.offset;
        let damage = match disk::read_at(&file, &mut record, offset) {
            Ok(read) => match take(&record[..read]) {
                Some(taken) => return Ok(Some(taken)),
                None => Damage::new(&path, Flaw::AlteredRecord { offset }),
            },
            Err(error) => Damage::unread(&path, &error),
        };
        lock().distrust(key, spot, damage);
    }
}
