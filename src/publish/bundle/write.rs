//! Writing a bundle, whole or not at all.
//!
//! Every file is read twice: for its digest, which the manifest in front needs, and into the archive,
//! where it must have the same. Nothing but the manifest is held in memory.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::error::{BundleError, MANIFEST};
use super::manifest::{Experiment, FORMAT, Input, Item, Manifest, What};
use super::names::{NameFault, check_path};
use crate::base::key::Digest;
use crate::base::whole::Pending;

/// How hard zstd works. Results are compressed already; the rest is text.
const LEVEL: i32 = 9;

/// A file that is to go into a bundle.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Where it is to stand.
    pub path: String,
    /// What it is.
    pub what: What,
    /// The licences of what it was made from.
    pub licences: Vec<String>,
    /// Its bytes.
    pub content: Content,
}

/// Where the bytes of a file come from.
#[derive(Clone, Debug)]
pub enum Content {
    /// From memory.
    Bytes(Vec<u8>),
    /// From a file.
    File(PathBuf),
}

/// What a manifest says beside its files.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The version of tribunal.
    pub tribunal: String,
    /// Format of the results and calls.
    pub cache_format: u32,
    /// What can be run.
    pub experiments: Vec<Experiment>,
    /// Whether results that hold texts are in it.
    pub texts: bool,
    /// Whether replies are in it.
    pub replies: bool,
    /// The licence of what states none.
    pub licence: Option<String>,
    /// The files that results were made from.
    pub inputs: Vec<Input>,
    /// The books that results were made from.
    pub books: std::collections::BTreeMap<String, Digest>,
    /// Results that are left out.
    pub withheld: std::collections::BTreeSet<Digest>,
}

/// A bundle that was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// What is in it.
    pub manifest: Manifest,
    /// The digest of the manifest's bytes.
    pub digest: Digest,
    /// Size of the archive, in bytes.
    pub bytes: u64,
}

impl Content {
    fn open(&self) -> Result<Box<dyn Read + '_>, BundleError> {
        Ok(match self {
            Self::Bytes(bytes) => Box::new(&bytes[..]),
            Self::File(path) => {
                let file = crate::base::regular::open(path);
                Box::new(file.map_err(|error| BundleError::io(path, &error))?)
            }
        })
    }

    /// The file, for messages.
    fn path(&self, path: &str) -> PathBuf {
        match self {
            Self::Bytes(_) => PathBuf::from(path),
            Self::File(path) => path.clone(),
        }
    }
}

/// A reader that knows what went through it.
struct Digested<R> {
    inner: R,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl<R> Digested<R> {
    fn new(inner: R) -> Self {
        Self {
            inner,
            hasher: blake3::Hasher::new(),
            bytes: 0,
        }
    }

    fn digest(&self) -> Digest {
        Digest::from_bytes(*self.hasher.finalize().as_bytes())
    }
}

impl<R: Read> Read for Digested<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

/// Writes a bundle of these files to `output`, where nothing may be yet.
///
/// # Errors
/// A path that a bundle may not hold, a file that cannot be read or changes meanwhile, an archive that
/// cannot be written; then there is none.
pub fn write(output: &Path, head: Head, drafts: Vec<Draft>) -> Result<Written, BundleError> {
    if output.exists() {
        return Err(BundleError::Occupied {
            path: output.to_owned(),
        });
    }
    let mut drafts = drafts;
    drafts.sort_by(|a, b| a.path.cmp(&b.path));
    let manifest = manifest(head, &drafts)?;
    let told = manifest.to_bytes();
    let io = |error: io::Error| BundleError::io(output, &error);
    let mut pending = Pending::begin(output).map_err(io)?;
    let mut packer = zstd::Encoder::new(pending.file(), LEVEL).map_err(io)?;
    packer.include_checksum(true).map_err(io)?;
    let mut archive = tar::Builder::new(packer);
    archive
        .append(&header(MANIFEST, told.len() as u64)?, &told[..])
        .map_err(io)?;
    for (draft, item) in drafts.iter().zip(&manifest.files) {
        let mut content = Digested::new(draft.content.open()?);
        // No more than was announced, whatever the file has become.
        let limited = (&mut content).take(item.bytes);
        archive
            .append(&header(&item.path, item.bytes)?, limited)
            .map_err(io)?;
        if content.bytes != item.bytes || content.digest() != item.digest {
            return Err(BundleError::Changed {
                path: draft.content.path(&draft.path),
            });
        }
    }
    let file = archive
        .into_inner()
        .and_then(zstd::Encoder::finish)
        .map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    pending.keep_new().map_err(io)?;
    Ok(Written {
        digest: Digest::of(&told),
        manifest,
        bytes,
    })
}

/// The manifest of these files, which are read for their digests.
fn manifest(head: Head, drafts: &[Draft]) -> Result<Manifest, BundleError> {
    let mut files = Vec::new();
    for draft in drafts {
        let mut content = Digested::new(draft.content.open()?);
        io::copy(&mut content, &mut io::sink())
            .map_err(|error| BundleError::io(&draft.content.path(&draft.path), &error))?;
        files.push(Item {
            path: draft.path.clone(),
            bytes: content.bytes,
            digest: content.digest(),
            what: draft.what,
            licences: draft.licences.clone(),
        });
    }
    let manifest = Manifest {
        format: FORMAT,
        tribunal: head.tribunal,
        cache_format: head.cache_format,
        experiments: head.experiments,
        texts: head.texts,
        replies: head.replies,
        licence: head.licence,
        files,
        inputs: head.inputs,
        books: head.books,
        withheld: head.withheld,
    };
    manifest.check()?;
    Ok(manifest)
}

/// The header of a file: nothing in it but its path and size.
fn header(path: &str, bytes: u64) -> Result<tar::Header, BundleError> {
    let fault = |fault| BundleError::Path {
        path: path.to_owned(),
        fault,
    };
    check_path(path).map_err(fault)?;
    let mut header = tar::Header::new_ustar();
    // The one thing that can be wrong with a path that was checked.
    header.set_path(path).map_err(|_| fault(NameFault::Long))?;
    header.set_entry_type(tar::EntryType::Regular);
    header.set_mode(0o644);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_size(bytes);
    header.set_cksum();
    Ok(header)
}
