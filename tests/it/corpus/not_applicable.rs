//! Documents that a manipulation does not fit: they keep their row, have no text, say why, and are
//! never judged as if they had been changed.

use super::{cell, column, damages, jsonl, result};
use crate::lab::{ANY_SCORE, Lab};

/// `single` has one paragraph, and `bare` no letter at all.
const SPEC: &str = r#"
seed = 7

[axes]
task = { set = "manipulate.damaged.apply", values = ["none", 11, 41], names = ["gold", "swap", "typos"] }

[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs.jsonl"

[manipulate.damaged]
from = "docs"
apply = "none"
swap-content = { count = 1 }
typos = { percent = 2 }

[judge.grades]
from = "damaged"
model = "fake"
prompt = "grade"
metrics = ["fluency"]

[stats.scores]
from = "grades"

[stats.worse]
from = "grades"
test = "paired-t"
pair = { axis = "task", against = "gold" }

[table.scores]
from = "scores"
rows = ["metric"]
columns = ["task"]
show-n = true

[table.worse]
from = "worse"
rows = ["metric"]
columns = ["task"]
"#;

/// What is said of `single`.
const WHY: &str = "1 swap needs 2 eligible units, and there is only 1";

fn lab(documents: &[(&str, &str)]) -> Lab {
    Lab::new()
        .spec(SPEC)
        .file("docs.jsonl", jsonl(documents))
        .template("grade", "Grade fluency.\n\n{{ text }}\n")
        .script(ANY_SCORE)
}

fn documents() -> [(&'static str, String); 3] {
    let paragraph = |n: usize| {
        format!("This is paragraph {n}, which takes part because it is long enough for that.")
    };
    [
        ("pair", format!("{}\n\n{}", paragraph(1), paragraph(2))),
        ("single", paragraph(1)),
        (
            "many",
            (1..9).map(paragraph).collect::<Vec<_>>().join("\n\n"),
        ),
    ]
}

fn three() -> Lab {
    let documents = documents();
    lab(&documents.each_ref().map(|(id, text)| (*id, text.as_str())))
}

#[test]
fn a_document_that_does_not_fit_keeps_its_row_without_text_and_says_why() {
    let lab = three();
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(
        ran.warnings(),
        [
            format!("`swap-content` does not fit 1 of 3 documents: `single` ({WHY})"),
            "`typos` changes nothing in 1 of 3 documents: `single`".to_owned(),
        ]
    );
    let frame = result(&lab, &ran, "manipulate.damaged[task=swap]");
    assert_eq!(column(&frame, "doc_id"), ["pair", "single", "many"]);
    assert_eq!(column(&frame, "not_applicable"), ["–", WHY, "–"]);
    for empty in ["text", "operations", "candidates", "edits"] {
        assert_eq!(cell(&frame, empty, 1), None, "{empty}");
        assert!(cell(&frame, empty, 0).is_some(), "{empty}");
    }
    assert_eq!(column(&frame, "manipulation"), ["swap-content"; 3]);
}

#[test]
fn no_judge_is_asked_about_a_document_that_was_not_changed() {
    let lab = three();
    let ran = lab.run(&["--json"]).ok();
    // 3 gold, 2 swapped, 2 with typos: those of `single` come to nothing, and the same text is the same
    // question.
    assert_eq!(ran.asked, 3 + 2 + 2);
    let frame = result(&lab, &ran, "judge.grades[task=swap]");
    assert_eq!(column(&frame, "unscored"), ["–", "not-applicable", "–"]);
    assert_eq!(cell(&frame, "detail", 1).as_deref(), Some(WHY));
    assert_eq!(cell(&frame, "score", 1), None);
    assert_eq!(ran.summary()["counts"]["unscored"]["not-applicable"], 1);
    assert!(ran.tables["scores.md"].contains("unscored: swap 1 (not applicable 1)."));
    assert!(ran.tables["worse.md"].contains("dropped pairs: swap 1."));
    assert!(
        ran.tables["scores.md"].contains("(2)"),
        "{}",
        ran.tables["scores.md"]
    );
    assert_eq!(lab.again().ok().asked, 0);
}

#[test]
fn when_no_document_fits_nobody_is_asked_and_the_cell_is_empty() {
    let lab = lab(&[("a", "One short line."), ("b", "Another one.")]);
    let ran = lab.run(&["--json"]).ok();
    assert!(
        ran.warnings()[0]
            .starts_with("`swap-content` does not fit 2 of 2 documents: `a` and `b` (1 swap needs")
    );
    assert_eq!(
        ran.asked, 2,
        "the gold texts, which two typos of a hundred leave alone"
    );
    let frame = result(&lab, &ran, "judge.grades[task=swap]");
    assert_eq!(column(&frame, "unscored"), ["not-applicable"; 2]);
    let row = ran.tables["scores.csv"]
        .lines()
        .find(|line| line.contains("swap"));
    let row = row.unwrap_or_else(|| panic!("{}", ran.tables["scores.csv"]));
    assert!(row.contains(",0,"), "no score stands behind it: {row}");
    assert!(
        ran.tables["scores.md"].contains('—'),
        "{}",
        ran.tables["scores.md"]
    );
}

#[test]
fn what_reads_a_document_without_text_carries_the_reason_on() {
    let lab = three();
    lab.append(
        "[manipulate.again]\nfrom = \"damaged\"\napply = \"word-removal\"\nword-removal = { count = 1 }\n\n\
         [manipulate.plain]\nfrom = \"again\"\napply = \"none\"\n\n\
         [truncate.cut]\nfrom = \"plain\"\ntokens = 20\n\n\
         [split.parts]\nfrom = \"cut\"\ninto = \"paragraphs\"\n\n\
         [manipulate.parts]\nfrom = \"split.parts\"\napply = \"none\"\n\n\
         [measure.counts]\nfrom = \"manipulate.parts\"\nmetrics = [\"words\", \"operations\"]\n\n\
         [select.short]\nfrom = \"manipulate.parts\"\ntokens = [1, 1000]\n\n\
         [export.rows]\nfrom = \"manipulate.parts\"\nformat = \"csv\"",
    );
    let ran = lab.run(&["--json"]).ok();
    let told = ran
        .warnings()
        .iter()
        .filter(|warning| warning.contains(WHY))
        .count();
    assert_eq!(told, 1, "{:?}", ran.warnings());
    for stage in [
        "manipulate.again",
        "manipulate.plain",
        "truncate.cut",
        "split.parts",
        "manipulate.parts",
    ] {
        let frame = result(&lab, &ran, &format!("{stage}[task=swap]"));
        let ids = column(&frame, "doc_id");
        let row = ids.iter().position(|id| id == "single").unwrap();
        assert_eq!(cell(&frame, "text", row), None, "{stage}");
        assert_eq!(
            cell(&frame, "not_applicable", row).as_deref(),
            Some(WHY),
            "{stage}"
        );
        for row in (0..frame.rows()).filter(|other| *other != row) {
            assert_eq!(cell(&frame, "not_applicable", row), None, "{stage}");
            assert!(cell(&frame, "text", row).is_some(), "{stage}");
        }
    }
    let counts = result(&lab, &ran, "measure.counts[task=swap]");
    let of_single: Vec<usize> = (0..counts.rows())
        .filter(|&row| cell(&counts, "doc_id", row).as_deref() == Some("single"))
        .collect();
    assert_eq!(of_single.len(), 2);
    for row in of_single {
        assert_eq!(
            cell(&counts, "unscored", row).as_deref(),
            Some("not-applicable")
        );
        assert_eq!(cell(&counts, "detail", row).as_deref(), Some(WHY));
        assert_eq!(cell(&counts, "value", row), None);
    }
    let short = result(&lab, &ran, "select.short[task=swap]");
    assert!(
        !column(&short, "doc_id").contains(&"single".to_owned()),
        "it has no tokens"
    );
    assert!(ran.tables["rows.csv"].contains(WHY));
}

#[test]
fn documents_left_as_they_are_keep_what_was_done_to_them_before() {
    let lab = three();
    lab.append("[manipulate.plain]\nfrom = \"damaged\"\napply = \"none\"\n");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(
        damages(&lab, &ran, "manipulate.plain"),
        damages(&lab, &ran, "manipulate.damaged")
    );
}

#[test]
fn a_document_without_text_is_never_damaged_or_cut() {
    // A judge of the documents as they are would stop at a text that is not there.
    let (spec, _) = SPEC.split_once("[judge.grades]").unwrap();
    let lab = lab(&[]).spec(spec);
    lab.write(
        "docs.jsonl",
        "{\"doc_id\": \"a\", \"text\": null}\n{\"doc_id\": \"b\", \"text\": \"One line of some length for a typo.\"}\n",
    );
    lab.change(
        "files = \"docs.jsonl\"",
        "files = \"docs.jsonl\"\nempty = \"keep\"",
    );
    lab.append("[split.parts]\nfrom = \"docs\"\ninto = \"paragraphs\"\n\n[measure.counts]\nfrom = \"docs\"\nmetrics = [\"words\"]");
    let ran = lab.run(&["--json"]).ok();
    for node in ["manipulate.damaged[task=typos]", "split.parts"] {
        let frame = result(&lab, &ran, node);
        assert_eq!(column(&frame, "not_applicable"), ["there is no text", "–"]);
    }
    let counts = result(&lab, &ran, "measure.counts");
    assert_eq!(column(&counts, "detail"), ["there is no text", "–"]);
    assert!(
        ran.warnings()
            .contains(&"1 document cannot be cut: `a` (there is no text)".to_owned()),
        "{:?}",
        ran.warnings()
    );
}
