//! Writing a file whole or not at all, so that no reader ever meets half a table.
//!
//! The bytes go to a temporary file beside the target, which is locked as long as its process
//! lives: one that can be locked was left by a killed process and is cleared away. Decides nothing
//! about what is written.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use super::exit::{Error, Exit};

/// How temporary files begin.
const TEMPORARY: &str = ".tribunal-";

/// Puts `bytes` at `path`; a file that holds them already is left alone.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if fs_err::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    write(path, bytes).map_err(|error| failed(path, &error))
}

pub(super) fn failed(path: &Path, error: &io::Error) -> Error {
    let failed = Error::new(
        Exit::Broken,
        format!("can't write `{}`: {error}", path.display()),
    );
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => failed.hint(
            "free some space, then run again: what was finished is stored and only written anew",
        ),
        _ => failed,
    }
}

/// A file that is written bit by bit and is not there until it is kept; dropped, it never was.
pub(super) struct Pending<'p> {
    path: &'p Path,
    file: NamedTempFile,
}

impl<'p> Pending<'p> {
    /// Begins a file that will be at `path`.
    pub(super) fn begin(path: &'p Path) -> Result<Self, Error> {
        let file = begin(folder_of(path)).map_err(|error| failed(path, &error))?;
        Ok(Self { path, file })
    }

    /// Where to write.
    pub(super) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Puts it in its place.
    pub(super) fn keep(self) -> Result<(), Error> {
        let kept = self.file.as_file().sync_all().and_then(|()| {
            self.file.persist(self.path).map_err(|error| error.error)?;
            Ok(())
        });
        kept.map_err(|error| failed(self.path, &error))
    }
}

/// Removes what killed processes left half-written in a folder.
pub(super) fn clear(folder: &Path) {
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

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = begin(folder_of(path))?;
    // The plain file, because the wrapper's errors name the temporary path.
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// A temporary file that [`clear`] leaves alone.
fn begin(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    let permissions = {
        // Tables are for everyone whom the umask lets read, as any new file.
        use std::os::unix::fs::PermissionsExt;
        std::fs::Permissions::from_mode(0o666)
    };
    #[cfg(unix)]
    builder.permissions(permissions);
    loop {
        let file = builder.tempfile_in(folder)?;
        match file.as_file().try_lock() {
            Ok(()) if file.path().exists() => return Ok(file),
            // Where there are no locks, nothing is cleared away either.
            Err(TryLockError::Error(_)) => return Ok(file),
            // Another process took it for a dead one's between its making and its locking.
            Ok(()) | Err(TryLockError::WouldBlock) => {}
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
        let living = begin(folder.path()).unwrap();
        clear(folder.path());
        assert!(living.path().exists());
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
    fn a_failure_names_the_file_that_was_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone/a.md");
        let error = replace(&path, b"x").unwrap_err();
        assert!(error.message.contains("gone/a.md"), "{error}");
    }
}
