//! The JSON schema of the replies this parser reads, for servers that hold models to one.
//!
//! Keeps to what is understood everywhere: `OpenAI`'s strict mode wants every property required and no others,
//! and takes at most 1,000 values of `enum` in all; llama.cpp's grammars follow the order of the properties
//! and know bounds of integers only, so that marks are listed wherever there are few enough. On a scale of
//! any number llama.cpp therefore lets numbers off the scale pass; they are read as `off-scale`.

use serde_json::{Map, Value, json};

use crate::models::parse::marks::marks;
use crate::models::score::Scale;

/// The most marks of a scale that are listed: a scale of percents.
const MOST_MARKS: usize = 101;

/// The most values of `enum` that `OpenAI` takes in one schema.
const MOST_VALUES: usize = 1000;

/// The property in which a model may reason before it scores.
const EXPLANATION: &str = "explanation";

/// The property with the list of issues.
const ISSUES: &str = "issues";

/// The schema of an object with a score per metric, named and ordered as given.
///
/// Models write properties in the order of the schema, so what should come before the scores comes first:
/// with `reasoning` a text `explanation`, with `issues` a list of objects with `metric`, `label` and `text`.
/// A metric that is itself called `explanation` or `issues` takes the place of that property.
///
/// Scores are numbers from the marks of the scale; on a scale without steps, or with too many marks, between
/// its bounds. Names are used as property names unchanged; Anthropic's tools take only those of letters,
/// digits, `_`, `.` and `-`, at most 64 of them.
pub fn schema(metrics: &[String], scale: &Scale, reasoning: bool, issues: bool) -> Value {
    let mut properties = Map::new();
    let named = |property: &str| metrics.iter().any(|metric| metric == property);
    if reasoning && !named(EXPLANATION) {
        properties.insert(EXPLANATION.to_owned(), json!({ "type": "string" }));
    }
    let mut spare = MOST_VALUES;
    if issues && !named(ISSUES) {
        spare -= metrics.len().min(spare);
        let entry = object(&Map::from_iter([
            (
                "metric".to_owned(),
                json!({ "type": "string", "enum": metrics }),
            ),
            ("label".to_owned(), json!({ "type": "string" })),
            ("text".to_owned(), json!({ "type": "string" })),
        ]));
        let list = json!({ "type": "array", "items": entry });
        properties.insert(ISSUES.to_owned(), list);
    }
    let most = MOST_MARKS.min(spare / metrics.len().max(1));
    let score = match marks(scale, most) {
        _ if !scale.labels.is_empty() => {
            let labels: Vec<&str> = scale.labels.iter().map(|label| &*label.name).collect();
            json!({ "type": "string", "enum": labels })
        }
        Some(marks) => {
            let marks: Vec<Value> = marks.into_iter().map(number).collect();
            json!({ "type": "number", "enum": marks })
        }
        None => {
            json!({ "type": "number", "minimum": number(scale.min), "maximum": number(scale.max) })
        }
    };
    for metric in metrics {
        properties.insert(metric.clone(), score.clone());
    }
    object(&properties)
}

/// An object with these properties and no others.
fn object(properties: &Map<String, Value>) -> Value {
    let required: Vec<&String> = properties.keys().collect();
    json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false,
    })
}

/// A number as a person would write it: grammars hold models to `4`, not `4.0`.
fn number(value: f64) -> Value {
    // Whole numbers up to this size are exact.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= WHOLE {
        json!(value as i64)
    } else {
        json!(value)
    }
}
