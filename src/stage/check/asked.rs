//! What all stages that ask models have in common: the model, the template, how often.

use super::Context;
use crate::base::wording::{nearest, there_are, thousands};
use crate::models::dialect::Dialect;
use crate::models::local::LocalKind;
use crate::models::spec::ModelSpec;
use crate::stage::Prompt;
use crate::toml::{Problem, Problems};

/// The model that a stage names.
pub(crate) fn model(
    context: &Context<'_>,
    at: &[String],
    written: Option<&String>,
    problems: &mut Problems,
) -> Option<ModelSpec> {
    let path = [at, &["model".to_owned()]].concat();
    let mut known: Vec<String> = context
        .layers
        .tree()
        .entries(&["models"])
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    for (name, _) in LocalKind::ready_made() {
        if !known.iter().any(|known| known == name) {
            known.push(name.to_owned());
        }
    }
    let Some(name) = written else {
        if context.is_written(at, "model") {
            return None;
        }
        context
            .missing(at, "model")
            .help(format!(
                "name the model: `model = \"...\"`; {}",
                there_are("model", "models", &known)
            ))
            .tell(problems);
        return None;
    };
    if known.contains(name) {
        return super::model::model(context, name, problems);
    }
    context
        .problem(
            "spec::unknown-model",
            format!("there is no model `{name}`"),
            &path,
            "not a model",
        )
        .help(match nearest(name, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "{}; add a table `[models.{name}]`",
                there_are("model", "models", &known)
            ),
        })
        .tell(problems);
    None
}

/// How often a row can be asked.
const REPEATS: u32 = 10_000;

/// How often each row is asked.
pub(crate) fn repeats(
    context: &Context<'_>,
    at: &[String],
    written: Option<u32>,
    problems: &mut Problems,
) -> u32 {
    let repeats = written.unwrap_or(1);
    if repeats == 0 {
        let path = [at, &["repeats".to_owned()]].concat();
        context
            .problem(
                "spec::out-of-range",
                "`repeats` cannot be 0".to_owned(),
                &path,
                "asks nothing",
            )
            .help("ask each row at least once")
            .tell(problems);
    } else if repeats > REPEATS {
        let path = [at, &["repeats".to_owned()]].concat();
        let most = thousands(REPEATS.into());
        context
            .problem(
                "spec::out-of-range",
                format!("`repeats` can be {most} at most"),
                &path,
                "a row for each, of every document",
            )
            .help("ask less often, or divide the experiment into several specs")
            .tell(problems);
    }
    repeats
}

/// The share of replies that may be without a score where nothing is said: a judge that fails more often fails for a
/// reason that has to be known.
pub(crate) const UNSCORED: f64 = 0.05;
/// The share of texts that may be unwritten where nothing is said.
pub(crate) const UNWRITTEN: f64 = 0.5;

/// The share of answers that may be missing: the one that is written, or the usual one.
pub(crate) fn share(
    context: &Context<'_>,
    at: &[String],
    (written, usual): (Option<f64>, f64),
    problems: &mut Problems,
) -> f64 {
    let share = written.unwrap_or(usual);
    if !(0.0..=1.0).contains(&share) {
        context
            .problem(
                "spec::out-of-range",
                format!("`{share}` is not a share"),
                at,
                "from 0 to 1",
            )
            .help("write 0.05 for one reply in twenty, 1 to allow all, 0 to allow none")
            .tell(problems);
    }
    share
}

/// Says that a model which reads prompts is given none.
pub(crate) fn no_prompt(
    context: &Context<'_>,
    at: &[String],
    model: &ModelSpec,
    problems: &mut Problems,
) {
    if context.is_written(at, "prompt") {
        return;
    }
    context
        .missing(at, "prompt")
        .help(format!(
            "model `{}` needs a template: `prompt = \"...\"`; {}",
            model.name,
            there_are(
                "template",
                "templates",
                &context.templates.templates.names()
            )
        ))
        .tell(problems);
}

/// Refuses to tell a model how its replies begin, where it cannot go on from that. `held` is the key by which the server
/// holds replies to a schema, if one does.
pub(crate) fn begins(
    context: &Context<'_>,
    at: &[String],
    model: &ModelSpec,
    prompt: Option<&Prompt>,
    held: Option<&str>,
    problems: &mut Problems,
) {
    let Some(prompt) = prompt.filter(|prompt| prompt.begins) else {
        return;
    };
    let server = model.provider.server();
    let unable = server.and_then(|server| (server.dialect.contract().begins_itself)(model));
    let why = match (unable, held) {
        (Some(why), _) => why.to_owned(),
        (None, Some(key)) => format!("`{key}` holds what the server adds to it to the whole form"),
        (None, None) => return,
    };
    let key = match prompt.prefill {
        Some(_) => "prefill",
        None => "prompt",
    };
    let path = [at, &[key.to_owned()]].concat();
    context
        .problem(
            "spec::bad-prefill",
            format!(
                "model `{}` cannot go on from how the reply begins: {why}",
                model.name
            ),
            &path,
            "says how it begins",
        )
        .help(match (key, held) {
            (_, Some(held)) if unable.is_none() => {
                format!("leave out one of the two; `{held}` gives the form by itself")
            }
            ("prefill", _) => "leave it out, or take another model".to_owned(),
            _ => "end the template with a turn of `user`, or take another model".to_owned(),
        })
        .tell(problems);
}

/// Warns of a parameter that only some model servers look at.
pub(crate) fn idle(
    context: &Context<'_>,
    at: &[String],
    model: &ModelSpec,
    key: &str,
    takes: fn(Dialect) -> bool,
    problems: &mut Problems,
) {
    let name = &model.name;
    let (message, help) = match model.provider.server() {
        None => (
            format!("model `{name}` is not on a server and ignores `{key}`"),
            "remove it, or take a model on a server",
        ),
        Some(server) if takes(server.dialect) => return,
        Some(_) => (
            format!("the server of model `{name}` does not support `{key}`"),
            "remove it, or take a model on another server",
        ),
    };
    let path = [at, &[key.to_owned()]].concat();
    Problem::warning("lint::idle-parameter", message)
        .label_at(context.place(&path), "has no effect")
        .help(help)
        .tell(problems);
}

/// Whether calls are handed in as a batch.
pub(crate) fn batch(
    context: &Context<'_>,
    at: &[String],
    model: &ModelSpec,
    written: Option<bool>,
    problems: &mut Problems,
) -> bool {
    let takes = |dialect: Dialect| dialect.contract().batches.is_some();
    if written == Some(true) {
        idle(context, at, model, "batch", takes, problems);
    }
    let server = model.provider.server();
    written == Some(true) && server.is_none_or(|server| takes(server.dialect))
}
