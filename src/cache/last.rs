//! What is kept of the last run: which key each node had, for saying what has changed since, and which files were read.
//!
//! A convenience: losing it loses an explanation or some time, never a result.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use fs_err as fs;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::disk;
use super::error::{CacheError, Damage, Flaw};
use super::nodes::NodeStore;
use super::seal;
use crate::base::key::Digest;

#[derive(Serialize, Deserialize)]
struct Last {
    experiment: String,
    keys: BTreeMap<String, Digest>,
}

impl NodeStore {
    /// Replaces what is known of the last run of `experiment`: node name to key.
    pub fn save_last(
        &self,
        experiment: &str,
        keys: BTreeMap<String, Digest>,
    ) -> Result<(), CacheError> {
        let last = Last {
            experiment: experiment.to_owned(),
            keys,
        };
        disk::replace(&self.last_path(experiment), &seal::seal(&last))
    }

    /// Adds to what is known, keeping the nodes that a partial run did not reach.
    pub fn remember(
        &self,
        experiment: &str,
        keys: BTreeMap<String, Digest>,
    ) -> Result<(), CacheError> {
        // Damage is healed by writing: the older keys are lost, which only costs an explanation.
        let mut all = self.load_last(experiment).unwrap_or_default();
        all.extend(keys);
        self.save_last(experiment, all)
    }

    /// The keys of the last run of `experiment`; empty if it never ran here.
    pub fn load_last(&self, experiment: &str) -> Result<BTreeMap<String, Digest>, Damage> {
        let path = self.last_path(experiment);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(Damage::unread(&path, &error)),
        };
        seal::unseal(&bytes)
            .filter(|last: &Last| last.experiment == experiment)
            .map(|last| last.keys)
            .ok_or_else(|| Damage::new(&path, Flaw::Altered))
    }

    /// Keeps what a run saw of files, under a name. Where that cannot be written, the next run sees for itself.
    pub fn save_seen(&self, name: &str, files: &impl Serialize) {
        let seen = BTreeMap::from([("files", files)]);
        let _ = disk::replace(&self.seen_path(name), &seal::seal(&seen));
    }

    /// What a run saw of files; nothing, where that is not known or was altered.
    pub fn load_seen<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let bytes = fs::read(self.seen_path(name)).ok()?;
        let seen: Option<BTreeMap<String, T>> = seal::unseal(&bytes);
        seen?.remove("files")
    }

    fn seen_path(&self, name: &str) -> PathBuf {
        self.root()
            .part("seen")
            .join(format!("{}.json", file_name(name)))
    }

    fn last_path(&self, experiment: &str) -> PathBuf {
        let name = file_name(experiment);
        self.root().part("last").join(format!("{name}.json"))
    }
}

/// A file name that is readable for ordinary experiment names and unique and harmless for all.
fn file_name(experiment: &str) -> String {
    let mut name = String::new();
    for byte in experiment.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => name.push(char::from(byte)),
            _ => write!(name, "%{byte:02x}").expect("writing to a string can't fail"),
        }
    }
    if name.is_empty() || name.len() > 120 {
        // `+` can't come out of the loop above, so no ordinary name is met here.
        return format!("+{}", Digest::of(experiment));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_stay_readable_and_odd_ones_are_harmless() {
        assert_eq!(file_name("a-12_b"), "a-12_b");
        assert_eq!(file_name("../x"), "%2e%2e%2fx");
        assert!(file_name("").starts_with('+'));
        assert_eq!(file_name(&"x".repeat(500)).len(), 65);
    }
}
