//! Joins, groups and explosions of random tables against what `SQLite` gives: `tests/data/relations/cases.jsonl`, made by
//! the script beside it. All cases are one spec, which is run with one thread and with eight.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::lab::Lab;

type Row = Map<String, Value>;

/// The cases, each as a JSON object.
fn cases() -> Vec<Value> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/relations/cases.jsonl"
    );
    let text = fs_err::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn rows(case: &Value, key: &str) -> Vec<Row> {
    let rows = case[key].as_array().unwrap().iter();
    rows.map(|row| row.as_object().unwrap().clone()).collect()
}

/// A row with a value of the right type in every column: a table of no rows has columns too.
fn example(prefix: &str, has_list: bool) -> Row {
    let mut row = Row::new();
    row.insert("k".to_owned(), "x".into());
    row.insert("i".to_owned(), 0.into());
    row.insert(format!("{prefix}v"), 0.5.into());
    row.insert(format!("{prefix}w"), "x".into());
    if has_list {
        row.insert("list".to_owned(), Value::from(vec!["x"]));
    }
    row
}

/// Writes a table, and gives the stages that read it under a name.
fn table(lab: &Lab, name: &str, rows: &[Row], example: Row) -> String {
    let line = |(at, mut row): (usize, Row), here: bool| {
        row.insert("doc_id".to_owned(), format!("{name}-{at}").into());
        row.insert("here".to_owned(), here.into());
        format!("{}\n", Value::from(row))
    };
    let mut text = line((rows.len(), example), false);
    for row in rows.iter().cloned().enumerate() {
        text += &line(row, true);
    }
    lab.write(&format!("data/{name}.jsonl"), text);
    format!(
        "[source.{name}]\nfiles = \"data/{name}.jsonl\"\n\
         [select.{name}]\nfrom = \"source.{name}\"\nwhere = \"here\"\n"
    )
}

/// The stage of a case, with an export of its result.
fn stage(lab: &Lab, number: usize, case: &Value) -> String {
    let one = format!("one-{number}");
    let has_list = case.get("explode").is_some();
    let mut spec = table(lab, &one, &rows(case, "left"), example("l", has_list));
    let kind = if let Some(join) = case.get("join") {
        let two = format!("two-{number}");
        spec += &table(lab, &two, &rows(case, "right"), example("r", false));
        let how = join["how"].as_str().unwrap();
        let _ = write!(
            spec,
            "[join.case-{number}]\nfrom = \"select.{one}\"\nwith = \"select.{two}\"\nhow = \"{how}\"\n"
        );
        if how != "cross" {
            let _ = writeln!(spec, "on = {}", join["on"]);
        }
        if how != "anti" {
            spec += "columns = [\"rv\", \"rw\"]\n";
        }
        if join["many"] == true {
            spec += "many = true\n";
        }
        "join"
    } else if let Some(group) = case.get("group") {
        let _ = write!(
            spec,
            "[group.case-{number}]\nfrom = \"select.{one}\"\nby = {}\n",
            group["by"]
        );
        for (name, aggregate) in group["compute"].as_object().unwrap() {
            let _ = writeln!(spec, "compute.{name} = {aggregate}");
        }
        "group"
    } else {
        let _ = write!(
            spec,
            "[explode.case-{number}]\nfrom = \"select.{one}\"\ncolumn = \"list\"\ninto = \"element\"\nindex = \"number\"\nempty = {}\n",
            case["explode"]["empty"]
        );
        "explode"
    };
    let _ = write!(
        spec,
        "[export.case-{number}]\nfrom = \"{kind}.case-{number}\"\nformat = \"jsonl\"\n"
    );
    spec
}

/// Whether a value is the one that the reference gives; numbers to the last digits.
fn is_same(ours: &Value, theirs: &Value) -> bool {
    match (ours.as_f64(), theirs.as_f64()) {
        (Some(ours), Some(theirs)) => (ours - theirs).abs() <= 1e-12 * theirs.abs().max(1.0),
        _ => ours == theirs,
    }
}

/// Whether a column is one of the reference, or one that every table of its kind has besides.
fn is_known(name: &str, theirs: &Row) -> bool {
    let of_table = ["doc_id", "here", "n", "lacks", "behind"];
    theirs.contains_key(name) || of_table.contains(&name) || name.starts_with("no_")
}

#[test]
fn joins_groups_and_lists_are_what_sqlite_makes_of_them_with_one_thread_and_with_eight() {
    let lab = Lab::new();
    let cases = cases();
    let mut spec = String::new();
    for (number, case) in cases.iter().enumerate() {
        spec += &stage(&lab, number, case);
    }
    let lab = lab.spec(&spec).env("POLARS_MAX_THREADS", "1");
    let first = lab.run(&["--jobs", "1"]).ok();
    for (number, case) in cases.iter().enumerate() {
        let ours = &first.tables[&format!("case-{number}.jsonl")];
        let ours: Vec<Row> = ours
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let theirs = rows(case, "rows");
        assert_eq!(ours.len(), theirs.len(), "rows of case {number}: {case}");
        for (at, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            let unknown = ours.keys().find(|name| !is_known(name, theirs));
            assert_eq!(unknown, None, "a column of case {number}: {case}");
            for (name, value) in theirs {
                let own = &ours[name];
                assert!(
                    is_same(own, value),
                    "case {number}, row {at}, `{name}`: {own} and not {value}\n{case}"
                );
            }
        }
    }
    lab.remove("cache");
    let second = lab
        .env("POLARS_MAX_THREADS", "8")
        .run(&["--jobs", "8"])
        .ok();
    assert!(first.tables == second.tables);
}
