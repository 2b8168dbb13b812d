//! Tests of the report module: what is drawn, what is refused, and a whole thesis table held against its print.

mod expecting;
mod formats;
mod grids;
mod marking;
mod noting;
mod thesis;
mod verifying;

use std::collections::BTreeMap;

use super::{Cell, Layout};

/// Compares with `snapshots/<name>.snap`; the name alone, so that the files survive a move of the module.
fn snapshot(name: &str, text: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, text);
    });
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

fn cell(row: &[&str], column: &[&str], value: f64) -> Cell {
    Cell {
        row: texts(row),
        column: texts(column),
        value: Some(value),
        n: Some(65),
        ..Cell::default()
    }
}

/// A layout with one row and one column field.
fn plain() -> Layout {
    Layout {
        rows: texts(&["task"]),
        columns: texts(&["model"]),
        ..Layout::default()
    }
}

/// A table with everything at once: two column fields, labels with signs that every format must escape, stars,
/// unscored outputs, an incomplete average, a value that does not exist and a place without a cell.
fn rich() -> (Layout, Vec<Cell>) {
    let labels = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(value, label)| ((*value).to_owned(), (*label).to_owned()))
            .collect()
    };
    let layout = Layout {
        title: "Scores by task & length".into(),
        rows: texts(&["task"]),
        columns: texts(&["length", "model"]),
        headings: labels(&[("task", "Task")]),
        labels: BTreeMap::from([
            (
                "task".to_owned(),
                labels(&[
                    ("43", "[43] word order"),
                    ("41", "<typos> | 2%"),
                    ("Avg.", "Avg.\u{1b}[2J"),
                ]),
            ),
            ("length".to_owned(), labels(&[("2000", "2K tokens")])),
        ]),
        stars: vec![
            (0.05, "*".into()),
            (0.001, "***".into()),
            (0.01, "**".into()),
        ],
        row_order: BTreeMap::from([("task".to_owned(), texts(&["43", "41"]))]),
        column_order: BTreeMap::from([("length".to_owned(), texts(&["2000", "full"]))]),
        ..Layout::default()
    };
    let reasons = |pairs: &[(&str, u64)]| {
        pairs
            .iter()
            .map(|(code, times)| ((*code).to_owned(), *times))
            .collect()
    };
    let cells = vec![
        Cell {
            p: Some(0.000_2),
            ..cell(&["41"], &["full", "Q_noT"], -4.5)
        },
        Cell {
            n: Some(16),
            unscored: 49,
            reasons: reasons(&[("no-score-found", 2), ("cut_by_length", 47)]),
            dropped: 3,
            p: Some(0.03),
            ..cell(&["41"], &["2000", "Q_noT"], -0.000_2)
        },
        cell(&["41"], &["2000", "LI"], 3.715_385),
        cell(&["43"], &["2000", "LI"], 3.969_231),
        Cell {
            value: None,
            n: Some(0),
            why_none: Some("no scored documents (65 not recorded)".into()),
            ..cell(&["43"], &["full", "Q_noT"], 0.0)
        },
        Cell {
            n: None,
            missing: 2,
            parts: Some(5),
            over: Some("models".into()),
            ..cell(&["Avg."], &["2000", "LI"], 3.912)
        },
    ];
    (layout, cells)
}
