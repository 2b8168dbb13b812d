//! The cluster under Slurm: what jobs are like, each value within what `sbatch` takes.

use std::time::Duration;

use crate::base::wording::{list_of, near_or};
use crate::cluster::profile::{Needs, Profile, Stages, seconds};
use crate::spec::raw::{RawSlurm, RawSlurmStages, RawSpec};
use crate::stage::Kind;
use crate::stage::check::Context;
use crate::stage::check::serve::{gpus, out_of_range, positive, word};
use crate::toml::Problems;

/// The stages that go to jobs where nothing else is said: those that take long of a large corpus.
const HEAVY: [Kind; 2] = [Kind::Manipulate, Kind::Measure];

/// How many rows are worth a job where nothing else is said.
const ROWS: u64 = 1000;

/// What `sbatch` is told by tribunal, which `options` must leave alone.
const TAKEN: [&str; 16] = [
    "--array",
    "-a",
    "--job-name",
    "-J",
    "--comment",
    "--requeue",
    "--no-requeue",
    "--open-mode",
    "--output",
    "-o",
    "--signal",
    "--parsable",
    "--wrap",
    "--export",
    "--wait",
    "-W",
];

/// The profile, if there is one.
pub(super) fn of(context: &Context<'_>, raw: &RawSpec, problems: &mut Problems) -> Option<Profile> {
    raw.slurm
        .as_ref()
        .map(|raw| profile(context, raw, problems))
}

fn profile(context: &Context<'_>, raw: &RawSlurm, problems: &mut Problems) -> Profile {
    let path = |key: &str| ["slurm".to_owned(), key.to_owned()];
    let usual = Profile::default();
    let mut named =
        |key: &str, written: &Option<String>| word(context, &path(key), written.as_ref(), problems);
    let (partition, account) = (
        named("partition", &raw.partition),
        named("account", &raw.account),
    );
    let (qos, constraint) = (named("qos", &raw.qos), named("constraint", &raw.constraint));
    let memory = named("memory", &raw.memory);
    let gpus = gpus(context, &path("gpus"), raw.gpus.as_ref(), problems);
    let mut time_of = |key: &str, written: Option<f64>, usual: Duration| {
        let Some(written) = written else {
            return usual;
        };
        positive(written).unwrap_or_else(|| {
            out_of_range(context, &path(key), written, "above 0", problems);
            usual
        })
    };
    let drain = time_of("drain", raw.drain, usual.drain);
    let lost_after = time_of("lost-after", raw.lost_after, usual.lost_after);
    let idle = time_of("idle", raw.idle, usual.idle);
    let time = raw.time.clone().unwrap_or_else(|| usual.time.clone());
    let drain_at = raw.drain.map(|_| path("drain"));
    time_limit(
        context,
        &time,
        &path("time"),
        (drain, drain_at.as_ref().map(|at| &at[..])),
        problems,
    );
    for (key, value) in [
        ("tasks", raw.tasks),
        ("at-once", raw.at_once),
        ("array-limit", raw.array_limit),
    ] {
        if value == Some(0) {
            out_of_range(context, &path(key), 0.0, "at least 1", problems);
        }
    }
    if raw.calls == Some(0) {
        out_of_range(context, &path("calls"), 0.0, "at least 1", problems);
    }
    let options = options(context, raw, problems);
    let stages = raw
        .stages
        .as_ref()
        .map(|raw| stages(context, raw, drain, problems));
    Profile {
        partition,
        account,
        qos,
        constraint,
        time,
        gpus,
        cpus: raw.cpus,
        memory,
        tasks: raw.tasks.unwrap_or(usual.tasks),
        at_once: raw.at_once,
        array_limit: raw.array_limit,
        calls: raw.calls.unwrap_or(usual.calls),
        preamble: raw
            .preamble
            .iter()
            .flat_map(|lines| lines.iter().cloned())
            .collect(),
        options,
        drain,
        lost_after,
        idle,
        program: raw.program.clone(),
        stages,
    }
}

/// Sees that a time limit is one, and longer than jobs take nothing more before it. `drain` stands at its place, if it is
/// written.
fn time_limit(
    context: &Context<'_>,
    time: &str,
    path: &[String],
    (drain, drain_at): (Duration, Option<&[String]>),
    problems: &mut Problems,
) {
    let Some(limit) = seconds(time) else {
        context
            .problem("spec::bad-slurm", format!("`{time}` is no time limit"), path, "cannot be read as a time")
            .help("write it as `sbatch` takes it: `\"90\"` (minutes), `\"2:00:00\"`, `\"1-12\"` (days and hours)")
            .tell(problems);
        return;
    };
    if drain.as_secs() >= limit {
        context
            .problem(
                "spec::bad-slurm",
                format!("jobs of `{time}` would end before they begin: they take nothing on in their last {} s", drain.as_secs()),
                drain_at.unwrap_or(path),
                "leaves no time to work",
            )
            .help("write a longer `time` or a shorter `drain`")
            .tell(problems);
    }
}

/// The stages that go to jobs of their own.
fn stages(
    context: &Context<'_>,
    raw: &RawSlurmStages,
    drain: Duration,
    problems: &mut Problems,
) -> Stages {
    let path = |key: &str| ["slurm".to_owned(), "stages".to_owned(), key.to_owned()];
    let mut named =
        |key: &str, written: &Option<String>| word(context, &path(key), written.as_ref(), problems);
    let (partition, memory) = (
        named("partition", &raw.partition),
        named("memory", &raw.memory),
    );
    let gpus = gpus(context, &path("gpus"), raw.gpus.as_ref(), problems);
    if let Some(time) = &raw.time {
        time_limit(context, time, &path("time"), (drain, None), problems);
    }
    let able: Vec<&str> = Kind::ALL
        .into_iter()
        .filter(|kind| kind.is_computed())
        .map(Kind::name)
        .collect();
    let written = raw.kinds.iter().flat_map(|kinds| kinds.iter());
    for kind in written.filter(|kind| !able.contains(&kind.as_str())) {
        context
            .problem(
                "spec::bad-slurm",
                format!("no job computes stages of kind `{kind}`"),
                &context.element(&path("kinds"), kind),
                "not a kind that is computed from other stages",
            )
            .help(near_or(kind, &able, || {
                format!("write some of {}", list_of(&able))
            }))
            .tell(problems);
    }
    let kinds = match &raw.kinds {
        Some(kinds) => kinds.iter().cloned().collect(),
        None => HEAVY.iter().map(|kind| kind.name().to_owned()).collect(),
    };
    Stages {
        kinds,
        rows: raw.rows.unwrap_or(ROWS),
        needs: Needs {
            partition,
            time: raw.time.clone(),
            gpus: Some(gpus.unwrap_or_else(|| "0".to_owned())),
            cpus: raw.cpus,
            memory,
        },
    }
}

/// Further arguments of `sbatch`.
fn options(context: &Context<'_>, raw: &RawSlurm, problems: &mut Problems) -> Vec<String> {
    let options: Vec<String> = raw
        .options
        .iter()
        .flat_map(|options| options.iter().cloned())
        .collect();
    for option in &options {
        let name = option.split('=').next().unwrap_or_default();
        if TAKEN.contains(&name) || !option.starts_with('-') {
            let place = context.element(&["slurm".to_owned(), "options".to_owned()], option);
            let (message, label) = if option.starts_with('-') {
                (
                    format!("`{name}` is set by tribunal"),
                    "would change how jobs are found again",
                )
            } else {
                (
                    format!("`{option}` is no option of `sbatch`"),
                    "begins with no `-`",
                )
            };
            context
                .problem("spec::bad-slurm", message, &place, label)
                .help("write options as `--name=value`, each a text of its own")
                .tell(problems);
        }
    }
    options
}
