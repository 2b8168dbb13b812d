//! Files that are there whole or not at all.
//!
//! The bytes go to a temporary file beside the target, which is locked as long as its process lives: one that can be
//! locked was left by a killed process and may be cleared away. Decides nothing about what is written.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// How temporary files begin, where no other beginning is agreed on.
const TEMPORARY: &str = ".tribunal-";

/// A file that is written bit by bit and is not there until it is kept; dropped, it never was.
#[derive(Debug)]
pub struct Pending {
    file: NamedTempFile,
    path: PathBuf,
}

impl Pending {
    /// Begins a file that will be at `path`, whose folder is there.
    ///
    /// # Errors
    /// When there can be no file in the folder.
    pub fn begin(path: &Path) -> io::Result<Self> {
        Self::begin_as(path, TEMPORARY)
    }

    /// Begins it under a temporary name with another beginning.
    ///
    /// # Errors
    /// When there can be no file in the folder.
    pub fn begin_as(path: &Path, temporary: &str) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(temporary);
        #[cfg(unix)]
        let permissions = {
            // For everyone whom the umask lets read or write, as any new file.
            use std::os::unix::fs::PermissionsExt;
            std::fs::Permissions::from_mode(0o666)
        };
        #[cfg(unix)]
        builder.permissions(permissions);
        let file = loop {
            let file = builder.tempfile_in(folder_of(path))?;
            match file.as_file().try_lock() {
                Ok(()) if file.path().exists() => break file,
                // Where there are no locks, nothing is cleared away either.
                Err(TryLockError::Error(_)) => break file,
                // Another process took it for a dead one's between its making and its locking.
                Ok(()) | Err(TryLockError::WouldBlock) => {}
            }
        };
        let path = path.to_owned();
        Ok(Self { file, path })
    }

    /// Where to write; the plain file, so that errors do not name the temporary path.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Where the bytes are until they are kept.
    pub fn temporary(&self) -> &Path {
        self.file.path()
    }

    /// Makes the bytes durable and puts them in their place; whatever was there is gone.
    ///
    /// # Errors
    /// When the disk is full, or the place cannot be had.
    pub fn keep(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(self.path).map_err(|error| error.error)?;
        Ok(())
    }

    /// The same, in another place of the same file system.
    ///
    /// # Errors
    /// When the disk is full, or the place cannot be had.
    pub fn keep_at(self, path: &Path) -> io::Result<()> {
        let path = path.to_owned();
        Self { path, ..self }.keep()
    }

    /// The same, where nothing may be yet.
    ///
    /// # Errors
    /// When the disk is full, or something is there.
    pub fn keep_new(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        let kept = self.file.persist_noclobber(self.path);
        kept.map_err(|error| error.error)?;
        Ok(())
    }
}

/// Puts `bytes` at `path`.
///
/// # Errors
/// When the disk is full, or the place cannot be had.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut pending = Pending::begin(path)?;
    pending.file().write_all(bytes)?;
    pending.keep()
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Removes what killed processes left half-written in a folder.
pub fn clear(folder: &Path) {
    // Whatever goes wrong here leaves a stray file, which is no reason to fail a run.
    let Ok(entries) = fs_err::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            continue;
        }
        let path = entry.path();
        let Ok(file) = fs_err::OpenOptions::new().write(true).open(&path) else {
            continue;
        };
        // The lock is held until the file is gone, so that `begin` notices.
        if file.file().try_lock().is_ok() {
            let _ = fs_err::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs_err::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        for text in ["one", "two", "two"] {
            replace(&path, text.as_bytes()).unwrap();
            assert_eq!(fs_err::read_to_string(&path).unwrap(), text);
            assert_eq!(names(folder.path()), ["a.md"]);
        }
    }

    #[test]
    fn a_dead_process_s_temporary_file_is_cleared_and_a_living_one_s_is_not() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join(".tribunal-dead"), "half").unwrap();
        fs_err::write(folder.path().join(".gitkeep"), "").unwrap();
        let living = Pending::begin(&folder.path().join("a")).unwrap();
        clear(folder.path());
        assert!(living.temporary().exists());
        assert_eq!(names(folder.path()).len(), 2);
        drop(living);
        assert_eq!(names(folder.path()), [".gitkeep"]);
    }

    #[test]
    fn a_pending_file_is_there_once_it_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let mut dropped = Pending::begin(&path).unwrap();
        dropped.file().write_all(b"half").unwrap();
        drop(dropped);
        assert!(names(folder.path()).is_empty());
        let mut kept = Pending::begin(&path).unwrap();
        kept.file().write_all(b"whole").unwrap();
        kept.keep().unwrap();
        assert_eq!(fs_err::read(&path).unwrap(), b"whole");
        assert_eq!(names(folder.path()), ["a.parquet"]);
    }

    #[test]
    fn what_must_be_new_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs_err::write(&path, "there").unwrap();
        assert!(Pending::begin(&path).unwrap().keep_new().is_err());
        assert_eq!(fs_err::read(&path).unwrap(), b"there");
        assert_eq!(names(folder.path()), ["a"]);
    }
}
