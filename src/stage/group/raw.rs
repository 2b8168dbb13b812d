//! `group` stages as they are written.

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

use crate::stage::pool::RawPools;
use crate::toml::{OneOrMany, Plain};

/// Makes one row of all rows that have the same key.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawGroup {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// The columns of the key; `[]` makes one row of all rows. Axes belong to the key and need not be named.
    pub(crate) by: Option<OneOrMany<String>>,
    /// Axes of which all values are read as one table, as in `concat`; they group rows only if `by` names them.
    pub(crate) over: Option<OneOrMany<String>>,
    /// Further groups, of all rows or of some values of a column of `by`: column = the name of the group of all values,
    /// or names with their values.
    pub(crate) pool: Option<RawPools>,
    /// Columns to compute, in this order: name = expression over aggregates, such as `"mean(score)"` or
    /// `"count(score == 1) / count()"`. Aggregates: `count`, `share`, `any`, `all`, `sum`, `mean`, `sd`, `min`, `max`,
    /// `median`, `first`, `list`. Each may use the columns computed before it.
    pub(crate) compute: Option<IndexMap<String, String>>,
    /// The column or columns by which the rows of a group are sorted for `first` and `list`; by default rows keep their
    /// order.
    pub(crate) order: Option<OneOrMany<String>>,
    /// Columns to carry along; each must hold one value in all rows of a group.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// Columns of which each group should have all values that any group has. Results made of fewer are marked.
    pub(crate) complete: Option<OneOrMany<String>>,
    /// Groups that must exist, even without rows: a column of the key with all its values, or a stage with a row for
    /// each group.
    pub(crate) every: Option<RawEvery>,
}

/// Groups that must exist.
#[derive(Clone, Debug)]
pub(crate) enum RawEvery {
    /// Those that a stage has a row for.
    Stage,
    /// Those of all these values.
    Values(IndexMap<String, Vec<Plain>>),
}

impl<'de> Deserialize<'de> for RawEvery {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = RawEvery;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(
                    "a stage, or columns with their values: `{ level = [\"root\", \"leaf\"] }`",
                )
            }

            fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<RawEvery, E> {
                Ok(RawEvery::Stage)
            }

            fn visit_map<M: serde::de::MapAccess<'de>>(
                self,
                mut map: M,
            ) -> Result<RawEvery, M::Error> {
                let mut values = IndexMap::new();
                while let Some((column, of)) = map.next_entry::<String, Vec<Plain>>()? {
                    values.insert(column, of);
                }
                Ok(RawEvery::Values(values))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for RawEvery {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Every".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let values = generator.subschema_for::<IndexMap<String, Vec<Plain>>>();
        json_schema!({ "anyOf": [{ "type": "string" }, values] })
    }
}
