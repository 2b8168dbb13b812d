//! The JSON schema of specs, for editors; and the names of parameters, for messages.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::raw::RawSpec;
use crate::stage::check::RawModel;
use crate::toml::LIKE;

/// The JSON schema (draft 7, which editors of TOML understand) of a spec.
pub fn schema() -> Value {
    let schema = SchemaSettings::draft07()
        .into_generator()
        .into_root_schema_for::<RawSpec>();
    let mut schema = without_null(schema.to_value());
    with_like(&mut schema);
    schema
}

/// Tables that have names may be like others of their kind, which is none of what a kind reads.
fn with_like(schema: &mut Value) {
    let named = |section: &Value| {
        let table = section.pointer("/additionalProperties/$ref")?;
        table.as_str()?.strip_prefix('#').map(str::to_owned)
    };
    let sections = schema.get("properties").and_then(Value::as_object);
    let tables: Vec<String> = sections
        .into_iter()
        .flat_map(|all| all.values())
        .filter_map(named)
        .collect();
    for table in tables {
        let keys = schema.pointer_mut(&format!("{table}/properties"));
        if let Some(Value::Object(keys)) = keys {
            let says =
                "A table of the same kind whose keys this one copies; its own keys override them.";
            keys.insert(
                LIKE.to_owned(),
                json!({ "description": says, "type": "string" }),
            );
        }
    }
}

/// TOML has no null: a key that may be absent is simply not required.
fn without_null(value: Value) -> Value {
    let is_null = |value: &Value| *value == json!("null") || *value == json!({ "type": "null" });
    match value {
        Value::Object(map) => Value::Object(
            map.into_iter()
                .map(|(key, value)| (key, without_null(value)))
                .flat_map(|(key, value)| match (key.as_str(), value) {
                    // A choice of one is that one.
                    ("type" | "anyOf", Value::Array(mut choices)) if choices.len() == 1 => {
                        match choices.remove(0) {
                            Value::Object(only) if key == "anyOf" => only.into_iter().collect(),
                            only => vec![(key, only)],
                        }
                    }
                    (_, value) => vec![(key, value)],
                })
                .collect(),
        ),
        Value::Array(items) => Value::Array(
            items
                .into_iter()
                .filter(|item| !is_null(item))
                .map(without_null)
                .collect(),
        ),
        plain => plain,
    }
}

/// The parameters of a model.
pub(super) fn model_parameters() -> &'static [&'static str] {
    crate::toml::keys::<RawModel>()
}
