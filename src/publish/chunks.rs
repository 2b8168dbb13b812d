//! The judgements of a page in a file: beside a page that has no room for them, or until they are in it.
//!
//! `index.judgements` beside `index.html` holds the chunks one after the other, then what else there is to say of them with a
//! list of their names and lengths, how long that is, and a seal as pages have it. The list is read as a stranger's: of its names only those that chunks have
//! count, and of its places those in the file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::seal::{self, Checked, is_sealed, mark, sealed_by};
use super::whole::failed;
use crate::base::exit::Error;
use crate::base::key::{Digest, Digesting};
use crate::base::regular;
use crate::base::whole::Pending;
use crate::output::page::store::{self, Keep};
use crate::output::page::{self, Chunk, Store};
use crate::output::report::folder::beside;

/// A store in the making, whose chunks go to a file.
pub(super) type Builder = store::Builder<Chunks>;

/// So many bytes are written at once.
const AT_ONCE: usize = 1 << 16;

/// The digits that say how long the list is, and the end of their line.
const LENGTH: usize = 17;

/// The longest list that is read: a hundred million judgements have one of this length.
const LONGEST: usize = 64 << 20;

/// What stands behind chunks beside a page: what else there is to say of the store, and their names, places and lengths.
#[derive(Serialize, Deserialize)]
struct List<S> {
    #[serde(flatten)]
    store: S,
    chunks: Vec<(String, u64, usize)>,
    /// Of all bytes of the chunks and of what is said here, which whoever takes them over looks at.
    digest: Digest,
}

/// The digest of what a list says behind these bytes.
fn digest(
    mut bytes: Digesting,
    store: &Store,
    chunks: &[(String, u64, usize)],
) -> io::Result<Digest> {
    bytes.add(&serde_json::to_vec(&(page::VERSION, store, chunks))?);
    Ok(bytes.end())
}

/// Chunks in a file.
pub(crate) struct Chunks {
    file: Place,
    /// What is not written yet.
    waiting: Vec<u8>,
}

/// Where they are.
enum Place {
    /// Where a page will have them beside it, if they are kept.
    Beside(Pending),
    /// Where a page has them beside it.
    There(File),
    /// In a file that goes with this process.
    Aside(File),
}

impl Chunks {
    /// Chunks that may be kept beside a page.
    pub(super) fn beside(page: &Path) -> Result<Self, Error> {
        let path = path(page);
        let pending = Pending::begin(&path).map_err(|error| failed(&path, &error))?;
        Ok(Self::at(Place::Beside(pending)))
    }

    /// Chunks that are not kept.
    pub(super) fn aside() -> io::Result<Self> {
        Ok(Self::at(Place::Aside(tempfile::tempfile()?)))
    }

    fn at(file: Place) -> Self {
        Self {
            file,
            waiting: Vec::with_capacity(AT_ONCE),
        }
    }

    /// The judgements of a page that is there, whatever they were made from: beside it, or in it. All bytes are as they were.
    pub(super) fn there(page: &Path) -> io::Result<Option<(Store, Self)>> {
        if let Some((list, mut file, sealed_by)) = open(&path(page)) {
            let ends = list.chunks.iter();
            let end = ends.map(|(_, at, length)| at + *length as u64).max();
            let mut all = Digesting::default();
            io::copy(&mut (&mut file).take(end.unwrap_or(0)), &mut all)?;
            let whole = digest(all, &list.store, &list.chunks)? == list.digest;
            let made_from = list.store.made_from;
            let whole = whole && made_from.is_none_or(|made_from| made_from == sealed_by);
            return Ok(whole.then(|| Self::listed(list, file)));
        }
        if !is_sealed(page) {
            return Ok(None);
        }
        let mut file = regular::open(page)?;
        let Some(end) = seal::place(&mut file)? else {
            return Ok(None);
        };
        let mut chunks = Self::aside()?;
        let mut page = BufReader::with_capacity(AT_ONCE, file);
        let store = page::embedded(&mut page, end, &mut chunks)?;
        Ok(store.map(|store| (store, chunks)))
    }

    /// Those beside a page that are as they were written, as far as their seal tells.
    pub(super) fn beside_page(page: &Path) -> Option<(Store, Self)> {
        let (list, file, _) = open(&path(page))?;
        Some(Self::listed(list, file))
    }

    fn listed(List { store, chunks, .. }: List<Store>, file: File) -> (Store, Self) {
        let chunks = chunks.into_iter();
        let chunks = chunks.filter_map(|(name, at, length)| Chunk::read(name, at, length));
        let chunks = chunks.collect();
        (Store { chunks, ..store }, Self::at(Place::There(file)))
    }

    /// Whether they lie beside their page.
    pub(super) fn lie_beside(&self) -> bool {
        matches!(self.file, Place::There(_))
    }

    /// Keeps those of a store beside a page under this seal, in the order of its list, unless they lie there: the order in which
    /// they were made depends on what of them was there before.
    pub(super) fn keep(
        mut self,
        store: &Store,
        page: &Path,
        sealed_by: &Digest,
    ) -> Result<(), Error> {
        if self.lie_beside() {
            return Ok(());
        }
        let path = path(page);
        let mut ordered = Self::beside(page)?;
        let written = ordered.take(&mut self, store, sealed_by);
        let kept = written.and_then(|()| match ordered.file {
            Place::Beside(pending) => pending.keep(),
            Place::There(_) | Place::Aside(_) => Ok(()),
        });
        kept.map_err(|error| failed(&path, &error))
    }

    /// Takes the chunks of a store from where they are, and puts the list and the seal behind them.
    fn take(&mut self, from: &mut Self, store: &Store, sealed_by: &Digest) -> io::Result<()> {
        let (mut checked, mut all) = (Checked::default(), Digesting::default());
        let (mut places, mut end) = (BTreeMap::new(), 0);
        let mut chunks = Vec::with_capacity(store.chunks.len());
        for chunk in &store.chunks {
            let at = *places.entry(chunk.at).or_insert(end);
            if at == end {
                let bytes = from.read(chunk.at, chunk.length)?;
                checked.add(&bytes);
                all.add(&bytes);
                self.add(&bytes)?;
                end += chunk.length as u64;
            }
            chunks.push((chunk.name.clone(), at, chunk.length));
        }
        let digest = digest(all, store, &chunks)?;
        let mut list = serde_json::to_vec(&List {
            store,
            chunks,
            digest,
        })?;
        let length = format!("{:016x}\n", list.len());
        list.extend_from_slice(length.as_bytes());
        checked.add(&list);
        self.add(&list)?;
        let seal = checked.seal(sealed_by);
        self.add(seal.as_bytes())?;
        self.flush()?;
        // Where times cannot be set the file is read.
        let _ = mark(self.file(), seal.as_bytes());
        Ok(())
    }

    fn file(&mut self) -> &mut File {
        match &mut self.file {
            Place::Beside(pending) => pending.file(),
            Place::There(file) | Place::Aside(file) => file,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.file().write_all(&waiting)?;
        self.waiting = waiting;
        self.waiting.clear();
        Ok(())
    }
}

impl Keep for Chunks {
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= AT_ONCE {
            self.flush()?;
        }
        Ok(())
    }

    fn read(&mut self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        if !self.waiting.is_empty() {
            self.flush()?;
        }
        let file = self.file();
        file.seek(SeekFrom::Start(at))?;
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes)?;
        // Nothing but the end may be written to.
        file.seek(SeekFrom::End(0))?;
        Ok(bytes)
    }
}

/// Where the chunks of a page lie.
pub(super) fn path(page: &Path) -> PathBuf {
    page.with_file_name(beside(
        &page.file_name().unwrap_or_default().to_string_lossy(),
    ))
}

/// A file of chunks that is whole, from its beginning, with what it lists and what its seal says that it was made from.
fn open(path: &Path) -> Option<(List<Store>, File, Digest)> {
    let sealed_by = sealed_by(path)?;
    let mut file = regular::open(path).ok()?;
    let list = list(&mut file).ok()??;
    file.rewind().ok()?;
    Some((list, file, sealed_by))
}

/// The chunks of a file that is whole; nothing where it holds no list.
fn list(file: &mut File) -> io::Result<Option<List<Store>>> {
    let seal = seal::place(file)?;
    let Some(end) = seal.and_then(|seal| seal.checked_sub(LENGTH as u64)) else {
        return Ok(None);
    };
    let mut digits = [0; LENGTH];
    file.seek(SeekFrom::Start(end))?;
    file.read_exact(&mut digits)?;
    let length = std::str::from_utf8(&digits).ok();
    let length = length.and_then(|digits| usize::from_str_radix(digits.trim_end(), 16).ok());
    let start = length.and_then(|length| end.checked_sub(length as u64));
    let (Some(start), Some(length)) = (start, length.filter(|length| *length <= LONGEST)) else {
        return Ok(None);
    };
    let mut list = vec![0; length];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut list)?;
    let Ok(mut list) = serde_json::from_slice::<List<Store>>(&list) else {
        return Ok(None);
    };
    let inside = |at: u64, length: usize| {
        at.checked_add(length as u64)
            .is_some_and(|end| end <= start)
    };
    list.chunks.retain(|(_, at, length)| inside(*at, *length));
    Ok(Some(list))
}
