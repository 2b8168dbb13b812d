//! How a model is served beside the jobs of a cluster: what is needed for it, and what fits.

use std::time::Duration;

use super::Context;
use super::raw::RawServe;
use crate::cluster::profile::{Needs, READY_WITHIN, Serve};
use crate::frame::Scalar;
use crate::toml::{Plain, Problem, Problems};

/// How the model at `at` is served, if it says so.
pub(super) fn of_model(
    context: &Context<'_>,
    at: &[String],
    raw: Option<&RawServe>,
    problems: &mut Problems,
) -> Option<Serve> {
    let raw = raw?;
    let at = [at, &["serve".to_owned()]].concat();
    let path = |key: &str| [&at[..], &[key.to_owned()]].concat();
    let before = problems.errors();
    let command = raw.command.as_deref().unwrap_or_default().trim();
    if command.is_empty() {
        Problem::error("spec::missing-key", "`serve` has no `command`")
            .label_at(context.place(&at), "`command` is missing here")
            .help("add `command = \"vllm serve org/model --port {port}\"`, as it would be started on a node")
            .tell(problems);
    } else if !command.contains("{port}")
        && !command.contains("$PORT")
        && !command.contains("${PORT}")
    {
        let message = "the server would not know at which port to listen".to_owned();
        context
            .problem("spec::bad-serve", message, &path("command"), "names no port")
            .help("write `{port}` where the command takes it, as in `--port {port}`: each job has one of its own")
            .tell(problems);
    }
    let health = raw.health.as_deref().unwrap_or("/health");
    if !health.starts_with('/') || health.contains(char::is_whitespace) {
        let message = format!("`{health}` is not a path on the server");
        context
            .problem(
                "spec::bad-serve",
                message,
                &path("health"),
                "begins with no `/`",
            )
            .help("write a path such as `/health` or `/v1/models`")
            .tell(problems);
    }
    let ready_within = raw.ready_within.map_or(Some(READY_WITHIN), positive);
    if ready_within.is_none() {
        out_of_range(
            context,
            &path("ready-within"),
            raw.ready_within.unwrap_or(0.0),
            "above 0",
            problems,
        );
    }
    let gpus = gpus(context, &path("gpus"), raw.gpus.as_ref(), problems);
    let memory = word(context, &path("memory"), raw.memory.as_ref(), problems);
    (problems.errors() == before).then(|| Serve {
        command: command.to_owned(),
        health: health.to_owned(),
        needs: Needs {
            gpus,
            cpus: raw.cpus,
            memory,
            ..Needs::default()
        },
        ready_within: ready_within.unwrap_or(READY_WITHIN),
    })
}

/// A time in seconds, if it is one.
pub(crate) fn positive(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| !time.is_zero())
}

/// Says that a number does not fit.
pub(crate) fn out_of_range(
    context: &Context<'_>,
    path: &[String],
    value: f64,
    range: &str,
    problems: &mut Problems,
) {
    let key = path.last().map_or("", String::as_str);
    context
        .problem(
            "spec::out-of-range",
            format!("`{key}` cannot be {value}"),
            path,
            "out of range",
        )
        .help(format!("it must be {range}"))
        .tell(problems);
}

/// GPUs as `--gres=gpu:` takes them: a number, or a type and a number.
pub(crate) fn gpus(
    context: &Context<'_>,
    path: &[String],
    written: Option<&Plain>,
    problems: &mut Problems,
) -> Option<String> {
    let written = written?;
    let text = written.to_string();
    let (sort, number) = match text.split_once(':') {
        Some((sort, number)) => (sort, number),
        None => ("gpu", text.as_str()),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let fits = !sort.is_empty() && sort.chars().all(plain) && number.parse::<u32>().is_ok();
    if !fits || matches!(written.0, Scalar::Bool(_) | Scalar::Float(_)) {
        let message = format!("`{text}` is no number of GPUs");
        context
            .problem(
                "spec::bad-slurm",
                message,
                path,
                "neither a number nor a type and a number",
            )
            .help("write a number such as `2`, or with the type `\"a100:2\"`")
            .tell(problems);
        return None;
    }
    Some(text)
}

/// A word of a command line, which ends at no blank and begins no other option.
pub(crate) fn word(
    context: &Context<'_>,
    path: &[String],
    written: Option<&String>,
    problems: &mut Problems,
) -> Option<String> {
    let written = written?;
    if written.is_empty() || written.contains(|c: char| c.is_whitespace() || c.is_control()) {
        let key = path.last().map_or("", String::as_str);
        let message = format!("`{key}` is no single word");
        context
            .problem("spec::bad-slurm", message, path, "is empty or has blanks")
            .help("write it as `sbatch` takes it")
            .tell(problems);
        return None;
    }
    Some(written.clone())
}
