//! What a program says: its greeting, and its answer to a row.
//!
//! A line that is no answer is a mistake of the program; a value that is none is the row's alone. `NaN` and `Infinity`,
//! which Python writes for numbers that are none, are not JSON: they are read as what they are, and are no numbers.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Given, PROTOCOL};
use crate::base::json;
use crate::base::wording::shorten;

/// Longest piece of a line that a message quotes, in characters.
const QUOTED: usize = 80;

/// The key of what stands in the place of a number that is none.
const NO_NUMBER: &str = "\u{0}";

/// An answer to one row.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    /// The number of the row.
    pub(super) id: u64,
    /// The scores, by metric.
    #[serde(default)]
    pub(super) scores: Map<String, Value>,
    /// Why there are none.
    #[serde(default)]
    reason: Option<Why>,
    /// Why they are as they are.
    #[serde(default)]
    pub(super) explanation: Option<String>,
    /// Further columns.
    #[serde(default)]
    pub(super) gives: Map<String, Value>,
}

/// Why there is no value: of all, or of each by its name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Why {
    All(String),
    Each(Map<String, Value>),
}

/// Checks the first line. In words what is wrong with it.
pub(super) fn check_greeting(line: &[u8], declared: &str) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Greeting {
        scorer: String,
        protocol: u64,
    }
    let greeting: Greeting = serde_json::from_slice(line).map_err(|error| {
        format!(
            "the first line should be a greeting such as `{{\"scorer\": \"exact 1\", \"protocol\": {PROTOCOL}}}`, and is `{}` ({error})",
            quoted(line)
        )
    })?;
    if greeting.protocol != PROTOCOL {
        let found = greeting.protocol;
        return Err(format!(
            "it speaks protocol {found}, and only {PROTOCOL} is understood here"
        ));
    }
    if greeting.scorer != declared {
        return Err(format!(
            "it calls itself `{}`, and the spec declares `{declared}`: install that version, or declare this one (rows are then scored anew)",
            greeting.scorer
        ));
    }
    Ok(())
}

impl Answer {
    /// Reads a line. In words why it is no answer.
    pub(super) fn read(line: &[u8]) -> Result<Self, String> {
        let unreadable = |error: &dyn std::fmt::Display| {
            format!("the line `{}` cannot be read: {error}", quoted(line))
        };
        let text = std::str::from_utf8(line).map_err(|error| unreadable(&error))?;
        if !text.trim_start().starts_with('{') {
            // A list would be read as the fields in their order.
            return Err(unreadable(&"it is no object"));
        }
        let read = json::read_as::<Self>(text);
        let read = match (&read, without_no_numbers(text)) {
            (Err(_), Some(text)) => json::read_as::<Self>(&text),
            _ => read,
        };
        read.map_err(|error| unreadable(&error))
    }

    /// The program's reason for there being no value of this name.
    pub(super) fn why(&self, name: &str) -> Option<String> {
        match self.reason.as_ref()? {
            Why::All(why) => Some(why.clone()),
            Why::Each(all) => match all.get(name)? {
                Value::String(why) => Some(why.clone()),
                other => Some(shown(other)),
            },
        }
        .filter(|why| !why.trim().is_empty())
    }

    /// What it gives under a name; in words why there is no such value.
    pub(super) fn given(&self, name: &str, given: Given) -> Result<Value, String> {
        let value = match self.gives.get(name) {
            None => return Err(format!("the reply gives no `{name}`")),
            Some(Value::Null) => {
                let why = self.why(name);
                return Err(
                    why.unwrap_or_else(|| "the reply gives no value and no reason".to_owned())
                );
            }
            Some(value) => value,
        };
        let (fits, wanted) = match given {
            Given::Number => (number(value).is_some(), "no number"),
            Given::Text => (value.is_string(), "no text"),
            Given::Boolean => (value.is_boolean(), "neither `true` nor `false`"),
            Given::Json => (
                (value.is_array() || value.is_object()) && !holds_no_number(value),
                "neither a list nor an object of JSON",
            ),
        };
        if fits {
            Ok(value.clone())
        } else {
            Err(format!(
                "the reply gives `{}`, which is {wanted}",
                shown(value)
            ))
        }
    }
}

/// A value as a number, if it is one.
pub(super) fn number(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite())
}

/// A value for a message.
pub(super) fn shown(value: &Value) -> String {
    match no_number(value) {
        Some(written) => written.to_owned(),
        None => shorten(&value.to_string(), QUOTED),
    }
}

/// What was written in the place of a number that is none.
fn no_number(value: &Value) -> Option<&str> {
    value.get(NO_NUMBER)?.as_str()
}

fn holds_no_number(value: &Value) -> bool {
    no_number(value).is_some()
        || match value {
            Value::Array(list) => list.iter().any(holds_no_number),
            Value::Object(object) => object.values().any(holds_no_number),
            _ => false,
        }
}

/// The same JSON with an object in the place of each number that is none, if there is any.
fn without_no_numbers(text: &str) -> Option<String> {
    let mut made = String::with_capacity(text.len());
    let (mut found, mut in_text) = (false, false);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if in_text {
            // An escaped character is two; neither ends the text.
            let length = match next {
                '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                next => next.len_utf8(),
            };
            in_text = next != '"';
            made.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        if word.is_empty() {
            in_text = next == '"';
            made.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        }
        // `inf`, `NaN`, `-Infinity` and `1e999` alike.
        if word.parse::<f64>().is_ok_and(|number| !number.is_finite()) {
            found = true;
            made.push_str("{\"\\u0000\":\"");
            made.push_str(word);
            made.push_str("\"}");
        } else {
            made.push_str(word);
        }
        rest = &rest[length..];
    }
    found.then_some(made)
}

/// The start of a line, for a message.
pub(super) fn quoted(line: &[u8]) -> String {
    // Four bytes are the most that a character takes.
    let start = &line[..line.len().min(4 * (QUOTED + 1))];
    shorten(String::from_utf8_lossy(start).trim_end(), QUOTED)
}
