//! `compare` of a judge as it is written.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use crate::toml::OneOrMany;

/// Two texts that a judge compares.
#[derive(Clone, Debug)]
pub(crate) enum RawCompare {
    /// Two columns of a row.
    Columns(Vec<String>),
    /// One column of several rows.
    Rows(RawAcrossRows),
}

/// Texts of one column that are compared with each other.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawAcrossRows {
    /// The column with the texts; `text` by default.
    pub(crate) column: Option<String>,
    /// The column whose values are the contenders, such as `model`.
    pub(crate) between: Option<String>,
    /// The columns in which compared rows must agree; `doc_id` by default.
    pub(crate) by: Option<OneOrMany<String>>,
    /// Further columns that results keep, with one value for all rows that are compared.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// The contender with whom all others are compared; without one, each is compared with every other.
    pub(crate) baseline: Option<String>,
}

/// Read by a visitor, which keeps the places of mistakes.
impl<'de> Deserialize<'de> for RawCompare {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = RawCompare;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "two columns, or a column of several rows: `{ column = \"text\", between = \"model\" }`",
                )
            }

            fn visit_seq<S: SeqAccess<'de>>(self, elements: S) -> Result<RawCompare, S::Error> {
                let columns = Vec::deserialize(SeqAccessDeserializer::new(elements))?;
                Ok(RawCompare::Columns(columns))
            }

            fn visit_map<M: MapAccess<'de>>(self, entries: M) -> Result<RawCompare, M::Error> {
                let rows = RawAcrossRows::deserialize(MapAccessDeserializer::new(entries))?;
                Ok(RawCompare::Rows(rows))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl JsonSchema for RawCompare {
    fn schema_name() -> Cow<'static, str> {
        "Compare".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let rows = generator.subschema_for::<RawAcrossRows>();
        let columns = json_schema!({
            "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2
        });
        json_schema!({ "anyOf": [columns, rows] })
    }
}
