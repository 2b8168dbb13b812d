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
