//! Settings that a model's server ignores, or that fail with the first call.

use serde_json::Value;

use super::Context;
use super::raw::RawModel;
use crate::models::dialect::Dialect;
use crate::models::provider::Feature;
use crate::models::spec::ThinkingSwitch;
use crate::toml::{Problem, Problems};

/// Fields of a request that have keys of their own in a spec, or that change what comes back.
const OWN_FIELDS: [(&str, &str); 11] = [
    ("model", "model"),
    ("messages", "prompt"),
    ("system", "system"),
    ("temperature", "temperature"),
    ("top_p", "top-p"),
    ("top_k", "top-k"),
    ("max_tokens", "max-tokens"),
    ("seed", "seed"),
    ("stop", "stop"),
    ("n", "repeats"),
    ("stream", ""),
];

pub(crate) fn check(
    context: &Context<'_>,
    at: &[String],
    name: &str,
    raw: &RawModel,
    dialect: Dialect,
    problems: &mut Problems,
) {
    extra(context, at, name, raw, problems);
    room(context, at, raw, problems);
    if raw.input_price.is_some() != raw.output_price.is_some() {
        let (there, missing) = match raw.input_price {
            Some(_) => ("input-price", "output-price"),
            None => ("output-price", "input-price"),
        };
        Problem::warning(
            "lint::half-a-price",
            format!("model `{name}` has an `{there}` and no `{missing}`"),
        )
        .label_at(
            context.place(&below(at, &[there])),
            "half of what calls cost",
        )
        .help(format!("add `{missing}`, 0 if it is free"))
        .tell(problems);
    }
    unknown(context, at, name, raw, dialect, problems);
    budget(context, at, raw, dialect, problems);
}

fn below(at: &[String], keys: &[&str]) -> Vec<String> {
    let keys = keys.iter().map(|key| (*key).to_owned());
    at.iter().cloned().chain(keys).collect()
}

fn idle(context: &Context<'_>, at: &[String], message: &str, help: &str, problems: &mut Problems) {
    Problem::warning("lint::idle-parameter", message.to_owned())
        .label_at(context.place(at), "has no effect")
        .help(help)
        .tell(problems);
}

/// Whether prompts have any room beside the reply.
fn room(context: &Context<'_>, at: &[String], raw: &RawModel, problems: &mut Problems) {
    if let (Some(window), Some(most)) = (raw.context, raw.max_tokens)
        && u64::from(most) >= window
    {
        context
            .problem(
                "spec::no-room",
                "the context leaves no room for a prompt".to_owned(),
                &below(at, &["context"]),
                "no longer than `max-tokens`",
            )
            .help("`context` is prompt and reply together: make it longer, or `max-tokens` shorter")
            .tell(problems);
    }
}

/// What servers of this dialect do not take.
fn unknown(
    context: &Context<'_>,
    at: &[String],
    name: &str,
    raw: &RawModel,
    dialect: Dialect,
    problems: &mut Problems,
) {
    for (key, given, feature) in [
        ("seed", raw.seed.is_some(), Feature::Seed),
        ("logprobs", raw.logprobs.is_some(), Feature::Logprobs),
    ] {
        if given && !dialect.takes(feature) {
            let message = format!("the server of model `{name}` does not support `{key}`");
            idle(context, &below(at, &[key]), &message, "remove it", problems);
        }
    }
    let by = raw.thinking.as_ref().and_then(|thinking| thinking.by);
    if by == Some(ThinkingSwitch::Template) && !dialect.takes(Feature::ChatTemplate) {
        idle(
            context,
            &below(at, &["thinking", "by"]),
            "servers of this dialect have no chat template parameters",
            "write `by = \"parameter\"`",
            problems,
        );
    }
}

/// Whether a model may think so many tokens.
fn budget(
    context: &Context<'_>,
    at: &[String],
    raw: &RawModel,
    dialect: Dialect,
    problems: &mut Problems,
) {
    let Some(thinking) = &raw.thinking else {
        return;
    };
    let Some(tokens) = thinking.budget else {
        return;
    };
    let Some(budget) = dialect.contract().budget else {
        if thinking.by == Some(ThinkingSwitch::Parameter) {
            idle(
                context,
                &below(at, &["thinking", "budget"]),
                "servers of this dialect have no `budget` for thinking",
                "write `effort`, or put the server's own parameter into `extra`",
                problems,
            );
        }
        return;
    };
    let mut wrong = |key: &[&str], message: String, label: &str, help: &str| {
        let problem = context.problem("spec::bad-thinking", message, &below(at, key), label);
        problems.push(problem.help(help.to_owned()));
    };
    if tokens < budget.least {
        wrong(
            &["thinking", "budget"],
            format!(
                "the server needs a thinking budget of at least {} tokens",
                budget.least
            ),
            "too little",
            "raise it, or turn thinking off",
        );
    }
    if budget.in_reply && raw.max_tokens.is_some_and(|most| tokens >= most) {
        wrong(
            &["thinking", "budget"],
            "thoughts count as part of the reply and leave no room for an answer".to_owned(),
            "no less than `max-tokens`",
            "raise `max-tokens`, or lower the budget",
        );
    }
    if let (Some(only), Some(temperature)) = (budget.temperature, raw.temperature)
        && (temperature - only).abs() > 1e-9
    {
        wrong(
            &["temperature"],
            format!("a model that thinks takes no temperature but {only}"),
            "refused by the server",
            "leave it out",
        );
    }
}

/// Further fields of a request: no secrets, and nothing that has a key of its own.
fn extra(
    context: &Context<'_>,
    at: &[String],
    name: &str,
    raw: &RawModel,
    problems: &mut Problems,
) {
    for (field, value) in raw.extra.iter().flatten() {
        let path = below(at, &["extra", field]);
        if holds_secret(field, value) {
            Problem::error(
                    "spec::secret",
                    format!("`extra` of model `{name}` seems to hold a secret"),
                )
                .label_at(context.layers.place_of_key(&path), "a key never goes into a spec")
                .help("put it into an environment variable and name that: `api-key-env = \"...\"`; a key that was committed should be revoked")
            .tell(problems);
        }
        if let Some((_, key)) = OWN_FIELDS.iter().find(|(own, _)| own == field) {
            let help = match *key {
                "" => "leave it out: replies are read whole".to_owned(),
                key => format!("write `{key}` instead"),
            };
            Problem::error(
                "spec::own-field",
                format!("`{field}` cannot be set by `extra`"),
            )
            .label_at(
                context.layers.place_of_key(&path),
                "would override what the spec says",
            )
            .help(help)
            .tell(problems);
        }
    }
}

/// Whether a field, or one below it, has the name or the form of a key.
fn holds_secret(name: &str, value: &Value) -> bool {
    const NAMES: [&str; 8] = [
        "apikey",
        "key",
        "token",
        "accesstoken",
        "secret",
        "authorization",
        "password",
        "bearer",
    ];
    const FORMS: [&str; 6] = ["sk-", "Bearer ", "hf_", "gsk_", "xai-", "AIza"];
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    match value {
        Value::String(text) => {
            NAMES.contains(&plain.as_str()) || FORMS.iter().any(|form| text.starts_with(form))
        }
        Value::Array(items) => items.iter().any(|item| holds_secret(name, item)),
        Value::Object(fields) => fields.iter().any(|(name, value)| holds_secret(name, value)),
        _ => false,
    }
}
