//! Things in chunks: each once, in the order in which they come, a fixed number to a chunk.

use std::collections::BTreeMap;

use super::Chunk;
use super::keep::Keep;
use super::kept::Kept;
use super::packing::{Known, gunzip, gzip};
use super::press::Press;

/// Things of one kind.
#[derive(Debug)]
pub(super) struct Shelf {
    name: &'static str,
    per_chunk: usize,
    /// The positions of the things of this part.
    known: BTreeMap<Known, u32>,
    /// The position of the first thing of this part, and that of the next one.
    first: usize,
    next: usize,
    /// The chunk that is being filled, as JSON without its end.
    open: Vec<u8>,
    /// Chunks that are full and not packed yet.
    full: Press,
    packed: Vec<Chunk>,
}

impl Shelf {
    pub(super) fn new(name: &'static str, per_chunk: usize) -> Self {
        Self {
            name,
            per_chunk,
            known: BTreeMap::new(),
            first: 0,
            next: 0,
            open: Vec::new(),
            full: Press::default(),
            packed: Vec::new(),
        }
    }

    /// The position of a thing, which is put down if it is new.
    pub(super) fn put<J: AsRef<[u8]>>(
        &mut self,
        kept: &mut Kept<impl Keep>,
        known: Known,
        json: impl FnOnce() -> J,
    ) -> usize {
        // Positions of rows are 32 bits long, and so many things fit no disk.
        let new = u32::try_from(self.next).unwrap_or(u32::MAX);
        let position = *self.known.entry(known).or_insert(new) as usize;
        if position < self.next {
            return position;
        }
        self.open
            .push(if self.open.is_empty() { b'[' } else { b',' });
        self.open.extend_from_slice(json().as_ref());
        self.next += 1;
        if self.next.is_multiple_of(self.per_chunk) {
            self.close(kept);
        }
        position
    }

    /// The position of the first thing of this part.
    pub(super) fn first(&self) -> usize {
        self.first
    }

    /// The position of the next thing.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    /// Ends a part: what comes now begins a chunk and is no other time that of the parts before. Hands back in how many chunks
    /// the part is.
    pub(super) fn end_part(&mut self, kept: &mut Kept<impl Keep>) -> usize {
        self.close(kept);
        self.known = BTreeMap::new();
        let before = self.first / self.per_chunk;
        self.next = self.next.next_multiple_of(self.per_chunk);
        self.first = self.next;
        self.first / self.per_chunk - before
    }

    /// Takes a chunk over as it was packed; how many things are in it is [said](Self::skip) for all of a part.
    pub(super) fn take(&mut self, gzip: &[u8], kept: &mut Kept<impl Keep>) {
        self.pack(kept);
        self.put_chunk(gzip, kept);
    }

    /// Counts things that were taken over.
    pub(super) fn skip(&mut self, things: usize) {
        self.next += things;
    }

    fn put_chunk(&mut self, gzip: &[u8], kept: &mut Kept<impl Keep>) {
        let name = format!("{}-{}", self.name, self.packed.len());
        self.packed.push(kept.put(name, gzip));
    }

    fn close(&mut self, kept: &mut Kept<impl Keep>) {
        if self.open.is_empty() {
            return;
        }
        self.open.push(b']');
        let json = std::mem::take(&mut self.open);
        let at = self.packed.len() + self.full.len();
        let there = kept
            .earlier()
            .and_then(|earlier| earlier.packed(self.name, at));
        let pack = move || {
            // To look whether it is the same takes a fraction of the time.
            let same = |gzip: &Vec<u8>| gunzip(gzip, json.len()).is_ok_and(|there| there == json);
            there.filter(same).unwrap_or_else(|| gzip(&json))
        };
        if let Some(gzip) = self.full.put(pack) {
            self.put_chunk(&gzip, kept);
        }
    }

    fn pack(&mut self, kept: &mut Kept<impl Keep>) {
        while let Some(gzip) = self.full.next() {
            self.put_chunk(&gzip, kept);
        }
    }

    /// All chunks.
    pub(super) fn end(mut self, kept: &mut Kept<impl Keep>) -> Vec<Chunk> {
        self.close(kept);
        self.pack(kept);
        self.packed
    }
}
