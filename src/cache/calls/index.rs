//! Where each key stands in the segments.
//!
//! Built by scanning headers on first use, kept up to date by looking at tails and new segments.
//! When a key stands in several places the first one wins, by segment and then by offset, so
//! all processes agree; the others are kept for the day the first turns out to be damaged.
//! Holds no values and writes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fs_err as fs;

use super::scan::{self, Found, Tail};
use super::segment;
use super::table::{Short, Table};
use crate::base::key::Digest;
use crate::cache::error::{CacheError, Damage, Flaw};

/// How long a list of the segments is believed, where a look at the next one says that it is not there.
const LISTED: Duration = Duration::from_millis(100);

/// A record's place; the order is the order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    /// Number of the segment.
    pub(super) segment: u32,
    /// Where it begins, in bytes from the start of the segment.
    pub(super) offset: u64,
    /// Length of the record, header included, in bytes.
    pub(super) length: u32,
}

/// A segment open for reading.
#[derive(Debug)]
struct Source {
    file: Arc<fs::File>,
    path: PathBuf,
    resume: u64,
    /// Up to where lost bytes have been reported.
    reported: u64,
}

/// The places of all keys.
#[derive(Debug)]
pub(super) struct Index {
    folder: PathBuf,
    /// When the folder was last listed.
    listed: Option<Instant>,
    sources: BTreeMap<u32, Source>,
    first: Table,
    /// Further places of the few keys that have them, in order.
    more: BTreeMap<Short, Vec<Spot>>,
    /// The segment that this process writes to, and nobody else.
    own: Option<u32>,
    damages: Vec<Damage>,
    told: BTreeSet<Damage>,
}

impl Index {
    /// An index of the segments in `folder` that has read nothing yet.
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_path_buf(),
            listed: None,
            sources: BTreeMap::new(),
            first: Table::default(),
            more: BTreeMap::new(),
            own: None,
            damages: Vec::new(),
            told: BTreeSet::new(),
        }
    }

    /// Reads the segments unless that has been done.
    pub(super) fn load(&mut self) -> Result<(), CacheError> {
        if self.listed.is_some() {
            return Ok(());
        }
        self.refresh()
    }

    /// Reads what was added by anyone since the last look.
    pub(super) fn refresh(&mut self) -> Result<(), CacheError> {
        let segments = if self.knows_all() {
            let known = self.sources.iter();
            known
                .map(|(number, source)| (*number, source.path.clone()))
                .collect()
        } else {
            let now = Instant::now();
            let segments = segment::list(&self.folder)?;
            self.listed = Some(now);
            segments
        };
        for (number, path) in segments {
            // What this process has written is known.
            if self.own != Some(number) {
                self.scan(number, &path);
            }
        }
        Ok(())
    }

    /// Reads what was added by anyone, through files that are opened anew.
    pub(super) fn reopen(&mut self) -> Result<(), CacheError> {
        self.listed = None;
        for source in self.sources.values_mut() {
            // One that cannot be opened now is read as it was.
            if let Ok(file) = fs::File::open(&source.path) {
                source.file = Arc::new(file);
            }
        }
        self.refresh()
    }

    /// Whether there is no segment that is not known. Listing a folder takes as long as all else about a call's place,
    /// and a new segment takes the first number that is free. One that skips a number, because its file is just being
    /// made by somebody else, is seen a moment later.
    fn knows_all(&self) -> bool {
        let gapless = self
            .sources
            .keys()
            .copied()
            .eq(0..self.sources.len() as u32);
        let next = segment::path_of(&self.folder, self.sources.len() as u32, "seg");
        self.listed.is_some_and(|at| at.elapsed() < LISTED)
            && gapless
            && next.try_exists().is_ok_and(|there| !there)
    }

    /// Reads what was added to one segment; `None` (and a report) if it can't be read.
    pub(super) fn scan(&mut self, number: u32, path: &Path) -> Option<Tail> {
        let result = self.scan_source(number, path);
        result
            .map_err(|error| self.report(Damage::unread(path, &error)))
            .ok()
    }

    fn scan_source(&mut self, number: u32, path: &Path) -> std::io::Result<Tail> {
        let (file, mut resume, mut reported) = match self.sources.get(&number) {
            Some(source) => (Arc::clone(&source.file), source.resume, source.reported),
            None => (Arc::new(fs::File::open(path)?), 0, 0),
        };
        if file.metadata()?.len() < resume {
            // Records never go away while a store is open; somebody cut the file by hand.
            self.forget_segment(number);
            (resume, reported) = (0, 0);
        }
        let mut lost = Vec::new();
        let tail = scan::scan(&file, resume, &mut |found| match found {
            Found::Record { offset, header } => self.add(
                Short::from(&header.key),
                Spot {
                    segment: number,
                    length: header.length() as u32,
                    offset,
                },
            ),
            Found::Lost { offset, length } => {
                let end = offset + length;
                let offset = offset.max(reported);
                if offset < end {
                    let length = end - offset;
                    lost.push(Flaw::LostBytes { offset, length });
                    reported = end;
                }
            }
        })?;
        for flaw in lost {
            self.report(Damage::new(path, flaw));
        }
        let source = Source {
            file,
            path: path.to_path_buf(),
            resume: tail.resume,
            reported,
        };
        self.sources.insert(number, source);
        Ok(tail)
    }

    /// Notes a record that this process has written at the end of a segment.
    pub(super) fn appended(&mut self, key: &Digest, spot: Spot) {
        if let Some(source) = self.sources.get_mut(&spot.segment)
            && source.resume == spot.offset
        {
            source.resume += u64::from(spot.length);
        }
        self.own = Some(spot.segment);
        self.add(Short::from(key), spot);
    }

    /// This process writes no more to the segment that it wrote to.
    pub(super) fn left(&mut self) {
        self.own = None;
    }

    /// Whether there is a place to read `key` from.
    pub(super) fn has(&self, key: &Digest) -> bool {
        self.first.get(Short::from(key)).is_some()
    }

    /// The place to read `key` from, with the file and its path.
    pub(super) fn find(&self, key: &Digest) -> Option<(Spot, Arc<fs::File>, PathBuf)> {
        let spot = self.first.get(Short::from(key))?;
        let source = self.sources.get(&spot.segment)?;
        Some((spot, Arc::clone(&source.file), source.path.clone()))
    }

    /// Reports damage at `spot` and forgets that `key` stands there.
    pub(super) fn distrust(&mut self, key: &Digest, spot: Spot, damage: Damage) {
        self.report(damage);
        self.remove(Short::from(key), |other| other == spot);
    }

    /// How many keys there are.
    pub(super) fn len(&self) -> usize {
        self.first.len()
    }

    /// Queues a report, once per process and store.
    pub(super) fn report(&mut self, damage: Damage) {
        if self.told.insert(damage.clone()) {
            self.damages.push(damage);
        }
    }

    /// Hands over the reports since the last time.
    pub(super) fn take_damages(&mut self) -> Vec<Damage> {
        std::mem::take(&mut self.damages)
    }

    fn add(&mut self, key: Short, spot: Spot) {
        let first = self.first.get_or_insert(key, spot);
        if *first == spot {
            return;
        }
        let other = if spot < *first {
            std::mem::replace(first, spot)
        } else {
            spot
        };
        let more = self.more.entry(key).or_default();
        if let Err(at) = more.binary_search(&other) {
            more.insert(at, other);
        }
    }

    fn remove(&mut self, key: Short, gone: impl Fn(Spot) -> bool) {
        let mut left: Vec<Spot> = self.first.remove(key).into_iter().collect();
        left.extend(self.more.remove(&key).unwrap_or_default());
        left.retain(|&spot| !gone(spot));
        for spot in left {
            self.add(key, spot);
        }
    }

    fn forget_segment(&mut self, number: u32) {
        let keys: Vec<Short> = self.first.keys().collect();
        for key in keys {
            self.remove(key, |spot| spot.segment == number);
        }
    }
}
