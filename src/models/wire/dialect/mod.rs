//! The two dialects: what a question becomes, and what an answer means.
//!
//! Pure. Nothing here sends.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answer::Answer;
use super::secret::Secret;
use super::{anthropic, fault, openai};
use crate::models::ask::{CallError, Message, Question, Reply, Role};
use crate::models::spec::{ModelSpec, Provider, ThinkingSwitch};

/// How a server is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Chat completions, as OpenAI and most servers of open models have them.
    OpenAi,
    /// Messages, as Anthropic has them.
    Anthropic,
}

/// A reply as it was received.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// The reply; how long it took is not known here.
    pub reply: Reply,
    /// The server's name for it.
    pub id: Option<String>,
}

impl Dialect {
    /// The dialect of a provider, if it is a server.
    pub fn of(provider: &Provider) -> Option<Self> {
        match provider {
            Provider::OpenAi(_) => Some(Self::OpenAi),
            Provider::Anthropic(_) => Some(Self::Anthropic),
            Provider::Heuristic(_) | Provider::Recorded { .. } | Provider::Scripted { .. } => None,
        }
    }

    /// Where questions are sent to, under a base url.
    pub fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "chat/completions",
            Self::Anthropic => "messages",
        }
    }

    /// What a question becomes: the fields of a request, those of the model's `extra` last and stronger than all
    /// others. Objects are not merged, but for `chat_template_kwargs`, where thinking may have put its flag.
    ///
    /// # Errors
    /// [`CallError::Fatal`] when this dialect cannot say what the spec wants.
    pub fn request(
        self,
        spec: &ModelSpec,
        question: &Question,
    ) -> Result<Map<String, Value>, CallError> {
        let mut fields = match self {
            Self::OpenAi => openai::request(spec, question),
            Self::Anthropic => anthropic::request(spec, question)?,
        };
        for (name, value) in &spec.extra {
            match (fields.get_mut(name), value) {
                (Some(Value::Object(ours)), Value::Object(theirs))
                    if name == "chat_template_kwargs" =>
                {
                    ours.extend(theirs.clone());
                }
                _ => {
                    fields.insert(name.clone(), value.clone());
                }
            }
        }
        Ok(fields)
    }

    /// The bytes of a request. The same question is always the same bytes.
    ///
    /// # Errors
    /// As [`Dialect::request`].
    pub fn body(self, spec: &ModelSpec, question: &Question) -> Result<Vec<u8>, CallError> {
        let fields = self.request(spec, question)?;
        let length: usize = question
            .messages
            .iter()
            .map(|said| said.content.len())
            .sum();
        // Room for line breaks and quotation marks, which take two bytes each: prompts are long.
        let mut body = Vec::with_capacity(length + length / 8 + 1024);
        serde_json::to_writer(&mut body, &fields)
            .map_err(|error| CallError::Fatal(error.to_string()))?;
        Ok(body)
    }

    /// The headers of a request for JSON, with the key if there is one.
    pub fn headers(self, key: Option<&Secret>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let (name, value) = match self {
            Self::OpenAi => (
                AUTHORIZATION,
                key.map(|key| format!("Bearer {}", key.reveal())),
            ),
            Self::Anthropic => {
                headers.insert(
                    HeaderName::from_static("anthropic-version"),
                    HeaderValue::from_static(anthropic::VERSION),
                );
                let name = HeaderName::from_static("x-api-key");
                (name, key.map(|key| key.reveal().to_owned()))
            }
        };
        // A secret is visible ASCII, which every header takes.
        if let Some(mut value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        headers
    }

    /// What an answer means.
    ///
    /// # Errors
    /// Why there is no reply in it.
    pub fn read(self, answer: &Answer, spec: &ModelSpec) -> Result<Received, CallError> {
        if !(200..300).contains(&answer.status) {
            return Err(fault::of_answer(answer, spec));
        }
        if answer.essence() == "text/event-stream" {
            return Err(CallError::Fatal(
                "the server sends its reply in pieces, which are not read: take `stream` out of `extra`"
                    .to_owned(),
            ));
        }
        let value = answer.json().map_err(|what| {
            if answer.is_page() {
                return CallError::Fatal(fault::page(&answer.url));
            }
            CallError::Broken(format!("{what}, where a reply was expected"))
        })?;
        self.read_value(None, &value, spec, &answer.url)
    }

    /// What an answer means that came as part of another, such as a line of a batch's results, with its own status if it
    /// has one. `url` is what was asked.
    ///
    /// # Errors
    /// Why there is no reply in it.
    pub fn read_value(
        self,
        status: Option<u16>,
        value: &Value,
        spec: &ModelSpec,
        url: &str,
    ) -> Result<Received, CallError> {
        let failed = status.is_some_and(|status| !(200..300).contains(&status));
        if failed || fault::is_error(value) {
            return Err(fault::within(status.filter(|_| failed), value, spec, url));
        }
        match self {
            Self::OpenAi => openai::reply(value, spec, url),
            Self::Anthropic => anthropic::reply(value),
        }
    }
}

/// A conversation as a server is given it: with the line that says whether to think at the end of the system message.
pub fn conversation(spec: &ModelSpec, messages: &[Message]) -> Vec<Message> {
    let mut line = thinking_line(spec);
    let mut said = Vec::with_capacity(messages.len() + 1);
    for message in messages {
        let mut message = message.clone();
        if message.role == Role::System
            && let Some(line) = line.take()
        {
            message.content = format!("{}\n{line}", message.content);
        }
        said.push(message);
    }
    if let Some(line) = line {
        let message = Message {
            role: Role::System,
            content: line.to_owned(),
        };
        said.insert(0, message);
    }
    said
}

/// The line of the system message that says whether to think, if that is how the model is told.
pub(super) fn thinking_line(spec: &ModelSpec) -> Option<&str> {
    let thinking = spec.thinking.as_ref()?;
    let [on, off] = thinking.lines.as_ref()?;
    let line = if thinking.on { on } else { off };
    (thinking.by == ThinkingSwitch::System && !line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests;
