//! The JSON schema of specs, for editors; and the names of parameters, for messages.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::OneOrMany;
use super::raw::{
    RawClean, RawExport, RawFigure, RawGenerate, RawJudge, RawManipulate, RawMeasure, RawMemo,
    RawModel, RawSelect, RawSource, RawSpec, RawSplit, RawStats, RawTable, RawTruncate,
};
use crate::stage::Kind;

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

/// The parameters of a stage of this kind.
pub(super) fn parameters(kind: Kind) -> Vec<String> {
    match kind {
        Kind::Source => keys::<RawSource>(),
        Kind::Clean => keys::<RawClean>(),
        Kind::Select => keys::<RawSelect>(),
        Kind::Split => keys::<RawSplit>(),
        Kind::Truncate => keys::<RawTruncate>(),
        Kind::Manipulate => keys::<RawManipulate>(),
        Kind::Measure => keys::<RawMeasure>(),
        Kind::Generate => keys::<RawGenerate>(),
        Kind::Judge => keys::<RawJudge>(),
        Kind::Memo => keys::<RawMemo>(),
        Kind::Stats => keys::<RawStats>(),
        Kind::Table => keys::<RawTable>(),
        Kind::Figure => keys::<RawFigure>(),
        Kind::Export => keys::<RawExport>(),
    }
}

/// The parameters of a model.
pub(super) fn model_parameters() -> Vec<String> {
    keys::<RawModel>()
}

fn keys<T: JsonSchema>() -> Vec<String> {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    schema
        .get("properties")
        .and_then(Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}

impl<T: JsonSchema> JsonSchema for OneOrMany<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("OneOrMany_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}
