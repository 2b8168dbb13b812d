//! How cells are arranged, marked and counted.

use std::collections::BTreeMap;

use super::{cell, plain, texts};
use crate::output::report::{Cell, Grid, Layout};

fn keys(heads: &[crate::output::report::Head]) -> Vec<String> {
    heads.iter().map(|head| head.key.join("/")).collect()
}

#[test]
fn two_cells_in_one_place_are_refused_by_name() {
    let cells = [
        cell(&["43"], &["LI"], 3.5),
        cell(&["41"], &["LI"], 1.0),
        cell(&["43"], &["LI"], 3.9),
    ];
    let error = Grid::build(&plain(), &cells).expect_err("cells 1 and 3 clash");
    insta::assert_snapshot!(error, @"two cells share the position `task = 43, model = LI`: cell 1 is 3.5, cell 3 is 3.9; add the field that distinguishes them to `rows` or `columns`, or select one of its values");
}

#[test]
fn a_key_of_the_wrong_length_is_refused() {
    let error =
        Grid::build(&plain(), &[cell(&["43", "x"], &["LI"], 3.5)]).expect_err("one row field");
    insta::assert_snapshot!(error, @"cell 1 has 2 values for the row fields (`task`); give one value per field");
}

#[test]
fn a_field_named_twice_or_like_a_measure_is_refused() {
    let twice = Layout {
        columns: texts(&["task"]),
        ..plain()
    };
    assert!(
        Grid::build(&twice, &[])
            .expect_err("twice")
            .to_string()
            .contains("`task` is named twice")
    );
    let taken = Layout {
        columns: texts(&["value"]),
        ..plain()
    };
    assert!(
        Grid::build(&taken, &[])
            .expect_err("reserved")
            .to_string()
            .contains("field `value` cannot be used")
    );
}

#[test]
fn given_order_comes_before_first_appearance() {
    let layout = Layout {
        row_order: BTreeMap::from([("task".into(), texts(&["c", "a"]))]),
        ..plain()
    };
    let cells = [
        cell(&["b"], &["m"], 1.0),
        cell(&["a"], &["m"], 1.0),
        cell(&["z"], &["m"], 1.0),
    ];
    let grid = Grid::build(&layout, &cells).expect("three cells");
    assert_eq!(keys(grid.rows()), ["c", "a", "b", "z"]);
}

#[test]
fn groups_of_columns_stay_together() {
    let layout = Layout {
        rows: vec![],
        columns: texts(&["length", "metric"]),
        ..Layout::default()
    };
    let cells = [
        cell(&[], &["2000", "fluency"], 1.0),
        cell(&[], &["full", "coherence"], 1.0),
        cell(&[], &["2000", "coherence"], 1.0),
    ];
    let grid = Grid::build(&layout, &cells).expect("three cells");
    assert_eq!(
        keys(grid.columns()),
        ["2000/fluency", "2000/coherence", "full/coherence"]
    );
    assert_eq!(
        grid.spans(0),
        [("2000".to_owned(), 2), ("full".to_owned(), 1)]
    );
}

#[test]
fn a_place_without_a_cell_is_a_dash_not_a_zero() {
    let cells = [cell(&["a"], &["m"], 1.0), cell(&["b"], &["n"], 2.0)];
    let grid = Grid::build(&plain(), &cells).expect("two cells");
    assert_eq!(grid.shown(0, 1).plain(), "—");
    assert!(grid.remarks()[0].contains("2 places without a cell"));
}

#[test]
fn a_value_that_is_not_finite_does_not_exist() {
    let grid = Grid::build(&plain(), &[cell(&["a"], &["m"], f64::NAN)]).expect("one cell");
    assert_eq!(grid.shown(0, 0).plain(), "— §");
    assert_eq!(grid.footnotes()[0].text, "the value is not a finite number");
}

#[test]
fn cells_with_the_same_remark_share_a_note() {
    let gone = |row: &str, why: &str| Cell {
        value: None,
        why_none: Some(why.into()),
        ..cell(&[row], &["m"], 0.0)
    };
    let cells = [gone("a", "first"), gone("b", "second"), gone("c", "first")];
    let grid = Grid::build(&plain(), &cells).expect("three cells");
    let marks: Vec<String> = (0..3).map(|row| grid.shown(row, 0).plain()).collect();
    assert_eq!(marks, ["— §", "— ¶", "— §"]);
}

#[test]
fn the_smallest_bound_gives_the_star() {
    let layout = Layout {
        stars: vec![(0.05, "*".into()), (0.01, "**".into())],
        ..plain()
    };
    assert_eq!(
        [0.2, 0.05, 0.04, 0.001]
            .map(|p| layout.star(p).to_owned())
            .join(","),
        ",,*,**"
    );
}

#[test]
fn losses_that_differ_by_column_are_told_by_column() {
    let lost = Cell {
        unscored: 49,
        dropped: 1,
        reasons: BTreeMap::from([("cut-by-length".into(), 47), ("no-score".into(), 2)]),
        ..cell(&["a"], &["Q"], 1.0)
    };
    let grid = Grid::build(&plain(), &[lost, cell(&["a"], &["L"], 1.0)]).expect("two cells");
    insta::assert_snapshot!(grid.remarks().join("\n"), @"
    summed over 2 cells: n = 130, 49 rows unscored (cut by length 47, no score 2), 1 incomplete pair dropped; 0 cells without a value.
    rows unscored: Q 49 (cut by length 47, no score 2).
    dropped pairs: Q 1.
    ");
}

#[test]
fn what_is_counted_is_named_and_repeats_are_said_to_be_averaged() {
    let of = |unit: &str, column: &str, repeats| Cell {
        unit: Some(unit.into()),
        repeats,
        ..cell(&["a"], &[column], 1.0)
    };
    let cells = [of("pair", "Q", 1), of("document", "L", 3)];
    let grid = Grid::build(&plain(), &cells).expect("two cells");
    insta::assert_snapshot!(grid.remarks().join("\n"), @r"
    summed over 2 cells: n = 65 documents + 65 pairs, 0 rows unscored, 0 incomplete pairs dropped; 0 cells without a value.
    Repeats, and the two orders of a pair, are averaged first, 3 at most; n counts each average once.
    ");
}

#[test]
fn averages_do_not_count_their_scores_again() {
    let average = Cell {
        parts: Some(5),
        ..cell(&["Avg."], &["m"], 1.0)
    };
    let grid = Grid::build(&plain(), &[cell(&["a"], &["m"], 1.0), average]).expect("two cells");
    assert!(grid.remarks()[0].contains("n = 65, "));
}

#[test]
fn notes_name_their_places_among_many_rows() {
    let mut cells: Vec<Cell> = (0..2_000)
        .map(|row| cell(&[&row.to_string()], &["LI"], 1.0))
        .collect();
    for (row, why) in [(0, "one"), (1_999, "another")] {
        cells[row].missing = 1;
        cells[row].over = Some(why.to_owned());
    }
    let grid = Grid::build(&plain(), &cells).expect("cells in their places");
    let notes: Vec<&str> = grid
        .footnotes()
        .iter()
        .map(|note| note.text.as_str())
        .collect();
    assert_eq!(
        notes,
        [
            "incomplete (one without a value: 1) (0 · LI)",
            "incomplete (another without a value: 1) (1999 · LI)"
        ]
    );
}
