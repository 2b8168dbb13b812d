//! `split` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Cut, Overlap};

/// Cuts every text into parts: one row per part, with `section`, `start`, `end` and `previous`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawSplit {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// The column whose texts are cut; the parts take its place. `text` by default.
    pub(crate) column: Option<String>,
    /// What the parts are; `scans` by default.
    pub(crate) into: Option<Cut>,
    /// For `pattern`: a regular expression; every match begins a part. `^` and `$` match at every line.
    pub(crate) pattern: Option<String>,
    /// A column to add, with the number of parts that the text has.
    pub(crate) count: Option<String>,
    /// For `scans` and `chunks`: how many tokens a part has (the scan range).
    pub(crate) tokens: Option<u64>,
    /// For `scans`: the share of the scan range that is repeated from the part before as `previous`;
    /// 0 (the default) is hard mode, more is stride mode.
    pub(crate) overlap: Option<Overlap>,
    /// For `sections`: the fewest characters of a section; 3000 by default.
    pub(crate) characters: Option<usize>,
    /// What a token is: `whitespace` (the default), `spaces`, the name of an encoding, or a
    /// `tokenizer.json`.
    pub(crate) tokenizer: Option<String>,
}
