//! JSON as it is written: no key twice in an object, and numbers that are none to a computer with all their digits.
//!
//! `serde_json` by itself takes the last of two equal keys, rounds long numbers and makes zeros of very small ones. This
//! module knows nothing of what is read.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use indexmap::IndexMap;
use serde::de::{DeserializeOwned, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde::{Deserialize, Deserializer};
use serde_json::Number;
use serde_json::value::RawValue;
use smallvec::SmallVec;

/// A JSON value.
#[derive(Clone, Debug)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number that is one to a computer too.
    Number(Number),
    /// A number of more digits, or so small that it would be zero, as it is written.
    Long(Box<RawValue>),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object, its keys in order.
    Object(IndexMap<String, Json>),
}

/// Reads one value.
///
/// # Errors
/// What is wrong, with the line and the column.
pub fn read(text: &str) -> serde_json::Result<Json> {
    let quick: Quick = serde_json::from_str(text)?;
    if quick.rounded || quick.zero && has_negative_exponent(text) {
        return exact(serde_json::from_str(text)?);
    }
    Ok(quick.json)
}

/// Reads a value of a known form; no object in it has a key twice.
///
/// # Errors
/// What is wrong, with the line and the column.
pub fn read_as<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    check(text)?;
    serde_json::from_str(text)
}

/// Sees that a text is JSON and that no object in it has a key twice.
///
/// # Errors
/// What is wrong, with the line and the column.
pub fn check(text: &str) -> serde_json::Result<()> {
    serde_json::from_str::<Checked>(text).map(|_| ())
}

/// The more keys an object has, the longer it takes to compare each with all; from so many on they are sorted.
const FEW: usize = 16;

/// A value of which nothing is kept.
struct Checked;

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CheckedVisitor)
    }
}

struct CheckedVisitor;

impl<'de> Visitor<'de> for CheckedVisitor {
    type Value = Checked;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_str<E>(self, _: &str) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Checked, A::Error> {
        while elements.next_element::<Checked>()?.is_some() {}
        Ok(Checked)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Checked, A::Error> {
        let mut few: SmallVec<[Cow<'de, str>; FEW]> = SmallVec::new();
        let mut many: BTreeSet<Cow<'de, str>> = BTreeSet::new();
        while let Some(Key(key)) = entries.next_key()? {
            if few.contains(&key) || many.contains(&key) {
                return Err(A::Error::custom(twice(&key)));
            }
            if few.len() < FEW {
                few.push(key);
            } else {
                many.insert(key);
            }
            entries.next_value::<Checked>()?;
        }
        Ok(Checked)
    }
}

/// A key, as it stands in the text where it can.
#[derive(Deserialize)]
struct Key<'t>(#[serde(borrow)] Cow<'t, str>);

/// What is wrong with an object that has a key twice.
fn twice(key: &str) -> String {
    format!(
        "the key `{}` occurs twice in one object",
        key.escape_debug()
    )
}

/// Above this not every whole number is a double.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A value whose numbers are as `serde_json` reads them, and whether one of them may be another than is written.
struct Quick {
    json: Json,
    rounded: bool,
    /// Whether one is a zero with a point or an exponent, which a number too small for a computer comes out as.
    zero: bool,
}

impl<'de> Deserialize<'de> for Quick {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(QuickVisitor)
    }
}

struct QuickVisitor;

impl<'de> Visitor<'de> for QuickVisitor {
    type Value = Quick;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Quick, E> {
        Ok(plain(Json::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Quick, E> {
        Ok(plain(Json::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Quick, E> {
        Ok(plain(Json::Number(value.into())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Quick, E> {
        Ok(plain(Json::Number(value.into())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Quick, E> {
        Ok(Quick {
            json: Number::from_f64(value).map_or(Json::Null, Json::Number),
            rounded: value.abs() >= WHOLE,
            zero: value == 0.0,
        })
    }

    fn visit_str<E>(self, value: &str) -> Result<Quick, E> {
        Ok(plain(Json::Text(value.to_owned())))
    }

    fn visit_string<E>(self, value: String) -> Result<Quick, E> {
        Ok(plain(Json::Text(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Quick, A::Error> {
        let mut list = Vec::new();
        let (mut rounded, mut zero) = (false, false);
        while let Some(element) = elements.next_element::<Quick>()? {
            rounded |= element.rounded;
            zero |= element.zero;
            list.push(element.json);
        }
        Ok(Quick {
            json: Json::List(list),
            rounded,
            zero,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Quick, A::Error> {
        let mut object = IndexMap::new();
        let (mut rounded, mut zero) = (false, false);
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(twice(&key)));
            }
            let value = entries.next_value::<Quick>()?;
            rounded |= value.rounded;
            zero |= value.zero;
            object.insert(key, value.json);
        }
        Ok(Quick {
            json: Json::Object(object),
            rounded,
            zero,
        })
    }
}

fn plain(json: Json) -> Quick {
    Quick {
        json,
        rounded: false,
        zero: false,
    }
}

/// The value that a text holds, of which it is known that no key stands twice.
fn exact(raw: Box<RawValue>) -> serde_json::Result<Json> {
    let text = raw.get();
    Ok(match text.as_bytes().first() {
        Some(b'{') => {
            let entries: IndexMap<String, Box<RawValue>> = serde_json::from_str(text)?;
            let entries = entries
                .into_iter()
                .map(|(key, value)| Ok((key, exact(value)?)));
            Json::Object(entries.collect::<serde_json::Result<_>>()?)
        }
        Some(b'[') => {
            let elements: Vec<Box<RawValue>> = serde_json::from_str(text)?;
            Json::List(
                elements
                    .into_iter()
                    .map(exact)
                    .collect::<serde_json::Result<_>>()?,
            )
        }
        _ => match serde_json::from_str::<Quick>(text)? {
            quick if quick.rounded && !text.contains(['e', 'E']) => Json::Long(raw),
            quick if quick.zero && !is_zero(text) => Json::Long(raw),
            quick => quick.json,
        },
    })
}

/// Whether a number in a text may have a negative exponent.
fn has_negative_exponent(text: &str) -> bool {
    let mut minuses = memchr::memchr_iter(b'-', text.as_bytes());
    minuses.any(|at| {
        text[..at].ends_with(['e', 'E']) && text[at + 1..].starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Whether a number, as it is written, is zero.
fn is_zero(number: &str) -> bool {
    let digits = number.split(['e', 'E']).next().unwrap_or_default();
    digits
        .bytes()
        .all(|byte| matches!(byte, b'0' | b'.' | b'-'))
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Long(raw) => raw.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(list) => serializer.collect_seq(list),
            Self::Object(object) => {
                let mut map = serializer.serialize_map(Some(object.len()))?;
                for (key, value) in object {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// On one line, without blanks.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_key_that_stands_twice_is_refused_wherever_it_stands() {
        for text in [
            r#"{"a": 1, "a": 2}"#,
            r#"{"a": 1, "\u0061": 1}"#,
            r#"{"b": [{"a": {}, "c": 0, "a": {}}]}"#,
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(
                error.starts_with("the key `a` occurs twice in one object at line 1"),
                "{error}"
            );
            assert_eq!(check(text).unwrap_err().to_string(), error);
            assert!(read_as::<serde_json::Value>(text).is_err());
        }
        let many: Vec<String> = (0..99).map(|n| format!(r#""k{n}": {n}"#)).collect();
        assert!(check(&format!("{{{}}}", many.join(","))).is_ok());
        for key in ["k0", "k15", "k16", "k98"] {
            let text = format!(r#"{{{}, "{key}": 0}}"#, many.join(","));
            let said = format!("the key `{key}` occurs twice");
            assert!(check(&text).unwrap_err().to_string().starts_with(&said));
        }
        assert!(read(r#"{"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]}"#).is_ok());
    }

    #[test]
    fn whole_numbers_keep_their_digits() {
        let long = "1234567890123456789012345";
        for text in [
            long.to_owned(),
            format!("[{long},-{long}]"),
            format!(r#"{{"a":[{{"b":{long}}}],"c":"é","d":null,"e":1.5,"f":true}}"#),
        ] {
            assert_eq!(read(&text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn numbers_that_are_none_to_a_computer_stay_as_they_are_written() {
        for number in ["1e-99999999999", "-2.5E-400", "9007199254740993.0"] {
            let read = read(&format!("[0.0, {number}]")).unwrap();
            assert_eq!(read.to_string(), format!("[0.0,{number}]"));
        }
        assert_eq!(read("[0.0e-5, 1e-3]").unwrap().to_string(), "[0.0,0.001]");
    }

    #[test]
    fn what_is_written_otherwise_is_printed_as_before() {
        for text in [
            r#"{ "b" : [1, 2.50, "\u00e9"], "a": -0.0 }"#,
            "1e30",
            "9007199254740993",
            "[]",
        ] {
            let usual: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(text).unwrap().to_string(), usual.to_string());
        }
    }

    proptest! {
        #[test]
        fn what_is_checked_can_be_read_and_what_cannot_is_refused_in_the_same_words(
            text in r#"[\[{]{0,3}("(a|b|\\u0061)?"[:,]? ?|-?[0-9]{1,3}[,]? ?|null,?|[\[{}\]],?){0,12}[}\]]{0,3}"#,
        ) {
            let said = |result: serde_json::Result<()>| result.map_err(|error| error.to_string());
            prop_assert_eq!(said(check(&text)), said(read(&text).map(|_| ())));
        }
    }
}
