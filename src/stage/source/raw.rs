//! `source` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Empty;
use crate::toml::OneOrMany;

/// Reads documents from files, or books of Project Gutenberg.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawSource {
    /// Files or patterns (`gold/*.txt`), relative to the spec: txt and md (one document each), csv,
    /// jsonl, parquet (one document per row).
    pub(crate) files: Option<OneOrMany<String>>,
    /// Instead of files: books of Project Gutenberg by their numbers, fetched once and kept in the
    /// cache. Each is a document `PG-<number>` with its title, author, year and language, without the
    /// project's header and licence.
    pub(crate) gutenberg: Option<OneOrMany<i64>>,
    /// Where books are fetched from: a url with `{id}` where the number goes. Not in the cache key,
    /// so it can go into `tribunal.local.toml`.
    pub(crate) mirror: Option<String>,
    /// A csv with one row per document.
    pub(crate) metadata: Option<String>,
    /// The column that names a document; it becomes `doc_id`, which is also the default.
    pub(crate) id: Option<String>,
    /// The column with the text; it becomes `text`, which is also the default.
    pub(crate) text: Option<String>,
    /// The columns to keep; all, if none are named.
    pub(crate) columns: Option<Vec<String>>,
    /// The columns that together identify a row; `["doc_id"]` by default.
    pub(crate) key: Option<OneOrMany<String>>,
    /// What to do with a document without text.
    pub(crate) empty: Option<Empty>,
}
