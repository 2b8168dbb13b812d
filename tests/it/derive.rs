//! `derive` in whole specs: columns computed of judgements, numbered rows, and what becomes of what is absent.

use crate::lab::{Lab, json_lines};

const SPEC: &str = r#"
seed = 3

[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs.csv"

[judge.grades]
max-unscored = 1
from = "docs"
model = "fake"
prompt = "grade"
metrics = ["fluency"]

[derive.moved]
from   = "grades"
rename = { old = "score" }
drop   = ["reply", "issues", "detail", "finish", "call"]
compute.target = "[1, [old + step, 5] | min] | max"
compute.moved  = "target != old"
compute.gain   = "(target - old) / step"
number.at      = { within = ["genre"], by = "target", largest = true }
number.lot     = { draw = true }

[select.first]
from  = "derive.moved"
where = "at == 1"

[stats.targets]
from  = "derive.moved"
value = "target"
by    = "genre"

[stats.moved]
from  = "derive.moved"
value = "moved"
by    = "genre"

[table.targets]
from = "stats.targets"
rows = "genre"

[table.moved]
from = "stats.moved"
rows = "genre"

[export.rows]
from   = "derive.moved"
format = "jsonl"

[export.first]
from   = "select.first"
format = "jsonl"
"#;

fn lab() -> Lab {
    Lab::new()
        .spec(SPEC)
        .file(
            "docs.csv",
            "doc_id,genre,step,text\na,Tale,1,The ferry left.\nb,Tale,-2,The mill stood.\nc,Tale,0,A rose.\nd,Poem,2,A lamp.\n",
        )
        .template("grade", "Grade fluency.\n\n{{ text }}\n")
        .script(
            r#"
[[reply]]
contains = ["mill"]
text = "I would rather not say."

[[reply]]
contains = ["ferry"]
text = "FINAL Fluency Score: 5"

[[reply]]
text = "FINAL Fluency Score: 2"
"#,
        )
}

#[test]
fn what_is_made_of_a_score_is_absent_where_that_is_and_says_why() {
    let lab = lab();
    let ran = lab.run(&[]).ok();
    let rows = json_lines(&ran.tables["rows.jsonl"]);
    let column = |name: &str| -> Vec<serde_json::Value> {
        rows.iter().map(|row| row[name].clone()).collect()
    };
    let json = |text: &str| -> Vec<serde_json::Value> { serde_json::from_str(text).unwrap() };
    assert_eq!(column("old"), json("[5.0, null, 2.0, 2.0]"));
    assert_eq!(column("target"), json("[5.0, null, 2.0, 4.0]"));
    assert_eq!(column("moved"), json("[false, null, false, true]"));
    assert_eq!(column("gain"), json("[0.0, null, null, 1.0]"));
    assert_eq!(column("at"), json("[1, null, 2, 1]"));
    let why = column("no_target")[1].clone();
    assert!(why.as_str().unwrap().starts_with("no `old`: "), "{why}");
    // The reason goes along under every name.
    for name in ["no_moved", "no_at"] {
        assert_eq!(column(name)[1], why, "{name}");
    }
    assert_eq!(column("no_gain")[2], "division by zero");
    let mut lots: Vec<i64> = column("lot")
        .iter()
        .map(|lot| lot.as_i64().unwrap())
        .collect();
    lots.sort_unstable();
    assert_eq!(lots, [1, 2, 3, 4]);
    assert!(rows[0].get("unscored").is_none() && rows[0].get("no_old").is_some());
}

#[test]
fn statistics_of_what_was_computed_count_what_is_absent() {
    let lab = lab();
    let ran = lab.run(&[]).ok();
    let targets = &ran.tables["targets.md"];
    assert!(targets.contains("| Tale | 3.500 |"), "{targets}");
    assert!(targets.contains("1 row unscored"), "{targets}");
    // Of truth values the mean is a share.
    assert!(ran.tables["moved.md"].contains("| Tale | 0.000 |"));
    let first = json_lines(&ran.tables["first.jsonl"]);
    let ids: Vec<&str> = first
        .iter()
        .map(|row| row["doc_id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["a", "d"]);
}

#[test]
fn another_expression_asks_nothing_again_and_another_seed_draws_anew() {
    let lab = lab();
    lab.run(&[]).ok();
    lab.change("(target - old) / step", "target - old");
    let again = lab.run(&["--json"]).ok();
    assert_eq!(again.asked, 0);
    assert!(again.stages().contains(&"derive.moved".to_owned()));
    let lots = |ran: &crate::lab::Ran| {
        let rows = json_lines(&ran.tables["rows.jsonl"]);
        rows.iter()
            .map(|row| row["lot"].as_i64().unwrap())
            .collect::<Vec<_>>()
    };
    let before = lots(&again);
    let others = (4..12).any(|seed| {
        lab.edit(
            crate::lab::SPEC,
            lab.read(crate::lab::SPEC).lines().nth(1).unwrap(),
            &format!("seed = {seed}"),
        );
        lots(&lab.run(&[]).ok()) != before
    });
    assert!(others);
}

#[test]
fn sections_that_get_names_of_their_own_are_documents() {
    let lab = lab();
    lab.change(
        "[judge.grades]",
        "[split.parts]\nfrom = \"docs\"\ninto = \"sentences\"\n\n[derive.named]\nfrom = \"split.parts\"\ncompute.words = \"section\"\n\n[judge.grades]",
    );
    lab.change("from = \"docs\"\nmodel", "from = \"named\"\nmodel");
    let twice = "lint::sections-as-documents";
    let told = lab.cmd(&["lint"]).ok().err;
    assert!(told.contains(twice), "{told}");
    lab.change(
        "compute.words = \"section\"",
        "compute.doc_id = \"doc_id ~ ' ' ~ section\"",
    );
    let told = lab.cmd(&["lint"]).ok().err;
    assert!(!told.contains(twice), "{told}");
}
