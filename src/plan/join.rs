//! Several plans as one, so that what they share is looked up, loaded and run once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Node, NodeId, Plan};
use crate::stage::Stage;

/// Nodes by what makes them what they are. What their stages do is compared: it is long, and to print it would take most
/// of the time in which a plan is made.
#[derive(Default)]
pub(super) struct Known(BTreeMap<String, Vec<NodeId>>);

impl Known {
    /// The node of a plan that does the same as a stage, and is the same in all the `rest`.
    pub(super) fn find(&self, rest: &str, plan: &Plan, stage: &Arc<Stage>) -> Option<NodeId> {
        let same = |id: &&NodeId| {
            let other = &plan.node(**id).stage;
            Arc::ptr_eq(other, stage) || other == stage
        };
        self.0.get(rest)?.iter().find(same).copied()
    }

    pub(super) fn add(&mut self, rest: String, id: NodeId) {
        self.0.entry(rest).or_default().push(id);
    }
}

impl Plan {
    /// Joins plans: nodes that are the same in all that makes them what they are, and read the same, are there once.
    /// With it, for each plan, where its nodes are in the joined one.
    pub fn join(plans: &[Self]) -> (Self, Vec<Vec<NodeId>>) {
        let mut joined = Self::default();
        let mut known = Known::default();
        let mut places = Vec::with_capacity(plans.len());
        for plan in plans {
            let mut of_plan: Vec<NodeId> = Vec::with_capacity(plan.nodes.len());
            for node in &*plan.nodes {
                let inputs = node.inputs.iter().map(|input| of_plan[input.0]).collect();
                let node = Node {
                    inputs,
                    ..node.clone()
                };
                let rest = rest(&node);
                let id = known.find(&rest, &joined, &node.stage);
                of_plan.push(id.unwrap_or_else(|| {
                    let id = NodeId(joined.nodes.len());
                    Arc::make_mut(&mut joined.nodes).push(node);
                    known.add(rest, id);
                    id
                }));
            }
            places.push(of_plan);
        }
        (joined, places)
    }
}

/// Everything of a node but what its stage does, its inputs as nodes of the joined plan.
fn rest(node: &Node) -> String {
    let Node {
        name,
        stage: _,
        labels,
        settings,
        inputs,
        seed,
        variants,
    } = node;
    format!("{name} {labels:?} {settings:?} {inputs:?} {seed:?} {variants:?}")
}
