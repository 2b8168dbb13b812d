//! `judge` stages: the model, the template against what it is given, metrics and scale.

use std::collections::BTreeSet;

use super::compare::{self, CONTENDER, OPPONENT};
use super::expecting;
use super::labels::RawLabels;
use super::raw::{RawJudge, RawScale};
use super::until;
use crate::base::wording::nearest;
use crate::models::dialect::Dialect;
use crate::models::local::{LocalProvider, Scores};
use crate::models::parse::{Finals, Parser};
use crate::models::provider::Feature;
use crate::models::score::{Label, Scale, ScaleError};
use crate::models::spec::ModelSpec;
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, asked, logprobs, prompt};
use crate::stage::{ITEM, Judge};
use crate::toml::Problems;

/// What a judge scores that chooses one of two texts, unless the spec says what.
const PREFERENCE: &str = "preference";

impl Written for Judge {
    type Raw = RawJudge;

    fn check(raw: &RawJudge, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let from = checking.from();
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let before = problems.errors();
        let of_schema = raw.schema.as_ref().map(|_| Parser::Json);
        let parse = raw.parse.or(of_schema).unwrap_or_default();
        let scale = scale(context, &path("scale"), raw.scale.as_ref(), problems);
        let pair = compare::check::pair(comparison(raw), parse, scale, checking, problems);
        let yes_or_no = || (parse == Parser::Choice && raw.scale.is_none()).then(Scale::yes_or_no);
        let (compared, scale) = (pair.compare, pair.scale.or_else(yes_or_no));
        chooses(context, &path("scale"), parse, scale.as_ref(), problems);
        let metrics = match (&raw.metrics, &compared) {
            (None, Some(compare)) if compare.chooses => vec![PREFERENCE.to_owned()],
            _ => metrics(context, &path("metrics"), raw, problems),
        };
        let written = prompt::Written {
            prompt: raw.prompt.as_ref(),
            variables: pair.variables.as_ref(),
            shows: raw.shows.as_ref(),
            prefill: raw.prefill.as_ref(),
            metrics: Some(&metrics),
            named: (metrics.len() != 1 || parse.names_metrics()) && raw.schema.is_none(),
            scale: scale.clone().unwrap_or(Scale::HALF_POINTS_1_TO_5),
        };
        let prompt = prompt::check(context, at, &written, problems);
        let repeats = asked::repeats(context, at, raw.repeats, problems);
        let max_unscored = asked::share(
            context,
            &path("max-unscored"),
            (raw.max_unscored, asked::UNSCORED),
            problems,
        );
        let model = asked::model(context, at, raw.model.as_ref(), problems)?;
        if model.provider.reads_prompts() && raw.prompt.is_none() {
            asked::no_prompt(context, at, &model, problems);
        }
        reads_finals(context, &path("finals"), raw, problems);
        let expected = expecting::check(context, at, raw, scale.as_ref(), &model, problems);
        let logprobs = match expected {
            // An expectation needs them as well, and its check reported what is wrong.
            Some(_) => raw.logprobs.unwrap_or(false),
            None => logprobs::kept(context, at, raw.logprobs, &model, problems),
        };
        let retry_cut = expecting::retry_cut(raw, &model);
        let items = super::items::check(raw, &model, checking, problems);
        let marks = parse == Parser::ErrorSpans;
        marks_errors(context, &path("judged"), raw, problems);
        let schema = super::schema::check(raw, &metrics, checking, problems);
        let structured = raw.structured.filter(|_| raw.schema.is_none());
        let held = |dialect: Dialect| dialect.takes(Feature::Schema);
        if structured.is_some() {
            has_schema(context, &path("structured"), parse, problems);
            asked::idle(context, at, &model, "structured", held, problems);
        }
        asked::begins(
            context,
            at,
            &model,
            prompt.as_ref(),
            structured
                .map(|_| "structured")
                .or(raw.schema.as_ref().map(|_| "schema")),
            problems,
        );
        let batch = asked::batch(context, at, &model, raw.batch, problems);
        let until = until::until(context, &path("until"), raw.until.as_ref(), batch, problems);
        let scores = model.provider.local().and_then(LocalProvider::scores);
        if let Some(scores) = scores {
            known_metrics(context, &path("metrics"), &metrics, scores, problems);
            own_scale(context, &path("scale"), scale.as_ref(), scores, problems);
        }
        if let Some(compare) = &compared {
            compare::check::model(&model, compare, checking, problems);
        }
        let asked = model.provider.reads_prompts();
        let server = model.provider.server().map(|server| server.dialect);
        if repeats > 1 && !asked {
            same_each_time(context, &path("repeats"), &model, problems);
        }
        (problems.errors() == before).then(|| Judge {
            from,
            // What a model does not look at is not part of its results' keys.
            prompt: prompt.filter(|_| asked),
            retry_cut: if asked { retry_cut } else { 0 },
            expected,
            logprobs,
            model,
            metrics,
            scale: scale.unwrap_or(Scale::HALF_POINTS_1_TO_5),
            parse,
            finals: raw.finals.filter(|finals| *finals != Finals::default()),
            judged: marks.then(|| raw.judged.clone().unwrap_or_else(|| "text".to_owned())),
            items,
            repeats,
            structured: structured.filter(|_| asked && server.is_none_or(held)),
            // A recorded reply is read as one that was asked for; only scores that a model computes stand nowhere.
            schema: schema.filter(|_| scores.is_none()),
            compare: compared,
            batch: batch && asked,
            until,
            max_unscored,
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        let mut shape = checking.by_metric("score");
        if self.compare.is_some() {
            shape
                .groups
                .extend([CONTENDER, OPPONENT].map(str::to_owned));
        }
        if self.items.is_some() {
            shape.groups.push(ITEM.to_owned());
        }
        shape
    }
}

/// What a judge's table says of comparisons.
fn comparison(raw: &RawJudge) -> compare::check::Written<'_> {
    compare::check::Written {
        compare: raw.compare.as_ref(),
        orders: raw.orders,
        ties: raw.ties,
        variables: raw.variables.as_ref(),
    }
}

/// Refuses to ask a model again that would say the same.
fn same_each_time(
    context: &Context<'_>,
    at: &[String],
    model: &ModelSpec,
    problems: &mut Problems,
) {
    context
        .problem(
            "spec::out-of-range",
            format!("model `{}` gives the same reply each time", model.name),
            at,
            "copies would count as data",
        )
        .help("ask it once, or take a model that replies anew each time")
        .tell(problems);
}

/// A choice is among labels.
fn chooses(
    context: &Context<'_>,
    at: &[String],
    parse: Parser,
    scale: Option<&Scale>,
    problems: &mut Problems,
) {
    if parse == Parser::Choice && scale.is_some_and(|scale| scale.labels.is_empty()) {
        context
            .problem(
                "spec::bad-scale",
                "`choice` reads labels, and this scale has none".to_owned(),
                at,
                "numbers alone",
            )
            .help("write `scale.labels = { A = 1, B = 0, tie = 0.5 }`, or leave `scale` out for yes and no")
            .tell(problems);
    }
}

/// Only one parser reads scores that are called final.
fn reads_finals(context: &Context<'_>, at: &[String], raw: &RawJudge, problems: &mut Problems) {
    let parse = raw.parse.unwrap_or_default();
    if raw.finals.is_some() && parse != Parser::EvaluationForm {
        context
            .problem(
                "spec::bad-setting",
                format!("`parse = \"{}\"` reads no `FINAL` scores", parse.name()),
                at,
                "says nothing here",
            )
            .help("leave `finals` out, or add `parse = \"evaluation-form\"`")
            .tell(problems);
    }
}

/// Only where replies mark errors are these looked for in a text.
fn marks_errors(context: &Context<'_>, at: &[String], raw: &RawJudge, problems: &mut Problems) {
    if raw.judged.is_some() && raw.parse != Some(Parser::ErrorSpans) {
        context
            .problem(
                "spec::no-effect",
                "only replies with marked errors are held against the judged text".to_owned(),
                at,
                "has no effect",
            )
            .help("add `parse = \"error-spans\"`, or leave `judged` out")
            .tell(problems);
    }
}

/// A server can hold replies to a form only where the parser has a schema.
fn has_schema(context: &Context<'_>, at: &[String], parse: Parser, problems: &mut Problems) {
    if parse.schema().is_some() {
        return;
    }
    let held = Parser::ALL
        .iter()
        .filter(|parser| parser.schema().is_some());
    let held: Vec<&str> = held.map(|parser| parser.name()).collect();
    let held = format!("`parse = \"{}\"`", held.join("\"` or `\""));
    context
        .problem(
            "spec::bad-structure",
            "a structured reply must be JSON".to_owned(),
            at,
            &format!("needs {held}"),
        )
        .help(format!("add {held}, or leave `structured` out"))
        .tell(problems);
}

/// The marks that a provider gives have to lie on the scale they are reported on.
fn own_scale(
    context: &Context<'_>,
    at: &[String],
    scale: Option<&Scale>,
    scores: &Scores,
    problems: &mut Problems,
) {
    let own = &scores.scale;
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

pub(in crate::stage) fn scale(
    context: &Context<'_>,
    at: &[String],
    raw: Option<&RawScale>,
    problems: &mut Problems,
) -> Option<Scale> {
    let raw = raw?;
    if let Some(RawLabels(labels)) = &raw.labels {
        return of_labels(context, at, raw, labels, problems);
    }
    let default = Scale::HALF_POINTS_1_TO_5;
    let (min, max, step) = (
        raw.min.unwrap_or(default.min),
        raw.max.unwrap_or(default.max),
        raw.step.unwrap_or(default.step),
    );
    let help = "write `{ min = 1, max = 5, step = 0.5 }`, with a whole number of steps between";
    made(context, at, Scale::new(min, max, step), help, problems)
}

/// A scale of words, whose numbers are those of the words.
fn of_labels(
    context: &Context<'_>,
    at: &[String],
    raw: &RawScale,
    labels: &[Label],
    problems: &mut Problems,
) -> Option<Scale> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    for (key, number) in [("min", raw.min), ("max", raw.max), ("step", raw.step)] {
        if number.is_some() {
            let message = format!("a scale of labels has no `{key}`");
            context
                .problem("spec::bad-scale", message, &path(key), "beside `labels`")
                .help("the numbers of a scale of labels are those of its labels: `labels = { Poor = 1, Good = 2 }`")
                .tell(problems);
        }
    }
    let help = "write `labels = [\"Poor\", \"Good\"]` or `labels = { No = 0, Yes = 1 }`";
    let scale = Scale::of_labels(labels.to_vec());
    made(context, &path("labels"), scale, help, problems)
}

fn made(
    context: &Context<'_>,
    at: &[String],
    scale: Result<Scale, ScaleError>,
    help: &str,
    problems: &mut Problems,
) -> Option<Scale> {
    scale
        .map_err(|why| {
            let message = "this is not a scale".to_owned();
            context
                .problem("spec::bad-scale", message, at, &why.to_string())
                .help(help)
                .tell(problems);
        })
        .ok()
}

/// Refuses metrics that a model which computes its scores does not know.
fn known_metrics(
    context: &Context<'_>,
    at: &[String],
    metrics: &[String],
    scores: &Scores,
    problems: &mut Problems,
) {
    for metric in metrics.iter().filter(|metric| !metric.trim().is_empty()) {
        if let Some(why) = (scores.refuses)(metric) {
            let place = context.element(at, metric);
            context
                .problem("spec::unknown-metric", why, &place, "unknown to it")
                .help(match nearest(metric, scores.metrics) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => {
                        "take another model for this metric, or leave the metric out".to_owned()
                    }
                })
                .tell(problems);
        }
    }
}
