//! `judge` stages as they are written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Structured;
use crate::models::parse::Parser;
use crate::stage::Shows;
use crate::toml::OneOrMany;

/// Has a model score every row.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawJudge {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// Who answers: a name under `[models]`, or `heuristic`.
    pub(crate) model: Option<String>,
    /// The template, `templates/<name>.j2`.
    pub(crate) prompt: Option<String>,
    /// Columns given to the template as variables; `["text"]` unless said otherwise.
    pub(crate) variables: Option<OneOrMany<String>>,
    /// Columns that prompts do not show whole, as in `{ text = "part" }`: cut, changed, or not always. A prompt that
    /// does so with any other column is not sent.
    pub(crate) shows: Option<BTreeMap<String, Shows>>,
    /// What is scored; `["fluency", "coherence"]` unless said otherwise.
    pub(crate) metrics: Option<OneOrMany<String>>,
    /// The numbers a score may be; 1 to 5 in half points unless said otherwise.
    pub(crate) scale: Option<RawScale>,
    /// How replies are read.
    pub(crate) parse: Option<Parser>,
    /// How often each row is asked; 1 unless said otherwise.
    pub(crate) repeats: Option<u32>,
    /// How many more times a reply cut off by the length limit is asked for; 3 unless said otherwise.
    pub(crate) retry_cut: Option<u32>,
    /// With `parse = "json"`: what the server is to hold the reply to, `scores` or `issues` and scores.
    pub(crate) structured: Option<Structured>,
    /// Whether the calls are handed in as a batch, which is cheaper and takes up to a day. In no key.
    pub(crate) batch: Option<bool>,
    /// The largest share of its replies that may be without a score before the run counts as failed, for each metric
    /// under each combination of axis values; 0.5 unless said otherwise, and 1 allows all. In no key.
    pub(crate) max_unscored: Option<f64>,
}

/// The numbers a score may be.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawScale {
    /// The lowest score; 1 unless said otherwise.
    pub(crate) min: Option<f64>,
    /// The highest score; 5 unless said otherwise.
    pub(crate) max: Option<f64>,
    /// The distance between neighbouring scores, which must divide the scale evenly; 0.5 unless said
    /// otherwise, and 0 allows every number.
    pub(crate) step: Option<f64>,
}
