//! The cluster under Slurm: what jobs are like, each value within what `sbatch` takes.

use std::time::Duration;

use crate::cluster::profile::{Profile, seconds};
use crate::spec::raw::{RawSlurm, RawSpec};
use crate::stage::check::Context;
use crate::stage::check::serve::{gpus, out_of_range, positive, word};
use crate::toml::Problems;

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
    let time = raw.time.clone().unwrap_or_else(|| usual.time.clone());
    let limit = seconds(&time);
    if limit.is_none() {
        context
            .problem("spec::bad-slurm", format!("`{time}` is no time limit"), &path("time"), "cannot be read as a time")
            .help("write it as `sbatch` takes it: `\"90\"` (minutes), `\"2:00:00\"`, `\"1-12\"` (days and hours)")
            .tell(problems);
    }
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
    if limit.is_some_and(|limit| drain.as_secs() >= limit) {
        let key = if raw.drain.is_some() { "drain" } else { "time" };
        context
            .problem(
                "spec::bad-slurm",
                format!("jobs of `{time}` would end before they begin: they take no calls in their last {} s", drain.as_secs()),
                &path(key),
                "leaves no time for calls",
            )
            .help("write a longer `time` or a shorter `drain`")
            .tell(problems);
    }
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
