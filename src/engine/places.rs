//! Places for nodes: how many run at once.

use std::collections::{BTreeMap, BTreeSet};

use tokio::sync::mpsc::UnboundedSender;

use super::cluster::Cluster;
use crate::models::spec::ModelSpec;
use crate::plan::{NodeId, Plan};

/// How many stages wait for models, mirrors and jobs at once. They need memory for their rows and nothing else; the
/// models' own limits bound the calls.
const WAITING: usize = 32;

/// What nodes need besides what they read.
#[derive(Clone, Copy)]
enum Of {
    /// A processor; of those whose tables are large, with memory for them.
    Computing {
        large: bool,
    },
    Waiting,
}

/// A node's place, which another may have before the node is done.
pub(super) struct Place {
    id: NodeId,
    left: UnboundedSender<NodeId>,
}

impl Place {
    /// The node needs it no longer.
    pub(super) fn leave(self) {
        // Nobody listens any more when the plan was walked.
        let _ = self.left.send(self.id);
    }
}

/// Nodes that could begin and how many more may: those that compute share the processors, and those of them whose tables are
/// large half of these; those that wait for a model, a mirror or a job do not.
pub(super) struct Places<'c> {
    cluster: &'c Cluster,
    computing: Queue,
    large: Queue,
    waiting: Queue,
    /// The nodes that have a place.
    held: BTreeMap<NodeId, Of>,
    left: UnboundedSender<NodeId>,
}

struct Queue {
    free: usize,
    ready: BTreeSet<NodeId>,
}

impl Queue {
    /// The next node to begin, if there is a place for it.
    fn first(&self) -> Option<NodeId> {
        self.ready.first().copied().filter(|_| self.free > 0)
    }
}

impl<'c> Places<'c> {
    pub(super) fn new(jobs: usize, cluster: &'c Cluster, left: UnboundedSender<NodeId>) -> Self {
        let queue = |free| Queue {
            free,
            ready: BTreeSet::new(),
        };
        Self {
            cluster,
            computing: queue(jobs),
            large: queue(jobs.div_ceil(2)),
            waiting: queue(WAITING),
            held: BTreeMap::new(),
            left,
        }
    }

    /// A node has left its place, or is done.
    pub(super) fn left(&mut self, id: NodeId) {
        match self.held.remove(&id) {
            None => {}
            Some(Of::Waiting) => self.waiting.free += 1,
            Some(Of::Computing { large }) => {
                self.computing.free += 1;
                self.large.free += usize::from(large);
            }
        }
    }

    /// A node of the plan could begin. Its tables may be large.
    pub(super) fn could_begin(&mut self, plan: &Plan, id: NodeId, large: bool) {
        let node = plan.node(id);
        let served = |model: &ModelSpec| model.provider.server().is_some();
        let waits = node.stage.model().is_some_and(served)
            || !node.stage.downloads().is_empty()
            || self.cluster.fleet_of(node).is_some();
        let queue = match (waits, large) {
            (true, _) => &mut self.waiting,
            (false, true) => &mut self.large,
            (false, false) => &mut self.computing,
        };
        queue.ready.insert(id);
    }

    /// The next node to begin, with its place.
    pub(super) fn next(&mut self) -> Option<(NodeId, Place)> {
        let large = self.large.first().filter(|_| self.computing.free > 0);
        let firsts = [
            (self.computing.first(), Of::Computing { large: false }),
            (large, Of::Computing { large: true }),
            (self.waiting.first(), Of::Waiting),
        ];
        let firsts = firsts.into_iter().filter_map(|(id, of)| Some((id?, of)));
        let (id, of) = firsts.min_by_key(|(id, _)| *id)?;
        match of {
            Of::Waiting => {
                self.waiting.free -= 1;
                self.waiting.ready.remove(&id);
            }
            Of::Computing { large } => {
                self.computing.free -= 1;
                self.large.free -= usize::from(large);
                let queue = if large {
                    &mut self.large
                } else {
                    &mut self.computing
                };
                queue.ready.remove(&id);
            }
        }
        self.held.insert(id, of);
        let left = self.left.clone();
        Some((id, Place { id, left }))
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    /// The nodes that begin now.
    fn begin(places: &mut Places<'_>) -> (Vec<usize>, Vec<Place>) {
        std::iter::from_fn(|| places.next().map(|(id, place)| (id.0, place))).unzip()
    }

    #[test]
    fn of_nodes_with_large_tables_half_as_many_run_at_once() {
        for (jobs, first, then) in [
            (1, vec![0], vec![1]),
            (2, vec![0, 2], vec![1]),
            (3, vec![0, 1, 2], vec![3]),
            (4, vec![0, 1, 2, 4], vec![3]),
        ] {
            let (leave, mut left) = mpsc::unbounded_channel();
            let mut places = Places::new(jobs, &Cluster::None, leave);
            for (id, large) in [(0, true), (1, true), (2, false), (3, true), (4, false)] {
                let queue = if large {
                    &mut places.large
                } else {
                    &mut places.computing
                };
                queue.ready.insert(NodeId(id));
            }
            let (began, mut held) = begin(&mut places);
            assert_eq!(began, first, "{jobs}");
            // The first of them leaves its place, and is done later.
            held.remove(0).leave();
            places.left(left.try_recv().unwrap());
            assert_eq!(begin(&mut places).0, then, "{jobs}");
            places.left(NodeId(0));
            assert_eq!(begin(&mut places).0, [0; 0], "{jobs}");
        }
    }
}
