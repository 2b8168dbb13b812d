//! Values that satisfy a JSON schema, drawn from a digest.
//!
//! Knows `const`, `enum`, `anyOf`, `oneOf`, `$ref` within the schema, and the types with their
//! `minimum`, `maximum` and `minItems`; other keywords are ignored. Every property of an object is
//! given, required or not.

use serde_json::{Map, Value, json};

/// A stream of numbers that depends on a name and on nothing else.
pub(super) struct Draw(blake3::OutputReader);

impl Draw {
    pub(super) fn new(name: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        Self(hasher.update(name.as_bytes()).finalize_xof())
    }

    /// A number below `n`; its slight lean towards small ones does not matter here.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        u64::from_le_bytes(bytes) % n.max(1)
    }
}

/// What is answered to whoever asks for some JSON without saying which.
pub(super) fn any() -> Value {
    let score = json!({"type": "number", "minimum": 1, "maximum": 5});
    json!({"type": "object", "properties": {"fluency": score, "coherence": score}})
}

/// A value that satisfies `schema`, which is a part of `root`.
pub(super) fn instance(schema: &Value, root: &Value, draw: &mut Draw) -> Value {
    if let Some(path) = schema["$ref"].as_str() {
        let found = root.pointer(path.trim_start_matches('#'));
        return instance(found.unwrap_or(&Value::Null), root, draw);
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    if let Some(values) = schema["enum"].as_array() {
        return values[draw.below(values.len() as u64) as usize].clone();
    }
    if let Some(first) = schema["anyOf"].get(0).or(schema["oneOf"].get(0)) {
        return instance(first, root, draw);
    }
    let bound = |name: &str, otherwise: f64| schema[name].as_f64().unwrap_or(otherwise);
    let kind = match &schema["type"] {
        Value::Array(kinds) => &kinds[0],
        kind => kind,
    };
    match kind.as_str().unwrap_or("object") {
        "number" => {
            let (low, high) = (bound("minimum", 1.0), bound("maximum", 5.0));
            json!(low + draw.below((2.0 * (high - low)) as u64 + 1) as f64 / 2.0)
        }
        "integer" => {
            let (low, high) = (bound("minimum", 1.0), bound("maximum", 5.0));
            json!((low + draw.below((high - low) as u64 + 1) as f64) as i64)
        }
        "boolean" => json!(draw.below(2) == 1),
        "null" => Value::Null,
        "string" => json!(format!("text {}", draw.below(100))),
        "array" => {
            let least = schema["minItems"].as_u64().unwrap_or(1);
            let items = (0..least).map(|_| instance(&schema["items"], root, draw));
            items.collect()
        }
        _ => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let values =
                properties.map(|(name, value)| (name.clone(), instance(value, root, draw)));
            Value::Object(values.collect::<Map<_, _>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_the_shape_that_its_schema_asks_for() {
        let schema = json!({
            "type": "object",
            "properties": {
                "score": {"type": "number", "minimum": 0, "maximum": 10},
                "stars": {"type": ["integer", "null"], "minimum": 1, "maximum": 5},
                "label": {"enum": ["good", "bad"]},
                "why": {"type": "string"},
                "sure": {"type": "boolean"},
                "issues": {"type": "array", "minItems": 2, "items": {"$ref": "#/$defs/issue"}},
            },
            "$defs": {"issue": {"type": "object", "properties": {"kind": {"const": "typo"}}}},
        });
        let one = instance(&schema, &schema, &mut Draw::new("one"));
        let score = one["score"].as_f64().unwrap();
        assert!((0.0..=10.0).contains(&score) && (score * 2.0).fract() == 0.0);
        assert!((1..=5).contains(&one["stars"].as_i64().unwrap()));
        assert!(["good", "bad"].contains(&one["label"].as_str().unwrap()));
        assert!(one["why"].is_string() && one["sure"].is_boolean());
        assert_eq!(one["issues"], json!([{"kind": "typo"}, {"kind": "typo"}]));
        let again = instance(&schema, &schema, &mut Draw::new("one"));
        let other = instance(&schema, &schema, &mut Draw::new("other"));
        assert_eq!(again, one);
        assert_ne!(other, one);
    }
}
