//! The results of stages whose tables people look at, each read when somebody does.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::base::failure::Failure;
use crate::frame::Frame;
use crate::plan::NodeId;

/// Nodes with their tables, in the order of the plan.
pub type ReadTables = Vec<(NodeId, Arc<Frame>)>;

/// Reads the result of a node of the plan that was run.
type Reader = dyn Fn(NodeId) -> Result<Arc<Frame>, Failure> + Send + Sync;

/// The results of a run's table and figure stages.
#[derive(Clone)]
pub struct Tables {
    reader: Arc<Reader>,
    /// Where each node is in the plan that was run.
    places: BTreeMap<NodeId, NodeId>,
}

impl Tables {
    /// Those of these nodes.
    pub(super) fn new(
        nodes: impl IntoIterator<Item = NodeId>,
        reader: impl Fn(NodeId) -> Result<Arc<Frame>, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self {
            reader: Arc::new(reader),
            places: nodes.into_iter().map(|id| (id, id)).collect(),
        }
    }

    /// Those of a plan whose nodes are at these places.
    pub(super) fn part(&self, places: &[NodeId]) -> Self {
        let nodes = places.iter().enumerate();
        let own = nodes.filter_map(|(id, place)| Some((NodeId(id), *self.places.get(place)?)));
        Self {
            reader: Arc::clone(&self.reader),
            places: own.collect(),
        }
    }

    /// Leaves out those of other nodes.
    pub(super) fn retain(&mut self, keep: impl Fn(&NodeId) -> bool) {
        self.places.retain(|id, _| keep(id));
    }

    /// All of them; one that turns out damaged is computed again. Must not be called by what runs in a runtime.
    ///
    /// # Errors
    /// When a result cannot be read, or comes out differently when it is computed again.
    pub fn read(&self) -> Result<ReadTables, Failure> {
        let each = self.places.iter();
        each.map(|(id, place)| Ok((*id, (self.reader)(*place)?)))
            .collect()
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tables").field(&self.places).finish()
    }
}
