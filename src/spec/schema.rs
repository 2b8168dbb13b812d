//! The JSON schema of specs, for editors; and the names of parameters, for messages.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::OneOrMany;
use super::raw::{
    RawJudge, RawModel, RawSelect, RawSource, RawSpec, RawStats, RawTable, RawTruncate,
};
use crate::stage::Kind;

/// The JSON schema (draft 7, which editors of TOML understand) of a spec.
pub fn schema() -> serde_json::Value {
    SchemaSettings::draft07()
        .into_generator()
        .into_root_schema_for::<RawSpec>()
        .to_value()
}

/// The parameters of a stage of this kind.
pub(super) fn parameters(kind: Kind) -> Vec<String> {
    match kind {
        Kind::Source => keys::<RawSource>(),
        Kind::Select => keys::<RawSelect>(),
        Kind::Truncate => keys::<RawTruncate>(),
        Kind::Judge => keys::<RawJudge>(),
        Kind::Stats => keys::<RawStats>(),
        Kind::Table => keys::<RawTable>(),
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
        .and_then(serde_json::Value::as_object)
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
