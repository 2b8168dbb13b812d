//! A request for an answer, read: what it asks, and which prompt it is.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::dialect::{Dialect, Problem};

/// Fields that do not change what the model says.
const INDIFFERENT: [&str; 7] = [
    "max_tokens",
    "max_completion_tokens",
    "stream",
    "stream_options",
    "metadata",
    "user",
    "service_tier",
];

/// What is asked.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) model: String,
    /// The digest of the messages and of everything else that may change the answer.
    pub(super) prompt: String,
    /// Words of all messages, and four for each.
    pub(super) prompt_tokens: u64,
    /// What the answer's JSON is held to; without it the answer is an evaluation form.
    pub(super) schema: Option<Value>,
    /// The tool that is handed the JSON.
    pub(super) tool: Option<String>,
}

impl Asked {
    /// Reads the body of a request, or says why a server would not.
    pub(super) fn read(dialect: Dialect, body: &Value) -> Result<Self, Problem> {
        let bad = |message: &str| Err(Problem::bad(message));
        let Some(model) = body["model"].as_str() else {
            return bad("`model` is required");
        };
        let Some(messages) = body["messages"].as_array().filter(|all| !all.is_empty()) else {
            return bad("`messages` must be a list that is not empty");
        };
        if body["stream"] == json!(true) {
            return bad("this server does not stream");
        }
        let mut count = messages.len() as u64;
        let mut prompt_tokens: u64 = messages.iter().map(|one| words(&one["content"])).sum();
        if dialect == Dialect::Anthropic {
            if body["max_tokens"].as_u64().is_none() {
                return bad("`max_tokens` is required");
            }
            if messages.iter().any(|message| message["role"] == "system") {
                return bad("`system` is no role of a message here");
            }
            if let Some(system) = body.get("system") {
                count += 1;
                prompt_tokens += words(system);
            }
        }
        let (schema, tool) = wanted(dialect, body);
        Ok(Self {
            model: model.to_owned(),
            prompt: digest(body),
            prompt_tokens: prompt_tokens + 4 * count,
            schema,
            tool,
        })
    }
}

/// Words of a message, which is a text or a list of parts.
fn words(content: &Value) -> u64 {
    match content {
        Value::String(text) => super::answer::words(text),
        Value::Array(parts) => parts.iter().map(|part| words(&part["text"])).sum(),
        _ => 0,
    }
}

/// The digest of what may change the answer, whatever the order of the fields.
fn digest(body: &Value) -> String {
    let fields: BTreeMap<&String, &Value> = body
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| !INDIFFERENT.contains(&name.as_str()))
        .collect();
    let text = serde_json::to_string(&fields).unwrap();
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// The schema that the answer is held to and the tool that it is given to, if any.
fn wanted(dialect: Dialect, body: &Value) -> (Option<Value>, Option<String>) {
    let tool = &body["tools"][0];
    let (tool, formats) = match dialect {
        Dialect::OpenAi => (
            (&tool["function"]["name"], &tool["function"]["parameters"]),
            [
                &body["response_format"]["json_schema"]["schema"],
                &body["response_format"]["schema"],
            ],
        ),
        Dialect::Anthropic => (
            (&tool["name"], &tool["input_schema"]),
            [
                &body["output_config"]["format"]["schema"],
                &body["output_format"]["schema"],
            ],
        ),
    };
    if let (Value::String(name), schema) = tool {
        return (Some(schema.clone()), Some(name.clone()));
    }
    let asked = formats.into_iter().find(|schema| schema.is_object());
    let any = body["response_format"]["type"] == "json_object";
    let schema = asked.cloned().or_else(|| any.then(super::schema::any));
    (schema, None)
}
