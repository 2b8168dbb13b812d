//! The key of a call.

use serde::Serialize;
use serde_json::Value;

use super::spec::{Sampling, Thinking};
use crate::base::compact::{push, push_text};
use crate::base::key::{Digest, plain};
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
    /// The digest that [`encode`](crate::base::key::encode) gives, without the copies of the conversation that a printed key takes: prompts are
    /// long and there are many.
    pub fn digest(&self) -> Digest {
        let rest = CallKey {
            messages: &[],
            ..self.clone()
        };
        let contents = self.messages.iter().map(|message| message.content.len());
        let length: usize = contents.sum();
        // Room for line breaks and quotation marks, which take two bytes each.
        let mut text = Vec::with_capacity(length + length / 8 + 1024);
        let mut mark = b'{';
        for (name, value) in plain(&rest).as_object().into_iter().flatten() {
            text.push(mark);
            mark = b',';
            push_text(&mut text, name);
            text.push(b':');
            match name.as_str() {
                "messages" => push_messages(&mut text, self.messages),
                _ => push(&mut text, value),
            }
        }
        text.push(b'}');
        Digest::of(text)
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
            (temperature, repeat, thinks, pinned) in (any::<Option<f32>>(), 0..3_u32, any::<bool>(), any::<bool>()),
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
                attempt: 0,
            };
            prop_assert_eq!(key.digest(), encode(&key).1);
        }
    }
}
