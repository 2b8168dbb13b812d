//! `measure` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::toml::OneOrMany;

/// Counts things in every text: one row per document and measure, with `metric` and `value`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawMeasure {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// What is counted, such as `characters`, `tokens`, `sentences` or `entities:PERSON`.
    pub(crate) metrics: Option<OneOrMany<String>>,
    /// The column with the reference of each text: a text, or a list of several. For `exact-match`, `rouge-l`, `bleu`
    /// and the like.
    pub(crate) reference: Option<String>,
    /// A program that finds sentences, words and entities instead of the built-in one: a name under
    /// `[annotators]`.
    pub(crate) annotator: Option<String>,
}
