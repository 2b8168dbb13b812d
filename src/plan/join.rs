//! Several plans as one, so that what they share is looked up, loaded and run once.

use std::collections::BTreeMap;

use super::{Node, NodeId, Plan};
use crate::base::key::Digest;

impl Plan {
    /// Joins plans: nodes that are the same in all that makes them what they are, and read the same, are there once.
    /// With it, for each plan, where its nodes are in the joined one.
    pub fn join(plans: &[Self]) -> (Self, Vec<Vec<NodeId>>) {
        let mut joined = Self::default();
        let mut known: BTreeMap<Digest, NodeId> = BTreeMap::new();
        let mut places = Vec::with_capacity(plans.len());
        for plan in plans {
            let mut of_plan: Vec<NodeId> = Vec::with_capacity(plan.nodes.len());
            for node in &plan.nodes {
                let inputs = node.inputs.iter().map(|input| of_plan[input.0]).collect();
                let node = Node {
                    inputs,
                    ..node.clone()
                };
                let id = *known.entry(identity(&node)).or_insert_with(|| {
                    joined.nodes.push(node);
                    NodeId(joined.nodes.len() - 1)
                });
                of_plan.push(id);
            }
            places.push(of_plan);
        }
        (joined, places)
    }
}

/// Everything of a node, its inputs as nodes of the joined plan.
fn identity(node: &Node) -> Digest {
    Digest::of(format!("{node:?}"))
}
