//! Our cells held against the printed ones.
//!
//! It decides the status of every printed cell and which note explains it. It must not draw, and it must not round
//! our values before comparing.

use std::collections::BTreeMap;

use serde::Serialize;

use super::expect::{Expected, ExpectedCell};
use super::footnote::{is_partial, lacking};
use super::layout::{Cell, Layout};
use super::notes::{Note, When};

/// Largest difference from an audited value, absolute for values up to one and relative above: audited values are
/// kept with six decimals.
const AUDIT_TOLERANCE: f64 = 1e-6;

/// How one printed cell compares with ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Ours may have been rounded to the print, or neither has a value.
    Agrees,
    /// Ours is another number.
    Differs,
    /// We have no value.
    Absent,
    /// Ours averages fewer parts than it should.
    Incomplete,
    /// Ours is not what a correct computation gives; no note excuses that.
    Drifted,
}

impl Status {
    /// The word shown for the status.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Absent => "absent",
            Self::Incomplete => "incomplete",
            Self::Drifted => "drifted",
        }
    }
}

/// One printed cell and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditRow {
    /// Values of the row fields.
    pub row: Vec<String>,
    /// Values of the column fields.
    pub column: Vec<String>,
    /// The print as it stands.
    pub printed: String,
    /// Decimals of the print, by which ours is shown.
    pub decimals: usize,
    /// Our value, unrounded.
    pub ours: Option<f64>,
    /// Ours minus printed, unrounded.
    pub difference: Option<f64>,
    /// What a correct computation gives, where that is known.
    pub audited: Option<f64>,
    /// Scores or pairs behind our value.
    pub n: Option<u64>,
    /// How the two compare.
    pub status: Status,
    /// What is missing from ours: why there is no value, or which average lacks parts.
    pub why: Option<String>,
    /// Index of the note that explains the status.
    pub note: Option<usize>,
}

/// A note and how many cells it explains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditNote {
    /// The explanation.
    pub text: String,
    /// Line of the notes file, from 1.
    pub line: usize,
    /// Cells explained by this note; each cell counts for the first note that fits it.
    pub cells: usize,
}

/// How many cells have a status, and how many of them carry a note.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Cells with the status.
    pub cells: usize,
    /// Those among them that a note explains.
    pub explained: usize,
}

/// Counts over all printed cells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Printed cells compared.
    pub cells: usize,
    /// Counts by status; a status that does not occur is left out.
    pub by_status: BTreeMap<Status, Tally>,
    /// Cells of ours that the print does not have.
    pub not_printed: usize,
    /// Indices of notes that explain no cell.
    pub stale: Vec<usize>,
}

impl Summary {
    /// The count of one status.
    pub fn tally(&self, status: Status) -> Tally {
        self.by_status.get(&status).copied().unwrap_or_default()
    }
}

/// The comparison of one table with its print.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Audit {
    /// Title of the table.
    pub title: String,
    /// Names of the row fields.
    pub row_fields: Vec<String>,
    /// Names of the column fields.
    pub column_fields: Vec<String>,
    /// One entry per printed cell, in the order of the file of expected values.
    pub rows: Vec<AuditRow>,
    /// The notes, in the order of their file.
    pub notes: Vec<AuditNote>,
    /// The counts.
    pub summary: Summary,
}

impl Audit {
    /// Whether the published values are reproduced: every cell agrees or is explained by a note, and none has drifted.
    pub fn reproduced(&self) -> bool {
        self.rows.iter().all(|row| match row.status {
            Status::Agrees => true,
            Status::Drifted => false,
            Status::Differs | Status::Absent | Status::Incomplete => row.note.is_some(),
        })
    }
}

/// Compares our cells with the printed ones.
///
/// A value agrees when it lies within half a unit of the last printed decimal. An average that lacks parts is
/// incomplete even where the digits happen to agree. A note never excuses a drifted value, nor the absence of a
/// value whose audited counterpart shows that it can be computed. Of several notes that fit, the first counts; of
/// several cells at one place, too (`Grid::build` refuses those).
pub fn verify(cells: &[Cell], layout: &Layout, expected: &Expected, notes: &[Note]) -> Audit {
    let mut ours: BTreeMap<(&[String], &[String]), &Cell> = BTreeMap::new();
    for cell in cells {
        ours.entry((&cell.row, &cell.column)).or_insert(cell);
    }
    let mut explained = vec![0; notes.len()];
    let mut summary = Summary::default();
    let mut rows = Vec::new();
    for print in &expected.cells {
        let mut row = compare(
            print,
            ours.remove(&(print.row.as_slice(), print.column.as_slice())),
        );
        let excusable = row.status != Status::Absent || print.audited.is_none();
        row.note = circumstance(row.status)
            .filter(|_| excusable)
            .and_then(|when| {
                notes
                    .iter()
                    .position(|note| note.when.contains(&when) && note.covers(layout, print))
            });
        let tally = summary.by_status.entry(row.status).or_default();
        tally.cells += 1;
        if let Some(note) = row.note {
            tally.explained += 1;
            explained[note] += 1;
        }
        rows.push(row);
    }
    summary.cells = rows.len();
    summary.not_printed = ours.len();
    summary.stale = (0..notes.len())
        .filter(|index| explained[*index] == 0)
        .collect();
    let notes = notes.iter().zip(explained);
    Audit {
        title: layout.title.clone(),
        row_fields: layout.rows.clone(),
        column_fields: layout.columns.clone(),
        rows,
        notes: notes
            .map(|(note, cells)| AuditNote {
                text: note.text.clone(),
                line: note.line,
                cells,
            })
            .collect(),
        summary,
    }
}

fn circumstance(status: Status) -> Option<When> {
    match status {
        Status::Differs => Some(When::Differs),
        Status::Absent => Some(When::Absent),
        Status::Incomplete => Some(When::Incomplete),
        Status::Agrees | Status::Drifted => None,
    }
}

/// The row of one printed cell, still without a note.
fn compare(print: &ExpectedCell, cell: Option<&Cell>) -> AuditRow {
    let ours = cell
        .and_then(|cell| cell.value)
        .filter(|value| value.is_finite());
    let missing = cell.is_some_and(|cell| cell.missing > 0);
    let why = match (cell, ours) {
        (None, _) => Some("our table has no such cell".to_owned()),
        (Some(cell), None) => Some(
            cell.why_none
                .clone()
                .unwrap_or_else(|| "no value".to_owned()),
        ),
        (Some(cell), Some(_)) => is_partial(cell).then(|| lacking(cell)),
    };
    let status = match (ours, print.printed) {
        (None, None) if print.audited.is_none() => Status::Agrees,
        (None, _) => Status::Absent,
        (Some(ours), _) if print.audited.is_some_and(|audited| drifts(ours, audited)) => {
            Status::Drifted
        }
        (Some(_), _) if missing => Status::Incomplete,
        (Some(ours), Some(printed)) if printed.covers(ours) => Status::Agrees,
        (Some(_), _) => Status::Differs,
    };
    AuditRow {
        row: print.row.clone(),
        column: print.column.clone(),
        printed: print.text.clone(),
        decimals: print.printed.map_or(3, |printed| printed.decimals),
        ours,
        difference: ours
            .zip(print.printed)
            .map(|(ours, printed)| ours - printed.value),
        audited: print.audited,
        n: cell.and_then(|cell| cell.n),
        status,
        why,
        note: None,
    }
}

fn drifts(ours: f64, audited: f64) -> bool {
    (ours - audited).abs() > AUDIT_TOLERANCE * audited.abs().max(1.0)
}
