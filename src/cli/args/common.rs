//! Arguments that several verbs have: which specs, what is changed in them, how to run.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueHint};

/// The heading above flags that change specs.
const CHANGED: &str = "Overrides";

/// The heading above flags that change how it is run.
const HOW: &str = "How to run";

/// Which spec, and what is changed in it.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct SpecArgs {
    /// The spec, a TOML file.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(in crate::cli) spec: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) changes: ChangeArgs,
}

/// What is changed in a spec.
#[derive(Clone, Debug, Default, Args)]
pub(in crate::cli) struct ChangeArgs {
    /// Lay another TOML file on top of the spec; the last one wins, but `tribunal.local.toml` overrides it.
    #[arg(help_heading = CHANGED, long = "with", value_name = "LAYER", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) withs: Vec<PathBuf>,
    /// Set a parameter, such as `judge.vanilla.model=heuristic`. May be given several times.
    #[arg(help_heading = CHANGED, long = "set", value_name = "PATH=VALUE", value_hint = ValueHint::Other)]
    pub(in crate::cli) sets: Vec<String>,
    /// Let a spec from a bundle start programs, call servers and use keys. Read it first.
    #[arg(help_heading = CHANGED, long)]
    pub(in crate::cli) trust: bool,
}

impl ChangeArgs {
    /// The arguments as they would be typed again.
    fn words(&self) -> impl Iterator<Item = String> {
        let withs = self
            .withs
            .iter()
            .map(|with| format!("--with '{}'", with.display()));
        let trust = self.trust.then(|| crate::engine::TRUST.to_owned());
        let sets = self.sets.iter().map(|set| format!("--set '{set}'"));
        withs.chain(sets).chain(trust)
    }
}

/// Which specs, and what is changed in all of them.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct SpecsArgs {
    /// The specs, TOML files; a folder means all specs in it that have a title.
    #[arg(value_name = "SPEC", required = true, value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) specs: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) changes: ChangeArgs,
}

impl SpecsArgs {
    /// A command about the same specs, as it would be typed.
    pub(in crate::cli) fn command(&self, verb: &str, more: impl Iterator<Item = String>) -> String {
        let mut words = vec![format!("tribunal {verb}")];
        words.extend(self.specs.iter().map(|spec| spec.display().to_string()));
        words.extend(self.changes.words());
        words.extend(more);
        words.join(" ")
    }
}

/// How to run; nothing of this changes a result.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(in crate::cli) struct HowArgs {
    /// How many stages run at once [default: the number of processors].
    #[arg(help_heading = HOW, long, short, value_name = "N", value_hint = ValueHint::Other)]
    pub(in crate::cli) jobs: Option<NonZeroUsize>,
    /// Call no model and fetch nothing: what is not cached is an error.
    #[arg(help_heading = HOW, long)]
    pub(in crate::cli) offline: bool,
    /// Make at most this many calls; the run stops cleanly, and the same command resumes it.
    #[arg(help_heading = HOW, long, value_name = "N", value_hint = ValueHint::Other)]
    pub(in crate::cli) max_calls: Option<u64>,
    /// Spend at most this, in the unit of the models' prices; the run stops cleanly, and the same command resumes it.
    #[arg(help_heading = HOW, long, value_name = "AMOUNT", value_hint = ValueHint::Other, value_parser = amount, allow_negative_numbers = true)]
    pub(in crate::cli) max_cost: Option<f64>,
    /// After a failure, still run everything that does not depend on it.
    #[arg(help_heading = HOW, long, overrides_with = "fail_fast")]
    pub(in crate::cli) keep_going: bool,
    /// After a failure, start nothing new (the default).
    #[arg(help_heading = HOW, long)]
    pub(in crate::cli) fail_fast: bool,
    /// Write events as JSON lines instead of progress.
    #[arg(help_heading = HOW, long)]
    pub(in crate::cli) json: bool,
    /// Write no progress.
    #[arg(help_heading = HOW, long, short)]
    pub(in crate::cli) quiet: bool,
}

/// An amount of money.
fn amount(text: &str) -> Result<f64, String> {
    let amount: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if amount.is_finite() && amount >= 0.0 {
        Ok(amount)
    } else {
        Err("it must be 0 or more".to_owned())
    }
}
