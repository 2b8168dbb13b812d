//! What stands beside a number: of what it is, how many are behind it, what its mark stands for, what was left out.

use std::collections::BTreeMap;

use crate::lab::{Lab, Ran};

const SPEC: &str = r#"
[axes]
task = { set = "select.damaged.add.task", values = ["none", "typos", "order"] }

[report]
formats = ["md", "csv", "json"]

[models.judge]
provider = "recorded"
files = "recorded.csv"
text = "reply"
match = { doc = "doc_id", task = "task" }

[source.docs]
files = "docs.csv"
id = "name"
text = "body"

[select.damaged]
from = "docs"
add = { task = "none" }

[judge.grades]
from = "damaged"
model = "judge"
prompt = "grade"
metrics = ["fluency", "coherence"]
max-unscored = 1

[stats.effect]
from = "grades"
test = "paired-t"
pair = { axis = "task", against = "none" }
correct = "holm"
family = "metric"
"#;

/// Document, damage, fluency, coherence: of six documents four have undamaged scores.
const SCORES: [(&str, &str, u8, u8); 16] = [
    ("a", "none", 4, 4),
    ("b", "none", 4, 4),
    ("c", "none", 4, 3),
    ("d", "none", 5, 3),
    ("a", "typos", 3, 2),
    ("b", "typos", 3, 3),
    ("c", "typos", 3, 2),
    ("d", "typos", 3, 2),
    ("e", "typos", 5, 5),
    ("f", "typos", 5, 5),
    ("a", "order", 4, 4),
    ("b", "order", 3, 4),
    ("c", "order", 4, 2),
    ("d", "order", 5, 2),
    ("e", "order", 5, 5),
    ("f", "order", 5, 5),
];

const DOCS: &str =
    "name,body,genre\na,One.,x\nb,Two.,x\nc,Three.,x\nd,Four.,y\ne,Five.,y\nf,Six.,y\n";

/// What a run of the spec with some more lines comes to, with ids as they are recorded.
fn ran(more: &str, recorded_as: fn(&str) -> String) -> Ran {
    let mut recorded = String::from("doc,task,reply\n");
    for (doc, task, fluency, coherence) in SCORES {
        let reply = format!("FINAL Fluency Score: {fluency}\nFINAL Coherence Score: {coherence}");
        let doc = recorded_as(doc);
        let line = format!("{doc},{task},\"{reply}\"\n");
        recorded += &line;
    }
    let lab = Lab::new()
        .spec(&format!("{SPEC}{more}"))
        .file("docs.csv", DOCS)
        .file("recorded.csv", recorded)
        .template("grade", "Grade fluency and coherence.\n{{ text }}\n");
    lab.run(&[]).ok()
}

/// The tables of the spec with some more lines.
fn told(more: &str) -> BTreeMap<String, String> {
    ran(more, str::to_owned).tables
}

#[test]
fn a_recorded_reply_whose_id_differs_in_case_is_named_where_one_is_missing() {
    let upper = |doc: &str| match doc {
        "a" => "A".to_owned(),
        doc => doc.to_owned(),
    };
    let ran = ran(
        "[table.effect]\nfrom = \"effect\"\nrows = [\"task\"]\ncolumns = [\"metric\"]\n",
        upper,
    );
    let warnings = format!("{}{}", ran.out, ran.err);
    assert!(
        warnings.contains("no recorded reply for 3 of 6 rows: `a`, `e` and `f`; 1 reply is recorded for what differs in case or blanks alone: `doc_id=A`"),
        "{warnings}"
    );
}

#[test]
fn differences_of_means_and_means_of_a_side_carry_their_own_counts_and_no_mark() {
    let tables = told(
        r#"
[table.paired]
from = "effect"
rows = ["task"]
columns = ["metric"]
stars = [0.05, 0.01]
show-n = true

[table.difference]
from = "effect"
value = "difference"
rows = ["task"]
columns = ["metric"]
stars = [0.05, 0.01]
show-n = true

[table.level]
from = "effect"
value = "level_mean"
rows = ["task"]
columns = ["metric"]
show-n = true
"#,
    );
    insta::assert_snapshot!("numbers-paired", tables["paired.md"]);
    insta::assert_snapshot!("numbers-difference", tables["difference.md"]);
    insta::assert_snapshot!("numbers-level", tables["level.md"]);
    insta::assert_snapshot!("numbers-difference-csv", tables["difference.csv"]);
}

#[test]
fn corrected_marks_beside_others_families_sides_and_variances_are_told() {
    let tables = told(
        r#"
[stats.below]
from = "grades"
test = "paired-t"
pair = { axis = "task", against = "none" }
alternative = "less"
ddof = 0
level = 0.9

[table.families]
from = "effect"
rows = ["task"]
columns = ["metric"]
stars = [0.05]

[table.raw]
from = "effect"
p = "p"
rows = ["task"]
columns = ["metric"]
stars = [0.05]

[table.mixed]
rows = ["task", "metric"]
columns = ["which"]
stars = [0.05]

[[table.mixed.part]]
from = "effect"
set = { which = "corrected" }

[[table.mixed.part]]
from = "below"
set = { which = "below" }

[table.ends]
from = "below"
value = "ci_high"
rows = ["task"]
columns = ["metric"]

[table.p]
from = "below"
value = "p"
decimals = 1
rows = ["task"]
columns = ["metric"]
"#,
    );
    for name in ["families", "raw", "mixed", "ends", "p"] {
        insta::assert_snapshot!(format!("numbers-{name}"), tables[&format!("{name}.md")]);
    }
    insta::assert_snapshot!("numbers-mixed-csv", tables["mixed.csv"]);
}

#[test]
fn what_a_where_left_out_and_what_was_unscored_is_counted() {
    let tables = told(
        r#"
[stats.high]
from = "grades"
where = "score > 3"

[stats.unscored]
from = "grades"
test = "unscored"

[stats.mean]
from = "grades"

[table.high]
from = "high"
rows = ["task"]
columns = ["metric"]

[table.unscored]
from = "unscored"
value = "share"
rows = ["task"]
columns = ["metric"]

[table.parts]
rows = ["metric"]
columns = ["how"]

[[table.parts.part]]
from = "mean"
where = "task == 'none'"
set = { how = "clean" }

[[table.parts.part]]
from = "mean"
where = "n > 100"
set = { how = "many" }
"#,
    );
    for name in ["high", "unscored", "parts"] {
        insta::assert_snapshot!(format!("numbers-{name}"), tables[&format!("{name}.md")]);
    }
}

#[test]
fn figures_name_the_level_and_what_they_count() {
    let tables = told(
        r#"
[stats.mean]
from = "grades"
level = 0.9
ddof = 0

[figure.means]
type = "intervals"
from = "mean"
x = "task"
series = "metric"

[figure.scores]
type = "violins"
from = "grades"
x = "task"
series = "metric"

[figure.years]
type = "histogram"
from = "grades"
bins = 4

[figure.t]
from = "effect"
value = "t"
x = "task"
series = "metric"
nonsignificant = 0.05
"#,
    );
    for (figure, said) in [
        ("means", "Whiskers: 90 % confidence intervals."),
        ("means", "variances over n, not n − 1 (ddof = 0)."),
        ("scores", "values per violin"),
        ("scores", "(n = 4 values)"),
        ("years", "A bin holds its lower end, not its upper end."),
        ("years", "up to, not including,"),
        ("t", "not significant (p ≥ 0.05, two-sided, not corrected)"),
    ] {
        let svg = &tables[&format!("{figure}.svg")];
        let texts: Vec<&str> = svg
            .split('<')
            .filter_map(|tag| tag.split_once('>'))
            .map(|(_, text)| text.trim())
            .filter(|text| !text.is_empty())
            .collect();
        let flat = texts.join(" ");
        assert!(flat.contains(said), "{figure}: {said}\n{flat}");
    }
}
