//! Percentages of operations: `5`, or `[10, 30]` for a range.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Whole percentages, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percent {
    /// The lowest.
    pub start: u32,
    /// The highest.
    pub end: u32,
}

impl Percent {
    fn new<E: Error>(start: i64, end: i64) -> Result<Self, E> {
        let within = |n: i64| u32::try_from(n).ok().filter(|&n| n <= 100);
        match (within(start), within(end)) {
            (Some(start), Some(end)) if start <= end => Ok(Self { start, end }),
            (Some(_), Some(_)) => Err(E::custom("write the smaller percentage first")),
            _ => Err(E::custom("a percentage lies between 0 and 100")),
        }
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PercentVisitor;
        impl<'de> Visitor<'de> for PercentVisitor {
            type Value = Percent;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole percentage, or two as `[10, 30]`")
            }

            fn visit_i64<E: Error>(self, n: i64) -> Result<Percent, E> {
                Percent::new(n, n)
            }

            fn visit_u64<E: Error>(self, n: u64) -> Result<Percent, E> {
                self.visit_i64(i64::try_from(n).unwrap_or(i64::MAX))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Percent, A::Error> {
                let both = (list.next_element()?, list.next_element()?);
                match (both, list.next_element::<IgnoredAny>()?) {
                    ((Some(start), Some(end)), None) => Percent::new(start, end),
                    _ => Err(A::Error::custom(
                        "a range has two percentages, the lowest and the highest",
                    )),
                }
            }
        }
        deserializer.deserialize_any(PercentVisitor)
    }
}

impl JsonSchema for Percent {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Percent".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let percent = json_schema!({ "type": "integer", "minimum": 0, "maximum": 100 });
        json_schema!({ "anyOf": [
            percent,
            { "type": "array", "items": percent, "minItems": 2, "maxItems": 2 },
        ] })
    }
}
