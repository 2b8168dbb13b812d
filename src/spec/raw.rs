//! A spec as it is written: what serde reads, nothing decided yet.
//!
//! Nearly every field is optional here, so that one mistake does not hide the next; the check fills
//! defaults and says what is missing. The doc comments are what editors show, through the JSON
//! schema made from these types. No `flatten`, `untagged` or `tag`: they would cost the places of
//! mistakes.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::OneOrMany;
use super::plain::Plain;
use crate::stage::{Correction, Empty, Length, Parser, Test};
use crate::stats::Tail;

/// An experiment of tribunal.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawSpec {
    /// What the experiment is about, in one line.
    pub title: Option<String>,
    /// Specs this one builds on, weakest first; paths are relative to this file.
    #[schemars(with = "Option<OneOrMany<String>>")]
    pub extends: Option<OneOrMany<String>>,
    /// Seed of everything random. Only stages that draw at random depend on it.
    pub seed: Option<u64>,
    /// Named folders, used in file names as `{name}`. `cache`, `reports` and `templates` move the
    /// project's own folders.
    #[serde(default)]
    pub paths: IndexMap<String, String>,
    /// Values that parameters take in turn; the product of the axes is the experiment.
    #[serde(default)]
    pub axes: IndexMap<String, RawAxis>,
    /// Which combinations of axis values are run.
    #[serde(default)]
    pub grid: RawGrid,
    /// Who answers.
    #[serde(default)]
    pub models: IndexMap<String, RawModel>,
    /// Variations of the whole experiment, run beside it.
    #[serde(default)]
    pub ablation: Vec<RawAblation>,
    /// How reports are written.
    #[serde(default)]
    pub report: RawReport,
    /// Stages that read documents.
    #[serde(default)]
    pub source: IndexMap<String, RawSource>,
    /// Stages that keep some rows.
    #[serde(default)]
    pub select: IndexMap<String, RawSelect>,
    /// Stages that keep the beginning of every text.
    #[serde(default)]
    pub truncate: IndexMap<String, RawTruncate>,
    /// Stages in which a model scores every row.
    #[serde(default)]
    pub judge: IndexMap<String, RawJudge>,
    /// Stages that compute statistics.
    #[serde(default)]
    pub stats: IndexMap<String, RawStats>,
    /// Tables for people.
    #[serde(default)]
    pub table: IndexMap<String, RawTable>,
}

/// Values that one or more parameters take in turn.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawAxis {
    /// The parameter to set, such as `judge.vanilla.model`; with several, all get the same value.
    #[schemars(with = "Option<OneOrMany<String>>")]
    pub set: Option<OneOrMany<String>>,
    /// The values.
    pub values: Option<Vec<serde_json::Value>>,
    /// What the values are called in tables; needed where a value is a list or a table.
    pub names: Option<Vec<Plain>>,
}

/// Which combinations of axis values are run.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawGrid {
    /// Groups of axes that advance together instead of being multiplied.
    #[serde(default)]
    pub zip: Vec<Vec<String>>,
    /// Combinations left out: axis names with the value or values they must all match.
    #[serde(default)]
    pub exclude: Vec<IndexMap<String, OneOrMany<Plain>>>,
}

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawProvider {
    /// The built-in, deterministic baseline: needs no key and no network.
    Heuristic,
    /// Replies made elsewhere, looked up in a table.
    Recorded,
    /// Replies from a script: for tests and demonstrations.
    Scripted,
}

/// A model.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawModel {
    /// Who answers.
    pub provider: Option<RawProvider>,
    /// The model's name as its provider knows it; the name of this table if it is not given.
    pub model: Option<String>,
    /// A revision to pin.
    pub revision: Option<String>,
    /// Standing instructions, sent as the system message.
    pub system: Option<String>,
    /// Sampling temperature.
    pub temperature: Option<f64>,
    /// Nucleus sampling: the probability mass that is kept.
    pub top_p: Option<f64>,
    /// How many of the likeliest tokens are kept.
    pub top_k: Option<u32>,
    /// The longest reply, in tokens.
    pub max_tokens: Option<u32>,
    /// The model's own seed.
    pub seed: Option<u64>,
    /// Texts at which the model stops.
    pub stop: Option<OneOrMany<String>>,
    /// How many calls may be under way at once. In no key.
    pub concurrency: Option<u32>,
    /// Price of a million input tokens. In no key.
    pub input_price: Option<f64>,
    /// Price of a million output tokens. In no key.
    pub output_price: Option<f64>,
    /// For `scripted`: the script, a TOML file.
    pub script: Option<String>,
    /// For `recorded`: the files with the outputs (parquet, jsonl or csv).
    pub files: Option<OneOrMany<String>>,
    /// For `recorded`: the column with the reply.
    pub text: Option<String>,
    /// For `recorded`: the column that says why the model stopped (`stop` or `length`).
    pub finish: Option<String>,
    /// For `recorded`: recorded column = column of the judge's input that it must equal.
    #[serde(rename = "match")]
    pub matching: Option<IndexMap<String, String>>,
    /// For `recorded`: only rows that hold these values take part.
    #[serde(rename = "where")]
    pub keep: Option<IndexMap<String, OneOrMany<Plain>>>,
    /// For `recorded`: replies end with a dashed line and `finish_reason: …`, which is not the model's.
    pub trailer: Option<bool>,
}

/// The experiment with some parameters changed; its tables come out beside the others.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawAblation {
    /// Its name.
    pub name: Option<String>,
    /// Parameters and their values, such as `"judge.vanilla.repeats" = 3`.
    pub set: Option<IndexMap<String, serde_json::Value>>,
}

/// How reports are written. In no key.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawReport {
    /// The file formats of every table.
    pub formats: Option<Vec<ReportFormat>>,
}

/// A file format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReportFormat {
    /// GitHub markdown.
    Md,
    /// One line per cell, with counts.
    Csv,
    /// The cells as parquet.
    Parquet,
    /// LaTeX for booktabs.
    Tex,
    /// An HTML fragment.
    Html,
    /// The cells as JSON.
    Json,
}

/// Reads documents from files.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawSource {
    /// Files or patterns (`gold/*.txt`), relative to the spec: txt and md (one document each), csv,
    /// jsonl, parquet (one document per row).
    pub files: Option<OneOrMany<String>>,
    /// A csv with one row per document.
    pub metadata: Option<String>,
    /// The column that names a document; it becomes `doc_id`, which is also the default.
    pub id: Option<String>,
    /// The column with the text; it becomes `text`, which is also the default.
    pub text: Option<String>,
    /// The columns to keep; all, if none are named.
    pub columns: Option<Vec<String>>,
    /// The columns that together identify a row; `["doc_id"]` unless said otherwise.
    pub key: Option<OneOrMany<String>>,
    /// What to do with a document without text.
    pub empty: Option<Empty>,
}

/// Keeps some rows.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawSelect {
    /// The stage to read.
    pub from: Option<String>,
    /// Columns and the value or values they must hold.
    pub keep: Option<IndexMap<String, OneOrMany<Plain>>>,
    /// A condition, such as `year >= 1900 and genre != 'Poetry'`.
    #[serde(rename = "where")]
    pub condition: Option<String>,
    /// Document ids to keep; every one must exist.
    pub ids: Option<OneOrMany<Plain>>,
    /// Least and most whitespace tokens of the text: `[8000, 16000]`.
    pub tokens: Option<[u64; 2]>,
    /// The first rows in the order of a column.
    pub top: Option<RawTop>,
    /// How many rows to draw at random, without replacement.
    pub sample: Option<usize>,
}

/// The first rows in the order of a column.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawTop {
    /// The column with numbers.
    pub by: Option<String>,
    /// How many rows.
    pub n: Option<usize>,
    /// Smallest instead of largest first.
    pub smallest: Option<bool>,
}

/// Keeps the beginning of every text, never cutting a sentence.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawTruncate {
    /// The stage to read.
    pub from: Option<String>,
    /// How many tokens are kept, or `"full"` for all.
    pub tokens: Option<Length>,
    /// What a token is; `whitespace`, the words between blanks, is the only one so far.
    pub tokenizer: Option<Tokenizer>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tokenizer {
    /// A word between blanks.
    #[default]
    Whitespace,
}

/// Has a model score every row.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawJudge {
    /// The stage to read.
    pub from: Option<String>,
    /// Who answers: a name under `[models]`, or `heuristic`.
    pub model: Option<String>,
    /// The template, `templates/<name>.j2`.
    pub prompt: Option<String>,
    /// Columns given to the template as variables; `["text"]` unless said otherwise.
    pub variables: Option<OneOrMany<String>>,
    /// What is scored; `["fluency", "coherence"]` unless said otherwise.
    pub metrics: Option<OneOrMany<String>>,
    /// The numbers a score may be; 1 to 5 in half points unless said otherwise.
    pub scale: Option<RawScale>,
    /// How replies are read.
    pub parse: Option<Parser>,
    /// How often each row is asked; 1 unless said otherwise.
    pub repeats: Option<u32>,
    /// How many more times a reply cut off by the length limit is asked for; 3 unless said otherwise.
    pub retry_cut: Option<u32>,
}

/// The numbers a score may be.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawScale {
    /// The lowest score.
    pub min: Option<f64>,
    /// The highest score.
    pub max: Option<f64>,
    /// The distance between neighbouring scores.
    pub step: Option<f64>,
}

/// Computes statistics.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawStats {
    /// The stage or stages to read: judges, or other statistics.
    pub from: Option<OneOrMany<String>>,
    /// What is computed: `mean` describes each group, `paired-t` compares along axes.
    pub test: Option<Test>,
    /// The column with the values; `score` unless said otherwise.
    pub value: Option<String>,
    /// A condition on the rows that take part.
    #[serde(rename = "where")]
    pub condition: Option<String>,
    /// The columns that tell observations apart; `doc_id` unless said otherwise.
    pub over: Option<OneOrMany<String>>,
    /// Columns that form groups, besides the axes and `metric`.
    pub by: Option<OneOrMany<String>>,
    /// What is compared with what: δ = level − against; with several, differences of differences.
    pub pair: Option<OneOrMany<RawPair>>,
    /// Taken off n in the denominator of a variance: 1 (the default) or 0.
    pub ddof: Option<u8>,
    /// Confidence level of intervals; 0.95 unless said otherwise.
    pub level: Option<f64>,
    /// The direction of the alternative hypothesis; two-sided unless said otherwise.
    #[schemars(with = "Option<String>")]
    pub alternative: Option<Tail>,
    /// How p-values are corrected for multiple comparisons.
    pub correct: Option<Correction>,
    /// The columns within whose values one family of comparisons lies; none: all rows are one.
    pub family: Option<OneOrMany<String>>,
}

/// Levels of an axis compared with one of them.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawPair {
    /// The axis.
    pub axis: Option<String>,
    /// The level that is subtracted.
    pub against: Option<Plain>,
}

/// A table for people.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawTable {
    /// The statistics shown, where one stage fills the table.
    pub from: Option<String>,
    /// The statistic shown; `mean` unless said otherwise.
    pub value: Option<String>,
    /// A condition on the statistics that are shown.
    #[serde(rename = "where")]
    pub condition: Option<String>,
    /// What fills the cells, where several stages or statistics do.
    #[serde(default)]
    pub part: Vec<RawPart>,
    /// The fields whose values name the rows.
    pub rows: Option<OneOrMany<String>>,
    /// The fields whose values name the columns.
    pub columns: Option<OneOrMany<String>>,
    /// The heading. In no key, as everything below.
    pub title: Option<String>,
    /// A sentence below the table.
    pub caption: Option<String>,
    /// Digits after the point; 3 unless said otherwise.
    pub decimals: Option<u8>,
    /// What values are called: field, then value = label.
    #[serde(default)]
    pub labels: BTreeMap<String, BTreeMap<String, String>>,
    /// The order of a field's values, where it should differ from the axis's.
    #[serde(default)]
    pub order: BTreeMap<String, Vec<Plain>>,
    /// Whether cells carry their n.
    pub show_n: Option<bool>,
    /// p-values below which cells are marked with one, two or three stars: `[0.05, 0.01, 0.001]`.
    pub stars: Option<Vec<f64>>,
    /// A csv with the printed values, for `tribunal verify`.
    pub expect: Option<String>,
    /// A TOML file with notes on printed values that differ.
    pub notes: Option<String>,
}

/// Cells from one stage.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawPart {
    /// The statistics shown.
    pub from: Option<String>,
    /// The statistic shown; `mean` unless said otherwise.
    pub value: Option<String>,
    /// A condition on the statistics that are shown.
    #[serde(rename = "where")]
    pub condition: Option<String>,
    /// Row or column fields that take a fixed value in this part.
    #[serde(default)]
    pub set: IndexMap<String, Plain>,
    /// The column with the p-value that stars show.
    pub p: Option<String>,
}
