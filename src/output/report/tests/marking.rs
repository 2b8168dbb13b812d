//! Marks at cells that mislead without them: tests that are not defined, values made of fewer parts than others.

use super::{cell, plain, snapshot};
use crate::output::report::{
    Cell, Family, Grid, Lack, Layout, csv, html, json, latex, markdown, terminal,
};

fn family() -> Family {
    Family {
        correction: "holm".into(),
        tests: 2,
        undefined: 3,
        name: "stats.effect".into(),
    }
}

fn tested(task: &str, model: &str, value: f64, p: Option<f64>, why: Option<&str>) -> Cell {
    Cell {
        p,
        undefined: why.map(str::to_owned),
        family: Some(family()),
        ..cell(&[task], &[model], value)
    }
}

fn repeats(units: u64) -> Lack {
    Lack {
        units,
        of: 65,
        unit: "documents".into(),
        have: 2,
        parts: 5,
        part: "repeats".into(),
        ..Lack::default()
    }
}

/// Tests that are not defined for two reasons, with a value and without; documents that are means of fewer repeats; an
/// average of two metrics among averages of three.
fn cells() -> Vec<Cell> {
    vec![
        Cell {
            partial: 3,
            lacks: vec![repeats(3)],
            ..tested("typos", "LI", -1.75, Some(0.004), None)
        },
        tested("typos", "LN", -2.0, None, Some("all differences are −2")),
        Cell {
            partial: 1,
            lacks: vec![repeats(1)],
            ..tested("tenses", "LI", -0.5, Some(0.2), None)
        },
        tested("tenses", "LN", 0.0, None, Some("all differences are 0")),
        Cell {
            value: None,
            why_none: Some("all differences are 0".into()),
            ..tested("order", "LI", 0.0, None, Some("all differences are 0"))
        },
        Cell {
            n: Some(2),
            parts: Some(2),
            over: Some("metrics".into()),
            lacks: vec![Lack::of_value(
                2,
                3,
                "metrics".into(),
                vec!["coherence".into()],
            )],
            ..cell(&["order"], &["LN"], -1.0)
        },
    ]
}

fn grid(stars: bool) -> Grid {
    let mut layout = plain();
    if stars {
        layout.stars = vec![(0.05, "*".into()), (0.01, "**".into())];
    }
    Grid::build(&layout, &cells()).expect("six places")
}

#[test]
fn undefined_tests_and_partial_values_are_marked_in_every_format() {
    let grid = grid(true);
    for (format, text) in [
        ("terminal", terminal::render(&grid, 80, false)),
        ("markdown", markdown::render(&grid)),
        ("csv", csv::render(&grid)),
        ("latex", latex::render(&grid)),
        ("html", html::render(&grid)),
        ("json", json::render(&grid)),
    ] {
        snapshot(&format!("marks-{format}"), &text);
    }
}

#[test]
fn where_no_mark_of_significance_could_stand_none_is_missed() {
    let grid = grid(false);
    let text = markdown::render(&grid);
    assert!(text.contains("| −2.000 |"), "{text}");
    assert!(text.contains("| —‡ |"), "{text}");
    // What was there to be said stands in the long form all the same.
    assert!(csv::render(&grid).contains("all differences are −2"));
}

#[test]
fn an_uncorrected_table_says_nothing_of_families() {
    let cells = [cell(&["a"], &["m"], 1.0)];
    let grid = Grid::build(&Layout::default(), &[]).expect("no cells");
    assert!(!markdown::render(&grid).contains("corrected"));
    let grid = Grid::build(&plain(), &cells).expect("one cell");
    assert!(!markdown::render(&grid).contains("corrected"));
}
