//! Tables in memory: kept while nodes that read them whole have yet to run, loaded from the cache
//! when needed, and computed again where the cache turns out damaged.
//!
//! Statistics and figures look at few columns of many judges and never at the replies, so nothing is kept
//! for them: they load what they look at.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, MutexGuard, PoisonError};

use super::answers::Product;
use super::execute::Shared;
use super::node::{Done, NodeError};
use super::work::label;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::cache::Damage;
use crate::frame::{Frame, FrameError};
use crate::plan::{NodeId, Plan};
use crate::stage::Gives;

impl Shared {
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

    /// A node's table: from memory, from the cache, or, where that is damaged, computed again.
    pub(super) async fn frame(self: &Arc<Self>, id: NodeId) -> Result<Arc<Frame>, NodeError> {
        if let Some(frame) = self.remembered(id) {
            return Ok(frame);
        }
        let frame = self.load(id, None).await?;
        Ok(self.remember_frame(id, frame))
    }

    /// A node's table as it is stored; where that is damaged, computed again.
    pub(super) async fn stored(self: &Arc<Self>, id: NodeId) -> Result<Vec<u8>, NodeError> {
        let output = self.done(id)?.output;
        let shared = Arc::clone(self);
        let loaded = self.blocking(move || {
            let bytes = shared.nodes.load(&output);
            // Whoever gets it reads it without asking where it is from.
            if shared.absent.strange_cache
                && let Ok(bytes) = &bytes
            {
                shared.read_table(bytes.clone(), None)?;
            }
            Ok::<_, FrameError>(bytes)
        });
        if let Ok(bytes) = loaded.await?? {
            return Ok(bytes);
        }
        Ok(self.frame(id).await?.to_parquet()?)
    }

    /// Some columns of a node's table, those of them that there are.
    pub(super) async fn narrow(
        self: &Arc<Self>,
        id: NodeId,
        columns: &BTreeSet<&str>,
    ) -> Result<Arc<Frame>, NodeError> {
        Ok(Arc::new(match self.remembered(id) {
            Some(frame) => frame.only(columns),
            None => self.load(id, Some(columns)).await?,
        }))
    }

    async fn load(
        self: &Arc<Self>,
        id: NodeId,
        columns: Option<&BTreeSet<&str>>,
    ) -> Result<Frame, NodeError> {
        let output = self.done(id)?.output;
        let names: Option<Vec<String>> =
            columns.map(|columns| columns.iter().map(ToString::to_string).collect());
        let shared = Arc::clone(self);
        let loaded = self
            .blocking(move || {
                let names: Option<Vec<&str>> = names
                    .as_ref()
                    .map(|names| names.iter().map(String::as_str).collect());
                match &names {
                    // Of one's own result no more is read than holds the columns.
                    Some(names) if !shared.absent.strange_cache => {
                        let file = shared.nodes.check(&output)?;
                        Ok::<_, Damage>(Frame::from_parquet_file(file, names))
                    }
                    _ => {
                        let bytes = shared.nodes.load(&output)?;
                        Ok(shared.read_table(bytes, names.as_deref()))
                    }
                }
            })
            .await?;
        match loaded {
            Ok(Ok(frame)) => Ok(frame),
            // These are the bytes that were written: to write them again would help nobody.
            Ok(Err(error)) => Err(Failure::new(error.to_string())
                .at(self.nodes.path_of(&output).display())
                .hint(if self.absent.strange_cache {
                    "the cache came in a bundle: move it away to have the results made again"
                } else {
                    "the cache holds a result that this version cannot read: use the version that wrote it, or another cache folder"
                })
                .into()),
            Err(damage) => {
                if self.is_absent(&output) {
                    self.can_be_made_again(id)?;
                } else {
                    self.warn(Some(&self.titles[id.0]), damage.to_string());
                }
                let frame = Box::pin(self.again(id)).await?;
                Ok(columns.map_or_else(|| frame.clone(), |columns| frame.only(columns)))
            }
        }
    }

    /// Whether a result that was left out of a bundle may come out the same again: not where it would take
    /// replies that were left out too.
    fn can_be_made_again(&self, id: NodeId) -> Result<(), NodeError> {
        let node = self.plan.node(id);
        let asks = node.name.kind.asks()
            && node
                .stage
                .model()
                .is_some_and(|model| model.provider.reads_prompts());
        if asks && self.absent.without_replies {
            return Err(Failure::new(format!(
                "the rows of `{}` are needed, and the bundle was made without replies",
                self.titles[id.0]
            ))
            .hint("ask for a bundle made without `--without-replies`")
            .into());
        }
        Ok(())
    }

    /// Computes a damaged result again from what it reads and puts it back in its place. Its key is
    /// left alone, which the node that needs the result, or one like it, may hold.
    async fn again(self: &Arc<Self>, id: NodeId) -> Result<Frame, NodeError> {
        let done = self.done(id)?;
        let script = done.files.get("script").and_then(|digest| {
            let digest: Option<Digest> = digest.as_str()?.parse().ok();
            digest
        });
        let (product, _) = self.run(id, script).await?;
        let shared = Arc::clone(self);
        self.blocking(move || {
            let bytes = match product {
                Product::Table(output) => {
                    label(output.frame, shared.plan.node(id))?.to_parquet()?
                }
                Product::Stored(stored) => {
                    let bytes = stored.blob.read();
                    bytes.map_err(|error| Failure::new(error.in_full()))?
                }
            };
            if Digest::of(&bytes) != done.output {
                return Err(NodeError::Changed);
            }
            shared
                .nodes
                .restore(&bytes)
                .map_err(|error| Failure::new(error.in_full()))?;
            Ok(Frame::from_parquet(bytes, None)?)
        })
        .await?
    }

    /// The result of a node that ran or was known in this run.
    pub(super) fn done(&self, id: NodeId) -> Result<Done, NodeError> {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.get(&id).cloned().ok_or_else(|| {
            Failure::new(format!("`{}` has no result yet", self.titles[id.0])).into()
        })
    }

    /// Notes a node's result, so that others can read it.
    pub(super) fn has_result(&self, id: NodeId, done: Done) {
        let mut known = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(id, done);
    }

    /// Keeps a table in memory while nodes that read it whole have yet to run.
    pub(super) fn remember_frame(&self, id: NodeId, frame: Frame) -> Arc<Frame> {
        let frame = Arc::new(frame);
        if self.is_shown(id) || self.readers()[id.0] > 0 {
            self.frames().insert(id, Arc::clone(&frame));
        }
        frame
    }

    /// A node has its result: what it read is needed once less, and forgotten when nobody needs it.
    pub(super) fn has_read(&self, id: NodeId) {
        if let Some(model) = self.plan.node(id).stage.model() {
            self.library.release(model);
        }
        if self.plan.node(id).stage.looks_at().is_some() {
            return;
        }
        let inputs: BTreeSet<NodeId> = self.plan.node(id).inputs.iter().copied().collect();
        let mut readers = self.readers();
        for input in inputs {
            readers[input.0] = readers[input.0].saturating_sub(1);
            if readers[input.0] == 0 {
                self.frames().remove(&input);
            }
        }
    }

    fn remembered(&self, id: NodeId) -> Option<Arc<Frame>> {
        self.frames().get(&id).map(Arc::clone)
    }

    /// Whether a node's rows are shown to people when the run is over.
    fn is_shown(&self, id: NodeId) -> bool {
        self.plan.node(id).name.kind.about().gives == Gives::Shown
    }

    /// Forgets what the nodes came to, before the plan is walked once more.
    pub(super) fn reset(&self) {
        *self.readers() = whole_readers(&self.plan);
        self.frames().clear();
        self.library.expect(&self.plan);
        self.done
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    fn frames(&self) -> MutexGuard<'_, BTreeMap<NodeId, Arc<Frame>>> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn readers(&self) -> MutexGuard<'_, Vec<usize>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many nodes read each node's table whole.
pub(super) fn whole_readers(plan: &Plan) -> Vec<usize> {
    let whole = |reader: &&NodeId| plan.node(**reader).stage.looks_at().is_none();
    plan.readers()
        .iter()
        .map(|readers| readers.iter().filter(whole).count())
        .collect()
}
