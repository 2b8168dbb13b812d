//! A result that is written while it is made: bytes go to a temporary file and into a digest, and
//! get their name when they are complete.

use std::io::{self, Write};
use std::thread::{self, JoinHandle};

use super::disk::Pending;
use super::error::CacheError;
use super::root::Root;
use crate::base::key::Digest;

/// Whenever so many bytes were written, they begin to be made durable, so that there is little to wait for at the end.
const AHEAD: usize = 8 << 20;

/// The bytes of a result on their way; removed when dropped before they were committed.
pub struct Blob {
    pending: Pending,
    hasher: blake3::Hasher,
    /// How many bytes were written since that began last.
    since: usize,
    /// What is being made durable.
    syncing: Option<JoinHandle<io::Result<()>>>,
}

impl Blob {
    pub(super) fn begin(root: &Root) -> Result<Self, CacheError> {
        Ok(Self {
            pending: Pending::create(&root.part("blobs").join("result"))?,
            hasher: blake3::Hasher::new(),
            since: 0,
            syncing: None,
        })
    }

    /// The digest of the bytes so far.
    pub fn digest(&self) -> Digest {
        Digest::from_bytes(*self.hasher.finalize().as_bytes())
    }

    /// The bytes so far.
    ///
    /// # Errors
    /// When they cannot be read back.
    pub fn read(&self) -> Result<Vec<u8>, CacheError> {
        self.pending.read()
    }

    /// Gives the bytes their name.
    pub(super) fn commit(mut self, root: &Root) -> Result<(), CacheError> {
        self.synced().map_err(|error| self.pending.failed(error))?;
        let path = super::nodes::blob_path(root, &self.digest());
        self.pending.commit_at(&path)
    }

    /// Begins to make durable what was written, unless that is going on.
    fn sync_ahead(&mut self) -> io::Result<()> {
        if self.syncing.as_ref().is_none_or(JoinHandle::is_finished) {
            self.synced()?;
            let file = self.pending.open_again()?;
            self.syncing = Some(thread::spawn(move || file.sync_data()));
            self.since = 0;
        }
        Ok(())
    }

    /// Waits for what began. What went wrong is told once by the system, and must not be lost.
    fn synced(&mut self) -> io::Result<()> {
        let ended = self.syncing.take().map(JoinHandle::join);
        let broken_off = |_| Err(io::Error::other("making it durable broke off"));
        ended.map_or(Ok(()), |ended| ended.unwrap_or_else(broken_off))
    }
}

impl Write for Blob {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending
            .write(bytes)
            .map_err(|error| io::Error::other(error.in_full()))?;
        self.hasher.update(bytes);
        self.since += bytes.len();
        if self.since >= AHEAD {
            self.sync_ahead()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl std::fmt::Debug for Blob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blob")
            .field("digest", &self.digest())
            .finish_non_exhaustive()
    }
}
