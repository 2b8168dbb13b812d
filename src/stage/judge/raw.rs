//! `judge` stages as they are written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Structured;
use super::compare::{Orders, RawCompare};
use super::labels::RawLabels;
use super::score::RawScore;
use super::until::RawUntil;
use crate::models::parse::{Finals, Parser};
use crate::stage::Shows;
use crate::toml::{OneOrMany, Renamed};

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
    /// The two texts that it compares: two columns, or a column of several rows, as in
    /// `{ column = "text", between = "model" }`. The template shows them as `first` and `second`.
    pub(crate) compare: Option<RawCompare>,
    /// In which order two texts are shown; by default `both`, with one call for each order.
    pub(crate) orders: Option<Orders>,
    /// Whether the judge may choose neither of the two texts; `true` by default.
    pub(crate) ties: Option<bool>,
    /// Columns given to the template as variables; `["text"]` by default.
    pub(crate) variables: Option<OneOrMany<String>>,
    /// Columns that prompts may cut, change or leave out, as in `{ text = "part" }`. A prompt must show any other
    /// column whole, or it is not sent.
    pub(crate) shows: Option<BTreeMap<String, Shows>>,
    /// The beginning of every reply: the model continues from this text, which counts as part of its reply.
    pub(crate) prefill: Option<String>,
    /// What is scored; `["fluency", "coherence"]` by default.
    pub(crate) metrics: Option<OneOrMany<String>>,
    /// The numbers a score may be, 1 to 5 in half points by default, or the labels; `yes` and `no` by default with `parse =
    /// "choice"`.
    pub(crate) scale: Option<RawScale>,
    /// How replies are read.
    pub(crate) parse: Option<Parser>,
    /// With `parse = "evaluation-form"`: which of several `FINAL` scores for one metric counts. `last` (default): the
    /// last, if the reply presents it as a replacement of the earlier ones, else none. `first`: the first, unless the
    /// reply withdraws it in words.
    pub(crate) finals: Option<Finals>,
    /// `expected`: the score is the mean over the marks of the scale, weighted by the log-probabilities of their tokens at
    /// the place of the verdict. With `schema`: the path of the score in the reply, as in `"verdict.score"`, or one for each
    /// metric.
    pub(crate) score: Option<RawScore>,
    /// A file with the JSON schema that the server enforces; `score` gives the path of the score in the reply.
    pub(crate) schema: Option<String>,
    /// With `schema`: the path of the reason in the reply.
    pub(crate) explanation: Option<String>,
    /// With `score = "expected"`: the least total probability of the scale's marks with which a reply has a score; 0.5
    /// by default.
    pub(crate) min_mass: Option<f64>,
    /// Whether to note how likely each reply was: its log-probability as `logprob`, and `perplexity`.
    pub(crate) logprobs: Option<bool>,
    /// With `parse = "error-spans"`: the column with the judged text, in which the marked errors are looked for; `text`
    /// by default.
    pub(crate) judged: Option<String>,
    /// With `parse = "items"`: the column with the lists (JSON, or texts that are JSON) whose elements are judged.
    pub(crate) items: Option<String>,
    /// With `parse = "items"`: the key of an element's id, which the reply repeats; without it, verdicts are matched
    /// with elements by their numbers and order.
    pub(crate) id: Option<String>,
    /// With `parse = "items"`: keys of the reply's objects that become columns: `["evidence"]`, or `{ quote = "evidence" }`.
    pub(crate) fields: Option<Renamed>,
    /// How often the model is called for each row; 1 by default.
    pub(crate) repeats: Option<u32>,
    /// How many more times a reply cut off by the length limit is asked for; 3 by default.
    pub(crate) retry_cut: Option<u32>,
    /// With `parse = "json"`: the form that the server enforces: `scores` alone, `explained` with an explanation first,
    /// or `issues` with an explanation and a list of issues first.
    pub(crate) structured: Option<Structured>,
    /// Whether to submit the calls as a batch, which is cheaper and takes up to a day. Not in the cache key.
    pub(crate) batch: Option<bool>,
    /// When to stop: the judge asks about rows of each group until the mean of their scores settles.
    pub(crate) until: Option<RawUntil>,
    /// The largest share of its replies that may be without a score before the run counts as failed, for each metric
    /// under each combination of axis values; 0.05 by default, and 1 allows all. Not in the cache key.
    pub(crate) max_unscored: Option<f64>,
}

/// The numbers a score may be, or the words that judges answer with.
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
    /// Labels with which judges answer instead of numbers: a list in ascending order with the values 1, 2, 3 and so on,
    /// or a table that gives each its number.
    pub(crate) labels: Option<RawLabels>,
}
