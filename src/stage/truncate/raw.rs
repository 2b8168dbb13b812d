//! `truncate` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Length;

/// Keeps the beginning of every text, never cutting a sentence.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawTruncate {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// How many tokens are kept, or `"full"` for all.
    pub(crate) tokens: Option<Length>,
    /// What a token is: `whitespace` (the default), `spaces`, the name of an encoding such as
    /// `o200k_base`, or a `tokenizer.json`.
    pub(crate) tokenizer: Option<String>,
}
