//! Keys as text: how they are printed, digested and compared.
//!
//! A key is a struct one can print, of everything a result depends on and of nothing else; its JSON is stored beside the
//! result, so that `tribunal why` can say which field changed. Paths, concurrency, endpoints, prices, thread counts and
//! report formats are in no key. What the keys of nodes and calls are made of stands where nodes and calls do. This module
//! does no input or output.

mod digest;

use serde::Serialize;
use serde_json::Value;

pub use self::digest::{Digest, DigestError, Digesting};

/// Counts up when keys themselves change form.
pub const KEY_FORMAT: u32 = 1;

/// A key as JSON with sorted maps, and the digest of that text.
///
/// JSON text frames every value, so different keys never share an encoding; numbers that are not
/// finite cannot occur, because the spec refuses them.
///
/// # Panics
/// When a key has map keys that are not text, which none has.
pub fn encode(key: &impl Serialize) -> (Value, Digest) {
    let value = plain(key);
    let digest = Digest::of(value.to_string());
    (value, digest)
}

/// A key as JSON with sorted maps.
pub(crate) fn plain(key: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(key).expect("keys are plain data with text as map keys");
    value.sort_all_objects();
    value
}

/// The fields in which two printed keys differ, as paths with both values.
pub fn differences(before: &Value, after: &Value) -> Vec<(String, Value, Value)> {
    fn walk(path: &str, before: &Value, after: &Value, found: &mut Vec<(String, Value, Value)>) {
        if before == after {
            return;
        }
        let join = |step: &str| {
            if path.is_empty() {
                step.to_owned()
            } else {
                format!("{path}.{step}")
            }
        };
        match (before, after) {
            (Value::Object(a), Value::Object(b)) => {
                let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                for name in names {
                    let side = |map: &serde_json::Map<String, Value>| {
                        map.get(name).cloned().unwrap_or(Value::Null)
                    };
                    walk(&join(name), &side(a), &side(b), found);
                }
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                for (index, (a, b)) in a.iter().zip(b).enumerate() {
                    walk(&join(&index.to_string()), a, b, found);
                }
            }
            _ => found.push((path.to_owned(), before.clone(), after.clone())),
        }
    }
    let mut found = Vec::new();
    walk("", before, after, &mut found);
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_order_of_map_keys_does_not_matter() {
        assert_eq!(
            encode(&json!({"a": 1, "b": 2})).1,
            encode(&json!({"b": 2, "a": 1})).1
        );
    }

    #[test]
    fn the_order_of_lists_matters() {
        assert_ne!(encode(&json!(["a", "b"])).1, encode(&json!(["b", "a"])).1);
    }

    #[test]
    fn texts_that_join_alike_differ() {
        assert_ne!(encode(&json!(["a", "bc"])).1, encode(&json!(["ab", "c"])).1);
    }

    #[test]
    fn differences_name_the_field() {
        let found = differences(
            &json!({"parameters": {"model": {"temperature": 0.0}}, "seed": null}),
            &json!({"parameters": {"model": {"temperature": 0.5}}, "seed": null}),
        );
        assert_eq!(
            found,
            [(
                "parameters.model.temperature".to_owned(),
                json!(0.0),
                json!(0.5)
            )]
        );
    }
}
