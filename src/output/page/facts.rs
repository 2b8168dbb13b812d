//! What ran, from what, and what it took: pairs of a label and a value, read off the records of runs.
//!
//! Everything is from `run.json`, so that a page says the same as long as the record does. It must not look at a clock.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde_json::Value;

use super::duration;
use crate::base::wording::{count, thousands};

/// A model as the spec asks for it, with what servers say answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answering {
    /// Its name in the spec.
    pub name: String,
    /// What is asked: provider, model and revision, in words.
    pub asked: String,
    /// Replies by the model that the server says answered.
    pub reported: BTreeMap<String, u64>,
}

/// The facts of experiments that were made together, by their records.
pub fn facts(records: &[Value], models: &[Answering]) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut push = |label: &str, value: String| {
        if !value.is_empty() {
            facts.push((label.to_owned(), value));
        }
    };
    let names: Vec<&str> = records
        .iter()
        .filter_map(|record| record["experiment"].as_str())
        .collect();
    let label = if names.len() == 1 {
        "experiment"
    } else {
        "experiments"
    };
    push(label, listed(&names));
    push(
        "tribunal",
        same(records, |record| said(&record["tribunal"])),
    );
    push("code", same(records, code));
    push("layers on top", same(records, layers));
    for (label, value) in answering(models) {
        push(&label, value);
    }
    push("stages", stages(records));
    push("scores", scores(records));
    for (label, value) in work(records) {
        push(label, value);
    }
    facts
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        several => format!("{}: {}", several.len(), several.join(", ")),
    }
}

fn said(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// What all records say, each different thing once.
fn same(records: &[Value], of: impl Fn(&Value) -> Option<String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for said in records.iter().filter_map(of) {
        if !all.contains(&said) {
            all.push(said);
        }
    }
    all.join("; ")
}

fn code(record: &Value) -> Option<String> {
    let commit = record["git"]["commit"].as_str()?;
    Some(match record["git"]["dirty"].as_bool() {
        Some(false) => format!("commit {commit}"),
        Some(true) => format!("commit {commit}, with changes that are not committed"),
        None => format!("commit {commit}; whether files differ from it is unknown"),
    })
}

fn layers(record: &Value) -> Option<String> {
    let layers: Vec<&str> = record["with"]
        .as_array()?
        .iter()
        .filter_map(Value::as_str)
        .collect();
    (!layers.is_empty()).then(|| layers.join(", "))
}

/// The models, those in one line of which the same is asked and nobody reports who answered.
fn answering(models: &[Answering]) -> Vec<(String, String)> {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut silent: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for model in models {
        if model.reported.is_empty() {
            let names = silent.entry(&model.asked).or_default();
            names.push(&model.name);
            continue;
        }
        let reported = model.reported.iter();
        let reported: Vec<String> = reported
            .map(|(name, replies)| format!("{name} ({})", replies_of(*replies)))
            .collect();
        let value = format!("{}; answered: {}", model.asked, reported.join(", "));
        lines.push((format!("model {}", model.name), value));
    }
    for (asked, names) in silent {
        lines.push(match names.as_slice() {
            [one] => (format!("model {one}"), asked.to_owned()),
            several => (
                "models".to_owned(),
                format!("{}: {asked}", several.join(", ")),
            ),
        });
    }
    lines
}

fn replies_of(n: u64) -> String {
    match n {
        1 => "1 reply".to_owned(),
        n => format!("{} replies", thousands(n)),
    }
}

/// The nodes of all records, each once: those that say it ran before those that say it was known.
fn nodes(records: &[Value]) -> BTreeMap<&str, &Value> {
    let mut nodes: BTreeMap<&str, &Value> = BTreeMap::new();
    for node in records
        .iter()
        .filter_map(|record| record["nodes"].as_array())
        .flatten()
    {
        let Some(key) = node["key"].as_str() else {
            continue;
        };
        let known = nodes.entry(key).or_insert(node);
        if node["reused"] == Value::Bool(false) {
            *known = node;
        }
    }
    nodes
}

fn stages(records: &[Value]) -> String {
    let nodes = nodes(records);
    let reused = nodes
        .values()
        .filter(|node| node["reused"] != Value::Bool(false))
        .count();
    let ran = nodes.len() - reused;
    let seconds = |which: &dyn Fn(&Value) -> bool| -> f64 {
        let which = nodes.values().filter(|node| which(node));
        which.filter_map(|node| node["seconds"].as_f64()).sum()
    };
    let fresh = seconds(&|node| node["reused"] == Value::Bool(false));
    let all = seconds(&|_| true);
    let mut text = format!(
        "{}: {ran} ran ({} of work), {reused} cached",
        count(nodes.len(), "result"),
        duration::words(fresh)
    );
    if reused > 0 {
        text = format!(
            "{text}; all of them took {} when they were made",
            duration::words(all)
        );
    }
    text
}

fn scores(records: &[Value]) -> String {
    match scored(records) {
        (0, 0) => String::new(),
        (scored, unscored) => {
            format!(
                "{} scored, {} unscored",
                thousands(scored),
                thousands(unscored)
            )
        }
    }
}

/// How many scores there are and how many there are not, each result counted once.
pub(super) fn scored(records: &[Value]) -> (u64, u64) {
    let nodes = nodes(records);
    let sum = |of: &dyn Fn(&Value) -> u64| -> u64 {
        nodes.values().map(|node| of(&node["counts"])).sum()
    };
    let scored = sum(&|counts| counts["scored"].as_u64().unwrap_or(0));
    let unscored = sum(&|counts| {
        let reasons = counts["unscored"].as_object();
        reasons.map_or(0, |reasons| {
            reasons.values().filter_map(Value::as_u64).sum()
        })
    });
    (scored, unscored)
}

/// What the runs took that the records tell of: those of experiments that ran together count once.
fn work(records: &[Value]) -> Vec<(&'static str, String)> {
    let mut runs: Vec<&Value> = Vec::new();
    let mut seen = BTreeSet::new();
    for record in records {
        let run = if record["together"].is_object() {
            &record["together"]
        } else {
            record
        };
        let together = record["together"].is_object();
        let identity = format!("{}{}{}", run["experiments"], run["seconds"], run["calls"]);
        if !together || seen.insert(identity) {
            runs.push(run);
        }
    }
    let calls = |name: &str| -> u64 {
        runs.iter()
            .filter_map(|run| run["calls"][name].as_u64())
            .sum()
    };
    let mut lines = Vec::new();
    let (made, failed, reused) = (calls("made"), calls("failed"), calls("reused"));
    if made + reused > 0 {
        let mut text = format!("{} made, {} cached", thousands(made), thousands(reused));
        if failed > 0 {
            text = format!("{text}; {} without a usable reply", thousands(failed));
        }
        lines.push(("calls to models", text));
    }
    let (read, written) = (calls("tokens_read"), calls("tokens_written"));
    if read + written > 0 {
        let text = format!("{} input, {} output", thousands(read), thousands(written));
        lines.push(("tokens of these calls", text));
    }
    let costs: Vec<f64> = runs
        .iter()
        .filter_map(|run| run["calls"]["cost"].as_f64())
        .collect();
    if !costs.is_empty() {
        lines.push((
            "cost of these calls",
            crate::base::wording::money(costs.iter().sum()),
        ));
    }
    let seconds: f64 = runs.iter().filter_map(|run| run["seconds"].as_f64()).sum();
    let label = if runs.len() == 1 {
        "time of the run"
    } else {
        "time of the runs"
    };
    lines.push((label, duration::words(seconds)));
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(name: &str, key: &str, reused: bool) -> Value {
        json!({
            "experiment": name,
            "tribunal": "0.1.0",
            "git": { "commit": "abc", "dirty": true },
            "with": ["live.toml"],
            "calls": { "made": 3, "failed": 1, "reused": 2, "tokens_read": 1500, "tokens_written": 20, "cost": 0.5 },
            "seconds": 70.0,
            "nodes": [
                { "key": "shared", "reused": reused, "seconds": 2.0, "counts": { "scored": 4, "unscored": { "failed": 1 } } },
                { "key": key, "reused": false, "seconds": 1.0, "counts": { "scored": 2, "unscored": {} } },
                { "node": "table.x", "skipped": true },
            ],
        })
    }

    fn shown(records: &[Value], models: &[Answering]) -> String {
        let lines = facts(records, models).into_iter();
        let lines = lines.map(|(label, value)| format!("{label}: {value}"));
        lines.collect::<Vec<String>>().join("\n") + "\n"
    }

    #[test]
    fn facts_are_what_the_record_says() {
        let models = [
            Answering {
                name: "big".to_owned(),
                asked: "m-1, by a server".to_owned(),
                reported: BTreeMap::from([("m-1-0613".to_owned(), 1200)]),
            },
            Answering {
                name: "a".to_owned(),
                asked: "a script".to_owned(),
                ..Answering::default()
            },
            Answering {
                name: "b".to_owned(),
                asked: "a script".to_owned(),
                ..Answering::default()
            },
        ];
        insta::assert_snapshot!(shown(&[record("one", "k", true)], &models), @r"
        experiment: one
        tribunal: 0.1.0
        code: commit abc, with changes that are not committed
        layers on top: live.toml
        model big: m-1, by a server; answered: m-1-0613 (1,200 replies)
        models: a, b: a script
        stages: 2 results: 1 ran (1.0 s of work), 1 cached; all of them took 3.0 s when they were made
        scores: 6 scored, 1 unscored
        calls to models: 3 made, 2 cached; 1 without a usable reply
        tokens of these calls: 1,500 input, 20 output
        cost of these calls: $0.50
        time of the run: 1 min 10 s
        ");
    }

    #[test]
    fn what_ran_together_counts_once() {
        let mut records = [record("one", "k", true), record("two", "l", false)];
        for record in &mut records {
            let together = json!({ "experiments": ["one", "two"], "calls": record["calls"].take(), "seconds": record["seconds"].take() });
            record["together"] = together;
        }
        insta::assert_snapshot!(shown(&records, &[]), @r"
        experiments: 2: one, two
        tribunal: 0.1.0
        code: commit abc, with changes that are not committed
        layers on top: live.toml
        stages: 3 results: 3 ran (4.0 s of work), 0 cached
        scores: 8 scored, 1 unscored
        calls to models: 3 made, 2 cached; 1 without a usable reply
        tokens of these calls: 1,500 input, 20 output
        cost of these calls: $0.50
        time of the run: 1 min 10 s
        ");
    }

    #[test]
    fn a_record_that_is_not_there_says_nothing() {
        assert!(shown(&[Value::Null], &[]).starts_with("stages: 0 results"));
    }
}
