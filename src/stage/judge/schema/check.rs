//! `schema`, and the paths of what is read, as they are written.

use super::OwnSchema;
use crate::base::wording::nearest;
use crate::models::parse::Parser;
use crate::stage::check::{Checking, paths};
use crate::stage::judge::raw::RawJudge;
use crate::stage::judge::score::{EXPECTED, RawScore};
use crate::toml::Problems;

/// A judge's own schema, if it has one.
pub(in crate::stage::judge) fn check(
    raw: &RawJudge,
    metrics: &[String],
    checking: &Checking<'_>,
    problems: &mut Problems,
) -> Option<OwnSchema> {
    let Checking { context, at, .. } = *checking;
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let mut wrong = |place: &[String], message: String, label: &str, help: String| {
        context
            .problem("spec::bad-structure", message, place, label)
            .help(help)
            .tell(problems);
    };
    let Some(file) = &raw.schema else {
        let help = |written: &str| {
            match nearest(written, &[EXPECTED]) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "add `schema = \"file.json\"`, or write `score = \"expected\"` for the mean over the scale".to_owned(),
        }
        };
        match &raw.score {
            Some(RawScore::At(written)) => wrong(
                &path("score"),
                format!("the judge has no `schema` in which `{written}` could be a path"),
                "a path",
                help(written),
            ),
            Some(RawScore::Each(_)) => wrong(
                &path("score"),
                "the judge has no `schema` in which these could be paths".to_owned(),
                "paths",
                help(""),
            ),
            Some(RawScore::Expected) | None => {}
        }
        if raw.explanation.is_some() {
            wrong(
                &path("explanation"),
                "the judge has no `schema` in which this could be a path".to_owned(),
                "a path",
                "add `schema = \"file.json\"`, or leave `explanation` out: it is read by itself"
                    .to_owned(),
            );
        }
        return None;
    };
    let unfit = raw.parse.filter(|parse| *parse != Parser::Json);
    if let Some(parse) = unfit {
        wrong(
            &path("parse"),
            format!(
                "a reply that keeps to a `schema` is JSON, which `{}` does not read",
                parse.name()
            ),
            "needs `json`",
            match parse {
                Parser::Items => {
                    "leave `schema` out: a server holds replies to the one in the model's `extra.response_format`, too"
                }
                _ => "leave `parse` out, or `schema`",
            }
            .to_owned(),
        );
    }
    if raw.structured.is_some() {
        wrong(
            &path("structured"),
            "the server can hold replies to one form, and `schema` is one".to_owned(),
            "another form",
            "leave `structured` out, or `schema`".to_owned(),
        );
    }
    // Where another parser is meant to read the reply, nobody needs a path.
    let scores = match unfit {
        Some(_) => Vec::new(),
        None => scores(raw, metrics, checking, &mut wrong),
    };
    let file = paths::file(context, &path("schema"), file, problems)?;
    Some(OwnSchema {
        file,
        scores,
        explanation: raw.explanation.clone(),
        each: matches!(raw.score, Some(RawScore::Each(_))),
    })
}

/// Reports something that is wrong: where, what, in few words, and how to repair it.
type Wrong<'w> = &'w mut dyn FnMut(&[String], String, &str, String);

/// The path of each metric's score, as far as they are written.
fn scores(
    raw: &RawJudge,
    metrics: &[String],
    checking: &Checking<'_>,
    wrong: Wrong<'_>,
) -> Vec<String> {
    let Checking { context, at, .. } = *checking;
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    match &raw.score {
        Some(RawScore::At(path)) if metrics.len() == 1 => vec![path.clone()],
        Some(RawScore::Each(paths)) => {
            for name in paths.keys().filter(|name| !metrics.contains(name)) {
                wrong(
                    &[path("score").as_slice(), std::slice::from_ref(name)].concat(),
                    format!("`{name}` is no metric of the judge"),
                    "not a metric",
                    match nearest(name, metrics) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "give each metric its path".to_owned(),
                    },
                );
            }
            for metric in metrics.iter().filter(|metric| !paths.contains_key(*metric)) {
                wrong(
                    &path("score"),
                    format!("the metric `{metric}` has no path"),
                    "misses it",
                    format!("add `{metric} = \"path.in.the.reply\"`"),
                );
            }
            let of = |metric: &String| paths.get(metric).cloned();
            metrics.iter().filter_map(of).collect()
        }
        written => {
            let example: Vec<String> = metrics
                .iter()
                .map(|metric| format!("{metric} = \"…\""))
                .collect();
            let one = metrics.len() == 1;
            let message = match written {
                Some(RawScore::At(_)) => {
                    format!("one path is not that of {} metrics", metrics.len())
                }
                Some(_) => "a reply that keeps to a `schema` has its score at a path".to_owned(),
                None => "`score` says where in a reply to the `schema` the score stands".to_owned(),
            };
            let place = if written.is_some() {
                path("score")
            } else {
                path("schema")
            };
            let help = if one {
                "write `score = \"path.in.the.reply\"`".to_owned()
            } else {
                format!("write `score = {{ {} }}`", example.join(", "))
            };
            let unread = written.is_none() && context.is_written(at, "score");
            if !unread {
                wrong(&place, message, "needs a path", help);
            }
            Vec::new()
        }
    }
}
