//! Listing what the cache holds, with sizes and ages.
//!
//! Looks at names, entries and record headers; never at results or replies, and removes nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use fs_err as fs;
use serde::de::IgnoredAny;

use crate::base::key::Digest;
use crate::cache::calls::scan::{self, Found};
use crate::cache::calls::segment;
use crate::cache::error::CacheError;
use crate::cache::nodes::read_entry;
use crate::cache::root::Root;
use crate::cache::{disk, downloads};

/// The stored result of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeItem {
    /// The node's key.
    pub key: Digest,
    /// Digest of the result's bytes.
    pub output: Digest,
    /// Size of the entry alone, in bytes.
    pub bytes: u64,
    /// When it was stored, Unix time in seconds.
    pub at: u64,
}

/// The bytes of a result, which several nodes may share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobItem {
    /// Digest of the bytes.
    pub digest: Digest,
    /// Size in bytes.
    pub bytes: u64,
}

/// A stored call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallItem {
    /// The key of the call.
    pub key: Digest,
    /// Size of its records in bytes, as stored.
    pub bytes: u64,
    /// When the first of them was stored, Unix time in seconds.
    pub at: u64,
}

/// A file fetched from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadItem {
    /// Its name in the store of downloads.
    pub name: String,
    /// Size in bytes, together with what is known of it.
    pub bytes: u64,
    /// When it was stored, Unix time in seconds.
    pub at: u64,
}

/// Everything in the cache, each list sorted by its digest or name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// Node results whose bytes are there.
    pub nodes: Vec<NodeItem>,
    /// Bytes of results.
    pub blobs: Vec<BlobItem>,
    /// Calls.
    pub calls: Vec<CallItem>,
    /// Files fetched from elsewhere.
    pub downloads: Vec<DownloadItem>,
    /// What is of no use to anyone: left-overs of killed processes, damaged or incomplete entries.
    pub junk: Vec<PathBuf>,
}

impl Survey {
    /// Size of all items together, in bytes, junk left out.
    pub fn bytes(&self) -> u64 {
        let nodes: u64 = self.nodes.iter().map(|item| item.bytes).sum();
        let blobs: u64 = self.blobs.iter().map(|item| item.bytes).sum();
        let calls: u64 = self.calls.iter().map(|item| item.bytes).sum();
        let downloads: u64 = self.downloads.iter().map(|item| item.bytes).sum();
        nodes + blobs + calls + downloads
    }

    pub(super) fn take(root: &Root) -> Result<Self, CacheError> {
        let mut survey = Self::default();
        for folder in folders(&root.part("blobs"))? {
            for path in files(&folder, &mut survey.junk)? {
                if let Some(digest) = digest_of(&path, "") {
                    let (bytes, _) = size_and_time(&path)?;
                    survey.blobs.push(BlobItem { digest, bytes });
                }
            }
        }
        let blobs: BTreeSet<Digest> = survey.blobs.iter().map(|blob| blob.digest).collect();
        for folder in folders(&root.part("nodes"))? {
            for path in files(&folder, &mut survey.junk)? {
                let Some(key) = digest_of(&path, ".json") else {
                    continue;
                };
                let entry = fs::read(&path)
                    .ok()
                    .and_then(|bytes| read_entry::<IgnoredAny>(&key, &bytes))
                    .filter(|entry| blobs.contains(&entry.output));
                match entry {
                    Some(entry) => {
                        let (bytes, at) = size_and_time(&path)?;
                        let output = entry.output;
                        survey.nodes.push(NodeItem {
                            key,
                            output,
                            bytes,
                            at,
                        });
                    }
                    None => survey.junk.push(path),
                }
            }
        }
        for folder in ["last", "seen", "calls", ""] {
            let folder = root.part(folder);
            files(&folder, &mut survey.junk)?;
        }
        files(root.top(), &mut survey.junk)?;
        survey.calls = calls(&root.part("calls"))?;
        survey.downloads = downloads(root, &mut survey.junk)?;
        survey.nodes.sort_unstable_by_key(|item| item.key);
        survey.blobs.sort_unstable_by_key(|item| item.digest);
        survey.junk.sort_unstable();
        Ok(survey)
    }
}

/// The whole downloads, by name. What is left of others is junk.
fn downloads(root: &Root, junk: &mut Vec<PathBuf>) -> Result<Vec<DownloadItem>, CacheError> {
    let mut downloads = Vec::new();
    for folder in folders(&root.part(downloads::FOLDER))? {
        let shelf = folder.file_name().unwrap_or_default().to_string_lossy();
        for path in files(&folder, junk)? {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{shelf}/{stem}");
            let content = downloads::content_path(root, &name);
            let origin = downloads::origin_path(root, &name);
            if path != content && path != origin {
                continue;
            }
            if !content.is_file() || !origin.is_file() {
                junk.push(path);
            } else if path == origin {
                let (bytes, _) = size_and_time(&content)?;
                let (more, at) = size_and_time(&origin)?;
                downloads.push(DownloadItem {
                    name,
                    bytes: bytes + more,
                    at,
                });
            }
        }
    }
    downloads.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(downloads)
}

fn calls(folder: &Path) -> Result<Vec<CallItem>, CacheError> {
    let mut calls: Vec<CallItem> = Vec::new();
    for (_, path) in segment::list(folder)? {
        let file = fs::File::open(&path).map_err(|error| CacheError::io(&path, error))?;
        scan::scan(&file, 0, &mut |found| {
            if let Found::Record { header, .. } = found {
                calls.push(CallItem {
                    key: header.key,
                    bytes: header.length(),
                    at: header.at,
                });
            }
        })
        .map_err(|error| CacheError::io(&path, error))?;
    }
    // The sort is stable, so the first record of a key stays first and lends its time.
    calls.sort_by_key(|call| call.key);
    calls.dedup_by(|later, first| {
        let same = later.key == first.key;
        if same {
            first.bytes += later.bytes;
        }
        same
    });
    Ok(calls)
}

/// The sub-folders of `folder`; none if it does not exist.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, CacheError> {
    let mut folders = list(folder)?;
    folders.retain(|path| path.is_dir());
    Ok(folders)
}

/// The files in `folder` that are in use; left-overs go to `junk`.
fn files(folder: &Path, junk: &mut Vec<PathBuf>) -> Result<Vec<PathBuf>, CacheError> {
    let mut files = list(folder)?;
    files.retain(|path| path.is_file());
    let left_over = |path: &PathBuf| {
        let temporary = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(disk::TEMPORARY));
        temporary || path.extension().is_some_and(|end| end == disk::ASIDE)
    };
    junk.extend(files.extract_if(.., |path| left_over(path)));
    Ok(files)
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, CacheError> {
    let failed = |error| CacheError::io(folder, error);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    entries
        .map(|entry| entry.map(|entry| entry.path()).map_err(failed))
        .collect()
}

fn digest_of(path: &Path, ending: &str) -> Option<Digest> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(ending)?.parse().ok()
}

fn size_and_time(path: &Path) -> Result<(u64, u64), CacheError> {
    let metadata = fs::metadata(path).map_err(|error| CacheError::io(path, error))?;
    let time = metadata.modified().ok();
    let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Ok((metadata.len(), since.map_or(0, |since| since.as_secs())))
}
