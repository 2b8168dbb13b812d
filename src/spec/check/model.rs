//! Models: which keys a provider needs, and numbers within their ranges.

use super::{Context, paths, select};
use crate::model::{RecordedFile, heuristic};
use crate::spec::raw::{RawModel, RawProvider, RawSpec};
use crate::spec::text::read;
use crate::spec::{Limits, ModelSpec, Prices, Problems, Provider, Sampling};

/// Checks every model of the spec, used or not.
pub(super) fn check_all(context: &Context<'_>, raw: &RawSpec, problems: &mut Problems) {
    for name in raw.models.keys() {
        model(context, name, problems);
    }
}

/// The model called `name`, as this design's layers describe it.
pub(super) fn model(
    context: &Context<'_>,
    name: &str,
    problems: &mut Problems,
) -> Option<ModelSpec> {
    let at = ["models".to_owned(), name.to_owned()];
    if name == "heuristic" && context.layers.tree().get(&at).is_none() {
        let raw = RawModel {
            provider: Some(RawProvider::Heuristic),
            ..RawModel::default()
        };
        return build(context, &at, name, &raw, problems);
    }
    let raw: RawModel = read(context.layers, &at, problems)?;
    build(context, &at, name, &raw, problems)
}

fn build(
    context: &Context<'_>,
    at: &[String],
    name: &str,
    raw: &RawModel,
    problems: &mut Problems,
) -> Option<ModelSpec> {
    check_ranges(context, at, raw, problems);
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let missing = |key: &str, example: &str, problems: &mut Problems| {
        if context.is_written(at, key) {
            return;
        }
        problems.push(
            context
                .problem(
                    "spec::missing-key",
                    format!("model `{name}` has no `{key}`"),
                    at,
                    &format!("`{key}` is missing here"),
                )
                .help(format!("add `{key} = {example}`")),
        );
    };
    let provider = match raw.provider {
        None => {
            missing("provider", "\"recorded\"", problems);
            return None;
        }
        Some(RawProvider::Heuristic) => Provider::Heuristic(heuristic::VERSION),
        Some(RawProvider::Scripted) => match &raw.script {
            Some(script) => Provider::Scripted {
                script: paths::file(context, &path("script"), script, problems)?,
            },
            None => {
                missing("script", "\"replies.toml\"", problems);
                return None;
            }
        },
        Some(RawProvider::Recorded) => {
            if raw.files.is_none() {
                missing("files", "\"responses.parquet\"", problems);
            }
            if raw.text.is_none() {
                missing("text", "\"raw_text\"", problems);
            }
            if raw
                .matching
                .as_ref()
                .is_none_or(indexmap::IndexMap::is_empty)
            {
                missing("match", "{ doc_id = \"doc_id\" }", problems);
            }
            let (files, text, matching) = (
                raw.files.as_ref()?,
                raw.text.as_ref()?,
                raw.matching.as_ref()?,
            );
            Provider::Recorded {
                files: files
                    .iter()
                    .map(|file| paths::file(context, &path("files"), file, problems))
                    .collect::<Option<_>>()?,
                how: RecordedFile {
                    text: text.clone(),
                    finish: raw.finish.clone(),
                    matching: matching
                        .iter()
                        .map(|(a, b)| (a.clone(), b.clone()))
                        .collect(),
                    keep: select::keep(raw.keep.as_ref()),
                    trailer: raw.trailer.unwrap_or(false),
                },
            }
        }
    };
    let asked = provider.reads_prompts();
    Some(ModelSpec {
        name: name.to_owned(),
        model: asked.then(|| raw.model.clone().unwrap_or_else(|| name.to_owned())),
        revision: raw.revision.clone().filter(|_| asked),
        system: raw.system.clone().filter(|_| asked),
        sampling: if asked {
            sampling(raw)
        } else {
            Sampling::default()
        },
        limits: raw
            .concurrency
            .map_or_else(Limits::default, |concurrency| Limits { concurrency }),
        prices: Prices {
            input: raw.input_price,
            output: raw.output_price,
        },
        provider,
    })
}

fn sampling(raw: &RawModel) -> Sampling {
    Sampling {
        temperature: raw.temperature,
        top_p: raw.top_p,
        top_k: raw.top_k,
        max_tokens: raw.max_tokens,
        seed: raw.seed,
        stop: raw.stop.clone().unwrap_or_default().0,
    }
}

fn check_ranges(context: &Context<'_>, at: &[String], raw: &RawModel, problems: &mut Problems) {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let mut check = |key: &str, value: Option<f64>, fits: &dyn Fn(f64) -> bool, range: &str| {
        if let Some(value) = value.filter(|&value| !fits(value)) {
            problems.push(
                context
                    .problem(
                        "spec::out-of-range",
                        format!("`{key}` cannot be {value}"),
                        &path(key),
                        "out of range",
                    )
                    .help(format!("it must be {range}")),
            );
        }
    };
    check(
        "temperature",
        raw.temperature,
        &|x| (0.0..=10.0).contains(&x),
        "between 0 and 10",
    );
    check(
        "top-p",
        raw.top_p,
        &|x| x > 0.0 && x <= 1.0,
        "above 0 and at most 1",
    );
    check(
        "concurrency",
        raw.concurrency.map(f64::from),
        &|x| x >= 1.0,
        "at least 1",
    );
    check(
        "max-tokens",
        raw.max_tokens.map(f64::from),
        &|x| x >= 1.0,
        "at least 1",
    );
    check("input-price", raw.input_price, &|x| x >= 0.0, "at least 0");
    check(
        "output-price",
        raw.output_price,
        &|x| x >= 0.0,
        "at least 0",
    );
}
