//! The few ways in which the cache touches the disk: read whole, replace whole, move aside.
//!
//! Every replacement is temporary file, fsync, rename, fsync of the folder, so that a killed
//! process or a full disk leaves the old state or the new one. Knows nothing of keys or entries.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::error::CacheError;
use crate::base::key::Digest;
use crate::base::whole::{self, folder_of};

/// How temporary files begin; the trimmer deletes what a killed process left of them.
pub(crate) const TEMPORARY: &str = ".tmp-";

/// How the names of files moved aside because of damage end.
pub(crate) const ASIDE: &str = "damaged";

/// Creates `folder` and what is above it, durably.
pub(crate) fn make_folder(folder: &Path) -> Result<(), CacheError> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = folder_of(folder);
    if parent != folder {
        make_folder(parent)?;
    }
    match fs::create_dir(folder) {
        Ok(()) => sync_folder(parent),
        // Somebody else was faster.
        Err(_) if folder.is_dir() => Ok(()),
        Err(error) => Err(CacheError::io(folder, error)),
    }
}

/// Makes renames and deletions in `folder` durable; does nothing where folders can't be synced.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), CacheError> {
    if cfg!(unix) {
        fs::File::open(folder)
            .and_then(|file| file.sync_all())
            .map_err(|error| CacheError::io(folder, error))?;
    }
    Ok(())
}

/// Puts `bytes` at `path`, replacing what was there, completely or not at all.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), CacheError> {
    let mut file = Pending::create(path)?;
    file.write(bytes)?;
    file.commit()
}

/// A file on its way: invisible under its name until [`Pending::commit`], removed when dropped before.
pub(crate) struct Pending {
    file: whole::Pending,
    path: PathBuf,
}

impl Pending {
    /// Begins a file that will stand at `path`; creates the folder if needed.
    pub(crate) fn create(path: &Path) -> Result<Self, CacheError> {
        make_folder(folder_of(path))?;
        let file = whole::Pending::begin_as(path, TEMPORARY);
        Ok(Self {
            file: file.map_err(|error| CacheError::io(path, error))?,
            path: path.to_path_buf(),
        })
    }

    /// Adds bytes at the end.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), CacheError> {
        let written = self.file.file().write_all(bytes);
        written.map_err(|error| CacheError::io(&self.path, error))
    }

    /// The bytes so far.
    pub(crate) fn read(&self) -> Result<Vec<u8>, CacheError> {
        fs::read(self.file.temporary()).map_err(|error| CacheError::io(&self.path, error))
    }

    /// The file once more, for another thread.
    pub(crate) fn open_again(&mut self) -> io::Result<std::fs::File> {
        self.file.file().try_clone()
    }

    /// An error of the file, by its name.
    pub(crate) fn failed(&self, error: io::Error) -> CacheError {
        CacheError::io(&self.path, error)
    }

    /// Makes the bytes durable so far.
    pub(crate) fn sync(&mut self) -> Result<(), CacheError> {
        let synced = self.file.file().sync_all();
        synced.map_err(|error| CacheError::io(&self.path, error))
    }

    /// Like [`Pending::commit`], under another name of the same file system.
    pub(crate) fn commit_at(self, path: &Path) -> Result<(), CacheError> {
        make_folder(folder_of(path))?;
        let kept = self.file.keep_at(path);
        kept.map_err(|error| CacheError::io(path, error))?;
        sync_folder(folder_of(path))
    }

    /// Makes the bytes durable, then the name.
    pub(crate) fn commit(self) -> Result<(), CacheError> {
        let path = self.path.clone();
        self.commit_at(&path)
    }
}

/// Moves a damaged file aside, so that the next commit repairs it.
///
/// `still_bad` looks at the bytes again after the move: if another process repaired the file in
/// between, the good one is put back.
pub(crate) fn move_aside(path: &Path, still_bad: impl Fn(&[u8]) -> bool) {
    let aside = path.with_extension(ASIDE);
    // Failing here only means that the same damage is reported again next time.
    if fs::rename(path, &aside).is_ok()
        && let Ok(bytes) = fs::read(&aside)
        && !still_bad(&bytes)
    {
        let _ = fs::rename(&aside, path);
    }
}

/// Reads up to `buffer.len()` bytes at `offset`, fewer only at the end of the file.
pub(crate) fn read_at(file: &fs::File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_some(file, &mut buffer[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(unix)]
fn read_some(file: &fs::File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use fs::os::unix::fs::FileExt;
    file.read_at(buffer, offset)
}

#[cfg(not(unix))]
fn read_some(file: &fs::File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    // A handle of its own, because the position of a shared one would be raced over.
    use std::io::{Read, Seek};
    let mut own = fs::File::open(file.path())?;
    own.seek(io::SeekFrom::Start(offset))?;
    own.read(buffer)
}

/// The path of `digest` below `folder`: two hexadecimal digits, then the whole digest.
pub(crate) fn fan_out(folder: &Path, digest: &Digest, extension: &str) -> PathBuf {
    let name = digest.to_string();
    folder.join(&name[..2]).join(format!("{name}{extension}"))
}
