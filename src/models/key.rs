//! The key of a call.

use serde::Serialize;
use serde_json::Value;

use super::spec::{Sampling, Thinking};
use crate::base::compact::{push, push_text};
use crate::base::key::{Digest, Digesting, plain};
use crate::models::ask::Message;

/// Everything the reply to a call depends on. Where the model is served is not part of it.
#[derive(Clone, Debug, Serialize)]
pub struct CallKey<'c> {
    /// Form of this key.
    pub format: u32,
    /// The model's name and revision, as asked for.
    pub model: &'c str,
    /// The revision, if one is pinned.
    pub revision: Option<&'c str>,
    /// The conversation.
    pub messages: &'c [Message],
    /// Sampling parameters.
    pub sampling: &'c Sampling,
    /// Whether and how the model thinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<&'c Thinking>,
    /// Further fields of the request.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub extra: &'c serde_json::Map<String, Value>,
    /// The dialect that the server speaks, which shapes the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<&'static str>,
    /// The JSON schema that the reply is held to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<&'c Value>,
    /// What a scripted model reads its replies from.
    pub script: Option<Digest>,
    /// 0-based number of the repeat.
    pub repeat: u32,
    /// 0-based number of the attempt after replies cut off by the length limit.
    pub attempt: u32,
}

impl CallKey<'_> {
    /// What it has in common with the keys of the same stage: all but the conversation and the numbers of repeat and
    /// attempt.
    pub fn form(&self) -> Form {
        let bare = CallKey {
            messages: &[],
            ..self.clone()
        };
        let mut form = Form::default();
        let (mut text, mut mark) = (Vec::new(), b'{');
        for (name, value) in plain(&bare).as_object().into_iter().flatten() {
            text.push(mark);
            mark = b',';
            push_text(&mut text, name);
            text.push(b':');
            let part = match name.as_str() {
                "attempt" => &mut form.head,
                "messages" => &mut form.until_messages,
                "repeat" => &mut form.until_repeat,
                _ => {
                    push(&mut text, value);
                    continue;
                }
            };
            *part = std::mem::take(&mut text);
        }
        text.push(b'}');
        form.tail = text;
        form
    }
}

/// The printed keys of a stage's calls but for what differs among them. Prompts are long and there are many: what is the
/// same in all keys is printed once, and a conversation is digested once for all its repeats.
#[derive(Clone, Debug, Default)]
pub struct Form {
    // The names of fields are in the order of the alphabet, so these parts are, too.
    head: Vec<u8>,
    until_messages: Vec<u8>,
    until_repeat: Vec<u8>,
    tail: Vec<u8>,
}

impl Form {
    /// The keys of calls that hold this conversation, at this attempt.
    pub fn begin(&self, messages: &[Message], attempt: u32) -> Keys {
        let contents = messages.iter().map(|message| message.content.len());
        let length: usize = contents.sum();
        // Room for line breaks and quotation marks, which take two bytes each.
        let mut text = Vec::with_capacity(length + length / 8 + 1024);
        text.extend_from_slice(&self.head);
        text.extend_from_slice(attempt.to_string().as_bytes());
        text.extend_from_slice(&self.until_messages);
        push_messages(&mut text, messages);
        text.extend_from_slice(&self.until_repeat);
        Keys {
            digested: Digesting::of(&text),
            tail: self.tail.clone(),
        }
    }

    /// The key of one call.
    pub fn digest(&self, messages: &[Message], repeat: u32, attempt: u32) -> Digest {
        self.begin(messages, attempt).digest(repeat)
    }
}

/// The keys of the calls that differ in nothing but the number of the repeat.
#[derive(Clone, Debug)]
pub struct Keys {
    digested: Digesting,
    tail: Vec<u8>,
}

impl Keys {
    /// The key of the call of this repeat.
    pub fn digest(&self, repeat: u32) -> Digest {
        let mut digested = self.digested.clone();
        digested.add(repeat.to_string().as_bytes());
        digested.add(&self.tail);
        digested.end()
    }
}

/// Adds a conversation, the fields of a message in the order of their names.
fn push_messages(text: &mut Vec<u8>, messages: &[Message]) {
    text.push(b'[');
    for (at, message) in messages.iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        text.extend_from_slice(b"{\"content\":");
        push_text(text, &message.content);
        text.extend_from_slice(b",\"role\":");
        push(text, &plain(&message.role));
        text.push(b'}');
    }
    text.push(b']');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::base::key::{KEY_FORMAT, encode};
    use crate::models::ask::Role;
    use crate::models::spec::ThinkingSwitch;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn the_digest_of_a_call_is_that_of_its_printed_key(
            contents in prop::collection::vec(".{0,40}", 0..4),
            extra in prop::collection::vec("[a-z\"é]{0,8}", 0..3),
            (temperature, repeat, attempt) in (any::<Option<f32>>(), 0..12_u32, 0..3_u32),
            (thinks, pinned) in (any::<bool>(), any::<bool>()),
        ) {
            let roles = [Role::System, Role::User, Role::Assistant, Role::User];
            let messages: Vec<Message> = contents
                .into_iter()
                .zip(roles)
                .map(|(content, role)| Message { role, content })
                .collect();
            let sampling = Sampling {
                temperature: temperature.map(f64::from).filter(|number| number.is_finite()),
                stop: extra.clone(),
                ..Sampling::default()
            };
            let thinking = Thinking {
                on: true,
                by: ThinkingSwitch::Parameter,
                lines: None,
                effort: Some("low".to_owned()),
                budget: None,
                opened: false,
                tag: "think".to_owned(),
            };
            // Not in the order of names, and with a list that looks like the conversation.
            let extra = extra.iter().rev().map(|name| (name.clone(), json!({"messages": [], "b": 1, "a": 0.5})));
            let extra = extra.collect();
            let schema = json!({"type": "object", "properties": {}});
            let key = CallKey {
                format: KEY_FORMAT,
                model: "m",
                revision: pinned.then_some("r"),
                messages: &messages,
                sampling: &sampling,
                thinking: thinks.then_some(&thinking),
                extra: &extra,
                dialect: None,
                schema: pinned.then_some(&schema),
                script: thinks.then(|| Digest::of("script")),
                repeat,
                attempt,
            };
            // Made of the key of another call of the same stage.
            let other = CallKey { messages: &[], repeat: 7, attempt: 3, ..key.clone() };
            let keys = other.form().begin(&messages, attempt);
            prop_assert_eq!(keys.digest(repeat), encode(&key).1);
            prop_assert_eq!(keys.digest(repeat), key.form().digest(&messages, repeat, attempt));
        }
    }
}
