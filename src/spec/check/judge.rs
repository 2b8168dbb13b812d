//! `judge` stages: the model, the template against what it is given, metrics and scale.

use std::collections::BTreeSet;

use super::{Context, model};
use crate::model::heuristic;
use crate::score::Scale;
use crate::spec::raw::{RawJudge, RawScale};
use crate::spec::{Place, Problem, Problems, Provider};
use crate::stage::{Judge, Prompt, StageName};
use crate::template::FREE;
use crate::wording::{list_of, nearest};

pub(super) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawJudge,
    from: StageName,
    problems: &mut Problems,
) -> Option<Judge> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let before = problems.errors();
    let metrics = metrics(context, &path("metrics"), raw, problems);
    let scale = scale(context, &path("scale"), raw.scale.as_ref(), problems);
    let prompt = prompt(context, at, raw, &metrics, problems);
    let model = find_model(context, at, raw, problems)?;
    if model.provider.reads_prompts() && raw.prompt.is_none() {
        problems.push(
            context
                .problem(
                    "spec::missing-key",
                    format!("`{}` has no `prompt`", at.join(".")),
                    at,
                    "`prompt` is missing here",
                )
                .help(format!(
                    "model `{}` is asked with a template: `prompt = \"...\"`; there are {}",
                    model.name,
                    list_of(&context.templates.templates.names())
                )),
        );
    }
    if matches!(model.provider, Provider::Heuristic(_)) {
        for (index, metric) in metrics.iter().enumerate() {
            // An empty text costs nothing to judge, and the judge itself knows best what it knows.
            if let Err(unknown) = heuristic::judge("", std::slice::from_ref(metric)) {
                let mut place = path("metrics");
                place.push(index.to_string());
                problems.push(
                    context
                        .problem(
                            "spec::unknown-metric",
                            unknown.to_string(),
                            &place,
                            "unknown to it",
                        )
                        .help("take another model for this metric, or leave the metric out"),
                );
            }
        }
    }
    let repeats = raw.repeats.unwrap_or(1);
    if repeats == 0 {
        problems.push(
            context
                .problem(
                    "spec::out-of-range",
                    "`repeats` cannot be 0".to_owned(),
                    &path("repeats"),
                    "asks nothing",
                )
                .help("ask each row at least once"),
        );
    }
    let asked = model.provider.reads_prompts();
    (problems.errors() == before).then(|| Judge {
        from,
        // What a model does not look at is not part of its results' keys.
        prompt: prompt.filter(|_| asked),
        retry_cut: if asked { raw.retry_cut.unwrap_or(3) } else { 0 },
        model,
        metrics,
        scale: scale.unwrap_or(Scale::HALF_POINTS_1_TO_5),
        parse: raw.parse.unwrap_or_default(),
        repeats,
    })
}

fn find_model(
    context: &Context<'_>,
    at: &[String],
    raw: &RawJudge,
    problems: &mut Problems,
) -> Option<crate::spec::ModelSpec> {
    let path = [at, &["model".to_owned()]].concat();
    let mut known: Vec<String> = context
        .layers
        .tree()
        .entries(&["models"])
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    if !known.iter().any(|name| name == "heuristic") {
        known.push("heuristic".to_owned());
    }
    let Some(name) = &raw.model else {
        problems.push(
            context
                .problem(
                    "spec::missing-key",
                    format!("`{}` has no `model`", at.join(".")),
                    at,
                    "`model` is missing here",
                )
                .help(format!(
                    "name who judges: `model = \"...\"`; the models are {}",
                    list_of(&known)
                )),
        );
        return None;
    };
    if known.contains(name) {
        return model::model(context, name, problems);
    }
    problems.push(
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
                    "the models are {}; add a table `[models.{name}]`",
                    list_of(&known)
                ),
            }),
    );
    None
}

fn metrics(
    context: &Context<'_>,
    at: &[String],
    raw: &RawJudge,
    problems: &mut Problems,
) -> Vec<String> {
    let metrics = match &raw.metrics {
        None => return vec!["fluency".to_owned(), "coherence".to_owned()],
        Some(metrics) => metrics.0.clone(),
    };
    let mut seen = BTreeSet::new();
    let twice = metrics
        .iter()
        .find(|metric| !seen.insert(metric.to_lowercase()));
    let wrong = match (
        twice,
        metrics.iter().find(|metric| metric.trim().is_empty()),
    ) {
        (Some(metric), _) => Some(format!("the metric `{metric}` is named twice")),
        (_, Some(_)) => Some("a metric needs a name".to_owned()),
        _ if metrics.is_empty() => Some("a judge scores at least one metric".to_owned()),
        _ => None,
    };
    if let Some(message) = wrong {
        problems.push(
            context
                .problem("spec::bad-metrics", message, at, "these metrics")
                .help("write each metric once, such as `[\"fluency\", \"coherence\"]`"),
        );
    }
    metrics
}

fn scale(
    context: &Context<'_>,
    at: &[String],
    raw: Option<&RawScale>,
    problems: &mut Problems,
) -> Option<Scale> {
    let raw = raw?;
    let (min, max, step) = (
        raw.min.unwrap_or(1.0),
        raw.max.unwrap_or(5.0),
        raw.step.unwrap_or(1.0),
    );
    match Scale::new(min, max, step) {
        Ok(scale) => Some(scale),
        Err(why) => {
            problems.push(
                context
                    .problem("spec::bad-scale", "this is not a scale".to_owned(), at, &why.to_string())
                    .help("write `{ min = 1, max = 5, step = 0.5 }`, with a whole number of steps between"),
            );
            None
        }
    }
}

/// The template, if it exists and fits what it is given in both directions.
fn prompt(
    context: &Context<'_>,
    at: &[String],
    raw: &RawJudge,
    metrics: &[String],
    problems: &mut Problems,
) -> Option<Prompt> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let name = raw.prompt.as_ref()?;
    let templates = &context.templates.templates;
    if templates.text(name).is_none() {
        let known = templates.names();
        if let Some(why) = context.templates.unreadable.get(name) {
            problems.push(
                context
                    .problem(
                        "template::unreadable",
                        why.clone(),
                        &path("prompt"),
                        "used here",
                    )
                    .help("save the template as UTF-8 text"),
            );
            return None;
        }
        problems.push(
            context
                .problem(
                    "spec::unknown-template",
                    format!("there is no template `{name}`"),
                    &path("prompt"),
                    &format!("`templates/{name}.j2` is not there"),
                )
                .help(match nearest(name, &known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the templates are {}", list_of(&known)),
                }),
        );
        return None;
    }
    let broken: Vec<_> = templates
        .with_includes(name)
        .into_iter()
        .filter_map(|part| context.templates.errors.get(&part))
        .collect();
    for error in &broken {
        let place = context
            .templates
            .sources
            .get(&error.name)
            .zip(error.range.clone());
        problems.push(
            Problem::error(
                "template::syntax",
                format!(
                    "template `{}` cannot be read: {}",
                    error.name, error.message
                ),
            )
            .label_at(
                place.map(|(source, range)| Place::new(*source, range)),
                "here",
            )
            .help("templates are written in the language of Jinja"),
        );
    }
    for include in templates.missing_includes(name) {
        let known = templates.names();
        problems.push(
            Problem::error(
                "spec::unknown-template",
                format!("template `{name}` includes `{include}.j2`, which is not there"),
            )
            .label_at(in_template(context, name, &include), "not a template")
            .label_at(context.place(&path("prompt")), "used here")
            .help(match nearest(&include, &known) {
                Some(near) => format!("did you mean `{near}.j2`?"),
                None => format!("the templates are {}", list_of(&known)),
            }),
        );
    }
    if !broken.is_empty() {
        return None;
    }
    let given = raw
        .variables
        .clone()
        .map_or_else(|| vec!["text".to_owned()], |given| given.0);
    let used = templates.uses(name);
    for variable in &given {
        if !used.contains(variable) {
            let place = context
                .place(&path("variables"))
                .or_else(|| context.place(&path("prompt")));
            problems.push(
                Problem::error("lint::unused-variable", format!("template `{name}` never uses `{variable}`, which it is given"))
                    .label_at(place, format!("the model would never see `{variable}`"))
                    .help(format!("put `{{{{ {variable} }}}}` where it belongs in `templates/{name}.j2`, or leave it out of `variables`")),
            );
        }
    }
    for variable in &used {
        if !given.contains(variable) && !FREE.contains(&variable.as_str()) {
            let candidates: Vec<&str> = given.iter().map(String::as_str).chain(FREE).collect();
            let help = match nearest(variable, &candidates) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "give it a column of this name: `variables = [{}]`",
                    listed(&given, variable)
                ),
            };
            problems.push(
                Problem::error(
                    "lint::unknown-variable",
                    format!("template `{name}` uses `{variable}`, which it is not given"),
                )
                .label_at(in_template(context, name, variable), "not given")
                .label_at(context.place(&path("prompt")), "used here")
                .help(help),
            );
        }
    }
    let text = templates.text(name).unwrap_or_default().to_lowercase();
    for metric in metrics {
        if !used.contains("metrics") && !text.contains(&metric.to_lowercase()) {
            problems.push(
                Problem::error(
                    "lint::metric-not-asked",
                    format!("template `{name}` never asks for `{metric}`"),
                )
                .label_at(
                    context.place(&path("prompt")),
                    format!("no reply would score `{metric}`"),
                )
                .help(format!(
                    "name `{metric}` in `templates/{name}.j2`, or leave it out of `metrics`"
                )),
            );
        }
    }
    Some(Prompt {
        name: name.clone(),
        digest: templates.digest(name),
        variables: given,
    })
}

fn listed(given: &[String], more: &str) -> String {
    let names: Vec<String> = given
        .iter()
        .map(String::as_str)
        .chain([more])
        .map(|name| format!("\"{name}\""))
        .collect();
    names.join(", ")
}

/// Where a template first uses a variable: the first such word inside a tag.
fn in_template(context: &Context<'_>, name: &str, variable: &str) -> Option<Place> {
    let text = context.templates.templates.text(name)?;
    let source = *context.templates.sources.get(name)?;
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let found = text.match_indices(variable).find(|(at, _)| {
        let tag = text[..*at]
            .rfind('{')
            .is_some_and(|open| !text[open..*at].contains('}'));
        let alone = !text[..*at].ends_with(word) && !text[at + variable.len()..].starts_with(word);
        tag && alone
    });
    found.map(|(at, _)| Place::new(source, at..at + variable.len()))
}
