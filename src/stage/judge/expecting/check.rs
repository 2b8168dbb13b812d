//! `score = "expected"` as it is written: a scale with marks, and a model whose replies come with log-probabilities.

use super::Expecting;
use crate::models::logprobs::{Marks, Unfit};
use crate::models::score::Scale;
use crate::models::spec::ModelSpec;
use crate::stage::check::{Context, logprobs};
use crate::stage::judge::raw::RawJudge;
use crate::stage::judge::score::RawScore;
use crate::toml::{Problem, Problems};

/// The least mass by default: most of what the model may say there is a mark.
const MIN_MASS: f64 = 0.5;

/// How many alternatives servers list at most.
const MOST: u32 = 20;

/// How expectations are taken, if they are.
pub(in crate::stage::judge) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawJudge,
    scale: Option<&Scale>,
    model: &ModelSpec,
    problems: &mut Problems,
) -> Option<Expecting> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let Some(RawScore::Expected) = raw.score else {
        let unread = raw.score.is_none() && context.is_written(at, "score");
        if raw.min_mass.is_some() && !unread {
            let message = "`min-mass` is of scores that are expectations";
            Problem::warning("lint::idle-parameter", message.to_owned())
                .label_at(context.place(&path("min-mass")), "has no effect")
                .help("add `score = \"expected\"`, or remove it")
                .tell(problems);
        }
        return None;
    };
    let min_mass = raw.min_mass.unwrap_or(MIN_MASS);
    if !(0.0..=1.0).contains(&min_mass) {
        context
            .problem(
                "spec::out-of-range",
                format!("`{min_mass}` is no probability"),
                &path("min-mass"),
                "from 0 to 1",
            )
            .help("write 0.5 if half of the probability has to lie on the scale, 0 if any will do")
            .tell(problems);
    }
    // What is no scale was reported.
    let marks = match scale {
        Some(scale) => Some(Marks::of(scale)),
        None if context.is_written(at, "scale") => None,
        None => Some(Marks::of(&Scale::HALF_POINTS_1_TO_5)),
    };
    if let Some(Err(why)) = &marks {
        unfit(context, at, why, problems);
    }
    let marks = marks.and_then(Result::ok).map_or(0, |marks| marks.len());
    lists_marks(context, &path("score"), model, marks, problems);
    Some(Expecting { min_mass })
}

/// Reports a scale over which there is no expectation.
fn unfit(context: &Context<'_>, at: &[String], why: &Unfit, problems: &mut Problems) {
    let scale = [at, &["scale".to_owned()]].concat();
    let written = context.is_written(at, "scale");
    let place = if written {
        scale
    } else {
        [at, &["score".to_owned()]].concat()
    };
    let label = if written {
        "not a scale of marks"
    } else {
        "the default scale goes in half points"
    };
    let help =
        "write `scale = { min = 1, max = 5, step = 1 }`, or labels that begin with different words";
    context
        .problem(
            "spec::bad-scale",
            format!("there is no expectation over this scale: {why}"),
            &place,
            label,
        )
        .help(help)
        .tell(problems);
}

/// Reports a model that does not list alternatives enough for the marks of a scale.
fn lists_marks(
    context: &Context<'_>,
    score: &[String],
    model: &ModelSpec,
    marks: usize,
    problems: &mut Problems,
) {
    if !logprobs::come(context, score, model, MOST, problems) || model.provider.server().is_none() {
        return;
    }
    let (name, count) = (&model.name, model.sampling.logprobs.unwrap_or_default());
    let set = format!("set `logprobs = {MOST}` in `[models.{name}]`");
    if count < 2 {
        let message = format!("model `{name}` is asked for no alternatives to a token");
        context
            .problem(
                "spec::no-logprobs",
                message,
                score,
                "needs log-probabilities",
            )
            .help(set)
            .tell(problems);
    } else if (count as usize) < marks && count < MOST {
        let message = format!(
            "model `{name}` lists {count} alternatives to a token, and the scale has {marks} marks"
        );
        Problem::warning("lint::few-logprobs", message)
            .label_at(context.place(score), "leaves marks out")
            .help(set)
            .tell(problems);
    }
}

/// How many more times a reply is asked for that the length limit cut off. A verdict of one token is cut behind it, as it
/// should be.
pub(in crate::stage::judge) fn retry_cut(raw: &RawJudge, model: &ModelSpec) -> u32 {
    let of_one = raw.score == Some(RawScore::Expected) && model.sampling.max_tokens == Some(1);
    raw.retry_cut.unwrap_or(if of_one { 0 } else { 3 })
}
