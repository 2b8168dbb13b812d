//! A file that exists only to be locked as a whole.

use std::fs::TryLockError;
use std::path::Path;

use fs_err as fs;

use super::error::CacheError;

/// An open lock file; whatever lock it has is given up when it is dropped.
#[derive(Debug)]
pub(super) struct LockFile(fs::File);

impl LockFile {
    /// Opens the file, which is created if needed, and locks nothing yet.
    pub(super) fn open(path: &Path) -> Result<Self, CacheError> {
        open(path).map(Self)
    }

    /// Takes the lock alone, unless anyone has it.
    pub(super) fn try_lock(&self) -> Result<(), TryLockError> {
        self.0.file().try_lock()
    }

    /// Whether this is still the file of that name.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        is_at(&self.0, path)
    }

    /// Takes the lock together with others, unless anyone has it alone.
    pub(super) fn try_lock_shared(&self) -> Result<(), TryLockError> {
        self.0.file().try_lock_shared()
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // Closing is not enough: a program that is just being started holds a copy of every handle of ours until
        // it runs, and the lock would stay with the copy. Where there are no locks there is nothing to give up.
        let _ = self.0.file().unlock();
    }
}

/// Whether an open file is still the one of that name: it may have been deleted, or another put in its place.
pub(super) fn is_at(file: &fs::File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        match (file.metadata(), fs::metadata(path)) {
            (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
            // Not to be seen is not the same as gone.
            (_, Err(error)) => error.kind() != std::io::ErrorKind::NotFound,
            (Err(_), _) => true,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Opens a lock file, for reading alone where that is all we may.
pub(super) fn open(path: &Path) -> Result<fs::File, CacheError> {
    let writable = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path);
    // A cache that may only be read is still worth reading.
    writable
        .or_else(|error| fs::File::open(path).map_err(|_| error))
        .map_err(|error| CacheError::io(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_deleted_or_replaced_is_not_at_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let lock = LockFile::open(&path).unwrap();
        assert!(lock.is_at(&path));
        fs::remove_file(&path).unwrap();
        assert!(!lock.is_at(&path));
        let other = LockFile::open(&path).unwrap();
        assert!(other.is_at(&path));
        assert_eq!(lock.is_at(&path), cfg!(not(unix)));
    }

    #[test]
    fn a_lock_is_given_up_although_a_copy_of_the_handle_is_still_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let first = LockFile::open(&path).unwrap();
        first.try_lock().unwrap();
        let second = LockFile::open(&path).unwrap();
        assert!(matches!(second.try_lock(), Err(TryLockError::WouldBlock)));
        // As a program has that is started at this moment.
        let copy = first.0.file().try_clone().unwrap();
        drop(first);
        second.try_lock().unwrap();
        drop(copy);
    }
}
