//! From a question to the fields of a message.

use serde_json::{Map, Value, json};

use super::{LONGEST, TOOL};
use crate::models::ask::{CallError, Question, Role};
use crate::models::provider::dialect::thinking_line;
use crate::models::spec::{ModelSpec, Thinking, ThinkingSwitch};

/// How many tokens a model may think where the spec gives neither a budget nor an effort. The least the API takes is 1,024.
const BUDGET: u32 = 4096;

/// The fields of a request. What the spec leaves open is left to the server, but for the longest reply ([`LONGEST`]).
///
/// This API knows no seed, no log-probabilities and no flags of chat templates; they are not sent. A temperature beside
/// thinking is sent as it is written, and the server says what it thinks of it.
pub(super) fn request(
    spec: &ModelSpec,
    question: &Question,
) -> Result<Map<String, Value>, CallError> {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    let thinking = spec
        .thinking
        .as_ref()
        .filter(|thinking| thinking.by == ThinkingSwitch::Parameter);
    let budget = thinking.and_then(budget);
    let sampling = &spec.sampling;
    set("model", Some(spec.asked().into()));
    set(
        "max_tokens",
        Some(
            sampling
                .max_tokens
                .unwrap_or_else(|| LONGEST.saturating_add(budget.unwrap_or(0)))
                .into(),
        ),
    );
    set("system", system(spec, question));
    set("messages", Some(messages(question)));
    set("temperature", sampling.temperature.map(Value::from));
    set("top_p", sampling.top_p.map(Value::from));
    set("top_k", sampling.top_k.map(Value::from));
    set(
        "stop_sequences",
        (!sampling.stop.is_empty()).then(|| sampling.stop.clone().into()),
    );
    if let Some(thinking) = thinking {
        let how = match (thinking.on, budget) {
            (false, _) => json!({"type": "disabled"}),
            (true, Some(tokens)) => json!({"type": "enabled", "budget_tokens": tokens}),
            (true, None) => json!({"type": "adaptive"}),
        };
        set("thinking", Some(how));
        let effort = thinking.effort.as_ref();
        set(
            "output_config",
            effort.map(|effort| json!({"effort": effort})),
        );
    }
    if let Some(schema) = &question.schema {
        // A choice of the user's own is believed to be a better one.
        let thinks = thinking.is_some_and(|thinking| thinking.on);
        if thinks && !spec.extra.contains_key("tool_choice") {
            return Err(CallError::Fatal(format!(
                "model `{}` cannot both think and be held to a schema: this API does not let a thinking model be made to use a tool; switch off one of the two",
                spec.name
            )));
        }
        set(
            "tools",
            Some(
                json!([{"name": TOOL, "description": "Gives the reply.", "input_schema": **schema}]),
            ),
        );
        set("tool_choice", Some(json!({"type": "tool", "name": TOOL})));
    }
    Ok(fields)
}

/// A reply that a model thinks before begins with its thoughts.
pub(super) fn begins_itself(spec: &ModelSpec) -> Option<&'static str> {
    let thinking = spec.thinking.as_ref();
    let thinks = thinking.is_some_and(|one| one.on && one.by == ThinkingSwitch::Parameter);
    thinks.then_some("it thinks first")
}

/// How many tokens the model may think, if it is told by a number: newer models take an effort instead.
fn budget(thinking: &Thinking) -> Option<u32> {
    if !thinking.on {
        return None;
    }
    let by_default = thinking.effort.is_none().then_some(BUDGET);
    thinking.budget.or(by_default)
}

/// The system messages and the line that says whether to think, which stand outside of the conversation here.
fn system(spec: &ModelSpec, question: &Question) -> Option<Value> {
    let messages = question.messages.iter();
    let texts: Vec<&str> = messages
        .filter(|message| message.role == Role::System)
        .map(|message| message.content.as_str())
        .chain(thinking_line(spec))
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n").into())
}

fn messages(question: &Question) -> Value {
    let messages = question.messages.iter();
    messages
        .filter_map(|message| {
            let role = match message.role {
                Role::System => return None,
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            let mut said = Map::new();
            said.insert("role".to_owned(), role.into());
            said.insert("content".to_owned(), message.content.clone().into());
            Some(Value::Object(said))
        })
        .collect()
}

#[cfg(test)]
mod tests;
