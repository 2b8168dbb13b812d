//! Models: which keys a provider needs, and numbers within their ranges.

use std::time::Duration;

use super::raw::{ProviderSort, RawModel, RawProvider};
use super::{Context, condition, paths, recorded, served, server};
use crate::models::ask::{RecordedFile, heuristic};
use crate::models::spec::{Limits, ModelSpec, Prices, Provider, Sampling};
use crate::toml::read;
use crate::toml::{Problem, Problems};

/// Checks every model of the spec, used or not.
pub(crate) fn check_all<'n>(
    context: &Context<'_>,
    names: impl Iterator<Item = &'n String> + Clone,
    problems: &mut Problems,
) {
    for name in names.clone() {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.:/".contains(c);
        if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) || !name.chars().all(fits) {
            let at = ["models".to_owned(), name.clone()];
            Problem::error(
                "spec::bad-name",
                format!("`{name}` cannot be the name of a model"),
            )
            .label_at(context.layers.place_of_key(&at), "not a name to use here")
            .help(
                "use letters, digits, `-`, `_`, `.`, `:` and `/`, beginning with a letter or digit",
            )
            .tell(problems);
        }
    }
    let models: Vec<ModelSpec> = names
        .filter_map(|name| model(context, name, problems))
        .collect();
    server::indistinct(context, models.iter(), problems);
}

/// The model called `name`, as this design's layers describe it.
pub(crate) fn model(
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
    let provider = provider(context, at, name, raw, problems)?;
    idle(context, at, name, raw, &provider, problems);
    if let Some(server) = provider.server() {
        served::check(context, at, name, raw, server.dialect, problems);
    }
    let asked = provider.reads_prompts();
    let before = problems.errors();
    let (thinking, tokenizer) = if provider.server().is_some() {
        (
            server::thinking(context, at, raw, problems),
            server::tokenizer(context, at, raw, problems),
        )
    } else {
        (None, None)
    };
    (problems.errors() == before).then(|| ModelSpec {
        name: name.to_owned(),
        model: asked.then(|| raw.model.clone().unwrap_or_else(|| name.to_owned())),
        revision: raw.revision.clone().filter(|_| asked),
        system: raw.system.clone().filter(|_| asked),
        sampling: if asked {
            sampling(raw)
        } else {
            Sampling::default()
        },
        thinking,
        extra: server::extra(raw),
        context: raw.context.filter(|_| asked),
        tokenizer,
        reported: raw.reported.clone().unwrap_or_default().0,
        limits: limits(raw),
        prices: Prices {
            input: raw.input_price,
            output: raw.output_price,
            batch: raw.batch_price,
        },
        provider,
    })
}

/// Who answers, with what that needs to know.
fn provider(
    context: &Context<'_>,
    at: &[String],
    name: &str,
    raw: &RawModel,
    problems: &mut Problems,
) -> Option<Provider> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let missing = |key: &str, example: &str, problems: &mut Problems| {
        if context.is_written(at, key) {
            return;
        }
        context
            .problem(
                "spec::missing-key",
                format!("model `{name}` has no `{key}`"),
                at,
                &format!("`{key}` is missing here"),
            )
            .help(format!("add `{key} = {example}`"))
            .tell(problems);
    };
    Some(match raw.provider.map(RawProvider::sort) {
        None => {
            let of_servers = raw.base_url.is_some() || raw.api_key_env.is_some();
            let likely = if of_servers || raw.max_tokens.is_some() {
                "\"openai\""
            } else {
                "\"recorded\""
            };
            missing("provider", likely, problems);
            return None;
        }
        Some(ProviderSort::Heuristic) => Provider::Heuristic(heuristic::VERSION),
        Some(ProviderSort::Served(dialect)) => {
            Provider::Served(server::server(context, at, name, raw, dialect, problems))
        }
        Some(ProviderSort::Scripted) => match &raw.script {
            Some(script) => Provider::Scripted {
                script: paths::file(context, &path("script"), script, problems)?,
            },
            None => {
                missing("script", "\"replies.toml\"", problems);
                return None;
            }
        },
        Some(ProviderSort::Recorded) => {
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
            let parts = recorded::parts(context, at, raw, problems);
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
                    parts,
                    matching: matching
                        .iter()
                        .map(|(a, b)| (a.clone(), b.clone()))
                        .collect(),
                    keep: condition::keep(raw.keep.as_ref()),
                    trailer: raw.trailer.unwrap_or(false),
                },
            }
        }
    })
}

fn limits(raw: &RawModel) -> Limits {
    let default = Limits::default();
    let seconds = |written: Option<f64>| Duration::try_from_secs_f64(written?).ok();
    Limits {
        concurrency: raw.concurrency.unwrap_or(default.concurrency),
        requests_per_minute: raw.requests_per_minute,
        tokens_per_minute: raw.tokens_per_minute,
        retries: raw.retries.unwrap_or(default.retries),
        timeout: seconds(raw.timeout).unwrap_or(default.timeout),
        batch_poll: seconds(raw.batch_poll).unwrap_or(default.batch_poll),
    }
}

/// Warns of parameters that the provider does not look at.
fn idle(
    context: &Context<'_>,
    at: &[String],
    name: &str,
    raw: &RawModel,
    provider: &Provider,
    problems: &mut Problems,
) {
    let recorded = matches!(provider, Provider::Recorded { .. });
    let asked = provider.reads_prompts();
    let served = provider.server().is_some();
    let given = [
        ("model", raw.model.is_some(), asked),
        ("revision", raw.revision.is_some(), asked),
        ("system", raw.system.is_some(), asked),
        ("temperature", raw.temperature.is_some(), asked),
        ("top-p", raw.top_p.is_some(), asked),
        ("top-k", raw.top_k.is_some(), asked),
        ("max-tokens", raw.max_tokens.is_some(), asked),
        ("seed", raw.seed.is_some(), asked),
        ("stop", raw.stop.is_some(), asked),
        ("script", raw.script.is_some(), asked && !served),
        ("thinking", raw.thinking.is_some(), served),
        ("logprobs", raw.logprobs.is_some(), served),
        ("extra", raw.extra.is_some(), served),
        ("context", raw.context.is_some(), asked),
        ("tokenizer", raw.tokenizer.is_some(), served),
        ("base-url", raw.base_url.is_some(), served),
        ("api-key-env", raw.api_key_env.is_some(), served),
        ("reported", raw.reported.is_some(), served),
        (
            "requests-per-minute",
            raw.requests_per_minute.is_some(),
            asked,
        ),
        ("tokens-per-minute", raw.tokens_per_minute.is_some(), asked),
        ("retries", raw.retries.is_some(), asked),
        ("timeout", raw.timeout.is_some(), asked),
        ("batch-poll", raw.batch_poll.is_some(), served),
        ("files", raw.files.is_some(), recorded),
        ("text", raw.text.is_some(), recorded),
        ("finish", raw.finish.is_some(), recorded),
        ("parts", raw.parts.is_some(), recorded),
        ("match", raw.matching.is_some(), recorded),
        ("where", raw.keep.is_some(), recorded),
        ("trailer", raw.trailer.is_some(), recorded),
    ];
    for (key, given, used) in given {
        if given && !used {
            let path = [at, &[key.to_owned()]].concat();
            Problem::warning(
                "lint::idle-parameter",
                format!("the provider of model `{name}` ignores `{key}`"),
            )
            .label_at(context.place(&path), "has no effect")
            .help("remove it, or name the provider it is meant for")
            .tell(problems);
        }
    }
}

fn sampling(raw: &RawModel) -> Sampling {
    Sampling {
        temperature: raw.temperature,
        top_p: raw.top_p,
        top_k: raw.top_k,
        max_tokens: raw.max_tokens,
        seed: raw.seed,
        stop: raw.stop.clone().unwrap_or_default().0,
        logprobs: raw.logprobs,
    }
}

fn check_ranges(context: &Context<'_>, at: &[String], raw: &RawModel, problems: &mut Problems) {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let mut check = |key: &str, value: Option<f64>, fits: &dyn Fn(f64) -> bool, range: &str| {
        if let Some(value) = value.filter(|&value| !fits(value)) {
            context
                .problem(
                    "spec::out-of-range",
                    format!("`{key}` cannot be {value}"),
                    &path(key),
                    "out of range",
                )
                .help(format!("it must be {range}"))
                .tell(problems);
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
    for (key, value) in [
        ("requests-per-minute", raw.requests_per_minute),
        ("tokens-per-minute", raw.tokens_per_minute),
        ("timeout", raw.timeout),
        ("batch-poll", raw.batch_poll),
    ] {
        check(key, value, &|x| x > 0.0 && x.is_finite(), "above 0");
    }
    check(
        "retries",
        raw.retries.map(f64::from),
        &|x| x <= 100.0,
        "at most 100",
    );
    check(
        "logprobs",
        raw.logprobs.map(f64::from),
        &|x| x <= 20.0,
        "at most 20",
    );
    check(
        "context",
        raw.context.map(|tokens| tokens as f64),
        &|x| x >= 1.0,
        "at least 1",
    );
    check(
        "batch-price",
        raw.batch_price,
        &|x| (0.0..=1.0).contains(&x),
        "between 0 and 1",
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
