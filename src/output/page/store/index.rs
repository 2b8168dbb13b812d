//! The index: one row per score that was asked for, column by column.

use indexmap::IndexSet;
use serde::Serialize;
use serde_json::{Value, json};

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Whether its cells are numbers, and not texts of which there are few.
    pub numbers: bool,
    /// Whether it is left out if no row has a value.
    pub optional: bool,
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

    /// Adds a cell; one of another kind than the column's is none.
    pub(super) fn push(&mut self, cell: Cell<'_>) {
        if self.column.numbers {
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
        if self.column.numbers {
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
        json!({ "name": name, "kind": "choice", "values": values, "codes": codes })
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
    pub(super) documents: Vec<i64>,
    pub(super) replies: Vec<i64>,
    pub(super) documents_per_chunk: usize,
    pub(super) replies_per_chunk: usize,
}
