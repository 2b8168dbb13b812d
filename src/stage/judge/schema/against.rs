//! Paths against the schema that its file holds.

use serde_json::{Map, Value};

use super::{OwnSchema, keys};
use crate::base::wording::{list_of, nearest};
use crate::models::score::Scale;
use crate::stage::Mistake;
use crate::stage::columns::Looking;

/// The code of problems with paths.
const NO_PATH: &str = "lint::schema";

/// How deep references of a schema are followed.
const DEEPEST: usize = 32;

/// What a path should lead to.
enum Wanted<'s> {
    /// A score.
    Score(&'s Scale),
    /// A text.
    Text,
}

impl OwnSchema {
    /// Notes paths that do not lead to a score or text in the schema.
    pub(in crate::stage::judge) fn look(
        &self,
        metrics: &[String],
        scale: &Scale,
        looking: &mut Looking<'_>,
    ) {
        let Some(schema) = looking.heads().schema(&self.file) else {
            return;
        };
        let mut lacks = Vec::new();
        for (metric, path) in metrics.iter().zip(&self.scores) {
            let at = if self.each {
                vec!["score".to_owned(), metric.clone()]
            } else {
                vec!["score".to_owned()]
            };
            lacks.extend(lack(schema, path, &Wanted::Score(scale), at));
        }
        if let Some(path) = &self.explanation {
            lacks.extend(lack(
                schema,
                path,
                &Wanted::Text,
                vec!["explanation".to_owned()],
            ));
        }
        for lack in lacks {
            looking.lack(lack);
        }
    }
}

/// What is wrong with a path, if anything is.
fn lack(schema: &Value, path: &str, wanted: &Wanted<'_>, at: Vec<String>) -> Option<Mistake> {
    let mistake = |message: String, label: &'static str, help: String| Mistake {
        code: NO_PATH,
        at: (at, None),
        place: None,
        message,
        label,
        help,
    };
    let mut forms = forms(schema, schema, 0);
    let mut before = String::new();
    for key in keys(path) {
        let mut properties: Vec<(&String, &Value)> = Vec::new();
        let mut open = false;
        for form in &forms {
            let own = form.get("properties").and_then(Value::as_object);
            properties.extend(own.into_iter().flatten());
            open |= own.is_none() && kinds(form).is_none_or(|kinds| kinds.contains(&"object"));
        }
        let found = properties.iter().filter(|(name, _)| **name == key);
        let below: Vec<&Map<String, Value>> = found
            .flat_map(|(_, below)| self::forms(schema, below, 0))
            .collect();
        let is_there = properties.iter().any(|(name, _)| **name == key);
        if !is_there {
            // Of an object whose keys are not listed nothing is known.
            if open {
                return None;
            }
            let known: Vec<&str> = properties.iter().map(|(name, _)| name.as_str()).collect();
            let whole = |near: &str| {
                if before.is_empty() {
                    near.to_owned()
                } else {
                    format!("{before}.{near}")
                }
            };
            let help = match nearest(&key, &known) {
                Some(near) => format!("did you mean `{}`?", whole(near)),
                None if known.is_empty() => format!("`{before}` is no object"),
                None => format!("the keys there are {}", list_of(&known)),
            };
            return Some(mistake(
                format!("the schema has no `{path}`"),
                "not in the schema",
                help,
            ));
        }
        before = if before.is_empty() {
            key
        } else {
            format!("{before}.{key}")
        };
        forms = below;
    }
    let why = match wanted {
        Wanted::Score(scale) => no_score(&forms, scale),
        Wanted::Text => no_text(&forms),
    };
    why.map(|(what, help)| {
        mistake(
            format!("`{path}` of the schema is {what}"),
            "not what is read",
            help,
        )
    })
}

/// The forms that a part of a schema may take: itself, and those that it refers to or chooses among.
fn forms<'s>(schema: &'s Value, part: &'s Value, depth: usize) -> Vec<&'s Map<String, Value>> {
    let Some(object) = part.as_object().filter(|_| depth < DEEPEST) else {
        return Vec::new();
    };
    let mut forms = Vec::new();
    if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| schema.pointer(pointer));
        forms.extend(
            target
                .into_iter()
                .flat_map(|target| self::forms(schema, target, depth + 1)),
        );
    }
    let mut chosen = false;
    for key in ["anyOf", "oneOf", "allOf"] {
        for part in object
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            chosen = true;
            forms.extend(self::forms(schema, part, depth + 1));
        }
    }
    let own = ["type", "properties", "enum", "const"]
        .iter()
        .any(|key| object.contains_key(*key));
    if own || !(chosen || object.contains_key("$ref")) {
        forms.push(object);
    }
    forms
}

/// The types that a form names, if it names any; that of nothing left out.
fn kinds(form: &Map<String, Value>) -> Option<Vec<&str>> {
    let kinds: Vec<&str> = match form.get("type")? {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    Some(kinds.into_iter().filter(|kind| *kind != "null").collect())
}

/// The values that a form lists, but for nothing.
fn values(form: &Map<String, Value>) -> Vec<&Value> {
    let listed = form
        .get("enum")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    listed
        .chain(form.get("const"))
        .filter(|value| !value.is_null())
        .collect()
}

/// Why no score can stand there, and what to do.
fn no_score(forms: &[&Map<String, Value>], scale: &Scale) -> Option<(String, String)> {
    let labels = !scale.labels.is_empty();
    let help = |number: bool| {
        if number {
            "leave `scale.labels` out, or name the path of a label".to_owned()
        } else {
            "name the path of a number, or give the scale the labels that stand there".to_owned()
        }
    };
    for form in forms {
        for value in values(form) {
            let fits = match value {
                Value::Number(number) => {
                    !labels && number.as_f64().is_some_and(|number| scale.contains(number))
                }
                Value::String(text) => labels && scale.label(text).is_some(),
                Value::Bool(truth) => labels && scale.label(&truth.to_string()).is_some(),
                _ => false,
            };
            if !fits {
                return Some((
                    format!("also `{}`, which is not on the scale", plain(value)),
                    "let the scale and the schema have the same marks".to_owned(),
                ));
            }
        }
        if !values(form).is_empty() {
            continue;
        }
        for kind in kinds(form).into_iter().flatten() {
            let what = match kind {
                "number" | "integer" if labels => "a number, and the scale has labels",
                "string" if !labels => "a text, and the scale has numbers",
                "boolean" if scale.label("true").is_none() || scale.label("false").is_none() => {
                    "a truth value, and the scale has no `true` and `false`"
                }
                "object" => "an object",
                "array" => "a list",
                _ => continue,
            };
            return Some((what.to_owned(), help(kind == "number" || kind == "integer")));
        }
    }
    None
}

/// Why no text can stand there, and what to do.
fn no_text(forms: &[&Map<String, Value>]) -> Option<(String, String)> {
    let mut all = forms.iter().filter_map(|form| kinds(form)).flatten();
    let kind = all.find(|kind| *kind != "string")?;
    let what = match kind {
        "object" => "an object",
        "array" => "a list",
        "boolean" => "a truth value",
        _ => "a number",
    };
    Some((
        format!("{what}, not a text"),
        "name the path of a text".to_owned(),
    ))
}

/// A value as a person writes it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
