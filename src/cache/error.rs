//! Errors of the cache, which stop a run, and damage to it, which does not.
//!
//! Damage is a value: the caller reports it and computes the result again. Nothing here
//! prints, and nothing here decides whether to go on.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::base::exit::{self, Exit};
use crate::base::key::Digest;

/// A failure that the cache can't work around.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The disk, the quota or the allowed file size is used up.
    #[error(
        "no room left to write `{}`: free some space (`tribunal gc`) or move the cache, then run again; what was stored before is intact",
        path.display()
    )]
    Full {
        /// The file that could not be written.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: Arc<io::Error>,
    },
    /// Any other failure of the file system.
    #[error("the cache can't use `{}`: check that the disk is mounted and that you may write to it", path.display())]
    Io {
        /// The file or folder concerned.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: Arc<io::Error>,
    },
    /// The cache is being trimmed, or (when trimming) is in use.
    #[error("the cache `{}` is {by}: wait until that has finished, then try again", root.display())]
    Busy {
        /// The cache folder.
        root: PathBuf,
        /// Who holds it, as the end of a sentence.
        by: &'static str,
    },
    /// Trimming needs to know that nobody else is writing, and the file system can't tell.
    #[error(
        "the file system of `{}` has no locks, so trimming could meet a running experiment: stop all runs and delete the folder instead",
        root.display()
    )]
    NoLocks {
        /// The cache folder.
        root: PathBuf,
    },
    /// A caller tried to store an entry that contradicts its claim or its bytes.
    #[error("the entry for `{key}` does not fit {what}")]
    Mismatch {
        /// The key that was claimed.
        key: Digest,
        /// What it does not fit, as the end of a sentence.
        what: &'static str,
    },
    /// A value too long for one record.
    #[error("a reply of {bytes} bytes is too long to be stored: the limit is {limit} bytes")]
    TooLong {
        /// Length of the value in bytes.
        bytes: usize,
        /// The longest value that fits, in bytes.
        limit: usize,
    },
    /// The folder is not the one that was opened.
    #[error(
        "the cache `{}` was deleted or replaced while it was in use: nothing more is asked, for replies could not be stored; run again",
        root.display()
    )]
    Gone {
        /// The cache folder.
        root: PathBuf,
    },
    /// The thread that writes calls has ended before answering.
    #[error("the cache writer has stopped: run again to resume from what is stored")]
    WriterGone,
}

impl From<CacheError> for exit::Error {
    fn from(error: CacheError) -> Self {
        Self::new(Exit::Broken, error.in_full())
    }
}

impl CacheError {
    /// The message with its causes.
    pub fn in_full(&self) -> String {
        let mut message = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            message = format!("{message}: {cause}");
            source = cause.source();
        }
        message
    }

    /// Wraps a system error, naming the path and telling a full disk from the rest.
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        let kind = source.kind();
        let source = Arc::new(source);
        match kind {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => Self::Full { path, source },
            _ => Self::Io { path, source },
        }
    }
}

/// A part of the cache that can't be trusted: to be reported, then computed anew.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Damage {
    /// The file concerned.
    pub path: PathBuf,
    /// What is wrong with it.
    pub flaw: Flaw,
}

/// What is wrong with a file of the cache.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Flaw {
    /// An entry names this file, but it is gone.
    Missing,
    /// The system could not read it; its message.
    Unreadable(String),
    /// The content does not have the digest it was stored under.
    Altered,
    /// One record of a segment does not have its digest.
    AlteredRecord {
        /// Where the record begins, in bytes from the start of the file.
        offset: u64,
    },
    /// A stretch of a segment where no record can be recognised.
    LostBytes {
        /// Where the stretch begins, in bytes from the start of the file.
        offset: u64,
        /// How long it is, in bytes.
        length: u64,
    },
    /// A file fetched from elsewhere is not what it was; what happened to it, as the end of a sentence.
    Download(String),
    /// Not damage of the content: the file system refuses locks, so two processes may do the same work twice.
    NoLocks,
}

impl Damage {
    pub(crate) fn new(path: &Path, flaw: Flaw) -> Self {
        Self {
            path: path.to_path_buf(),
            flaw,
        }
    }

    /// Damage from a failed read: missing or unreadable.
    pub(crate) fn unread(path: &Path, error: &io::Error) -> Self {
        let flaw = match error.kind() {
            io::ErrorKind::NotFound => Flaw::Missing,
            _ => Flaw::Unreadable(error.to_string()),
        };
        Self::new(path, flaw)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.flaw {
            Flaw::Missing => write!(f, "`{path}` is missing; its result is computed again"),
            Flaw::Unreadable(why) => {
                write!(
                    f,
                    "`{path}` can't be read ({why}); its result is computed again"
                )
            }
            Flaw::Altered => write!(
                f,
                "`{path}` was altered after it was written; its result is computed again"
            ),
            Flaw::AlteredRecord { offset } => write!(
                f,
                "the record at byte {offset} of `{path}` was altered after it was written; that call is made again"
            ),
            Flaw::LostBytes { offset, length } => {
                let bytes = if *length == 1 { "byte" } else { "bytes" };
                write!(
                    f,
                    "{length} {bytes} at byte {offset} of `{path}` can't be recognised; the calls stored there are made again"
                )
            }
            Flaw::Download(what) => write!(f, "`{path}` {what} after it was fetched"),
            Flaw::NoLocks => write!(
                f,
                "the file system of `{path}` has no locks; two processes sharing this cache may pay for the same call twice"
            ),
        }
    }
}
