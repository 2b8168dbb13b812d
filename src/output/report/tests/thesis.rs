//! The printed tables of the `JudgeMemo` thesis with their notes, held against the audited values.

use super::snapshot;
use crate::output::report::expect::Expected;
use crate::output::report::notes::Note;
use crate::output::report::verify::{Audit, Status, verify};
use crate::output::report::{Cell, Layout, audit};

/// Reads a table's expected values and notes and compares what a correct computation on three of the five models
/// gives: audited values, no values for the two models without outputs, statistics over three models.
fn held_against_print(name: &str, rows: &[&str], columns: &[&str]) -> Audit {
    let layout = Layout {
        title: format!("Thesis, {name}"),
        rows: super::texts(rows),
        columns: super::texts(columns),
        ..Layout::default()
    };
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/experiments/judgememo/expected"
    );
    let read = |end: &str| {
        std::fs::read_to_string(format!("{folder}/{name}{end}")).expect("the file is there")
    };
    let expected = Expected::parse(&read(".csv"), &layout).expect("readable cells");
    let notes = Note::parse(&read(".notes.toml"), &layout, &expected).expect("readable notes");
    let cells: Vec<Cell> = expected
        .cells
        .iter()
        .map(|print| {
            let model = layout
                .fields()
                .position(|field| field == "model")
                .expect("every table has models");
            let model = print
                .row
                .iter()
                .chain(&print.column)
                .nth(model)
                .expect("a key per field");
            let statistic = model == "Avg." || model == "Stdev";
            Cell {
                row: print.row.clone(),
                column: print.column.clone(),
                value: if statistic { Some(-1.0) } else { print.audited },
                missing: if statistic { 2 } else { 0 },
                parts: statistic.then_some(5),
                over: statistic.then(|| "models".to_owned()),
                why_none: print
                    .audited
                    .is_none()
                    .then(|| "no recorded outputs".to_owned()),
                ..Cell::default()
            }
        })
        .collect();
    verify(&cells, &layout, &expected, &notes)
}

fn counts(audit: &Audit) -> [usize; 4] {
    [
        Status::Agrees,
        Status::Differs,
        Status::Absent,
        Status::Incomplete,
    ]
    .map(|status| audit.summary.tally(status).cells)
}

#[test]
fn every_cell_of_table_5_1_agrees_or_is_explained() {
    let audit = held_against_print("table-5-1", &["model"], &["length", "metric"]);
    assert!(audit.reproduced());
    assert!(audit.summary.stale.is_empty());
    assert_eq!(counts(&audit), [5, 13, 12, 0]);
    let text = audit::terminal(&audit, 80, false);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    snapshot("thesis-table-5-1", &text);
}

#[test]
fn every_cell_of_table_a_12_agrees_or_is_explained() {
    let audit = held_against_print("table-a-12", &["task", "metric"], &["model"]);
    assert!(audit.reproduced());
    assert!(audit.summary.stale.is_empty());
    assert_eq!(counts(&audit), [11, 22, 22, 12]);
}

#[test]
fn every_cell_of_table_a_13_agrees_or_is_explained() {
    let audit = held_against_print("table-a-13", &["task", "metric"], &["model"]);
    assert!(audit.reproduced());
    assert!(audit.summary.stale.is_empty());
    assert_eq!(counts(&audit), [0, 27, 18, 12]);
}
