//! A spec as it is written: what serde reads, nothing decided yet.
//!
//! Nearly every field is optional here, so that one mistake does not hide the next; the check fills
//! defaults and says what is missing. The doc comments are what editors show, through the JSON
//! schema made from these types. No `flatten`, `untagged` or `tag`: they would cost the places of
//! mistakes.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::stage::check::{RawAnnotator, RawModel, Written};
use crate::stage::{Kind, kinds};
use crate::toml::{OneOrMany, Plain};

macro_rules! raw_spec {
    ($($(#[$doc:meta])* $name:ident: $kind:ident $how:ident,)*) => {
        /// An experiment of tribunal.
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub(crate) struct RawSpec {
            /// The title of the experiment, in one line.
            pub(crate) title: Option<String>,
            /// Specs this one builds on; later ones override earlier ones. Paths are relative to this file.
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
            /// What to do when a file of a named folder is missing: folder name = sentence.
            #[serde(default)]
            #[expect(dead_code, reason = "looked up in the tree, as the folders are")]
            pub(crate) hints: IndexMap<String, String>,
            /// The licence of the files in a named folder: folder name = sentence. Bundles state it for these files and
            /// for everything made from them.
            #[serde(default)]
            #[expect(dead_code, reason = "looked up in the tree, as the folders are")]
            pub(crate) licences: IndexMap<String, String>,
            /// Values that parameters take in turn; the experiment runs every combination of them.
            #[serde(default)]
            pub(crate) axes: IndexMap<String, RawAxis>,
            /// Which combinations of axis values are run.
            #[serde(default)]
            pub(crate) grid: RawGrid,
            /// The models: who answers, by name.
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
            /// The cluster that `run --on slurm` submits to.
            pub(crate) slurm: Option<RawSlurm>,
            $(
                $(#[$doc])*
                #[serde(default)]
                pub(crate) $name: IndexMap<String, <crate::stage::$kind as Written>::Raw>,
            )*
        }

        impl RawSpec {
            /// The names of the stages of a kind.
            pub(super) fn names(&self, kind: Kind) -> Vec<&String> {
                match kind {
                    $(Kind::$kind => self.$name.keys().collect(),)*
                }
            }
        }
    };
}

kinds!(raw_spec);

/// Values that one or more parameters take in turn.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawAxis {
    /// The parameter to set, such as `judge.vanilla.model`; if several are named, all get the same value. If the values
    /// are tables that set several parameters of a stage, name the stage: `judge.vanilla`.
    #[schemars(with = "Option<OneOrMany<String>>")]
    pub(crate) set: Option<OneOrMany<String>>,
    /// The values.
    pub(crate) values: Option<Vec<serde_json::Value>>,
    /// The names of the values in tables; required if a value is a list or a table.
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

/// How reports are written. Not in the cache key.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawReport {
    /// The file formats of every table.
    pub(crate) formats: Option<Vec<ReportFormat>>,
    /// Whether to write `index.html`, the page with everything; `true` by default.
    pub(crate) page: Option<bool>,
    /// The largest size of the compressed judgements in the page; `"64 MB"` by default. More of them lie beside the page, where
    /// `tribunal view` shows them; with `"0 MB"`, none are written.
    pub(crate) embed: Option<String>,
    /// The file formats of every figure; `["svg", "png"]` by default. Its rows are also written as csv.
    pub(crate) figures: Option<Vec<FigureFormat>>,
}

/// A cluster under Slurm. Put it into `tribunal.local.toml`; it is not in the cache key.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawSlurm {
    /// The partition; by default the scheduler's.
    pub(crate) partition: Option<String>,
    /// The account that pays.
    pub(crate) account: Option<String>,
    /// The quality of service.
    pub(crate) qos: Option<String>,
    /// The required features of nodes, in the syntax of `sbatch --constraint`.
    pub(crate) constraint: Option<String>,
    /// How long a job may run, such as `"2:00:00"` or `"1-12"`; one hour by default.
    pub(crate) time: Option<String>,
    /// GPUs of a job: `1`, or `"a100:2"`. None by default; a model's `serve` may say otherwise.
    pub(crate) gpus: Option<Plain>,
    /// Processors of a job.
    pub(crate) cpus: Option<u32>,
    /// Memory of a job, such as `"32G"`.
    pub(crate) memory: Option<String>,
    /// How many jobs of one model may be queued or running at once; 4 by default.
    pub(crate) tasks: Option<u32>,
    /// How many tasks of an array may run at once, if your site limits that.
    pub(crate) at_once: Option<u32>,
    /// The longest array, if your site wants shorter ones than its scheduler allows.
    pub(crate) array_limit: Option<u32>,
    /// For how many missing calls one job is submitted; 200 by default.
    pub(crate) calls: Option<u64>,
    /// Lines of the job before the worker begins, such as `"module load cuda"`.
    pub(crate) preamble: Option<OneOrMany<String>>,
    /// Further arguments of `sbatch`, such as `"--exclusive"`.
    pub(crate) options: Option<OneOrMany<String>>,
    /// How many seconds before its time limit a job takes no more calls; 120 by default.
    pub(crate) drain: Option<f64>,
    /// After how many seconds without a sign of life a job's calls go to other jobs; 120 by default.
    pub(crate) lost_after: Option<f64>,
    /// How many seconds a job waits for calls before it ends; 60 by default.
    pub(crate) idle: Option<f64>,
    /// The path of the program on the nodes, if it differs from the path here.
    pub(crate) program: Option<String>,
    /// Stages that call no model and are computed by jobs. Without this table, the run computes all of them itself.
    pub(crate) stages: Option<RawSlurmStages>,
}

/// Stages that call no model and are computed by jobs, each by one job.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawSlurmStages {
    /// Their kinds; `["manipulate", "measure"]` by default.
    pub(crate) kinds: Option<OneOrMany<String>>,
    /// Stages that read fewer rows are computed by the run itself; 1,000 by default.
    pub(crate) rows: Option<u64>,
    /// The partition of such a job. By default that of `[slurm]`.
    pub(crate) partition: Option<String>,
    /// How long such a job may run. By default as long as `[slurm]` says.
    pub(crate) time: Option<String>,
    /// GPUs of such a job; none by default, whatever `[slurm]` says.
    pub(crate) gpus: Option<Plain>,
    /// Processors of such a job, all of which its stage uses. By default those of `[slurm]`.
    pub(crate) cpus: Option<u32>,
    /// Memory of such a job. By default that of `[slurm]`.
    pub(crate) memory: Option<String>,
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
