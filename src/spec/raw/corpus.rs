//! Stages that make documents out of documents, as they are written; manipulations are in a file
//! of their own.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::language::clean::Step;
use crate::spec::OneOrMany;
use crate::stage::{Cut, ExportFormat, Overlap};

/// Makes raw books into clean text, step by step.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawClean {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// The steps, in the order in which they are taken; all of them unless said otherwise.
    pub(crate) steps: Option<OneOrMany<Step>>,
}

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
    /// What the parts are; `scans` unless said otherwise.
    pub(crate) into: Option<Cut>,
    /// For `scans` and `chunks`: how many tokens a part has (the scan range).
    pub(crate) tokens: Option<u64>,
    /// For `scans`: the share of the scan range that is repeated from the part before as `previous`;
    /// 0 (the default) is hard mode, more is stride mode.
    pub(crate) overlap: Option<Overlap>,
    /// For `sections`: the fewest characters of a section; 3000 unless said otherwise.
    pub(crate) characters: Option<usize>,
    /// What a token is: `whitespace` (the default), `spaces`, the name of an encoding, or a
    /// `tokenizer.json`.
    pub(crate) tokenizer: Option<String>,
}

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
    /// A program that finds sentences, words and entities instead of the built-in one: a name under
    /// `[annotators]`.
    pub(crate) annotator: Option<String>,
}

/// Writes rows to a file among the reports, for other programs.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawExport {
    /// The stage or stages to read; the rows of all their instances are taken together.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<OneOrMany<String>>,
    /// The columns, in this order; all unless said otherwise.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// The file's format; `parquet` unless said otherwise.
    pub(crate) format: Option<ExportFormat>,
}

/// A program that finds sentences, words and entities in texts.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawAnnotator {
    /// The program and its arguments; it reads and writes JSON lines. In no key: where it lies differs from
    /// machine to machine, so whatever changes its answers must change `version`.
    pub(crate) command: Option<OneOrMany<String>>,
    /// What it calls itself: name and version, which are part of the key of everything made with it.
    pub(crate) version: Option<String>,
}
