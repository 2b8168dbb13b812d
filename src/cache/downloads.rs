//! Files fetched from elsewhere, kept so that they are fetched once.
//!
//! `downloads/<name>.txt` has the bytes as they came, `downloads/<name>.json`, written after it, says
//! where they came from and which digest they have. Both are checked when they are read; what fails
//! is damage, and put right by storing the file again. What is in them is nothing to this module.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::disk;
use super::error::{CacheError, Damage, Flaw};
use super::locks::Guard;
use super::nodes::Inner;
use super::root::Root;
use super::seal;
use crate::base::key::Digest;

/// The folder of downloads.
pub(super) const FOLDER: &str = "downloads";

/// The store of downloads; clones share it. Names are relative paths without endings, such as
/// `gutenberg/11-b3a4`.
#[derive(Debug, Clone)]
pub struct Downloads {
    pub(super) inner: Arc<Inner>,
}

/// What is known of a download.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Origin {
    /// Where it came from.
    url: String,
    /// Digest of its bytes.
    content: Digest,
}

impl Downloads {
    /// The bytes of a download, if it is there.
    ///
    /// # Errors
    /// Damage, which storing it again repairs.
    pub fn load(&self, name: &str) -> Result<Option<Vec<u8>>, Damage> {
        let path = origin_path(&self.inner.root, name);
        let sealed = match fs::read(&path) {
            Ok(sealed) => sealed,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unread(&path, &error)),
        };
        let altered = |path: &Path| Damage::new(path, Flaw::Download("was altered".to_owned()));
        let Some(origin) = seal::unseal::<Origin>(&sealed) else {
            return Err(altered(&path));
        };
        let path = self.path_of(name);
        let bytes = fs::read(&path).map_err(|error| unread(&path, &error))?;
        if Digest::of(&bytes) == origin.content {
            Ok(Some(bytes))
        } else {
            Err(altered(&path))
        }
    }

    /// Stores a download: its bytes first, then what is known of it, each durable before the next.
    pub fn store(&self, name: &str, url: &str, bytes: &[u8]) -> Result<(), CacheError> {
        let origin = Origin {
            url: url.to_owned(),
            content: Digest::of(bytes),
        };
        disk::replace(&self.path_of(name), bytes)?;
        disk::replace(&origin_path(&self.inner.root, name), &seal::seal(&origin))
    }

    /// Where the bytes of a download stand.
    pub fn path_of(&self, name: &str) -> PathBuf {
        content_path(&self.inner.root, name)
    }

    /// Waits for the right to make a download, exclusive among all processes; `None` as soon as
    /// `interrupted` says so. Another process may have made it meanwhile.
    pub fn lock(&self, name: &str, interrupted: &dyn Fn() -> bool) -> Option<Guard> {
        let key = Digest::of(format!("{FOLDER}/{name}"));
        self.inner.locks.lock(&key, interrupted)
    }
}

/// Where the bytes of a download stand.
pub(super) fn content_path(root: &Root, name: &str) -> PathBuf {
    root.part(FOLDER).join(format!("{name}.txt"))
}

/// Where what is known of a download stands.
pub(super) fn origin_path(root: &Root, name: &str) -> PathBuf {
    root.part(FOLDER).join(format!("{name}.json"))
}

fn unread(path: &Path, error: &std::io::Error) -> Damage {
    let what = match error.kind() {
        std::io::ErrorKind::NotFound => "is missing".to_owned(),
        _ => format!("can't be read ({error})"),
    };
    Damage::new(path, Flaw::Download(what))
}
