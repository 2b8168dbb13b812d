//! The status of printed cells, what notes may excuse, and how the comparison is told.

use super::{cell, plain, snapshot, texts};
use crate::output::report::expect::Expected;
use crate::output::report::notes::Note;
use crate::output::report::verify::{Audit, Status, verify};
use crate::output::report::{Cell, Lack, Layout, audit, audit_html};

fn compare(cells: &[Cell], expected: &str, notes: &str) -> Audit {
    let layout = Layout {
        title: "Scores".into(),
        ..plain()
    };
    let expected = Expected::parse(expected, &layout).expect("readable cells");
    let notes = Note::parse(notes, &layout, &expected).expect("readable notes");
    verify(cells, &layout, &expected, &notes)
}

fn one(ours: Cell, line: &str, notes: &str) -> Audit {
    compare(
        &[ours],
        &format!("task,model,printed,audited\n43,LI,{line}\n"),
        notes,
    )
}

fn ours(value: f64) -> Cell {
    cell(&["43"], &["LI"], value)
}

const ANY: &str =
    "[[note]]\ntext = \"because\"\nwhen = [\"differs\", \"absent\", \"incomplete\"]\n";

#[test]
fn half_a_unit_of_the_last_printed_decimal_agrees() {
    for (value, status) in [
        (3.9695, Status::Agrees),
        (3.9685, Status::Agrees),
        (3.9684, Status::Differs),
    ] {
        assert_eq!(
            one(ours(value), "3.969,", "").rows[0].status,
            status,
            "{value}"
        );
    }
    assert_eq!(one(ours(4.4), "4,", "").rows[0].status, Status::Agrees);
}

#[test]
fn a_difference_needs_a_note_to_count_as_reproduced() {
    assert!(!one(ours(3.0), "4.0,", "").reproduced());
    let explained = one(ours(3.0), "4.0,", ANY);
    assert_eq!(explained.rows[0].note, Some(0));
    assert!(explained.reproduced());
}

#[test]
fn no_note_excuses_a_drift_from_the_audited_value() {
    let audit = one(ours(3.000_01), "4.0,3.0", ANY);
    assert_eq!(
        (audit.rows[0].status, audit.rows[0].note),
        (Status::Drifted, None)
    );
    assert!(!audit.reproduced());
}

#[test]
fn a_drift_is_seen_even_where_the_rounded_digits_agree() {
    assert_eq!(
        one(ours(3.000_01), "3.000,3.0", "").rows[0].status,
        Status::Drifted
    );
    assert_eq!(
        one(ours(3.000_000_9), "3.000,3.0", "").rows[0].status,
        Status::Agrees
    );
}

#[test]
fn no_note_excuses_the_absence_of_an_audited_value() {
    let gone = Cell {
        value: None,
        why_none: Some("no scored documents".into()),
        ..ours(0.0)
    };
    assert!(one(gone.clone(), "4.0,", ANY).reproduced());
    assert!(!one(gone, "4.0,3.9", ANY).reproduced());
}

#[test]
fn a_cell_we_do_not_have_is_absent_and_says_why() {
    let audit = compare(&[], "task,model,printed\n43,LI,1\n", "");
    assert_eq!(audit.rows[0].status, Status::Absent);
    assert_eq!(
        audit.rows[0].why.as_deref(),
        Some("our table has no such cell")
    );
}

#[test]
fn an_average_that_lacks_parts_is_incomplete_even_if_the_digits_agree() {
    let lacking = Cell {
        missing: 2,
        parts: Some(5),
        over: Some("models".into()),
        ..ours(4.0)
    };
    let audit = one(lacking, "4.000,", "[[note]]\ntext = \"for differences\"\n");
    assert_eq!(audit.rows[0].status, Status::Incomplete);
    assert_eq!(audit.rows[0].why.as_deref(), Some("over 3 of 5 models"));
    assert_eq!(
        audit.summary.stale,
        [0],
        "a note on differences does not speak of incomplete cells"
    );
}

#[test]
fn a_value_of_fewer_parts_is_compared_and_says_so() {
    let lack = Lack::of_value(2, 3, "metrics".into(), vec!["coherence".into()]);
    let lacking = Cell {
        lacks: vec![lack],
        ..ours(4.0)
    };
    let audit = one(lacking, "4.000,", "");
    assert_eq!(audit.rows[0].status, Status::Agrees);
    let said = audit::terminal(&audit, 80, false);
    assert!(
        said.contains(
            "of fewer parts than others: over 2 of 3 metrics: without coherence (1 cell)."
        ),
        "{said}"
    );
}

#[test]
fn a_print_without_a_value_agrees_with_no_value() {
    assert_eq!(
        compare(&[], "task,model,printed\n43,LI,—\n", "").rows[0].status,
        Status::Agrees
    );
    assert_eq!(one(ours(1.0), "—,", "").rows[0].status, Status::Differs);
}

#[test]
fn the_first_note_that_fits_counts() {
    let audit = one(ours(3.0), "4.0,", &format!("{ANY}{ANY}"));
    assert_eq!((audit.notes[0].cells, audit.notes[1].cells), (1, 0));
    assert_eq!(audit.summary.stale, [1]);
}

#[test]
fn a_value_that_is_not_finite_is_absent() {
    assert_eq!(
        one(ours(f64::INFINITY), "4.0,", "").rows[0].status,
        Status::Absent
    );
}

#[test]
fn the_sentence_says_what_happened() {
    let sentence = |audit: &Audit| audit::sentence(audit);
    insta::assert_snapshot!(sentence(&one(ours(4.0), "4.0,", "")), @"1 cell: 1 agrees: the published values are reproduced");
    insta::assert_snapshot!(sentence(&one(ours(3.0), "4.0,", "")), @"1 cell: 1 differs (0 explained): the published values are not reproduced: 1 cell is not explained");
    insta::assert_snapshot!(sentence(&one(ours(3.0), "4.0,", ANY)), @"1 cell: 1 differs (1 explained): the published values are not all reproduced; every difference is explained");
    insta::assert_snapshot!(sentence(&one(ours(3.0), "4.0,2.0", ANY)), @"1 cell: 1 drifted: the published values are not reproduced: 1 cell has drifted from the audited value, which no note can explain");
}

fn mixed() -> Audit {
    let lacking = Cell {
        missing: 2,
        parts: Some(5),
        over: Some("models".into()),
        ..cell(&["Avg."], &["LI"], -2.5)
    };
    let gone = Cell {
        value: None,
        why_none: Some("no scored documents (65 not recorded)".into()),
        ..cell(&["41"], &["Q-T"], 0.0)
    };
    let cells = [
        ours(3.969_231),
        cell(&["41"], &["LI"], 0.169_231),
        gone,
        lacking,
        cell(&["42"], &["LI"], 1.5),
        cell(&["extra"], &["LI"], 1.0),
    ];
    compare(
        &cells,
        "task,model,printed,audited\n43,LI,3.969,3.969231\n41,LI,0.170,0.169231\n41,Q-T,3.664,\nAvg.,LI,-2.935,\n42,LI,1.250,1.25\n",
        "[[note]]\ncells = { task = \"41\", model = \"LI\" }\ntext = \"\"\"\nDifference of two rounded means; the unrounded difference is less than one unit of the last printed decimal away.\n\"\"\"\n\n[[note]]\ncells = { model = \"Q-T\" }\nwhen = [\"absent\"]\ntext = \"Not recorded.\"\n\n[[note]]\ncells = { task = \"43\" }\ntext = \"Never needed.\"\n",
    )
}

#[test]
fn the_terminal_shows_cells_notes_and_verdict() {
    let text = audit::terminal(&mixed(), 80, false);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    snapshot("audit-terminal", &text);
}

#[test]
fn markdown_shows_cells_notes_and_verdict() {
    snapshot("audit-markdown", &audit::markdown(&mixed()));
}

#[test]
fn json_holds_everything() {
    let text = audit::json(&mixed());
    let document: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    assert_eq!(document["reproduced"], false);
    assert_eq!(
        document["audit"]["summary"]["by_status"]["drifted"]["cells"],
        1
    );
    snapshot("audit-json", &text);
}

#[test]
fn control_characters_in_keys_do_not_reach_the_terminal() {
    let layout = plain();
    let expected =
        Expected::parse("task,model,printed\n\"\u{1b}[2J\",LI,1\n", &layout).expect("one cell");
    let cells = [Cell {
        row: texts(&["\u{1b}[2J"]),
        ..ours(1.0)
    }];
    assert!(
        !audit::terminal(&verify(&cells, &layout, &expected, &[]), 80, false).contains('\u{1b}')
    );
}

#[test]
fn a_comparison_in_html_has_every_cell_once_under_what_became_of_it() {
    let cells: Vec<Cell> = ["LI", "LN", "Q"]
        .iter()
        .map(|model| cell(&["43"], &[model], 4.0))
        .collect();
    let audit = compare(
        &cells,
        "task,model,printed\n43,LI,4.0\n43,LN,3.1\n43,Q,3.2\n",
        "[[note]]\ntext = \"a <slip>\"\ncells = { model = \"Q\" }\n",
    );
    let html = audit_html::render(&audit);
    assert_eq!(html.matches("<tbody>").count(), 3, "{html}");
    assert_eq!(html.matches("<tr class=\"audit-").count(), 3, "{html}");
    assert_eq!(audit_html::open(&audit), 1);
    snapshot("audit.html", &html);
}

#[test]
fn a_comparison_in_html_that_agrees_has_nothing_unfolded() {
    let audit = one(ours(4.0), "4.0,", "");
    let html = audit_html::render(&audit);
    assert!(
        !html.contains(" open>") && html.contains("as printed: 1 cell"),
        "{html}"
    );
    assert_eq!(audit_html::open(&audit), 0);
}
