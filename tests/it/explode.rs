//! Rows of the elements of lists and of the nodes of trees, through whole specs.

use serde_json::{Value, json};

use crate::corpus::{cell, column, result};
use crate::lab::Lab;

/// Three examples with errors: of one the list is empty, of another nothing came.
fn examples() -> String {
    let lines = [
        json!({ "doc_id": "a", "issues": [
            { "location": "One", "severity": 5 },
            { "location": "left", "severity": 3 },
            { "location": "ferry", "severity": 1 },
        ] }),
        json!({ "doc_id": "b", "issues": [] }),
        json!({ "doc_id": "c", "issues": null }),
        json!({ "doc_id": "d", "issues": [{ "location": "All", "severity": 2 }] }),
    ];
    lines.map(|line| format!("{line}\n")).concat()
}

/// A project that explodes the lists of the examples with these settings.
fn lab(settings: &str) -> Lab {
    Lab::new()
        .spec(&format!(
            "[source.base]\nfiles = \"base.jsonl\"\n\n[explode.errors]\nfrom = \"base\"\ncolumn = \"issues\"\n{settings}\n"
        ))
        .file("base.jsonl", examples())
}

#[test]
fn a_list_of_errors_becomes_a_row_per_error() {
    let lab = lab("fields = { where = \"location\", severity = \"severity\" }\nindex = \"item\"");
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "explode.errors");
    assert_eq!(column(&rows, "doc_id"), ["a", "a", "a", "c", "d"]);
    assert_eq!(column(&rows, "where"), ["One", "left", "ferry", "–", "All"]);
    assert_eq!(column(&rows, "severity"), ["5", "3", "1", "–", "2"]);
    assert_eq!(column(&rows, "item"), ["1", "2", "3", "–", "1"]);
    assert!(!rows.has("issues"));
    assert_eq!(
        cell(&rows, "no_severity", 3).as_deref(),
        Some("no `issues`: no value")
    );
    assert_eq!(ran.warnings(), [""; 0]);
    // What a setting says counts, not how often it is said.
    assert_eq!(lab.again().ok().nodes(), [""; 0]);
}

#[test]
fn a_run_says_how_many_lists_are_empty() {
    let ran = lab("fields = [\"severity\"]").run(&[]).ok();
    let told = "5 rows from 3 lists, 1 of them empty and left out";
    assert!(ran.err.contains(told), "{}", ran.err);
}

#[test]
fn empty_lists_stay_as_rows_where_that_is_asked_for() {
    let lab = lab("into = \"error\"\nempty = \"keep\"");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.warnings(), [""; 0]);
    let rows = result(&lab, &ran, "explode.errors");
    assert_eq!(column(&rows, "doc_id"), ["a", "a", "a", "b", "c", "d"]);
    assert_eq!(
        cell(&rows, "error", 0).as_deref(),
        Some(r#"{"location":"One","severity":5}"#)
    );
    assert_eq!(cell(&rows, "no_error", 3).as_deref(), Some("empty list"));
}

#[test]
fn severities_move_by_what_is_derived_and_stay_on_the_scale() {
    let moved = |step: i64| {
        let lab = lab("fields = [\"severity\"]");
        lab.append(&format!(
            "[select.there]\nfrom = \"errors\"\nwhere = \"doc_id == 'a'\"\n\n[derive.moved]\nfrom = \"there\"\ncompute.target = \"[1, [severity + {step}, 5] | min] | max\"\n"
        ));
        let ran = lab.run(&["--json"]).ok();
        column(&result(&lab, &ran, "derive.moved"), "target").join(" ")
    };
    // expected.json: faithfulness.severity.
    assert_eq!(moved(-2), "3 1 1");
    assert_eq!(moved(-1), "4 2 1");
    assert_eq!(moved(1), "5 4 2");
    assert_eq!(moved(2), "5 5 3");
}

#[test]
fn texts_that_are_json_are_lists_too() {
    let lab = Lab::new()
        .spec("[source.base]\nfiles = \"base.csv\"\n\n[explode.words]\nfrom = \"base\"\ncolumn = \"words\"\n")
        .file(
            "base.csv",
            "doc_id,words\na,\"[\"\"x\"\", \"\"y\"\"]\"\nb,x y\nc,\n",
        );
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "explode.words");
    assert_eq!(column(&rows, "words"), ["x", "y", "–", "–"]);
    assert_eq!(
        cell(&rows, "no_words", 2).as_deref(),
        Some("not JSON, line 1 column 1")
    );
    assert_eq!(
        ran.warnings(),
        ["1 of 2 rows with a value holds no list in `words`: `b` (not JSON, line 1 column 1)"]
    );
}

/// Ten facts on three levels.
fn facts() -> Value {
    json!({ "roots": [
        { "fact": "R1", "branches": [
            { "fact": "B1", "leaves": [{ "fact": "L1" }, { "fact": "L2" }] },
            { "fact": "B2", "leaves": ["L3", "L4"] },
        ] },
        { "fact": "R2", "branches": [{ "fact": "B3", "leaves": [{ "fact": "L5" }] }] },
    ] })
}

const TREE: &str = r#"
[source.trees]
files = "trees.jsonl"

[explode.facts]
from   = "trees"
column = "tree"
tree   = { levels = { root = "roots", branch = "branches", leaf = "leaves" }, text = "fact" }
index  = "place"
"#;

#[test]
fn a_tree_becomes_a_row_per_node_that_knows_what_it_lies_under() {
    let line = json!({ "doc_id": "book", "tree": facts() });
    let lab = Lab::new().spec(TREE).file("trees.jsonl", line.to_string());
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.warnings(), [""; 0]);
    let rows = result(&lab, &ran, "explode.facts");
    assert_eq!(
        column(&rows, "fact").join(" "),
        "R1 B1 L1 L2 B2 L3 L4 R2 B3 L5"
    );
    assert_eq!(
        column(&rows, "node").join(" "),
        "1 1.1 1.1.1 1.1.2 1.2 1.2.1 1.2.2 2 2.1 2.1.1"
    );
    assert_eq!(
        column(&rows, "parent").join(" "),
        "– 1 1.1 1.1 1 1.2 1.2 – 2 2.1"
    );
    assert_eq!(
        column(&rows, "level")[..4],
        ["root", "branch", "leaf", "leaf"]
    );
    assert_eq!(
        cell(&rows, "ancestors", 6).as_deref(),
        Some(r#"["1","1.2"]"#)
    );
    assert_eq!(cell(&rows, "place", 9).as_deref(), Some("10"));
}

#[test]
fn pruning_removes_what_fails_and_all_that_lies_below() {
    let line = json!({ "doc_id": "book", "fallen": ["2", "1.1", "1.2.1"], "tree": facts() });
    let lab = Lab::new().spec(TREE).file("trees.jsonl", line.to_string());
    lab.append(
        "[select.kept]\nfrom = \"facts\"\nwhere = \"not (ancestors | intersects(fallen)) and node not in fallen\"\n",
    );
    let ran = lab.run(&["--json"]).ok();
    // expected.json: hamlet.prune.
    assert_eq!(
        column(&result(&lab, &ran, "select.kept"), "fact"),
        ["R1", "B2", "L4"]
    );
}

#[test]
fn nodes_in_the_wrong_place_are_rows_that_say_so() {
    let lines = [
        json!({ "doc_id": "a", "tree": facts() }),
        json!({ "doc_id": "b", "tree": { "roots": [{ "fact": "R", "leaves": ["L"] }, 7] } }),
        json!({ "doc_id": "c", "tree": ["R"] }),
    ];
    let lines = lines.map(|line| format!("{line}\n")).concat();
    let lab = Lab::new().spec(TREE).file("trees.jsonl", lines);
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "explode.facts");
    assert_eq!(column(&rows, "doc_id")[10..], ["b", "b", "b", "c"]);
    assert_eq!(column(&rows, "node")[10..], ["1", "1.1", "2", "–"]);
    assert_eq!(
        column(&rows, "no_fact")[11..],
        [
            "`leaves` lies where no `leaf` is declared",
            "the node is a number",
            "a list, not an object with `roots`"
        ]
    );
    assert_eq!(
        ran.warnings(),
        [
            "1 of 3 rows with a value holds no tree in `tree`: `c` (a list, not an object with `roots`)",
            "2 of 13 nodes in `tree` are not as declared: `b 1.1` (`leaves` lies where no `leaf` is declared), `b 2` (the node is a number)"
        ]
    );
}

#[test]
fn one_processor_and_eight_make_the_same_bytes() {
    let lines = (0..200).map(|n| {
        let issues: Vec<Value> = (0..n % 7)
            .map(|item| json!({ "location": format!("é{n}"), "severity": (n % 3 > 0).then_some(item) }))
            .collect();
        format!("{}\n", json!({ "doc_id": format!("d{n}"), "issues": (n % 11 > 0).then_some(issues) }))
    });
    let lines: String = lines.collect();
    let bytes = |jobs: &str| {
        let lab = lab("fields = [\"location\", \"severity\"]\nindex = \"item\"")
            .file("base.jsonl", &lines);
        let ran = lab.run(&["--json", "--jobs", jobs]).ok();
        let nodes = ran.record["nodes"].as_array().unwrap();
        let node = nodes.iter().find(|entry| entry["node"] == "explode.errors");
        node.unwrap()["output"].as_str().unwrap().to_owned()
    };
    assert_eq!(bytes("1"), bytes("8"));
}

#[test]
fn elements_can_be_judged_as_documents() {
    let lab = Lab::small();
    lab.write(
        "base.jsonl",
        json!({ "doc_id": "a", "facts": ["The mill stood still.", "Nobody knew why."] })
            .to_string(),
    );
    lab.change("files = \"docs/*.txt\"", "files = \"base.jsonl\"");
    lab.change(
        "[judge.grades]\nfrom = \"docs\"",
        "[explode.facts]\nfrom = \"docs\"\ncolumn = \"facts\"\ninto = \"text\"\nindex = \"fact\"\n\n[judge.grades]\nfrom = \"facts\"",
    );
    lab.change(
        "[stats.scores]\n",
        "[stats.scores]\nover = [\"doc_id\", \"fact\"]\n",
    );
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.asked, 2);
    let rows = result(&lab, &ran, "judge.grades");
    assert_eq!(column(&rows, "fact"), ["1", "2"]);
}

#[test]
fn what_a_group_listed_comes_apart_again_under_its_names() {
    let lab = lab("fields = [\"location\", \"severity\"]\nindex = \"item\"");
    lab.append(
        "[group.listed]\nfrom = \"errors\"\nby = \"doc_id\"\ncompute.all = \"list(location, severity)\"\n\n[explode.again]\nfrom = \"group.listed\"\ncolumn = \"all\"\n",
    );
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "explode.again");
    assert_eq!(column(&rows, "doc_id"), ["a", "a", "a", "c", "d"]);
    assert_eq!(
        column(&rows, "location"),
        ["One", "left", "ferry", "–", "All"]
    );
    assert_eq!(column(&rows, "severity"), ["5", "3", "1", "–", "2"]);
    // Which fields there are is known before anything runs, and so is what follows from it.
    lab.change(
        "column = \"all\"",
        "column = \"all\"\nfields = [\"location\", \"severty\"]",
    );
    let told = lab.cmd(&["lint"]).exit(3).err;
    assert!(told.contains("did you mean `severity`?"), "{told}");
}
