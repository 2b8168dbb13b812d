//! `concat` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::toml::OneOrMany;

/// Puts the rows of several stages, or of a stage under all values of axes, below each other.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawConcat {
    /// The stage or stages to read. The rows of each follow those of the one before.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<OneOrMany<String>>,
    /// Axes of which all values are put into one table. They become columns of it and are not axes of the stages that
    /// read it.
    pub(crate) over: Option<OneOrMany<String>>,
    /// The columns to keep, besides axes; by default all, and then every table must have the same columns.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// The column that says which stage a row is from, where several are read; `origin` by default.
    pub(crate) origin: Option<String>,
}
