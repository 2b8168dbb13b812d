//! A store that was made earlier, some of which may be the same: the replies of judges that are as they were, and documents.

use std::collections::BTreeMap;
use std::io;

use serde::{Deserialize, Serialize};

use super::keep::Keep;
use super::packing::gunzip;
use super::{Chunk, POSITIONS, REPLIES, Store, cells};
use crate::base::key::Digest;

/// The replies of a judge among all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfJudge {
    /// A digest of everything they are made from, if nothing of that was missing.
    pub(super) made_from: Option<Digest>,
    /// In how many chunks they are.
    pub(super) chunks: usize,
    /// How many there are.
    pub(super) replies: u32,
}

/// An earlier store, some of which may be the same.
#[derive(Debug)]
pub struct Earlier<K> {
    judges: BTreeMap<Digest, There>,
    /// The chunks by their names.
    chunks: BTreeMap<String, Chunk>,
    keep: K,
}

/// Where the replies of a judge are in an earlier store: in so many chunks from the first on, as so many, by this number.
#[derive(Debug)]
struct There {
    first: usize,
    chunks: usize,
    replies: usize,
    number: usize,
}

/// The replies of a judge in an earlier store.
pub(super) struct Known {
    pub(super) chunks: Vec<Chunk>,
    pub(super) replies: usize,
    /// Which of them came of each question, from 1; 0 for none.
    pub(super) positions: Vec<u32>,
    /// The same, packed.
    pub(super) packed: Vec<u8>,
}

impl<K: Keep> Earlier<K> {
    /// What a store has whose chunks are kept there.
    pub fn new(store: &Store, keep: K) -> Self {
        let mut first = 0;
        let judges = store
            .judges
            .iter()
            .enumerate()
            .filter_map(|(number, judge)| {
                let there = There {
                    first,
                    chunks: judge.chunks,
                    replies: judge.replies as usize,
                    number,
                };
                first += judge.chunks;
                Some((judge.made_from?, there))
            });
        let chunks = store.chunks.iter();
        Self {
            judges: judges.collect(),
            chunks: chunks
                .map(|chunk| (chunk.name.clone(), chunk.clone()))
                .collect(),
            keep,
        }
    }

    /// Whether it has the replies of a judge.
    pub(super) fn has(&self, made_from: &Digest) -> bool {
        self.judges.contains_key(made_from)
    }

    /// The bytes of a chunk.
    pub(super) fn read(&mut self, chunk: &Chunk) -> io::Result<Vec<u8>> {
        self.keep.read(chunk.at, chunk.length)
    }

    /// A chunk of documents as it was packed: these are mostly the same, and in the same place. Replies that are the same are
    /// taken over with all of their judge.
    pub(super) fn packed(&mut self, name: &str, at: usize) -> Option<Vec<u8>> {
        if name == REPLIES {
            return None;
        }
        let chunk = self.chunks.get(&format!("{name}-{at}"))?;
        self.keep.read(chunk.at, chunk.length).ok()
    }

    /// The replies of a judge; nothing, where there is no such judge, or it was not asked so much.
    pub(super) fn known(&mut self, made_from: &Digest, questions: usize) -> Option<Known> {
        let there = self.judges.get(made_from)?;
        let numbers = there.first..there.first.checked_add(there.chunks)?;
        let chunks = numbers.map(|at| self.chunks.get(&format!("{REPLIES}-{at}")).cloned());
        let chunks: Vec<Chunk> = chunks.collect::<Option<_>>()?;
        let positions = self.chunks.get(&format!("{POSITIONS}-{}", there.number))?;
        let packed = self.keep.read(positions.at, positions.length).ok()?;
        let most = questions.checked_mul(4)?.saturating_add(5);
        let positions = cells::read_positions(&gunzip(&packed, most).ok()?, questions)?;
        let within = |position: &u32| *position as usize <= there.replies;
        positions.iter().all(within).then_some(Known {
            chunks,
            replies: there.replies,
            positions,
            packed,
        })
    }
}
