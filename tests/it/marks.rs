//! Marks from spec to file: tests that are not defined, and values made of fewer parts than their neighbours.

use crate::lab::Lab;

const SPEC: &str = r#"
[axes]
strict = { set = "judge.grades.model", values = ["fake", "strict"] }

[report]
formats = ["md", "csv", "tex", "json", "html"]

[models.fake]
provider = "scripted"
script = "script.toml"
temperature = 1.0

[models.strict]
provider = "scripted"
script = "script.toml"
system = "Be strict."
temperature = 1.0

[source.docs]
files = "docs.csv"
id = "name"
text = "body"

[judge.grades]
max-unscored = 1
from = "docs"
model = "fake"
prompt = "grade"
repeats = 2

[stats.effect]
from = "grades"
test = "paired-t"
pair = { axis = "strict", against = "fake" }
correct = "holm"

[stats.each]
from = "grades"
by = "doc_id"
over = "metric"

[stats.all]
from = "each"
over = "doc_id"

[table.effect]
from = "effect"
rows = ["strict"]
columns = ["metric"]
decimals = 2
stars = [0.05, 0.01]

[table.all]
from = "all"
rows = ["strict"]
decimals = 2

[figure.change]
type = "intervals"
from = "effect"
x = "metric"
series = "strict"
"#;

/// Under the strict model every fluency is two lower, coherence by one or two; of one document coherence is unscored in
/// both repeats, of another fluency in one.
const SCRIPT: &str = r#"
[[reply]]
contains = ["Be strict.", "garden"]
text = "FINAL Fluency Score: 2"

[[reply]]
contains = ["garden"]
text = "FINAL Fluency Score: 4\nFINAL Coherence Score: 4"

[[reply]]
contains = ["Be strict.", "mill"]
repeat = 1
text = "FINAL Coherence Score: 2"

[[reply]]
contains = ["Be strict.", "ferry"]
text = "FINAL Fluency Score: 2\nFINAL Coherence Score: 3"

[[reply]]
contains = ["Be strict."]
text = "FINAL Fluency Score: 2\nFINAL Coherence Score: 2"

[[reply]]
text = "FINAL Fluency Score: 4\nFINAL Coherence Score: 4"
"#;

const DOCS: &str = "\
name,body
a,The ferry left at noon.
b,Nothing grew in the garden.
c,The mill stood still.
";

#[test]
fn undefined_tests_and_partial_means_are_marked_in_every_file_of_a_run() {
    let lab = Lab::new()
        .spec(SPEC)
        .file("docs.csv", DOCS)
        .template("grade", "Grade fluency and coherence.\n{{ text }}\n")
        .script(SCRIPT);
    let ran = lab.run(&[]).ok();
    let page = lab.read("reports/experiment/index.html");
    for (name, text) in [
        ("terminal", &ran.out),
        ("md", &ran.tables["effect.md"]),
        ("html", &ran.tables["effect.html"]),
        ("page", &page),
    ] {
        for said in [
            "−2.00",
            "not defined: all differences are −2",
            "p corrected (holm) over 1 of 2 tests, 1 not defined.",
            "1 of 3 pairs rests on means of fewer than 2 repeats",
            "1 of 3 documents is a mean of fewer than 2 metrics: without coherence",
        ] {
            let table = if said.contains("documents is") {
                ran.tables.get(&format!("all.{name}")).unwrap_or(text)
            } else {
                text
            };
            let flat = table.replace('\n', " ");
            assert!(flat.contains(said), "{name}: {said}\n{table}");
        }
    }
    insta::assert_snapshot!("marks-effect-csv", ran.tables["effect.csv"]);
    insta::assert_snapshot!("marks-all-csv", ran.tables["all.csv"]);
    insta::assert_snapshot!("marks-effect-md", ran.tables["effect.md"]);
    insta::assert_snapshot!("marks-all-md", ran.tables["all.md"]);
    insta::assert_snapshot!("marks-effect-tex", ran.tables["effect.tex"]);
    insta::assert_snapshot!("marks-change-csv", ran.tables["change.csv"]);
    let svg = &ran.tables["change.svg"];
    assert!(svg.contains("‡</text>"), "{svg}");
    assert!(
        svg.contains("‡ not defined: all differences are −2"),
        "{svg}"
    );
    let said: serde_json::Value = serde_json::from_str(&ran.tables["effect.json"]).unwrap();
    let cells = said["cells"].as_array().unwrap();
    assert_eq!(cells[0]["undefined"], "all differences are −2");
    assert_eq!(cells[0]["partial"], 1);
}
