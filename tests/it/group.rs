//! `group` in whole specs: what is made of fewer parts is marked wherever it is shown.

use crate::lab::{Lab, json_lines};

const SPEC: &str = r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[models.other]
provider = "scripted"
script = "script.toml"
system = "Be strict."

[axes]
judge = { set = "judge.grades.model", values = ["fake", "other"] }

[source.docs]
files = "docs.csv"

[judge.grades]
max-unscored = 1
from = "docs"
model = "fake"
prompt = "grade"
metrics = ["fluency", "coherence"]

[group.documents]
from     = "grades"
by       = "doc_id"
columns  = "genre"
complete = "metric"
compute.overall = "mean(score)"
compute.total   = "sum(score)"
compute.scores  = "list(metric, score)"

[derive.halved]
from   = "group.documents"
rename = { whole = "overall" }
compute.half = "whole / 2"

[stats.halves]
from  = "halved"
value = "half"
by    = "genre"

[stats.means]
from  = "halves"
value = "mean"
over  = "genre"

[table.documents]
from  = "group.documents"
value = "overall"
rows  = "doc_id"
columns = "judge"

[table.totals]
from  = "group.documents"
value = "total"
rows  = ["judge", "doc_id"]

[table.halves]
from = "stats.halves"
rows = ["judge", "genre"]

[table.means]
from = "stats.means"
rows = "judge"

[figure.spots]
from   = "derive.halved"
value  = "half"
x      = "doc_id"
series = "judge"

[export.rows]
from   = "group.documents"
format = "jsonl"
"#;

fn lab() -> Lab {
    Lab::new()
        .spec(SPEC)
        .file(
            "docs.csv",
            "doc_id,genre,text\na,Tale,The ferry left.\nb,Tale,The mill stood.\nc,Poem,A rose.\n",
        )
        .template("grade", "Grade fluency and coherence.\n\n{{ text }}\n")
        .script(
            r#"
[[reply]]
contains = ["mill", "strict"]
text = "FINAL Fluency Score: 4"

[[reply]]
contains = ["ferry"]
text = "FINAL Fluency Score: 3\nFINAL Coherence Score: 5"

[[reply]]
text = "FINAL Fluency Score: 2\nFINAL Coherence Score: 1"
"#,
        )
}

#[test]
fn a_mean_over_fewer_parts_is_marked_in_tables_figures_and_statistics_of_it() {
    let lab = lab();
    let ran = lab.run(&[]).ok();
    let documents = &ran.tables["documents.md"];
    assert!(documents.contains("| b | 1.500 | 4.000 † |"), "{documents}");
    assert!(
        documents.contains("over 1 of 2 metrics: without coherence"),
        "{documents}"
    );
    assert!(
        documents.contains("n = 11 rows, 1 row unscored"),
        "{documents}"
    );
    let totals = &ran.tables["totals.md"];
    assert!(totals.contains("| other | b | — §"), "{totals}");
    let halves = &ran.tables["halves.md"];
    assert!(
        halves.contains("1 of 2 documents is a mean of fewer than 2 metrics: without coherence"),
        "{halves}"
    );
    assert!(!halves.contains("fewer than 2 rows"), "{halves}");
    assert!(
        ran.tables["means.md"].contains("†"),
        "{}",
        ran.tables["means.md"]
    );
    let spots = &ran.tables["spots.csv"];
    let marked = spots.lines().filter(|line| line.contains("coherence"));
    assert_eq!(marked.count(), 1, "{spots}");
    assert!(
        lab.read("reports/experiment/index.html")
            .contains("without coherence")
    );
}

#[test]
fn axes_are_carried_and_lists_keep_what_is_absent() {
    let ran = lab().run(&[]).ok();
    let rows = json_lines(&ran.tables["rows.jsonl"]);
    assert_eq!(rows.len(), 6);
    let of = |judge: &str, id: &str| {
        let mut rows = rows.iter();
        rows.find(|row| row["judge"] == judge && row["doc_id"] == id)
            .unwrap()
    };
    let row = of("other", "b");
    assert_eq!(
        row["scores"],
        serde_json::json!([
            {"metric": "fluency", "score": 4},
            {"metric": "coherence", "score": null}
        ])
    );
    assert_eq!(row["n"], 2);
    assert!(row["total"].is_null());
    assert!(
        row["no_total"]
            .as_str()
            .unwrap()
            .starts_with("no `score`: ")
    );
    assert_eq!(of("fake", "b")["total"], 3.0);
}

#[test]
fn groups_are_the_same_on_one_thread_and_on_many() {
    let rows = (0..5_000).map(|at| format!("{at},{},{}\n", at * 7 % 331, at % 13));
    let rows: String = std::iter::once("doc_id,key,score\n".to_owned())
        .chain(rows)
        .collect();
    let lab = Lab::new().file("many.csv", rows).spec(
        r#"
[source.many]
files = "many.csv"

[group.keys]
from = "many"
by   = "key"
compute.mean  = "mean(score)"
compute.above = "share(score > 4)"
compute.all   = "list(doc_id, score)"

[export.rows]
from   = "group.keys"
format = "jsonl"
"#,
    );
    let bytes = |threads: &str| {
        lab.write("cache/.gitkeep", "");
        lab.remove("cache");
        let mut command = lab.command(&["run", "--jobs", threads]);
        assert!(
            command
                .env("POLARS_MAX_THREADS", threads)
                .output()
                .unwrap()
                .status
                .success()
        );
        let rows = lab.read("reports/experiment/rows.jsonl");
        assert_eq!(rows.lines().count(), 331);
        rows
    };
    assert_eq!(bytes("1"), bytes("8"));
}

#[test]
fn rows_are_counted_also_where_nothing_in_them_is_looked_at() {
    let lab = lab();
    lab.append(
        r#"
[group.all]
from = "docs"
by   = []
compute.rows = "count()"

[group.judged]
from = "grades"
by   = []
over = "judge"
compute.rows = "count()"

[export.all]
from   = "group.all"
format = "jsonl"

[export.judged]
from   = "group.judged"
format = "jsonl"
"#,
    );
    let ran = lab.run(&[]).ok();
    for (name, rows) in [("all.jsonl", 3), ("judged.jsonl", 12)] {
        assert_eq!(json_lines(&ran.tables[name])[0]["rows"], rows, "{name}");
    }
}

#[test]
fn a_group_of_no_rows_has_the_value_of_its_axis() {
    let lab = Lab::new()
        .file(
            "docs.csv",
            "doc_id,cat,score,text\na,p,1,x\nb,p,2,x\nc,q,3,x\n",
        )
        .spec(
            r#"
[axes]
least = { set = "select.cut.where", values = ["score > 1", "score > 9", "score > 99"], names = ["some", "none", "never"] }

[source.docs]
files = "docs.csv"

[select.cut]
from  = "docs"
where = "score > 0"

[group.all]
from = "cut"
by   = []
compute.high = "count(score > 2)"

[group.cats]
from  = "cut"
by    = "cat"
every = { cat = ["p", "q"] }
compute.high = "count(score > 2)"

[stats.all]
from  = "group.all"
value = "high"
over  = "least"

[export.all]
from   = "group.all"
format = "jsonl"

[export.cats]
from   = "group.cats"
format = "jsonl"
"#,
        );
    let ran = lab.run(&[]).ok();
    let rows = |name: &str, key: &str| -> Vec<String> {
        let row =
            |row: &serde_json::Value| format!("{} {} {}", row["least"], row[key], row["high"]);
        json_lines(&ran.tables[name]).iter().map(row).collect()
    };
    assert_eq!(
        rows("all.jsonl", "n"),
        [r#""some" 2 1"#, r#""none" 0 0"#, r#""never" 0 0"#]
    );
    assert_eq!(
        rows("cats.jsonl", "cat"),
        [
            r#""some" "p" 0"#,
            r#""some" "q" 1"#,
            r#""none" "p" 0"#,
            r#""none" "q" 0"#,
            r#""never" "p" 0"#,
            r#""never" "q" 0"#,
        ]
    );
}
