//! The cache under damage, kills, full disks and company.

mod child;
mod damage;
mod full_disk;
mod gc;
mod kill;
mod locks;
mod model;
mod owners;

use serde_json::json;
use tribunal::base::key::Digest;
use tribunal::cache::{Entry, NodeStore};

/// Small seeded numbers (xorshift), so that every failure can be repeated.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

/// A value that follows from its key and does not compress: 0 to 4,095 bytes.
pub(crate) fn value_of(key: &Digest) -> Vec<u8> {
    let [a, b, ..] = *key.as_bytes();
    let length = usize::from(u16::from_le_bytes([a, b]) % 4096);
    noise(key, length)
}

/// `length` bytes that follow from `key`.
pub(crate) fn noise(key: &Digest, length: usize) -> Vec<u8> {
    (0..=length / 32)
        .flat_map(|part| *Digest::of(format!("{key}{part}")).as_bytes())
        .take(length)
        .collect()
}

/// The entry that goes with the bytes [`value_of`] a key.
pub(crate) fn entry_of(key: &Digest) -> (Entry, Vec<u8>) {
    let bytes = value_of(key);
    let fields = json!({"kind": "judge", "temperature": 0.7, "seed": 7});
    let summary = json!({"scored": 3, "unscored": 0});
    (Entry::new(*key, fields, &bytes, 3, summary), bytes)
}

/// Stores the entry that goes with `key`.
pub(crate) fn commit(store: &NodeStore, key: &Digest) {
    let (entry, bytes) = entry_of(key);
    let claim = store.claim(key, &|| false).expect("never interrupted");
    claim.commit(&entry, &bytes).unwrap();
}
