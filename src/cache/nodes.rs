//! Level 1: the result of a node, found under its key.
//!
//! A small sealed entry (`nodes/`) names the result's bytes by their digest (`blobs/`). Both are
//! checked whenever they are read; what fails the check is moved aside and reported as damage,
//! so a wrong result can't come out. The bytes are opaque here, and so is the key.

use std::io::Seek;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err as fs;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::batches::Batches;
use super::blob::Blob;
use super::disk;
use super::downloads::Downloads;
use super::error::{CacheError, Damage, Flaw};
use super::locks::{Guard, KeyLocks};
use super::root::Root;
use super::seal;
use crate::base::digested::digest;
use crate::base::key::Digest;

/// What is known of a node's result, with its key or what somebody wants of that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry<F = Value> {
    /// The node's key.
    pub key: Digest,
    /// The key as it can be printed: one member per thing the result depends on.
    pub fields: F,
    /// Digest of the result's bytes.
    pub output: Digest,
    /// Rows of the result.
    pub rows: u64,
    /// Whatever the engine wants to say about the result without loading it.
    pub summary: Value,
}

/// The store of node results; clones share it.
#[derive(Debug, Clone)]
pub struct NodeStore {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) root: Root,
    pub(super) locks: KeyLocks,
}

/// The right to compute and store the result of one key, exclusive among all processes.
///
/// Another process may have stored the result while this one waited: look it up again first.
#[derive(Debug)]
#[must_use = "a claim keeps others waiting until it is committed or dropped"]
pub struct Claim {
    inner: Arc<Inner>,
    key: Digest,
    _guard: Guard,
}

impl Entry {
    /// The entry for a result consisting of `bytes`.
    pub fn new(key: Digest, fields: Value, bytes: &[u8], rows: u64, summary: Value) -> Self {
        Self::of_stored(key, fields, Digest::of(bytes), rows, summary)
    }

    /// The entry for a result that was written while it was made.
    pub fn of_blob(key: Digest, fields: Value, blob: &Blob, rows: u64, summary: Value) -> Self {
        Self::of_stored(key, fields, blob.digest(), rows, summary)
    }

    /// The entry for a result whose bytes are stored, as another's.
    pub fn of_stored(
        key: Digest,
        fields: Value,
        output: Digest,
        rows: u64,
        summary: Value,
    ) -> Self {
        Self {
            key,
            fields,
            output,
            rows,
            summary,
        }
    }
}

impl NodeStore {
    /// Opens the store in the cache at `top`, which is created if needed.
    pub fn open(top: &Path) -> Result<Self, CacheError> {
        let root = Root::open(top)?;
        let locks = KeyLocks::of(&root)?;
        Ok(Self {
            inner: Arc::new(Inner { root, locks }),
        })
    }

    /// Begins a result that is written while it is made.
    pub fn begin_blob(&self) -> Result<Blob, CacheError> {
        Blob::begin(&self.inner.root)
    }

    /// The batches of the same cache.
    pub fn batches(&self) -> Batches {
        Batches {
            inner: Arc::clone(&self.inner),
        }
    }

    /// The downloads of the same cache.
    pub fn downloads(&self) -> Downloads {
        Downloads {
            inner: Arc::clone(&self.inner),
        }
    }

    /// The bytes with digest `output`; damaged ones are moved aside, so the next lookup misses.
    pub fn load(&self, output: &Digest) -> Result<Vec<u8>, Damage> {
        let path = blob_path(&self.inner.root, output);
        let bytes = fs::read(&path).map_err(|error| Damage::unread(&path, &error))?;
        if Digest::of(&bytes) == *output {
            return Ok(bytes);
        }
        disk::move_aside(&path, |bytes| Digest::of(bytes) != *output);
        Err(Damage::new(&path, Flaw::Altered))
    }

    /// Like [`NodeStore::load`], for bytes of which only a part is needed, if any: all are checked, none kept.
    pub fn check(&self, output: &Digest) -> Result<fs::File, Damage> {
        let path = blob_path(&self.inner.root, output);
        let unread = |error: std::io::Error| Damage::unread(&path, &error);
        let mut file = fs::File::open(&path).map_err(unread)?;
        if digest(&mut file).map_err(unread)? == *output {
            file.rewind().map_err(unread)?;
            return Ok(file);
        }
        disk::move_aside(&path, |bytes| Digest::of(bytes) != *output);
        Err(Damage::new(&path, Flaw::Altered))
    }

    /// Puts bytes that were lost or altered back in their place.
    pub fn restore(&self, bytes: &[u8]) -> Result<(), CacheError> {
        disk::replace(&self.path_of(&Digest::of(bytes)), bytes)
    }

    /// Where what is known of the result of `key` stands.
    pub fn path_of_entry(&self, key: &Digest) -> PathBuf {
        entry_path(&self.inner.root, key)
    }

    /// Where the bytes with digest `output` stand.
    pub fn path_of(&self, output: &Digest) -> PathBuf {
        blob_path(&self.inner.root, output)
    }

    /// The printable key stored with `key`, if it is there and intact.
    pub fn fields_of(&self, key: &Digest) -> Option<Value> {
        self.entry(key).ok().flatten().map(|entry| entry.fields)
    }

    /// Waits for the right to store `key`; `None` as soon as `interrupted` says so.
    pub fn claim(&self, key: &Digest, interrupted: &dyn Fn() -> bool) -> Option<Claim> {
        let guard = self.inner.locks.lock(key, interrupted)?;
        Some(Claim {
            inner: Arc::clone(&self.inner),
            key: *key,
            _guard: guard,
        })
    }

    /// That the file system has no locks, once.
    pub fn take_warning(&self) -> Option<Damage> {
        self.inner.locks.take_warning()
    }

    /// What is known of the result of `key`, whether or not its bytes are there.
    ///
    /// # Errors
    /// Damage of the entry, which is then moved aside.
    pub fn entry(&self, key: &Digest) -> Result<Option<Entry>, Damage> {
        self.entry_with(key)
    }

    /// The same with as much of the key as `F` holds: there is one for each node of a plan, and most of it is the key.
    ///
    /// # Errors
    /// As [`NodeStore::entry`].
    pub fn entry_with<F: DeserializeOwned>(
        &self,
        key: &Digest,
    ) -> Result<Option<Entry<F>>, Damage> {
        let path = entry_path(&self.inner.root, key);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Damage::unread(&path, &error)),
        };
        if let Some(entry) = read_entry(key, &bytes) {
            return Ok(Some(entry));
        }
        disk::move_aside(&path, |bytes| read_entry::<F>(key, bytes).is_none());
        Err(Damage::new(&path, Flaw::Altered))
    }

    pub(super) fn root(&self) -> &Root {
        &self.inner.root
    }
}

impl Claim {
    /// The claimed key.
    pub fn key(&self) -> &Digest {
        &self.key
    }

    /// Stores the result: the bytes first, then the entry that names them, each durable before the next.
    ///
    /// Fails with [`CacheError::Mismatch`] when `entry` is not for this key or not for these bytes.
    pub fn commit(self, entry: &Entry, bytes: &[u8]) -> Result<(), CacheError> {
        let sealed = self.seal(entry, &Digest::of(bytes))?;
        let blob = blob_path(&self.inner.root, &entry.output);
        // Compared in full, so that an altered blob is repaired rather than trusted by its name.
        if !fs::read(&blob).is_ok_and(|there| there == bytes) {
            disk::replace(&blob, bytes)?;
        }
        disk::replace(&entry_path(&self.inner.root, &self.key), &sealed)
    }

    /// Like [`Claim::commit`], for a result that was written while it was made.
    pub fn commit_blob(self, entry: &Entry, blob: Blob) -> Result<(), CacheError> {
        let sealed = self.seal(entry, &blob.digest())?;
        blob.commit(&self.inner.root)?;
        disk::replace(&entry_path(&self.inner.root, &self.key), &sealed)
    }

    /// Like [`Claim::commit`], for a result whose bytes are stored already.
    pub fn commit_stored(self, entry: &Entry) -> Result<(), CacheError> {
        let sealed = self.seal(entry, &entry.output)?;
        disk::replace(&entry_path(&self.inner.root, &self.key), &sealed)
    }

    /// The entry as it is stored, if it is for this key and these bytes.
    fn seal(&self, entry: &Entry, output: &Digest) -> Result<Vec<u8>, CacheError> {
        let mismatch = |what| CacheError::Mismatch {
            key: self.key,
            what,
        };
        if entry.key != self.key {
            return Err(mismatch("its claim"));
        }
        if entry.output != *output {
            return Err(mismatch("its bytes"));
        }
        let sealed = seal::seal(entry);
        // Read back, because JSON that is nested too deeply can be written but not read.
        if read_entry(&self.key, &sealed).as_ref() != Some(entry) {
            return Err(mismatch("the format of the cache"));
        }
        Ok(sealed)
    }
}

/// Where the entry of `key` stands.
pub(super) fn entry_path(root: &Root, key: &Digest) -> PathBuf {
    disk::fan_out(&root.part("nodes"), key, ".json")
}

/// Where the bytes with digest `output` stand.
pub(super) fn blob_path(root: &Root, output: &Digest) -> PathBuf {
    disk::fan_out(&root.part("blobs"), output, "")
}

/// Reads an entry file; `None` if it was altered or belongs to another key.
pub(super) fn read_entry<F: DeserializeOwned>(key: &Digest, bytes: &[u8]) -> Option<Entry<F>> {
    seal::unseal(bytes).filter(|entry: &Entry<F>| entry.key == *key)
}
