//! Things in chunks: each once, in the order in which they come, a fixed number to a chunk.

use std::collections::BTreeMap;

use flate2::{Compression, GzBuilder};
use rayon::prelude::*;
use std::io::Write as _;

use super::Chunk;
use super::keep::{Keep, Kept};

/// So many chunks are compressed at once; until then their texts are kept.
const AT_ONCE: usize = 16;

/// What a thing is known by. Of a million things there is one such for each in memory, so it is as long as it must be.
pub(super) type Known = [u8; 16];

/// Things of one kind.
#[derive(Debug)]
pub(super) struct Shelf {
    name: &'static str,
    per_chunk: usize,
    /// The positions of the things there are.
    known: BTreeMap<Known, u32>,
    /// The chunk that is being filled, as JSON without its end.
    open: Vec<u8>,
    /// Chunks that wait for being compressed.
    full: Vec<Vec<u8>>,
    packed: Vec<Chunk>,
}

impl Shelf {
    pub(super) fn new(name: &'static str, per_chunk: usize) -> Self {
        Self {
            name,
            per_chunk,
            known: BTreeMap::new(),
            open: Vec::new(),
            full: Vec::new(),
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
        let next = self.known.len();
        // Positions of rows are 32 bits long, and so many things fit no disk.
        let new = u32::try_from(next).unwrap_or(u32::MAX);
        let position = *self.known.entry(known).or_insert(new) as usize;
        if position < next {
            return position;
        }
        self.open
            .push(if self.open.is_empty() { b'[' } else { b',' });
        self.open.extend_from_slice(json().as_ref());
        if (next + 1).is_multiple_of(self.per_chunk) {
            self.close(kept);
        }
        position
    }

    fn close(&mut self, kept: &mut Kept<impl Keep>) {
        if self.open.is_empty() {
            return;
        }
        self.open.push(b']');
        self.full.push(std::mem::take(&mut self.open));
        if self.full.len() >= AT_ONCE {
            self.pack(kept);
        }
    }

    fn pack(&mut self, kept: &mut Kept<impl Keep>) {
        let packed: Vec<Vec<u8>> = self.full.par_iter().map(|json| gzip(json)).collect();
        for gzip in packed {
            let name = format!("{}-{}", self.name, self.packed.len());
            self.packed.push(Chunk::put(name, &gzip, kept));
        }
        self.full.clear();
    }

    /// All chunks.
    pub(super) fn end(mut self, kept: &mut Kept<impl Keep>) -> Vec<Chunk> {
        self.close(kept);
        self.pack(kept);
        self.packed
    }
}

/// What equal things are known by.
pub(super) fn known(json: &[u8]) -> Known {
    let mut known = Known::default();
    known.copy_from_slice(&blake3::hash(json).as_bytes()[..16]);
    known
}

/// How hard it is compressed. At level 6 English takes 2 % less room, and half as much time again; texts with many numbers
/// take three times as long.
const LEVEL: u32 = 4;

/// The JSON compressed: without a time or a name in its head, so that the bytes follow from the JSON. The script of the page
/// (`unpack.js`) reads no other heads.
pub(super) fn gzip(json: &[u8]) -> Vec<u8> {
    let packed = Vec::with_capacity(json.len() / 4);
    let mut encoder = GzBuilder::new().write(packed, Compression::new(LEVEL));
    // Writing to memory cannot fail.
    let _ = encoder.write_all(json);
    encoder.finish().unwrap_or_default()
}
