//! The index: one row per score that was asked for, column by column.

use indexmap::IndexSet;
use serde::Serialize;
use serde_json::{Value, json};

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What its cells are.
    pub holds: Holds,
    /// Whether it is left out if no row has a value.
    pub optional: bool,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Texts of which there are few.
    Choices,
    /// Several of few texts, in a cell each on a line.
    Lists,
    /// Numbers.
    Numbers,
}

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'t> {
    /// No value.
    None,
    /// A text.
    Text(&'t str),
    /// A number.
    Number(f64),
}

impl<'t> From<Option<&'t str>> for Cell<'t> {
    fn from(text: Option<&'t str>) -> Self {
        text.map_or(Self::None, Self::Text)
    }
}

/// A column being filled.
#[derive(Debug)]
pub(super) struct Filled {
    column: Column,
    values: IndexSet<String>,
    codes: Vec<Option<usize>>,
    numbers: Vec<Option<f64>>,
}

impl Filled {
    pub(super) fn new(column: Column) -> Self {
        Self {
            column,
            values: IndexSet::new(),
            codes: Vec::new(),
            numbers: Vec::new(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.column.name
    }

    /// Adds a cell; one of another kind than the column's is none.
    pub(super) fn push(&mut self, cell: Cell<'_>) {
        if self.column.holds == Holds::Numbers {
            self.numbers.push(match cell {
                Cell::Number(number) if number.is_finite() => Some(number),
                _ => None,
            });
            return;
        }
        self.codes.push(match cell {
            Cell::Text(text) => match self.values.get_index_of(text) {
                Some(code) => Some(code),
                None => Some(self.values.insert_full(text.to_owned()).0),
            },
            _ => None,
        });
    }

    /// Whether it says anything, or must stand there anyhow.
    pub(super) fn is_shown(&self) -> bool {
        !self.column.optional
            || self.codes.iter().any(Option::is_some)
            || self.numbers.iter().any(Option::is_some)
    }

    /// The column with its rows in another order; values are numbered as they come.
    pub(super) fn json(&self, order: &[usize]) -> Value {
        let name = &self.column.name;
        if self.column.holds == Holds::Numbers {
            let numbers: Vec<Value> = order.iter().map(|&row| number(self.numbers[row])).collect();
            return json!({ "name": name, "kind": "number", "numbers": numbers });
        }
        let mut codes = Vec::with_capacity(order.len());
        let mut values: IndexSet<usize> = IndexSet::new();
        for &row in order {
            codes.push(position(
                self.codes[row].map(|code| values.insert_full(code).0),
            ));
        }
        let values: Vec<&String> = values
            .into_iter()
            .filter_map(|code| self.values.get_index(code))
            .collect();
        if self.column.holds == Holds::Lists {
            let mut all: IndexSet<&str> = IndexSet::new();
            let lists = values.iter().map(|list| {
                let lines = list.lines();
                lines.map(|one| all.insert_full(one).0).collect::<Vec<_>>()
            });
            let lists: Vec<Vec<usize>> = lists.collect();
            return json!({ "name": name, "kind": "list", "values": all, "lists": lists, "codes": codes });
        }
        json!({ "name": name, "kind": "choice", "values": values, "codes": codes })
    }
}

/// From how many values on a column of documents is not chosen from.
const MOST_CHOICES: usize = 60;

/// From how many numbers on they are chosen by a range.
const FEW_NUMBERS: usize = 6;

/// What documents have in a column of theirs, by their positions.
#[derive(Debug)]
pub(super) struct OfDocuments {
    values: IndexSet<String>,
    codes: Vec<Option<usize>>,
    numbers: bool,
    /// Whether it has too many values to be chosen from.
    many: bool,
}

impl OfDocuments {
    pub(super) fn new() -> Self {
        Self {
            values: IndexSet::new(),
            codes: Vec::new(),
            numbers: true,
            many: false,
        }
    }

    pub(super) fn put(&mut self, document: usize, value: &str) {
        self.numbers &= value.parse::<f64>().is_ok_and(f64::is_finite);
        self.many |= !self.numbers && self.values.len() > MOST_CHOICES;
        if self.many {
            self.values.clear();
            self.codes.clear();
            return;
        }
        if self.codes.len() <= document {
            self.codes.resize(document + 1, None);
        }
        self.codes[document] = Some(self.values.insert_full(value.to_owned()).0);
    }

    /// The column for so many documents, where it tells any of them apart.
    pub(super) fn json(&self, name: &str, documents: usize) -> Option<Value> {
        let of = |at: usize| self.codes.get(at).copied().flatten();
        let gaps = (0..documents).any(|at| of(at).is_none());
        let tells_apart = self.values.len() + usize::from(gaps) > 1;
        if self.values.is_empty()
            || self.values.len() > MOST_CHOICES && !self.numbers
            || !tells_apart
        {
            return None;
        }
        if self.numbers && self.values.len() > FEW_NUMBERS {
            let value = |at| self.values.get_index(of(at)?)?.parse().ok();
            let numbers: Vec<Value> = (0..documents).map(|at| number(value(at))).collect();
            return Some(json!({ "name": name, "kind": "number", "numbers": numbers }));
        }
        let codes: Vec<i64> = (0..documents).map(|at| position(of(at))).collect();
        Some(json!({ "name": name, "kind": "choice", "values": self.values, "codes": codes }))
    }
}

/// A number as JSON, whole ones without a point.
fn number(number: Option<f64>) -> Value {
    match number {
        Some(number) if number.fract() == 0.0 && number.abs() < 1e15 => json!(number as i64),
        Some(number) => json!(number),
        None => Value::Null,
    }
}

/// A position, or -1.
pub(super) fn position(position: Option<usize>) -> i64 {
    position.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1)
}

/// The chunk `index`.
#[derive(Serialize)]
pub(super) struct Index {
    pub(super) rows: usize,
    pub(super) columns: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) of_documents: Vec<Value>,
    pub(super) documents: Vec<i64>,
    pub(super) replies: Vec<i64>,
    pub(super) documents_per_chunk: usize,
    pub(super) replies_per_chunk: usize,
}
