//! What is to be said of the columns of files: lists that became texts, and names that stages give to reasons.

use indexmap::IndexMap;

use crate::base::failure::Failure;
use crate::base::wording::count;
use crate::frame::{Frame, FrameError, Mixed};
use crate::stage::reason_column;

/// In how many rows a column holds lists and objects, and in how many other values.
#[derive(Default)]
struct Held {
    nested: usize,
    others: usize,
}

/// What the columns of all files hold, by the names that they have in the table.
#[derive(Default)]
pub(super) struct Nested(IndexMap<String, Held>);

impl Nested {
    /// Counts a file; `mixed` are those of its columns in which lists became texts.
    pub(super) fn add(&mut self, table: &Frame, mixed: &[Mixed]) -> Result<(), FrameError> {
        for name in table.names() {
            let column = table.column(name)?;
            let held = self.0.entry(name.to_owned()).or_default();
            if let Some(mixed) = mixed.iter().find(|mixed| mixed.name == name) {
                held.nested += mixed.nested;
                held.others += mixed.others;
                continue;
            }
            let there = (0..column.len()).filter(|&row| !column.lacks(row)).count();
            if column.is_json() {
                held.nested += there;
            } else {
                held.others += there;
            }
        }
        Ok(())
    }

    /// A warning for each column whose lists are texts since other values stand beside them: an expression that asks for
    /// the length or an element of one would be answered with letters.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mixed = self
            .0
            .iter()
            .filter(|(_, held)| held.nested > 0 && held.others > 0);
        let warning = |(name, held): (&String, &Held)| {
            format!(
                "`{name}` holds a list or an object in {} and another value in {}: all are read as texts, letter by letter; write lists alone, and `null` where there is none",
                count(held.nested, "row"),
                count(held.others, "row")
            )
        };
        mixed.map(warning).collect()
    }
}

/// Refuses a column that has the name under which stages say why another is absent, and says something else: a stage
/// that makes the other column anew would take it for reasons, and write its own over it.
pub(super) fn check_reasons(frame: &Frame) -> Result<(), Failure> {
    for name in frame.names() {
        let beside = reason_column(name);
        let Ok(reasons) = frame.column(&beside) else {
            continue;
        };
        let column = frame.column(name)?;
        let is_text = ["text", "no values"].contains(&reasons.kind());
        let says_why = |row: usize| is_text && column.lacks(row);
        let own = (0..frame.rows()).find(|&row| !(reasons.lacks(row) || says_why(row)));
        if let Some(row) = own {
            return Err(Failure::new(format!(
                "row {} has both `{name}` and `{beside}`, and `{beside}` says why a row has no `{name}`",
                row + 1
            ))
            .hint(format!(
                "give `{beside}` another name in the file, or leave it out with `columns`"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;

    fn frame(columns: Vec<(&str, ColumnData)>) -> Frame {
        let named = |(name, data): (&str, ColumnData)| (name.to_owned(), data);
        Frame::new(columns.into_iter().map(named).collect()).unwrap()
    }

    #[test]
    fn lists_that_became_texts_are_counted_in_one_file_and_across_files() {
        let said = |files: &[&str]| {
            let mut nested = Nested::default();
            for lines in files {
                let (table, mixed) = Frame::from_jsonl_mixed(lines.as_bytes()).unwrap();
                nested.add(&table, &mixed).unwrap();
            }
            nested.warnings()
        };
        let warning = |lists: &str, others: &str| {
            format!(
                "`a` holds a list or an object in {lists} and another value in {others}: all are read as texts, letter by letter; write lists alone, and `null` where there is none"
            )
        };
        let one = "{\"a\":[1]}\n{\"a\":\"none\"}\n{\"a\":null}\n{\"a\":{}}\n";
        assert_eq!(said(&[one]), [warning("2 rows", "1 row")]);
        let (lists, texts) = ("{\"a\":[1]}\n{\"a\":[]}\n", "{\"a\":\"x\"}\n");
        assert_eq!(said(&[lists, texts]), [warning("2 rows", "1 row")]);
        assert_eq!(said(&[lists, one]), [warning("4 rows", "1 row")]);
        for clean in [[lists, lists], [texts, texts], [lists, "{\"a\":null}\n"]] {
            assert!(said(&clean).is_empty(), "{clean:?}");
        }
    }

    #[test]
    fn a_column_of_a_file_is_not_taken_for_reasons() {
        let text = |cells: &[Option<&str>]| {
            ColumnData::Text(cells.iter().map(|cell| cell.map(str::to_owned)).collect())
        };
        let own = frame(vec![
            ("alcohol", ColumnData::Int(vec![None, Some(3)])),
            ("no_alcohol", text(&[None, Some("never")])),
        ]);
        let said = check_reasons(&own).unwrap_err();
        assert_eq!(
            said.message,
            "row 2 has both `alcohol` and `no_alcohol`, and `no_alcohol` says why a row has no `alcohol`"
        );
        let counted = frame(vec![
            ("score", ColumnData::Int(vec![None])),
            ("unscored", ColumnData::Int(vec![Some(2)])),
        ]);
        assert!(check_reasons(&counted).is_err());
        // As an export has them.
        let reasons = frame(vec![
            ("score", ColumnData::Int(vec![None, Some(3)])),
            ("unscored", text(&[Some("ambiguous"), None])),
            ("no_year", text(&[Some("x"), Some("y")])),
        ]);
        assert!(check_reasons(&reasons).is_ok());
    }
}
