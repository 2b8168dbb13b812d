//! What the score of a reply is, as it is written.
//!
//! Read by a visitor rather than an untagged enum, which would buffer its content and lose the place of mistakes.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The word for the mean over the marks of the scale.
pub(super) const EXPECTED: &str = "expected";

/// What the score of a reply is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RawScore {
    /// The mean over the marks of the scale, weighted by the log-probabilities of their tokens.
    Expected,
    /// What stands at this path of the reply.
    At(String),
    /// The same for each metric.
    Each(IndexMap<String, String>),
}

impl<'de> Deserialize<'de> for RawScore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl<'de> Visitor<'de> for Written {
            type Value = RawScore;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "`expected`, a path in the reply, or a table of metrics with their paths",
                )
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<RawScore, E> {
                Ok(if text == EXPECTED {
                    RawScore::Expected
                } else {
                    RawScore::At(text.to_owned())
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<RawScore, A::Error> {
                let mut paths = IndexMap::new();
                while let Some((metric, path)) = table.next_entry::<String, String>()? {
                    paths.insert(metric, path);
                }
                Ok(RawScore::Each(paths))
            }
        }
        deserializer.deserialize_any(Written)
    }
}

impl JsonSchema for RawScore {
    fn schema_name() -> Cow<'static, str> {
        "RawScore".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string" },
            { "type": "object", "additionalProperties": { "type": "string" } },
        ] })
    }
}
