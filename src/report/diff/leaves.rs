//! A document of JSON as its leaves, each with its path, and what differs between two of them.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

/// Leaves by path, in the order of the document.
pub(super) type Leaves = IndexMap<String, Value>;

/// A leaf that is not the same on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Where it stands: `judge.baseline.prompt`.
    pub path: String,
    /// Its value on the first side, if it is there.
    pub a: Option<Value>,
    /// Its value on the second side, if it is there.
    pub b: Option<Value>,
}

/// The leaves of a document. A list of plain values is one leaf, since its parts have no names.
pub(super) fn leaves(value: &Value) -> Leaves {
    let mut found = Leaves::new();
    collect(value, "", &mut found);
    found
}

fn collect(value: &Value, path: &str, found: &mut Leaves) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                collect(field, &joined(path, name), found);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (index, item) in items.iter().enumerate() {
                // A list of tables whose parts have names, as ablations do, is not in disorder when one goes.
                let name = item["name"].as_str().map_or_else(
                    || (index + 1).to_string(),
                    |name| format!("{}: {name}", index + 1),
                );
                collect(item, &format!("{path}[{name}]"), found);
            }
        }
        Value::Null => {}
        leaf => {
            found.insert(path.to_owned(), leaf.clone());
        }
    }
}

/// A path with one more step; steps that hold dots are quoted, as in TOML.
fn joined(path: &str, name: &str) -> String {
    let bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let name = if !name.is_empty() && name.chars().all(bare) {
        name.to_owned()
    } else {
        format!("{name:?}")
    };
    if path.is_empty() {
        name
    } else {
        format!("{path}.{name}")
    }
}

/// Puts the leaves of `over` into `into`: each takes the place of everything at or below its path.
pub(super) fn overlay(into: &mut Leaves, over: Leaves) {
    for (path, value) in over {
        let at = into.get_index_of(&path);
        let below = format!("{path}.");
        let list = format!("{path}[");
        into.retain(|other, _| !other.starts_with(&below) && !other.starts_with(&list));
        match at.filter(|_| into.contains_key(&path)) {
            Some(_) => into[&path] = value,
            None => {
                into.insert(path, value);
            }
        }
    }
}

/// What differs: in the order of the second side, then what only the first has.
pub(super) fn changes(a: &Leaves, b: &Leaves) -> Vec<Change> {
    let now = b.iter().filter_map(|(path, value)| {
        let before = a.get(path);
        (before != Some(value)).then(|| Change {
            path: path.clone(),
            a: before.cloned(),
            b: Some(value.clone()),
        })
    });
    let gone = a
        .iter()
        .filter(|(path, _)| !b.contains_key(*path))
        .map(|(path, value)| Change {
            path: path.clone(),
            a: Some(value.clone()),
            b: None,
        });
    now.chain(gone).collect()
}
