//! The pages about statistics: what they show passes the check, and every measure is there.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tribunal::stats::measure::all;

use crate::lab::Lab;

fn pages() -> Vec<(PathBuf, String)> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let files = fs_err::read_dir(docs.join("statistics"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = files.chain([docs.join("statistics.md")]).collect();
    pages.sort();
    let read = |path: PathBuf| (path.clone(), fs_err::read_to_string(path).unwrap());
    pages.into_iter().map(read).collect()
}

/// The blocks of a page that hold stages of statistics, and not where their rows come from.
fn blocks(text: &str) -> Vec<&str> {
    let blocks = text.split("```toml\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("```").next());
    let lone = |block: &&str| block.contains("[stats.") && !block.contains("[source.");
    blocks.filter(lone).collect()
}

fn names(value: Option<&toml::Value>) -> Vec<String> {
    match value {
        Some(toml::Value::String(name)) => vec![name.clone()],
        Some(toml::Value::Array(all)) => all.iter().flat_map(|one| names(Some(one))).collect(),
        _ => Vec::new(),
    }
}

/// The stages that a block reads, each with a row that has all columns that the block names.
fn read(block: &str) -> BTreeMap<String, Value> {
    let spec: toml::Table =
        toml::from_str(block).unwrap_or_else(|error| panic!("{error}\n{block}"));
    let stats = spec["stats"].as_table().unwrap();
    let mut sources = BTreeMap::new();
    for (name, stage) in stats {
        let from = names(stage.get("from"));
        assert!(!from.is_empty(), "`{name}` reads nothing:\n{block}");
        for from in from.into_iter().filter(|from| !stats.contains_key(from)) {
            let row = sources.entry(from).or_insert_with(|| {
                json!({"doc_id": "a", "score": 1, "repeat": 1, "contender": "x", "opponent": "y", "order": "given"})
            });
            let columns = [
                "value",
                "over",
                "by",
                "reference",
                "rival",
                "raters",
                "systems",
                "samples",
                "cluster",
                "contender",
                "opponent",
                "order",
                "length",
                "opponent-length",
                "family",
            ];
            for column in columns.iter().flat_map(|key| names(stage.get(*key))) {
                if row.get(&column).is_none() {
                    row[&column] = json!(1);
                }
            }
            if let Some(axis) = stage.get("pair").and_then(|pair| pair.get("axis")) {
                row[axis.as_str().unwrap()] = json!("level");
            }
        }
    }
    sources
}

#[test]
fn the_stages_that_the_pages_of_statistics_show_pass_the_check() {
    let mut shown = 0;
    for (page, text) in pages() {
        for block in blocks(&text) {
            let mut spec = block.to_owned();
            let mut lab = Lab::new();
            for (name, row) in read(block) {
                let _ = write!(spec, "\n[source.{name}]\nfiles = \"{name}.jsonl\"\n");
                lab = lab.file(&format!("{name}.jsonl"), format!("{row}\n"));
            }
            let told = lab.spec(&spec).cmd(&["lint", crate::lab::SPEC]);
            assert_eq!(told.code, 0, "{}:\n{block}\n{}", page.display(), told.err);
            shown += 1;
        }
    }
    assert!(shown > 20, "{shown}");
}

#[test]
fn the_pages_of_statistics_name_every_measure_and_every_key() {
    let text: String = pages().into_iter().map(|(_, text)| text).collect();
    let said: std::collections::BTreeSet<&str> = text.split('`').skip(1).step_by(2).collect();
    let measures: Vec<&str> = all()
        .map(|one| one.name)
        .filter(|name| !said.contains(name))
        .collect();
    assert!(measures.is_empty(), "{measures:?}");
    for key in [
        "reference",
        "rival",
        "raters",
        "systems",
        "samples",
        "cluster",
        "opponent-length",
        "least",
    ] {
        assert!(said.contains(key), "{key}");
    }
}
