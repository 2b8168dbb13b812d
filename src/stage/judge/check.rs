//! `judge` stages: the model, the template against what it is given, metrics and scale.

use std::collections::BTreeSet;

use super::raw::{RawJudge, RawScale};
use crate::base::wording::nearest;
use crate::models::dialect::Dialect;
use crate::models::local::{LocalProvider, Scores};
use crate::models::parse::Parser;
use crate::models::provider::Feature;
use crate::models::score::Scale;
use crate::stage::Judge;
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, asked, prompt};
use crate::toml::Problems;

impl Written for Judge {
    type Raw = RawJudge;

    fn check(raw: &RawJudge, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let from = checking.from();
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let before = problems.errors();
        let metrics = metrics(context, &path("metrics"), raw, problems);
        let scale = scale(context, &path("scale"), raw.scale.as_ref(), problems);
        let written = prompt::Written {
            prompt: raw.prompt.as_ref(),
            variables: raw.variables.as_ref(),
            shows: raw.shows.as_ref(),
            metrics: Some(&metrics),
            scale: scale.unwrap_or(Scale::HALF_POINTS_1_TO_5),
        };
        let prompt = prompt::check(context, at, &written, problems);
        let repeats = asked::repeats(context, at, raw.repeats, problems);
        let max_unscored = asked::share(context, &path("max-unscored"), raw.max_unscored, problems);
        let model = asked::model(context, at, raw.model.as_ref(), problems)?;
        if model.provider.reads_prompts() && raw.prompt.is_none() {
            asked::no_prompt(context, at, &model, problems);
        }
        let parse = raw.parse.unwrap_or_default();
        let structured = raw.structured;
        if structured.is_some() && parse.schema().is_none() {
            let held = Parser::ALL
                .iter()
                .filter(|parser| parser.schema().is_some());
            let held: Vec<&str> = held.map(|parser| parser.name()).collect();
            let held = format!("`parse = \"{}\"`", held.join("\"` or `\""));
            context
                .problem(
                    "spec::bad-structure",
                    "a structured reply must be JSON".to_owned(),
                    &path("structured"),
                    &format!("needs {held}"),
                )
                .help(format!("add {held}, or leave `structured` out"))
                .tell(problems);
        }
        let held = |dialect: Dialect| dialect.takes(Feature::Schema);
        if structured.is_some() {
            asked::idle(context, at, &model, "structured", held, problems);
        }
        let batch = asked::batch(context, at, &model, raw.batch, problems);
        if let Some(scores) = model.provider.local().and_then(LocalProvider::scores) {
            for metric in metrics.iter().filter(|metric| !metric.trim().is_empty()) {
                if let Some(why) = (scores.refuses)(metric) {
                    let place = context.element(&path("metrics"), metric);
                    context
                        .problem("spec::unknown-metric", why, &place, "unknown to it")
                        .help(match nearest(metric, scores.metrics) {
                            Some(near) => format!("did you mean `{near}`?"),
                            None => "take another model for this metric, or leave the metric out"
                                .to_owned(),
                        })
                        .tell(problems);
                }
            }
            own_scale(context, &path("scale"), scale.as_ref(), scores, problems);
        }
        let asked = model.provider.reads_prompts();
        let server = model.provider.server().map(|server| server.dialect);
        if repeats > 1 && !asked {
            context
                .problem(
                    "spec::out-of-range",
                    format!("model `{}` gives the same reply each time", model.name),
                    &path("repeats"),
                    "copies would count as data",
                )
                .help("ask it once, or take a model that replies anew each time")
                .tell(problems);
        }
        (problems.errors() == before).then(|| Judge {
            from,
            // What a model does not look at is not part of its results' keys.
            prompt: prompt.filter(|_| asked),
            retry_cut: if asked { raw.retry_cut.unwrap_or(3) } else { 0 },
            model,
            metrics,
            scale: scale.unwrap_or(Scale::HALF_POINTS_1_TO_5),
            parse,
            repeats,
            structured: structured.filter(|_| asked && server.is_none_or(held)),
            batch: batch && asked,
            max_unscored,
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.by_metric("score")
    }
}

/// The marks that a provider gives have to lie on the scale they are reported on.
fn own_scale(
    context: &Context<'_>,
    at: &[String],
    scale: Option<&Scale>,
    scores: &Scores,
    problems: &mut Problems,
) {
    let own = scores.scale;
    let fits = scale.is_none_or(|scale| {
        let mut marks = std::iter::successors(Some(own.min), |mark| Some(mark + own.step))
            .take_while(|mark| *mark <= own.max);
        marks.all(|mark| scale.contains(mark)) && scale.min >= own.min && scale.max <= own.max
    });
    if !fits {
        context
            .problem(
                "spec::bad-scale",
                scores.says.to_owned(),
                at,
                "not the scale it uses",
            )
            .help("leave `scale` out, or take another model")
            .tell(problems);
    }
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
    // Elements of the wrong type were reported, and left out.
    if metrics.is_empty() && written_metrics(context, at) > 0 {
        return metrics;
    }
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
        context
            .problem("spec::bad-metrics", message, at, "these metrics")
            .help("write each metric once, such as `[\"fluency\", \"coherence\"]`")
            .tell(problems);
    }
    metrics
}

fn written_metrics(context: &Context<'_>, at: &[String]) -> usize {
    let tree = context.layers.tree().get(at);
    tree.map_or(0, |tree| tree.elements().map_or(1, <[_]>::len))
}

fn scale(
    context: &Context<'_>,
    at: &[String],
    raw: Option<&RawScale>,
    problems: &mut Problems,
) -> Option<Scale> {
    let raw = raw?;
    let default = Scale::HALF_POINTS_1_TO_5;
    let (min, max, step) = (
        raw.min.unwrap_or(default.min),
        raw.max.unwrap_or(default.max),
        raw.step.unwrap_or(default.step),
    );
    match Scale::new(min, max, step) {
        Ok(scale) => Some(scale),
        Err(why) => {
            context
                    .problem("spec::bad-scale", "this is not a scale".to_owned(), at, &why.to_string())
                    .help("write `{ min = 1, max = 5, step = 0.5 }`, with a whole number of steps between")
            .tell(problems);
            None
        }
    }
}
