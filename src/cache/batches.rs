//! What is known of batches that a model server works on: one small sealed file each.
//!
//! `batches/<digest>.json` says how far a batch has come. It is the only trace of work that may have
//! been paid for and whose answers are still with the server, so it is replaced whole, durable before
//! its writer goes on, and not for the trimmer to remove. What is in it is nothing to this module.

use std::path::PathBuf;
use std::sync::Arc;

use fs_err as fs;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::disk;
use super::error::{CacheError, Damage, Flaw};
use super::locks::Guard;
use super::nodes::Inner;
use super::seal;
use crate::base::key::Digest;

/// The folder of batches.
pub(super) const FOLDER: &str = "batches";

/// The store of batches; clones share it.
#[derive(Debug, Clone)]
pub struct Batches {
    pub(super) inner: Arc<Inner>,
}

/// Everything that is kept, by name, and what could not be read.
#[derive(Debug)]
pub struct Kept<T> {
    /// The whole files, in the order of their digests.
    pub whole: Vec<(Digest, T)>,
    /// The others. Altered ones are moved aside, so they are reported once.
    pub damages: Vec<Damage>,
}

impl Batches {
    /// Everything that is kept.
    pub fn all<T: DeserializeOwned>(&self) -> Result<Kept<T>, CacheError> {
        let mut kept = Kept {
            whole: Vec::new(),
            damages: Vec::new(),
        };
        let folder = self.inner.root.part(FOLDER);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(kept),
            Err(error) => return Err(CacheError::io(&folder, error)),
        };
        let mut digests = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| CacheError::io(&folder, error))?;
            let name = entry.file_name();
            let stem = name.to_str().and_then(|name| name.strip_suffix(".json"));
            digests.extend(stem.and_then(|stem| stem.parse::<Digest>().ok()));
        }
        digests.sort_unstable();
        for digest in digests {
            match self.load(&digest) {
                Ok(Some(content)) => kept.whole.push((digest, content)),
                // Removed by another process since the folder was read.
                Ok(None) => {}
                Err(damage) => kept.damages.push(damage),
            }
        }
        Ok(kept)
    }

    /// What is kept under `digest`, if anything.
    ///
    /// # Errors
    /// Damage. An altered file is moved aside: its batch can no longer be found.
    pub fn load<T: DeserializeOwned>(&self, digest: &Digest) -> Result<Option<T>, Damage> {
        let path = self.path_of(digest);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Damage::unread(&path, &error)),
        };
        if let Some(content) = seal::unseal(&bytes) {
            return Ok(Some(content));
        }
        disk::move_aside(&path, |bytes| seal::unseal::<T>(bytes).is_none());
        Err(Damage::new(&path, Flaw::Altered))
    }

    /// Keeps `content`, an object with members, under `digest`, in place of what was there.
    pub fn store<T: Serialize>(&self, digest: &Digest, content: &T) -> Result<(), CacheError> {
        disk::replace(&self.path_of(digest), &seal::seal(content))
    }

    /// Forgets what is kept under `digest`, if anything.
    pub fn remove(&self, digest: &Digest) -> Result<(), CacheError> {
        let path = self.path_of(digest);
        match fs::remove_file(&path) {
            Ok(()) => disk::sync_folder(&self.inner.root.part(FOLDER)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(CacheError::io(&path, error)),
        }
    }

    /// Takes the right to work on a batch unless anyone, this process included, has it.
    pub fn try_lock(&self, digest: &Digest) -> Option<Guard> {
        self.inner.locks.try_lock(&name(&digest.to_string()))
    }

    /// Waits for the right to decide who sends which questions; `None` as soon as `interrupted` says so.
    /// Nobody holds it for longer than it takes to read and write these files.
    pub fn lock_all(&self, interrupted: &dyn Fn() -> bool) -> Option<Guard> {
        self.inner.locks.lock(&name("*"), interrupted)
    }

    /// Where a batch is kept, for messages.
    pub fn path_of(&self, digest: &Digest) -> PathBuf {
        self.inner.root.part(FOLDER).join(format!("{digest}.json"))
    }
}

/// The name of a lock: apart from those of calls and nodes, whose keys are digests themselves.
fn name(what: &str) -> Digest {
    Digest::of(format!("{FOLDER}/{what}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cache::NodeStore;

    type Content = BTreeMap<String, u64>;

    fn store(folder: &tempfile::TempDir) -> Batches {
        NodeStore::open(folder.path()).unwrap().batches()
    }

    fn content(n: u64) -> Content {
        BTreeMap::from([("n".to_owned(), n)])
    }

    #[test]
    fn what_is_stored_is_there_until_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let batches = store(&folder);
        assert!(batches.all::<Content>().unwrap().whole.is_empty());
        let (a, b) = (Digest::of("a"), Digest::of("b"));
        batches.store(&a, &content(1)).unwrap();
        batches.store(&b, &content(2)).unwrap();
        batches.store(&b, &content(3)).unwrap();
        let mut wanted = vec![(a, content(1)), (b, content(3))];
        wanted.sort_unstable();
        assert_eq!(batches.all::<Content>().unwrap().whole, wanted);
        batches.remove(&b).unwrap();
        batches.remove(&b).unwrap();
        assert_eq!(batches.load::<Content>(&b).unwrap(), None);
        assert_eq!(batches.load(&a).unwrap(), Some(content(1)));
    }

    #[test]
    fn an_altered_file_is_told_once_and_kept_aside() {
        let folder = tempfile::tempdir().unwrap();
        let batches = store(&folder);
        let digest = Digest::of("a");
        batches.store(&digest, &content(1)).unwrap();
        let path = batches.path_of(&digest);
        let bytes = fs::read_to_string(&path).unwrap();
        fs::write(&path, bytes.replace('1', "2")).unwrap();
        assert_eq!(batches.all::<Content>().unwrap().damages.len(), 1);
        assert!(batches.all::<Content>().unwrap().damages.is_empty());
        assert!(path.with_extension(disk::ASIDE).exists());
    }

    #[test]
    fn files_of_other_names_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let batches = store(&folder);
        batches.store(&Digest::of("a"), &content(1)).unwrap();
        let path = batches.path_of(&Digest::of("a"));
        fs::write(path.with_file_name(".tmp-x"), "half").unwrap();
        fs::write(path.with_file_name("notes.json"), "half").unwrap();
        let kept = batches.all::<Content>().unwrap();
        assert_eq!((kept.whole.len(), kept.damages.len()), (1, 0));
    }

    #[test]
    fn a_batch_has_one_worker_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let batches = store(&folder);
        let digest = Digest::of("a");
        let guard = batches.try_lock(&digest);
        assert!(guard.is_some());
        assert!(batches.try_lock(&digest).is_none());
        assert!(batches.try_lock(&Digest::of("b")).is_some());
        drop(guard);
        assert!(batches.try_lock(&digest).is_some());
    }
}
