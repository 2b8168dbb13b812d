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
    /// Axes all of whose values are put into one table. They are columns of it, and no axes of what reads it.
    pub(crate) over: Option<OneOrMany<String>>,
    /// The columns wanted, besides axes; by default all, which then all tables must have.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// The column that says which stage a row is from, where several are read; `origin` by default.
    pub(crate) origin: Option<String>,
}
