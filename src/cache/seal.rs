//! JSON files that carry the digest of their own content, so that one altered byte is noticed.
//!
//! The last member of the object is `digest`, and it covers every byte before it. Only this
//! module knows that shape; what the other members mean is the caller's business.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::key::Digest;

const BEFORE: &str = ",\n  \"digest\": \"";
const AFTER: &str = "\"\n}\n";

/// Writes an object with at least one member as indented JSON with its seal.
pub fn seal<T: Serialize>(object: &T) -> Vec<u8> {
    let text = serde_json::to_string_pretty(object).unwrap_or_default();
    // Anything but an object with members gets a seal that nothing can be read from.
    let body = text.strip_suffix("\n}").unwrap_or_default();
    format!("{body}{BEFORE}{}{AFTER}", Digest::of(body)).into_bytes()
}

/// Reads a sealed object back; `None` if any byte differs from what was sealed.
pub fn unseal<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(&sealed(bytes)?).ok()
}

/// The JSON that was sealed; `None` if any byte differs from it.
pub fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    let rest = bytes.strip_suffix(AFTER.as_bytes())?;
    let (rest, digest) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
    let body = rest.strip_suffix(BEFORE.as_bytes())?;
    if Digest::of(body).to_string().as_bytes() != digest {
        return None;
    }
    // The digest itself is one member too many for readers that refuse unknown ones: leave it out.
    let mut object = body.to_vec();
    object.extend_from_slice(b"\n}");
    Some(object)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn sample() -> BTreeMap<String, f64> {
        BTreeMap::from([("a".to_owned(), 0.1), ("b".to_owned(), 2e300)])
    }

    #[test]
    fn a_sealed_object_is_valid_json_and_comes_back() {
        let bytes = seal(&sample());
        assert!(serde_json::from_slice::<serde_json::Value>(&bytes).is_ok());
        assert_eq!(unseal(&bytes), Some(sample()));
    }

    #[test]
    fn any_flipped_bit_and_any_truncation_is_noticed() {
        let bytes = seal(&sample());
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut altered = bytes.clone();
                altered[at] ^= 1 << bit;
                assert_eq!(unseal::<BTreeMap<String, f64>>(&altered), None);
            }
            assert_eq!(unseal::<BTreeMap<String, f64>>(&bytes[..at]), None);
        }
    }

    #[test]
    fn only_objects_with_members_come_back() {
        assert_eq!(unseal::<u8>(&seal(&1_u8)), None);
        assert_eq!(unseal::<Vec<u8>>(&seal(&[1_u8])), None);
        let empty = BTreeMap::<String, u8>::new();
        assert_eq!(unseal::<BTreeMap<String, u8>>(&seal(&empty)), None);
    }
}
