//! What holds at every provider: what a question becomes, and what an answer means.

use serde_json::{Map, Value};

use super::answer::Answer;
use super::contract::{Contract, Feature, Received};
use super::fault;
use crate::base::compact::push_object;
use crate::models::ask::{CallError, Message, Question, Role};
use crate::models::dialect::{Dialect, dialects};
use crate::models::spec::{ModelSpec, ThinkingSwitch};

macro_rules! contracts {
    ($($(#[$doc:meta])* $name:literal: $folder:ident, $dialect:ident;)*) => {
        impl Dialect {
            /// The provider.
            pub(crate) fn contract(self) -> &'static Contract {
                match self {
                    $(Self::$dialect => &crate::models::provider::$folder::CONTRACT,)*
                }
            }
        }
    };
}

dialects!(contracts);

impl Dialect {
    /// Whether its servers take something.
    pub(crate) fn takes(self, feature: Feature) -> bool {
        !self.contract().lacks.contains(&feature)
    }

    /// What a question becomes: the fields of a request, those of the model's `extra` last and stronger than all
    /// others. Objects are not merged, but for `chat_template_kwargs`, where thinking may have put its flag.
    ///
    /// # Errors
    /// [`CallError::Fatal`] when this dialect cannot say what the spec wants.
    pub(crate) fn request(
        self,
        spec: &ModelSpec,
        question: &Question,
    ) -> Result<Map<String, Value>, CallError> {
        let begins = question.begins();
        let unable = begins.and_then(|_| (self.contract().begins_itself)(spec));
        if let Some(why) = unable {
            let name = &spec.name;
            return Err(CallError::Fatal(format!(
                "model `{name}` cannot go on from how the reply begins: {why}"
            )));
        }
        let mut fields = (self.contract().request)(spec, question)?;
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
    pub(crate) fn body(self, spec: &ModelSpec, question: &Question) -> Result<Vec<u8>, CallError> {
        let fields = self.request(spec, question)?;
        let length: usize = question
            .messages
            .iter()
            .map(|said| said.content.len())
            .sum();
        // Room for line breaks and quotation marks, which take two bytes each: prompts are long.
        let mut body = Vec::with_capacity(length + length / 8 + 1024);
        push_object(&mut body, &fields);
        Ok(body)
    }

    /// What an answer means.
    ///
    /// # Errors
    /// Why there is no reply in it.
    pub(crate) fn read(self, answer: &Answer, spec: &ModelSpec) -> Result<Received, CallError> {
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
    pub(crate) fn read_value(
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
        (self.contract().reply)(value, spec, url)
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
