//! From a chat completion to a reply.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::base::wording::some_of;
use crate::models::ask::{COMPLETION_TOKENS, CallError, PROMPT_TOKENS, Reply};
use crate::models::logprobs::stored;
use crate::models::provider::answer::{count, counts, excerpt, text};
use crate::models::provider::contract::Received;
use crate::models::provider::ending::finish;
use crate::models::provider::fault;
use crate::models::spec::ModelSpec;

/// The most of a refusal that is passed on, in characters.
const REFUSAL: usize = 500;

/// How many tokens the prompt and all that was written have together.
const TOTAL_TOKENS: &str = "total_tokens";

/// The reply in an answer: the first choice, of which there is one unless `extra` asks for more.
pub(super) fn reply(value: &Value, spec: &ModelSpec, url: &str) -> Result<Received, CallError> {
    let choice = first(&value["choices"])?;
    if fault::is_error(choice) {
        // As OpenRouter has it when a host fails halfway.
        return Err(fault::within(None, choice, spec, url));
    }
    let Some(message) = choice["message"].as_object() else {
        return Err(CallError::Broken(format!(
            "an answer without a message in `choices`, that begins `{}`",
            excerpt(value.to_string().as_bytes(), 80)
        )));
    };
    let said = Said::of(message);
    if let Some(refusal) = said.refusal {
        let refusal = excerpt(refusal.as_bytes(), REFUSAL);
        return Err(CallError::Refused(format!("the model declined: {refusal}")));
    }
    let owned = |value: &Value| text(value).map(str::to_owned);
    let logprobs = stored(&choice["logprobs"], &said.text);
    Ok(Received {
        reply: Reply {
            text: said.text,
            finish: finish(&choice["finish_reason"])?,
            thoughts: Some(said.thoughts).filter(|thoughts| !thoughts.is_empty()),
            model: owned(&value["model"]),
            revision: owned(&value["system_fingerprint"]),
            usage: usage(&value["usage"]),
            logprobs,
            latency_ms: 0,
            unchecked: false,
        },
        id: owned(&value["id"]),
    })
}

/// The first of several choices, which stand in the order of their numbers where they have any: else nobody can say which
/// of them is the reply.
fn first(choices: &Value) -> Result<&Value, CallError> {
    let several = choices.as_array().filter(|choices| choices.len() > 1);
    let out_of_order = |(at, choice): (usize, &Value)| {
        let index = &choice["index"];
        !index.is_null() && count(index) != Some(at as u64)
    };
    if several.is_some_and(|choices| choices.iter().enumerate().any(out_of_order)) {
        let numbers = choices.as_array().into_iter().flatten();
        let numbers: Vec<String> = numbers.map(|choice| choice["index"].to_string()).collect();
        return Err(CallError::Broken(format!(
            "an answer with several `choices` that are not numbered from 0 on: {}",
            some_of(&numbers)
        )));
    }
    Ok(&choices[0])
}

/// What the server counted. Gemini and xAI leave thoughts out of the tokens written and have them in the total only, so
/// what goes beyond the prompt there was written.
fn usage(usage: &Value) -> BTreeMap<String, u64> {
    let mut counted = counts(usage, &[PROMPT_TOKENS, COMPLETION_TOKENS, TOTAL_TOKENS]);
    let prompt = count(&usage[PROMPT_TOKENS]);
    let beyond = count(&usage[TOTAL_TOKENS])
        .zip(prompt)
        .map(|(total, prompt)| total.saturating_sub(prompt))
        .filter(|n| *n > 0);
    let written = count(&usage[COMPLETION_TOKENS]).max(beyond);
    for (name, n) in [(PROMPT_TOKENS, prompt), (COMPLETION_TOKENS, written)] {
        if let Some(n) = n {
            counted.insert(name.to_owned(), n);
        }
    }
    counted
}

/// What a message says, sorted.
#[derive(Default)]
struct Said {
    text: String,
    thoughts: String,
    refusal: Option<String>,
}

impl Said {
    fn of(message: &Map<String, Value>) -> Self {
        let mut said = Self {
            refusal: message.get("refusal").and_then(text).map(str::to_owned),
            ..Self::default()
        };
        // vLLM, SGLang, llama.cpp and DeepSeek; newer vLLM, Ollama and OpenRouter. Some send both, alike.
        let thoughts = ["reasoning_content", "reasoning"];
        if let Some(thoughts) = thoughts.iter().find_map(|name| text(message.get(*name)?)) {
            thoughts.clone_into(&mut said.thoughts);
        }
        match message.get("content") {
            Some(Value::String(content)) => content.clone_into(&mut said.text),
            Some(Value::Array(parts)) => parts.iter().for_each(|part| said.part(part)),
            _ => {}
        }
        said
    }

    /// A part of a content that comes as a list, as Mistral's reasoning models send it. Only what is called text is the
    /// answer: parts of other kinds, such as `reasoning`, are kept with the thoughts.
    fn part(&mut self, part: &Value) {
        let kind = part["type"].as_str().unwrap_or("text");
        match kind {
            "text" | "output_text" if part["thought"] != true => self
                .text
                .push_str(part["text"].as_str().unwrap_or_default()),
            "refusal" => self.refusal = text(&part["refusal"]).map(str::to_owned),
            _ => match [&part[kind], &part["text"]]
                .into_iter()
                .find(|within| !within.is_null())
            {
                Some(Value::Array(within)) => {
                    for text in within.iter().filter_map(|part| part["text"].as_str()) {
                        self.thoughts.push_str(text);
                    }
                }
                thoughts => self
                    .thoughts
                    .push_str(thoughts.and_then(Value::as_str).unwrap_or_default()),
            },
        }
    }
}

#[cfg(test)]
mod tests;
