//! Tables in memory: kept while nodes that read them have yet to run, loaded from the cache when
//! needed, and computed again where the cache turns out damaged.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::{Arc, MutexGuard, PoisonError};

use super::execute::Shared;
use super::node::{Done, NodeError};
use crate::frame::Frame;
use crate::plan::NodeId;
use crate::stage::Kind;

impl Shared {
    /// A node's table: from memory, from the cache, or, where that is damaged, computed again.
    pub(super) async fn frame(
        self: &Arc<Self>,
        id: NodeId,
        done: &Done,
    ) -> Result<Arc<Frame>, NodeError> {
        if let Some(frame) = self.frames().get(&id) {
            return Ok(Arc::clone(frame));
        }
        let (shared, output) = (Arc::clone(self), done.output);
        let loaded = self
            .blocking(move || {
                let bytes = shared
                    .nodes
                    .load(&output)
                    .map_err(|damage| damage.to_string())?;
                Frame::from_parquet(bytes, None)
                    .map_err(|error| format!("{error}; its result is computed again"))
            })
            .await?;
        match loaded {
            Ok(frame) => Ok(self.remember_frame(id, frame)),
            Err(damage) => {
                self.warn(Some(&self.titles[id.0]), damage);
                Box::pin(self.again(id, done)).await
            }
        }
    }

    /// Computes a damaged result again from what it reads.
    async fn again(self: &Arc<Self>, id: NodeId, done: &Done) -> Result<Arc<Frame>, NodeError> {
        let mut inputs = Vec::new();
        for &input in &self.plan.node(id).inputs {
            let digests = Box::pin(self.redo(input)).await?;
            inputs.push(digests);
        }
        let fresh = self.node(id, inputs).await?;
        if fresh.output != done.output {
            return Err(NodeError::Changed);
        }
        self.frame(id, &fresh).await
    }

    /// A node's result, known or computed, from its sources down.
    async fn redo(self: &Arc<Self>, id: NodeId) -> Result<Done, NodeError> {
        let mut inputs = Vec::new();
        for &input in &self.plan.node(id).inputs {
            inputs.push(Box::pin(self.redo(input)).await?);
        }
        self.node(id, inputs).await
    }

    /// Keeps a table in memory while nodes that read it have yet to run.
    pub(super) fn remember_frame(&self, id: NodeId, frame: Frame) -> Arc<Frame> {
        let frame = Arc::new(frame);
        if self.is_table(id) || self.readers()[id.0] > 0 {
            self.frames().insert(id, Arc::clone(&frame));
        }
        frame
    }

    /// A node has its result: what it read is needed once less, and forgotten when nobody needs it.
    pub(super) fn has_read(&self, id: NodeId) {
        let inputs: BTreeSet<NodeId> = self.plan.node(id).inputs.iter().copied().collect();
        let mut readers = self.readers();
        for input in inputs {
            readers[input.0] = readers[input.0].saturating_sub(1);
            if readers[input.0] == 0 {
                self.frames().remove(&input);
            }
        }
    }

    fn is_table(&self, id: NodeId) -> bool {
        self.plan.node(id).name.kind == Kind::Table
    }

    pub(super) fn reset(&self) {
        *self.readers() = self.plan.readers().iter().map(Vec::len).collect();
        self.frames().clear();
    }

    fn frames(&self) -> MutexGuard<'_, BTreeMap<NodeId, Arc<Frame>>> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn readers(&self) -> MutexGuard<'_, Vec<usize>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
