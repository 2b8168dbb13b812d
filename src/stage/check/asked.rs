//! What all stages that ask models have in common: the model, the template, how often.

use super::Context;
use crate::base::wording::{nearest, there_are, thousands};
use crate::models::dialect::Dialect;
use crate::models::local::LocalKind;
use crate::models::spec::ModelSpec;
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

/// The share of answers that may be missing.
pub(crate) fn share(
    context: &Context<'_>,
    at: &[String],
    written: Option<f64>,
    problems: &mut Problems,
) -> f64 {
    let share = written.unwrap_or(0.5);
    if !(0.0..=1.0).contains(&share) {
        context
            .problem(
                "spec::out-of-range",
                format!("`{share}` is not a share"),
                at,
                "from 0 to 1",
            )
            .help("write 0.5 for half of the replies, 1 to allow all, 0 to allow none")
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
