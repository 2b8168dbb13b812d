//! `memo` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::stage::Order;
use crate::toml::OneOrMany;

/// Puts the judgements of a document's sections together: one row per document with `memory` (JSON) and `report`
/// (text).
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawMemo {
    /// The judge or judges that score sections: one for all metrics, or one for each.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<OneOrMany<String>>,
    /// The stage with the documents: their rows, including the text, get the new columns. Without it, there is one row
    /// for each judged document, without a text.
    pub(crate) documents: Option<String>,
    /// The columns that identify documents; those of the source's `key` by default.
    pub(crate) key: Option<OneOrMany<String>>,
    /// The column with the number of a section; by default `section`, as in `split`.
    pub(crate) section: Option<String>,
    /// How the report is ordered: by `section` (the default), or its issues by `label`.
    pub(crate) order: Option<Order>,
    /// Whether the report says where sections begin and end; `true` by default.
    pub(crate) offsets: Option<bool>,
    /// A column with summaries of sections, to be shown in the report.
    pub(crate) summaries: Option<String>,
}
