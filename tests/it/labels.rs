//! Judges that answer with words: through whole specs, from the prompt to the table.

use crate::corpus::{cell, column, result};
use crate::lab::Lab;

const SPEC: &str = r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs/*.txt"

[judge.grades]
from = "docs"
model = "fake"
prompt = "rate"
parse = "likert"
metrics = ["overall"]
max-unscored = 1
scale.labels = ["Poor", "Fair", "Good"]

[judge.answers]
from = "docs"
model = "fake"
prompt = "ask"
parse = "choice"
metrics = ["supported"]
max-unscored = 1

[stats.scores]
from = "grades"

[stats.shares]
from = "answers"

[table.scores]
from = "scores"
rows = ["metric"]

[table.shares]
from = "shares"
rows = ["metric"]
"#;

const SCRIPT: &str = r#"
[[reply]]
contains = ["True?", "noon"]
text = "Yes, because it left at noon."

[[reply]]
contains = ["True?", "mill"]
text = "Yes and no."

[[reply]]
contains = ["Rate the text as Poor Fair Good", "noon"]
text = "The first error was rated 4.\n\nOverall score: **good**."

[[reply]]
contains = ["mill"]
text = "Overall score: Fair to Good"

[[reply]]
text = "Overall score: Mediocre"
"#;

fn lab() -> Lab {
    Lab::new()
        .spec(SPEC)
        .file("docs/a.txt", "The ferry left at noon.\n")
        .file("docs/b.txt", "The mill stood still.\n")
        .file("docs/c.txt", "Nobody knew why.\n")
        .template(
            "rate",
            "Rate the text as {% for label in scale.labels %}{{ label }} {% endfor %}.\n\n{{ text }}\n",
        )
        .template("ask", "True?\n\n{{ text }}\n")
        .script(SCRIPT)
}

#[test]
fn labels_come_out_as_the_spec_writes_them_beside_their_numbers() {
    let lab = lab();
    let ran = lab.run(&["--json"]).ok();
    let grades = result(&lab, &ran, "judge.grades");
    assert_eq!(cell(&grades, "label", 0).as_deref(), Some("Good"));
    assert_eq!(cell(&grades, "score", 0).as_deref(), Some("3"));
    for (row, reason, detail) in [
        (1, "ambiguous", "Fair to Good"),
        (2, "off-scale", "Mediocre"),
    ] {
        assert_eq!(cell(&grades, "label", row), None);
        assert_eq!(cell(&grades, "score", row), None);
        assert_eq!(cell(&grades, "unscored", row).as_deref(), Some(reason));
        assert_eq!(cell(&grades, "detail", row).as_deref(), Some(detail));
    }
}

#[test]
fn a_choice_is_between_yes_and_no_unless_the_scale_says_otherwise() {
    let lab = lab();
    let ran = lab.run(&["--json"]).ok();
    let answers = result(&lab, &ran, "judge.answers");
    assert_eq!(cell(&answers, "label", 0).as_deref(), Some("yes"));
    assert_eq!(cell(&answers, "score", 0).as_deref(), Some("1"));
    assert_eq!(cell(&answers, "unscored", 1).as_deref(), Some("ambiguous"));
    // What was no question to the third reply is no answer.
    assert_eq!(cell(&answers, "unscored", 2).as_deref(), Some("off-scale"));
    lab.change(
        "metrics = [\"supported\"]",
        "metrics = [\"supported\"]\nscale.labels = { mediocre = 0, fine = 1 }",
    );
    let ran = lab.run(&["--json"]).ok();
    let answers = result(&lab, &ran, "judge.answers");
    let labels: Vec<String> = column(&answers, "label");
    assert_eq!(labels.last().map(String::as_str), Some("mediocre"));
}

#[test]
fn a_prompt_for_one_verdict_need_not_name_it() {
    let lab = lab();
    lab.cmd(&["lint", "--strict", "experiment.toml"]).ok();
}
