//! What was written about one section, handed on to the next.

use super::{DOCUMENTS, method, rows};
use crate::corpus::{cell, column, jsonl};
use crate::lab::Lab;

/// The method in which a section is judged with the summary of the one before.
fn handed_on() -> Lab {
    let lab = method();
    lab.change("into = \"summary\"", "into = \"summary\"\nprevious = true");
    lab.change(
        "variables = [\"text\", \"summary\"]",
        "variables = [\"text\", \"previous_summary\"]",
    );
    lab.edit(
        "templates/part.j2",
        "{{ summary }}",
        "{% if previous_summary %}Before: {{ previous_summary }}{% else %}This is the first.{% endif %}",
    );
    lab
}

#[test]
fn a_section_is_given_the_summary_of_the_one_before_and_the_first_is_told_so() {
    let lab = handed_on();
    let ran = lab.run(&["--json"]).ok();
    let sums = rows(&lab, &ran, "generate.sums");
    let (ferry, other) = ("A ferry goes.", "Something else happens.");
    assert_eq!(
        column(&sums, "summary"),
        [ferry, other, other, other, other]
    );
    assert_eq!(
        column(&sums, "previous_summary"),
        ["–", ferry, other, "–", other]
    );
    assert_eq!(column(&sums, "no_previous_summary"), ["–"; 5]);
    // What belongs to a section does not get into the rows of documents.
    let notes = rows(&lab, &ran, "memo.notes");
    assert!(!notes.names().iter().any(|name| name.contains("summary")));
    assert_eq!(lab.again().ok().asked, 0);
}

#[test]
fn a_section_after_one_without_a_summary_is_unscored_and_not_told_that_it_is_the_first() {
    let lab = handed_on();
    lab.edit(
        "script.toml",
        "text = \"A ferry goes.\"",
        "text = \"A ferry\"\nfinish = \"length\"",
    );
    let ran = lab.run(&["--json"]).ok();
    let sums = rows(&lab, &ran, "generate.sums");
    let why = "nothing was written about section 1: the reply was cut off by the length limit";
    assert_eq!(
        column(&sums, "no_previous_summary"),
        ["–", why, "–", "–", "–"]
    );
    let parts = rows(&lab, &ran, "judge.parts");
    assert_eq!(cell(&parts, "unscored", 0), None);
    assert_eq!(cell(&parts, "unscored", 2).unwrap(), "not-applicable");
    let detail = cell(&parts, "detail", 2).unwrap();
    assert_eq!(detail, format!("there is no `previous_summary`: {why}"));
    assert_eq!(cell(&parts, "unscored", 6), None);
}

#[test]
fn a_section_after_a_gap_is_not_told_that_it_is_the_first() {
    let lab = handed_on();
    lab.append("[select.some]\nfrom = \"split.parts\"\nwhere = \"section != 2\"\n");
    lab.change("from = \"parts\"\nmodel", "from = \"some\"\nmodel");
    let ran = lab.run(&["--json"]).ok();
    let sums = rows(&lab, &ran, "generate.sums");
    assert_eq!(column(&sums, "section"), ["1", "3", "1"]);
    assert_eq!(
        column(&sums, "no_previous_summary"),
        ["–", "section 2 is not there", "–"]
    );
}

#[test]
fn each_repeat_hands_on_its_own() {
    let lab = handed_on();
    let sums = super::METHOD.split("[judge.parts]").next().unwrap();
    lab.write(
        "experiment.toml",
        sums.replace(
            "into = \"summary\"",
            "into = \"summary\"\nprevious = true\nrepeats = 2",
        ),
    );
    lab.edit(
        "script.toml",
        "[[reply]]\ncontains = [\"Sum up\", \"ferry\"]",
        "[[reply]]\ncontains = [\"Sum up\", \"ferry\"]\nrepeat = 1\ntext = \"A ferry leaves.\"\n\n[[reply]]\ncontains = [\"Sum up\", \"ferry\"]",
    );
    let ran = lab.run(&["--json"]).ok();
    let sums = rows(&lab, &ran, "generate.sums");
    assert_eq!(column(&sums, "repeat")[..4], ["1", "2", "1", "2"]);
    assert_eq!(
        column(&sums, "previous_summary")[..4],
        ["–", "–", "A ferry goes.", "A ferry leaves."]
    );
}

#[test]
fn documents_without_sections_are_refused() {
    let lab = handed_on();
    lab.change("from = \"parts\"\nmodel", "from = \"docs\"\nmodel");
    let ran = lab.run(&[]);
    assert_ne!(ran.code, 0);
    assert!(ran.err.contains("no column `section`"), "{}", ran.err);
    assert!(ran.err.contains("`split` stage"), "{}", ran.err);
}

#[test]
fn documents_of_one_id_are_told_apart_by_the_key_of_their_source() {
    let lab = handed_on();
    let lines = DOCUMENTS.map(|(genre, text)| {
        serde_json::json!({ "doc_id": "x", "genre": genre, "text": text }).to_string()
    });
    lab.write("docs.jsonl", lines.join("\n"));
    lab.change(
        "files = \"docs.jsonl\"",
        "files = \"docs.jsonl\"\nkey = [\"doc_id\", \"genre\"]",
    );
    lab.change(
        "from = \"whole\"",
        "from = \"whole\"\nover = [\"doc_id\", \"genre\"]",
    );
    let ran = lab.run(&["--json"]).ok();
    let sums = rows(&lab, &ran, "generate.sums");
    assert_eq!(column(&sums, "previous_summary")[3], "–");
    let notes = rows(&lab, &ran, "memo.notes");
    assert_eq!(column(&notes, "genre"), ["a", "b"]);
    assert_eq!(column(&notes, "sections"), ["3", "2"]);
}

#[test]
fn long_tables_hand_on_too() {
    // More rows than are written at a time.
    const SECTIONS: usize = 4100;
    let lab = handed_on();
    let paragraphs: Vec<String> = (1..=SECTIONS).map(|n| format!("Line {n}.")).collect();
    lab.write("docs.jsonl", jsonl(&[("a", paragraphs.join("\n\n"))]));
    let sums = super::METHOD.split("[judge.parts]").next().unwrap();
    lab.write(
        "experiment.toml",
        sums.replace("into = \"summary\"", "into = \"summary\"\nprevious = true"),
    );
    let ran = lab.run(&["--json"]).ok();
    let sums = rows(&lab, &ran, "generate.sums");
    assert_eq!(sums.rows(), SECTIONS);
    let previous = column(&sums, "previous_summary");
    assert_eq!(previous[0], "–");
    assert!(
        previous[1..]
            .iter()
            .all(|text| text == "Something else happens.")
    );
}

#[test]
fn sections_without_a_column_that_tells_their_documents_apart_are_refused() {
    let lab = handed_on();
    let lines = DOCUMENTS.map(|(genre, text)| {
        serde_json::json!({ "doc_id": "x", "genre": genre, "text": text }).to_string()
    });
    lab.write("docs.jsonl", lines.join("\n"));
    lab.change(
        "files = \"docs.jsonl\"",
        "files = \"docs.jsonl\"\nkey = [\"doc_id\", \"genre\"]",
    );
    lab.append(
        "[select.some]\nfrom = \"split.parts\"\ncolumns = [\"doc_id\", \"section\", \"text\"]\n",
    );
    lab.change("from = \"parts\"\nmodel", "from = \"some\"\nmodel");
    let ran = lab.run(&[]).exit(3);
    assert!(ran.err.contains("no column `genre`"), "{}", ran.err);
}
