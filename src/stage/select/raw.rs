//! `select` stages as they are written.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::toml::{OneOrMany, Plain, Range};

/// Keeps some rows.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawSelect {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// Columns and the value or values they must hold.
    pub(crate) keep: Option<IndexMap<String, OneOrMany<Plain>>>,
    /// A condition, such as `year >= 1900 and genre != 'Poetry'`.
    #[serde(rename = "where")]
    pub(crate) condition: Option<String>,
    /// Document ids to keep; every one must exist.
    pub(crate) ids: Option<OneOrMany<Plain>>,
    /// Words that must or must not occur, such as `{ columns = ["genre"], none = ["poetry"] }`.
    pub(crate) keywords: Option<RawKeywords>,
    /// The minimum and maximum number of whitespace tokens in the text: `[8000, 16000]`, or `{ min = 8000 }`.
    pub(crate) tokens: Option<Range>,
    /// The minimum and maximum number of sentences in the text.
    pub(crate) sentences: Option<Range>,
    /// The minimum and maximum of the average length of the text's sentences, in characters.
    pub(crate) sentence_characters: Option<Range>,
    /// The first rows in the order of a column.
    pub(crate) top: Option<RawTop>,
    /// How many documents to draw at random, without replacement; all their rows are kept.
    pub(crate) sample: Option<usize>,
    /// The columns to keep, in this order; all, if none are named.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// Columns to add, with one value for all rows, for use in templates: `{ notice = "shown" }`.
    pub(crate) add: Option<IndexMap<String, Plain>>,
    /// Whether to keep only the first of several rows with equal values in all kept columns; applied before `top` and
    /// `sample`.
    pub(crate) distinct: Option<bool>,
}

/// Words that must or must not occur; they are found whole, whatever their case.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawKeywords {
    /// The columns that are searched; `["text"]` by default.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// Search only this many characters at the beginning of each.
    pub(crate) first: Option<usize>,
    /// One of these must occur.
    pub(crate) any: Option<OneOrMany<String>>,
    /// None of these may occur.
    pub(crate) none: Option<OneOrMany<String>>,
}

/// The first rows in the order of a column.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawTop {
    /// The column with numbers.
    pub(crate) by: Option<String>,
    /// How many rows.
    pub(crate) n: Option<usize>,
    /// Smallest instead of largest first.
    pub(crate) smallest: Option<bool>,
    /// Columns that group the rows; `n` rows of each group are kept.
    pub(crate) within: Option<OneOrMany<String>>,
}
