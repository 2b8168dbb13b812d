//! `explode` stages as they are written.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::WhenEmpty;
use crate::toml::Renamed;

/// Makes a row of every element of a list: columns of the elements replace `column`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawExplode {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// The column with lists: JSON, or texts that are JSON.
    pub(crate) column: Option<String>,
    /// The column for the elements, or with `tree` for the texts of the nodes. By default elements stay under the name
    /// of `column`, unless `fields` are named or known.
    pub(crate) into: Option<String>,
    /// Fields of elements that become columns: `["location", "severity"]`, or `{ where = "location" }`. By default those
    /// that `list(...)` of a `group` stage gave them, and those of a judge's `spans`; where a column of that name is
    /// there already, the field's is called `<column>_<field>`.
    pub(crate) fields: Option<Renamed>,
    /// A column to add, which counts the elements of a list from 1.
    pub(crate) index: Option<String>,
    /// What happens to empty lists: `drop` (the default; the run says how many), or `keep` one row without an element.
    pub(crate) empty: Option<WhenEmpty>,
    /// For columns that hold trees: a row for every node, depth first, with `level`, `node`, `parent` and `ancestors`.
    pub(crate) tree: Option<RawTree>,
}

/// How a tree is written.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawTree {
    /// The levels from the root down, each with the key that holds its nodes: `{ root = "roots", leaf = "leaves" }`.
    pub(crate) levels: Option<IndexMap<String, String>>,
    /// The key of a node's text, and the column for it. A node may also be a plain text.
    pub(crate) text: Option<String>,
}
