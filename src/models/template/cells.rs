//! Cells of a table as templates and expressions see them.

use std::collections::BTreeMap;

use minijinja::value::Value;

use super::json;
use crate::frame::Scalar;

/// The variables as templates see them.
pub(super) fn values<'v>(
    variables: impl Iterator<Item = (&'v str, Scalar)>,
) -> BTreeMap<&'v str, Value> {
    variables
        .map(|(name, scalar)| (name, cell(name, scalar)))
        .collect()
}

/// A cell as prompts show it.
pub(super) fn cell(column: &str, scalar: Scalar) -> Value {
    match scalar {
        Scalar::Json(text) => json::value(&text, Some(column)),
        scalar => shown(scalar),
    }
}

/// A cell as templates and expressions see it.
pub fn value(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Null => Value::from(()),
        Scalar::Bool(b) => Value::from(b),
        Scalar::Int(i) => Value::from(i),
        Scalar::Float(x) => Value::from(x),
        Scalar::Text(text) => Value::from(text),
        Scalar::Json(text) => json::value(&text, None),
    }
}

/// What is neither list nor object as prompts show it: a whole number without `.0`.
pub(super) fn shown(scalar: Scalar) -> Value {
    match scalar {
        // Below 2^53 every whole number is exact.
        Scalar::Float(x) if x.fract() == 0.0 && x.abs() < 9_007_199_254_740_992.0 => {
            Value::from(x as i64)
        }
        other => value(other),
    }
}
