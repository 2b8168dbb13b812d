//! The judgements of a page in a file: beside a page that has no room for them, or until they are in it.
//!
//! `index.judgements` beside `index.html` holds the chunks one after the other, then a list of their names and lengths, how
//! long that list is, and a seal as pages have it. The list is read as a stranger's: of its names only those that chunks have
//! count, and of its places those in the file.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::seal::{self, Checked, is_sealed, is_whole, mark};
use super::whole::failed;
use crate::base::exit::Error;
use crate::base::key::Digest;
use crate::base::regular;
use crate::base::whole::Pending;
use crate::output::page::store::{self, Keep, Told};
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
struct List {
    #[serde(flatten)]
    told: Told,
    chunks: Vec<(String, u64, usize)>,
}

/// Chunks in a file.
pub(crate) struct Chunks {
    file: Place,
    /// What is not written yet.
    waiting: Vec<u8>,
    checked: Checked,
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
            checked: Checked::default(),
        }
    }

    /// The judgements of a page that is there, if they were made from this (`own`), or the page from that (`of_page`): beside
    /// it, or in it, from where they go to `room`.
    pub(super) fn there(
        page: &Path,
        [own, of_page]: [&Digest; 2],
        room: &dyn Fn() -> Result<Self, Error>,
    ) -> Result<Option<(Store, Self)>, Error> {
        if let Some(beside) = Self::open(page, own).or_else(|| Self::open(page, of_page)) {
            return Ok(Some(beside));
        }
        if !is_sealed(page) {
            return Ok(None);
        }
        let mut chunks = room()?;
        let read = |chunks: &mut Self| -> io::Result<Option<Store>> {
            let mut file = regular::open(page)?;
            let Some(end) = seal::place(&mut file)? else {
                return Ok(None);
            };
            let mut page = BufReader::with_capacity(AT_ONCE, file);
            page::embedded(&mut page, end, own, chunks)
        };
        // If it cannot be read, they are made.
        let store = read(&mut chunks).ok().flatten();
        Ok(store.map(|store| (store, chunks)))
    }

    /// Those that lie beside a page under this seal.
    fn open(page: &Path, sealed_by: &Digest) -> Option<(Store, Self)> {
        let path = path(page);
        if !is_whole(&path, sealed_by) {
            return None;
        }
        let mut file = regular::open(&path).ok()?;
        let List { told, chunks } = list(&mut file).ok()??;
        let chunks = chunks.into_iter();
        let chunks = chunks.filter_map(|(name, at, length)| Chunk::read(name, at, length));
        Some((told.store(chunks.collect()), Self::at(Place::There(file))))
    }

    /// Whether they lie beside their page.
    pub(super) fn lie_beside(&self) -> bool {
        matches!(self.file, Place::There(_))
    }

    /// Keeps them beside the page that was made from this, unless they lie there.
    pub(super) fn keep(
        mut self,
        store: &Store,
        page: &Path,
        made_from: &Digest,
    ) -> Result<(), Error> {
        if self.lie_beside() {
            return Ok(());
        }
        let written = self.end(store, store.made_from.as_ref().unwrap_or(made_from));
        let kept = written.and_then(|()| match self.file {
            Place::Beside(pending) => pending.keep(),
            Place::There(_) | Place::Aside(_) => Ok(()),
        });
        kept.map_err(|error| failed(&path(page), &error))
    }

    /// Puts the list and the seal behind them.
    fn end(&mut self, store: &Store, sealed_by: &Digest) -> io::Result<()> {
        let chunks = store.chunks.iter();
        let chunks = chunks.map(|chunk| (chunk.name.clone(), chunk.at, chunk.length));
        let list = serde_json::to_vec(&List {
            told: Told::of(store),
            chunks: chunks.collect(),
        })?;
        self.add(&list)?;
        self.add(format!("{:016x}\n", list.len()).as_bytes())?;
        let seal = self.checked.seal(sealed_by);
        self.waiting.extend_from_slice(seal.as_bytes());
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
        self.checked.add(bytes);
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

/// The chunks of a file that is whole; nothing where it holds no list.
fn list(file: &mut File) -> io::Result<Option<List>> {
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
    let Ok(mut list) = serde_json::from_slice::<List>(&list) else {
        return Ok(None);
    };
    let inside = |at: u64, length: usize| {
        at.checked_add(length as u64)
            .is_some_and(|end| end <= start)
    };
    list.chunks.retain(|(_, at, length)| inside(*at, *length));
    Ok(Some(list))
}
