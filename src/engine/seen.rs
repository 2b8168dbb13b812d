//! Files that an earlier run read, so that those which nobody has touched since need not be read again: what the system says
//! of each, beside the digest of its bytes.
//!
//! As git's index has it: a file that has the length, the times and the place on the disk that it had holds what it held. A
//! clock has steps, and within one a file can change and keep its times, so of a file that was changed shortly before it was
//! read nothing is kept. What a stage is handed is read in any case, and its digest compared.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::digested;
use crate::base::key::Digest;
use crate::base::lock::lock;
use crate::base::stamp::Stamp;
use crate::cache::NodeStore;

/// The files by their paths.
type Known = BTreeMap<String, (Stamp, Digest)>;

/// Files that this process read, and those that it wrote: nobody else does, so that not even a moment has to pass for them to
/// be known.
static HERE: Mutex<Known> = Mutex::new(Known::new());

/// What is known of files without reading them.
#[derive(Debug)]
pub(super) struct Seen {
    /// Where it is kept; nowhere, where what is kept is not to be believed.
    store: Option<(NodeStore, String)>,
    before: Known,
    now: Mutex<Known>,
    /// Files that this run wrote, as they were then.
    written: Mutex<Vec<(PathBuf, Stamp, Digest)>>,
}

impl Seen {
    /// What runs of these stages saw before; a cache that came from elsewhere is not believed.
    pub(super) fn open(store: &NodeStore, titles: &[String], strange: bool) -> Self {
        let store = (!strange).then(|| (store.clone(), Digest::of(titles.join("\n")).to_string()));
        let before = store
            .as_ref()
            .and_then(|(store, name)| store.load_seen(name));
        Self {
            before: before.unwrap_or_default(),
            store,
            now: Mutex::default(),
            written: Mutex::default(),
        }
    }

    /// What earlier runs kept under a name, beside the files that they read.
    pub(super) fn kept<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.store.as_ref()?.0.load_seen(name)
    }

    /// Keeps something under a name for the runs to come. Where that cannot be written, they see for themselves.
    pub(super) fn keep(&self, name: &str, what: &impl Serialize) {
        if let Some((store, _)) = &self.store {
            store.save_seen(name, what);
        }
    }

    /// The digest that a file had when it was as the system says it is now.
    pub(super) fn known(&self, path: &Path, found: &Metadata) -> Option<Digest> {
        let path = absolute(path)?;
        let stamp = Stamp::of(found)?;
        let same = |(then, digest): &(Stamp, Digest)| (*then == stamp).then_some(*digest);
        if let Some(digest) = self.before.get(&path).and_then(same) {
            lock(&self.now).insert(path, (stamp, digest));
            return Some(digest);
        }
        self.store.as_ref()?;
        let digest = lock(&HERE).get(&path).and_then(same)?;
        if stamp.is_settled(SystemTime::now()) {
            lock(&self.now).insert(path, (stamp, digest));
        }
        Some(digest)
    }

    /// Keeps the digest of a file that was read between `before` and `after`, for the runs to come.
    pub(super) fn note(&self, path: &Path, digest: Digest, before: &Metadata, after: &Metadata) {
        let stamps = (Stamp::of(before), Stamp::of(after));
        let (Some(stamp), Some(path)) = (stamps.0.clone(), absolute(path)) else {
            return;
        };
        if stamps.0 == stamps.1 && stamp.is_settled(SystemTime::now()) {
            if self.store.is_some() {
                lock(&HERE).insert(path.clone(), (stamp.clone(), digest));
            }
            lock(&self.now).insert(path, (stamp, digest));
        }
    }

    /// Notes a file that was written with this digest a moment ago. It counts as read if it is still the same when it is
    /// [kept](Self::save) and another change would show by then.
    pub(super) fn wrote(&self, path: PathBuf, digest: Digest) {
        let stamp = path.metadata().ok().as_ref().and_then(Stamp::of);
        if let Some(stamp) = stamp {
            if let Some(path) = absolute(&path) {
                lock(&HERE).insert(path, (stamp.clone(), digest));
            }
            lock(&self.written).push((path, stamp, digest));
        }
    }

    /// The digest of an open file, which is read unless it is known.
    pub(super) fn digest(&self, path: &Path, file: &mut std::fs::File) -> io::Result<Digest> {
        let before = file.metadata()?;
        if let Some(digest) = self.known(path, &before) {
            return Ok(digest);
        }
        let digest = digested::digest(file)?;
        self.note(path, digest, &before, &file.metadata()?);
        Ok(digest)
    }

    /// Keeps what was seen. What cannot be written is read again next time.
    pub(super) fn save(&self) {
        let mut now = lock(&self.now);
        for (path, stamp, digest) in lock(&self.written).drain(..) {
            let found = path.metadata().ok().as_ref().and_then(Stamp::of);
            if found.as_ref() == Some(&stamp)
                && stamp.is_settled(SystemTime::now())
                && let Some(path) = absolute(&path)
            {
                now.insert(path, (stamp, digest));
            }
        }
        if let Some((store, name)) = &self.store
            && *now != self.before
        {
            store.save_seen(name, &*now);
        }
    }
}

fn absolute(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    path.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, NodeStore) {
        let folder = tempfile::tempdir().unwrap();
        let store = NodeStore::open(&folder.path().join("cache")).unwrap();
        (folder, store)
    }

    fn read(seen: &Seen, path: &Path) -> Digest {
        seen.digest(path, &mut std::fs::File::open(path).unwrap())
            .unwrap()
    }

    #[test]
    fn a_file_that_was_changed_a_moment_ago_is_read_again() {
        let (folder, store) = store();
        let path = folder.path().join("a");
        std::fs::write(&path, "one").unwrap();
        let seen = Seen::open(&store, &[], false);
        assert_eq!(read(&seen, &path), Digest::of("one"));
        seen.save();
        assert!(Seen::open(&store, &[], false).before.is_empty());
    }

    #[test]
    fn a_file_is_known_as_long_as_everything_about_it_is_the_same() {
        let (folder, store) = store();
        let path = folder.path().join("a");
        std::fs::write(&path, "one").unwrap();
        let found = path.metadata().unwrap();
        let stamp = Stamp::of(&found).unwrap();
        let seen = Seen::open(&store, &[], false);
        // What is told is believed, so that a test can tell whether the file was read.
        let told = Digest::of("told");
        let at = absolute(&path).unwrap();
        lock(&seen.now).insert(at, (stamp, told));
        seen.save();
        let again = Seen::open(&store, &[], false);
        assert_eq!(read(&again, &path), told);
        // Of other stages, and from elsewhere.
        assert_eq!(
            read(&Seen::open(&store, &["b".to_owned()], false), &path),
            Digest::of("one")
        );
        assert_eq!(
            read(&Seen::open(&store, &[], true), &path),
            Digest::of("one")
        );
        // Same length and same time of writing.
        std::fs::write(&path, "two").unwrap();
        let file = std::fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(found.modified().unwrap()).unwrap();
        let after = path.metadata().unwrap();
        assert_eq!(after.len(), found.len());
        assert_eq!(after.modified().unwrap(), found.modified().unwrap());
        if cfg!(unix) {
            assert_eq!(read(&again, &path), Digest::of("two"));
        }
    }
}
