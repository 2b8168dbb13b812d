//! `generate` stages as they are written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Shape;
use crate::stage::Shows;
use crate::toml::OneOrMany;

/// Has a model write a text for every row.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawGenerate {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// The model: a name under `[models]`.
    pub(crate) model: Option<String>,
    /// The template, `templates/<name>.j2`.
    pub(crate) prompt: Option<String>,
    /// Columns given to the template as variables; `["text"]` by default.
    pub(crate) variables: Option<OneOrMany<String>>,
    /// Columns that prompts may cut, change or leave out, as in `{ text = "part" }`. A prompt must show any other
    /// column whole, or it is not sent.
    pub(crate) shows: Option<BTreeMap<String, Shows>>,
    /// The beginning of every reply: the model continues from this text, which counts as part of its reply.
    pub(crate) prefill: Option<String>,
    /// The column for the generated text.
    pub(crate) into: Option<String>,
    /// What it is to write: `text` (the default) or `json`.
    pub(crate) shape: Option<Shape>,
    /// With `shape = "json"`: a file with the JSON schema that the server enforces.
    pub(crate) schema: Option<String>,
    /// For sections: whether to add the text written about the preceding section as `previous_<into>`, or the reason
    /// why there is none as `no_previous_<into>`; the first section has neither.
    pub(crate) previous: Option<bool>,
    /// Whether to note how likely each text was: its log-probability as `<into>_logprob`, and `<into>_perplexity`.
    pub(crate) logprobs: Option<bool>,
    /// How often the model is called for each row; 1 by default.
    pub(crate) repeats: Option<u32>,
    /// How many more times a text cut off by the length limit is asked for; 3 by default.
    pub(crate) retry_cut: Option<u32>,
    /// Whether to submit the calls as a batch, which is cheaper and takes up to a day. Not in the cache key.
    pub(crate) batch: Option<bool>,
    /// The largest share of its texts that may be missing before the run counts as failed, under each combination of
    /// axis values; 0.5 by default, and 1 allows all. Not in the cache key.
    pub(crate) max_unwritten: Option<f64>,
}
