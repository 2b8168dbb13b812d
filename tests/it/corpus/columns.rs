//! Columns of files that are not what their name or their first rows say.

use crate::lab::Lab;

const SPEC: &str = r#"
[source.docs]
files = ["docs.jsonl"]

[derive.counted]
from = "docs"
compute.many = "marks | length"

[export.counted]
from = "counted"
format = "jsonl"
"#;

#[test]
fn lists_beside_texts_are_told_before_their_letters_are_counted() {
    let lab = Lab::new().spec(SPEC).file(
        "docs.jsonl",
        "{\"doc_id\":\"a\",\"marks\":[\"typo\"]}\n{\"doc_id\":\"b\",\"marks\":\"none\"}\n{\"doc_id\":\"c\",\"marks\":null}\n",
    );
    let ran = lab.run(&[]).ok();
    let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("`marks` holds a list or an object in 1 row and another value in 1 row: all are read as texts, letter by letter"),
        "{said}"
    );
    lab.write(
        "docs.jsonl",
        "{\"doc_id\":\"a\",\"marks\":[\"typo\"]}\n{\"doc_id\":\"c\",\"marks\":null}\n",
    );
    let ran = lab.again().ok();
    assert!(!ran.err.contains("another value"), "{}", ran.err);
}

#[test]
fn a_column_with_the_name_of_reasons_that_says_something_else_is_refused() {
    let lab = Lab::new()
        .spec(
            &SPEC
                .replace(".jsonl", ".csv")
                .replace("marks | length", "alcohol * 2"),
        )
        .file("docs.csv", "doc_id,alcohol,no_alcohol\na,,\nb,3,never\n");
    let ran = lab.run(&[]);
    let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(ran.code, 4, "{said}");
    assert!(
        said.contains("row 2 has both `alcohol` and `no_alcohol`, and `no_alcohol` says why a row has no `alcohol`"),
        "{said}"
    );
    // What says why a cell is empty, as an export does, is read as that.
    lab.write(
        "docs.csv",
        "doc_id,alcohol,no_alcohol\na,,not asked\nb,3,\n",
    );
    lab.again().ok();
    let rows = lab.read("reports/experiment/counted.jsonl");
    assert!(rows.contains("no `alcohol`: not asked"), "{rows}");
}

#[test]
fn zero_has_no_sign_in_groups_joins_and_statistics() {
    let lab = Lab::new()
        .spec(
            r#"
[source.docs]
files = "docs.csv"

[group.same]
from = "docs"
by = "change"
compute.marks = "sum(mark)"

[stats.means]
from = "docs"
value = "mark"
by = "change"

[export.same]
from = "same"
format = "jsonl"

[export.means]
from = "means"
format = "jsonl"
"#,
        )
        .file(
            "docs.csv",
            "doc_id,change,mark\na,-0.0,1\nb,0.0,2\nc,0.5,4\n",
        );
    lab.run(&[]).ok();
    for name in ["same", "means"] {
        let rows = lab.read(&format!("reports/experiment/{name}.jsonl"));
        assert_eq!(rows.lines().count(), 2, "{name}: {rows}");
    }
}
