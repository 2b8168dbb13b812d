//! Names, each under its own or another one: `["score"]`, or `{ second_score = "score" }`.
//!
//! Read by a visitor rather than an untagged enum, which would buffer its content and lose the place of mistakes.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Pairs of names in the order in which they are written; of a list, each name twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renamed(pub Vec<(String, String)>);

impl<'de> Deserialize<'de> for Renamed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Renamed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name, a list of names, or a table of names")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Renamed, E> {
                Ok(Renamed(vec![(name.to_owned(), name.to_owned())]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Renamed, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = list.next_element::<String>()? {
                    names.push((name.clone(), name));
                }
                Ok(Renamed(names))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Renamed, A::Error> {
                let mut names = Vec::new();
                while let Some(pair) = table.next_entry::<String, String>()? {
                    names.push(pair);
                }
                Ok(Renamed(names))
            }
        }
        deserializer.deserialize_any(Names)
    }
}

impl JsonSchema for Renamed {
    fn schema_name() -> Cow<'static, str> {
        "Renamed".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let name = json_schema!({ "type": "string" });
        json_schema!({ "anyOf": [
            name,
            { "type": "array", "items": name },
            { "type": "object", "additionalProperties": name },
        ] })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::toml::Tree;

    fn read(json: &serde_json::Value) -> Vec<(String, String)> {
        let tree = Tree::from_json(json).unwrap();
        let Renamed(names) = tree.deserialize().unwrap();
        names
    }

    #[test]
    fn a_name_stands_for_itself_or_for_another() {
        let own = |name: &str| (name.to_owned(), name.to_owned());
        assert_eq!(read(&json!("a")), [own("a")]);
        assert_eq!(read(&json!(["b", "a"])), [own("b"), own("a")]);
        let other = ("new".to_owned(), "old".to_owned());
        assert_eq!(read(&json!({ "new": "old", "a": "a" })), [other, own("a")]);
    }
}
