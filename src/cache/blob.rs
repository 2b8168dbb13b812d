//! A result that is written while it is made: bytes go to a temporary file and into a digest, and
//! get their name when they are complete.

use std::io::{self, Write};

use super::disk::Pending;
use super::error::CacheError;
use super::root::Root;
use crate::base::key::Digest;

/// The bytes of a result on their way; removed when dropped before they were committed.
pub struct Blob {
    pending: Pending,
    hasher: blake3::Hasher,
}

impl Blob {
    pub(super) fn begin(root: &Root) -> Result<Self, CacheError> {
        Ok(Self {
            pending: Pending::create(&root.part("blobs").join("result"))?,
            hasher: blake3::Hasher::new(),
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
    pub(super) fn commit(self, root: &Root) -> Result<(), CacheError> {
        let path = super::nodes::blob_path(root, &self.digest());
        self.pending.commit_at(&path)
    }
}

impl Write for Blob {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending
            .write(bytes)
            .map_err(|error| io::Error::other(error.in_full()))?;
        self.hasher.update(bytes);
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
