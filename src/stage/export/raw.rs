//! `export` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::ExportFormat;
use crate::toml::OneOrMany;

/// Writes rows to a file among the reports, for other programs.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawExport {
    /// The stage or stages to read; the rows of all their instances are taken together.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<OneOrMany<String>>,
    /// The columns, in this order; all by default.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// The file's format; `parquet` by default.
    pub(crate) format: Option<ExportFormat>,
}
