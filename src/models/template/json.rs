//! JSON as templates and expressions see it: lists and objects whose parts can be had, and which print as they are
//! written.

use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use minijinja::value::{Enumerator, Object, ObjectRepr, Value};
use minijinja::{Error, ErrorKind};

use super::{absent, shown};
use crate::base::json::{self, Json};
use crate::base::wording::{list_of, nearest};
use crate::frame::Scalar;

/// A list or an object: a part of the JSON of a cell.
#[derive(Debug)]
struct Part {
    cell: Arc<Cell>,
    /// The positions that lead to it from the whole.
    path: Vec<usize>,
    /// The column, where a `null` in it is an absent value as that of a cell is.
    column: Option<Arc<str>>,
}

thread_local! {
    /// The last field that was asked for and was not there.
    static MISSED: RefCell<Option<Missed>> = const { RefCell::new(None) };
}

/// A field that an object does not have.
struct Missed {
    /// The object.
    of: String,
    name: String,
    known: Vec<String>,
}

/// What to write instead of a field that is not there, if that is why `expression` is undefined.
pub(super) fn instead(expression: &str) -> Option<String> {
    let missed = MISSED.take()?;
    let (_, last) = expression.rsplit_once('.')?;
    if last != missed.name {
        return None;
    }
    let (of, name) = (missed.of, missed.name);
    let said = format!("`{of}` has no field `{name}`");
    Some(match nearest(&name, &missed.known) {
        Some(near) => format!("{said}: did you mean `{near}`?"),
        None if missed.known.is_empty() => said,
        None => format!("{said}, but {}", list_of(&missed.known)),
    })
}

/// A cell as it is written, and what that stands for.
#[derive(Debug)]
struct Cell {
    text: String,
    json: Json,
}

/// What a cell holds; what is neither list nor object is text. With the name of its column a `null` in it is absent as a cell is: a prompt cannot print it.
pub(super) fn value(text: &str, column: Option<&str>) -> Value {
    match json::read(text) {
        Ok(json @ (Json::List(_) | Json::Object(_))) => {
            let text = text.to_owned();
            Value::from_object(Part {
                cell: Arc::new(Cell { text, json }),
                path: Vec::new(),
                column: column.map(Arc::from),
            })
        }
        Ok(_) => Value::from(text),
        Err(error) => Error::new(ErrorKind::CannotDeserialize, error.to_string()).into(),
    }
}

/// How long a value is that a row holds, in bytes; numbers aside.
pub(super) fn length(value: &Value) -> usize {
    match value.downcast_object_ref::<Part>() {
        Some(part) => part.cell.text.len(),
        None => value.as_str().map_or(0, str::len),
    }
}

/// The list or the object that a value is, if it is one of a cell.
pub(super) fn cell(value: &Value) -> Option<&Json> {
    Some(value.downcast_object_ref::<Part>()?.json())
}

/// A value whose `null`s are none, for filters that write all of it.
pub(super) fn plain(value: &Value) -> Value {
    match value.downcast_object_ref::<Part>() {
        Some(part) => Value::from_object(Part {
            cell: Arc::clone(&part.cell),
            path: part.path.clone(),
            column: None,
        }),
        None => value.clone(),
    }
}

impl Part {
    fn json(&self) -> &Json {
        let mut json = &self.cell.json;
        for &at in &self.path {
            json = match json {
                Json::List(list) => list.get(at),
                Json::Object(object) => object.get_index(at).map(|(_, value)| value),
                _ => None,
            }
            .unwrap_or(&Json::Null);
        }
        json
    }

    /// The part as a value: what is neither list nor object is one by itself.
    fn value(self) -> Value {
        match self.json() {
            Json::Null => match self.column {
                None => Value::from(()),
                Some(_) => absent::value(&self.name()),
            },
            Json::Bool(truth) => Value::from(*truth),
            Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
                (Some(whole), ..) => Value::from(whole),
                (_, Some(whole), _) => Value::from(whole),
                // As that of a cell.
                (.., number) if self.column.is_some() => shown(Scalar::from(number)),
                (.., number) => Value::from(number),
            },
            // More digits than a number of a computer has: as it is written.
            Json::Long(raw) => match raw.get().parse::<i128>() {
                Ok(whole) => Value::from(whole),
                Err(_) => Value::from(raw.get()),
            },
            Json::Text(text) => Value::from(text.as_str()),
            Json::List(_) | Json::Object(_) => Value::from_object(self),
        }
    }

    fn part(&self, at: usize) -> Value {
        let mut path = self.path.clone();
        path.push(at);
        let part = Self {
            cell: Arc::clone(&self.cell),
            path,
            column: self.column.clone(),
        };
        part.value()
    }

    /// Notes a field that was asked for and is not there.
    fn misses<'k>(&self, name: &str, known: impl Iterator<Item = &'k String>) {
        let missed = Missed {
            of: self.name(),
            name: name.to_owned(),
            known: known.cloned().collect(),
        };
        MISSED.set(Some(missed));
    }

    /// Where it stands, as a template would say it: `issues[0].severity`.
    fn name(&self) -> String {
        let mut name = self.column.as_deref().unwrap_or_default().to_owned();
        let mut json = &self.cell.json;
        for &at in &self.path {
            json = match json {
                Json::List(list) => {
                    let _ = write!(name, "[{at}]");
                    list.get(at)
                }
                Json::Object(object) => object.get_index(at).map(|(key, value)| {
                    let _ = write!(name, ".{key}");
                    value
                }),
                _ => None,
            }
            .unwrap_or(&Json::Null);
        }
        name
    }
}

impl Object for Part {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        match self.json() {
            Json::List(_) => ObjectRepr::Seq,
            _ => ObjectRepr::Map,
        }
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let at = match self.json() {
            Json::List(list) => key.as_usize().filter(|&at| at < list.len()),
            Json::Object(object) => {
                let at = object.get_index_of(key.as_str()?);
                if at.is_none() {
                    self.misses(key.as_str()?, object.keys());
                }
                at
            }
            _ => None,
        };
        Some(self.part(at?))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        match self.json() {
            Json::List(list) => Enumerator::Seq(list.len()),
            Json::Object(object) => {
                let keys = object.keys().map(|key| Value::from(key.as_str()));
                Enumerator::Values(keys.collect())
            }
            _ => Enumerator::Empty,
        }
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_slice() {
            [] => f.write_str(&self.cell.text),
            _ => write!(f, "{}", self.json()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_prints_as_it_is_written_and_its_parts_can_be_had() {
        let text = r#"[{"b":[1,2.50],"a":"é \"x\""},123456789012345678901234567890,null]"#;
        let whole = value(text, None);
        assert_eq!(whole.to_string(), text);
        let first = whole.get_item_by_index(0).unwrap();
        assert_eq!(first.get_attr("a").unwrap().to_string(), "é \"x\"");
        assert_eq!(first.get_attr("b").unwrap().to_string(), "[1,2.5]");
        assert!(first.get_attr("c").unwrap().is_undefined());
        assert_eq!(
            whole.get_item_by_index(1).unwrap().to_string(),
            "123456789012345678901234567890"
        );
        assert!(whole.get_item_by_index(2).unwrap().is_none());
        assert_eq!(value("[[1, 2]]", None), Value::from(vec![vec![1, 2]]));
    }
}
