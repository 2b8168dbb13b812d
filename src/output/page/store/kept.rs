//! What a store in the making keeps, and what an earlier store kept.

use std::collections::BTreeMap;
use std::io;

use super::Chunk;
use super::earlier::Earlier;
use super::keep::Keep;
use super::packing::{Known, known};

/// What is kept, with how much there is of it and what went wrong first: nobody who puts a thing down has to ask. What is there
/// already is not kept twice.
#[derive(Debug)]
pub(super) struct Kept<K> {
    keep: K,
    length: u64,
    /// Where bytes are, by what they are known by.
    places: BTreeMap<Known, u64>,
    /// What an earlier store had, some of which may be the same.
    earlier: Option<Earlier<K>>,
    failed: Option<io::Error>,
}

impl<K: Keep> Kept<K> {
    pub(super) fn new(keep: K, earlier: Option<Earlier<K>>) -> Self {
        Self {
            keep,
            length: 0,
            places: BTreeMap::new(),
            earlier,
            failed: None,
        }
    }

    /// Adds a chunk.
    pub(super) fn put(&mut self, name: String, gzip: &[u8]) -> Chunk {
        Chunk {
            name,
            at: self.add(gzip),
            length: gzip.len(),
        }
    }

    /// Adds bytes, and hands back where they begin.
    fn add(&mut self, bytes: &[u8]) -> u64 {
        let at = self.length;
        let known = *self.places.entry(known(bytes)).or_insert(at);
        if known < at {
            return known;
        }
        if self.failed.is_none() {
            self.failed = self.keep.add(bytes).err();
        }
        self.length += bytes.len() as u64;
        at
    }

    /// What an earlier store had.
    pub(super) fn earlier(&mut self) -> Option<&mut Earlier<K>> {
        self.earlier.as_mut()
    }

    /// Does something with what an earlier store had; what goes wrong there goes wrong here.
    pub(super) fn with_earlier<T>(
        &mut self,
        act: impl FnOnce(&mut Earlier<K>, &mut Self) -> io::Result<T>,
    ) -> Option<T> {
        let mut earlier = self.earlier.take()?;
        let done = act(&mut earlier, self);
        self.earlier = Some(earlier);
        match done {
            Ok(done) => Some(done),
            Err(error) => {
                self.failed.get_or_insert(error);
                None
            }
        }
    }

    /// All of it, or what went wrong.
    pub(super) fn end(self) -> io::Result<K> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.keep),
        }
    }
}
