//! A small experiment, run once for all tests that only look at its page.

use std::sync::OnceLock;

use serde_json::Value;

use super::{Tab, calmly};
use crate::lab::Lab;

const SPEC: &str = r#"
title = "Ferries"

[models.mild]
provider = "scripted"
script = "script.toml"

[models.strict]
provider = "scripted"
script = "script.toml"

[axes]
task = { set = "manipulate.damaged.apply", values = ["none", "typos"] }
model = { set = "judge.grades.model", values = ["mild", "strict"] }

[source.docs]
files = "docs/*.txt"

[manipulate.damaged]
from = "docs"
apply = "none"
typos = { percent = 20 }

[judge.grades]
max-unscored = 1
from = "damaged"
model = "mild"
prompt = "grade"
metrics = ["fluency", "coherence"]

[stats.scores]
from = "grades"

[table.scores]
title = "Scores of ferries"
from = "scores"
rows = ["task", "metric"]
columns = ["model"]
decimals = 2

[report]
formats = ["md", "csv", "tex", "json"]
"#;

/// The judge quotes a passage, names no coherence for the mill, and is harder in one of its two forms.
const SCRIPT: &str = r#"
[[reply]]
contains = ["mill"]
text = """
1) Fluency Issues:
- [SPELLING] a word is misspelt: "Nobody in the village"

FINAL Fluency Score: 2.5
"""

[[reply]]
model = "strict"
text = """
1) Fluency Issues:
- [STYLE] it drags

2) Coherence Issues:
- [LOGIC] the lamp comes from nowhere

FINAL Fluency Score: 3
FINAL Coherence Score: 2
"""

[[reply]]
text = """
FINAL Fluency Score: 4.5
FINAL Coherence Score: 4
"""
"#;

/// Letters of one, two and four bytes stand before every edit, so that places counted in another unit show.
const MILL: &str = "The mill stood still — naïve 😀 words.\n\nNobody in the village knew why the wheel had stopped, and the miller's \
    daughter would not tell anybody. Every morning she carried water from the river, although the well was nearer.\n\n\
    When winter came she was seen no longer, and travellers remembered another story about the place.";

const FERRY: &str = "The ferry left at noon with eleven sheep. Nobody counted them twice, because the rope creaked and the \
    water was high.\n\nIt came back at night without a lamp.";

/// The experiment, finished.
pub(super) fn finished() -> &'static Lab {
    static LAB: OnceLock<Lab> = OnceLock::new();
    LAB.get_or_init(|| {
        let lab = Lab::new()
            .spec(SPEC)
            .file("docs/ferry.txt", FERRY)
            .file("docs/mill.txt", MILL)
            .file("docs/short.txt", "One plain sentence stands here alone.")
            .template("grade", "Grade fluency and coherence.\n\n{{ text }}\n")
            .script(SCRIPT);
        lab.run(&[]).ok();
        lab
    })
}

/// Opens the page of the finished experiment from disk; see [`calmly`].
#[track_caller]
pub(super) fn opened(tab: &Tab, work: impl FnOnce(&Lab)) {
    let lab = finished();
    let url = url(lab);
    calmly(tab, &url, &url, || work(lab));
}

/// The address of the page.
pub(super) fn url(lab: &Lab) -> String {
    let file = lab.path("reports/experiment/index.html");
    assert!(file.is_file(), "there is no page");
    format!("file://{}", file.display())
}

/// The mill as it was judged after `typos`: its text, and the place (in characters) and the new text of each edit.
pub(super) fn mill(lab: &Lab) -> (String, Vec<(usize, String)>) {
    let shown = lab
        .cmd(&["show", "mill", "--where", "task=typos", "--json"])
        .ok();
    let row: Value = serde_json::from_str(&shown.out).unwrap();
    let layers = row["edits"].as_array().unwrap();
    let edits = layers.last().unwrap()["edits"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let edits = edits.iter().map(|edit| {
        let start = edit["after"][0].as_u64().unwrap() as usize;
        (start, text(&edit["new"]))
    });
    (text(&row["text"]), edits.collect())
}
