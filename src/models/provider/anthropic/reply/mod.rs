//! From a message to a reply.

use serde_json::Value;

use super::TOOL;
use crate::models::ask::{COMPLETION_TOKENS, CallError, PROMPT_TOKENS, Reply};
use crate::models::provider::answer::{count, counts, excerpt, text};
use crate::models::provider::contract::Received;
use crate::models::provider::ending::finish;
use crate::models::spec::ModelSpec;

/// The tokens of a prompt: those that were read anew, and those from and for the server's cache.
const READ: [&str; 3] = [
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
];

/// The reply in an answer.
pub(super) fn reply(value: &Value, _: &ModelSpec, _: &str) -> Result<Received, CallError> {
    let Some(blocks) = value["content"].as_array() else {
        return Err(CallError::Broken(format!(
            "an answer without `content`, that begins `{}`",
            excerpt(value.to_string().as_bytes(), 80)
        )));
    };
    let finish = finish(&value["stop_reason"])?;
    let (mut words, mut thoughts, mut input) = (String::new(), String::new(), None);
    for block in blocks {
        match block["type"].as_str() {
            Some("text") => words.push_str(block["text"].as_str().unwrap_or_default()),
            Some("thinking") => thoughts.push_str(block["thinking"].as_str().unwrap_or_default()),
            Some("tool_use") if block["name"] == TOOL => input = Some(block["input"].to_string()),
            _ => {}
        }
    }
    let owned = |value: &Value| text(value).map(str::to_owned);
    Ok(Received {
        reply: Reply {
            // What a model says beside the tool is no part of the reply that it was held to.
            text: input.unwrap_or(words),
            finish,
            thoughts: Some(thoughts).filter(|thoughts| !thoughts.is_empty()),
            model: owned(&value["model"]),
            revision: None,
            usage: usage(&value["usage"]),
            logprobs: None,
            latency_ms: 0,
            unchecked: false,
        },
        id: owned(&value["id"]),
    })
}

fn usage(usage: &Value) -> std::collections::BTreeMap<String, u64> {
    let mut counted = counts(usage, &["input_tokens", "output_tokens"]);
    if count(&usage[READ[0]]).is_some() {
        let read = READ.iter().filter_map(|name| count(&usage[*name]));
        let read = read.fold(0, u64::saturating_add);
        counted.insert(PROMPT_TOKENS.to_owned(), read);
    }
    if let Some(written) = count(&usage["output_tokens"]) {
        counted.insert(COMPLETION_TOKENS.to_owned(), written);
    }
    counted
}

#[cfg(test)]
mod tests;
