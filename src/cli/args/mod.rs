//! The arguments, verb by verb.

mod common;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

pub(super) use self::common::{ChangeArgs, HowArgs, SpecArgs, SpecsArgs};
use crate::base::key::Digest;

/// Runs experiments on judges: language models that grade long documents.
#[derive(Debug, Parser)]
#[command(name = "tribunal", version, arg_required_else_help = true)]
#[command(
    subcommand_value_name = "COMMAND",
    subcommand_help_heading = "Commands"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Run what is not cached, and write the tables.
    Run(RunArgs),
    /// Show what a run would do, before anything is spent.
    Plan(PlanArgs),
    /// Show which fields of a cache key changed since the last run.
    Why(WhyArgs),
    /// Run, and compare the tables with published values, cell by cell.
    Verify(VerifyArgs),
    /// Redraw tables, figures and pages from cached results.
    Report(ReportArgs),
    /// Serve the page of a finished run on this machine.
    View(ViewArgs),
    /// Show what differs between two runs.
    Diff(DiffArgs),
    /// Check specs and the templates they use, without running anything.
    Lint(LintArgs),
    /// Show a document as an experiment makes it, with its edits.
    Show(ShowArgs),
    /// Send one document's prompt to a model, and show the reply.
    Call(CallArgs),
    /// Import published data as tables and templates.
    Import(ImportArgs),
    /// Print the JSON schema of specs, for editors.
    Schema,
    /// Write a small experiment to start from.
    Init(InitArgs),
    /// Add a judge, a table or a figure to a spec.
    New(NewArgs),
    /// Write an archive that gives the same tables elsewhere.
    Bundle(BundleArgs),
    /// Unpack an archive that `bundle` wrote, after checking it.
    Unbundle(UnbundleArgs),
    /// List the jobs of runs on a cluster, or end them.
    Jobs(JobsArgs),
    /// Make calls as a job of a cluster, beside a model's server.
    Work(WorkArgs),
    /// Try what the cache's file system can do.
    Doctor(DoctorArgs),
    /// Remove old or unneeded entries from the cache.
    Gc(GcArgs),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all commands.
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    pub(super) spec: SpecsArgs,
    #[command(flatten)]
    pub(super) how: HowArgs,
    /// Only these stages and what they need, such as `table.a-12`. May be given several times.
    #[arg(long, value_name = "STAGE", value_hint = ValueHint::Other)]
    pub(super) only: Vec<String>,
    /// Call models that say how they are served in jobs of this cluster: `slurm`.
    #[arg(long, value_name = "CLUSTER", hide_possible_values = true)]
    pub(super) on: Option<On>,
}

/// A cluster that jobs can be submitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum On {
    /// Slurm, as `[slurm]` describes it.
    Slurm,
}

#[derive(Debug, Args)]
pub(super) struct JobsArgs {
    /// Any file or folder of the project whose jobs are meant.
    #[arg(default_value = ".", value_hint = ValueHint::AnyPath)]
    pub(super) project: PathBuf,
    /// End them, and those that wait.
    #[arg(long)]
    pub(super) cancel: bool,
    /// The cache folder [default: the project's].
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(super) cache: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// Any file or folder of the project.
    #[arg(default_value = ".", value_hint = ValueHint::AnyPath)]
    pub(super) project: PathBuf,
    /// The cache folder [default: the project's].
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(super) cache: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct WorkArgs {
    /// The folder that the run and its jobs share.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(super) session: PathBuf,
    /// The array that this job is of.
    #[arg(value_name = "ARRAY", value_hint = ValueHint::Other)]
    pub(super) array: String,
}

#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    pub(super) spec: SpecArgs,
    /// Print the graph for Graphviz.
    #[arg(long, conflicts_with = "json")]
    pub(super) dot: bool,
    /// Print the plan as JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// Show every node, not one line per stage.
    #[arg(long, short)]
    pub(super) all: bool,
}

#[derive(Debug, Args)]
pub(super) struct WhyArgs {
    #[command(flatten)]
    pub(super) spec: SpecArgs,
    /// A stage (`judge.vanilla`) or a node (`judge.vanilla[model=x]`); all that would run, if none is named.
    #[arg(value_hint = ValueHint::Other)]
    pub(super) node: Option<String>,
    /// Print the whole key.
    #[arg(long)]
    pub(super) key: bool,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    pub(super) spec: SpecsArgs,
    #[command(flatten)]
    pub(super) how: HowArgs,
    /// Also write the comparison as markdown to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) write: Option<PathBuf>,
    /// Take our values over as the expected ones, in the files that `expect` names; values with a note stay.
    #[arg(long)]
    pub(super) accept: bool,
    /// With `--accept`: show what would change and write nothing.
    #[arg(long, requires = "accept")]
    pub(super) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(after_help = REPORT_EXAMPLES)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    pub(super) spec: SpecsArgs,
}

const REPORT_EXAMPLES: &str = "\
Nothing is run and no model is called: unless all results are cached, nothing is drawn.

Examples:
  tribunal report experiments/quickstart.toml   # reports/quickstart
  tribunal report experiments/judgememo         # and reports/judgememo/index.html";

#[derive(Debug, Args)]
pub(super) struct ViewArgs {
    #[command(flatten)]
    pub(super) spec: SpecsArgs,
    /// The port on 127.0.0.1 [default: a free one].
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value = "0", hide_default_value = true)]
    pub(super) port: u16,
}

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The earlier run: a report folder such as `reports/quickstart`, a folder of several, a spec, a
    /// `run.json`, or a revision in git such as `HEAD`, where the reports are committed.
    #[arg(value_name = "A", value_hint = ValueHint::AnyPath)]
    pub(super) a: PathBuf,
    /// The later run; an ablation's folder, such as `reports/judges/warm`, means the ablation.
    #[arg(value_name = "B", value_hint = ValueHint::AnyPath)]
    pub(super) b: PathBuf,
    /// Show all changed cells, not the first forty of each table.
    #[arg(long)]
    pub(super) all: bool,
    /// End with 5 if a value in a table differs.
    #[arg(long)]
    pub(super) exit_code: bool,
    /// Print everything as JSON.
    #[arg(long, conflicts_with = "all")]
    pub(super) json: bool,
    /// Also write all of it to this file, as a page (`.html`) or as markdown (`.md`).
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) write: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    pub(super) spec: SpecArgs,
    /// The document's id; without it, the documents are listed.
    #[arg(value_hint = ValueHint::Other)]
    pub(super) document: Option<String>,
    /// The stage whose documents are shown; by default the last manipulation, or else the last stage
    /// of documents.
    #[arg(long, value_name = "STAGE", value_hint = ValueHint::Other)]
    pub(super) stage: Option<String>,
    /// Only rows that hold this: `--where task=typos`. May be given several times.
    #[arg(long = "where", value_name = "NAME=VALUE", value_hint = ValueHint::Other)]
    pub(super) wheres: Vec<String>,
    /// Show the changed places alone, before and after.
    #[arg(long)]
    pub(super) diff: bool,
    /// Print whole rows as JSON lines.
    #[arg(long, conflicts_with = "diff")]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct CallArgs {
    #[command(flatten)]
    pub(super) spec: SpecArgs,
    /// The document's id; the first document, if none is named.
    #[arg(value_hint = ValueHint::Other)]
    pub(super) document: Option<String>,
    /// The stage that asks, such as `judge.vanilla`; the first one, if none is named.
    #[arg(long, value_name = "STAGE", value_hint = ValueHint::Other)]
    pub(super) stage: Option<String>,
    /// Only with this axis value, or this value in a column: `--where length=2000`. May be given several times.
    #[arg(long = "where", value_name = "NAME=VALUE", value_hint = ValueHint::Other)]
    pub(super) wheres: Vec<String>,
    /// Which of several repeats, counted from 1.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value = "1")]
    pub(super) repeat: std::num::NonZeroU32,
    /// Show the prompt without calling the model.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print everything as JSON.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct LintArgs {
    #[command(flatten)]
    pub(super) spec: SpecsArgs,
    /// Count warnings as errors.
    #[arg(long)]
    pub(super) strict: bool,
}

#[derive(Debug, Args)]
#[command(subcommand_value_name = "WHAT", disable_help_subcommand = true)]
pub(super) struct ImportArgs {
    #[command(subcommand)]
    pub(super) what: Importable,
}

#[derive(Debug, Subcommand)]
pub(super) enum Importable {
    /// Documents, outputs and prompts of the `JudgeMemo` thesis.
    Judgememo(JudgeMemoArgs),
    /// Logs of `inspect_ai`, `.json` or `.eval`.
    Inspect(EvalArgs),
    /// `results.json` of promptfoo.
    Promptfoo(EvalArgs),
    /// `samples_….jsonl` of lm-evaluation-harness.
    LmEval(EvalArgs),
}

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    /// The files.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Where the tables go [default: `data/NAME-OF-THE-TOOL` in the project].
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(super) into: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct JudgeMemoArgs {
    /// A clone of the repository hkleiner/JudgeMemo.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(super) clone: PathBuf,
    /// Where the tables go [default: `data/judgememo` in the project].
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(super) into: Option<PathBuf>,
    /// Where the templates go, as `judgememo/original/…`; the project's `templates`, or where there is no
    /// project, `templates` beside the tables.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(super) templates: Option<PathBuf>,
    /// Write no progress.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// The folder to write to; created if missing.
    #[arg(default_value = ".", value_hint = ValueHint::DirPath)]
    pub(super) folder: PathBuf,
    /// Your data: a csv, a jsonl, or a folder of texts. What its columns are is read off their names and values.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, conflicts_with = "data")]
    pub(super) from: Option<PathBuf>,
    /// Small data of this form to begin with, where there is none yet.
    #[arg(long, value_name = "FORM")]
    pub(super) data: Option<DataForm>,
    /// The column that is judged.
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other, conflicts_with = "pairs")]
    pub(super) text: Option<String>,
    /// The column that names the rows.
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other)]
    pub(super) id: Option<String>,
    /// Two texts are compared: in these columns, in those that are called like a pair, or of rows with the same question and
    /// another `model`.
    #[arg(long, value_name = "COLUMN,COLUMN", num_args = 0..=2, require_equals = true, value_delimiter = ',', value_hint = ValueHint::Other)]
    pub(super) pairs: Option<Vec<String>>,
    /// What people say of them is in this column (`--ratings=ann,ben` for several people), or in one that is called like it.
    #[arg(long, value_name = "COLUMN", num_args = 0.., require_equals = true, value_delimiter = ',', value_hint = ValueHint::Other)]
    pub(super) ratings: Option<Vec<String>>,
    /// The server with the model that judges, such as `http://127.0.0.1:8000/v1`; without it, one that is built in.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) server: Option<String>,
    /// The name of the model on the server.
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other)]
    pub(super) model: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// What is added.
    pub(super) what: Addition,
    /// The spec, a TOML file.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(super) spec: PathBuf,
    /// What it is called.
    #[arg(value_hint = ValueHint::Other)]
    pub(super) name: String,
    /// The stage it reads; by default the last that it can read, and for a judge what the last judge reads.
    #[arg(long, value_name = "STAGE", value_hint = ValueHint::Other)]
    pub(super) from: Option<String>,
}

/// What can be added to a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Addition {
    /// A judge of the same documents, its scores and a table of them.
    Judge,
    /// A table of statistics.
    Table,
    /// A figure of statistics.
    Figure,
}

/// A form that data has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DataForm {
    /// A table with commas.
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// A text in every file.
    Folder,
}

#[derive(Debug, Args)]
pub(super) struct BundleArgs {
    #[command(flatten)]
    pub(super) spec: SpecsArgs,
    /// The archive [default: NAME.tar.zst in the current folder, with the name of the spec or the
    /// project].
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,
    /// Include results that hold texts of documents.
    #[arg(long)]
    pub(super) with_texts: bool,
    /// Leave out the replies of models, and rows that hold them.
    #[arg(long)]
    pub(super) without_replies: bool,
    /// The licence of files that state none: a sentence, or a file with the text.
    #[arg(long, visible_alias = "license", value_name = "TEXT|FILE")]
    pub(super) licence: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct UnbundleArgs {
    /// The archive.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(super) archive: PathBuf,
    /// The folder to unpack to, new or empty [default: the archive's name].
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(super) into: Option<PathBuf>,
    /// Unpack nothing but the bundle whose manifest has this blake3 digest, which `bundle` printed.
    #[arg(long, value_name = "DIGEST", value_hint = ValueHint::Other, value_parser = digest)]
    pub(super) expect: Option<Digest>,
}

fn digest(text: &str) -> Result<Digest, String> {
    text.parse()
        .map_err(|error: crate::base::key::DigestError| error.to_string())
}

#[derive(Debug, Args)]
pub(super) struct GcArgs {
    /// Keep only results and downloads that these specs need.
    #[arg(value_name = "SPEC", value_hint = ValueHint::AnyPath)]
    pub(super) specs: Vec<PathBuf>,
    /// Also keep what they need with this file laid on top. May be given several times.
    #[arg(long = "with", value_name = "LAYER", value_hint = ValueHint::FilePath)]
    pub(super) withs: Vec<PathBuf>,
    /// Remove what is older, such as `30d` or `12h`.
    #[arg(long, value_name = "AGE", value_hint = ValueHint::Other)]
    pub(super) older: Option<String>,
    /// Remove until the cache is no larger, such as `2G` or `500M`: results first, then calls, the oldest first.
    #[arg(long, value_name = "SIZE", value_hint = ValueHint::Other)]
    pub(super) size: Option<String>,
    /// The cache folder [default: the project's].
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(super) cache: Option<PathBuf>,
    /// Remove it; without this, only print what would be removed.
    #[arg(long)]
    pub(super) delete: bool,
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell.
    pub(super) shell: Shell,
}

/// Shells that completions are made for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
    Elvish,
    Powershell,
}

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command whose page is printed, such as `run` or `import judgememo`; without it, the page of `tribunal`.
    #[arg(value_name = "COMMAND", value_hint = ValueHint::Other, conflicts_with = "into")]
    pub(super) verb: Vec<String>,
    /// Write tribunal.1 and a page for every command to this folder, which is created if missing.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(super) into: Option<PathBuf>,
}
