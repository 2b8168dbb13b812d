//! That no table of the audit is left out: each is looked up by some test of this folder, which compares all its cells.

use std::path::Path;

use serde_json::Value;

use super::data::or_skip;

/// The texts of the tests of the thesis, without this one.
fn tests() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let mut texts = String::new();
    for entry in fs_err::read_dir(folder.join("thesis")).unwrap() {
        let path = entry.unwrap().path();
        let source = path.extension().is_some_and(|ending| ending == "rs");
        if source && path.file_stem().is_some_and(|name| name != "coverage") {
            texts += &fs_err::read_to_string(path).unwrap();
        }
    }
    texts
}

#[test]
fn every_table_of_the_audit_is_walked_by_a_test() {
    let Some(data) = or_skip() else { return };
    let audit = fs_err::read_to_string(data.file("expected.json")).unwrap();
    let audit: Value = serde_json::from_str(&audit).unwrap();
    let tables = audit["tables"].as_object().unwrap();
    let cells: usize = tables
        .values()
        .map(|cells| cells.as_array().unwrap().len())
        .sum();
    assert_eq!(cells, 1567);
    let tests = tests();
    let unwalked: Vec<&String> = tables
        .keys()
        .filter(|table| !tests.contains(&format!("\"{table}\"")))
        .collect();
    assert!(unwalked.is_empty(), "no test walks {unwalked:?}");
}
