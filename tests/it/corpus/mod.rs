//! Documents made from documents: cleaned, cut, damaged, counted, written and shown.

mod annotator;
mod columns;
mod export;
mod hostile;
mod not_applicable;
mod same;
mod select;
mod show;
mod split;
pub(crate) mod texts;
mod undo;
mod written;

use std::fmt::Write as _;

use serde_json::{Value, json};
use tribunal::frame::Frame;
use tribunal::language::manipulate::{Layer, layers};

use super::lab::{Lab, Ran};

/// All manipulations, one per node, with settings that fit [`texts::TALES`]; donors have a stage of
/// their own.
pub(crate) const DAMAGED: &str = r#"
seed = 7

[axes]
task = { set = "manipulate.damaged.apply", values = [11, 12, 13, 14, 17, 21, 22, 24, 31, 32, 41, 42, 43, 44, 45, "negation", "conjunction-swap", "entity-replacement"] }

[source.docs]
files = "docs.jsonl"

[source.others]
files = "others.jsonl"

[manipulate.damaged]
from = "docs"
apply = 11
donors = "others"
fill = "docs"
swap-content = { count = 2 }
remove-content = { count = 2 }
insert-content = { count = 2 }
repeat-content = { count = 1, times = 2 }
exchange-content = { count = 2 }
temporal-inconsistencies = { count = 2 }
swap-entities = { percent = [50, 100] }
exchange-entities = { percent = 50 }
entity-to-pronoun = { percent = 50 }
entity-to-term = { percent = 50 }
typos = { percent = [5, 10] }
verb-tenses = { percent = 30 }
word-order = { percent = 40 }
punctuation-removal = { percent = 30 }
word-removal = { count = 8, density = "dense" }
needle = { before = 2, after = 2, room = 3 }
"#;

/// The names of the manipulations, as they stand in results.
pub(super) const NAMES: [&str; 18] = [
    "swap-content",
    "remove-content",
    "insert-content",
    "repeat-content",
    "exchange-content",
    "swap-entities",
    "exchange-entities",
    "temporal-inconsistencies",
    "entity-to-pronoun",
    "entity-to-term",
    "typos",
    "verb-tenses",
    "word-order",
    "punctuation-removal",
    "word-removal",
    "negation",
    "conjunction-swap",
    "entity-replacement",
];

/// Those that take content from other documents.
const FOREIGN: [&str; 2] = ["insert-content", "exchange-content"];

/// Documents as JSON lines.
pub(crate) fn jsonl<T: AsRef<str>>(documents: &[(&str, T)]) -> String {
    let mut lines = String::new();
    for (id, text) in documents {
        let _ = writeln!(lines, "{}", json!({ "doc_id": id, "text": text.as_ref() }));
    }
    lines
}

/// [`DAMAGED`] with these documents, and the tales as donors.
pub(crate) fn damaged<T: AsRef<str>>(documents: &[(&str, T)]) -> Lab {
    Lab::new()
        .spec(DAMAGED)
        .file("docs.jsonl", jsonl(documents))
        .file("others.jsonl", jsonl(&texts::TALES))
}

/// The result of a node, from the cache.
#[track_caller]
pub(crate) fn result(lab: &Lab, ran: &Ran, node: &str) -> Frame {
    let nodes = ran.record["nodes"].as_array().unwrap();
    let Some(entry) = nodes.iter().find(|entry| entry["node"] == node) else {
        panic!("no node `{node}` among {nodes:#?}");
    };
    let output = entry["output"].as_str().unwrap();
    let path = lab.path(&format!("cache/v1/blobs/{}/{output}", &output[..2]));
    Frame::from_parquet(fs_err::read(path).unwrap(), None).unwrap()
}

/// The names of all nodes of a stage.
pub(super) fn nodes(ran: &Ran, stage: &str) -> Vec<String> {
    let nodes = ran.record["nodes"].as_array().unwrap();
    nodes
        .iter()
        .map(|entry| entry["node"].as_str().unwrap())
        .filter(|node| *node == stage || node.starts_with(&format!("{stage}[")))
        .map(str::to_owned)
        .collect()
}

/// A cell as text; nothing where there is none.
#[track_caller]
pub(crate) fn cell(frame: &Frame, column: &str, row: usize) -> Option<String> {
    let column = frame.column(column).unwrap();
    column.text(row).map(std::borrow::Cow::into_owned)
}

/// A column as text, what is absent as `–`.
#[track_caller]
pub(crate) fn column(frame: &Frame, name: &str) -> Vec<String> {
    (0..frame.rows())
        .map(|row| cell(frame, name, row).unwrap_or_else(|| "–".to_owned()))
        .collect()
}

/// A row of a manipulation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Damage {
    pub(super) id: String,
    pub(super) manipulation: String,
    pub(super) text: Option<String>,
    pub(super) unaltered: Option<String>,
    pub(super) candidates: Option<usize>,
    pub(super) operations: Option<usize>,
    pub(super) not_applicable: Option<String>,
    pub(super) edits: Option<String>,
}

impl Damage {
    /// What was done, one manipulation after the other.
    pub(super) fn layers(&self) -> Vec<Layer> {
        layers(self.edits.as_deref().unwrap()).unwrap()
    }

    /// What the last manipulation did, as JSON.
    pub(super) fn last(&self) -> Value {
        let all: Value = serde_json::from_str(self.edits.as_deref().unwrap()).unwrap();
        all.as_array().unwrap().last().unwrap().clone()
    }
}

/// The rows of a manipulation's nodes, in the order of nodes and rows.
#[track_caller]
pub(super) fn damages(lab: &Lab, ran: &Ran, stage: &str) -> Vec<Damage> {
    let mut all = Vec::new();
    for node in nodes(ran, stage) {
        let frame = result(lab, ran, &node);
        let number = |name: &str, row| cell(&frame, name, row).map(|n| n.parse().unwrap());
        for row in 0..frame.rows() {
            all.push(Damage {
                id: cell(&frame, "doc_id", row).unwrap(),
                manipulation: cell(&frame, "manipulation", row).unwrap_or_default(),
                text: cell(&frame, "text", row),
                unaltered: frame
                    .has("unaltered")
                    .then(|| cell(&frame, "unaltered", row))
                    .flatten(),
                candidates: number("candidates", row),
                operations: number("operations", row),
                not_applicable: cell(&frame, "not_applicable", row),
                edits: cell(&frame, "edits", row),
            });
        }
    }
    assert!(!all.is_empty(), "no node of `{stage}`");
    all
}

#[test]
fn every_manipulation_fits_the_tales_and_changes_them() {
    let lab = damaged(&texts::TALES);
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.warnings(), [""; 0]);
    let all = damages(&lab, &ran, "manipulate.damaged");
    assert_eq!(all.len(), 18 * 3);
    for name in NAMES {
        let of: Vec<&Damage> = all.iter().filter(|row| row.manipulation == name).collect();
        assert_eq!(of.len(), 3, "{name}");
        for row in of {
            let whole = texts::TALES.iter().find(|(id, _)| *id == row.id).unwrap().1;
            let before = row.unaltered.as_deref().unwrap_or(whole);
            assert_ne!(row.text.as_deref(), Some(before), "{name} of {}", row.id);
        }
    }
}
