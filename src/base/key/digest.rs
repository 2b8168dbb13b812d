//! A 32-byte blake3 digest: the name of a content, of a node and of a call.
//!
//! Knows how to be computed, printed and read back. It must not know what was hashed,
//! nor do any input or output.

use std::fmt;
use std::io;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// The blake3 digest (32 bytes) of some content, ordered by its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

/// A text that is not 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is not a digest: expected 64 digits out of 0-9 and a-f")]
pub struct DigestError {
    /// The rejected text, cut to 80 characters.
    text: String,
}

impl Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(*blake3::hash(bytes.as_ref()).as_bytes())
    }

    /// Takes 32 bytes that already are a digest.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The digest of a content that comes in pieces.
#[derive(Clone, Debug, Default)]
pub struct Digesting(blake3::Hasher);

impl Digesting {
    /// With this as the first piece.
    pub fn of(bytes: &[u8]) -> Self {
        let mut digesting = Self::default();
        digesting.add(bytes);
        digesting
    }

    /// Takes the next piece.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all pieces together.
    pub fn end(self) -> Digest {
        Digest(*self.0.finalize().as_bytes())
    }
}

impl io::Write for Digesting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(64);
        for byte in self.0 {
            text.push(hex(byte >> 4));
            text.push(hex(byte & 15));
        }
        f.pad(&text)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    /// Strict on purpose: upper case is refused, so that a digest has exactly one spelling.
    fn from_str(text: &str) -> Result<Self, DigestError> {
        let refused = || DigestError {
            text: text.chars().take(80).collect(),
        };
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != 32 || !rest.is_empty() {
            return Err(refused());
        }
        let mut bytes = [0; 32];
        for (byte, &[high, low]) in bytes.iter_mut().zip(pairs) {
            let (Some(high), Some(low)) = (unhex(high), unhex(low)) else {
                return Err(refused());
            };
            *byte = high << 4 | low;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Digest;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a digest of 64 hexadecimal digits")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Digest, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

fn hex(nibble: u8) -> char {
    char::from(match nibble {
        0..=9 => b'0' + nibble,
        _ => b'a' + (nibble - 10),
    })
}

fn unhex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_nothing_is_the_published_one() {
        assert_eq!(
            Digest::of(b"").to_string(),
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
        );
    }

    #[test]
    fn a_printed_digest_is_read_back() {
        let digest = Digest::of("a");
        assert_eq!(digest.to_string().parse(), Ok(digest));
        let json = serde_json::to_string(&digest).unwrap();
        assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
    }

    #[test]
    fn other_texts_are_refused_without_panic() {
        let good = Digest::of("a").to_string();
        for bad in [
            "",
            "a",
            &good[1..],
            &format!("{good}0"),
            &good.to_uppercase(),
            &format!("{}é", &good[2..]),
            &format!("{}zz", &good[2..]),
        ] {
            assert!(bad.parse::<Digest>().is_err(), "{bad}");
        }
    }

    #[test]
    fn digests_are_ordered_by_their_bytes() {
        let (low, high) = (Digest([0; 32]), Digest([1; 32]));
        assert!(low < high);
        assert!(low.to_string() < high.to_string());
    }
}
