//! From a question to the fields of a chat completion.

use serde_json::{Map, Value, json};
use url::Url;

use crate::models::ask::{Question, Role};
use crate::models::provider::conversation;
use crate::models::spec::{ModelSpec, Sampling, ThinkingSwitch};

/// What the schema of replies is called; servers want a name and make nothing of it.
const SCHEMA: &str = "reply";

/// How the hosts of OpenAI and Azure end, the regions and names of accounts in front.
const OPENAI: [&str; 4] = [
    ".api.openai.com",
    ".openai.azure.com",
    ".services.ai.azure.com",
    ".cognitiveservices.azure.com",
];

/// The fields of a request. What the spec leaves open is left to the server.
///
/// * The longest reply is `max_completion_tokens` at OpenAI itself and on Azure, where reasoning models refuse the older
///   `max_tokens`, and `max_tokens` everywhere else, where the newer name is often not known.
/// * `top_k` is no field of OpenAI's, but one of vLLM, llama.cpp, Ollama and most others.
/// * How a reply begins is a last message of the assistant. llama.cpp, Ollama and others go on from it by themselves, vLLM and
///   SGLang if they are told to, in the two fields that no other server minds.
/// * A thinking budget has no field of its own; servers that know one take it in `extra`.
pub(super) fn request(spec: &ModelSpec, question: &Question) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("model".to_owned(), spec.asked().into());
    fields.insert("messages".to_owned(), messages(spec, question).into());
    sampling(spec, question, &mut fields);
    if let Some(schema) = &question.schema {
        let schema = json!({"name": SCHEMA, "strict": true, "schema": **schema});
        fields.insert(
            "response_format".to_owned(),
            json!({"type": "json_schema", "json_schema": schema}),
        );
    }
    thinking(spec, &mut fields);
    if question.begins().is_some() {
        fields.insert("continue_final_message".to_owned(), true.into());
        fields.insert("add_generation_prompt".to_owned(), false.into());
    }
    fields
}

fn messages(spec: &ModelSpec, question: &Question) -> Vec<Value> {
    let messages = conversation(spec, &question.messages).into_iter();
    messages
        .map(|message| said(message.role, message.content))
        .collect()
}

fn said(role: Role, content: String) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), word(role).into());
    message.insert("content".to_owned(), content.into());
    Value::Object(message)
}

fn word(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

fn sampling(spec: &ModelSpec, question: &Question, fields: &mut Map<String, Value>) {
    let Sampling {
        temperature,
        top_p,
        top_k,
        max_tokens,
        seed,
        stop,
        logprobs,
    } = &spec.sampling;
    // Which of the two it is called is asked only where it is said: it takes reading the urls.
    let longest = || {
        if is_openai(spec) {
            "max_completion_tokens"
        } else {
            "max_tokens"
        }
    };
    let stop = (!stop.is_empty()).then(|| stop.clone());
    let given: [Option<(&str, Value)>; 8] = [
        temperature.map(|number| ("temperature", number.into())),
        top_p.map(|number| ("top_p", number.into())),
        top_k.map(|number| ("top_k", number.into())),
        max_tokens.map(|number| (longest(), number.into())),
        seed.map(|seed| ("seed", question.seed(seed).into())),
        stop.map(|texts| ("stop", texts.into())),
        logprobs.map(|_| ("logprobs", true.into())),
        logprobs.map(|number| ("top_logprobs", number.into())),
    ];
    for (name, value) in given.into_iter().flatten() {
        fields.insert(name.to_owned(), value);
    }
}

/// Whether a host is OpenAI's, or one of those under which Azure serves the same API.
pub(super) fn is_openai(spec: &ModelSpec) -> bool {
    let urls = spec.provider.server().map(|server| &server.base_urls);
    urls.into_iter().flatten().any(|url| {
        let url = Url::parse(url);
        let host = url.as_ref().ok().and_then(Url::host_str);
        host.is_some_and(|host| {
            host == "api.openai.com" || OPENAI.iter().any(|end| host.ends_with(end))
        })
    })
}

/// Thinking by a flag of the template or by how hard to think. Without a word for that a model that is to think is told
/// nothing, and one that is not is told `none`.
fn thinking(spec: &ModelSpec, fields: &mut Map<String, Value>) {
    let Some(thinking) = &spec.thinking else {
        return;
    };
    match thinking.by {
        ThinkingSwitch::Template => {
            fields.insert(
                "chat_template_kwargs".to_owned(),
                json!({"enable_thinking": thinking.on}),
            );
        }
        ThinkingSwitch::Parameter => {
            let none = (!thinking.on).then(|| "none".to_owned());
            if let Some(effort) = thinking.effort.clone().or(none) {
                fields.insert("reasoning_effort".to_owned(), effort.into());
            }
        }
        ThinkingSwitch::Untold | ThinkingSwitch::System => {}
    }
}

#[cfg(test)]
mod tests;
