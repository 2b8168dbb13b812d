//! JSON as bytes, as `serde_json` writes it, but for how long it takes: prompts are long, there are many, and looking at
//! each of their bytes is a tenth of what a call costs.

use serde::Serialize;
use serde_json::{Map, Value};

/// Adds a value.
pub fn push(to: &mut Vec<u8>, value: &Value) {
    match value {
        Value::String(text) => push_text(to, text),
        Value::Array(list) => {
            to.push(b'[');
            for (at, element) in list.iter().enumerate() {
                if at > 0 {
                    to.push(b',');
                }
                push(to, element);
            }
            to.push(b']');
        }
        Value::Object(object) => push_object(to, object),
        Value::Null | Value::Bool(_) | Value::Number(_) => append(to, value),
    }
}

/// Adds an object.
pub fn push_object(to: &mut Vec<u8>, object: &Map<String, Value>) {
    to.push(b'{');
    for (at, (name, value)) in object.iter().enumerate() {
        if at > 0 {
            to.push(b',');
        }
        push_text(to, name);
        to.push(b':');
        push(to, value);
    }
    to.push(b'}');
}

/// Adds a text.
pub fn push_text(to: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    // Many bytes are compared at once where none is left out and nothing is wider than they are.
    let control = |any: u8, &byte: &u8| any | u8::from(byte < b' ') & u8::from(byte != b'\n');
    if bytes
        .chunks(1024)
        .any(|some| some.iter().fold(0, control) > 0)
    {
        return append(to, text);
    }
    to.push(b'"');
    let mut from = 0;
    for at in memchr::memchr3_iter(b'"', b'\\', b'\n', bytes) {
        to.extend_from_slice(&bytes[from..at]);
        to.extend_from_slice(match bytes[at] {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            _ => b"\\n",
        });
        from = at + 1;
    }
    to.extend_from_slice(&bytes[from..]);
    to.push(b'"');
}

fn append(to: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(to, value).expect("plain data can be written to memory");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn long_texts_are_written_as_by_serde_json() {
        let plain = "She said \"no\" \\ twice,\nand left.\u{7f}\u{2028} ".repeat(100);
        for text in [plain.clone(), format!("{plain}\t{plain}"), plain + "\u{0}"] {
            let mut bytes = Vec::new();
            push_text(&mut bytes, &text);
            assert_eq!(String::from_utf8(bytes).unwrap(), json!(text).to_string());
        }
    }

    proptest! {
        #[test]
        fn a_value_is_written_as_by_serde_json(
            texts in prop::collection::vec("(?s)(.|[\"\\\\\n\t\u{1}\u{7f}é]){0,60}", 1..5),
            numbers in prop::collection::vec((any::<i64>(), any::<f64>()), 0..3),
        ) {
            let numbers: Vec<Value> = numbers.into_iter().map(|(whole, number)| json!([whole, number])).collect();
            let names = texts.iter().map(|text| (text.clone(), json!({"text": text, "none": null, "yes": true})));
            let value = json!({"texts": texts, "numbers": numbers, "empty": [{}, []], "names": names.collect::<Map<_, _>>()});
            let mut bytes = Vec::new();
            push(&mut bytes, &value);
            prop_assert_eq!(String::from_utf8(bytes).unwrap(), value.to_string());
        }
    }
}
