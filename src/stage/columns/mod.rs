//! Which columns each kind of stage reads and gives, without running it.
//!
//! A stage says of the columns that it is handed which of those it reads are not there, and which columns its result
//! has. What cannot be known (keys of further lines of JSON, columns that only some documents get) is left open, so
//! that nothing is blamed that may be right.

mod asked;
mod documents;
mod judged;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::{Expression, Stage, StageName};
use crate::base::wording::{list_of, nearest};
use crate::frame::Scalar;

/// The columns of a table, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    names: IndexMap<String, Column>,
    /// There may be others.
    open: bool,
    /// The node whose rows these are, one or several of each, with columns more or fewer.
    origin: Option<usize>,
    /// The columns that were made since.
    made: BTreeSet<String>,
    /// The only values that a column can hold.
    fixed: BTreeMap<String, BTreeSet<String>>,
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
    /// Something that is known when it is read.
    Unknown,
}

/// What is known of a value of some rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Its text.
    Known(String),
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
        self.names.keys().map(String::as_str).collect()
    }

    /// Whether a column is certainly not there.
    pub fn lacks(&self, name: &str) -> bool {
        !self.open && !self.names.contains_key(name)
    }

    /// Whether a column is certainly there.
    pub fn has(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|column| column.sure)
    }

    /// What a column holds.
    pub fn holds(&self, name: &str) -> Holds {
        self.names
            .get(name)
            .map_or(Holds::Unknown, |column| column.holds)
    }

    fn set(&mut self, name: &str, holds: Holds) {
        let column = Column { holds, sure: true };
        self.names.insert(name.to_owned(), column);
        self.made.insert(name.to_owned());
        self.fixed.remove(name);
    }

    /// A column that only some results have.
    fn may_have(&mut self, name: &str, holds: Holds) {
        self.made.insert(name.to_owned());
        self.fixed.remove(name);
        let column = Column { holds, sure: false };
        self.names.entry(name.to_owned()).or_insert(column);
    }

    fn remove(&mut self, name: &str) {
        self.names.shift_remove(name);
        self.fixed.remove(name);
    }

    /// A column that holds only these values, such as that of an axis.
    pub fn fix(&mut self, name: &str, values: impl IntoIterator<Item = Scalar>) {
        let values: Vec<Scalar> = values.into_iter().collect();
        let all = |test: fn(&Scalar) -> bool| values.iter().all(test);
        let holds = match values.as_slice() {
            [] => Holds::Unknown,
            _ if all(|value| matches!(value, Scalar::Text(_))) => Holds::Text,
            _ if all(|value| value.number().is_some()) => Holds::Numbers,
            _ => Holds::Unknown,
        };
        self.set(name, holds);
        let values = values.iter().map(ToString::to_string).collect();
        self.fixed.insert(name.to_owned(), values);
    }

    /// A column that holds what it holds in these tables: only the values of an axis, if all know them.
    fn hold_only(&mut self, name: &str, tables: &[&Self]) {
        let fixed = tables.iter().map(|table| table.fixed.get(name));
        if let Some(fixed) = fixed.collect::<Option<Vec<_>>>() {
            let values = fixed.into_iter().flatten().cloned().collect();
            self.fixed.insert(name.to_owned(), values);
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
            Holds::Unknown => None,
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
    fn new_rows(&mut self) {
        self.origin = None;
    }

    /// The columns of several tables put below each other.
    pub fn stacked<'c>(all: impl Iterator<Item = &'c Self>) -> Self {
        let mut stacked = Self::default();
        for columns in all {
            stacked.open |= columns.open;
            for (name, column) in &columns.names {
                let entry = stacked.names.entry(name.clone()).or_insert(*column);
                if entry.holds != column.holds {
                    entry.holds = Holds::Unknown;
                }
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
    /// What the files of a name or pattern look like; nothing where that is not known.
    fn of(&self, pattern: &Path) -> Option<&[Head]> {
        self.files.get(pattern).map(Vec::as_slice)
    }
}

/// The code of problems with columns.
const NO_COLUMN: &str = "lint::columns";

/// Something that a stage reads or writes and cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// The problem's code.
    pub code: &'static str,
    /// Where the stage says so: the steps below its table, and the element there.
    pub at: (Vec<String>, Option<String>),
    /// What is wrong.
    pub message: String,
    /// What it is, in two or three words.
    pub label: &'static str,
    /// How to repair it.
    pub help: String,
}

/// A stage being looked at: what it is handed, and what was found wrong.
pub(super) struct Looking<'c> {
    inputs: &'c [(&'c StageName, &'c Columns)],
    lacks: Vec<Lack>,
}

impl Looking<'_> {
    /// The one table that it reads.
    fn input(&self) -> Columns {
        self.inputs
            .first()
            .map_or_else(Columns::unknown, |(_, columns)| (*columns).clone())
    }

    /// The names of the stages that it reads.
    fn from(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in self.inputs {
            if !names.contains(&name.to_string()) {
                names.push(name.to_string());
            }
        }
        names.join(", ")
    }

    /// All tables of a stage that it reads.
    fn tables_of(&self, stage: &StageName) -> Columns {
        let of = self.inputs.iter().filter(|(name, _)| *name == stage);
        Columns::stacked(of.map(|(_, columns)| *columns))
    }

    /// Notes that a column is read, by the setting at these steps.
    fn needs(&mut self, columns: &Columns, steps: &[&str], name: &str, from: &str) {
        if !columns.lacks(name) {
            return;
        }
        let known = columns.names();
        self.lacks.push(Lack {
            code: NO_COLUMN,
            at: (owned(steps), Some(name.to_owned())),
            message: format!("there is no column `{name}` in what {} gives", quoted(from)),
            label: "not a column",
            help: match nearest(name, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "it gives no columns".to_owned(),
                None => format!("the columns are {}", list_of(&known)),
            },
        });
    }

    /// Notes what is wrong with a condition on the rows of these columns: a column that is not there, or values of
    /// different kinds that it compares.
    fn condition(
        &mut self,
        columns: &Columns,
        steps: &[&str],
        condition: Option<&Expression>,
        from: &str,
    ) {
        let Some(condition) = condition else { return };
        let before = self.lacks.len();
        // `word-count` is read as one column less another.
        let missing = condition.columns().iter().any(|name| columns.lacks(name));
        let odd = |name: &&str| !is_word(name) && condition.text().contains(*name);
        if let Some(name) = columns.names().into_iter().filter(|_| missing).find(odd) {
            self.lacks.push(Lack {
                code: NO_COLUMN,
                at: (owned(steps), None),
                message: format!("`{name}` is not read as the name of a column here"),
                label: "several names",
                help: format!("write `column('{name}')`, since the name is no plain word"),
            });
            self.once(before);
            return;
        }
        for name in condition.columns() {
            self.needs(columns, steps, name, from);
        }
        let typical = |name: &str| match columns.holds(name) {
            Holds::Text => Some(Scalar::from("text")),
            Holds::Numbers => Some(Scalar::Float(1.0)),
            Holds::Unknown => None,
        };
        if let Err(mixed) = condition.check_kinds(typical) {
            self.lacks.push(Lack {
                code: "spec::bad-condition",
                at: (owned(steps), None),
                message: mixed.message,
                label: "compares values of different kinds",
                help: mixed.hint.unwrap_or_default(),
            });
        }
        self.once(before);
    }

    /// Leaves out what was noted before: one mistake is told once, however many parts have it.
    fn once(&mut self, before: usize) {
        let new = self.lacks.split_off(before);
        for lack in new {
            if !self.lacks.contains(&lack) {
                self.lacks.push(lack);
            }
        }
    }

    /// Notes that a column must hold numbers.
    fn counts(&mut self, columns: &Columns, steps: &[&str], name: &str, from: &str) {
        if columns.holds(name) == Holds::Text {
            self.lacks.push(Lack {
                code: NO_COLUMN,
                at: (owned(steps), Some(name.to_owned())),
                message: format!("the column `{name}` of `{from}` holds text, not numbers"),
                label: "no numbers",
                help: "name a column of numbers, or correct the file".to_owned(),
            });
        }
    }

    /// Notes columns that the stage adds and that are there already.
    fn adds<'n>(
        &mut self,
        columns: &Columns,
        names: impl IntoIterator<Item = &'n str>,
        kind: &str,
    ) {
        let there: Vec<&str> = names.into_iter().filter(|name| columns.has(name)).collect();
        let Some(first) = there.first() else { return };
        let from = self.from();
        self.lacks.push(Lack {
            code: NO_COLUMN,
            at: (owned(&["from"]), None),
            message: format!("`{from}` gives a column `{first}` already, which `{kind}` adds"),
            label: "read here",
            help: format!(
                "read a stage that does not have it, rename it, or leave out {} with the `columns` of a `select` stage",
                list_of(&there)
            ),
        });
    }
}

/// Whether a condition can name a column as it is.
fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// What gives columns, as messages name it: stages and files in backticks, other things in words.
fn quoted(from: &str) -> String {
    if from.starts_with("the ") {
        from.to_owned()
    } else {
        format!("`{from}`")
    }
}

fn owned(steps: &[&str]) -> Vec<String> {
    steps.iter().map(|&step| step.to_owned()).collect()
}

impl Stage {
    /// The columns of the result, and what the stage reads that is not there. `inputs` are the columns of all it
    /// reads, each named, in the order of the plan; `heads` what files look like.
    pub fn columns(
        &self,
        inputs: &[(&StageName, &Columns)],
        heads: &Heads,
    ) -> (Columns, Vec<Lack>) {
        let mut looking = Looking {
            inputs,
            lacks: Vec::new(),
        };
        let columns = match self {
            Self::Source(source) => source.columns(heads, &mut looking),
            Self::Clean(clean) => clean.columns(&mut looking),
            Self::Select(select) => select.columns(&mut looking),
            Self::Split(split) => split.columns(&mut looking),
            Self::Truncate(truncate) => truncate.columns(&mut looking),
            Self::Manipulate(manipulate) => manipulate.columns(&mut looking),
            Self::Measure(measure) => measure.columns(&mut looking),
            Self::Generate(generate) => generate.columns(heads, &mut looking),
            Self::Judge(judge) => judge.columns(heads, &mut looking),
            Self::Memo(memo) => memo.columns(&mut looking),
            Self::Stats(stats) => stats.columns_given(&mut looking),
            Self::Table(table) => table.columns_given(&mut looking),
            Self::Figure(figure) => figure.columns_given(&mut looking),
            Self::Export(export) => export.columns_given(&mut looking),
        };
        (columns, looking.lacks)
    }
}
