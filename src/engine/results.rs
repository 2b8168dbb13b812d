//! Results that are stored: whether they are known, and reading them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde_json::Value;

use super::absent::Absent;
use super::event::{Sink, warn};
use super::outcome::{Done, NodeError, NodeSummary, failed};
use super::seen::Seen;
use crate::base::key::Digest;
use crate::base::lock::lock;
use crate::cache::{Damage, Flaw, NodeStore};
use crate::frame::{Frame, FrameError};

/// What is wanted of a printed key.
#[derive(Deserialize)]
struct OfKey {
    /// The digests of files.
    #[serde(default)]
    files: Value,
}

/// The results of the cache.
pub(super) struct Results {
    pub(super) nodes: NodeStore,
    pub(super) absent: Arc<Absent>,
    pub(super) seen: Arc<Seen>,
    /// The files whose damage was reported.
    damaged: Mutex<BTreeSet<PathBuf>>,
    sink: Sink,
}

impl Results {
    pub(super) fn new(nodes: NodeStore, absent: Arc<Absent>, seen: Arc<Seen>, sink: Sink) -> Self {
        Self {
            nodes,
            absent,
            seen,
            damaged: Mutex::default(),
            sink,
        }
    }

    /// A stored result, checked; damage is reported and counts as none.
    pub(super) fn known(&self, title: &str, key: &Digest) -> Option<Done> {
        self.told(title, self.look(key))
    }

    /// What was found, with damage reported once: nodes may have the same result, and each is looked up again once the plan is
    /// checked, when what was altered is missing.
    pub(super) fn told(&self, title: &str, found: Result<Option<Done>, Damage>) -> Option<Done> {
        found.unwrap_or_else(|damage| {
            let told = damage.to_string();
            if lock(&self.damaged).insert(damage.path) {
                warn(&self.sink, Some(title), told);
            }
            None
        })
    }

    /// A stored result that the next run takes, which it does not if some of its calls failed.
    pub(super) fn look(&self, key: &Digest) -> Result<Option<Done>, Damage> {
        let found = self.find(key)?;
        Ok(found.filter(|done| !done.summary.try_again))
    }

    /// A stored result, checked: what the last run came to.
    pub(super) fn find(&self, key: &Digest) -> Result<Option<Done>, Damage> {
        let Some(entry) = self.nodes.entry_with::<OfKey>(key)? else {
            return Ok(None);
        };
        match self.check(&entry.output) {
            // Left out of a bundle: its digest is all that keys need.
            Err(damage) if damage.flaw == Flaw::Missing && self.is_absent(&entry.output) => {}
            checked => checked?,
        }
        // What another version wrote in another form is not known here.
        let Ok(summary) = serde_json::from_value::<NodeSummary>(entry.summary) else {
            return Ok(None);
        };
        Ok(Some(Done {
            key: *key,
            output: entry.output,
            rows: entry.rows,
            files: entry.fields.files,
            summary,
            reused: true,
        }))
    }

    /// Whether nobody has touched the bytes of a result since they were read or written.
    pub(super) fn is_untouched(&self, output: &Digest) -> bool {
        let path = self.nodes.path_of(output);
        let found = fs_err::metadata(&path);
        found.is_ok_and(|found| self.seen.known(&path, &found) == Some(*output))
    }

    /// Whether the bytes of a result are those that were written, unless nobody has touched them since that was seen.
    pub(super) fn check(&self, output: &Digest) -> Result<(), Damage> {
        if self.is_untouched(output) {
            return Ok(());
        }
        let path = self.nodes.path_of(output);
        let before = fs_err::metadata(&path).ok();
        let file = self.nodes.check(output)?;
        if let (Some(before), Ok(after)) = (before, file.metadata()) {
            self.seen.note(&path, *output, &before, &after);
        }
        Ok(())
    }

    /// Says that this run has written a result.
    pub(super) fn wrote(&self, output: &Digest) {
        self.seen.wrote(self.nodes.path_of(output), *output);
    }

    /// Whether a result was left out of the bundle that the others are from.
    pub(super) fn is_absent(&self, output: &Digest) -> bool {
        self.absent.results.contains(output)
    }

    /// A whole result.
    pub(super) fn read(&self, output: &Digest) -> Result<Frame, NodeError> {
        let bytes = self.nodes.load(output).map_err(failed)?;
        Ok(self.read_table(bytes, None)?)
    }

    /// Reads a result that the cache holds, some columns or all.
    ///
    /// # Errors
    /// As [`Frame::from_parquet`]; of a cache that came in a bundle also as [`Frame::from_foreign_parquet`].
    pub(super) fn read_table(
        &self,
        bytes: Vec<u8>,
        columns: Option<&[&str]>,
    ) -> Result<Frame, FrameError> {
        if self.absent.strange_cache {
            Frame::from_foreign_parquet(bytes, columns)
        } else {
            Frame::from_parquet(bytes, columns)
        }
    }
}
