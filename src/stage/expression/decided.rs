//! What a condition said of rows before: many rows of a table hold the same in the few columns that a condition names, and it
//! says the same of all of them.

use std::collections::BTreeMap;

use crate::frame::{ColumnView, Scalar};

/// So many different rows are remembered.
const MOST: usize = 256;

/// A cell that takes more bytes is seldom the same as another.
const LONGEST: usize = 64;

/// What a condition said, by the cells that it looked at.
pub(super) struct Decided<'c> {
    columns: Vec<&'c ColumnView<'c>>,
    said: BTreeMap<String, bool>,
    /// The cells of the row that was asked about last; empty, where it is not remembered.
    cells: String,
}

impl<'c> Decided<'c> {
    /// Nothing yet, of a condition that looks at these columns.
    pub(super) fn new(columns: impl Iterator<Item = &'c ColumnView<'c>>) -> Self {
        Self {
            columns: columns.collect(),
            said: BTreeMap::new(),
            cells: String::new(),
        }
    }

    /// What it said of a row like this one.
    pub(super) fn of(&mut self, row: usize) -> Option<bool> {
        self.cells.clear();
        for column in &self.columns {
            // What has no value has to be told, and is for the condition to say.
            let text = (!column.is_json()).then(|| column.text(row)).flatten();
            // Zero and its negative are written alike, and a quotient tells them apart.
            let unlike = |text: &str| {
                text == "0" && matches!(column.scalar(row), Scalar::Float(x) if x == 0.0)
            };
            let known = text.filter(|text| text.len() <= LONGEST && !unlike(text));
            let Some(text) = known else {
                self.cells.clear();
                return None;
            };
            self.cells.push_str(&text);
            // Where one cell ends and the next begins: the length says it, whatever stands in them.
            self.cells.push(char::from(text.len() as u8));
        }
        self.said.get(&self.cells).copied()
    }

    /// Remembers what it says of the row that was [asked](Self::of) about last.
    pub(super) fn note(&mut self, said: bool) {
        if !self.cells.is_empty() && self.said.len() < MOST {
            self.said.insert(self.cells.clone(), said);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{ColumnData, Frame};

    #[test]
    fn a_row_is_known_by_all_of_its_cells_and_only_where_it_has_all() {
        let texts = ["a", "ab", "a", "", "a"].map(|text| Some(text.to_owned()));
        let others = [Some("bc"), Some("c"), Some("bc"), None, Some("c")];
        let others = others.map(|text| text.map(str::to_owned));
        let frame = Frame::new(vec![
            ("one".to_owned(), ColumnData::Text(texts.into())),
            ("other".to_owned(), ColumnData::Text(others.into())),
        ])
        .unwrap();
        let columns = ["one", "other"].map(|name| frame.column(name).unwrap());
        let mut decided = Decided::new(columns.iter());
        for (row, known, said) in [
            (0, None, true),
            (1, None, false),
            (2, Some(true), true),
            (3, None, true),
            (3, None, true),
            (4, None, false),
        ] {
            assert_eq!(decided.of(row), known, "{row}");
            decided.note(said);
        }
        assert_eq!(decided.said.len(), 3);
    }

    #[test]
    fn a_zero_is_not_taken_for_its_negative() {
        let numbers = [0.0, -0.0, 0.5, 0.5].map(Some);
        let numbers = ColumnData::Float(numbers.into());
        let frame = Frame::new(vec![("x".to_owned(), numbers)]).unwrap();
        let columns = [frame.column("x").unwrap()];
        let mut decided = Decided::new(columns.iter());
        for (row, known) in [(0, None), (1, None), (2, None), (3, Some(true))] {
            assert_eq!(decided.of(row), known, "{row}");
            decided.note(true);
        }
    }

    #[test]
    fn no_more_than_some_rows_and_no_long_ones_are_remembered() {
        let texts = (0..2 * MOST).map(|n| Some("x".repeat(n % 100)));
        let numbers = (0_i64..).take(2 * MOST).map(Some);
        let frame = Frame::new(vec![
            ("text".to_owned(), ColumnData::Text(texts.collect())),
            ("number".to_owned(), ColumnData::Int(numbers.collect())),
        ])
        .unwrap();
        let columns = ["text", "number"].map(|name| frame.column(name).unwrap());
        let mut decided = Decided::new(columns.iter());
        for row in 0..frame.rows() {
            assert_eq!(decided.of(row), None);
            decided.note(true);
        }
        assert_eq!(decided.said.len(), MOST);
        assert_eq!(decided.of(0), Some(true));
        assert_eq!(decided.of(99), None);
    }
}
