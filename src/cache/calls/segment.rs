//! Appending to a segment, one process at a time.
//!
//! The writer of `07.seg` is the process that holds a lock on `07.lock`. (The lock has a file of
//! its own so that readers are not shut out on systems whose locks also bar reading, and so that
//! the segment is opened, hence seen up to date on network disks, after the lock was obtained.)
//! A record, once complete in the file, is never cut off again except by the trimmer.
//!
//! Jobs on several machines cannot rely on such locks, which may be missing or local. Each makes segments of its own, by
//! making a lock file that must not be there yet and writing its name into it: others leave a segment alone whose lock
//! file is not empty, until the name is taken out.

use std::fs::TryLockError;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fs_err as fs;

use super::scan::{self, Tail};
use crate::cache::disk;
use crate::cache::error::{CacheError, Damage, Flaw};
use crate::cache::lock_file::{LockFile, is_at};

/// A segment this long is full, in bytes (1 GiB), so that trimming rewrites files of a bearable size.
const FULL: u64 = 1 << 30;

/// The right to append to one segment.
#[derive(Debug)]
pub(super) struct Segment {
    /// The segment's number, which ranks its records.
    pub(super) number: u32,
    /// Its file.
    pub(super) path: PathBuf,
    /// Where the next record will begin, in bytes from the start of the file.
    pub(super) end: u64,
    file: fs::File,
    /// Held for its lock, where it is not ours by name.
    _lock: Option<LockFile>,
}

/// What the holder of the index does for a new writer.
pub(super) trait Readers {
    /// Reads the segment up to its end.
    fn scan(&mut self, number: u32, path: &Path) -> Option<Tail>;
    /// Takes note of damage.
    fn report(&mut self, damage: Damage);
}

/// All segments in `folder`, by number.
pub(crate) fn list(folder: &Path) -> Result<Vec<(u32, PathBuf)>, CacheError> {
    files(folder, "seg")
}

/// The files of all segments with this ending, by number.
fn files(folder: &Path, extension: &str) -> Result<Vec<(u32, PathBuf)>, CacheError> {
    let failed = |error| CacheError::io(folder, error);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut segments = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let number = path.file_name().and_then(|name| {
            let (number, ending) = name.to_str()?.split_once('.')?;
            (ending == extension).then(|| number.parse().ok())?
        });
        // The name has to be the one we would give: `7.seg` beside `07.seg` is not ours.
        if let Some(number) = number
            && path == path_of(folder, number, extension)
        {
            segments.push((number, path));
        }
    }
    segments.sort_unstable();
    Ok(segments)
}

/// The file of a segment (`seg`) or of its lock (`lock`).
pub(crate) fn path_of(folder: &Path, number: u32, extension: &str) -> PathBuf {
    folder.join(format!("{number:02}.{extension}"))
}

/// Takes the names of owners out of their segments who are done, which is told by their names and by when they last wrote
/// something. An owner that was killed at the wrong moment has the name alone.
pub(super) fn free(
    folder: &Path,
    is_done: &dyn Fn(&str, Option<SystemTime>) -> bool,
) -> Result<(), CacheError> {
    for (number, path) in files(folder, "lock")? {
        let Ok(owner) = fs::read_to_string(&path) else {
            continue;
        };
        let segment = path_of(folder, number, "seg");
        let written = fs::metadata(&segment).or_else(|_| fs::metadata(&path));
        let written = written.and_then(|about| about.modified()).ok();
        if !owner.is_empty() && is_done(&owner, written) {
            fs::write(&path, "").map_err(|error| CacheError::io(&path, error))?;
        }
    }
    Ok(())
}

/// Makes a file for reading and writing; `None` if it is there already.
fn make(path: &Path) -> Result<Option<fs::File>, CacheError> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    match options.open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(CacheError::io(path, error)),
    }
}

impl Segment {
    /// Takes the first segment, from number `from` on, that nobody else is writing, creating one if needed; for an `owner`
    /// always creating one.
    pub(super) fn take(
        folder: &Path,
        from: u32,
        owner: Option<&str>,
        readers: &mut dyn Readers,
    ) -> Result<Self, CacheError> {
        disk::make_folder(folder)?;
        let mut number = from;
        loop {
            let taken = match owner {
                Some(owner) => Self::make_numbered(folder, number, owner, readers)?,
                None => Self::take_numbered(folder, number, readers)?,
            };
            if let Some(segment) = taken {
                return Ok(segment);
            }
            number += 1;
        }
    }

    /// `None` if there is such a segment.
    fn make_numbered(
        folder: &Path,
        number: u32,
        owner: &str,
        readers: &mut dyn Readers,
    ) -> Result<Option<Self>, CacheError> {
        let path = path_of(folder, number, "seg");
        let lock_path = path_of(folder, number, "lock");
        let Some(mut lock) = make(&lock_path)? else {
            return Ok(None);
        };
        let named = lock
            .write_all(owner.as_bytes())
            .and_then(|()| lock.sync_all());
        named.map_err(|error| CacheError::io(&lock_path, error))?;
        let Some(file) = make(&path)? else {
            return Ok(None);
        };
        disk::sync_folder(folder)?;
        // From now on it is read as any other.
        if readers.scan(number, &path).is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            number,
            path,
            end: 0,
            file,
            _lock: None,
        }))
    }

    /// `None` if this segment is full, or somebody else's.
    fn take_numbered(
        folder: &Path,
        number: u32,
        readers: &mut dyn Readers,
    ) -> Result<Option<Self>, CacheError> {
        let path = path_of(folder, number, "seg");
        let lock_path = path_of(folder, number, "lock");
        if fs::metadata(&lock_path).is_ok_and(|lock| lock.len() > 0) {
            return Ok(None);
        }
        let lock = match LockFile::open(&lock_path) {
            Ok(lock) => lock,
            // Made by a colleague who did not give us the right to write: leave it to them.
            Err(_) if lock_path.exists() => return Ok(None),
            Err(error) => return Err(error),
        };
        let locked = match lock.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(_)) => {
                readers.report(Damage::new(folder, Flaw::NoLocks));
                false
            }
        };
        let mut options = fs::OpenOptions::new();
        options.read(true).write(true);
        // Without locks, only a file that we made ourselves is certainly ours.
        if locked {
            options.create(true).truncate(false);
        } else {
            options.create_new(true);
        }
        let file = match options.open(&path) {
            Ok(file) => file,
            Err(_) if path.exists() => return Ok(None),
            Err(error) => return Err(CacheError::io(&path, error)),
        };
        let failed = |error| CacheError::io(&path, error);
        let size = file.metadata().map_err(failed)?.len();
        if size >= FULL {
            return Ok(None);
        }
        let Some(tail) = readers.scan(number, &path) else {
            return Ok(None);
        };
        // Ask our own handle too before cutting: the readers' may be of a file that was deleted since.
        let end = scan::scan(&file, tail.append, &mut |_| {}).map_err(failed)?;
        if tail.append > size || end.append != tail.append {
            return Ok(None);
        }
        if tail.append < size {
            file.set_len(tail.append).map_err(failed)?;
        }
        if size == 0 {
            disk::sync_folder(folder)?;
        }
        Ok(Some(Self {
            number,
            path,
            end: tail.append,
            file,
            _lock: Some(lock),
        }))
    }

    /// Whether the file is still there for others to read.
    pub(super) fn is_there(&self) -> bool {
        is_at(&self.file, &self.path)
    }

    /// Whether the next records should go elsewhere.
    pub(super) fn is_full(&self) -> bool {
        self.end >= FULL
    }

    /// Appends records, the last bytes of which are at `ends`, and makes them durable.
    ///
    /// Returns how many records are safely stored and, if not all, why. After a failed fsync
    /// nothing is known about the file and the segment must not be used again by this process.
    pub(super) fn append(&mut self, bytes: &[u8], ends: &[usize]) -> (usize, Option<AppendError>) {
        let (written, failure) = self.write(bytes);
        let complete = ends.iter().take_while(|&&end| end <= written).count();
        let kept = complete.checked_sub(1).map_or(0, |last| ends[last]);
        if let Some(error) = failure {
            // Cut what is incomplete. Complete records stay, because readers may have seen them.
            if let Err(error) = self.file.set_len(self.end + kept as u64) {
                let error = CacheError::io(&self.path, error);
                return (0, Some(AppendError::Spoilt(error)));
            }
            return match self.sync(kept) {
                Ok(()) => (complete, Some(AppendError::Rejected(error))),
                Err(_) => (0, Some(AppendError::Spoilt(error))),
            };
        }
        match self.sync(kept) {
            Ok(()) => (complete, None),
            Err(error) => (0, Some(AppendError::Spoilt(error))),
        }
    }

    /// How many bytes got into the file, and what stopped the rest.
    fn write(&mut self, bytes: &[u8]) -> (usize, Option<CacheError>) {
        use std::io::Seek;
        let mut written = 0;
        let result = self.file.seek(io::SeekFrom::Start(self.end)).and_then(|_| {
            while written < bytes.len() {
                match self.file.write(&bytes[written..]) {
                    Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                    Ok(count) => written += count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        });
        let failure = result.err().map(|error| CacheError::io(&self.path, error));
        (written, failure)
    }

    fn sync(&mut self, kept: usize) -> Result<(), CacheError> {
        self.file
            .sync_data()
            .map_err(|error| CacheError::io(&self.path, error))?;
        self.end += kept as u64;
        Ok(())
    }
}

/// Why some records were not stored.
#[derive(Debug)]
pub(super) enum AppendError {
    /// They did not fit; the segment is as good as before.
    Rejected(CacheError),
    /// The state of the file is unknown; go on in another one.
    Spoilt(CacheError),
}
