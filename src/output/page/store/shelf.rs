//! Things in chunks: each once, in the order in which they come, a fixed number to a chunk.

use std::collections::BTreeMap;

use flate2::{Compression, GzBuilder};
use rayon::prelude::*;
use std::io::Write as _;

use super::Chunk;

/// So many chunks are compressed at once; until then their texts are kept.
const AT_ONCE: usize = 16;

/// Things of one kind.
#[derive(Debug)]
pub(super) struct Shelf {
    name: &'static str,
    per_chunk: usize,
    /// The positions of the things there are, by digest.
    known: BTreeMap<[u8; 32], usize>,
    /// The chunk that is being filled, as JSON without its end.
    open: Vec<u8>,
    /// Chunks that wait for being compressed.
    full: Vec<Vec<u8>>,
    packed: Vec<Vec<u8>>,
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
        digest: [u8; 32],
        json: impl FnOnce() -> J,
    ) -> usize {
        let next = self.known.len();
        let position = *self.known.entry(digest).or_insert(next);
        if position < next {
            return position;
        }
        self.open
            .push(if self.open.is_empty() { b'[' } else { b',' });
        self.open.extend_from_slice(json().as_ref());
        if (next + 1).is_multiple_of(self.per_chunk) {
            self.close();
        }
        position
    }

    fn close(&mut self) {
        if self.open.is_empty() {
            return;
        }
        self.open.push(b']');
        self.full.push(std::mem::take(&mut self.open));
        if self.full.len() >= AT_ONCE {
            self.pack();
        }
    }

    fn pack(&mut self) {
        let packed = self.full.par_iter().map(|json| gzip(json));
        self.packed.par_extend(packed);
        self.full.clear();
    }

    /// All chunks.
    pub(super) fn end(mut self) -> Vec<Chunk> {
        self.close();
        self.pack();
        let name = self.name;
        let named = |(k, gzip)| Chunk {
            name: format!("{name}-{k}"),
            gzip,
        };
        self.packed.into_iter().enumerate().map(named).collect()
    }
}

/// The digest by which equal things are known.
pub(super) fn digest(json: &[u8]) -> [u8; 32] {
    *blake3::hash(json).as_bytes()
}

/// The JSON compressed: without a time or a name in its head, so that the bytes follow from the JSON.
pub(super) fn gzip(json: &[u8]) -> Vec<u8> {
    let packed = Vec::with_capacity(json.len() / 2);
    let mut encoder = GzBuilder::new().write(packed, Compression::new(6));
    // Writing to memory cannot fail.
    let _ = encoder.write_all(json);
    encoder.finish().unwrap_or_default()
}
