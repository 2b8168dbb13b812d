//! What a spec can hardly mean is not computed without a word.

use std::fmt::Write as _;

use super::lab;
use crate::lab::Ran;

/// What was told, without the ends of its lines.
fn told(ran: &Ran) -> String {
    let words: Vec<&str> = ran
        .err
        .split_whitespace()
        .filter(|word| *word != "│")
        .collect();
    words.join(" ")
}

/// Eight documents with the label of a judge and that of a person.
fn labels(judge: [&str; 2], human: [&str; 2]) -> String {
    let mut lines = String::new();
    for at in 0..8 {
        let (score, human) = (judge[at % 2], human[at / 2 % 2]);
        let _ = writeln!(
            lines,
            "{{\"doc_id\": \"d{at}\", \"score\": \"{score}\", \"human\": \"{human}\"}}"
        );
    }
    lines
}

fn stats(keys: &str) -> String {
    format!(
        "\n[stats.x]\nfrom = \"source.rows\"\n{keys}\n[export.x]\nfrom = \"stats.x\"\nformat = \"jsonl\"\n"
    )
}

#[test]
fn a_positive_that_differs_from_the_labels_in_capital_letters_is_refused() {
    let lines = labels(["pass", "fail"], ["pass", "fail"]);
    for keys in [
        "test = \"share\"\npositive = \"Pass\"",
        "test = \"clustered-mean\"\npositive = \"PASS \"",
        "test = \"mcnemar\"\nreference = \"human\"\npositive = \"Pass\"",
    ] {
        let ran = lab(&lines, &stats(keys)).run(&[]);
        assert_eq!(ran.code, 4, "{}", ran.err);
        assert!(
            told(&ran).contains("write `positive = \"pass\"`"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_positive_that_no_row_has_is_computed_with_a_warning() {
    let lines = labels(["pass", "fail"], ["pass", "fail"]);
    let ran = lab(&lines, &stats("test = \"share\"\npositive = \"severe\""))
        .run(&[])
        .ok();
    let no_row =
        "no row has the label `severe`, which `positive` names; there are `fail` and `pass`";
    assert!(told(&ran).contains(no_row), "{}", ran.err);
    let ran = lab(&lines, &stats("test = \"share\"\npositive = \"pass\""))
        .run(&[])
        .ok();
    assert!(!told(&ran).contains("no row has"), "{}", ran.err);
}

#[test]
fn sides_without_a_label_in_common_are_refused_where_capital_letters_tell_them_apart_and_told_otherwise()
 {
    let agreement = stats("test = \"agreement\"\nreference = \"human\"");
    let ran = lab(&labels(["Pass", "Fail"], ["pass", "fail"]), &agreement).run(&[]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(
        ran.err.contains("they differ in capital letters or blanks"),
        "{}",
        ran.err
    );
    let ran = lab(&labels(["true", "false"], ["yes", "no"]), &agreement)
        .run(&[])
        .ok();
    assert!(told(&ran).contains("none of the others'"), "{}", ran.err);
    let ran = lab(&labels(["yes", "no"], ["yes", "no"]), &agreement)
        .run(&[])
        .ok();
    assert!(!told(&ran).contains("none of the others'"), "{}", ran.err);
}

#[test]
fn samples_of_the_same_items_are_told_of_where_they_count_as_independent() {
    let mut lines = String::new();
    for at in 0..6 {
        for (place, sample) in ["new", "base"].iter().enumerate() {
            let doc = if place == 0 { at } else { at + 3 };
            let _ = writeln!(
                lines,
                "{{\"doc_id\": \"d{doc}\", \"arm\": \"{sample}\", \"score\": {}}}",
                at * 2 + place
            );
        }
    }
    let spec = stats("test = \"mann-whitney\"\npair = { axis = \"arm\", against = \"base\" }");
    let ran = lab(&lines, &spec).run(&[]).ok();
    assert!(
        ran.err
            .contains("3 of 9 items are in more than one; `wilcoxon` compares the same items"),
        "{}",
        ran.err
    );
    let apart = lines.replace("\"d3\", \"arm\": \"base\"", "\"e3\", \"arm\": \"base\"");
    let apart = apart.replace("\"d4\", \"arm\": \"base\"", "\"e4\", \"arm\": \"base\"");
    let apart = apart.replace("\"d5\", \"arm\": \"base\"", "\"e5\", \"arm\": \"base\"");
    let ran = lab(&apart, &spec).run(&[]).ok();
    assert!(!told(&ran).contains("independent"), "{}", ran.err);
}
