//! Why a bundle is not written or not unpacked.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::names::NameFault;
use crate::base::key::Digest;

/// The name of the manifest, in the archive and in the folder it is unpacked to.
pub const MANIFEST: &str = "tribunal.bundle.json";

/// Why a bundle is not written or not unpacked.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BundleError {
    /// The file system refuses something.
    #[error("`{}`: {why}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// What is there would be overwritten.
    #[error("`{}` already exists", path.display())]
    Occupied {
        /// The file or folder.
        path: PathBuf,
    },
    /// Not a bundle, or one whose bytes were altered or cut off.
    #[error("this is not a bundle, or it was altered or cut off: {0}")]
    Damaged(String),
    /// The first file is not the manifest.
    #[error("the archive does not begin with a manifest (`{}`)", MANIFEST)]
    NoManifest,
    /// The manifest is not what was sealed.
    #[error("the manifest was altered: it does not have the digest that it ends with")]
    Unsealed,
    /// The manifest is of another format.
    #[error("the bundle is of format {found}, this version of tribunal reads format {known}")]
    Format {
        /// Its format.
        found: u64,
        /// The one that is known.
        known: u32,
    },
    /// The manifest cannot be read, though it was sealed like this.
    #[error("the manifest is inconsistent: {0}")]
    Manifest(String),
    /// The manifest is another than the expected one.
    #[error("the manifest has the digest {found}, not the expected {expected}")]
    Unexpected {
        /// Its digest.
        found: Digest,
        /// The digest that was asked for.
        expected: Digest,
    },
    /// A path that a bundle may not hold.
    #[error("the path `{path}` {fault}")]
    Path {
        /// The path, as it can be shown.
        path: String,
        /// What is wrong with it.
        fault: NameFault,
    },
    /// Two paths that some system takes for one.
    #[error("`{path}` and `{other}` are one file or folder on some systems")]
    Collides {
        /// A path.
        path: String,
        /// The one it would be taken for.
        other: String,
    },
    /// A folder that git would take for a repository, whose settings name programs.
    #[error("{} would be a repository to git (`HEAD` with `objects` and `refs`, or with `commondir`), which obeys what is in it", of_folder(.0))]
    Repository(String),
    /// Something that is no ordinary file.
    #[error("`{path}` is {what}, and a bundle holds ordinary files only")]
    NoFile {
        /// The path, as it can be shown.
        path: String,
        /// What it is.
        what: &'static str,
    },
    /// A file that stands in the archive twice.
    #[error("`{0}` is in the archive twice")]
    Twice(String),
    /// A file that the manifest does not name.
    #[error("`{0}` is not in the manifest")]
    Unlisted(String),
    /// A file that the manifest names and the archive lacks.
    #[error("`{0}` is in the manifest, but not in the archive")]
    Missing(String),
    /// A file of another size than the manifest says.
    #[error("`{path}` has {found} bytes, the manifest says {said}")]
    Size {
        /// The path.
        path: String,
        /// What the archive holds.
        found: u64,
        /// What it should hold.
        said: u64,
    },
    /// A file with other bytes than the manifest says.
    #[error("`{0}` was altered: its digest is not the one in the manifest")]
    Altered(String),
    /// So much larger than the archive that it can only be meant to fill the disk.
    #[error(
        "the bundle would take {unpacked} bytes, and the archive has {packed}: tribunal writes no such bundle"
    )]
    Bomb {
        /// What the manifest says.
        unpacked: u64,
        /// Size of the archive.
        packed: u64,
    },
    /// A file changed while it was written to the archive.
    #[error("`{}` changed while the bundle was written", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

fn of_folder(folder: &str) -> String {
    match folder {
        "" => "its own folder".to_owned(),
        folder => format!("`{folder}`"),
    }
}

impl BundleError {
    /// An error of the file system.
    pub(super) fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            why: error.to_string(),
        }
    }
}
