//! A document of JSON as its leaves, each with its path, and what differs between two of them.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value};

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

/// The same with what stands below a name that the other side lacks altogether in one piece: a stage, a model, an
/// ablation that came or went is one change and not one for each of its settings.
pub(super) fn folded(changes: Vec<Change>, a: &Leaves, b: &Leaves) -> Vec<Change> {
    let stems = |leaves: &Leaves| -> BTreeSet<String> {
        leaves
            .keys()
            .filter_map(|path| stem(path))
            .map(str::to_owned)
            .collect()
    };
    let (in_a, in_b) = (stems(a), stems(b));
    let mut folded: Vec<Change> = Vec::new();
    for change in changes {
        let lone = stem(&change.path).filter(|stem| in_a.contains(*stem) != in_b.contains(*stem));
        let Some(stem) = lone.map(str::to_owned) else {
            folded.push(change);
            continue;
        };
        let rest = change.path[stem.len()..].trim_start_matches('.').to_owned();
        let last = folded.last_mut().filter(|last| last.path == stem);
        let into = match last {
            Some(into) => into,
            None => {
                folded.push(Change {
                    path: stem,
                    a: change.a.as_ref().map(|_| Value::Object(Map::new())),
                    b: change.b.as_ref().map(|_| Value::Object(Map::new())),
                });
                match folded.last_mut() {
                    Some(into) => into,
                    None => continue,
                }
            }
        };
        for (into, leaf) in [(&mut into.a, change.a), (&mut into.b, change.b)] {
            if let (Some(Value::Object(fields)), Some(leaf)) = (into, leaf) {
                fields.insert(rest.clone(), leaf);
            }
        }
    }
    folded
}

/// The kind and name that a path begins with, `judge.baseline` or `ablation[1: warm]`, if it goes on behind them.
fn stem(path: &str) -> Option<&str> {
    let (mut quoted, mut deep, mut steps) = (false, 0_usize, 0);
    for (at, letter) in path.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '[' if !quoted => deep += 1,
            ']' if !quoted => deep = deep.saturating_sub(1),
            '.' if !quoted && deep == 0 => {
                steps += 1;
                if steps == 2 || path[..at].ends_with(']') {
                    return Some(&path[..at]);
                }
            }
            _ => {}
        }
    }
    None
}
