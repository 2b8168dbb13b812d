//! A value or a list of them: `from = "a"` and `from = ["a", "b"]`.
//!
//! Read by a visitor rather than an untagged enum, which would buffer its content and lose the place of mistakes. A
//! single value and a list of one are the same value, so that both spellings have one key.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{
    Deserialize, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::{Serialize, Serializer};

/// One or more values (or none, where the spec has an empty array); a single one need not stand in an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OneOrMany<T>(pub Vec<T>);

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> std::ops::Deref for OneOrMany<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> From<Vec<T>> for OneOrMany<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl<T> IntoIterator for OneOrMany<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a OneOrMany<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Serialize> Serialize for OneOrMany<T> {
    /// Always a list.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either(PhantomData))
    }
}

struct Either<T>(PhantomData<T>);

macro_rules! visit_one {
    ($($visit:ident: $plain:ty),* $(,)?) => {
        $(fn $visit<E: Error>(self, value: $plain) -> Result<Self::Value, E> {
            T::deserialize(value.into_deserializer()).map(|one| OneOrMany(vec![one]))
        })*
    };
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Either<T> {
    type Value = OneOrMany<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or an array of values")
    }

    visit_one!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str, visit_string: String);

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(elements)).map(OneOrMany)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(entries)).map(|one| OneOrMany(vec![one]))
    }
}

/// The name of a field, or several: a number is not told to be put in quotes.
///
/// # Errors
/// When it is neither.
pub(crate) fn fields<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<OneOrMany<String>>, D::Error> {
    deserializer.deserialize_any(Fields).map(Some)
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = OneOrMany<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field, or an array of names")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(OneOrMany(vec![name.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(elements)).map(OneOrMany)
    }
}

impl<T: JsonSchema> JsonSchema for OneOrMany<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("OneOrMany_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use crate::toml::Tree;

    fn read<T: serde::de::DeserializeOwned>(
        json: &serde_json::Value,
    ) -> Result<OneOrMany<T>, String> {
        let tree = Tree::from_json(json).ok_or("no tree")?;
        tree.deserialize().map_err(|fault| fault.to_string())
    }

    #[test]
    fn one_value_and_a_list_of_one_are_the_same() {
        assert_eq!(read::<String>(&json!("a")), read(&json!(["a"])));
        assert_eq!(read::<u8>(&json!(3)), Ok(OneOrMany(vec![3])));
        assert_eq!(read::<f64>(&json!([1, 0.5])), Ok(OneOrMany(vec![1.0, 0.5])));
        assert_eq!(read::<bool>(&json!([])), Ok(OneOrMany(Vec::new())));
        assert_eq!(
            serde_json::to_value(OneOrMany(vec![1])).ok(),
            Some(json!([1]))
        );
    }

    #[test]
    fn tables_can_be_one_or_many() {
        let one = read::<BTreeMap<String, u8>>(&json!({"a": 1}));
        assert_eq!(one, read(&json!([{"a": 1}])));
        assert_eq!(one.map(|tables| tables.len()), Ok(1));
    }

    #[test]
    fn a_mistake_keeps_its_place() {
        assert_eq!(
            read::<BTreeMap<String, u8>>(&json!([{"a": 1}, {"b": "x"}])),
            Err("`1.b`: expected u8".into())
        );
        assert_eq!(
            read::<BTreeMap<String, u8>>(&json!({"b": "x"})),
            Err("`b`: expected u8".into())
        );
    }
}
