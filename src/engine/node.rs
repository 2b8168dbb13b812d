//! One node: its key, whether its result is known, and running it if not.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::answers::{Product, Stored};
use super::event::Event;
use super::execute::Shared;
use super::files::FileError;
use super::work::label;
use crate::base::failure::Failure;
use crate::base::key::{Digest, encode};
use crate::cache::{Damage, Entry, Flaw, Lookup};
use crate::frame::FrameError;
use crate::plan::{Node, NodeId, NodeKey};
use crate::stage::Counts;

/// A node's result as later nodes need it.
#[derive(Clone, Debug)]
pub struct Done {
    /// The node's key.
    pub key: Digest,
    /// Digest of the result's bytes.
    pub output: Digest,
    /// Rows of the result.
    pub rows: u64,
    /// Digests of the files it read, by what each is to it.
    pub files: serde_json::Value,
    /// What is stored beside the result.
    pub summary: NodeSummary,
    /// Whether it was known already.
    pub reused: bool,
}

/// What is stored beside a result.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NodeSummary {
    /// What was scored and what not.
    #[serde(default)]
    pub counts: Counts,
    /// What a person should know.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Seconds it took when it ran.
    #[serde(default)]
    pub seconds: f64,
    /// Some calls failed, so the next run should try again.
    #[serde(default)]
    pub try_again: bool,
}

/// Why a node has no result.
#[derive(Clone, Debug)]
pub enum NodeError {
    /// It failed.
    Failed(Failure),
    /// The run was interrupted.
    Interrupted,
    /// It would run, and the plan was not checked.
    Unchecked,
    /// What it reads turned out damaged and came out differently when run again.
    Changed,
}

impl From<Failure> for NodeError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<NodeError> for Failure {
    fn from(error: NodeError) -> Self {
        match error {
            NodeError::Failed(failure) => failure,
            NodeError::Interrupted | NodeError::Unchecked => Self::new("interrupted"),
            NodeError::Changed => Self::new("a damaged result came out differently"),
        }
    }
}

impl From<FrameError> for NodeError {
    fn from(error: FrameError) -> Self {
        Self::Failed(error.into())
    }
}

pub(super) fn failed(error: impl std::fmt::Display) -> NodeError {
    NodeError::Failed(Failure::new(error.to_string()))
}

impl Shared {
    /// The key of a node whose inputs have these digests, as JSON and digest.
    pub(super) fn key(
        &self,
        node: &Node,
        inputs: Vec<Digest>,
    ) -> Result<(serde_json::Value, Digest, BTreeMap<String, Digest>), NodeError> {
        let mut files = self
            .files
            .of(node)
            .map_err(|error| self.file_failure(&error))?;
        files.extend(self.book_digests(node)?);
        let (fields, key) = encode(&NodeKey::new(node, &files, inputs));
        Ok((fields, key, files))
    }

    /// A file that cannot be used, with what the spec says about it.
    pub(super) fn file_failure(&self, error: &FileError) -> NodeError {
        if *error == FileError::Interrupted {
            return NodeError::Interrupted;
        }
        NodeError::Failed(error.failure(&self.folders))
    }

    /// A stored result, checked byte for byte; damage is reported and counts as none.
    pub(super) fn known(&self, title: &str, key: &Digest) -> Option<Done> {
        self.look(key).unwrap_or_else(|damage| {
            // A node is looked up again once the plan is checked; what was altered is missing by then.
            if super::files::lock(&self.damaged).insert(*key) {
                self.warn(Some(title), damage.to_string());
            }
            None
        })
    }

    /// A stored result as [`Shared::known`] finds it, or one some of whose calls failed, which the next run does not take.
    pub(super) fn stored_result(&self, title: &str, key: &Digest) -> Option<Done> {
        self.find(key).unwrap_or_else(|damage| {
            self.warn(Some(title), damage.to_string());
            None
        })
    }

    fn look(&self, key: &Digest) -> Result<Option<Done>, Damage> {
        let found = self.find(key)?;
        Ok(found.filter(|done| !done.summary.try_again))
    }

    fn find(&self, key: &Digest) -> Result<Option<Done>, Damage> {
        let entry = match self.nodes.lookup(key) {
            Lookup::Hit(entry) => {
                self.nodes.check(&entry.output)?;
                entry
            }
            Lookup::Miss(None) => return Ok(None),
            // Left out of a bundle: its digest is all that keys need.
            Lookup::Miss(Some(damage)) => match self.nodes.entry(key)? {
                Some(entry) if damage.flaw == Flaw::Missing && self.is_absent(&entry.output) => {
                    Box::new(entry)
                }
                _ => return Err(damage),
            },
        };
        // What another version wrote in another form is not known here.
        let Ok(summary) = serde_json::from_value::<NodeSummary>(entry.summary) else {
            return Ok(None);
        };
        Ok(Some(Done {
            key: *key,
            output: entry.output,
            rows: entry.rows,
            files: files_of(&entry.fields),
            summary,
            reused: true,
        }))
    }

    /// Whether a result was left out of the bundle that the others are from.
    pub(super) fn is_absent(&self, output: &Digest) -> bool {
        self.absent.results.contains(output)
    }

    /// Runs a node, or finds its result.
    pub(super) async fn node(self: &Arc<Self>, id: NodeId) -> Result<Done, NodeError> {
        let node = self.plan.node(id);
        let title = &self.titles[id.0];
        let inputs = node
            .inputs
            .iter()
            .map(|&input| self.done(input))
            .collect::<Result<Vec<_>, _>>()?;
        let digests = inputs.iter().map(|done| done.output).collect();
        self.fetch(id).await?;
        // Files are read for their digests.
        let (fields, key, files) = self
            .blocking({
                let shared = Arc::clone(self);
                move || shared.key(shared.plan.node(id), digests)
            })
            .await?
            .map_err(|error| self.unless_unchecked(error))?;
        if let Some(done) = self
            .blocking({
                let (shared, title) = (Arc::clone(self), title.clone());
                move || shared.known(&title, &key)
            })
            .await?
        {
            self.reused(title, &done);
            return Ok(done);
        }
        if !self.checked.load(Ordering::Relaxed) {
            return Err(NodeError::Unchecked);
        }
        // Exclusive among all processes: a second run of the same spec waits here and then reuses.
        let claim = self
            .blocking({
                let shared = Arc::clone(self);
                move || shared.nodes.claim(&key, &|| shared.interrupt.is_raised())
            })
            .await?;
        let Some(claim) = claim else {
            return Err(NodeError::Interrupted);
        };
        // Damage was told of a moment ago.
        if let Ok(Some(done)) = self.look(&key) {
            self.reused(title, &done);
            return Ok(done);
        }
        let started = Instant::now();
        let questions = node.stage.repeats().and_then(|repeats| {
            let input = inputs.first()?;
            Some(input.rows * u64::from(repeats))
        });
        (self.sink)(Event::Running {
            node: title.clone(),
            questions,
        });
        let (product, try_again) = self.run(id, files.get("script").copied()).await?;
        let (counts, warnings) = match &product {
            Product::Table(output) => (&output.counts, &output.warnings),
            Product::Stored(stored) => (&stored.counts, &stored.warnings),
        };
        for warning in warnings {
            self.warn(Some(title), warning.clone());
        }
        let summary = NodeSummary {
            counts: counts.clone(),
            warnings: warnings.clone(),
            seconds: started.elapsed().as_secs_f64(),
            try_again,
        };
        let done = self.commit(id, claim, fields, product, summary).await?;
        (self.sink)(Event::Finished {
            node: title.clone(),
            rows: done.rows,
            seconds: started.elapsed().as_secs_f64(),
            counts: done.summary.counts.clone(),
        });
        Ok(done)
    }

    /// The error of a node, or that the plan has to be checked first, which knows more about it.
    fn unless_unchecked(&self, error: NodeError) -> NodeError {
        match error {
            NodeError::Failed(_) if !self.checked.load(Ordering::Relaxed) => NodeError::Unchecked,
            error => error,
        }
    }

    async fn commit(
        self: &Arc<Self>,
        id: NodeId,
        claim: crate::cache::Claim,
        fields: serde_json::Value,
        product: Product,
        summary: NodeSummary,
    ) -> Result<Done, NodeError> {
        let shared = Arc::clone(self);
        self.blocking(move || {
            let key = *claim.key();
            let told = serde_json::to_value(&summary).map_err(failed)?;
            let (entry, committed) = match product {
                Product::Table(output) => {
                    let frame = label(output.frame, shared.plan.node(id))?;
                    let bytes = frame.to_parquet()?;
                    let entry = Entry::new(key, fields, &bytes, frame.rows() as u64, told);
                    let committed = claim.commit(&entry, &bytes);
                    shared.remember_frame(id, frame);
                    (entry, committed)
                }
                Product::Stored(stored) => {
                    let Stored { blob, rows, .. } = *stored;
                    let entry = Entry::of_blob(key, fields, &blob, rows, told);
                    let committed = claim.commit_blob(&entry, blob);
                    (entry, committed)
                }
            };
            committed.map_err(|error| failed(error.in_full()))?;
            Ok(Done {
                key,
                output: entry.output,
                rows: entry.rows,
                files: files_of(&entry.fields),
                summary,
                reused: false,
            })
        })
        .await?
    }

    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NodeError> {
        tokio::task::spawn_blocking(work).await.map_err(failed)
    }

    /// A known result is told with the warnings it had when it was made: they are still true.
    fn reused(&self, title: &str, done: &Done) {
        for warning in &done.summary.warnings {
            self.warn(Some(title), warning.clone());
        }
        (self.sink)(Event::Reused {
            node: title.to_owned(),
            rows: done.rows,
        });
    }

    pub(super) fn warn(&self, title: Option<&str>, message: String) {
        (self.sink)(Event::Warning {
            node: title.map(str::to_owned),
            message,
        });
    }
}

/// The digests of files in a printed key.
fn files_of(fields: &serde_json::Value) -> serde_json::Value {
    fields.get("files").cloned().unwrap_or_default()
}
