//! What an error body says, out of the many shapes there are.
//!
//! * OpenAI, newer vLLM, llama.cpp, Ollama: `{"error": {"message", "type", "param", "code"}}`, where `code` is a word or the
//!   status;
//! * older vLLM, SGLang, Mistral: the same fields with `"object": "error"` and nothing around them;
//! * Anthropic: `{"type": "error", "error": {"type", "message"}}`;
//! * servers made with FastAPI: `{"detail": "…"}` or a list of `{"loc", "msg"}`;
//! * `{"error": "…"}` (TGI, Ollama's own API, vLLM without a key), Gemini's list of one, Azure's `innererror`, OpenRouter's
//!   `metadata`.

use serde_json::Value;

use crate::models::provider::answer::{Answer, excerpt, parse, text};

/// The most of a message that is passed on, in characters.
const MESSAGE: usize = 300;

/// The most of a message that is looked at, in bytes.
const LOOKED_AT: usize = 4096;

/// How deep errors are wrapped into each other at most.
const WRAPPED: usize = 3;

/// What an error says.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// The message, on one line and not too long; or nothing.
    pub(super) message: String,
    /// The beginning of the message, in lower case.
    pub(in crate::models::provider) lower: String,
    /// Codes and types, in lower case.
    pub(super) words: Vec<String>,
    /// The field of the request that is wrong.
    pub(super) parameter: Option<String>,
    /// The HTTP status that is written into the body.
    pub(super) status: Option<u16>,
    /// Whether it came as JSON.
    pub(super) structured: bool,
}

/// Whether an answer is an error, whatever its status.
pub(in crate::models::provider) fn is_error(value: &Value) -> bool {
    let value = first(value);
    let said = match &value["error"] {
        Value::Null | Value::Bool(false) => false,
        Value::String(error) => !error.is_empty(),
        Value::Object(error) => !error.is_empty(),
        _ => true,
    };
    said || value["type"] == "error" || value["object"] == "error"
}

impl Said {
    /// What an answer says that is an error by its status. Of pages nothing is said: they are for eyes.
    pub(super) fn of_answer(answer: &Answer) -> Self {
        if let Some(value) =
            parse(&answer.body).filter(|value| value.is_object() || value.is_array())
        {
            return Self::of(&value);
        }
        if answer.essence() == "text/html" || answer.body.trim_ascii_start().starts_with(b"<") {
            return Self::default();
        }
        let body = &answer.body[..answer.body.len().min(LOOKED_AT)];
        Self::default().saying(&String::from_utf8_lossy(body))
    }

    /// What an error says.
    pub(super) fn of(value: &Value) -> Self {
        let outer = first(value);
        let mut inner = outer;
        for _ in 0..WRAPPED {
            match &inner["error"] {
                error @ Value::Object(_) => inner = error,
                _ => break,
            }
        }
        let mut said = Self {
            structured: true,
            ..Self::default()
        };
        for from in [inner, outer] {
            said.take_words(from);
        }
        let messages = [
            &inner["message"],
            &inner["detail"],
            &inner["error"],
            &outer["message"],
            &outer["error"],
        ];
        let mut message = messages
            .into_iter()
            .find_map(text)
            .unwrap_or_default()
            .to_owned();
        if let Some(detail) = inner["detail"].get(0) {
            said.parameter = field(&detail["loc"]);
            detail["msg"]
                .as_str()
                .unwrap_or_default()
                .clone_into(&mut message);
        }
        if let Some(raw) = text(&inner["metadata"]["raw"]) {
            message = format!("{message}: {raw}");
        }
        said.saying(&message)
    }

    /// Whether it has one of these codes.
    pub(in crate::models::provider) fn has(&self, codes: &[&str]) -> bool {
        self.words.iter().any(|word| codes.contains(&word.as_str()))
    }

    fn take_words(&mut self, from: &Value) {
        let names = [
            &from["code"],
            &from["type"],
            &from["status"],
            &from["error_type"],
            &from["innererror"]["code"],
        ];
        for value in names {
            if let Some(word) = text(value).filter(|word| word.len() <= 100) {
                self.words.push(word.to_ascii_lowercase());
            }
            let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
            let status = number.and_then(|n| u16::try_from(n).ok());
            self.status = self.status.or(status.filter(|n| (400..600).contains(n)));
        }
        if !from["metadata"]["flagged_input"].is_null() {
            self.words.push("content_filter".to_owned());
        }
        if self.parameter.is_none() {
            self.parameter = text(&from["param"]).map(str::to_owned);
        }
    }

    fn saying(self, message: &str) -> Self {
        let shown = excerpt(message.as_bytes(), MESSAGE);
        let looked_at = &message.as_bytes()[..message.len().min(LOOKED_AT)];
        Self {
            message: shown.trim_end_matches(['.', ' ']).to_owned(),
            lower: String::from_utf8_lossy(looked_at).to_lowercase(),
            ..self
        }
    }
}

/// Gemini puts its errors into a list.
fn first(value: &Value) -> &Value {
    value.get(0).unwrap_or(value)
}

/// The field that a list such as `["body", "temperature"]` leads to.
fn field(place: &Value) -> Option<String> {
    let steps = place.as_array()?;
    let names = steps.iter().filter_map(Value::as_str);
    names
        .skip_while(|name| *name == "body")
        .map(str::to_owned)
        .next()
}
