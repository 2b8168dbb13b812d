//! The frame around one stored value.
//!
//! A record is a header of 80 bytes and a payload, numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 0–3 | magic, beginning with a byte that occurs in no UTF-8 text |
//! | 4 | 1 if the payload is zstd, else 0 |
//! | 5–7 | zero |
//! | 8–39 | key |
//! | 40–47 | when it was stored, Unix time in seconds |
//! | 48–51 | length of the payload |
//! | 52–55 | length of the value |
//! | 56–63 | header check: blake3 of bytes 0–55, cut to 8 bytes |
//! | 64–79 | record check: blake3 of bytes 0–63 and the payload, cut to 16 bytes |
//!
//! The header check lets a reader trust the length before it has read the payload; the record
//! check is what makes a value true. Pure: bytes in, bytes out.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

use crate::base::key::Digest;
use crate::cache::error::CacheError;

/// Length of a header in bytes.
pub(crate) const HEADER: usize = 80;

/// The longest value that can be stored, in bytes (1 GiB).
pub const LONGEST_VALUE: usize = 1 << 30;

/// How every record begins.
pub(crate) const MAGIC: [u8; 4] = [0xf5, b'T', b'r', 0x0a];

/// Shorter values are stored as they are: compression would not pay.
const SHORTEST_PACKED: usize = 128;

/// At zstd's own default, 3, replies of 1.9 KB take a hundredth less room, and a quarter longer to pack.
const LEVEL: i32 = 1;

thread_local! {
    /// Kept by each thread: making one takes five times as long as compressing a short reply with it.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// What a header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    /// The key of the call.
    pub(crate) key: Digest,
    /// When the value was stored, Unix time in seconds.
    pub(crate) at: u64,
    /// Whether the payload is zstd.
    packed: bool,
    /// Length of the payload in bytes.
    stored: u32,
    /// Length of the value in bytes.
    plain: u32,
}

impl Header {
    /// Reads a header; `None` if these bytes are not one, to the last bit of the header check.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; HEADER] = bytes.first_chunk()?;
        if bytes[..4] != MAGIC || bytes[56..64] != blake3::hash(&bytes[..56]).as_bytes()[..8] {
            return None;
        }
        let number = |at: usize| Some(u32::from_le_bytes(*bytes[at..].first_chunk()?));
        Some(Self {
            key: Digest::from_bytes(*bytes[8..].first_chunk()?),
            at: u64::from_le_bytes(*bytes[40..].first_chunk()?),
            packed: bytes[4] == 1,
            stored: number(48)?,
            plain: number(52)?,
        })
    }

    /// Length of the whole record, header included, in bytes.
    pub(crate) fn length(&self) -> u64 {
        HEADER as u64 + u64::from(self.stored)
    }
}

/// Frames `value` as one record.
pub(crate) fn encode(key: &Digest, value: &[u8], at: u64) -> Result<Vec<u8>, CacheError> {
    if value.len() > LONGEST_VALUE {
        return Err(CacheError::TooLong {
            bytes: value.len(),
            limit: LONGEST_VALUE,
        });
    }
    // A failure to compress is no reason to fail: the plain value is as good.
    let packed = (value.len() >= SHORTEST_PACKED)
        .then(|| compress(value))
        .flatten()
        .filter(|packed| packed.len() < value.len());
    let payload = packed.as_deref().unwrap_or(value);
    let mut record = Vec::with_capacity(HEADER + payload.len());
    record.extend_from_slice(&MAGIC);
    record.extend_from_slice(&[u8::from(packed.is_some()), 0, 0, 0]);
    record.extend_from_slice(key.as_bytes());
    record.extend_from_slice(&at.to_le_bytes());
    record.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    record.extend_from_slice(&(value.len() as u32).to_le_bytes());
    let check = blake3::hash(&record);
    record.extend_from_slice(&check.as_bytes()[..8]);
    let check = record_check(&record, payload);
    record.extend_from_slice(&check);
    record.extend_from_slice(payload);
    Ok(record)
}

/// Whether `record` is complete and unaltered; its header if so.
pub(crate) fn check(record: &[u8]) -> Option<Header> {
    let header = Header::read(record)?;
    let (head, payload) = record.split_at_checked(HEADER)?;
    let intact =
        payload.len() == header.stored as usize && head[64..] == record_check(&head[..64], payload);
    intact.then_some(header)
}

/// The value in `record`; `None` if the record was altered or is not for `key`.
pub(crate) fn decode(key: &Digest, record: &[u8]) -> Option<Vec<u8>> {
    let header = check(record).filter(|header| header.key == *key)?;
    let payload = &record[HEADER..];
    if !header.packed {
        return Some(payload.to_vec());
    }
    // Whoever made the record made the check, too: a longer one than is ever written is none.
    if header.plain as usize > LONGEST_VALUE {
        return None;
    }
    decompress(payload, header.plain as usize).filter(|value| value.len() == header.plain as usize)
}

/// The value of so many bytes that zstd made this of.
fn decompress(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|kept| {
        let mut decompressor = match kept.take() {
            Some(decompressor) => decompressor,
            None => Decompressor::new().ok()?,
        };
        // One that met bytes it cannot read is not used again.
        let value = decompressor.decompress(packed, length).ok()?;
        *kept = Some(decompressor);
        Some(value)
    })
}

/// The value as zstd, the same bytes on every thread.
fn compress(value: &[u8]) -> Option<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|kept| {
        let mut compressor = match kept.take() {
            Some(compressor) => compressor,
            None => Compressor::new(LEVEL).ok()?,
        };
        let packed = compressor.compress(value).ok()?;
        *kept = Some(compressor);
        Some(packed)
    })
}

fn record_check(head: &[u8], payload: &[u8]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(head);
    hasher.update(payload);
    let mut check = [0; 16];
    check.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    check
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_any_length_comes_back() {
        let key = Digest::of("k");
        for length in [0, 1, 127, 128, 5_000, 300_000] {
            let value: Vec<u8> = (0..length).map(|i: u32| (i / 7) as u8).collect();
            let record = encode(&key, &value, 7).unwrap();
            let header = check(&record).unwrap();
            assert_eq!((header.at, header.length()), (7, record.len() as u64));
            assert_eq!(decode(&key, &record), Some(value));
        }
    }

    #[test]
    fn a_long_text_is_compressed_and_noise_is_not() {
        let key = Digest::of("k");
        assert!(encode(&key, &[b'a'; 4_000], 0).unwrap().len() < 200);
        let noise: Vec<u8> = (0..64u8)
            .flat_map(|i| *Digest::of([i]).as_bytes())
            .collect();
        assert_eq!(encode(&key, &noise, 0).unwrap().len(), HEADER + noise.len());
    }

    #[test]
    fn any_flipped_bit_and_any_other_key_is_noticed() {
        let key = Digest::of("k");
        let record = encode(&key, "grade: 7, because ".repeat(20).as_bytes(), 7).unwrap();
        for at in 0..record.len() {
            for bit in 0..8 {
                let mut altered = record.clone();
                altered[at] ^= 1 << bit;
                assert_eq!(decode(&key, &altered), None, "byte {at}, bit {bit}");
            }
            assert_eq!(decode(&key, &record[..at]), None);
        }
        assert_eq!(decode(&Digest::of("other"), &record), None);
    }
}
