//! What a measure reads: the rows of one group in long form, a column for each role.

use std::collections::BTreeMap;

/// What a column is to a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// What tells items apart: documents, or what `over` names.
    Item,
    /// The values: scores, labels, or of comparisons the share of the win that is the contender's (1, ½, 0).
    Value,
    /// What values are held against: human scores, true labels, or the level that is subtracted.
    Reference,
    /// A second column of values beside the first, held against the same reference.
    Rival,
    /// Who rated: judges, annotators, repeats.
    Rater,
    /// What made the item: a system, a model that wrote the text.
    System,
    /// The sample that a value belongs to.
    Sample,
    /// What rows are drawn by together, since they are not independent.
    Cluster,
    /// Of a comparison, whom the value is about.
    Contender,
    /// Of a comparison, whom the contender was compared with.
    Opponent,
    /// Of a comparison, who stood first: `given` (the contender) or `swapped`.
    Order,
    /// The length of the contender's text, in any unit.
    Length,
    /// The length of the opponent's text, in the same unit.
    OpponentLength,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// There is no value.
    #[default]
    Absent,
    /// A finite number. Truth values are 1 and 0.
    Number(f64),
    /// A label or a name.
    Text(String),
}

impl Cell {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether there is no value.
    pub fn is_absent(&self) -> bool {
        *self == Self::Absent
    }

    /// As it is shown, and compared with names that a spec writes: a whole number has no fraction.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Absent => None,
            // Zero has no sign.
            Self::Number(number) => Some((number + 0.0).to_string()),
            Self::Text(text) => Some(text.clone()),
        }
    }
}

/// The rows of one group. All columns are equally long; a role that the spec does not name has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Data {
    len: usize,
    columns: BTreeMap<Role, Vec<Cell>>,
}

impl Data {
    /// Rows without any column.
    pub fn of(len: usize) -> Self {
        let columns = BTreeMap::new();
        Self { len, columns }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a column; one that is shorter than the rows is filled up with absent cells.
    #[must_use]
    pub fn with(mut self, role: Role, mut cells: Vec<Cell>) -> Self {
        cells.resize(self.len, Cell::Absent);
        self.columns.insert(role, cells);
        self
    }

    /// The column of a role; absent throughout where there is none.
    pub fn column(&self, role: Role) -> Option<&[Cell]> {
        self.columns.get(&role).map(Vec::as_slice)
    }

    /// A cell, absent where there is no such column.
    pub fn cell(&self, role: Role, row: usize) -> &Cell {
        const ABSENT: &Cell = &Cell::Absent;
        let cell = self.columns.get(&role).and_then(|column| column.get(row));
        cell.unwrap_or(ABSENT)
    }
}
