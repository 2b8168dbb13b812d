//! The replies of a store: each judge's in chunks of their own, so that a later store can take those of a judge that is the same
//! as they are.
//!
//! Nothing in a reply says where it or its document lies, and the first reply of a judge begins a chunk: what a judge's chunks
//! hold depends on nothing but the judge.

use super::earlier::OfJudge;
use super::keep::Keep;
use super::kept::Kept;
use super::packing::gzip;
use super::shelf::Shelf;
use super::{Chunk, POSITIONS, Packed, REPLIES, cells};
use crate::base::key::Digest;

/// Replies are short, and prompts around the same document are alike, which compresses well.
const PER_CHUNK: usize = 64;

/// Replies being put into a store.
#[derive(Debug)]
pub(super) struct Replies {
    shelf: Shelf,
    judges: Vec<OfJudge>,
    /// For each question of the judge whose replies come now, which of them came of it, from 1; 0 for none.
    positions: Vec<u32>,
    /// Where those of the judges before it are packed.
    packed: Vec<Chunk>,
}

impl Replies {
    pub(super) fn new() -> Self {
        Self {
            shelf: Shelf::new(REPLIES, PER_CHUNK),
            judges: Vec::new(),
            positions: Vec::new(),
            packed: Vec::new(),
        }
    }

    pub(super) fn per_chunk() -> usize {
        PER_CHUNK
    }

    /// Puts in what came of the next question of a judge, unless an equal reply of it is there, and hands back its position.
    pub(super) fn put(
        &mut self,
        reply: Option<&Packed>,
        kept: &mut Kept<impl Keep>,
    ) -> Option<usize> {
        let first = self.shelf.first();
        let position = reply.map(|reply| self.shelf.put(kept, reply.known, || &reply.json));
        let own = position.map_or(0, |position| position - first + 1);
        self.positions.push(u32::try_from(own).unwrap_or(u32::MAX));
        position
    }

    /// Ends the replies of a judge, which were made from this.
    pub(super) fn end_judge(&mut self, made_from: Option<Digest>, kept: &mut Kept<impl Keep>) {
        let replies = self.shelf.next() - self.shelf.first();
        let chunks = self.shelf.end_part(kept);
        let mut bytes = Vec::new();
        cells::positions(&self.positions, &mut bytes);
        self.positions = Vec::new();
        self.end(made_from, (chunks, replies), &gzip(&bytes), kept);
    }

    fn end(
        &mut self,
        made_from: Option<Digest>,
        (chunks, replies): (usize, usize),
        positions: &[u8],
        kept: &mut Kept<impl Keep>,
    ) {
        let name = format!("{POSITIONS}-{}", self.judges.len());
        self.packed.push(kept.put(name, positions));
        self.judges.push(OfJudge {
            made_from,
            chunks,
            replies: u32::try_from(replies).unwrap_or(u32::MAX),
        });
    }

    /// Takes over what an earlier store has of a judge that is asked so much: which reply came of each question.
    pub(super) fn take_over<K: Keep>(
        &mut self,
        made_from: Digest,
        questions: usize,
        kept: &mut Kept<K>,
    ) -> Option<Vec<Option<usize>>> {
        let known = kept.earlier()?.known(&made_from, questions)?;
        let first = self.shelf.first();
        kept.with_earlier(|earlier, kept| {
            for chunk in &known.chunks {
                let bytes = earlier.read(chunk)?;
                self.shelf.take(&bytes, kept);
            }
            Ok(())
        })?;
        self.shelf.skip(known.replies);
        let chunks = self.shelf.end_part(kept);
        let counts = (chunks, known.replies);
        self.end(Some(made_from), counts, &known.packed, kept);
        let own = known.positions.into_iter();
        let position = |own: u32| Some(first + own.checked_sub(1)? as usize);
        Some(own.map(position).collect())
    }

    /// The chunks of all, and which judge they are of.
    pub(super) fn all(mut self, kept: &mut Kept<impl Keep>) -> (Vec<Chunk>, Vec<OfJudge>) {
        let mut chunks = self.shelf.end(kept);
        chunks.append(&mut self.packed);
        (chunks, self.judges)
    }
}
