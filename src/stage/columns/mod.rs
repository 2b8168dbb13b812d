//! The columns of tables that nobody has yet: what is known of them before a stage runs.
//!
//! Each kind says of the columns that it is handed which of those it reads are not there, and which columns its result
//! has. What cannot be known (keys of further lines of JSON, columns that only some documents get) is left open, so
//! that nothing is blamed that may be right.

mod looking;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

pub(crate) use self::looking::Looking;
pub(super) use self::looking::without_record;
use crate::frame::Scalar;
use crate::toml::Place;

/// The columns of a table, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    names: IndexMap<Arc<str>, Column>,
    /// There may be others.
    open: bool,
    /// Only some rows of a table are left, so that a column may hold no value any more.
    narrow: bool,
    /// The node whose rows these are, one or several of each, with columns more or fewer.
    origin: Option<usize>,
    /// The columns that were made since.
    made: BTreeSet<Arc<str>>,
    /// The only values that a column can hold.
    fixed: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// The fields of the elements of lists, all that they have, in order.
    fields: BTreeMap<Arc<str>, IndexSet<Arc<str>>>,
}

/// What is known of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// What it holds.
    pub holds: Holds,
    /// Whether it is there for certain.
    pub sure: bool,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Texts.
    Text,
    /// Numbers.
    Numbers,
    /// Truth values.
    Truth,
    /// Lists and objects.
    Json,
    /// Something that is known when it is read.
    Unknown,
}

impl Holds {
    /// What it is called in messages.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Numbers => "numbers",
            Self::Truth => "truth values",
            Self::Json => "JSON",
            Self::Unknown => "something",
        }
    }

    /// What a column holds of which one part holds this and another part that: numbers beside texts are texts.
    fn beside(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (one, other) if one == other => one,
            _ => Self::Text,
        }
    }
}

/// What is known of a value of some rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Its text.
    Known(Arc<str>),
    /// It is what stood there where the rows began.
    OfRow,
    /// A stage made it since.
    Unknown,
}

impl Columns {
    /// A table of which nothing is known.
    pub fn unknown() -> Self {
        Self {
            open: true,
            ..Self::default()
        }
    }

    /// A table of these columns; if `open`, perhaps of others too.
    pub fn of(names: impl IntoIterator<Item = (String, Holds)>, open: bool) -> Self {
        let mut columns = Self {
            open,
            ..Self::default()
        };
        for (name, holds) in names {
            columns.set(&name, holds);
        }
        columns
    }

    /// The names, in order.
    pub fn names(&self) -> Vec<&str> {
        self.names.keys().map(|name| &**name).collect()
    }

    /// The columns, in order.
    pub(super) fn each(&self) -> impl Iterator<Item = (&str, Column)> {
        let names = self.names.iter();
        names.map(|(name, column)| (&**name, *column))
    }

    /// Whether there may be columns that are not known.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Says whether there may be columns that are not known.
    pub(super) fn set_open(&mut self, open: bool) {
        self.open = open;
    }

    /// No more is known of it than of a table that it is made from.
    pub(super) fn no_surer_than(&mut self, other: &Self) {
        self.open |= other.open;
        self.narrow |= other.narrow;
    }

    /// Whether a column is certainly not there.
    pub fn lacks(&self, name: &str) -> bool {
        !self.open && !self.names.contains_key(name)
    }

    /// Whether a column is certainly there.
    pub fn has(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|column| column.sure)
    }

    /// Whether a column is there, or may be, that is known by its name.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// What a column holds.
    pub fn holds(&self, name: &str) -> Holds {
        self.names
            .get(name)
            .map_or(Holds::Unknown, |column| column.holds)
    }

    pub(super) fn set(&mut self, name: &str, holds: Holds) {
        let column = Column { holds, sure: true };
        let name: Arc<str> = name.into();
        self.names.insert(Arc::clone(&name), column);
        self.fixed.remove(&name);
        self.fields.remove(&name);
        self.made.insert(name);
    }

    /// A column that holds what it holds in another table.
    pub(super) fn keep(&mut self, name: &str, table: &Self) {
        self.set(name, table.holds(name));
        if let Some(fields) = table.fields(name) {
            self.set_fields(name, fields);
        }
    }

    /// A column that only some results have.
    pub(super) fn may_have(&mut self, name: &str, holds: Holds) {
        let name: Arc<str> = name.into();
        self.fixed.remove(&name);
        self.fields.remove(&name);
        self.made.insert(Arc::clone(&name));
        let column = Column { holds, sure: false };
        self.names.entry(name).or_insert(column);
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.names.shift_remove(name);
        self.fixed.remove(name);
        self.fields.remove(name);
    }

    /// The same columns, some of them under other names.
    pub(super) fn renamed(&self, called: &dyn Fn(&str) -> String) -> Self {
        let name = |name: &Arc<str>| -> Arc<str> { called(name).into() };
        let mut columns = self.clone();
        columns.names = self
            .names
            .iter()
            .map(|(old, column)| (name(old), *column))
            .collect();
        // Under another name it is not what the rows began with.
        let moved = self
            .names
            .keys()
            .map(name)
            .filter(|new| !self.names.contains_key(new));
        columns.made = self.made.iter().map(name).chain(moved).collect();
        columns.fixed = self
            .fixed
            .iter()
            .map(|(old, fixed)| (name(old), fixed.clone()))
            .collect();
        columns.fields = self
            .fields
            .iter()
            .map(|(old, fields)| (name(old), fields.clone()))
            .collect();
        columns
    }

    /// Says which fields the elements of a column of lists have, and that they have no others.
    pub(crate) fn set_fields<'n>(&mut self, name: &str, fields: impl IntoIterator<Item = &'n str>) {
        let fields = fields.into_iter().map(Arc::from).collect();
        self.fields.insert(name.into(), fields);
    }

    /// The fields that the elements of a column of lists have, where they are known.
    pub(crate) fn fields(&self, name: &str) -> Option<Vec<&str>> {
        let fields = self.fields.get(name)?;
        Some(fields.iter().map(|field| &**field).collect())
    }

    /// A column that holds only these values, such as that of an axis.
    pub fn fix(&mut self, name: &str, values: impl IntoIterator<Item = Scalar>) {
        let values: Vec<Scalar> = values.into_iter().collect();
        let all = |test: fn(&Scalar) -> bool| values.iter().all(test);
        let holds = match values.as_slice() {
            [] => Holds::Unknown,
            _ if all(|value| matches!(value, Scalar::Text(_))) => Holds::Text,
            _ if all(|value| value.number().is_some()) => Holds::Numbers,
            _ if all(|value| matches!(value, Scalar::Bool(_))) => Holds::Truth,
            _ if all(|value| matches!(value, Scalar::Json(_))) => Holds::Json,
            _ => Holds::Unknown,
        };
        self.set(name, holds);
        let values = values
            .iter()
            .map(|value| value.to_string().into())
            .collect();
        self.fixed.insert(name.into(), values);
    }

    /// A column that holds what it holds in these tables: only the values of an axis, if all know them.
    pub(super) fn hold_only(&mut self, name: &str, tables: &[&Self]) {
        let fixed = tables.iter().map(|table| table.fixed.get(name));
        if let Some(fixed) = fixed.collect::<Option<Vec<_>>>() {
            let values = fixed.into_iter().flatten().cloned().collect();
            self.fixed.insert(name.into(), values);
        }
    }

    /// The sorts of rows that these columns are known to tell apart: the values of each.
    pub fn sorts(&self, names: &[&str]) -> Vec<Vec<Value>> {
        let mut sorts = vec![Vec::with_capacity(names.len())];
        for name in names {
            let values: Vec<Value> = match self.fixed.get(*name) {
                Some(fixed) => fixed.iter().cloned().map(Value::Known).collect(),
                None if self.made.contains(*name) => vec![Value::Unknown],
                None => vec![Value::OfRow],
            };
            // Most columns tell nothing apart.
            if let [value] = values.as_slice() {
                for sort in &mut sorts {
                    sort.push(value.clone());
                }
                continue;
            }
            let longer = |sort: Vec<Value>| {
                let with =
                    move |value: &Value| [sort.as_slice(), std::slice::from_ref(value)].concat();
                values.iter().map(with).collect::<Vec<_>>()
            };
            sorts = sorts.into_iter().flat_map(longer).collect();
        }
        sorts
    }

    /// A value that is known by its text, if it is known which type it has.
    pub fn as_held(&self, name: &str, text: &str) -> Option<Scalar> {
        match self.holds(name) {
            Holds::Text => Some(Scalar::from(text)),
            Holds::Numbers => text.parse().ok().map(Scalar::Float),
            Holds::Truth => text.parse().ok().map(Scalar::Bool),
            Holds::Json | Holds::Unknown => None,
        }
    }

    /// The node whose rows these are.
    pub fn origin(&self) -> Option<usize> {
        self.origin
    }

    /// Whose rows these are, if they are of no other node.
    pub fn begin(&mut self, node: usize) {
        if self.origin.is_none() {
            self.origin = Some(node);
            self.made.clear();
        }
    }

    /// Rows of which it is not known any more what they stand for.
    pub(super) fn new_rows(&mut self) {
        self.origin = None;
    }

    /// Some of the rows, of which it is not known any more what they stand for.
    pub(super) fn keep_some(&mut self) {
        self.narrow = true;
        self.new_rows();
    }

    /// The columns of several tables put below each other.
    pub fn stacked<'c>(all: impl Iterator<Item = &'c Self>) -> Self {
        Self::stacked_of(all, |_| true)
    }

    /// The same, of some columns only.
    pub fn stacked_of<'c>(
        all: impl Iterator<Item = &'c Self>,
        wanted: impl Fn(&str) -> bool,
    ) -> Self {
        let mut stacked = Self::default();
        for columns in all {
            stacked.no_surer_than(columns);
            for (name, column) in columns.names.iter().filter(|(name, _)| wanted(name)) {
                // Where one table does not know its fields, they are not known.
                let fields = match stacked.names.get(name) {
                    None => columns.fields.get(name).cloned(),
                    Some(_) => {
                        let both = stacked.fields.get(name).zip(columns.fields.get(name));
                        both.map(|(one, other)| one | other)
                    }
                };
                match fields {
                    Some(fields) => stacked.fields.insert(Arc::clone(name), fields),
                    None => stacked.fields.remove(name),
                };
                let entry = stacked.names.entry(Arc::clone(name)).or_insert(*column);
                entry.holds = match entry.holds.beside(column.holds) {
                    // The texts may be gone.
                    _ if stacked.narrow && entry.holds != column.holds => Holds::Unknown,
                    holds => holds,
                };
                entry.sure |= column.sure;
            }
        }
        stacked
    }
}

/// What files look like, gathered before by whoever may read them.
#[derive(Clone, Debug, Default)]
pub struct Heads {
    /// Name or pattern → its files.
    pub files: BTreeMap<PathBuf, Vec<Head>>,
    /// The JSON schemas that files hold, by name.
    pub schemas: BTreeMap<PathBuf, serde_json::Value>,
}

/// What one file looks like.
#[derive(Clone, Debug)]
pub struct Head {
    /// The file, for messages.
    pub path: PathBuf,
    /// Its columns; none, if the whole file is a document.
    pub columns: Option<Columns>,
}

impl Heads {
    /// The JSON schema that a file holds; nothing where that is not known.
    pub(super) fn schema(&self, file: &Path) -> Option<&serde_json::Value> {
        self.schemas.get(file)
    }

    /// What the files of a name or pattern look like; nothing where that is not known.
    pub(super) fn of(&self, pattern: &Path) -> Option<&[Head]> {
        self.files.get(pattern).map(Vec::as_slice)
    }
}

/// The code of problems with columns.
pub(super) const NO_COLUMN: &str = "lint::columns";

/// Something that a stage reads or writes and cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The problem's code.
    pub code: &'static str,
    /// Where the stage says so: the steps below its table, and the element there.
    pub at: (Vec<String>, Option<String>),
    /// Where in a template, if it is one that says so.
    pub place: Option<Place>,
    /// What is wrong.
    pub message: String,
    /// What it is, in two or three words.
    pub label: &'static str,
    /// How to repair it.
    pub help: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beside_texts_are_texts_unless_the_texts_may_be_gone() {
        let table = |holds| Columns::of([("level".to_owned(), holds)], false);
        let (texts, numbers) = (table(Holds::Text), table(Holds::Numbers));
        let beside = |one: &Columns, other: &Columns| {
            Columns::stacked([one, other].into_iter()).holds("level")
        };
        assert_eq!(beside(&texts, &numbers), Holds::Text);
        assert_eq!(beside(&numbers, &texts), Holds::Text);
        assert_eq!(beside(&numbers, &table(Holds::Unknown)), Holds::Unknown);
        // Rows whose level is absent may be what is left; then the numbers are numbers.
        let mut some = texts.clone();
        some.keep_some();
        assert_eq!(beside(&some, &numbers), Holds::Unknown);
        assert_eq!(beside(&numbers, &some), Holds::Unknown);
        assert_eq!(beside(&some, &texts), Holds::Text);
    }

    #[test]
    fn fields_of_lists_are_known_where_all_tables_know_theirs() {
        let mut one = Columns::of([("issues".to_owned(), Holds::Json)], false);
        one.set_fields("issues", ["location", "severity"]);
        let mut other = Columns::of([("issues".to_owned(), Holds::Json)], false);
        let both = |other: &Columns| {
            let both = Columns::stacked([&one, other].into_iter());
            both.fields("issues").map(|fields| fields.join(" "))
        };
        assert_eq!(
            both(&Columns::of([], false)).as_deref(),
            Some("location severity")
        );
        assert_eq!(both(&other), None);
        other.set_fields("issues", ["kind"]);
        assert_eq!(both(&other).as_deref(), Some("location severity kind"));
        one.set("issues", Holds::Text);
        assert_eq!(one.fields("issues"), None);
    }
}
