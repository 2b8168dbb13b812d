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
    /// The model: a name under `[models]`, or `heuristic`.
    pub(crate) model: Option<String>,
    /// The template, `templates/<name>.j2`.
    pub(crate) prompt: Option<String>,
    /// Columns given to the template as variables; `["text"]` by default.
    pub(crate) variables: Option<OneOrMany<String>>,
    /// Columns that prompts do not show whole, as in `{ text = "part" }`: cut, changed, or not always. Any other
    /// column must be shown whole, or the prompt is not sent.
    pub(crate) shows: Option<BTreeMap<String, Shows>>,
    /// What is scored; `["fluency", "coherence"]` by default.
    pub(crate) metrics: Option<OneOrMany<String>>,
    /// The numbers a score may be; 1 to 5 in half points by default.
    pub(crate) scale: Option<RawScale>,
    /// How replies are read.
    pub(crate) parse: Option<Parser>,
    /// How often the model is called for each row; 1 by default.
    pub(crate) repeats: Option<u32>,
    /// How many more times a reply cut off by the length limit is asked for; 3 by default.
    pub(crate) retry_cut: Option<u32>,
    /// With `parse = "json"`: the form that the server enforces, `scores`, or `issues` and scores.
    pub(crate) structured: Option<Structured>,
    /// Whether to submit the calls as a batch, which is cheaper and takes up to a day. Not in the cache key.
    pub(crate) batch: Option<bool>,
    /// The largest share of its replies that may be without a score before the run counts as failed, for each metric
    /// under each combination of axis values; 0.5 by default, and 1 allows all. Not in the cache key.
    pub(crate) max_unscored: Option<f64>,
}

/// The numbers a score may be.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawScale {
    /// The lowest score; 1 by default.
    pub(crate) min: Option<f64>,
    /// The highest score; 5 by default.
    pub(crate) max: Option<f64>,
    /// The distance between neighbouring scores, which must divide the scale evenly; 0.5 by
    /// default, and 0 allows every number.
    pub(crate) step: Option<f64>,
}
