//! `table` stages as they are written.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::toml::{OneOrMany, Plain, fields};

/// A table for people.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawTable {
    /// The stage whose rows are shown, where one fills the table: usually statistics.
    pub(crate) from: Option<String>,
    /// The column shown; for statistics `mean` by default. The field `statistic` tells several columns apart.
    pub(crate) value: Option<OneOrMany<String>>,
    /// A condition on the rows that are shown.
    #[serde(rename = "where")]
    pub(crate) condition: Option<String>,
    /// The column with the p-value that stars show.
    pub(crate) p: Option<String>,
    /// What fills the cells, where several stages or statistics do.
    #[serde(default)]
    pub(crate) part: Vec<RawPart>,
    /// The fields whose values name the rows.
    #[serde(default, deserialize_with = "fields")]
    pub(crate) rows: Option<OneOrMany<String>>,
    /// The fields whose values name the columns.
    #[serde(default, deserialize_with = "fields")]
    pub(crate) columns: Option<OneOrMany<String>>,
    /// Further rows or columns with the mean over a field: field = its name. Each mean also covers the means made
    /// before it.
    #[serde(default)]
    pub(crate) mean: IndexMap<String, String>,
    /// The heading. Not in the cache key, like everything below.
    pub(crate) title: Option<String>,
    /// A sentence below the table.
    pub(crate) caption: Option<String>,
    /// Digits after the point; 3 by default.
    pub(crate) decimals: Option<u8>,
    /// What values are called: field, then value = label.
    #[serde(default)]
    pub(crate) labels: BTreeMap<String, BTreeMap<String, String>>,
    /// The order of a field's values, where it should differ from the axis's.
    #[serde(default)]
    pub(crate) order: BTreeMap<String, Vec<Plain>>,
    /// Whether cells carry their n.
    pub(crate) show_n: Option<bool>,
    /// p-values below which cells are marked with one, two or three stars: `[0.05, 0.01, 0.001]`.
    pub(crate) stars: Option<Vec<f64>>,
    /// A csv with the printed values, for `tribunal verify`.
    pub(crate) expect: Option<String>,
    /// A TOML file with notes on printed values that differ.
    pub(crate) notes: Option<String>,
}

/// Cells from one stage.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawPart {
    /// The stage whose rows are shown.
    pub(crate) from: Option<String>,
    /// The column shown; for statistics `mean` by default. The field `statistic` tells several columns apart.
    pub(crate) value: Option<OneOrMany<String>>,
    /// A condition on the rows that are shown.
    #[serde(rename = "where")]
    pub(crate) condition: Option<String>,
    /// Row or column fields that take a fixed value in this part.
    #[serde(default)]
    pub(crate) set: IndexMap<String, Plain>,
    /// The column with the p-value that stars show.
    pub(crate) p: Option<String>,
}
