//! The places of keys, of which there may be millions.
//!
//! Keys are digests already: their own bits spread them, and half of them tell them apart, since whoever reads a record
//! compares all of its key. Many small tables grow one after the other, so that there is never a second copy of all.

#![expect(
    clippy::disallowed_types,
    reason = "no order of these tables reaches anybody, and a map that keeps one takes more memory"
)]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::index::Spot;
use crate::base::key::Digest;

/// How many tables there are: one for each first byte.
const TABLES: usize = 256;

/// Enough of a key to tell it from all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Short([u8; 16]);

impl From<&Digest> for Short {
    fn from(key: &Digest) -> Self {
        let mut short = [0; 16];
        short.copy_from_slice(&key.as_bytes()[..16]);
        Self(short)
    }
}

type Places = HashMap<Short, Spot, BuildHasherDefault<OwnBits>>;

/// The first place of each key.
#[derive(Debug)]
pub(super) struct Table(Vec<Places>);

impl Default for Table {
    fn default() -> Self {
        Self((0..TABLES).map(|_| Places::default()).collect())
    }
}

impl Table {
    pub(super) fn get(&self, key: Short) -> Option<Spot> {
        self.0[key.table()].get(&key).copied()
    }

    /// The place of a key, which is this one if it had none.
    pub(super) fn get_or_insert(&mut self, key: Short, spot: Spot) -> &mut Spot {
        self.0[key.table()].entry(key).or_insert(spot)
    }

    pub(super) fn remove(&mut self, key: Short) -> Option<Spot> {
        self.0[key.table()].remove(&key)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(HashMap::len).sum()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = Short> {
        self.0.iter().flat_map(|table| table.keys().copied())
    }
}

impl Short {
    fn table(self) -> usize {
        usize::from(self.0[0])
    }
}

impl Hash for Short {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Other bits than those that choose the table.
        state.write(&self.0[8..]);
    }
}

/// The bits of a key as they are.
#[derive(Debug, Default)]
struct OwnBits(u64);

impl Hasher for OwnBits {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let eight = bytes.first_chunk().copied();
        self.0 = u64::from_le_bytes(eight.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(offset: u64) -> Spot {
        Spot {
            segment: 0,
            offset,
            length: 1,
        }
    }

    #[test]
    fn what_is_put_in_is_found_and_what_is_taken_out_is_gone() {
        let mut table = Table::default();
        let key = |number: u64| Short::from(&Digest::of(number.to_le_bytes()));
        for number in 0..3_000 {
            *table.get_or_insert(key(number), spot(0)) = spot(number);
        }
        assert_eq!(table.len(), 3_000);
        assert_eq!(*table.get_or_insert(key(7), spot(0)), spot(7));
        assert_eq!(table.remove(key(8)), Some(spot(8)));
        assert_eq!((table.get(key(8)), table.len()), (None, 2_999));
        for number in (0..3_000).filter(|&number| number != 8) {
            assert_eq!(table.get(key(number)), Some(spot(number)));
        }
        assert_eq!(table.keys().count(), 2_999);
    }

    #[test]
    fn keys_that_differ_in_their_first_half_alone_are_told_apart() {
        let mut table = Table::default();
        for place in 0..16 {
            let mut bytes = [0; 32];
            bytes[place] = 1;
            let key = Short::from(&Digest::from_bytes(bytes));
            table.get_or_insert(key, spot(place as u64));
        }
        assert_eq!(table.len(), 16);
    }
}
