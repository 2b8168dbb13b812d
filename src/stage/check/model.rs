//! Models: which keys a provider needs, and numbers within their ranges.

use std::sync::Arc;
use std::time::Duration;

use super::logprobs::RawLogprobs;
use super::raw::{ProviderSort, RawModel, RawProvider};
use super::{Context, condition, paths, recorded, serve, served, server};
use crate::models::local::{Given, LocalKind};
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
    if context.layers.tree().get(&at).is_none()
        && let Some((_, kind)) = LocalKind::ready_made().find(|(ready, _)| *ready == name)
    {
        let sort = Some(ProviderSort::Local(kind));
        return build(context, &at, name, sort, &RawModel::default(), problems);
    }
    let raw: RawModel = read(context.layers, &at, problems)?;
    let sort = raw.provider.map(RawProvider::sort);
    build(context, &at, name, sort, &raw, problems)
}

fn build(
    context: &Context<'_>,
    at: &[String],
    name: &str,
    sort: Option<ProviderSort>,
    raw: &RawModel,
    problems: &mut Problems,
) -> Option<ModelSpec> {
    check_ranges(context, at, raw, problems);
    let provider = provider(context, at, name, sort, raw, problems)?;
    let recorded = matches!(sort, Some(ProviderSort::Local(kind)) if kind.takes("logprobs"));
    if let Some(logprobs) = &raw.logprobs {
        logprobs.check(context, at, recorded, problems);
    }
    idle(context, at, name, raw, sort, &provider, problems);
    if let Some(server) = provider.server() {
        served::check(context, at, name, raw, server.dialect, problems);
    }
    let asked = provider.reads_prompts();
    let before = problems.errors();
    let serve = serve::of_model(context, at, raw.serve.as_ref(), problems);
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
        serve: serve.filter(|_| provider.server().is_some()).map(Arc::new),
        provider,
    })
}

/// Who answers, with what that needs to know.
fn provider(
    context: &Context<'_>,
    at: &[String],
    name: &str,
    sort: Option<ProviderSort>,
    raw: &RawModel,
    problems: &mut Problems,
) -> Option<Provider> {
    let mut missing = |key: &str, example: &str| {
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
    match sort {
        None => {
            let of_servers = raw.base_url.is_some() || raw.api_key_env.is_some();
            let likely = if of_servers || raw.max_tokens.is_some() {
                "\"openai\""
            } else {
                "\"recorded\""
            };
            missing("provider", likely);
            None
        }
        Some(ProviderSort::Served(dialect)) => {
            let server = server::server(context, at, name, raw, dialect, problems);
            Some(Provider::Served(server))
        }
        Some(ProviderSort::Local(kind)) => {
            for (key, example) in kind.keys() {
                if let Some(example) = example {
                    missing(key, example);
                }
            }
            let given = given(context, at, raw, kind, problems);
            kind.with(given).map(Provider::Local)
        }
    }
}

/// What a model's table gives of the keys that its provider takes.
fn given(
    context: &Context<'_>,
    at: &[String],
    raw: &RawModel,
    kind: LocalKind,
    problems: &mut Problems,
) -> Given {
    let mut given = Given::default();
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    for (key, _) in kind.keys() {
        match *key {
            "script" => {
                let script = raw.script.as_ref();
                given.script =
                    script.and_then(|file| paths::file(context, &path(key), file, problems));
            }
            "files" => {
                let files = raw.files.iter().flat_map(|files| files.iter());
                let files = files.map(|file| paths::file(context, &path(key), file, problems));
                let files: Option<Vec<_>> = files.collect();
                given.files = files.filter(|_| raw.files.is_some());
            }
            "text" => given.text.clone_from(&raw.text),
            "finish" => given.finish.clone_from(&raw.finish),
            "logprobs" => {
                let column = raw.logprobs.as_ref().and_then(RawLogprobs::column);
                given.logprobs = column.cloned();
            }
            "parts" => given.parts = recorded::parts(context, at, raw, problems),
            "match" => {
                let matching = raw.matching.as_ref();
                given.matching =
                    matching.map(|all| all.iter().map(|(a, b)| (a.clone(), b.clone())).collect());
            }
            "where" => given.keep = condition::keep(raw.keep.as_ref()),
            "trailer" => given.trailer = raw.trailer.unwrap_or(false),
            _ => {}
        }
    }
    given
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
    sort: Option<ProviderSort>,
    provider: &Provider,
    problems: &mut Problems,
) {
    let takes = |key| matches!(sort, Some(ProviderSort::Local(kind)) if kind.takes(key));
    let asked = provider.reads_prompts();
    let served = provider.server().is_some();
    let alternatives = raw.logprobs.as_ref().and_then(RawLogprobs::count);
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
        ("script", raw.script.is_some(), takes("script")),
        ("thinking", raw.thinking.is_some(), served),
        ("logprobs", alternatives.is_some(), served),
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
        ("serve", raw.serve.is_some(), served),
        ("files", raw.files.is_some(), takes("files")),
        ("text", raw.text.is_some(), takes("text")),
        ("finish", raw.finish.is_some(), takes("finish")),
        ("parts", raw.parts.is_some(), takes("parts")),
        ("match", raw.matching.is_some(), takes("match")),
        ("where", raw.keep.is_some(), takes("where")),
        ("trailer", raw.trailer.is_some(), takes("trailer")),
    ];
    let of_provider = [at, &["provider".to_owned()]].concat();
    for (key, given, used) in given {
        let path = [at, &[key.to_owned()]].concat();
        // What a layer wrote for its own provider is no mistake where a stronger one takes another.
        if given && !used && !context.layers.is_below(&path, &of_provider) {
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
        logprobs: raw.logprobs.as_ref().and_then(RawLogprobs::count),
    }
}

fn check_ranges(context: &Context<'_>, at: &[String], raw: &RawModel, problems: &mut Problems) {
    /// A key, its value, whether the value fits, and what fits.
    type Range = (&'static str, Option<f64>, fn(f64) -> bool, &'static str);
    let share = |x: f64| (0.0..=1.0).contains(&x);
    let above = |x: f64| x > 0.0 && x.is_finite();
    let one = |x: f64| x >= 1.0;
    let any = |x: f64| x >= 0.0;
    let window = raw.context.map(|tokens| tokens as f64);
    let ranges: [Range; 14] = [
        (
            "temperature",
            raw.temperature,
            |x| (0.0..=10.0).contains(&x),
            "between 0 and 10",
        ),
        (
            "top-p",
            raw.top_p,
            |x| x > 0.0 && x <= 1.0,
            "above 0 and at most 1",
        ),
        (
            "concurrency",
            raw.concurrency.map(f64::from),
            one,
            "at least 1",
        ),
        (
            "requests-per-minute",
            raw.requests_per_minute,
            above,
            "above 0",
        ),
        ("tokens-per-minute", raw.tokens_per_minute, above, "above 0"),
        ("timeout", raw.timeout, above, "above 0"),
        ("batch-poll", raw.batch_poll, above, "above 0"),
        (
            "retries",
            raw.retries.map(f64::from),
            |x| x <= 100.0,
            "at most 100",
        ),
        (
            "logprobs",
            raw.logprobs
                .as_ref()
                .and_then(RawLogprobs::count)
                .map(f64::from),
            |x| x <= 20.0,
            "at most 20",
        ),
        ("context", window, one, "at least 1"),
        ("batch-price", raw.batch_price, share, "between 0 and 1"),
        (
            "max-tokens",
            raw.max_tokens.map(f64::from),
            one,
            "at least 1",
        ),
        ("input-price", raw.input_price, any, "at least 0"),
        ("output-price", raw.output_price, any, "at least 0"),
    ];
    for (key, value, fits, range) in ranges {
        if let Some(value) = value.filter(|&value| !fits(value)) {
            let path = [at, &[key.to_owned()]].concat();
            let message = format!("`{key}` cannot be {value}");
            context
                .problem("spec::out-of-range", message, &path, "out of range")
                .help(format!("it must be {range}"))
                .tell(problems);
        }
    }
}
