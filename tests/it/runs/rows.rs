//! What is known, before anything runs, of the rows that tables show.

use super::super::lab::{ANY_SCORE, Lab};

fn lab(spec: &str) -> Lab {
    Lab::new()
        .spec(spec)
        .file("docs/a.txt", "Ada went home. It was late.")
        .file("docs/b.txt", "Bea went out. It was early.")
        .template("grade", "Grade fluency: {{ text }}")
        .script(ANY_SCORE)
}

const JUDGED: &str = r#"
title = "Rows"

[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs/*.txt"

[truncate.cut]
from = "docs"

[judge.grades]
from = "cut"
model = "fake"
prompt = "grade"
metrics = ["fluency"]

[stats.scores]
from = "grades"
"#;

#[test]
fn what_one_value_or_another_axis_tells_need_not_be_shown() {
    let lab = lab(&format!(
        r#"{JUDGED}
[axes]
length = {{ set = "truncate.cut.tokens", values = [3, 5] }}
called = {{ set = "judge.grades.scale.step", values = [0.5, 0.25] }}
only = {{ set = "models.fake.temperature", values = [0.5] }}

[grid]
zip = [["length", "called"]]

[table.scores]
from = "scores"
rows = ["length"]
"#
    ));
    let linted = lab.cmd(&["lint", "experiment.toml"]).ok();
    assert_eq!(linted.err, "");
    lab.run(&["-q"]).ok();
}

#[test]
fn a_condition_of_a_table_that_keeps_nothing_is_warned_of() {
    let lab = lab(&format!(
        r#"{JUDGED}
[axes]
length = {{ set = "truncate.cut.tokens", values = [3, 5] }}

[table.scores]
from = "scores"
rows = ["length", "metric"]
where = "mean > 9"

[figure.means]
from = "scores"
x = ["length", "metric"]
where = "mean > 9"
"#
    ));
    let ran = lab.run(&[]).ok();
    for stage in ["table.scores", "figure.means"] {
        let warned = format!("{stage}: `where` keeps none of 2 rows");
        assert!(ran.err.contains(&warned), "{}", ran.err);
    }
    let page = lab.read("reports/experiment/index.html");
    assert!(page.contains("keeps none of 2 rows"));
}

#[test]
fn replies_matched_by_the_axis_or_read_in_two_ways_are_used_once() {
    let judged = JUDGED.replace("provider = \"scripted\"\nscript = \"script.toml\"", "provider = \"recorded\"\nfiles = \"replies.csv\"\ntext = \"reply\"\nmatch = { doc = \"doc_id\", length = \"length\" }");
    let lab = lab(&format!(
        r#"{judged}
[axes]
length = {{ set = "truncate.cut.tokens", values = [3, 5] }}
step = {{ set = "judge.grades.scale.step", values = [0.5, 0.25] }}

[table.scores]
from = "scores"
rows = ["length", "metric"]
columns = "step"
"#
    ))
    .file(
        "replies.csv",
        "doc,length,reply\na,3,FINAL Fluency Score: 3\n",
    );
    assert_eq!(lab.cmd(&["lint", "experiment.toml"]).ok().err, "");
    lab.change(", length = \"length\"", "");
    let linted = lab.cmd(&["lint", "experiment.toml"]).ok();
    assert!(linted.err.contains("`length`"), "{}", linted.err);
}
