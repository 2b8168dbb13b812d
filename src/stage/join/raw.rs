//! `join` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::How;
use crate::toml::Renamed;

/// Joins rows of two stages that have equal keys.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawJoin {
    /// The stage on the left, whose rows and order the result has.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// The stage on the right, which may be the same.
    pub(crate) with: Option<String>,
    /// The columns that must be equal: `["doc_id", "aspect"]`, or `{ doc_id = "document" }` if they have other names on
    /// the right side. Axes that reach both sides are compared without being named.
    pub(crate) on: Option<Renamed>,
    /// What happens to rows without a match: `left` (the default) keeps those on the left, `inner` leaves them out,
    /// `anti` keeps only them; `cross` joins every row with every other, without a key.
    pub(crate) how: Option<How>,
    /// The columns that come from the right: `["score"]`, or `{ second_score = "score" }`; all that are no keys by default.
    pub(crate) columns: Option<Renamed>,
    /// Whether a row may have several matches; without it, keys of the right side must be unique.
    pub(crate) many: Option<bool>,
}
