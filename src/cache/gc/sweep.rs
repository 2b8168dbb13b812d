//! Removing, while nobody else uses the cache.
//!
//! Entries go before the bytes they name, so a kill in between leaves bytes without an entry (which
//! the next sweep removes), never an entry without its bytes.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::choose::Cut;
use super::compact::compact;
use super::survey::Survey;
use crate::cache::disk;
use crate::cache::downloads::{content_path, origin_path};
use crate::cache::error::CacheError;
use crate::cache::nodes::{blob_path, entry_path};
use crate::cache::root::Root;

/// The cache, held alone. Stores can't be opened until this is dropped.
#[derive(Debug)]
pub struct Sweep {
    root: Root,
}

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Node results.
    pub nodes: usize,
    /// Bytes of results.
    pub blobs: usize,
    /// Calls.
    pub calls: usize,
    /// Downloads.
    pub downloads: usize,
    /// Left-over files.
    pub junk: usize,
    /// Size of all that in bytes, damaged and repeated records included.
    pub bytes: u64,
}

impl Sweep {
    /// Takes the cache at `top` alone; [`CacheError::Busy`] if any store is open, in this process or another.
    pub fn begin(top: &Path) -> Result<Self, CacheError> {
        Ok(Self {
            root: Root::open_alone(top)?,
        })
    }

    /// Lists everything.
    pub fn survey(&self) -> Result<Survey, CacheError> {
        Survey::take(&self.root)
    }

    /// Removes `cut` and the junk of `survey`. May be repeated, also after a kill.
    pub fn apply(&self, survey: &Survey, cut: &Cut) -> Result<Swept, CacheError> {
        let mut swept = Swept::default();
        let entries = cut.nodes.iter().map(|key| entry_path(&self.root, key));
        swept.nodes = remove_all(entries, &mut swept.bytes)?;
        swept.junk = remove_all(survey.junk.iter().cloned(), &mut swept.bytes)?;
        let blobs = cut.blobs.iter().map(|digest| blob_path(&self.root, digest));
        swept.blobs = remove_all(blobs, &mut swept.bytes)?;
        let names = &cut.downloads;
        let origins = names.iter().map(|name| origin_path(&self.root, name));
        swept.downloads = remove_all(origins, &mut swept.bytes)?;
        let contents = names.iter().map(|name| content_path(&self.root, name));
        remove_all(contents, &mut swept.bytes)?;
        swept.calls = cut.calls.len();
        swept.bytes += compact(&self.root.part("calls"), &cut.calls)?;
        Ok(swept)
    }
}

/// Deletes files, durably; how many there were, adding their sizes in bytes to `bytes`.
fn remove_all(paths: impl Iterator<Item = PathBuf>, bytes: &mut u64) -> Result<usize, CacheError> {
    let mut folders = BTreeSet::new();
    let mut count = 0;
    for path in paths {
        let size = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(CacheError::io(&path, error)),
        }
        count += 1;
        *bytes += size;
        folders.extend(path.parent().map(Path::to_path_buf));
    }
    for folder in folders {
        disk::sync_folder(&folder)?;
    }
    Ok(count)
}
