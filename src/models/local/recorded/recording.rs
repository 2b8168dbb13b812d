//! The table that recorded replies stand in: its columns, and how rows find theirs.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::frame::Keep;
use crate::models::local::contract::{REPLY, Table};
use crate::models::local::parts::Pattern;

/// Where recorded outputs stand in a table and how rows find theirs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct RecordedFile {
    /// The column with the reply.
    pub text: String,
    /// The column that says why the model stopped, if there is one.
    pub finish: Option<String>,
    /// The column with the log-probabilities of the reply's tokens, as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<String>,
    /// Recorded column → how its texts are put together. The parts are columns beside the recorded ones and hide those of
    /// their names; of a text put together otherwise all parts are absent. A part that reads as a number is one, so that
    /// `0.0` is the spec's 0.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, Pattern>,
    /// Recorded column → the judge's input column it must equal.
    pub matching: BTreeMap<String, String>,
    /// Only rows with these values take part.
    #[serde(rename = "where")]
    pub keep: Keep,
    /// Whether replies end with a dashed line and a `finish_reason:` line that is not the model's.
    pub trailer: bool,
}

impl RecordedFile {
    /// The table, as what is read of it.
    pub(super) fn table(&self) -> Table<'_> {
        let matched = self.matching.keys().map(|name| ("match", name.as_str()));
        let kept = self.keep.columns().map(|name| ("where", name));
        let whole = self.parts.keys().map(|name| ("parts", name.as_str()));
        let mut named = vec![(REPLY, self.text.as_str())];
        let more = [("finish", &self.finish), ("logprobs", &self.logprobs)];
        named.extend(
            more.into_iter()
                .filter_map(|(key, name)| Some((key, name.as_deref()?))),
        );
        named.extend(matched.chain(kept).chain(whole));
        named.retain(|(_, name)| !self.names_part(name));
        let keys = self.matching.keys().chain(self.parts.keys());
        let columns = named.iter().filter(|(key, _)| *key != "parts");
        let mut columns: Vec<&str> = columns.map(|(_, name)| *name).collect();
        columns.extend(self.parts.keys().map(String::as_str));
        columns.dedup();
        Table {
            named,
            columns,
            // What is matched on, taken apart or a reply.
            written: keys
                .chain([&self.text])
                .chain(&self.logprobs)
                .map(String::as_str)
                .collect(),
        }
    }

    /// Whether a part has this name.
    pub(super) fn names_part(&self, column: &str) -> bool {
        let mut patterns = self.parts.values();
        patterns.any(|pattern| pattern.names().any(|name| name == column))
    }
}
