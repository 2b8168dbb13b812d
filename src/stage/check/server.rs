//! Models on servers: where they are served, whose key they take, how they think, what they share.

use std::collections::{BTreeMap, BTreeSet};

use super::raw::{RawModel, RawThinking};
use super::{Context, tokenizer as named_tokenizer};
use crate::language::text::TokenizerSpec;
use crate::models::dialect::Dialect;
use crate::models::spec::{ModelSpec, Server, Thinking, ThinkingSwitch};
use crate::toml::{Problem, Problems};

/// The server of a model. Without a url it is the one that its dialect is named after, which takes a
/// key from the variable that everybody keeps it in.
pub(crate) fn server(
    context: &Context<'_>,
    at: &[String],
    name: &str,
    raw: &RawModel,
    dialect: Dialect,
    problems: &mut Problems,
) -> Server {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let (home, variable) = (dialect.contract().home, dialect.contract().variable);
    let mut base_urls = Vec::new();
    for written in raw.base_url.iter().flat_map(|urls| &urls.0) {
        match base_url(written) {
            Ok(url) if base_urls.contains(&url) => {}
            Ok(url) => base_urls.push(url),
            Err((what, help)) => {
                let place = context.element(&path("base-url"), written);
                context
                    .problem("spec::bad-url", what, &place, "cannot be used")
                    .help(help)
                    .tell(problems);
            }
        }
    }
    let at_home = raw.base_url.is_none() && raw.serve.is_none();
    if at_home {
        base_urls.push(home.to_owned());
    } else if raw.base_url.is_none() {
        // Beside a job, which puts its own address in place of this one.
        let path =
            url::Url::parse(home).map_or_else(|_| String::new(), |url| url.path().to_owned());
        base_urls.push(format!(
            "http://127.0.0.1:8000{}",
            path.trim_end_matches('/')
        ));
    }
    if let Some(key) = &raw.api_key_env {
        variable_name(context, &path("api-key-env"), name, key, variable, problems);
    }
    let key = raw
        .api_key_env
        .clone()
        .or_else(|| at_home.then(|| variable.to_owned()));
    Server {
        dialect,
        base_urls,
        key,
    }
}

/// A url without the slash at its end; or what is wrong with it and how to repair it. What may hold a
/// password is not repeated.
fn base_url(written: &str) -> Result<String, (String, String)> {
    let example = "write a url such as `http://127.0.0.1:8000/v1`";
    let parsed = url::Url::parse(written).map_err(|why| {
        (
            format!("`{written}` is not a url: {why}"),
            example.to_owned(),
        )
    })?;
    if !matches!(parsed.scheme(), "http" | "https") {
        // `localhost:8000` reads as the scheme `localhost`.
        if !written.contains("://") {
            return Err((
                "a url begins with `http://` or `https://`".to_owned(),
                format!("write `http://{written}`"),
            ));
        }
        return Err((
            format!("a model cannot be called over `{}`", parsed.scheme()),
            example.to_owned(),
        ));
    }
    let paths = Dialect::ALL.iter().map(|dialect| dialect.contract().path);
    for path in paths.chain(["completions"]).map(|path| format!("/{path}")) {
        if let Some(base) = written.trim_end_matches('/').strip_suffix(&path) {
            return Err((
                format!("`base-url` must end before `{path}`"),
                format!("write `{base}`"),
            ));
        }
    }
    if !parsed.username().is_empty() || parsed.password().is_some() || parsed.query().is_some() {
        return Err((
            "a url with a name, a password or a query may hold a secret".to_owned(),
            "put the key into an environment variable and name it: `api-key-env = \"...\"`"
                .to_owned(),
        ));
    }
    Ok(written.trim_end_matches('/').to_owned())
}

/// The name of a variable, and not a key that was put in its place. A key is not repeated.
fn variable_name(
    context: &Context<'_>,
    path: &[String],
    model: &str,
    written: &str,
    usual: &str,
    problems: &mut Problems,
) {
    let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if !written.is_empty() && written.chars().all(fits) && written.len() <= 64 {
        return;
    }
    Problem::error(
            "spec::bad-variable",
            format!("`api-key-env` of model `{model}` is not the name of a variable"),
        )
        .label_at(
            context.layers.place_of_key(path),
            "takes a name of capital letters, digits and `_`",
        )
        .help(format!(
            "a key never goes into a spec: put it into the environment and name the variable, as in `api-key-env = \"{usual}\"`"
        ))
            .tell(problems);
}

/// Whether and how the model thinks.
pub(crate) fn thinking(
    context: &Context<'_>,
    at: &[String],
    raw: &RawModel,
    problems: &mut Problems,
) -> Option<Thinking> {
    let RawThinking {
        on,
        by,
        lines,
        effort,
        budget,
        tag,
        opened,
    } = raw.thinking.clone()?;
    let path = |key: &str| [at, &["thinking".to_owned(), key.to_owned()]].concat();
    let by = by.unwrap_or_default();
    let mut idle = |key: &str, given: bool, switch: ThinkingSwitch, word: &str| {
        if given && by != switch {
            context
                .problem(
                    "spec::bad-thinking",
                    format!("`{key}` has no effect without `by = \"{word}\"`"),
                    &path(key),
                    "would have no effect",
                )
                .help(format!("add `by = \"{word}\"`, or leave `{key}` out"))
                .tell(problems);
        }
    };
    idle("lines", lines.is_some(), ThinkingSwitch::System, "system");
    idle(
        "effort",
        effort.is_some(),
        ThinkingSwitch::Parameter,
        "parameter",
    );
    idle(
        "budget",
        budget.is_some(),
        ThinkingSwitch::Parameter,
        "parameter",
    );
    let table = [at, &["thinking".to_owned()]].concat();
    // Of a way that does not exist was told already.
    if by == ThinkingSwitch::Untold && on.is_some() && !context.is_written(&table, "by") {
        context
            .problem(
                "spec::bad-thinking",
                "`on` alone does not tell the model whether to think".to_owned(),
                &path("on"),
                "would have no effect",
            )
            .help("name the way to tell it: `by = \"template\"`, `\"system\"` or `\"parameter\"`")
            .tell(problems);
    }
    let tag = tag.unwrap_or_else(|| "think".to_owned());
    if tag.is_empty()
        || !tag
            .chars()
            .all(|c| c.is_alphanumeric() || "-_:".contains(c))
    {
        context
            .problem(
                "spec::bad-thinking",
                format!("`{tag}` cannot be a tag"),
                &path("tag"),
                "not a tag",
            )
            .help("write the name alone: `think` for `<think>…</think>`")
            .tell(problems);
    }
    Some(Thinking {
        on: on.unwrap_or(true),
        by,
        lines: (by == ThinkingSwitch::System)
            .then(|| lines.unwrap_or_else(|| ["/think".to_owned(), "/no_think".to_owned()])),
        effort,
        budget,
        tag,
        opened: opened.unwrap_or(false),
    })
}

/// What a token is to the model, if that is known.
pub(crate) fn tokenizer(
    context: &Context<'_>,
    at: &[String],
    raw: &RawModel,
    problems: &mut Problems,
) -> Option<TokenizerSpec> {
    let written = raw.tokenizer.as_deref()?;
    let path = [at, &["tokenizer".to_owned()]].concat();
    if matches!(written, "whitespace" | "spaces") {
        context
                .problem(
                    "spec::unknown-tokenizer",
                    format!("no model counts its tokens by `{written}`"),
                    &path,
                    "not a model's tokenizer",
                )
                .help("name an encoding such as `o200k_base`, a `tokenizer.json`, or leave it out: tokens are estimated then")
            .tell(problems);
        return None;
    }
    named_tokenizer::named(context, &path, Some(written), problems)
}

/// Further fields of the request.
pub(crate) fn extra(raw: &RawModel) -> serde_json::Map<String, serde_json::Value> {
    let fields = raw.extra.iter().flatten();
    fields
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Models that are asked in the same words at different places would be given each other's replies: two
/// models, or one whose place an axis sets.
pub(crate) fn indistinct<'m>(
    context: &Context<'_>,
    models: impl Iterator<Item = &'m ModelSpec>,
    problems: &mut Problems,
) {
    let mut seen: BTreeMap<String, &ModelSpec> = BTreeMap::new();
    let mut told: BTreeSet<(&str, &str)> = BTreeSet::new();
    for model in models {
        let Some(server) = model.provider.server() else {
            continue;
        };
        let asked = (
            server.dialect,
            &model.model,
            &model.revision,
            &model.sampling,
            &model.thinking,
            &model.extra,
        );
        let asked = serde_json::to_string(&asked).unwrap_or_default();
        let Some(other) = seen.get(&asked) else {
            seen.insert(asked, model);
            continue;
        };
        let there = other.provider.server();
        if there.is_some_and(|there| there.base_urls == server.base_urls)
            || !told.insert((&other.name, &model.name))
        {
            continue;
        }
        let place = |name: &str| {
            let at = ["models".to_owned(), name.to_owned()];
            context.layers.place_of_key(&at)
        };
        let code = "spec::indistinct-models";
        problems.push(if other.name == model.name {
            Problem::error(
                code,
                format!(
                    "model `{}` is called at several endpoints, which would share their cached replies",
                    model.name
                ),
            )
            .label_at(place(&model.name), "its `base-url` is set by an axis")
            .help("let the axis set `revision` too: it distinguishes versions of a model")
        } else {
            Problem::error(
                code,
                format!(
                    "models `{}` and `{}` would share their cached replies",
                    other.name, model.name
                ),
            )
            .label_at(place(&other.name), "names the same model")
            .label_at(place(&model.name), "at another endpoint")
            .help("give them different `model` or `revision`; several urls of one model go into one list")
        });
    }
}
