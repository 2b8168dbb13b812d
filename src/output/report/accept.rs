//! Takes our values over as expected ones: what would change in a file of expected values, and the file as it would be.
//!
//! It changes fields of the text and leaves all others, the order of lines and their ends as they are. A value that a note
//! explains is somebody else's, and so are the printed ones of a file with audited values beside them: those stay. It must
//! not read or write files.

use std::ops::Range;

use super::csv::quote;
use super::expect::Expected;
use super::fields::{Field, records};
use super::grid::is_whole;
use super::layout::{Cell, Layout, NO_VALUE, place, shown};
use super::number::{fixed, full};
use super::verify::{Audit, AuditRow, Status};

/// A file of expected values with our values in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Accepted {
    /// The file as it would be.
    pub text: String,
    /// What would be another value.
    pub changes: Vec<Change>,
    /// What stays although it is not ours.
    pub kept: Vec<Kept>,
}

/// A cell that would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Line of the file, from 1; of an empty file the line it would be.
    pub line: usize,
    /// The cell, by its fields.
    pub place: String,
    /// What stands there; nothing in an empty file.
    pub before: Option<String>,
    /// What would; nothing where our table has no such cell.
    pub after: Option<String>,
    /// Whether it is the audited value.
    pub audited: bool,
}

/// A cell that stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Line of the file, from 1.
    pub line: usize,
    /// The cell, by its fields.
    pub place: String,
    /// Why.
    pub why: Why,
}

/// Why an expected value stays that is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// A note explains the difference; it begins in this line of its file.
    Noted(usize),
    /// The file has audited values, so that printed ones are published.
    Published,
    /// Our value is an average that lacks parts.
    Incomplete,
    /// Our table has none of the cells that the file names.
    OtherTable,
}

/// A file of all our cells, where it is empty.
pub fn create(cells: &[Cell], layout: &Layout) -> Accepted {
    let mut accepted = Accepted::default();
    let fields: Vec<&str> = layout.fields().chain(["printed"]).collect();
    accepted.text = line_of(fields.iter().copied());
    for (at, cell) in cells.iter().enumerate() {
        let value = value_of(cell, decimals(cell, layout));
        let keys: Vec<&String> = cell.row.iter().chain(&cell.column).collect();
        let texts = keys.iter().map(|key| shown(key)).chain([value.as_str()]);
        accepted.text.push_str(&line_of(texts));
        accepted.changes.push(Change {
            line: at + 2,
            place: place(layout.fields(), keys.into_iter()),
            before: None,
            after: Some(value),
            audited: false,
        });
    }
    accepted
}

/// Our values in a file of expected ones that was compared with them.
pub fn accept(
    text: &str,
    (cells, layout): (&[Cell], &Layout),
    expected: &Expected,
    audit: &Audit,
) -> Accepted {
    let mut accepted = Accepted {
        text: text.to_owned(),
        ..Accepted::default()
    };
    // It was read before, so it can be read again.
    let records = records(text).unwrap_or_default();
    let Some((header, body)) = records.split_first() else {
        return accepted;
    };
    let column = |name: &str| header.iter().position(|field| field.text == name);
    let audited = column("audited");
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for ((record, print), row) in body.iter().zip(&expected.cells).zip(&audit.rows) {
        let named = place(layout.fields(), print.row.iter().chain(&print.column));
        let cell = cells
            .iter()
            .find(|cell| cell.row == print.row && cell.column == print.column);
        let (at, after) = match decide(row, cell, audit, audited.is_some(), layout) {
            Decided::Agrees => continue,
            Decided::Stays(why) => {
                accepted.kept.push(Kept {
                    line: print.line,
                    place: named,
                    why,
                });
                continue;
            }
            Decided::Printed(after) => (column("printed"), Some(after)),
            Decided::Audited(after) => (audited, Some(after)),
            Decided::Gone => (column("printed"), None),
        };
        let Some(field) = at.and_then(|at| record.get(at)) else {
            continue;
        };
        edits.push(match &after {
            Some(after) => (field.bytes.clone(), after.clone()),
            None => (line_around(text, record), String::new()),
        });
        accepted.changes.push(Change {
            line: print.line,
            place: named,
            before: Some(field.text.clone()),
            audited: after.is_some() && at == audited,
            after,
        });
    }
    // A file without cells says nothing: it is of another table.
    if accepted.changes.len() == body.len()
        && accepted.changes.iter().all(|one| one.after.is_none())
    {
        let gone = std::mem::take(&mut accepted.changes).into_iter();
        accepted.kept = gone
            .map(|change| Kept {
                line: change.line,
                place: change.place,
                why: Why::OtherTable,
            })
            .collect();
        return accepted;
    }
    for (range, new) in edits.into_iter().rev() {
        accepted.text.replace_range(range, &new);
    }
    accepted
}

/// What becomes of an expected value.
enum Decided {
    Agrees,
    Stays(Why),
    Printed(String),
    Audited(String),
    Gone,
}

fn decide(
    row: &AuditRow,
    cell: Option<&Cell>,
    audit: &Audit,
    audited: bool,
    layout: &Layout,
) -> Decided {
    if let Some(note) = row.note {
        let line = audit.notes.get(note).map_or(1, |note| note.line);
        return Decided::Stays(Why::Noted(line));
    }
    match (row.status, cell, row.ours) {
        (Status::Agrees, ..) => Decided::Agrees,
        (Status::Drifted, _, Some(ours)) => Decided::Audited(full(ours)),
        (Status::Incomplete, ..) => Decided::Stays(Why::Incomplete),
        _ if audited => Decided::Stays(Why::Published),
        (_, None, _) => Decided::Gone,
        (_, Some(cell), _) => {
            let as_printed = row.printed != NO_VALUE;
            let decimals = if as_printed {
                row.decimals
            } else {
                decimals(cell, layout)
            };
            Decided::Printed(value_of(cell, decimals))
        }
    }
}

fn decimals(cell: &Cell, layout: &Layout) -> usize {
    if is_whole(cell) { 0 } else { layout.decimals }
}

/// A cell's value as it is expected: in plain digits, which can be read back.
fn value_of(cell: &Cell, decimals: usize) -> String {
    match cell.value.filter(|value| value.is_finite()) {
        None => NO_VALUE.to_owned(),
        Some(value) => {
            let text = fixed(value, decimals);
            if text.contains('e') {
                format!("{value:.0}")
            } else {
                text
            }
        }
    }
}

fn line_of<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let fields: Vec<String> = texts.map(quoted).collect();
    format!("{}\n", fields.join(","))
}

/// A field of csv; an empty one is in quotes, so that a line of nothing else is one.
fn quoted(text: &str) -> String {
    match text {
        "" => "\"\"".to_owned(),
        text => quote(text),
    }
}

/// Where a record's line is, with its end.
fn line_around(text: &str, record: &[Field]) -> Range<usize> {
    let (Some(first), Some(last)) = (record.first(), record.last()) else {
        return 0..0;
    };
    let start = text[..first.bytes.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[last.bytes.end..].find('\n');
    start..end.map_or(text.len(), |at| last.bytes.end + at + 1)
}
