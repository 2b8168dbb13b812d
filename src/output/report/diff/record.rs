//! What a record of a run tells, in leaves that can be compared.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};

use super::Side;
use super::leaves::{Leaves, leaves, overlay};

/// A stage of which some nodes have another result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageChange {
    /// Its name: `judge.baseline`.
    pub stage: String,
    /// Its nodes on both sides together, those of one name counted once.
    pub nodes: usize,
    /// Nodes on both sides with different results.
    pub changed: usize,
    /// Nodes that only the first side has.
    pub only_a: usize,
    /// Nodes that only the second side has.
    pub only_b: usize,
}

/// The settings of the spec; those of an ablation lie over those of the base.
pub(super) fn settings(side: Side<'_>) -> Leaves {
    let spec = &side.record["spec"];
    let Some(variant) = side.variant else {
        return leaves(spec);
    };
    let mut base = spec.clone();
    if let Some(fields) = base.as_object_mut() {
        fields.remove("ablation");
    }
    let mut settings = leaves(&base);
    let ablations = spec["ablation"].as_array().into_iter().flatten();
    for ablation in ablations.filter(|ablation| ablation["name"] == variant) {
        overlay(&mut settings, dotted(&ablation["set"]));
    }
    settings
}

/// The leaves of an override, whose names are paths themselves.
fn dotted(set: &Value) -> Leaves {
    let mut found = Leaves::new();
    for (name, value) in set.as_object().into_iter().flatten() {
        for (path, leaf) in leaves(value) {
            let gap = if path.is_empty() { "" } else { "." };
            found.insert(format!("{name}{gap}{path}"), leaf);
        }
    }
    found
}

/// What it ran from: version, commit, layers.
pub(super) fn origin(record: &Value) -> Leaves {
    let git = &record["git"];
    let commit = git["commit"].as_str().map(|commit| {
        let short: String = commit.chars().take(10).collect();
        match git["dirty"].as_bool() {
            Some(true) => format!("{short} with changes"),
            Some(false) => short,
            None => format!("{short}, maybe with changes"),
        }
    });
    leaves(&json!({
        "experiment": record["experiment"],
        "tribunal": record["tribunal"],
        "commit": commit,
        "with": record["with"].as_array().filter(|with| !with.is_empty()),
    }))
}

/// The files that were read, by stage and name: their digests.
pub(super) fn files(record: &Value) -> Leaves {
    let mut found = Leaves::new();
    for node in nodes(record) {
        let stage = stage(node);
        for (name, digest) in node["files"].as_object().into_iter().flatten() {
            let short: String = digest
                .as_str()
                .unwrap_or_default()
                .chars()
                .take(12)
                .collect();
            found.insert(format!("{stage}: {name}"), Value::String(short));
        }
    }
    found
}

/// Replies by the model that servers say answered.
pub(super) fn models(record: &Value) -> Leaves {
    plain(&record["counts"]["models"])
}

/// Scores and texts, there and missing.
pub(super) fn counts(record: &Value) -> Leaves {
    let mut counts = record["counts"].clone();
    if let Some(fields) = counts.as_object_mut() {
        fields.remove("models");
        fields.remove("usage");
    }
    let mut counts: Leaves = leaves(&counts).into_iter().filter(is_some).collect();
    for node in nodes(record) {
        // What a relation did with rows is of one node, and in no sum.
        let did = leaves(&node["counts"]["relation"])
            .into_iter()
            .filter(is_some);
        let title = node["node"].as_str().unwrap_or_default();
        counts.extend(did.map(|(name, n)| (format!("{title}: {name}"), n)));
    }
    counts
}

/// Calls, tokens, money, time; of experiments that ran together, those of all.
pub(super) fn cost(record: &Value) -> Leaves {
    let together = &record["together"];
    let from = if record["calls"].is_null() {
        together
    } else {
        record
    };
    let mut found: Leaves = leaves(&from["calls"]).into_iter().filter(is_some).collect();
    // Fractions of a second are nobody's business here.
    if let Some(seconds) = from["seconds"].as_f64() {
        found.insert("seconds".to_owned(), json!((seconds * 10.0).round() / 10.0));
    }
    found
}

/// Whether a count says something: what is absent and what is zero are the same.
fn is_some(leaf: &(String, Value)) -> bool {
    leaf.1.as_f64() != Some(0.0) && leaf.1 != json!({})
}

/// The fields of an object by their names as they are.
fn plain(value: &Value) -> Leaves {
    let fields = value.as_object().into_iter().flatten();
    fields
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn nodes(record: &Value) -> impl Iterator<Item = &Value> {
    record["nodes"].as_array().into_iter().flatten()
}

/// The stage that a node belongs to.
fn stage(node: &Value) -> String {
    let title = node["node"].as_str().unwrap_or_default();
    title.split('[').next().unwrap_or_default().to_owned()
}

/// The stages of which a node has another result, in the order of the second side.
pub(super) fn stages(a: &Value, b: &Value) -> Vec<StageChange> {
    let results = |record| -> IndexMap<String, (String, Value)> {
        nodes(record)
            .map(|node| {
                let title = node["node"].as_str().unwrap_or_default().to_owned();
                (title, (stage(node), node["output"].clone()))
            })
            .collect()
    };
    let (a, b) = (results(a), results(b));
    let mut stages: IndexMap<String, StageChange> = IndexMap::new();
    for (title, (stage, _)) in b
        .iter()
        .chain(a.iter().filter(|(title, _)| !b.contains_key(*title)))
    {
        let change = stages.entry(stage.clone()).or_insert_with(|| StageChange {
            stage: stage.clone(),
            nodes: 0,
            changed: 0,
            only_a: 0,
            only_b: 0,
        });
        change.nodes += 1;
        match (a.get(title), b.get(title)) {
            (Some((_, before)), Some((_, now))) if before != now => change.changed += 1,
            (Some(_), None) => change.only_a += 1,
            (None, Some(_)) => change.only_b += 1,
            _ => {}
        }
    }
    stages
        .into_values()
        .filter(|stage| stage.changed + stage.only_a + stage.only_b > 0)
        .collect()
}
