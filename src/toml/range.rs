//! A range of whole numbers: `[8000, 16000]`, or `{ min = 40 }` where one end is open.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A range of whole numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The smallest number in it.
    pub min: u64,
    /// The largest number in it.
    pub max: u64,
}

impl<'de> Deserialize<'de> for Range {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RangeVisitor;
        impl<'de> Visitor<'de> for RangeVisitor {
            type Value = Range;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("two numbers, as `[40, 100]`, or `{ min = 40 }`")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Range, A::Error> {
                let both = (list.next_element()?, list.next_element()?);
                match (both, list.next_element::<IgnoredAny>()?) {
                    ((Some(min), Some(max)), None) => Ok(Range { min, max }),
                    _ => Err(A::Error::custom(
                        "a range has two numbers, the smallest and the largest",
                    )),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Range, A::Error> {
                let (mut min, mut max) = (None, None);
                while let Some(key) = table.next_key::<String>()? {
                    match key.as_str() {
                        "min" => min = Some(table.next_value()?),
                        "max" => max = Some(table.next_value()?),
                        other => {
                            return Err(A::Error::custom(format!(
                                "a range has `min` and `max`, and no `{other}`"
                            )));
                        }
                    }
                }
                if min.is_none() && max.is_none() {
                    return Err(A::Error::custom("a range needs `min`, `max` or both"));
                }
                Ok(Range {
                    min: min.unwrap_or(0),
                    max: max.unwrap_or(u64::MAX),
                })
            }
        }
        deserializer.deserialize_any(RangeVisitor)
    }
}

impl JsonSchema for Range {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Range".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let number = json_schema!({ "type": "integer", "minimum": 0 });
        json_schema!({ "anyOf": [
            { "type": "array", "items": number, "minItems": 2, "maxItems": 2 },
            {
                "type": "object",
                "properties": { "min": number, "max": number },
                "additionalProperties": false,
                "minProperties": 1,
            },
        ] })
    }
}
