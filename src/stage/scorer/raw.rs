//! `scorer` stages as they are written.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Given;
use crate::stage::judge::RawScale;
use crate::toml::OneOrMany;

/// Has a program of yours score or parse every row: JSON lines go in, JSON lines come out.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawScorer {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// The program and its arguments. Not in the cache key, since paths differ between machines: whatever changes its
    /// answers must change `version`.
    pub(crate) command: Option<OneOrMany<String>>,
    /// The name and version that the program reports; they are part of the cache key of everything made with it.
    pub(crate) version: Option<String>,
    /// The columns that it is handed; `["text"]` by default.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// What the program scores: one row for each metric, with `metric` and `score`, as from a judge.
    pub(crate) metrics: Option<OneOrMany<String>>,
    /// The numbers a score may be, or the words that stand for them; every number by default. Without `step` every number
    /// between `min` and `max`.
    pub(crate) scale: Option<RawScale>,
    /// Further columns that the program returns, with their types: `{ exact = "number" }`.
    pub(crate) gives: Option<IndexMap<String, Given>>,
    /// How many seconds the program may be silent, before its greeting and between two replies; 600 by default. Not in
    /// the cache key.
    pub(crate) timeout: Option<f64>,
    /// How often the program may be restarted if it dies or is silent for too long; 20 by default. Not in the cache
    /// key.
    pub(crate) restarts: Option<u32>,
    /// How many copies of the program may run side by side; 1 by default, and never more than `--jobs`. Not in the
    /// cache key.
    pub(crate) processes: Option<u32>,
    /// The largest share of rows that may be without a score before the run counts as failed, for each metric; 0.05 by
    /// default, and 1 allows all. Not in the cache key.
    pub(crate) max_unscored: Option<f64>,
}
