//! `scorer` stages: the program, what it is handed, what it gives.

use std::time::Duration;

use super::raw::RawScorer;
use super::{Given, OWN, Scorer};
use crate::stage::Program;
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{asked, columns};
use crate::stage::judge::checked_scale;
use crate::toml::{Problem, Problems};

/// How long a program may say nothing where nobody says how long.
const TIMEOUT: f64 = 600.0;

/// The longest time that can be allowed, in seconds: a month.
const LONGEST: f64 = 30.0 * 86_400.0;

/// The most programs side by side.
const PROCESSES: u32 = 1000;

/// How often a program may be started again where nobody says how often.
const RESTARTS: u32 = 20;

impl Written for Scorer {
    type Raw = RawScorer;

    fn check(raw: &RawScorer, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let before = problems.errors();
        let program = program(raw, checking, problems);
        let columns = handed(raw, checking, problems);
        let metrics = raw.metrics.clone().unwrap_or_default().0;
        columns::each_once(context, &path("metrics"), &metrics, "metric", problems);
        if metrics.iter().any(|metric| metric.trim().is_empty()) {
            context
                .problem(
                    "spec::bad-metrics",
                    "a metric needs a name".to_owned(),
                    &path("metrics"),
                    "these metrics",
                )
                .help("write a word, such as `[\"exact\"]`")
                .tell(problems);
        }
        let scale = raw.scale.clone().map(|mut scale| {
            // Programs give any number.
            scale.step = scale.step.or(scale.labels.is_none().then_some(0.0));
            scale
        });
        let scale = checked_scale(context, &path("scale"), scale.as_ref(), problems);
        if metrics.is_empty() && raw.scale.is_some() && !context.is_written(at, "metrics") {
            context
                .problem(
                    "spec::bad-value",
                    "without `metrics` there are no scores that could lie on a scale".to_owned(),
                    &path("scale"),
                    "has no effect",
                )
                .help("name what is scored: `metrics = [\"exact\"]`, or remove `scale`")
                .tell(problems);
        }
        let gives = given(raw, checking, problems, before);
        let timeout = raw.timeout.unwrap_or(TIMEOUT);
        if !(timeout > 0.0 && timeout <= LONGEST) {
            context
                .problem(
                    "spec::out-of-range",
                    format!("`timeout` cannot be {timeout} seconds"),
                    &path("timeout"),
                    "above 0, at most 2592000",
                )
                .help("write how many seconds the program may say nothing: loading its model, or answering one batch")
                .tell(problems);
        }
        let processes = raw.processes.unwrap_or(1);
        if !(1..=PROCESSES).contains(&processes) {
            context
                .problem(
                    "spec::out-of-range",
                    format!("`processes` cannot be {processes}"),
                    &path("processes"),
                    "from 1 to 1000",
                )
                .help(
                    "write how many of the program may run side by side; each loads what it needs",
                )
                .tell(problems);
        }
        let max_unscored = asked::share(
            context,
            &path("max-unscored"),
            (raw.max_unscored, asked::UNSCORED),
            problems,
        );
        (problems.errors() == before).then_some(())?;
        Some(Self {
            from: checking.from(),
            program: program?,
            columns,
            metrics,
            scale,
            gives,
            timeout: Duration::from_secs_f64(timeout),
            restarts: raw.restarts.unwrap_or(RESTARTS),
            processes,
            max_unscored,
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        if self.metrics.is_empty() {
            checking.as_read()
        } else {
            checking.by_metric("score")
        }
    }
}

/// The further columns that the program gives; there have to be some where it scores nothing.
fn given(
    raw: &RawScorer,
    checking: &Checking<'_>,
    problems: &mut Problems,
    before: usize,
) -> Vec<(String, Given)> {
    let Checking { context, at, .. } = *checking;
    let metrics = raw
        .metrics
        .as_ref()
        .is_some_and(|metrics| !metrics.is_empty());
    let path = [at, &["gives".to_owned()]].concat();
    let gives: Vec<_> = raw.gives.iter().flatten().collect();
    for (name, _) in &gives {
        let at = [path.as_slice(), &[(*name).clone()]].concat();
        if metrics && OWN.contains(&name.as_str()) {
            Problem::error(
                "spec::bad-name",
                format!("a row of scores has a column `{name}` already"),
            )
            .label_at(context.layers.place_of_key(&at), "taken")
            .help("use another name")
            .tell(problems);
            continue;
        }
        columns::made(checking, &at, name, problems);
    }
    if !metrics && gives.is_empty() {
        let written = ["metrics", "gives"].into_iter();
        let mut written = written.filter(|key| context.is_written(at, key));
        // What is written and of the wrong type was reported.
        if written.next().is_none() || problems.errors() == before {
            context
                .problem(
                    "spec::missing-key",
                    format!("`{}` is to give nothing", at.join(".")),
                    at,
                    "neither `metrics` nor `gives`",
                )
                .help("name what it scores, `metrics = [\"exact\"]`, or the columns that it gives, `gives = { exact = \"number\" }`")
                .tell(problems);
        }
    }
    gives
        .into_iter()
        .map(|(name, given)| (name.clone(), *given))
        .collect()
}

/// The program, with the version that results are kept under.
fn program(raw: &RawScorer, checking: &Checking<'_>, problems: &mut Problems) -> Option<Program> {
    let Checking { context, at, .. } = *checking;
    let command = raw.command.clone().filter(|command| !command.is_empty());
    let version = raw.version.clone();
    let version = version.filter(|version| !version.trim().is_empty());
    for (missing, key, example) in [
        (
            command.is_none(),
            "command",
            "[\"python3\", \"tools/score.py\"]",
        ),
        (version.is_none(), "version", "\"bert-score 0.3.13 en\""),
    ] {
        let path = [at, &[key.to_owned()]].concat();
        let empty = match key {
            "command" => raw.command.is_some(),
            _ => raw.version.is_some(),
        };
        if missing && empty {
            let message = format!("the `{key}` of `{}` is empty", at.join("."));
            context
                .problem("spec::bad-value", message, &path, "empty")
                .help(format!("write `{key} = {example}`"))
                .tell(problems);
        } else if missing && !context.is_written(at, key) {
            context
                .missing(at, key)
                .help(format!("add `{key} = {example}`"))
                .tell(problems);
        }
    }
    Some(Program {
        command: command?.0,
        version: version?,
    })
}

/// The columns that the program is handed.
fn handed(raw: &RawScorer, checking: &Checking<'_>, problems: &mut Problems) -> Vec<String> {
    let Checking { context, at, .. } = *checking;
    let path = [at, &["columns".to_owned()]].concat();
    let Some(columns) = &raw.columns else {
        return vec!["text".to_owned()];
    };
    columns::each_once(context, &path, columns, "column", problems);
    if columns.iter().any(|name| name == "id") {
        context
            .problem(
                "spec::bad-name",
                "a column that a program is handed cannot be called `id`".to_owned(),
                &context.element(&path, "id"),
                "the number of the row",
            )
            .help("rename it in a `derive` stage: `rename = { item = \"id\" }`")
            .tell(problems);
    }
    if columns.is_empty() && is_empty(checking, &path) {
        context
            .problem(
                "spec::bad-value",
                "the program is handed no column".to_owned(),
                &path,
                "empty",
            )
            .help("name what it reads: `columns = [\"text\", \"reference\"]`")
            .tell(problems);
    }
    columns.0.clone()
}

/// Whether a list is written without elements; those of the wrong type were reported, and left out.
fn is_empty(checking: &Checking<'_>, at: &[String]) -> bool {
    let tree = checking.context.layers.tree().get(at);
    tree.and_then(crate::toml::Tree::elements)
        .is_some_and(<[_]>::is_empty)
}
