//! What stands in for lists and objects when templates are tried: of the form in which the template takes them apart.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::reading::{Path, Reading, Step};
use crate::frame::Scalar;

/// What a template takes a part for.
#[derive(Debug, Default)]
enum Form {
    /// A text, or something else that is one.
    #[default]
    Text,
    /// A list of so many.
    List(Box<Self>, usize),
    /// An object with such values, whatever their keys.
    Values(Box<Self>),
    /// An object with fields.
    Fields(BTreeMap<String, Self>),
}

/// How many elements lists have, and lists within them: enough to see that more than the first few are shown.
const ELEMENTS: [usize; 2] = [6, 2];

/// A list or an object for a column, if the template takes it apart; `leaf` gives its texts, of a place in it.
pub(super) fn list(
    reading: &Reading,
    column: &str,
    leaf: &dyn Fn(&str) -> String,
) -> Option<Scalar> {
    reading.takes_apart(column)?;
    let mut form = Form::default();
    let accessed = reading.accesses.iter().map(|access| &access.path);
    let used = reading.parts.iter().map(|part| &part.path);
    let asked = reading.within.values();
    for path in accessed.chain(used).chain(asked) {
        if path.column == column {
            form.take(path, &path.steps, reading);
        }
    }
    match form {
        Form::Text => None,
        form => {
            let value = form.value(&Path::of(column), reading, leaf, String::new());
            Some(Scalar::Json(value.to_string()))
        }
    }
}

impl Form {
    fn take(&mut self, path: &Path, steps: &[Step], reading: &Reading) {
        let Some((step, rest)) = steps.split_first() else {
            return;
        };
        let here = Path {
            column: path.column.clone(),
            steps: path.steps[..path.steps.len() - rest.len()].to_vec(),
        };
        match (&mut *self, step) {
            (Self::Text, Step::Each) => {
                let above = Path {
                    steps: here.steps[..here.steps.len() - 1].to_vec(),
                    ..here
                };
                let width = reading.widths.get(&above.to_string());
                let inside = above.steps.contains(&Step::Each);
                let usual = ELEMENTS[usize::from(inside)];
                *self = Self::List(Box::default(), width.copied().unwrap_or(usual));
            }
            (Self::Text, Step::Values) => *self = Self::Values(Box::default()),
            (Self::Text | Self::Values(_), Step::Field(_)) => *self = Self::Fields(BTreeMap::new()),
            _ => {}
        }
        match (self, step) {
            (Self::List(each, _), Step::Each) | (Self::Values(each), Step::Values) => {
                each.take(path, rest, reading);
            }
            (Self::Fields(fields), Step::Field(name)) => {
                let field = fields.entry(name.clone()).or_default();
                field.take(path, rest, reading);
            }
            (Self::Fields(fields), Step::Values) => {
                for field in fields.values_mut() {
                    field.take(path, rest, reading);
                }
            }
            // It is taken for two things: what comes first counts.
            _ => {}
        }
    }

    fn value(
        &self,
        path: &Path,
        reading: &Reading,
        leaf: &dyn Fn(&str) -> String,
        place: String,
    ) -> Value {
        let within = |step: Step| {
            let mut path = path.clone();
            path.steps.push(step);
            path
        };
        match self {
            Self::Text if reading.numbers.contains(&path.to_string()) => json!(1),
            Self::Text => json!(leaf(&place)),
            Self::List(each, width) => (0..*width)
                .map(|at| each.value(&within(Step::Each), reading, leaf, format!("{place}[{at}]")))
                .collect(),
            Self::Values(each) => {
                let value = each.value(&within(Step::Values), reading, leaf, place + ".key");
                json!({ "key": value })
            }
            Self::Fields(fields) => {
                let fields = fields.iter().map(|(name, field)| {
                    let path = within(Step::Field(name.clone()));
                    let value = field.value(&path, reading, leaf, format!("{place}.{name}"));
                    (name.clone(), value)
                });
                Value::Object(fields.collect::<Map<_, _>>())
            }
        }
    }
}
