//! The merged spec as a tree of values that know where they were written.
//!
//! Tables keep the order of the file. A tree can be read, changed at a path and turned into JSON or a serde type; it
//! does not merge layers and reports no problems.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::de::Fault;
use super::source::Place;

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    /// The layer that gave the value, counted from the weakest.
    pub layer: usize,
    /// Its key; for an array element the element.
    pub key: Place,
    /// Its value; for a table the header.
    pub value: Place,
}

/// What a value is. There is no null: a key that is not set is not there. Dates and times are strings.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    String(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Array(Vec<Tree>),
    /// Shared, because every combination of axis values has a tree of its own that differs in a few values.
    Table(Arc<IndexMap<String, Tree>>),
}

/// A value of the spec: text, number, boolean, array or table. Two trees are equal if they hold the same values in the
/// same order, wherever these were written.
#[derive(Debug, Clone)]
pub struct Tree {
    pub(super) node: Node,
    pub(super) origin: Option<Origin>,
    /// Keys of bad entries that `read` has taken out, so that the gaps are not reported too.
    pub(super) gaps: Vec<String>,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self::table()
    }
}

impl Tree {
    pub(super) fn of(node: Node) -> Self {
        Self {
            node,
            origin: None,
            gaps: Vec::new(),
        }
    }

    /// An empty table.
    pub fn table() -> Self {
        Self::of(Node::Table(Arc::default()))
    }

    /// The value at a path; array elements are numbered from "0"; an empty path is the tree itself.
    pub fn get<S: AsRef<str>>(&self, path: &[S]) -> Option<&Self> {
        path.iter()
            .try_fold(self, |tree, key| tree.child(key.as_ref()))
    }

    /// The value at the longest part of the path that exists.
    pub fn nearest<S: AsRef<str>>(&self, path: &[S]) -> &Self {
        let mut tree = self;
        for key in path {
            match tree.child(key.as_ref()) {
                Some(child) => tree = child,
                None => break,
            }
        }
        tree
    }

    /// Keys and values of the table at the path, in file order; empty if there is no table.
    pub fn entries<S: AsRef<str>>(&self, path: &[S]) -> Vec<(String, Self)> {
        let tree = self.get(path);
        tree.into_iter()
            .flat_map(Self::children)
            .map(|(key, child)| (key.to_owned(), child.clone()))
            .collect()
    }

    /// Keys and values of this table, in file order; empty if it is no table.
    pub fn children(&self) -> impl Iterator<Item = (&str, &Self)> {
        let table = match &self.node {
            Node::Table(table) => Some(&**table),
            _ => None,
        };
        table
            .into_iter()
            .flatten()
            .map(|(key, child)| (key.as_str(), child))
    }

    /// The elements of this array; none if it is no array.
    pub fn elements(&self) -> Option<&[Self]> {
        match &self.node {
            Node::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.node {
            Node::String(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.node, Node::Table(_))
    }

    /// Puts a value at a path. Tables on the way are made, anything else in the way is replaced, a new key goes last.
    /// Says false, and changes nothing, if the path goes through an array to an element that is not there.
    pub fn set<S: AsRef<str>>(&mut self, path: &[S], value: Self) -> bool {
        let Some((key, rest)) = path.split_first() else {
            *self = value;
            return true;
        };
        let key = key.as_ref();
        if let Node::Array(elements) = &mut self.node {
            let element = key
                .parse::<usize>()
                .ok()
                .and_then(|at| elements.get_mut(at));
            return element.is_some_and(|element| element.set(rest, value));
        }
        if !self.is_table() {
            self.node = Node::Table(Arc::default());
        }
        if let Node::Table(table) = &mut self.node {
            let child = Arc::make_mut(table)
                .entry(key.to_owned())
                .or_insert_with(|| {
                    let origin = value.origin.clone();
                    Self {
                        origin,
                        ..Self::table()
                    }
                });
            return child.set(rest, value);
        }
        false
    }

    /// Takes the value at a path out, if it is there; later elements of an array move up.
    pub fn remove<S: AsRef<str>>(&mut self, path: &[S]) -> Option<Self> {
        let (key, rest) = path.split_first()?;
        if !rest.is_empty() {
            return self.child_mut(key.as_ref())?.remove(rest);
        }
        match &mut self.node {
            Node::Table(table) => Arc::make_mut(table).shift_remove(key.as_ref()),
            Node::Array(elements) => {
                let at = key
                    .as_ref()
                    .parse()
                    .ok()
                    .filter(|at| *at < elements.len())?;
                Some(elements.remove(at))
            }
            _ => None,
        }
    }

    /// Trees upon each other, a later one over an earlier one.
    pub(super) fn stacked<'t>(trees: impl Iterator<Item = &'t Self>) -> Self {
        let mut stacked = Self::table();
        trees.for_each(|tree| stacked.overlay(tree.clone()));
        stacked
    }

    /// Lays another tree over this one: tables merge, everything else is replaced.
    pub(super) fn overlay(&mut self, other: Self) {
        match (&mut self.node, other.node) {
            (Node::Table(table), Node::Table(over)) => {
                let table = Arc::make_mut(table);
                for (key, value) in Arc::unwrap_or_clone(over) {
                    match table.entry(key) {
                        indexmap::map::Entry::Occupied(mut entry) => entry.get_mut().overlay(value),
                        indexmap::map::Entry::Vacant(entry) => {
                            entry.insert(value);
                        }
                    }
                }
            }
            (_, node) => {
                *self = Self {
                    node,
                    origin: other.origin,
                    gaps: Vec::new(),
                }
            }
        }
    }

    /// The value as a message names it: `string "many"`, `number 2.5`, `an empty array`, `a table`.
    pub fn describe(&self) -> String {
        match &self.node {
            Node::String(text) => format!("string {}", quoted(text)),
            Node::Integer(number) => format!("number {number}"),
            Node::Float(number) => format!("number {number:?}"),
            Node::Boolean(value) => format!("`{value}`"),
            Node::Array(elements) if elements.is_empty() => "an empty array".to_owned(),
            Node::Array(_) => "an array".to_owned(),
            Node::Table(_) => "a table".to_owned(),
        }
    }

    /// Where the value was written; for a table its header. None for values made by a program.
    pub fn place(&self) -> Option<&Place> {
        self.origin.as_ref().map(|origin| &origin.value)
    }

    /// Where its key was written; for an array element the element.
    pub fn key_place(&self) -> Option<&Place> {
        self.origin.as_ref().map(|origin| &origin.key)
    }

    /// The same values, all blamed on one place.
    pub(super) fn blamed(&self, origin: &Origin) -> Self {
        let node = match &self.node {
            Node::Array(elements) => {
                Node::Array(elements.iter().map(|child| child.blamed(origin)).collect())
            }
            Node::Table(table) => {
                let children = table.iter();
                let blamed = children.map(|(key, child)| (key.clone(), child.blamed(origin)));
                Node::Table(Arc::new(blamed.collect()))
            }
            other => other.clone(),
        };
        Self {
            node,
            origin: Some(origin.clone()),
            gaps: Vec::new(),
        }
    }

    /// The values as JSON, tables in file order. JSON has no infinities and no NaN: they become the strings TOML has
    /// for them (no spec text yields one, see `parse`).
    pub fn to_json(&self) -> Json {
        match &self.node {
            Node::String(text) => Json::from(text.as_str()),
            Node::Integer(number) => Json::from(*number),
            Node::Float(number) => serde_json::Number::from_f64(*number).map_or_else(
                || Json::from(number.to_string().to_lowercase()),
                Json::Number,
            ),
            Node::Boolean(value) => Json::from(*value),
            Node::Array(elements) => elements.iter().map(Self::to_json).collect(),
            Node::Table(table) => Json::Object(
                table
                    .iter()
                    .map(|(key, child)| (key.clone(), child.to_json()))
                    .collect(),
            ),
        }
    }

    /// JSON as a tree. Keys with null are left out; none if there is a null elsewhere or an integer beyond 64 bits.
    pub fn from_json(json: &Json) -> Option<Self> {
        let node = match json {
            Json::Null => return None,
            Json::Bool(value) => Node::Boolean(*value),
            Json::Number(number) => match number.as_i64() {
                Some(integer) => Node::Integer(integer),
                None if number.is_f64() => Node::Float(number.as_f64()?),
                None => return None,
            },
            Json::String(text) => Node::String(text.clone()),
            Json::Array(elements) => Node::Array(
                elements
                    .iter()
                    .map(Self::from_json)
                    .collect::<Option<_>>()?,
            ),
            Json::Object(entries) => {
                let set = entries.iter().filter(|(_, value)| !value.is_null());
                let table = set.map(|(key, value)| Some((key.clone(), Self::from_json(value)?)));
                Node::Table(Arc::new(table.collect::<Option<_>>()?))
            }
        };
        Some(Self::of(node))
    }

    /// The tree as a serde type; the first mistake if it is none. `read` finds them all.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        T::deserialize(self)
    }

    fn child(&self, key: &str) -> Option<&Self> {
        match &self.node {
            Node::Table(table) => table.get(key),
            Node::Array(elements) => elements.get(key.parse::<usize>().ok()?),
            _ => None,
        }
    }

    pub(super) fn child_mut(&mut self, key: &str) -> Option<&mut Self> {
        match &mut self.node {
            Node::Table(table) => Arc::make_mut(table).get_mut(key),
            Node::Array(elements) => elements.get_mut(key.parse::<usize>().ok()?),
            _ => None,
        }
    }
}

macro_rules! from_plain {
    ($($plain:ty => $node:ident),* $(,)?) => {
        $(impl From<$plain> for Tree {
            fn from(value: $plain) -> Self {
                Self::of(Node::$node(value.into()))
            }
        })*
    };
}

from_plain!(&str => String, String => String, i64 => Integer, f64 => Float, bool => Boolean, Vec<Tree> => Array);

/// The text in double quotes, cut to a readable length.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.chars().count() <= SHOWN {
        return format!("{text:?}");
    }
    let start: String = text.chars().take(SHOWN).collect();
    format!("{:?}", start + "...")
}

#[cfg(test)]
mod tests;
