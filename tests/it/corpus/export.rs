//! Files of rows, as other programs read them.

use tribunal::frame::Frame;

use super::texts::TALES;
use super::{column, jsonl, result};
use crate::lab::Lab;

const SPEC: &str = r#"
[axes]
task = { set = "manipulate.damaged.apply", values = ["none", "typos"] }

[source.docs]
files = "docs.jsonl"

[manipulate.damaged]
from = "docs"
apply = "none"
typos = { count = 2 }

[export.rows]
from = "damaged"
columns = ["doc_id", "task", "operations", "edits", "text"]
format = "parquet"
"#;

fn lab() -> Lab {
    Lab::new().spec(SPEC).file("docs.jsonl", jsonl(&TALES))
}

/// The file of rows, read back.
fn read(lab: &Lab, name: &str) -> Frame {
    let bytes = fs_err::read(lab.path(&format!("reports/experiment/{name}"))).unwrap();
    match name.rsplit_once('.').unwrap().1 {
        "csv" => Frame::from_csv(&bytes, &["doc_id"]).unwrap(),
        "jsonl" => Frame::from_jsonl(&bytes).unwrap(),
        _ => Frame::from_parquet(bytes, None).unwrap(),
    }
}

#[test]
fn every_format_holds_the_rows_of_all_instances() {
    let lab = lab();
    lab.run(&["--json"]).ok();
    let parquet = read(&lab, "rows.parquet");
    assert_eq!(
        parquet.names(),
        ["doc_id", "task", "operations", "edits", "text"]
    );
    assert_eq!(
        column(&parquet, "task"),
        ["none", "none", "none", "typos", "typos", "typos"]
    );
    assert_eq!(
        column(&parquet, "doc_id"),
        ["ferry", "mill", "letter", "ferry", "mill", "letter"]
    );
    let texts = column(&parquet, "text");
    assert_eq!(texts[..3], TALES.map(|(_, tale)| tale.to_owned()));
    assert_ne!(texts[3..], texts[..3]);
    for format in ["csv", "jsonl"] {
        lab.change("format = \"parquet\"", &format!("format = \"{format}\""));
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(ran.nodes(), [""; 0], "the same rows in another format");
        let other = read(&lab, &format!("rows.{format}"));
        assert_eq!(other.names(), parquet.names());
        for name in parquet.names() {
            assert_eq!(
                column(&other, name),
                column(&parquet, name),
                "{name} of {format}"
            );
        }
        lab.change(&format!("format = \"{format}\""), "format = \"parquet\"");
    }
}

#[test]
fn all_columns_are_written_where_none_is_named() {
    let lab = lab();
    lab.change(
        "columns = [\"doc_id\", \"task\", \"operations\", \"edits\", \"text\"]\n",
        "",
    );
    let ran = lab.run(&["--json"]).ok();
    let names = read(&lab, "rows.parquet");
    let one = result(&lab, &ran, "manipulate.damaged[task=typos]");
    assert_eq!(names.names(), one.names());
}

#[test]
fn several_stages_are_written_one_after_the_other() {
    let lab = lab();
    lab.change(
        "from = \"damaged\"\ncolumns",
        "from = [\"docs\", \"damaged\"]\ncolumns",
    );
    lab.run(&["--json"]).ok();
    let rows = read(&lab, "rows.parquet");
    assert_eq!(rows.rows(), 9);
    assert_eq!(column(&rows, "task")[..4], ["–", "–", "–", "none"]);
}

#[test]
fn a_column_that_is_not_there_is_named_with_where_the_columns_come_from() {
    let lab = lab();
    lab.change("\"operations\", ", "\"operation\", ");
    let ran = lab.run(&[]).exit(3);
    assert!(
        ran.err.contains("did you mean `operations`?"),
        "{}",
        ran.err
    );
}

#[test]
fn the_rows_of_an_ablation_lie_in_its_folder() {
    let lab = lab();
    lab.append("[[ablation]]\nname = \"rough\"\nset = { \"manipulate.damaged.typos.count\" = 9 }");
    let ran = lab.run(&["--json"]).ok();
    let base = column(&read(&lab, "rows.parquet"), "operations");
    let rough = column(&read(&lab, "rough/rows.parquet"), "operations");
    assert_eq!(base, ["0", "0", "0", "2", "2", "2"]);
    assert_eq!(rough, ["0", "0", "0", "9", "9", "9"]);
    let documents = super::nodes(&ran, "source.docs");
    assert_eq!(documents.len(), 1, "what both share is made once");
}
