//! Unpacking a bundle: everything is checked on its way to a folder of its own, which gets its name
//! when all of it was right.
//!
//! The archive is not trusted. Nothing is written but ordinary files with names that were checked, at
//! most as many bytes as the manifest says; links, devices, rights, owners and times are not looked
//! at. No more is held in memory than the manifest and a buffer.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use super::error::{BundleError, MANIFEST};
use super::manifest::{Item, LONGEST, Manifest};
use super::names::check_path;
use super::place::Place;
use crate::base::key::Digest;

/// Bundles that unpack to less are never too large.
const HARMLESS: u64 = 1 << 30;

/// How many times larger than the archive a bundle may be. Results are compressed already; entries of
/// results, which are JSON, come to a twentieth of their size.
const LARGEST: u64 = 1000;

/// Zeros that may follow the last file: the archive's end is filled up to a whole record.
const PADDING: u64 = 64 << 10;

/// A bundle that was unpacked.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// What is in it.
    pub manifest: Manifest,
    /// The digest of the manifest's bytes.
    pub digest: Digest,
    /// The manifest as it stood in the archive.
    bytes: Vec<u8>,
}

type Decoder = zstd::Decoder<'static, BufReader<fs_err::File>>;
type Entry<'a> = tar::Entry<'a, Decoder>;

/// Unpacks a bundle into `folder`, which must not be there yet or be empty. With `expect`, only one
/// whose manifest has this digest.
///
/// `fits` is asked about the manifest before anything is unpacked.
///
/// # Errors
/// [`BundleError`], or what `fits` refuses; then nothing is left in `folder` or beside it.
pub fn unpack<E: From<BundleError>>(
    archive: &Path,
    folder: &Path,
    expect: Option<Digest>,
    fits: impl FnOnce(&Manifest) -> Result<(), E>,
) -> Result<Unpacked, E> {
    let place = Place::of(folder)?;
    let io = |error: io::Error| BundleError::io(archive, &error);
    let file = crate::base::regular::open(archive).map_err(io)?;
    let file = fs_err::File::from_parts(file, archive);
    let packed = file.metadata().map_err(io)?.len();
    let decoder = zstd::Decoder::with_buffer(BufReader::new(file)).map_err(damaged)?;
    // What follows would not be covered by the checksum.
    let mut tar = tar::Archive::new(decoder.single_frame());
    // Raw: names and sizes are those in the headers themselves, and nothing is read ahead.
    let mut entries = tar.entries().map_err(damaged)?.raw(true);
    let unpacked = first(entries.next())?;
    if let Some(expected) = expect.filter(|expected| *expected != unpacked.digest) {
        let found = unpacked.digest;
        return Err(BundleError::Unexpected { found, expected }.into());
    }
    fits(&unpacked.manifest)?;
    let size = unpacked.manifest.bytes();
    if size > HARMLESS && size / LARGEST > packed {
        return Err(BundleError::Bomb {
            unpacked: size,
            packed,
        }
        .into());
    }
    let folder = place.begin()?;
    files(entries, &unpacked.manifest, folder.path())?;
    end(tar.into_inner())?;
    // Last, so that a folder with a manifest is one that was unpacked whole.
    fs_err::write(folder.path().join(MANIFEST), &unpacked.bytes)
        .map_err(|error| BundleError::io(Path::new(MANIFEST), &error))?;
    place.finish(folder)?;
    Ok(unpacked)
}

/// The manifest, which comes first.
fn first(entry: Option<io::Result<Entry<'_>>>) -> Result<Unpacked, BundleError> {
    let mut entry = entry.ok_or(BundleError::NoManifest)?.map_err(damaged)?;
    if path_of(&entry)? != MANIFEST {
        return Err(BundleError::NoManifest);
    }
    let said = entry.size();
    if said > LONGEST {
        return Err(BundleError::Manifest(format!(
            "it has {said} bytes, and {LONGEST} are enough for any"
        )));
    }
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(damaged)?;
    Ok(Unpacked {
        manifest: Manifest::from_bytes(&bytes)?,
        digest: Digest::of(&bytes),
        bytes,
    })
}

/// Writes all files of the archive below a folder of their own.
fn files(
    entries: tar::Entries<'_, Decoder>,
    manifest: &Manifest,
    folder: &Path,
) -> Result<(), BundleError> {
    let items = manifest.files.iter();
    let mut wanted: BTreeMap<&str, &Item> = items.map(|item| (&*item.path, item)).collect();
    let listed: BTreeSet<&str> = wanted.keys().copied().chain([MANIFEST]).collect();
    for entry in entries {
        let mut entry = entry.map_err(damaged)?;
        let path = path_of(&entry)?;
        let Some(item) = wanted.remove(&*path) else {
            return Err(if listed.contains(&*path) {
                BundleError::Twice(path)
            } else {
                BundleError::Unlisted(path)
            });
        };
        let found = entry.size();
        if found != item.bytes {
            return Err(BundleError::Size {
                path,
                found,
                said: item.bytes,
            });
        }
        file(item, &mut entry, folder)?;
    }
    match wanted.keys().next() {
        Some(path) => Err(BundleError::Missing((*path).to_owned())),
        None => Ok(()),
    }
}

/// Writes one file, of which the size is right, and sees that its bytes are.
fn file(item: &Item, entry: &mut Entry<'_>, folder: &Path) -> Result<(), BundleError> {
    let path = folder.join(&item.path);
    let io = |error: io::Error| BundleError::io(Path::new(&item.path), &error);
    if let Some(parent) = path.parent() {
        fs_err::create_dir_all(parent).map_err(io)?;
    }
    // Never an existing one: two names that this file system takes for one are an error here.
    let mut file = fs_err::File::create_new(&path).map_err(io)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 128 << 10];
    let mut left = item.bytes;
    loop {
        let count = entry.read(&mut buffer).map_err(damaged)?;
        if count == 0 {
            break;
        }
        left = left.saturating_sub(count as u64);
        hasher.update(&buffer[..count]);
        file.write_all(&buffer[..count]).map_err(io)?;
    }
    if left > 0 {
        return Err(BundleError::Damaged(
            "the archive ends too early".to_owned(),
        ));
    }
    if Digest::from_bytes(*hasher.finalize().as_bytes()) != item.digest {
        return Err(BundleError::Altered(item.path.clone()));
    }
    Ok(())
}

/// The path of an entry that is an ordinary file and may stand below any folder.
fn path_of(entry: &Entry<'_>) -> Result<String, BundleError> {
    let bytes = entry.header().path_bytes();
    let shown = String::from_utf8_lossy(&bytes).escape_debug().to_string();
    let what = match entry.header().entry_type() {
        tar::EntryType::Regular => None,
        tar::EntryType::Symlink => Some("a symbolic link"),
        tar::EntryType::Link => Some("a hard link"),
        tar::EntryType::Char | tar::EntryType::Block => Some("a device"),
        tar::EntryType::Fifo => Some("a pipe"),
        tar::EntryType::Directory => Some("a folder"),
        _ => Some("an extension of the archive's format"),
    };
    if let Some(what) = what {
        return Err(BundleError::NoFile { path: shown, what });
    }
    let path = String::from_utf8(bytes.into_owned())
        .map_err(|_| BundleError::Damaged(format!("the path `{shown}` is not UTF-8")))?;
    match check_path(&path) {
        Ok(()) => Ok(path),
        Err(fault) => Err(BundleError::Path { path: shown, fault }),
    }
}

/// Sees that nothing but zeros follows, and that the checksum of the whole is right.
fn end(decoder: Decoder) -> Result<(), BundleError> {
    let more = || BundleError::Damaged("something follows after its end".to_owned());
    let mut decoder = decoder;
    let mut rest = Vec::new();
    let mut limited = (&mut decoder).take(PADDING + 1);
    limited.read_to_end(&mut rest).map_err(damaged)?;
    if rest.len() as u64 > PADDING || rest.iter().any(|&byte| byte != 0) {
        return Err(more());
    }
    let mut after = [0];
    match decoder.finish().read(&mut after) {
        Ok(0) => Ok(()),
        Ok(_) => Err(more()),
        Err(error) => Err(damaged(error)),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn damaged(error: io::Error) -> BundleError {
    BundleError::Damaged(error.to_string())
}
