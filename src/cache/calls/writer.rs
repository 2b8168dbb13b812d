//! The thread that writes: whatever is queued goes into one write and one fsync.
//!
//! Each waiter is answered only when its record is durable, or known not to be. The thread ends
//! when the store is dropped, after it has written what was queued. It makes no decisions about
//! values and reads no clock.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::index::{Index, Spot};
use super::segment::{AppendError, Readers, Segment};
use super::store::read;
use crate::base::key::Digest;
use crate::cache::error::{CacheError, Damage};

/// As much as goes into one write, in bytes, unless a single record is longer.
const BATCH: usize = 8 << 20;

/// Where so many records came together, more are on their way; they are waited for until there are enough.
const BUSY: usize = 3;
const ENOUGH: usize = 16;

/// So long is waited for them: records are made durable all at once, which costs the same for one as for many.
const GATHER: Duration = Duration::from_micros(500);

/// Called once, from the writing thread, with the fate of a record.
pub(super) type Done = Box<dyn FnOnce(Result<(), CacheError>) + Send>;

/// A record on its way.
pub(super) struct Job {
    /// The key of the call.
    pub(super) key: Digest,
    /// The framed value.
    pub(super) record: Vec<u8>,
    /// Who waits.
    pub(super) done: Done,
}

/// The running thread.
#[derive(Debug)]
pub(super) struct Writer {
    sender: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread; it takes a segment when the first record comes.
    pub(super) fn start(
        folder: PathBuf,
        owner: Option<String>,
        index: Arc<Mutex<Index>>,
    ) -> Result<Self, CacheError> {
        let (sender, receiver) = channel();
        let place = folder.clone();
        let state = State {
            folder,
            owner,
            index,
            segment: None,
            from: 0,
        };
        let thread = std::thread::Builder::new()
            .name("cache-writer".to_owned())
            .spawn(move || state.run(&receiver))
            .map_err(|error| CacheError::io(&place, error))?;
        Ok(Self {
            sender: Some(sender),
            thread: Some(thread),
        })
    }

    /// Queues a record; gives it back if the thread is gone.
    pub(super) fn send(&self, job: Job) -> Result<(), Job> {
        match &self.sender {
            Some(sender) => sender.send(job).map_err(|refused| refused.0),
            None => Err(job),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.sender = None;
        // The last owner may be an answer running in the thread itself, which can't wait for itself.
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

struct State {
    folder: PathBuf,
    /// Who writes to segments of its own only.
    owner: Option<String>,
    index: Arc<Mutex<Index>>,
    segment: Option<Segment>,
    /// Segments below this number are not used again: one of them was spoilt.
    from: u32,
}

impl State {
    fn run(mut self, queue: &Receiver<Job>) {
        let mut together = 0;
        while let Ok(first) = queue.recv() {
            let mut size = first.record.len();
            let mut batch = vec![first];
            let mut take = |batch: &mut Vec<Job>| {
                while size < BATCH
                    && let Ok(job) = queue.try_recv()
                {
                    size += job.record.len();
                    batch.push(job);
                }
            };
            take(&mut batch);
            if together >= BUSY && batch.len() < ENOUGH {
                std::thread::sleep(GATHER);
                take(&mut batch);
            }
            together = batch.len();
            self.store(batch);
        }
    }

    fn store(&mut self, batch: Vec<Job>) {
        // First write wins: a key that can already be read needs no second record.
        let mut jobs = Vec::with_capacity(batch.len());
        for job in batch {
            match read(&self.index, &job.key) {
                Ok(None) => jobs.push(job),
                Ok(Some(_)) => (job.done)(Ok(())),
                Err(error) => (job.done)(Err(error)),
            }
        }
        if jobs.is_empty() {
            return;
        }
        let (stored, error) = match self.segment() {
            Ok(segment) => self.append(segment, &jobs),
            Err(error) => (0, Some(error)),
        };
        for (place, job) in jobs.into_iter().enumerate() {
            (job.done)(match &error {
                Some(error) if place >= stored => Err(error.clone()),
                _ => Ok(()),
            });
        }
    }

    /// Writes the records and notes their places; how many are durable, and why not all.
    fn append(&mut self, mut segment: Segment, jobs: &[Job]) -> (usize, Option<CacheError>) {
        let mut bytes = Vec::with_capacity(jobs.iter().map(|job| job.record.len()).sum());
        let mut ends = Vec::with_capacity(jobs.len());
        for job in jobs {
            bytes.extend_from_slice(&job.record);
            ends.push(bytes.len());
        }
        let mut offset = segment.end;
        let (stored, failure) = segment.append(&bytes, &ends);
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        for job in &jobs[..stored] {
            let length = job.record.len() as u32;
            let spot = Spot {
                segment: segment.number,
                offset,
                length,
            };
            index.appended(&job.key, spot);
            offset += u64::from(length);
        }
        if matches!(failure, Some(AppendError::Spoilt(_))) {
            index.left();
        }
        drop(index);
        match failure {
            None => {
                self.segment = Some(segment);
                (stored, None)
            }
            Some(AppendError::Rejected(error)) => {
                self.segment = Some(segment);
                (stored, Some(error))
            }
            Some(AppendError::Spoilt(error)) => {
                self.from = segment.number + 1;
                (stored, Some(error))
            }
        }
    }

    /// The segment to append to, taken out of its place.
    fn segment(&mut self) -> Result<Segment, CacheError> {
        if let Some(segment) = self.segment.take() {
            if !segment.is_there() {
                // What is written to a deleted file is lost; better to say so.
                self.segment = Some(segment);
                let root = self.folder.clone();
                return Err(CacheError::Gone { root });
            }
            if !segment.is_full() {
                return Ok(segment);
            }
        }
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        index.load()?;
        Segment::take(&self.folder, self.from, self.owner.as_deref(), &mut *index)
    }
}

impl Readers for Index {
    fn scan(&mut self, number: u32, path: &std::path::Path) -> Option<super::scan::Tail> {
        Index::scan(self, number, path)
    }

    fn report(&mut self, damage: Damage) {
        Index::report(self, damage);
    }
}
