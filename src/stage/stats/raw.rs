//! `stats` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Correction, Test};
use crate::stats::Tail;
use crate::toml::{OneOrMany, Plain};

/// Computes statistics.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawStats {
    /// The stage or stages to read: judges, or other statistics.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<OneOrMany<String>>,
    /// What is computed: `mean` describes each group, `paired-t` compares along axes, `unscored` counts
    /// the answers without a score.
    pub(crate) test: Option<Test>,
    /// The column with the values; by default `score`, or `value` of counts.
    pub(crate) value: Option<String>,
    /// A condition on the rows that take part.
    #[serde(rename = "where")]
    pub(crate) condition: Option<String>,
    /// The columns that identify observations; `doc_id` by default.
    pub(crate) over: Option<OneOrMany<String>>,
    /// Columns in which groups are alike that should be made of the same parts; a group that lacks one of these is marked.
    /// By default all groups are compared.
    pub(crate) alike: Option<OneOrMany<String>>,
    /// Columns that form groups, besides the axes and `metric`.
    pub(crate) by: Option<OneOrMany<String>>,
    /// What is compared with what: δ = level − against; with several, differences of differences.
    pub(crate) pair: Option<OneOrMany<RawPair>>,
    /// Taken off n in the denominator of a variance: 1 (the default) or 0.
    pub(crate) ddof: Option<u8>,
    /// Confidence level of intervals; 0.95 by default.
    pub(crate) level: Option<f64>,
    /// The direction of the alternative hypothesis; two-sided by default.
    #[schemars(with = "Option<Alternative>")]
    pub(crate) alternative: Option<Tail>,
    /// How p-values are corrected for multiple comparisons.
    pub(crate) correct: Option<Correction>,
    /// The columns within whose values one family of comparisons lies; none: all rows are one.
    pub(crate) family: Option<OneOrMany<String>>,
}

/// The direction of the alternative hypothesis, for the JSON schema.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "describes `Tail`, which knows nothing of schemas")]
enum Alternative {
    /// The mean difference is not zero.
    TwoSided,
    /// The mean difference is below zero.
    Less,
    /// The mean difference is above zero.
    Greater,
}

/// Levels of an axis compared with one of them.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawPair {
    /// The axis.
    pub(crate) axis: Option<String>,
    /// The level that is subtracted.
    pub(crate) against: Option<Plain>,
    /// Columns of `by` in which the level that is subtracted is a row of its own, whatever it holds there:
    /// a document without damage has no degree of damage.
    pub(crate) regardless: Option<OneOrMany<String>>,
    /// Whether the differences of all levels are taken together instead of level by level.
    pub(crate) pool: Option<bool>,
}
