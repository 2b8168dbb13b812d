//! The cache folder itself: layout, tag, format number, and who is using it.
//!
//! Every open store holds the folder's *use lock* shared; the trimmer holds it alone. Nothing
//! here knows what an entry or a record looks like.

use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::disk;
use super::error::{CacheError, Damage, Flaw};
use super::lock_file::LockFile;

/// The format of everything below `cache/v1`; another format gets another folder and never meets this one.
pub const FORMAT: u32 = 1;

/// First line of `CACHEDIR.TAG`, by which backup programs know that a folder can be skipped
/// (Cache Directory Tagging Specification).
const SIGNATURE: &str = "Signature: 8a477f597d28d172789f06886806bc55";

/// The file that is locked by whoever uses the cache.
const USE_LOCK: &str = "use.lock";

const README: &str = "Results of tribunal runs: safe to delete, but model calls would be paid for again; trim with `tribunal gc`.\n";

/// How often to look, 20 ms apart, whether a trimmer has finished: about 5 seconds.
const PATIENCE: u32 = 250;

/// The trimmer's own patience, 20 ms apart: a process that is just being started by a run that is
/// over still holds its locks for a moment.
const TRIMMERS_PATIENCE: u32 = 10;

/// An open cache folder. As long as it lives, the cache is not trimmed.
#[derive(Debug)]
pub(crate) struct Root {
    top: PathBuf,
    base: PathBuf,
    /// Held for its lock.
    using: LockFile,
    warning: Option<Damage>,
}

/// Whether the use lock is wanted together with others or alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Shared,
    Alone,
}

impl Root {
    /// Opens the folder for use, creating it if needed; waits a few seconds for a trimmer.
    pub(crate) fn open(top: &Path) -> Result<Self, CacheError> {
        Self::acquire(top, Use::Shared)
    }

    /// Opens the folder alone, or says that it is in use.
    pub(crate) fn open_alone(top: &Path) -> Result<Self, CacheError> {
        Self::acquire(top, Use::Alone)
    }

    fn acquire(top: &Path, wanted: Use) -> Result<Self, CacheError> {
        let base = top.join(format!("v{FORMAT}"));
        disk::make_folder(&base)?;
        write_once(
            &top.join("CACHEDIR.TAG"),
            &format!("{SIGNATURE}\n# This folder is a cache made by tribunal.\n"),
        )?;
        write_once(&top.join("README"), README)?;
        let path = base.join(USE_LOCK);
        let file = LockFile::open(&path)?;
        let mut patience = match wanted {
            Use::Shared => PATIENCE,
            Use::Alone => TRIMMERS_PATIENCE,
        };
        let warning = loop {
            let outcome = match wanted {
                Use::Shared => file.try_lock_shared(),
                Use::Alone => file.try_lock(),
            };
            match (outcome, wanted) {
                (Ok(()), _) => break None,
                (Err(TryLockError::WouldBlock), _) if patience > 0 => {
                    patience -= 1;
                    std::thread::sleep(Duration::from_millis(20));
                }
                (Err(TryLockError::WouldBlock), wanted) => {
                    return Err(CacheError::Busy {
                        root: top.to_path_buf(),
                        by: match wanted {
                            Use::Shared => "being trimmed by another process",
                            Use::Alone => "in use by another run",
                        },
                    });
                }
                (Err(TryLockError::Error(_)), Use::Shared) => {
                    break Some(Damage::new(top, Flaw::NoLocks));
                }
                (Err(TryLockError::Error(_)), Use::Alone) => {
                    return Err(CacheError::NoLocks {
                        root: top.to_path_buf(),
                    });
                }
            }
        };
        Ok(Self {
            top: top.to_path_buf(),
            base,
            using: file,
            warning,
        })
    }

    /// Sees that the folder is still the one that was opened.
    pub(crate) fn check(&self) -> Result<(), CacheError> {
        if self.using.is_at(&self.base.join(USE_LOCK)) {
            return Ok(());
        }
        Err(CacheError::Gone {
            root: self.top.clone(),
        })
    }

    /// The folder with the tag.
    pub(crate) fn top(&self) -> &Path {
        &self.top
    }

    /// A part of the versioned folder, such as `nodes`.
    pub(crate) fn part(&self, name: &str) -> PathBuf {
        self.base.join(name)
    }

    /// That locks don't work here, if so.
    pub(crate) fn warning(&self) -> Option<Damage> {
        self.warning.clone()
    }
}

fn write_once(path: &Path, text: &str) -> Result<(), CacheError> {
    if path.exists() {
        return Ok(());
    }
    disk::replace(path, text.as_bytes())
}
