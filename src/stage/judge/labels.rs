//! The labels of a scale as specs write them.
//!
//! Read by visitors rather than untagged enums, which would buffer their content and lose the place of mistakes.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::models::score::Label;
use crate::toml::OneOrMany;

/// A list of labels, which stand for 1, 2, 3 and so on, or a table of labels with their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RawLabels(pub(crate) Vec<Label>);

/// What a label stands for.
struct Meaning {
    value: f64,
    aliases: Vec<String>,
}

impl<'de> Deserialize<'de> for RawLabels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl<'de> Visitor<'de> for Written {
            type Value = RawLabels;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of labels, or a table of labels and their numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RawLabels, A::Error> {
                let mut labels = Vec::new();
                let mut value = 0.0;
                while let Some(name) = list.next_element::<String>()? {
                    value += 1.0;
                    labels.push(Label {
                        name,
                        value,
                        aliases: Vec::new(),
                    });
                }
                Ok(RawLabels(labels))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<RawLabels, A::Error> {
                let mut labels = Vec::new();
                while let Some((name, meaning)) = table.next_entry::<String, Meaning>()? {
                    let Meaning { value, aliases } = meaning;
                    labels.push(Label {
                        name,
                        value,
                        aliases,
                    });
                }
                Ok(RawLabels(labels))
            }
        }
        deserializer.deserialize_any(Written)
    }
}

impl<'de> Deserialize<'de> for Meaning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// A label with more than a number.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct InFull {
            value: f64,
            #[serde(default)]
            aliases: OneOrMany<String>,
        }

        struct Written;
        impl<'de> Visitor<'de> for Written {
            type Value = Meaning;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or `{ value = 1, aliases = [\"first\"] }`")
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Meaning, E> {
                let aliases = Vec::new();
                Ok(Meaning { value, aliases })
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Meaning, E> {
                self.visit_f64(value as f64)
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Meaning, E> {
                self.visit_f64(value as f64)
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Meaning, A::Error> {
                let InFull { value, aliases } =
                    InFull::deserialize(MapAccessDeserializer::new(table))?;
                let aliases = aliases.0;
                Ok(Meaning { value, aliases })
            }
        }
        deserializer.deserialize_any(Written)
    }
}

impl JsonSchema for RawLabels {
    fn schema_name() -> Cow<'static, str> {
        "RawLabels".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let word = json_schema!({ "type": "string" });
        let number = json_schema!({ "type": "number" });
        let in_full = json_schema!({
            "type": "object",
            "properties": {
                "value": number,
                "aliases": { "anyOf": [word, { "type": "array", "items": word }] },
            },
            "required": ["value"],
            "additionalProperties": false,
        });
        json_schema!({ "anyOf": [
            { "type": "array", "items": word },
            { "type": "object", "additionalProperties": { "anyOf": [number, in_full] } },
        ] })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::toml::Tree;

    fn read(json: &Value) -> Vec<(String, f64, usize)> {
        let tree = Tree::from_json(json).unwrap();
        let RawLabels(labels) = tree.deserialize().unwrap();
        let labels = labels.into_iter();
        labels
            .map(|label| (label.name, label.value, label.aliases.len()))
            .collect()
    }

    #[test]
    fn labels_are_numbered_in_a_list_and_named_in_a_table() {
        let own = |name: &str, value: f64, aliases: usize| (name.to_owned(), value, aliases);
        assert_eq!(
            read(&json!(["Poor", "Good"])),
            [own("Poor", 1.0, 0), own("Good", 2.0, 0)]
        );
        let table = json!({ "yes": 1, "no": { "value": 0.0, "aliases": ["nope", "never"] } });
        assert_eq!(read(&table), [own("yes", 1.0, 0), own("no", 0.0, 2)]);
    }
}
