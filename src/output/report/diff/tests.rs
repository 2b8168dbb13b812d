//! Two runs held against each other.

use serde_json::{Value, json};

use super::{Comparison, Difference, Side, compare, html, markdown, terminal};
use crate::output::report::told::{self, Told};
use crate::output::report::{Cell, Lack, Layout};

fn cell(row: &str, column: &str, value: f64) -> Cell {
    Cell {
        row: vec![row.to_owned()],
        column: vec![column.to_owned()],
        value: Some(value),
        n: Some(10),
        ..Cell::default()
    }
}

fn table(cells: &[Cell]) -> Told {
    Told {
        variant: String::new(),
        name: "scores".to_owned(),
        layout: Layout {
            title: "Scores".to_owned(),
            rows: vec!["task".to_owned()],
            columns: vec!["model".to_owned()],
            stars: vec![(0.05, "*".to_owned()), (0.01, "**".to_owned())],
            ..Layout::default()
        },
        cells: cells.to_vec(),
    }
}

fn whole<'s>(record: &'s Value, tables: &'s [Told]) -> Side<'s> {
    Side {
        record,
        tables,
        variant: None,
    }
}

/// Compares two tables of the same record.
fn between(a: &[Cell], b: &[Cell]) -> Difference {
    let record = json!({});
    let (a, b) = ([table(a)], [table(b)]);
    compare("x", whole(&record, &a), whole(&record, &b))
}

fn said(difference: Difference) -> String {
    let comparison = Comparison {
        a: "before".to_owned(),
        b: "after".to_owned(),
        experiments: vec![difference],
        ..Comparison::default()
    };
    terminal(&comparison, 80, false, 40)
}

#[test]
fn equal_runs_are_said_to_be_equal_in_a_line() {
    let cells = [cell("43", "m", 1.5), cell("43", "k", -0.0)];
    let other = [cell("43", "m", 1.5), cell("43", "k", 0.0)];
    let difference = between(&cells, &other);
    assert!(difference.same());
    assert_eq!(
        said(difference),
        "A: before\nB: after\n\nnothing differs: 1 table with 2 cells the same to the last bit\n"
    );
}

#[test]
fn a_difference_below_the_digits_shown_is_said_to_be_one() {
    let difference = between(&[cell("43", "m", 1.0)], &[cell("43", "m", 1.000_000_1)]);
    let change = &difference.tables[0].changed[0];
    assert_eq!((&*change.shown_a, &*change.shown_b), ("1.000", "1.000"));
    assert_eq!(change.shown_difference, "+1e\u{2212}7");
    assert_eq!(change.notes, ["differs below the digits shown"]);
}

#[test]
fn marks_counts_and_reasons_that_change_stand_at_the_cell() {
    let before = Cell {
        p: Some(0.2),
        ..cell("43", "m", 1.0)
    };
    let now = Cell {
        p: Some(0.004),
        n: Some(8),
        unscored: 2,
        reasons: [("no-score-found".to_owned(), 2)].into(),
        ..cell("43", "m", 1.5)
    };
    let gains = between(std::slice::from_ref(&before), std::slice::from_ref(&now));
    let change = &gains.tables[0].changed[0];
    assert_eq!(change.shown_b, "1.500**");
    assert_eq!(change.shown_difference, "+0.500");
    assert_eq!(
        change.notes,
        [
            "gains **",
            "p 0.20 → 0.0040",
            "n 10 → 8",
            "unscored 0 → 2 (no score found 0 → 2)"
        ]
    );
    let loses = between(&[now], &[before]);
    assert_eq!(loses.tables[0].changed[0].notes[0], "loses **");
}

#[test]
fn a_test_that_is_not_defined_any_more_loses_its_mark_with_a_reason() {
    let before = Cell {
        p: Some(0.004),
        ..cell("43", "m", -1.5)
    };
    let now = Cell {
        undefined: Some("all differences are −2".to_owned()),
        ..cell("43", "m", -2.0)
    };
    let difference = between(&[before], &[now]);
    let change = &difference.tables[0].changed[0];
    assert_eq!(change.shown_b, "−2.000‡");
    assert_eq!(
        change.notes,
        [
            "** → ‡",
            "p 0.0040 → —",
            "B: not defined: all differences are −2"
        ]
    );
}

#[test]
fn a_value_made_of_fewer_parts_is_not_the_same() {
    let lacking = Cell {
        lacks: vec![Lack::of_value(
            2,
            3,
            "metrics".to_owned(),
            vec!["coherence".to_owned()],
        )],
        ..cell("43", "m", 1.0)
    };
    let difference = between(&[cell("43", "m", 1.0)], &[lacking]);
    let change = &difference.tables[0].changed[0];
    assert_eq!(change.notes, ["B: over 2 of 3 metrics: without coherence"]);
}

#[test]
fn a_value_that_is_gone_says_why() {
    let gone = Cell {
        value: None,
        why_none: Some("no scored documents".to_owned()),
        ..cell("43", "m", 0.0)
    };
    let difference = between(&[cell("43", "m", 1.0)], &[gone]);
    let change = &difference.tables[0].changed[0];
    assert_eq!((&*change.shown_b, change.difference), ("—", None));
    assert_eq!(change.notes, ["B: no scored documents"]);
}

#[test]
fn cells_are_matched_by_their_fields_wherever_these_stand() {
    let record = json!({});
    let mut turned = table(&[cell("m", "43", 1.0)]);
    turned.layout.rows = vec!["model".to_owned()];
    turned.layout.columns = vec!["task".to_owned()];
    let (a, b) = ([table(&[cell("43", "m", 1.0)])], [turned]);
    let difference = compare("x", whole(&record, &a), whole(&record, &b));
    assert_eq!(difference.tables[0].equal, 1);
}

#[test]
fn cells_and_tables_of_one_side_are_named() {
    let difference = between(
        &[cell("43", "m", 1.0), cell("41", "m", 2.0)],
        &[cell("43", "m", 1.0), cell("17", "m", 3.0)],
    );
    let only = &difference.tables[0];
    assert_eq!((only.equal, only.changed.len()), (1, 0));
    assert_eq!((&*only.only_a[0].row, &*only.only_b[0].row), ("41", "17"));
    let record = json!({});
    let lone = [table(&[cell("43", "m", 1.0)])];
    let difference = compare("x", whole(&record, &lone), whole(&record, &[]));
    assert_eq!(difference.tables[0].only, Some("a"));
    assert!(said(difference).contains("only A has it: 1 cell"));
}

#[test]
fn settings_are_compared_leaf_by_leaf() {
    let a = json!({ "spec": { "seed": 7, "judge": { "x.y": { "model": "a" } }, "part": [{ "from": "s" }], "list": [1, 2] } });
    let b = json!({ "spec": { "seed": 8, "judge": { "x.y": { "prompt": "p" } }, "part": [{ "from": "t" }], "list": [1] } });
    let difference = compare("x", whole(&a, &[]), whole(&b, &[]));
    let paths: Vec<&str> = difference
        .settings
        .iter()
        .map(|change| &*change.path)
        .collect();
    assert_eq!(
        paths,
        [
            "seed",
            "judge.\"x.y\".prompt",
            "part[1].from",
            "list",
            "judge.\"x.y\".model"
        ]
    );
    let said = said(difference);
    assert!(said.contains("seed: 7 → 8\n"), "{said}");
    assert!(
        said.contains("judge.\"x.y\".model: \"a\", only in A\n"),
        "{said}"
    );
}

#[test]
fn a_stage_that_only_one_side_has_is_one_change() {
    let a = json!({ "spec": { "judge": { "old": { "model": "m", "prompt": "p" }, "both": { "model": "m" } } } });
    let b = json!({ "spec": { "judge": { "both": { "model": "n" } }, "ablation": [{ "name": "v1.5", "set": { "x.y": 1 } }] } });
    let said = said(compare("x", whole(&a, &[]), whole(&b, &[])));
    assert!(
        said.contains("  judge.both.model: \"m\" → \"n\"\n"),
        "{said}"
    );
    assert!(
        said.contains("  judge.old: 2 settings, only in A\n"),
        "{said}"
    );
    assert!(
        said.contains("  ablation[1: v1.5]: 2 settings, only in B\n"),
        "{said}"
    );
}

#[test]
fn an_ablation_differs_from_its_base_by_what_it_sets() {
    let record = json!({ "spec": {
        "split": { "parts": { "tokens": 2000, "overlap": 200 } },
        "ablation": [{ "name": "short", "set": { "split.parts.tokens": 1000 } }],
    }});
    let ablated = Told {
        variant: "short".to_owned(),
        ..table(&[cell("43", "m", 2.0)])
    };
    let tables = [table(&[cell("43", "m", 1.0)]), ablated];
    let side = |variant| Side {
        variant: Some(variant),
        ..whole(&record, &tables)
    };
    let difference = compare("x", side(""), side("short"));
    assert_eq!(difference.settings.len(), 1, "{:?}", difference.settings);
    assert_eq!(difference.settings[0].path, "split.parts.tokens");
    assert_eq!(difference.tables.len(), 1);
    assert_eq!(difference.tables[0].changed[0].difference, Some(1.0));
}

#[test]
fn long_values_are_shown_from_where_they_part() {
    let text = |end: &str| format!("{}{end}", "the same words ".repeat(40));
    let a = json!({ "spec": { "template": text("old") } });
    let b = json!({ "spec": { "template": text("new") } });
    let said = said(compare("x", whole(&a, &[]), whole(&b, &[])));
    let flat: Vec<&str> = said.split_whitespace().collect();
    let flat = flat.join(" ");
    assert!(flat.contains("old\" → …"), "{said}");
    assert!(flat.contains("new\""), "{said}");
    assert!(said.len() < 400, "{said}");
}

#[test]
fn hostile_texts_are_shown_as_text_everywhere() {
    let label = "<script>alert(1)</script>\u{1b}[2J\u{202e}|`*";
    let record = |value: &str| json!({ "spec": { label: value }, "nodes": [{ "node": label, "output": value }] });
    let (one, other) = (record("</style>"), record("<img src=x onerror=y>\n"));
    let (a, b) = (
        [table(&[cell(label, label, 1.0)])],
        [table(&[cell(label, label, 2.0)])],
    );
    let comparison = Comparison {
        a: label.to_owned(),
        b: label.to_owned(),
        experiments: vec![compare(label, whole(&one, &a), whole(&other, &b))],
        only_a: vec![label.to_owned()],
        only_b: vec![label.to_owned()],
    };
    let page = html(&comparison);
    for tag in ["<script", "</style", "<img"] {
        assert!(!page.contains(tag), "{page}");
    }
    for text in [
        &page,
        &terminal(&comparison, 80, false, 40),
        &markdown(&comparison),
    ] {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }
}

#[test]
fn at_eighty_columns_no_line_is_wider() {
    let label = "a rather long label of a task that somebody gave";
    let cells = |shift: f64| -> Vec<Cell> {
        let all =
            (0..50).map(|index| cell(label, &format!("model {index}"), f64::from(index) + shift));
        all.collect()
    };
    let text = said(between(&cells(0.0), &cells(0.25)));
    assert!(
        text.lines()
            .all(|line| unicode_width::UnicodeWidthStr::width(line) <= 80),
        "{text}"
    );
    assert!(
        text.contains("10 more are not shown: `--all` shows them"),
        "{text}"
    );
}

#[test]
fn tables_read_back_as_they_were_told() {
    let tables = [
        table(&[
            cell("43", "m", 0.1 + 0.2),
            cell("\"\n\u{202e}", "", f64::MIN_POSITIVE),
        ]),
        table(&[]),
    ];
    let text = told::render(&tables);
    assert_eq!(told::read(&text).unwrap(), tables);
    assert_eq!(told::render(&told::read(&text).unwrap()), text);
    assert!(told::read(&text[..text.len() - 3]).is_err());
    assert_eq!(
        told::read("{\"format\": 99, \"tables\": []}").unwrap_err(),
        "its format is 99, and this version reads format 1"
    );
}
