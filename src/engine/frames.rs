//! What this run came to so far: results by node, and tables in memory, kept while nodes that read them whole have yet to
//! run.
//!
//! Statistics and figures look at few columns of many judges and never at the replies, so nothing is kept
//! for them: they load what they look at.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, Weak};

use super::outcome::Done;
use crate::base::lock::lock;
use crate::frame::{Frame, FrameError};
use crate::plan::{NodeId, Plan};
use crate::stage::Gives;

/// Tables that wait for nodes to read them take no more than about so many bytes in memory.
const KEPT: usize = 64 << 20;

/// Results and tables of a run.
pub(super) struct Frames {
    /// Tables that are still to be read, by the node that made them.
    tables: Mutex<BTreeMap<NodeId, Arc<Frame>>>,
    /// Tables that some node is holding at this moment: who else needs one of them shares it.
    held: Mutex<BTreeMap<NodeId, Weak<Frame>>>,
    /// Who may load a table at the moment, so that none is loaded twice at once.
    turns: Mutex<BTreeMap<NodeId, Arc<tokio::sync::Mutex<()>>>>,
    /// How many nodes have yet to read each table whole.
    readers: Mutex<Vec<usize>>,
    /// Results of this run so far.
    done: Mutex<BTreeMap<NodeId, Arc<Done>>>,
}

/// Makes room for a table of so many bytes, or says that there can be none. `less` is how many nodes have yet to read a table
/// that is kept, if these are fewer than those that have yet to read the new one: such tables give way, the least wanted first.
fn make_room(
    tables: &mut BTreeMap<NodeId, Arc<Frame>>,
    bytes: usize,
    less: impl Fn(NodeId) -> Option<usize>,
) -> bool {
    let mut taken: usize = tables.values().map(|table| table.bytes()).sum();
    let given_up = tables
        .iter()
        .filter_map(|(&id, table)| Some((less(id)?, id, table.bytes())));
    let mut given_up: Vec<(usize, NodeId, usize)> = given_up.collect();
    given_up.sort_unstable();
    let mut count = 0;
    while taken + bytes > KEPT {
        let Some((_, _, freed)) = given_up.get(count) else {
            return false;
        };
        taken -= freed;
        count += 1;
    }
    for (_, id, _) in &given_up[..count] {
        tables.remove(id);
    }
    true
}

impl Frames {
    /// Of a plan of so many nodes, of which none is expected to run.
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            tables: Mutex::default(),
            held: Mutex::default(),
            turns: Mutex::default(),
            readers: Mutex::new(vec![0; nodes]),
            done: Mutex::default(),
        }
    }

    /// The result of a node that ran or was known in this run.
    pub(super) fn done(&self, id: NodeId) -> Option<Arc<Done>> {
        lock(&self.done).get(&id).cloned()
    }

    /// Notes a node's result, so that others can read it.
    pub(super) fn has_result(&self, id: NodeId, done: Arc<Done>) {
        lock(&self.done).insert(id, done);
    }

    /// Keeps a table in memory if it is shown to people when the run is over, or nodes that read it whole have yet to run.
    ///
    /// # Errors
    /// When polars cannot copy its texts.
    pub(super) fn remember(
        &self,
        plan: &Plan,
        id: NodeId,
        frame: Frame,
    ) -> Result<Arc<Frame>, FrameError> {
        let shown = |id: NodeId| plan.node(id).name.kind.about().gives == Gives::Shown;
        let wanted = shown(id) || lock(&self.readers)[id.0] > 0 && frame.bytes() <= KEPT;
        // Rows that were taken of a table hold on to all of its texts, also when that is given up.
        let frame = Arc::new(if wanted { frame.compact()? } else { frame });
        if wanted {
            let readers = lock(&self.readers);
            let mut tables = lock(&self.tables);
            let less = |kept: NodeId| {
                let count = readers[kept.0];
                (!shown(kept) && count < readers[id.0]).then_some(count)
            };
            // What is much is read again from the cache: nodes that wait for a model hold what they read.
            if shown(id) || make_room(&mut tables, frame.bytes(), less) {
                tables.insert(id, Arc::clone(&frame));
            }
        }
        lock(&self.held).insert(id, Arc::downgrade(&frame));
        Ok(frame)
    }

    /// A table that is in memory.
    pub(super) fn remembered(&self, id: NodeId) -> Option<Arc<Frame>> {
        let kept = lock(&self.tables).get(&id).map(Arc::clone);
        kept.or_else(|| lock(&self.held).get(&id)?.upgrade())
    }

    /// What has to be held while a table is loaded.
    pub(super) fn turn(&self, id: NodeId) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(lock(&self.turns).entry(id).or_default())
    }

    /// A node has its result: what it read is needed once less, and forgotten when nobody needs it.
    pub(super) fn has_read(&self, plan: &Plan, id: NodeId) {
        if plan.node(id).stage.looks_at().is_some() {
            return;
        }
        let inputs: BTreeSet<NodeId> = plan.node(id).inputs.iter().copied().collect();
        let mut readers = lock(&self.readers);
        for input in inputs {
            readers[input.0] = readers[input.0].saturating_sub(1);
            if readers[input.0] == 0 {
                lock(&self.tables).remove(&input);
            }
        }
    }

    /// Notes which nodes are yet to run and will read tables.
    pub(super) fn expect(&self, plan: &Plan, to_run: &[NodeId]) {
        let mut readers = lock(&self.readers);
        for node in to_run.iter().map(|&id| plan.node(id)) {
            if node.stage.looks_at().is_none() {
                for input in node.inputs.iter().collect::<BTreeSet<_>>() {
                    readers[input.0] += 1;
                }
            }
        }
    }

    /// Forgets what the nodes came to, before the plan is walked once more.
    pub(super) fn reset(&self) {
        lock(&self.readers).fill(0);
        lock(&self.tables).clear();
        lock(&self.held).clear();
        lock(&self.done).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;

    /// A table of so many MB.
    fn table(size: usize) -> Arc<Frame> {
        let text = ColumnData::text(["x".repeat(size << 20)]);
        Arc::new(Frame::new(vec![("text".to_owned(), text)]).unwrap())
    }

    #[test]
    fn a_table_that_more_nodes_have_yet_to_read_takes_the_place_of_others() {
        // By node: MB, and how many have yet to read it.
        let kept = [(40, 2), (15, 1), (2, 1)];
        for (size, readers, left) in [
            (6, 1, &[0, 1, 2][..]),
            (15, 1, &[0, 1, 2]),
            (20, 2, &[0, 2]),
            (23, 2, &[0]),
            (30, 2, &[0, 1, 2]),
            (60, 3, &[]),
            (70, 9, &[0, 1, 2]),
        ] {
            let tables = kept.iter().enumerate();
            let tables = tables.map(|(at, (size, _))| (NodeId(at), table(*size)));
            let mut tables: BTreeMap<NodeId, Arc<Frame>> = tables.collect();
            let less = |id: NodeId| Some(kept[id.0].1).filter(|kept| *kept < readers);
            let bytes = table(size).bytes();
            let room = make_room(&mut tables, bytes, less);
            let ids: Vec<usize> = tables.keys().map(|id| id.0).collect();
            assert_eq!(ids, left, "{size} MB for {readers}");
            let taken: usize = tables.values().map(|table| table.bytes()).sum();
            assert_eq!(room, taken + bytes <= KEPT, "{size} MB for {readers}");
        }
    }
}
