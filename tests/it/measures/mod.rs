//! Measures in whole specs: `test = "…"` from TOML to rows, tables, figures, csv and pages.

mod cases;
mod compared;
mod docs;
mod shown;
mod suspect;

use serde_json::{Map, Value};

use crate::lab::{Lab, Ran};

/// The rows of a file that `[export.NAME]` wrote.
fn rows(ran: &Ran, name: &str) -> Vec<Map<String, Value>> {
    let text = &ran.tables[&format!("{name}.jsonl")];
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A project whose source `rows` has these lines of JSON.
fn lab(lines: &str, spec: &str) -> Lab {
    let spec =
        format!("[source.rows]\nfiles = \"rows.jsonl\"\nkey = [\"doc_id\", \"line\"]\n{spec}");
    let lines: Vec<String> = lines
        .lines()
        .enumerate()
        .map(|(at, line)| line.replacen('{', &format!("{{\"line\": {at}, "), 1))
        .collect();
    Lab::new().spec(&spec).file("rows.jsonl", lines.join("\n"))
}
