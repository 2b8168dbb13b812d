//! A spec as it is written: what serde reads, nothing decided yet.
//!
//! Nearly every field is optional here, so that one mistake does not hide the next; the check fills
//! defaults and says what is missing. The doc comments are what editors show, through the JSON
//! schema made from these types. No `flatten`, `untagged` or `tag`: they would cost the places of
//! mistakes.

mod corpus;
mod figure;
mod judge;
mod manipulate;
mod memo;
mod models;

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) use self::corpus::{RawAnnotator, RawClean, RawExport, RawMeasure, RawSplit};
pub(super) use self::figure::{RawFigure, RawFigurePart};
pub(super) use self::judge::{RawGenerate, RawJudge, RawScale};
pub(super) use self::manipulate::{Amount, RawContent, RawLetters, RawManipulate, RawNeedle};
pub(super) use self::memo::RawMemo;
pub(super) use self::models::{RawModel, RawProvider, RawThinking};
use super::plain::Plain;
use super::{OneOrMany, Range};
use crate::stage::{Correction, Empty, Length, Test};
use crate::stats::Tail;

/// An experiment of tribunal.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawSpec {
    /// What the experiment is about, in one line.
    pub(crate) title: Option<String>,
    /// Specs this one builds on, weakest first; paths are relative to this file.
    #[schemars(with = "Option<OneOrMany<String>>")]
    #[expect(dead_code, reason = "taken out when the layers are merged")]
    pub(crate) extends: Option<OneOrMany<String>>,
    /// Seed of everything random. Only stages that draw at random depend on it.
    pub(crate) seed: Option<u64>,
    /// Named folders, used in file names as `{name}`. `cache`, `reports` and `templates` move the
    /// project's own folders.
    #[serde(default)]
    #[expect(
        dead_code,
        reason = "looked up in the tree, with the folder each is relative to"
    )]
    pub(crate) paths: IndexMap<String, String>,
    /// What to do when a file of a named folder is not there: folder name = sentence.
    #[serde(default)]
    #[expect(dead_code, reason = "looked up in the tree, as the folders are")]
    pub(crate) hints: IndexMap<String, String>,
    /// Under which licence the files of a named folder are: folder name = sentence. Bundles say so of
    /// them and of what was made from them.
    #[serde(default)]
    #[expect(dead_code, reason = "looked up in the tree, as the folders are")]
    pub(crate) licences: IndexMap<String, String>,
    /// Values that parameters take in turn; the product of the axes is the experiment.
    #[serde(default)]
    pub(crate) axes: IndexMap<String, RawAxis>,
    /// Which combinations of axis values are run.
    #[serde(default)]
    pub(crate) grid: RawGrid,
    /// Who answers.
    #[serde(default)]
    pub(crate) models: IndexMap<String, RawModel>,
    /// Programs that find sentences, words and entities in texts instead of the built-in one.
    #[serde(default)]
    pub(crate) annotators: IndexMap<String, RawAnnotator>,
    /// Variations of the whole experiment, run beside it.
    #[serde(default)]
    pub(crate) ablation: Vec<RawAblation>,
    /// How reports are written.
    #[serde(default)]
    pub(crate) report: RawReport,
    /// Stages that read documents.
    #[serde(default)]
    pub(crate) source: IndexMap<String, RawSource>,
    /// Stages that make raw books into clean text.
    #[serde(default)]
    pub(crate) clean: IndexMap<String, RawClean>,
    /// Stages that keep some rows.
    #[serde(default)]
    pub(crate) select: IndexMap<String, RawSelect>,
    /// Stages that cut every text into parts.
    #[serde(default)]
    pub(crate) split: IndexMap<String, RawSplit>,
    /// Stages that keep the beginning of every text.
    #[serde(default)]
    pub(crate) truncate: IndexMap<String, RawTruncate>,
    /// Stages that damage every text in a recorded way.
    #[serde(default)]
    pub(crate) manipulate: IndexMap<String, RawManipulate>,
    /// Stages that count things in every text.
    #[serde(default)]
    pub(crate) measure: IndexMap<String, RawMeasure>,
    /// Stages in which a model writes a text for every row.
    #[serde(default)]
    pub(crate) generate: IndexMap<String, RawGenerate>,
    /// Stages in which a model scores every row.
    #[serde(default)]
    pub(crate) judge: IndexMap<String, RawJudge>,
    /// Stages that put the judgements of a document's sections together.
    #[serde(default)]
    pub(crate) memo: IndexMap<String, RawMemo>,
    /// Stages that compute statistics.
    #[serde(default)]
    pub(crate) stats: IndexMap<String, RawStats>,
    /// Tables for people.
    #[serde(default)]
    pub(crate) table: IndexMap<String, RawTable>,
    /// Figures for people.
    #[serde(default)]
    pub(crate) figure: IndexMap<String, RawFigure>,
    /// Files of rows for other programs.
    #[serde(default)]
    pub(crate) export: IndexMap<String, RawExport>,
}

/// Values that one or more parameters take in turn.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawAxis {
    /// The parameter to set, such as `judge.vanilla.model`; with several, all get the same value. A stage,
    /// such as `judge.vanilla`, where the values are tables that set several of its parameters.
    #[schemars(with = "Option<OneOrMany<String>>")]
    pub(crate) set: Option<OneOrMany<String>>,
    /// The values.
    pub(crate) values: Option<Vec<serde_json::Value>>,
    /// What the values are called in tables; needed where a value is a list or a table.
    pub(crate) names: Option<Vec<Plain>>,
}

/// Which combinations of axis values are run.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawGrid {
    /// Groups of axes that advance together instead of being multiplied.
    #[serde(default)]
    pub(crate) zip: Vec<Vec<String>>,
    /// Combinations left out: axis names with the value or values they must all match.
    #[serde(default)]
    pub(crate) exclude: Vec<IndexMap<String, OneOrMany<Plain>>>,
}

/// The experiment with some parameters changed; its tables come out beside the others.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawAblation {
    /// Its name.
    pub(crate) name: Option<String>,
    /// Parameters and their values, such as `"judge.vanilla.repeats" = 3`.
    #[expect(dead_code, reason = "looked up in the tree, with its places")]
    pub(crate) set: Option<IndexMap<String, serde_json::Value>>,
}

/// How reports are written. In no key.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawReport {
    /// The file formats of every table.
    pub(crate) formats: Option<Vec<ReportFormat>>,
    /// Whether `index.html`, the page with everything, is written; it is, unless said otherwise.
    pub(crate) page: Option<bool>,
    /// How much the page may hold of compressed judgements: `"64 MB"`, unless said otherwise. What is more is shown by
    /// `tribunal view`.
    pub(crate) embed: Option<String>,
    /// The file formats of every figure; `["svg", "png"]` unless said otherwise. Its rows are written as csv beside.
    pub(crate) figures: Option<Vec<FigureFormat>>,
}

/// A file format of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FigureFormat {
    /// Scalable, for the web and for papers.
    Svg,
    /// Pixels, on white.
    Png,
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
    /// Where books are fetched from: a url with `{id}` where the number stands. In no key, and so
    /// something for `tribunal.local.toml`.
    pub(crate) mirror: Option<String>,
    /// A csv with one row per document.
    pub(crate) metadata: Option<String>,
    /// The column that names a document; it becomes `doc_id`, which is also the default.
    pub(crate) id: Option<String>,
    /// The column with the text; it becomes `text`, which is also the default.
    pub(crate) text: Option<String>,
    /// The columns to keep; all, if none are named.
    pub(crate) columns: Option<Vec<String>>,
    /// The columns that together identify a row; `["doc_id"]` unless said otherwise.
    pub(crate) key: Option<OneOrMany<String>>,
    /// What to do with a document without text.
    pub(crate) empty: Option<Empty>,
}

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
    /// Least and most whitespace tokens of the text: `[8000, 16000]`, or `{ min = 8000 }`.
    pub(crate) tokens: Option<Range>,
    /// Least and most sentences of the text.
    pub(crate) sentences: Option<Range>,
    /// Least and most characters that the text's sentences have on average.
    pub(crate) sentence_characters: Option<Range>,
    /// The first rows in the order of a column.
    pub(crate) top: Option<RawTop>,
    /// How many documents to draw at random, without replacement; all their rows are kept.
    pub(crate) sample: Option<usize>,
    /// The columns to keep, in this order; all, if none are named.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// Columns to add, with the value that they hold in every row, for templates to look at:
    /// `{ notice = "shown" }`.
    pub(crate) add: Option<IndexMap<String, Plain>>,
    /// Whether rows that are the same in all columns kept are kept once, the first of them; before `top` and `sample`.
    pub(crate) distinct: Option<bool>,
}

/// Words that must or must not occur; they are found whole, whatever their case.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawKeywords {
    /// The columns that are searched; `["text"]` unless said otherwise.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// Only so many characters at the beginning of each are searched.
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
}

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

/// Computes statistics.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawStats {
    /// The stage or stages to read: judges, or other statistics.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<OneOrMany<String>>,
    /// What is computed: `mean` describes each group, `paired-t` compares along axes, `unscored` counts
    /// the answers that no score can be read off.
    pub(crate) test: Option<Test>,
    /// The column with the values; `score`, or `value` of counts, unless said otherwise.
    pub(crate) value: Option<String>,
    /// A condition on the rows that take part.
    #[serde(rename = "where")]
    pub(crate) condition: Option<String>,
    /// The columns that tell observations apart; `doc_id` unless said otherwise.
    pub(crate) over: Option<OneOrMany<String>>,
    /// Columns that form groups, besides the axes and `metric`.
    pub(crate) by: Option<OneOrMany<String>>,
    /// What is compared with what: δ = level − against; with several, differences of differences.
    pub(crate) pair: Option<OneOrMany<RawPair>>,
    /// Taken off n in the denominator of a variance: 1 (the default) or 0.
    pub(crate) ddof: Option<u8>,
    /// Confidence level of intervals; 0.95 unless said otherwise.
    pub(crate) level: Option<f64>,
    /// The direction of the alternative hypothesis; two-sided unless said otherwise.
    #[schemars(with = "Option<Alternative>")]
    pub(crate) alternative: Option<Tail>,
    /// How p-values are corrected for multiple comparisons.
    pub(crate) correct: Option<Correction>,
    /// The columns within whose values one family of comparisons lies; none: all rows are one.
    pub(crate) family: Option<OneOrMany<String>>,
}

/// The direction of the alternative hypothesis, for the JSON schema.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "describes `Tail`, which knows nothing of schemas")]
enum Alternative {
    /// The mean difference is not zero.
    TwoSided,
    /// The mean difference is below zero.
    Less,
    /// The mean difference is above zero.
    Greater,
}

/// Levels of an axis compared with one of them.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawPair {
    /// The axis.
    pub(crate) axis: Option<String>,
    /// The level that is subtracted.
    pub(crate) against: Option<Plain>,
    /// Columns of `by` in which the level that is subtracted is a row of its own, whatever it holds there:
    /// a document without damage has no degree of damage.
    pub(crate) regardless: Option<OneOrMany<String>>,
    /// Whether the differences of all levels are taken together instead of level by level.
    pub(crate) pool: Option<bool>,
}

/// A table for people.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawTable {
    /// The statistics shown, where one stage fills the table.
    pub(crate) from: Option<String>,
    /// The statistic shown; `mean` unless said otherwise.
    pub(crate) value: Option<String>,
    /// A condition on the statistics that are shown.
    #[serde(rename = "where")]
    pub(crate) condition: Option<String>,
    /// The column with the p-value that stars show.
    pub(crate) p: Option<String>,
    /// What fills the cells, where several stages or statistics do.
    #[serde(default)]
    pub(crate) part: Vec<RawPart>,
    /// The fields whose values name the rows.
    pub(crate) rows: Option<OneOrMany<String>>,
    /// The fields whose values name the columns.
    pub(crate) columns: Option<OneOrMany<String>>,
    /// The heading. In no key, as everything below.
    pub(crate) title: Option<String>,
    /// A sentence below the table.
    pub(crate) caption: Option<String>,
    /// Digits after the point; 3 unless said otherwise.
    pub(crate) decimals: Option<u8>,
    /// What values are called: field, then value = label.
    #[serde(default)]
    pub(crate) labels: BTreeMap<String, BTreeMap<String, String>>,
    /// The order of a field's values, where it should differ from the axis's.
    #[serde(default)]
    pub(crate) order: BTreeMap<String, Vec<Plain>>,
    /// Whether cells carry their n.
    pub(crate) show_n: Option<bool>,
    /// p-values below which cells are marked with one, two or three stars: `[0.05, 0.01, 0.001]`.
    pub(crate) stars: Option<Vec<f64>>,
    /// A csv with the printed values, for `tribunal verify`.
    pub(crate) expect: Option<String>,
    /// A TOML file with notes on printed values that differ.
    pub(crate) notes: Option<String>,
}

/// Cells from one stage.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawPart {
    /// The statistics shown.
    pub(crate) from: Option<String>,
    /// The statistic shown; `mean` unless said otherwise.
    pub(crate) value: Option<String>,
    /// A condition on the statistics that are shown.
    #[serde(rename = "where")]
    pub(crate) condition: Option<String>,
    /// Row or column fields that take a fixed value in this part.
    #[serde(default)]
    pub(crate) set: IndexMap<String, Plain>,
    /// The column with the p-value that stars show.
    pub(crate) p: Option<String>,
}
