//! The JSON schema of specs, for editors; and the names of parameters, for messages.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::raw::RawSpec;
use crate::stage::check::RawModel;

/// The JSON schema (draft 7, which editors of TOML understand) of a spec.
pub fn schema() -> Value {
    let schema = SchemaSettings::draft07()
        .into_generator()
        .into_root_schema_for::<RawSpec>();
    without_null(schema.to_value())
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
