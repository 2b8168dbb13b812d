//! Judges with a JSON schema of their own, through whole specs.

use serde_json::json;

use crate::corpus::{column, result};
use crate::lab::Lab;

/// A judge whose replies are as a schema says; they speak of other numbers too.
fn lab(settings: &str, replies: [&str; 4]) -> Lab {
    let docs = ["alpha", "beta", "gamma", "delta"];
    let docs = docs.map(|text| format!("{}\n", json!({ "doc_id": text, "text": text })));
    let texts = ["alpha", "beta", "gamma", "delta"].into_iter().zip(replies);
    let script = texts.map(|(text, reply)| {
        format!(
            "[[reply]]\ncontains = [\"{text}\"]\ntext = {}\n",
            json!(reply)
        )
    });
    let schema = json!({
        "type": "object",
        "required": ["verdict", "score"],
        "properties": {
            "verdict": {
                "type": "object",
                "required": ["why", "mark"],
                "properties": {
                    "why": { "type": "string" },
                    "mark": { "$ref": "#/$defs/mark" },
                    "word": { "anyOf": [{ "type": "null" }, { "enum": ["Poor", "Good"] }] },
                },
            },
            "score": { "type": "number" },
        },
        "$defs": { "mark": { "type": "integer" } },
    });
    Lab::new()
        .spec(&format!(
            r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs.jsonl"

[judge.marks]
from = "docs"
model = "fake"
prompt = "mark"
schema = "form.json"
{settings}

[stats.mean]
from = "marks"

[table.mean]
from = "mean"
rows = "metric"
"#
        ))
        .file("docs.jsonl", docs.concat())
        .file("form.json", schema.to_string())
        .template("mark", "Judge it. {{ text }}")
        .script(&script.collect::<String>())
}

#[test]
fn a_score_is_what_stands_at_its_path_and_nothing_else() {
    let settings = "metrics = \"overall\"\nscale = { min = 1, max = 5, step = 1 }\n\
                    score = \"verdict.mark\"\nexplanation = \"verdict.why\"\nmax-unscored = 1";
    let replies = [
        r#"{"verdict": {"why": "Two slips.", "mark": 4}, "score": 2}"#,
        r#"```json
{"verdict": {"why": "", "mark": 7}, "score": 2}
```"#,
        r#"{"score": 3}"#,
        r#"{"verdict": {"mark": 2}} {"verdict": {"mark": 3}}"#,
    ];
    let lab = lab(settings, replies);
    let ran = lab.run(&["--json"]).exit(0);
    let rows = result(&lab, &ran, "judge.marks");
    assert_eq!(column(&rows, "score"), ["4", "–", "–", "–"]);
    let unscored = ["–", "off-scale", "no-score-found", "ambiguous"];
    assert_eq!(column(&rows, "unscored"), unscored);
    assert_eq!(column(&rows, "explanation"), ["Two slips.", "–", "–", "–"]);
}

#[test]
fn each_metric_has_a_path_and_labels_are_read_as_well() {
    let settings = "metrics = [\"style\", \"facts\"]\nscale.labels = [\"Poor\", \"Good\"]\n\
                    score = { facts = \"verdict.word\", style = \"verdict.word\" }\nmax-unscored = 1";
    let reply = r#"{"verdict": {"why": "Poor at first.", "word": "good", "mark": 1}, "score": 2}"#;
    let lab = lab(
        settings,
        [reply, "Good", r#"{"verdict": {"word": null}}"#, "{}"],
    );
    let ran = lab.run(&["--json"]).exit(0);
    let rows = result(&lab, &ran, "judge.marks");
    let labels = ["Good", "Good", "–", "–", "–", "–", "–", "–"];
    assert_eq!(column(&rows, "label"), labels);
}

/// The same judge of replies that were recorded elsewhere.
fn recorded(settings: &str, replies: [&str; 4]) -> Lab {
    let lines = ["alpha", "beta", "gamma", "delta"].into_iter().zip(replies);
    let lines =
        lines.map(|(doc_id, reply)| format!("{}\n", json!({ "doc_id": doc_id, "reply": reply })));
    let lab = lab(settings, replies).file("replies.jsonl", lines.collect::<String>());
    lab.change(
        "provider = \"scripted\"\nscript = \"script.toml\"",
        "provider = \"recorded\"\nfiles = \"replies.jsonl\"\ntext = \"reply\"\n\
         match = { doc_id = \"doc_id\" }",
    );
    lab
}

#[test]
fn recorded_replies_are_read_by_the_paths_as_well() {
    let settings = "metrics = \"overall\"\nscale = { min = 1, max = 5, step = 1 }\n\
                    score = \"verdict.mark\"\nexplanation = \"verdict.why\"\nmax-unscored = 1";
    let replies = [
        r#"{"verdict": {"why": "Two slips.", "mark": 4}, "score": 2}"#,
        r#"{"why": "no verdict", "mark": 4}"#,
        r#"{"score": 3}"#,
        r#"{"verdict": {"mark": 7}}"#,
    ];
    let lab = recorded(settings, replies);
    let ran = lab.run(&["--json"]).exit(0);
    let rows = result(&lab, &ran, "judge.marks");
    assert_eq!(column(&rows, "score"), ["4", "–", "–", "–"]);
    assert_eq!(column(&rows, "explanation"), ["Two slips.", "–", "–", "–"]);
    lab.change("verdict.mark", "score");
    let ran = lab.run(&["--json"]).exit(0);
    let rows = result(&lab, &ran, "judge.marks");
    assert_eq!(column(&rows, "score"), ["2", "–", "3", "–"]);
}

#[test]
fn a_path_that_the_schema_lacks_is_refused_for_recorded_replies_as_well() {
    let settings = "metrics = \"overall\"\nscore = \"verdict.nonsense\"";
    let lab = recorded(settings, ["", "", "", ""]);
    let ran = lab.run(&[]);
    assert!(
        ran.err.contains("the schema has no `verdict.nonsense`"),
        "{}",
        ran.err
    );
}
