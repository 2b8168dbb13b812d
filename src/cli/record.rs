//! The run record: what ran, from what, with what result; `reports/<experiment>/run.json`.
//!
//! Written when something ran; a run that found everything known changes nothing about the record.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::exit::Error;
use super::load::Loaded;
use super::reports::replace;
use super::run::Finished;
use crate::cache::FORMAT;
use crate::engine::{Engine, Outcome};
use crate::key::{Digest, KEY_FORMAT};

/// Remembers each node's key for `why`, and writes the record if anything ran.
pub(super) fn keep(loaded: &Loaded, engine: &Engine, finished: &Finished) -> Result<(), Error> {
    let spec = &loaded.spec;
    let summary = &finished.run.summary;
    let path = spec.folders.reports.join(&spec.name).join("run.json");
    if summary.ran + summary.failed == 0 && path.is_file() {
        return Ok(());
    }
    let keys: BTreeMap<String, Digest> = finished
        .plan
        .ids()
        .filter_map(|id| Some((finished.plan.node(id).title(), finished.run.done(id)?.key)))
        .collect();
    engine.remember(&spec.name, keys)?;
    let record = json!({
        "experiment": spec.name,
        "title": spec.title,
        "tribunal": env!("CARGO_PKG_VERSION"),
        "key_format": KEY_FORMAT,
        "cache_format": FORMAT,
        "git": git(spec.folders.reports.parent().unwrap_or(Path::new("."))),
        "spec": loaded.layers.tree().to_json(),
        "counts": summary.counts,
        "calls": { "made": summary.calls_made, "reused": summary.calls_reused },
        "interrupted": summary.interrupted,
        "seconds": summary.seconds,
        "nodes": nodes(finished),
    });
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
    }
    let text = serde_json::to_string_pretty(&record).unwrap_or_default() + "\n";
    replace(&path, text.as_bytes())
}

fn nodes(finished: &Finished) -> Vec<Value> {
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
                Outcome::Done(done) => json!({
                    "key": done.key,
                    "output": done.output,
                    "files": done.files,
                    "rows": done.rows,
                    "reused": done.reused,
                    "seconds": done.summary.seconds,
                    "counts": done.summary.counts,
                    "warnings": done.summary.warnings,
                }),
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

/// The commit the project is at, and whether files differ from it; null outside a repository.
fn git(folder: &Path) -> Value {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let ask = |words: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(words)
            .output()
            .ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    match ask(&["rev-parse", "HEAD"]) {
        Some(commit) => json!({
            "commit": commit,
            "dirty": ask(&["status", "--porcelain"]).is_none_or(|changes| !changes.is_empty()),
        }),
        None => Value::Null,
    }
}
