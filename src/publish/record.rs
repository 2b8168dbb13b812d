//! The run record: what ran, from what, with what result; `reports/<experiment>/run.json`.
//!
//! A run that found everything known, as the record says already, changes nothing about it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::unpacked::bundle_around;
use crate::base::exit::Error;
use crate::base::key::{Digest, KEY_FORMAT};
use crate::base::regular;
use crate::cache::FORMAT;
use crate::engine::{Ended, Engine, Finished, Loaded, Outcome, Summary};
use crate::publish::whole;

/// What the record of an experiment is called in its folder.
pub(crate) const RECORD: &str = "run.json";

/// The commit that a folder is at, as a record says it, and what a person should know about that.
pub(crate) type Commit<'c> = &'c dyn Fn(&Path) -> (Value, Option<String>);

/// What an earlier record is compared by.
#[derive(Deserialize)]
struct Recorded<'r> {
    spec: Value,
    with: Value,
    #[serde(default)]
    shortfalls: Value,
    #[serde(borrow)]
    nodes: Vec<RecordedNode<'r>>,
}

/// A node of it.
#[derive(Deserialize)]
struct RecordedNode<'r> {
    #[serde(borrow)]
    node: Cow<'r, str>,
    /// Where it has a result.
    #[serde(borrow, default)]
    key: Option<Cow<'r, str>>,
}

/// Keeps a record for each spec of a run.
pub(crate) fn keep_all(loaded: &[Loaded], ended: &Ended, commit: Commit<'_>) -> Result<(), Error> {
    let each = loaded.par_iter().zip(&ended.parts);
    let kept: Vec<bool> = each
        .map(|(loaded, finished)| is_kept(loaded, finished))
        .collect();
    let names = loaded.iter().map(|loaded| loaded.spec.name.clone());
    let names: Vec<String> = names.collect();
    let mut commits = Commits {
        ask: commit,
        known: BTreeMap::new(),
    };
    let each = loaded.iter().zip(&ended.parts).zip(kept);
    let each = each.filter(|(_, kept)| !kept);
    let each = each.map(|(of, _)| (of, commits.at(&of.0.folder, &ended.engine)));
    let each: Vec<_> = each.collect();
    // To write a file takes the disk more than a processor.
    let keep = |((loaded, finished), git)| keep(loaded, &ended.engine, finished, &names, git);
    let kept: Vec<Result<(), Error>> = each.into_par_iter().map(keep).collect();
    kept.into_iter().collect()
}

/// Whether the record of a run that found everything known says all of it already.
fn is_kept(loaded: &Loaded, finished: &Finished) -> bool {
    let summary = &finished.run.summary;
    if summary.ran + summary.failed > 0 {
        return false;
    }
    let path = path(loaded);
    // What came in a bundle may say anything of counts and warnings.
    if bundle_around(&path).is_some() {
        return false;
    }
    let Ok(bytes) = regular::read(&path, regular::DATA) else {
        return false;
    };
    let Ok(before) = serde_json::from_slice::<Recorded<'_>>(&bytes) else {
        return false;
    };
    let with: Vec<&str> = loaded.layers.withs().collect();
    has_keys(&before.nodes, &keys(finished))
        && before.spec == described(loaded)
        && before.with == json!(with)
        && before.shortfalls == json!(summary.shortfalls)
}

/// The spec as it was read, without what says how a cluster is used: that is of a site, and may hold its secrets.
pub(super) fn described(loaded: &Loaded) -> Value {
    let mut spec = loaded.layers.tree().to_json();
    if let Some(spec) = spec.as_object_mut() {
        spec.remove("slurm");
        let models = spec.get_mut("models").and_then(Value::as_object_mut);
        for model in models.into_iter().flat_map(|models| models.values_mut()) {
            model
                .as_object_mut()
                .and_then(|model| model.remove("serve"));
        }
    }
    spec
}

/// Where the record lies.
fn path(loaded: &Loaded) -> PathBuf {
    loaded.spec.report_folder().join(RECORD)
}

/// The keys of the nodes that have a result.
fn keys(finished: &Finished) -> BTreeMap<String, Digest> {
    let plan = &finished.plan;
    plan.ids()
        .filter_map(|id| Some((plan.node(id).title(), finished.run.done(id)?.key)))
        .collect()
}

/// Remembers each node's key for `why`, and writes the record, which does not say the same already. Several experiments may
/// have run together.
fn keep(
    loaded: &Loaded,
    engine: &Engine,
    finished: &Finished,
    experiments: &[String],
    git: Value,
) -> Result<(), Error> {
    let spec = &loaded.spec;
    let summary = &finished.run.summary;
    let path = path(loaded);
    let bytes = regular::read(&path, regular::DATA).unwrap_or_default();
    let before: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let keys = keys(finished);
    let tree = described(loaded);
    let with: Vec<&str> = loaded.layers.withs().collect();
    let recorded = serde_json::from_slice::<Recorded<'_>>(&bytes);
    let idle = summary.ran + summary.failed == 0
        && recorded.is_ok_and(|recorded| has_keys(&recorded.nodes, &keys));
    engine.remember(&spec.name, keys);
    let nodes = nodes(finished, &before, &git["commit"]);
    // A run that computed nothing, as after a change of the title, says nothing about how the
    // results came about.
    let told = |name: &str, now: Value| {
        if idle { before[name].clone() } else { now }
    };
    let mut record = json!({
        "experiment": spec.name,
        "title": spec.title,
        "tribunal": env!("CARGO_PKG_VERSION"),
        "key_format": KEY_FORMAT,
        "cache_format": FORMAT,
        "git": told("git", git),
        "with": with,
        "spec": tree,
        "counts": summary.counts,
        "shortfalls": summary.shortfalls,
        "calls": told("calls", calls(summary)),
        "interrupted": summary.interrupted,
        "seconds": told("seconds", summary.seconds.into()),
        "nodes": nodes,
    });
    // Nobody can say which of several experiments a call that they share was made for.
    if experiments.len() > 1 && !idle {
        let all = json!({
            "experiments": experiments,
            "calls": record["calls"].take(),
            "seconds": record["seconds"].take(),
        });
        record["together"] = all;
    }
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
    }
    let text = serde_json::to_string_pretty(&record).unwrap_or_default() + "\n";
    whole::replace(&path, text.as_bytes())
}

/// What the calls of a run came to.
fn calls(summary: &Summary) -> Value {
    json!({
        "made": summary.calls_made,
        "failed": summary.calls_failed,
        "requests": summary.requests,
        "reused": summary.calls_reused,
        "tokens_read": summary.tokens_read,
        "tokens_written": summary.tokens_written,
        "cost": summary.cost,
    })
}

/// Whether a record is of nodes with these keys.
fn has_keys(recorded: &[RecordedNode<'_>], keys: &BTreeMap<String, Digest>) -> bool {
    let recorded: Option<BTreeMap<&str, &str>> = recorded
        .iter()
        .map(|node| Some((&*node.node, &**node.key.as_ref()?)))
        .collect();
    recorded.is_some_and(|recorded| {
        recorded.len() == keys.len()
            && keys
                .iter()
                .all(|(node, key)| recorded.get(&**node) == Some(&&*key.to_string()))
    })
}

/// What is recorded of every node. Of a known result, the earlier record tells at which commit it
/// was computed.
fn nodes(finished: &Finished, before: &Value, commit: &Value) -> Vec<Value> {
    let earlier: BTreeMap<&str, &Value> = before["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|node| Some((node["key"].as_str()?, node)))
        .collect();
    finished
        .plan
        .ids()
        .map(|id| {
            let node = finished.plan.node(id);
            let inputs: Vec<Value> = node
                .inputs
                .iter()
                .map(|&input| {
                    let output = finished.run.done(input).map(|done| done.output);
                    json!({ "node": finished.plan.node(input).title(), "digest": output })
                })
                .collect();
            let mut entry = json!({ "node": node.title(), "inputs": inputs });
            let outcome = match &finished.run.outcomes[id.0] {
                Outcome::Done(done) => {
                    let key = done.key.to_string();
                    let commit = match earlier.get(key.as_str()) {
                        Some(node) if done.reused => node["commit"].clone(),
                        _ if done.reused => Value::Null,
                        _ => commit.clone(),
                    };
                    json!({
                        "key": done.key,
                        "output": done.output,
                        "files": done.files,
                        "rows": done.rows,
                        "reused": done.reused,
                        "seconds": done.summary.seconds,
                        "counts": done.summary.counts,
                        "warnings": done.summary.warnings,
                        "commit": commit,
                    })
                }
                Outcome::Failed(failure) => json!({ "failed": failure.message }),
                Outcome::Skipped => json!({ "skipped": true }),
            };
            if let (Value::Object(entry), Value::Object(outcome)) = (&mut entry, outcome) {
                entry.extend(outcome);
            }
            entry
        })
        .collect()
}

/// The commits of folders, each asked for once.
struct Commits<'c> {
    ask: Commit<'c>,
    known: BTreeMap<PathBuf, Value>,
}

impl Commits<'_> {
    fn at(&mut self, folder: &Path, engine: &Engine) -> Value {
        let ask = || {
            let (state, note) = (self.ask)(folder);
            if let Some(note) = note {
                engine.warn(note);
            }
            state
        };
        let known = self.known.entry(folder.to_owned());
        known.or_insert_with(ask).clone()
    }
}
