//! The columns of judgements: what their cells are, packed as they come, and what is said of each when all have come.

use indexmap::IndexSet;
use serde_json::{Value, json};

use super::cells;

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

/// A column being filled. Of its cells those of the rows that wait for being packed are in memory.
#[derive(Debug)]
pub(super) struct Filled {
    column: Column,
    values: IndexSet<String>,
    /// Where each value stands first: the rank and the number of that row.
    firsts: Vec<(usize, usize)>,
    /// Whether any row has a value.
    said: bool,
    /// The code of the last text, from 1: the next row has mostly the same.
    last: usize,
    codes: Vec<u32>,
    numbers: Vec<f64>,
}

impl Filled {
    pub(super) fn new(column: Column) -> Self {
        Self {
            column,
            values: IndexSet::new(),
            firsts: Vec::new(),
            said: false,
            last: 0,
            codes: Vec::new(),
            numbers: Vec::new(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.column.name
    }

    /// Adds the cell of a row of this rank and number; one of another kind than the column's is none.
    pub(super) fn push(&mut self, cell: Cell<'_>, row: (usize, usize)) {
        if self.column.holds == Holds::Numbers {
            self.numbers.push(match cell {
                Cell::Number(number) if number.is_finite() => {
                    self.said = true;
                    number
                }
                _ => f64::NAN,
            });
            return;
        }
        let Cell::Text(text) = cell else {
            return self.codes.push(0);
        };
        self.said = true;
        let same = self
            .last
            .checked_sub(1)
            .and_then(|last| self.values.get_index(last));
        if same.is_none_or(|same| same != text) {
            let known = self.values.get_index_of(text);
            let code = known.unwrap_or_else(|| self.values.insert_full(text.to_owned()).0);
            self.last = code + 1;
        }
        match self.firsts.get_mut(self.last - 1) {
            // Rows of one rank come in order, so that of these the first that was pushed is first.
            Some(first) if row.0 < first.0 => *first = row,
            Some(_) => {}
            None => self.firsts.push(row),
        }
        self.codes
            .push(u32::try_from(self.last).unwrap_or(u32::MAX));
    }

    /// Packs the cells that wait.
    pub(super) fn pack(&mut self, to: &mut Vec<u8>) {
        if self.column.holds == Holds::Numbers {
            cells::numbers(&self.numbers, to);
        } else {
            cells::codes(&self.codes, to);
        }
        self.codes.clear();
        self.numbers.clear();
    }

    /// What the page has to know of the column, whose cells stand at place `at` of every chunk of rows; nothing of one that
    /// says nothing and need not stand there.
    pub(super) fn json(&self, at: usize) -> Option<Value> {
        if self.column.optional && !self.said {
            return None;
        }
        let name = &self.column.name;
        if self.column.holds == Holds::Numbers {
            return Some(json!({ "name": name, "kind": "number", "at": at }));
        }
        // Values are numbered as they stand in the rows, which need not be as they came.
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by_key(|&code| self.firsts[code]);
        let values = order.iter().filter_map(|&code| self.values.get_index(code));
        let mut column = if self.column.holds == Holds::Lists {
            let mut all: IndexSet<&str> = IndexSet::new();
            let lists = values.map(|list| {
                let lines = list.lines();
                lines.map(|one| all.insert_full(one).0).collect::<Vec<_>>()
            });
            let lists: Vec<Vec<usize>> = lists.collect();
            json!({ "name": name, "kind": "list", "at": at, "values": all, "lists": lists })
        } else {
            let values: Vec<&String> = values.collect();
            json!({ "name": name, "kind": "choice", "at": at, "values": values })
        };
        if !order.is_sorted() {
            let mut numbered = vec![0; order.len()];
            for (number, code) in order.into_iter().enumerate() {
                numbered[code] = number;
            }
            column["numbered"] = json!(numbered);
        }
        Some(column)
    }
}
