//! Keys: a digest of everything a result depends on, and of nothing else.
//!
//! A key is a struct one can print; its JSON is stored beside the result, so that `tribunal why`
//! can say which field changed. Paths, concurrency, endpoints, prices, thread counts and report
//! formats are in no key. This module does no input or output.

mod digest;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

pub use self::digest::{Digest, DigestError};
use crate::frame::Scalar;
use crate::model::{Message, Role};
use crate::plan::Node;
use crate::spec::{Sampling, Thinking};
use crate::stage::Stage;

/// Counts up when keys themselves change form.
pub const KEY_FORMAT: u32 = 1;

/// Everything the result of a node depends on.
#[derive(Clone, Debug, Serialize)]
pub struct NodeKey<'n> {
    /// Form of this key.
    pub format: u32,
    /// The stage's kind.
    pub kind: &'static str,
    /// The kind's version, bumped by hand.
    pub version: u32,
    /// The parameters, templates as digests.
    pub parameters: &'n Stage,
    /// Axis values that become columns here.
    pub labels: &'n BTreeMap<String, Scalar>,
    /// Digests of the files it reads, by role.
    pub files: &'n BTreeMap<String, Digest>,
    /// Digests of the contents of what it reads, in order.
    pub inputs: Vec<Digest>,
    /// The seed, where randomness is used.
    pub seed: Option<u64>,
    /// The stage's name, where randomness is used: it is part of what is drawn from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
}

impl<'n> NodeKey<'n> {
    /// The key of a node whose inputs are known.
    pub fn new(node: &'n Node, files: &'n BTreeMap<String, Digest>, inputs: Vec<Digest>) -> Self {
        let kind = node.stage.kind();
        Self {
            format: KEY_FORMAT,
            kind: kind.name(),
            version: kind.version(),
            parameters: &node.stage,
            labels: &node.labels,
            files,
            inputs,
            seed: node.seed,
            stage: node.seed.map(|_| node.name.to_string()),
        }
    }
}

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
    /// The digest that [`encode`] gives, without the copies of the conversation that a printed key takes: prompts are
    /// long and there are many.
    pub fn digest(&self) -> Digest {
        /// A message with its fields in the order of their names.
        #[derive(Serialize)]
        struct Sorted<'m> {
            content: &'m str,
            role: Role,
        }
        let messages: Vec<Sorted<'_>> = self
            .messages
            .iter()
            .map(|Message { role, content }| Sorted {
                content,
                role: *role,
            })
            .collect();
        let rest = CallKey {
            messages: &[],
            ..self.clone()
        };
        let length: usize = messages.iter().map(|message| message.content.len()).sum();
        // Room for line breaks and quotation marks, which take two bytes each.
        let mut text = Vec::with_capacity(length + length / 8 + 1024);
        let mut mark = b'{';
        for (name, value) in plain(&rest).as_object().into_iter().flatten() {
            text.push(mark);
            mark = b',';
            append(&mut text, name);
            text.push(b':');
            match name.as_str() {
                "messages" => append(&mut text, &messages),
                _ => append(&mut text, value),
            }
        }
        text.push(b'}');
        Digest::of(text)
    }
}

/// A key as JSON with sorted maps, and the digest of that text.
///
/// JSON text frames every value, so different keys never share an encoding; numbers that are not
/// finite cannot occur, because the spec refuses them.
///
/// # Panics
/// When a key has map keys that are not text, which none has.
pub fn encode(key: &impl Serialize) -> (Value, Digest) {
    let value = plain(key);
    let digest = Digest::of(value.to_string());
    (value, digest)
}

/// A key as JSON with sorted maps.
fn plain(key: &impl Serialize) -> Value {
    sorted(serde_json::to_value(key).expect("keys are plain data with text as map keys"))
}

/// Adds JSON to a text.
fn append(text: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(text, value).expect("plain data can be written to memory");
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let sorted_map: BTreeMap<String, Value> = map
                .into_iter()
                .map(|(key, value)| (key, sorted(value)))
                .collect();
            Value::Object(sorted_map.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        plain => plain,
    }
}

/// The fields in which two printed keys differ, as paths with both values.
pub fn differences(before: &Value, after: &Value) -> Vec<(String, Value, Value)> {
    fn walk(path: &str, before: &Value, after: &Value, found: &mut Vec<(String, Value, Value)>) {
        if before == after {
            return;
        }
        let join = |step: &str| {
            if path.is_empty() {
                step.to_owned()
            } else {
                format!("{path}.{step}")
            }
        };
        match (before, after) {
            (Value::Object(a), Value::Object(b)) => {
                let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                for name in names {
                    let side = |map: &serde_json::Map<String, Value>| {
                        map.get(name).cloned().unwrap_or(Value::Null)
                    };
                    walk(&join(name), &side(a), &side(b), found);
                }
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                for (index, (a, b)) in a.iter().zip(b).enumerate() {
                    walk(&join(&index.to_string()), a, b, found);
                }
            }
            _ => found.push((path.to_owned(), before.clone(), after.clone())),
        }
    }
    let mut found = Vec::new();
    walk("", before, after, &mut found);
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::spec::ThinkingSwitch;

    #[test]
    fn the_order_of_map_keys_does_not_matter() {
        assert_eq!(
            encode(&json!({"a": 1, "b": 2})).1,
            encode(&json!({"b": 2, "a": 1})).1
        );
    }

    #[test]
    fn the_order_of_lists_matters() {
        assert_ne!(encode(&json!(["a", "b"])).1, encode(&json!(["b", "a"])).1);
    }

    #[test]
    fn texts_that_join_alike_differ() {
        assert_ne!(encode(&json!(["a", "bc"])).1, encode(&json!(["ab", "c"])).1);
    }

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

    #[test]
    fn differences_name_the_field() {
        let found = differences(
            &json!({"parameters": {"model": {"temperature": 0.0}}, "seed": null}),
            &json!({"parameters": {"model": {"temperature": 0.5}}, "seed": null}),
        );
        assert_eq!(
            found,
            [(
                "parameters.model.temperature".to_owned(),
                json!(0.0),
                json!(0.5)
            )]
        );
    }
}
