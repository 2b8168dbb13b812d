//! `measure` with `reference`: how close texts come to what they should be.

use crate::corpus::{column, result};
use crate::lab::Lab;

const SPEC: &str = r#"
[source.answers]
files = "answers.jsonl"

[measure.closeness]
from = "answers"
reference = "expected"
metrics = ["exact-match", "token-f1", "rouge-l", "bleu", "edit-distance"]

[stats.closeness]
from = "measure.closeness"

[table.closeness]
from = "closeness"
rows = ["metric"]
"#;

const ABSENT: &str = "–";

fn values(rows: &str) -> (Vec<String>, Vec<String>) {
    let lab = Lab::new().spec(SPEC).file("answers.jsonl", rows);
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "measure.closeness");
    (column(&rows, "value"), column(&rows, "detail"))
}

#[test]
fn a_text_is_compared_with_a_reference_or_the_closest_of_several() {
    let (values, _) = values(
        r#"{"doc_id": "a", "text": "The cat sat.", "expected": ["the cat sat", "a dog"]}
{"doc_id": "b", "text": "a b", "expected": ["a b c d"]}
"#,
    );
    assert_eq!(values[..3], ["1", "1", "1"]);
    assert_eq!(values[4], "2");
    // Without the article one word of three is found.
    assert_eq!(
        values[5..],
        ["0", "0.5", "0.6666666666666666", "36.78794411714425", "4"]
    );
}

#[test]
fn what_is_not_there_is_compared_with_nothing_and_says_why() {
    let (values, details) = values(
        r#"{"doc_id": "a", "text": "Paris", "expected": null}
{"doc_id": "b", "text": "Paris", "expected": "Paris"}
{"doc_id": "c", "text": "巴黎", "expected": "巴黎"}
{"doc_id": "d", "text": "x", "expected": ""}
"#,
    );
    assert_eq!(values[..5], [ABSENT; 5]);
    assert_eq!(details[..5], ["no `expected`: no value"; 5]);
    assert_eq!(values[5..8], ["1", "1", "1"]);
    assert_eq!(values[10..13], ["1", "1", ABSENT]);
    assert!(
        details[12].contains("which ROUGE counts"),
        "{}",
        details[12]
    );
    assert_eq!(values[15..18], ["0", "0", ABSENT]);
    assert_eq!(details[18], "the reference is empty");
}

#[test]
fn what_is_no_list_of_texts_is_no_reference() {
    let (values, details) = values(
        r#"{"doc_id": "a", "text": "Paris", "expected": [1, "Paris"]}
{"doc_id": "b", "text": "Paris", "expected": []}
"#,
    );
    assert_eq!(values, [ABSENT; 10]);
    assert_eq!(details[0], "`expected` is no list of texts");
    assert_eq!(details[5], "there is no reference");
}
