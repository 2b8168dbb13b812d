//! The experiment on needles, run as a reader would: `experiments/needles`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;
use tribunal::language::text::sentences;

use crate::lab::json_lines;
use crate::relations::{find, verify};

/// What tells a needle's texts apart but for their position: document, needle, hay.
type Needle = (String, String, String);

/// Every pair of the stories, by needle and position.
type Pairs = BTreeMap<Needle, BTreeMap<(usize, usize), Value>>;

fn text<'v>(row: &'v Value, key: &str) -> &'v str {
    row[key].as_str().unwrap()
}

fn count(row: &Value, key: &str) -> usize {
    usize::try_from(row[key].as_u64().unwrap()).unwrap()
}

fn pairs(rows: Vec<Value>) -> Pairs {
    let mut pairs = Pairs::new();
    for row in rows {
        let needle = ["doc_id", "needle", "hay"].map(|key| text(&row, key).to_owned());
        let place = (count(&row, "before"), count(&row, "after"));
        let all = pairs.entry(needle.into()).or_default();
        assert!(all.insert(place, row).is_none());
    }
    pairs
}

/// The text before the edits, which count characters.
fn undone(row: &Value) -> String {
    let mut text: Vec<char> = text(row, "text").chars().collect();
    let layers: Value = serde_json::from_str(self::text(row, "edits")).unwrap();
    for layer in layers.as_array().unwrap().iter().rev() {
        for edit in layer["edits"].as_array().unwrap().iter().rev() {
            let [start, end] = [0, 1].map(|at| edit["after"][at].as_u64().unwrap());
            let place = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
            let original = edit["original"].as_str().unwrap().chars();
            drop(text.splice(place, original));
        }
    }
    text.into_iter().collect()
}

/// The sentences of a story, as they stand in it.
fn sentences_of(id: &str) -> BTreeSet<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/stories/");
    let story = fs_err::read_to_string(format!("{root}{id}.txt")).unwrap();
    let spans = sentences(&story).into_iter();
    spans.map(|span| span.of(&story).to_owned()).collect()
}

/// The sentences of the hay at (9, 9), first before the needle and then after it, one by one: what each step of a position adds.
fn hay(places: &BTreeMap<(usize, usize), Value>) -> Vec<String> {
    let at = |before: usize, after: usize| text(&places[&(before, after)], "unaltered");
    let core = at(0, 0);
    let mut added = Vec::new();
    for step in 0..9 {
        let more = at(step + 1, 0).strip_suffix(at(step, 0)).unwrap();
        added.push(more.trim_end().to_owned());
        let more = at(0, step + 1).strip_prefix(at(0, step)).unwrap();
        added.push(more.trim_start().to_owned());
    }
    for ((before, after), row) in places {
        let (left, right) = (at(*before, 0), at(0, *after));
        let left = left.strip_suffix(core).unwrap();
        // i sentences, the needle, j sentences; all of it within (9, 9).
        assert_eq!(text(row, "unaltered"), format!("{left}{right}"));
        assert!(at(9, 9).contains(text(row, "unaltered")));
    }
    added
}

#[test]
fn planted_biases_are_found_at_their_size_and_every_pair_differs_in_its_needle_alone() {
    let (code, said, folder) = verify("experiments/needles/stories.toml", &[]);
    assert_eq!(code, Some(0), "{said}");
    for cells in [
        "24 cells: 24 agree",
        "228 cells: 228 agree",
        "27 cells: 27 agree",
        "12 cells: 12 agree",
    ] {
        assert!(said.contains(cells), "{said}");
    }
    let rows = json_lines(&fs_err::read_to_string(find(folder.path(), "pairs.jsonl")).unwrap());
    assert_eq!(rows.len(), 3600);
    for row in &rows {
        assert_eq!(undone(row), text(row, "unaltered"));
        assert_ne!(text(row, "text"), text(row, "unaltered"));
    }
    let mut donors: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let pairs = pairs(rows);
    assert_eq!(pairs.len(), 36);
    let ids: BTreeSet<&String> = pairs.keys().map(|(id, ..)| id).collect();
    let stories: BTreeMap<&String, BTreeSet<String>> =
        ids.iter().map(|id| (*id, sentences_of(id))).collect();
    for ((id, _, kind), places) in &pairs {
        assert_eq!(places.len(), 100);
        let added = hay(places);
        // Each step of a position adds one sentence, as it stands in one story.
        let holds = |id: &&&String| added.iter().all(|added| stories[**id].contains(added));
        let of: Vec<&&String> = ids.iter().filter(holds).collect();
        let [donor] = of[..] else {
            panic!("{id}: {of:?}");
        };
        if kind == "orig" {
            assert_eq!(*donor, id);
        } else {
            donors
                .entry(id.clone())
                .or_default()
                .insert((*donor).clone());
        }
    }
    // Whatever the needle, a document has one donor, and never itself.
    for (id, donors) in &donors {
        assert_eq!(donors.len(), 1, "{id}: {donors:?}");
        assert!(!donors.contains(id));
    }
}

#[test]
fn p_values_of_a_judge_without_a_position_bias_are_uniform() {
    let folder = tempfile::tempdir().unwrap();
    let set = |name: &str| format!("paths.{name}={}", folder.path().join(name).display());
    let ran = Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["run", "--quiet", "experiments/needles/null.toml"])
        .args(["--set", &set("cache"), "--set", &set("reports")])
        .env_clear()
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let file = fs_err::read_to_string(find(folder.path(), "halves.csv")).unwrap();
    let row = |line: &str| line.rsplit(',').next().unwrap().parse::<f64>().unwrap();
    let mut values: Vec<f64> = file.lines().skip(1).map(row).collect();
    values.sort_by(f64::total_cmp);
    assert_eq!(values.len(), 200);
    assert!(values[0] < values[199], "{values:?}");
    // At each of the values as many are at most that as are to be expected. 1.95 / √200 is the bound of Kolmogorov's test at
    // 0.001; the judge's answers are the same in every run.
    let gap = values.iter().map(|value| {
        let at_most = values.partition_point(|other| other <= value);
        (at_most as f64 / 200.0 - value).abs()
    });
    let gap = gap.fold(0.0, f64::max);
    assert!(gap < 1.95 / 200_f64.sqrt(), "{gap}");
}
