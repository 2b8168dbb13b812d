//! `derive` stages as they are written.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::toml::OneOrMany;

/// Renames, drops and computes columns of the same rows: first `rename`, then `drop`, `compute`, `number`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawDerive {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// Columns to rename: new name = old name. The reasons for empty cells are kept.
    pub(crate) rename: Option<IndexMap<String, String>>,
    /// Columns to leave out.
    pub(crate) drop: Option<OneOrMany<String>>,
    /// Columns to compute, in this order: name = expression, such as `"[1, score - 1] | max"`. Each may use earlier
    /// ones and may replace a column. A value computed from an absent one is absent.
    pub(crate) compute: Option<IndexMap<String, String>>,
    /// Columns to number rows in: 1, 2, … within a group, such as `{ within = ["doc_id"], by = "severity" }`.
    pub(crate) number: Option<IndexMap<String, RawNumber>>,
}

/// How rows are numbered; by default in their order.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawNumber {
    /// The columns whose values are the same within a group; all rows are one group by default.
    pub(crate) within: Option<OneOrMany<String>>,
    /// The column in whose order rows are numbered, smallest first; equal ones in the order of rows.
    pub(crate) by: Option<String>,
    /// Largest first.
    pub(crate) largest: Option<bool>,
    /// Number rows in random order, which depends on the seed.
    pub(crate) draw: Option<bool>,
}
