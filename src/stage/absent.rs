//! Values that are absent, and the columns that say why.
//!
//! Every column may have another beside it that says, where a cell is empty, why it is: `unscored` beside `score`,
//! `not_applicable` beside `text`, `no_x` beside any other `x`. What is made of an absent value is absent too, and
//! takes the reason along.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::NOT_APPLICABLE;
use super::stats::WHY;
use crate::base::failure::Failure;
use crate::frame::{ColumnData, Frame};

/// The name of the column that says why cells of a column are empty.
pub(crate) fn reason_column(name: &str) -> String {
    match name {
        "score" => "unscored".to_owned(),
        "text" => NOT_APPLICABLE.to_owned(),
        name => format!("no_{name}"),
    }
}

/// Columns, and those that say why their cells are empty.
pub(crate) fn with_reasons(columns: &BTreeSet<&str>) -> Vec<String> {
    let reasons = columns.iter().map(|name| reason_column(name));
    let named = columns.iter().map(ToString::to_string);
    named.chain(reasons).collect()
}

/// Why a cell is empty, in the words of the stage that left it so; nothing where there is a value or no such column.
pub(crate) fn why_absent(frame: &Frame, name: &str, row: usize) -> Option<String> {
    let column = frame.column(name).ok()?;
    if !column.scalar(row).is_null() {
        return None;
    }
    let said = |column: &str| {
        let column = frame.column(column).ok()?;
        column.text(row).map(Cow::into_owned)
    };
    let own = said(&reason_column(name)).or_else(|| said(WHY));
    Some(own.unwrap_or_else(|| "no value".to_owned()))
}

/// The reason for what is made of an absent value: the value's own, with its name.
pub(crate) fn passed_on(name: &str, why: &str) -> String {
    // A reason names the column where it began, not all that were made of it.
    if why.starts_with("no `") {
        why.to_owned()
    } else {
        format!("no `{name}`: {why}")
    }
}

/// The reasons of a column that a stage is making, row by row.
#[derive(Debug, Default)]
pub(crate) struct Reasons(Vec<Option<String>>);

impl Reasons {
    /// The next row: nothing where there is a value.
    pub(crate) fn push(&mut self, why: Option<String>) {
        self.0.push(why);
    }

    /// The table with the column of reasons beside `name`, if there are any; one of an earlier `name` goes.
    ///
    /// # Errors
    /// When the number of rows differs.
    pub(crate) fn add(self, frame: Frame, name: &str) -> Result<Frame, Failure> {
        let column = reason_column(name);
        if self.0.iter().all(Option::is_none) {
            return Ok(frame.without(&[&column]));
        }
        Ok(frame.with_column(&column, ColumnData::Text(self.0))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged() -> Frame {
        Frame::new(vec![
            ("score".to_owned(), ColumnData::Float(vec![Some(4.0), None])),
            (
                "unscored".to_owned(),
                ColumnData::Text(vec![None, Some("ambiguous".to_owned())]),
            ),
            ("year".to_owned(), ColumnData::Int(vec![None, Some(1900)])),
        ])
        .unwrap()
    }

    #[test]
    fn an_empty_cell_says_why_it_is_empty() {
        let judged = judged();
        assert_eq!(why_absent(&judged, "score", 0), None);
        assert_eq!(
            why_absent(&judged, "score", 1).as_deref(),
            Some("ambiguous")
        );
        assert_eq!(why_absent(&judged, "year", 0).as_deref(), Some("no value"));
        assert_eq!(why_absent(&judged, "month", 0), None);
    }

    #[test]
    fn a_reason_names_the_column_where_it_began() {
        let first = passed_on("score", "ambiguous");
        assert_eq!(first, "no `score`: ambiguous");
        assert_eq!(passed_on("change", &first), first);
    }

    #[test]
    fn a_column_without_empty_cells_has_none_of_reasons() {
        let mut none = Reasons::default();
        none.push(None);
        none.push(None);
        assert!(!none.add(judged(), "score").unwrap().has("unscored"));
        let mut some = Reasons::default();
        some.push(None);
        some.push(Some("no `score`: ambiguous".to_owned()));
        let frame = some.add(judged(), "change").unwrap();
        let said = frame.column("no_change").unwrap();
        assert_eq!(said.text(1).as_deref(), Some("no `score`: ambiguous"));
    }
}
