//! `stats` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Correction, Test};
use crate::stage::pool::RawPools;
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
    /// the answers without a score; every other test is a measure of its own.
    pub(crate) test: Option<Test>,
    /// The column with the values; by default `score`, or `value` for counts. Several columns are the values of several
    /// raters, one column for each.
    pub(crate) value: Option<OneOrMany<String>>,
    /// A condition on the rows that take part.
    #[serde(rename = "where")]
    pub(crate) condition: Option<String>,
    /// The columns that identify observations; `doc_id` by default.
    pub(crate) over: Option<OneOrMany<String>>,
    /// Groups with equal values in these columns should have the same parts; a group that lacks one is marked. By
    /// default all groups should.
    pub(crate) alike: Option<OneOrMany<String>>,
    /// Columns that form groups, besides the axes and `metric`.
    pub(crate) by: Option<OneOrMany<String>>,
    /// Further groups, of all rows or of some values of a column of `by`: column = the name of the group of all values,
    /// or names with their values. In such a group the column tells observations apart.
    pub(crate) pool: Option<RawPools>,
    /// What is compared with what: δ = level − against; with several, differences of differences.
    pub(crate) pair: Option<OneOrMany<RawPair>>,
    /// The number subtracted from n in the denominator of a variance: 1 (the default) or 0.
    pub(crate) ddof: Option<u8>,
    /// Confidence level of intervals; 0.95 by default.
    pub(crate) level: Option<f64>,
    /// The direction of the alternative hypothesis; two-sided by default.
    #[schemars(with = "Option<Alternative>")]
    pub(crate) alternative: Option<Tail>,
    /// How p-values are corrected for multiple comparisons.
    pub(crate) correct: Option<Correction>,
    /// Columns that divide comparisons into families; by default all rows are one family.
    pub(crate) family: Option<OneOrMany<String>>,
    /// The column that values are compared with: human scores, true labels.
    pub(crate) reference: Option<String>,
    /// A second column of values that is compared with the same reference.
    pub(crate) rival: Option<String>,
    /// The column that says who rated: `judge`, `annotator`, `repeat`.
    pub(crate) raters: Option<OneOrMany<String>>,
    /// The column that says what made the text: a system, a model.
    pub(crate) systems: Option<OneOrMany<String>>,
    /// The column with the samples that are compared.
    pub(crate) samples: Option<OneOrMany<String>>,
    /// The column or columns whose equal values mark rows that depend on each other, such as `doc_id`. An empty list:
    /// each row counts for itself.
    pub(crate) cluster: Option<OneOrMany<String>>,
    /// The column with the contender: a value of 1 means that it won; `contender` by default.
    pub(crate) contender: Option<String>,
    /// The column with the other one; `opponent` by default.
    pub(crate) opponent: Option<String>,
    /// The column that says who stood first, `given` (the contender) or `swapped`; `order` by default.
    pub(crate) order: Option<String>,
    /// The column with the length of the contender's text.
    pub(crate) length: Option<String>,
    /// The column with the length of the opponent's text, in the same unit.
    pub(crate) opponent_length: Option<String>,
    /// Which of several definitions is meant.
    pub(crate) method: Option<String>,
    /// All labels in their order.
    pub(crate) categories: Option<OneOrMany<Plain>>,
    /// How much a disagreement counts: `identity`, `linear`, `quadratic`, or the level of measurement.
    pub(crate) weights: Option<String>,
    /// The label that counts as a hit.
    pub(crate) positive: Option<Plain>,
    /// The least and the greatest value of the scale.
    pub(crate) scale: Option<[f64; 2]>,
    /// The points for which it is computed: numbers of repeats, distances from the ends of a scale.
    pub(crate) at: Option<OneOrMany<f64>>,
    /// The number of resamples or permutations; 10000 by default.
    pub(crate) resamples: Option<u32>,
    /// The seed of the resampling; 0 by default.
    pub(crate) seed: Option<u64>,
    /// The level that others are measured from.
    pub(crate) base: Option<Plain>,
    /// The planned power of a test; 0.8 by default.
    pub(crate) power: Option<f64>,
    /// The fewest rows of a part that counts; 2 by default.
    pub(crate) least: Option<usize>,
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
    /// Columns of `by` that are ignored when the row of the `against` level is matched: a document without damage, for
    /// example, has no degree of damage.
    pub(crate) regardless: Option<OneOrMany<String>>,
    /// Whether the differences of all levels are taken together instead of level by level.
    pub(crate) pool: Option<bool>,
}
