//! The judgements of a page in a file: beside a page that has no room for them, or until they are in it.
//!
//! `index.judgements` beside `index.html` holds the chunks one after the other, then a list of their names and lengths, how
//! long that list is, and a seal as pages have it. The list is read as a stranger's: of its names only those that chunks have
//! count, and of its places those in the file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::seal::{self, Checked, is_whole, mark};
use super::whole::failed;
use crate::base::exit::Error;
use crate::base::key::Digest;
use crate::base::regular;
use crate::base::whole::Pending;
use crate::output::page::store::{self, Keep};
use crate::output::page::{Chunk, Store};
use crate::output::report::folder::beside;

/// A store in the making, whose chunks go to a file.
pub(super) type Builder = store::Builder<Chunks>;

/// So many bytes are written at once.
const AT_ONCE: usize = 1 << 16;

/// The digits that say how long the list is, and the end of their line.
const LENGTH: usize = 17;

/// The longest list that is read: a hundred million judgements have one of this length.
const LONGEST: usize = 64 << 20;

/// Chunks in a file.
pub(crate) struct Chunks {
    file: Place,
    /// What is not written yet.
    waiting: Vec<u8>,
    checked: Checked,
}

/// Where they are.
enum Place {
    /// Where a page has them beside it, if they are kept.
    Beside(Pending),
    /// In a file that goes with this process, or that is only read.
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
            checked: Checked::new(),
        }
    }

    /// The chunks that lie beside a page which was made from this; nothing where there are none that are whole.
    pub(super) fn open(page: &Path, made_from: &Digest) -> Option<(Vec<Chunk>, Self)> {
        let path = path(page);
        if !is_whole(&path, made_from) {
            return None;
        }
        let mut file = regular::open(&path).ok()?;
        let chunks = list(&mut file).ok()??;
        Some((chunks, Self::at(Place::Aside(file))))
    }

    /// Keeps them beside the page that was made from this.
    pub(super) fn keep(
        mut self,
        store: &Store,
        page: &Path,
        made_from: &Digest,
    ) -> Result<(), Error> {
        let written = self.end(store, made_from);
        let kept = written.and_then(|()| match self.file {
            Place::Beside(pending) => pending.keep(),
            Place::Aside(_) => Ok(()),
        });
        kept.map_err(|error| failed(&path(page), &error))
    }

    /// Puts the list and the seal behind them.
    fn end(&mut self, store: &Store, made_from: &Digest) -> io::Result<()> {
        let places: Vec<(&str, u64, usize)> = store
            .chunks
            .iter()
            .map(|chunk| (&*chunk.name, chunk.at, chunk.length))
            .collect();
        let list = serde_json::to_vec(&places)?;
        self.add(&list)?;
        self.add(format!("{:016x}\n", list.len()).as_bytes())?;
        let seal = self.checked.seal(made_from);
        self.waiting.extend_from_slice(seal.as_bytes());
        self.flush()?;
        // Where times cannot be set the file is read.
        let _ = mark(self.file(), seal.as_bytes());
        Ok(())
    }

    fn file(&mut self) -> &mut File {
        match &mut self.file {
            Place::Beside(pending) => pending.file(),
            Place::Aside(file) => file,
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
fn list(file: &mut File) -> io::Result<Option<Vec<Chunk>>> {
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
    let Ok(list) = serde_json::from_slice::<Vec<(String, u64, usize)>>(&list) else {
        return Ok(None);
    };
    let inside = |at: u64, length: usize| {
        at.checked_add(length as u64)
            .is_some_and(|end| end <= start)
    };
    let is_name = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let chunks = list.into_iter();
    let chunks = chunks.filter(|(name, at, length)| is_name(name) && inside(*at, *length));
    let chunk = |(name, at, length)| Chunk { name, at, length };
    Ok(Some(chunks.map(chunk).collect()))
}
