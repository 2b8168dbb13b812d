//! A value of a spec that is text, a number or a truth value.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::frame::Scalar;

/// Text, a number or a truth value. Numbers are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain(pub Scalar);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlainVisitor)
    }
}

struct PlainVisitor;

impl Visitor<'_> for PlainVisitor {
    type Value = Plain;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, a number or a boolean")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Plain, E> {
        Ok(Plain(Scalar::Bool(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Plain, E> {
        Ok(Plain(Scalar::Int(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Plain, E> {
        i64::try_from(value)
            .map(|value| Plain(Scalar::Int(value)))
            .map_err(|_| E::custom("the number is too large"))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Plain, E> {
        if value.is_finite() {
            Ok(Plain(Scalar::Float(value)))
        } else {
            Err(E::custom("a finite number is needed"))
        }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Plain, E> {
        Ok(Plain(Scalar::from(value)))
    }
}

impl JsonSchema for Plain {
    fn schema_name() -> Cow<'static, str> {
        "Plain".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number", "boolean"] })
    }
}
