//! Why a file cannot be used, and what to do about it.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::wording::{count, thousands};
use crate::spec::Folders;

/// A file cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FileError {
    /// Nothing fits a name or pattern.
    #[error("{} `{}`{}", if is_pattern(pattern) { "no file matches" } else { "there is no file" }, pattern.display(), near)]
    NoMatch {
        /// What was looked for.
        pattern: PathBuf,
        /// `, did you mean …?`, or nothing.
        near: String,
    },
    /// Several files where one is needed.
    #[error("{} match `{}`, and exactly one is needed", count(*fit, "file"), pattern.display())]
    Several {
        /// What was looked for.
        pattern: PathBuf,
        /// How many there are.
        fit: usize,
    },
    /// A pattern that is not one.
    #[error("`{}` is not a pattern: {why}", pattern.display())]
    BadPattern {
        /// The pattern.
        pattern: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A folder where a file is needed.
    #[error("`{}` is a folder: name the files in it, as `{}/*.txt`", path.display(), path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// It leads through more than anybody means.
    #[error("`{}` covers more than {} files and folders", pattern.display(), thousands(*most as u64))]
    TooMany {
        /// The pattern.
        pattern: PathBuf,
        /// How many are looked at.
        most: usize,
    },
    /// The run was interrupted while files were looked for.
    #[error("interrupted")]
    Interrupted,
    /// It cannot be read.
    #[error("{0}")]
    Io(String),
    /// It is known by its digest and is not here.
    #[error("`{}` is needed and missing: the bundle holds only its digest and the results made from it", path.display())]
    NotHere {
        /// The file.
        path: PathBuf,
        /// The digest of its bytes.
        digest: Digest,
    },
    /// It changed while the experiment ran.
    #[error("`{}` changed while the experiment ran", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl FileError {
    /// The failure of a stage that cannot use a file, with what the spec says about it.
    pub(super) fn failure(&self, folders: &Folders) -> Failure {
        let failure = Failure::new(self.to_string());
        match self {
            Self::NoMatch { pattern, .. } => match folders.hint_for(pattern) {
                Some(hint) => failure.hint(hint),
                None => failure,
            },
            Self::Several { .. } => failure.hint("name one of them"),
            Self::TooMany { .. } => failure.hint("name a folder further down, or fewer of them"),
            Self::NotHere { path, .. } if path.starts_with(&folders.cache) => failure.hint(
                "remove `tribunal.bundle.json`: then what the bundle does not hold is fetched again",
            ),
            Self::NotHere { path, digest } => match folders.hint_for(path) {
                Some(hint) => failure.hint(hint),
                None => failure.hint(format!(
                    "get the file from the author of the bundle and put it there; its blake3 digest is {digest}"
                )),
            },
            _ => failure,
        }
    }
}

/// Whether a path holds wildcards.
pub(super) fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[', '{'])
}
