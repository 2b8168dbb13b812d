//! Judges with a verdict for each element of a list, through whole specs.

use serde_json::{Value, json};

use crate::corpus::{cell, column, result};
use crate::lab::Lab;

/// A judge of the claims of four texts: one reply in JSON, one in lines that misses a claim, one with too many, and a text
/// without claims.
pub(crate) fn lab(settings: &str) -> Lab {
    let docs = [
        json!({ "doc_id": "a", "text": "alpha", "claims": [{ "key": "x", "claim": "One." }, { "key": "y", "claim": "Two." }] }),
        json!({ "doc_id": "b", "text": "beta", "claims": [{ "key": "x", "claim": "One." }, { "key": "y", "claim": "Two." }, { "key": "z", "claim": "Three." }] }),
        json!({ "doc_id": "c", "text": "gamma", "claims": [{ "key": "x", "claim": "One." }] }),
        json!({ "doc_id": "d", "text": "delta", "claims": [] }),
    ];
    let ids = r#"[{"key": "y", "verdict": "no", "quote": "of y"}, {"key": "x", "verdict": "yes"}]"#;
    Lab::new()
        .spec(&format!(
            r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs.jsonl"

[judge.checked]
max-unscored = 1
from = "docs"
model = "fake"
prompt = "check"
variables = ["text", "claims"]
metrics = ["met"]
parse = "items"
items = "claims"
scale.labels = {{ no = 0, yes = 1 }}
{settings}

[group.share]
from = "checked"
by = ["doc_id", "metric"]
compute.share = "mean(score)"

[stats.places]
from = "checked"
by = ["item", "metric"]

[table.places]
from = "places"
rows = "item"
columns = "metric"
"#
        ))
        .file("docs.jsonl", docs.map(|line| format!("{line}\n")).concat())
        .template(
            "check",
            "Is it met? {{ text }}{% for claim in claims %}\n{{ claim.key }}: {{ claim.claim }}{% endfor %}",
        )
        .script(&format!(
            "[[reply]]\ncontains = [\"alpha\"]\ntext = {}\n[[reply]]\ncontains = [\"beta\"]\ntext = \"1. yes\\n3. No. It is missing.\"\n[[reply]]\ntext = \"1. yes\\n2. no\"\n",
            json!(ids)
        ))
}

#[test]
fn every_element_has_a_row_with_its_own_verdict() {
    let lab = lab("id = \"key\"\nfields = [\"quote\"]");
    let ran = lab.run(&["--json"]).exit(0);
    let rows = result(&lab, &ran, "judge.checked");
    assert_eq!(column(&rows, "doc_id"), ["a", "a", "b", "b", "b", "c", "d"]);
    assert_eq!(column(&rows, "item"), ["1", "2", "1", "2", "3", "1", "–"]);
    assert_eq!(
        column(&rows, "item_id"),
        ["x", "y", "x", "y", "z", "x", "–"]
    );
    assert_eq!(
        column(&rows, "label"),
        ["yes", "no", "yes", "–", "no", "–", "–"]
    );
    assert_eq!(
        column(&rows, "quote"),
        ["–", "of y", "–", "–", "–", "–", "–"]
    );
    assert_eq!(cell(&rows, "unscored", 3).as_deref(), Some("no-item"));
    assert_eq!(cell(&rows, "unscored", 5).as_deref(), Some("misaligned"));
    assert_eq!(
        cell(&rows, "detail", 5).as_deref(),
        Some("2 verdicts for 1 element")
    );
    assert_eq!(
        cell(&rows, "unscored", 6).as_deref(),
        Some("not-applicable")
    );
    assert_eq!(
        cell(&rows, "no_item", 6).as_deref(),
        Some("`claims` is an empty list")
    );
    let shares = result(&lab, &ran, "group.share");
    assert_eq!(column(&shares, "share"), ["0.5", "0.5", "–", "–"]);
}

#[test]
fn repeats_of_a_list_have_as_many_rows_each() {
    let lab = lab("repeats = 2");
    let ran = lab.run(&["--json"]).exit(0);
    let rows = result(&lab, &ran, "judge.checked");
    // Without `id` the objects of the first reply have no number that could be held against the list.
    assert_eq!(column(&rows, "repeat")[..4], ["1", "1", "2", "2"]);
    assert_eq!(column(&rows, "item")[4..10], ["1", "2", "3", "1", "2", "3"]);
}

#[test]
fn a_single_call_tells_the_verdict_on_each_element() {
    let lab = lab("id = \"key\"");
    let call = lab.cmd(&["call", "b", "--json"]).ok();
    let said: Value = serde_json::from_str(&call.out).unwrap();
    assert_eq!(said["read"][0]["metric"], "met 1");
    assert_eq!(said["read"][1]["unscored"], "no-item");
    assert_eq!(said["read"][2]["label"], "no");
}
