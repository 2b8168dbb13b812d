//! Several plans as one, so that what they share is looked up, loaded and run once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Node, NodeId, Plan};
use crate::frame::Scalar;
use crate::stage::Stage;

/// Nodes by most of what makes them what they are. The rest is compared: to print it would take most of the time in which a
/// plan is made.
#[derive(Default)]
pub(super) struct Known(BTreeMap<String, Vec<NodeId>>);

impl Known {
    /// The node of a plan that stands under a name, does the same as a stage, and is the same in all else.
    pub(super) fn find(
        &self,
        name: &str,
        plan: &Plan,
        stage: &Arc<Stage>,
        else_same: impl Fn(&Node) -> bool,
    ) -> Option<NodeId> {
        let same = |id: &&NodeId| {
            let other = plan.node(**id);
            else_same(other) && (Arc::ptr_eq(&other.stage, stage) || other.stage == *stage)
        };
        self.0.get(name)?.iter().find(same).copied()
    }

    pub(super) fn add(&mut self, name: String, id: NodeId) {
        self.0.entry(name).or_default().push(id);
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
                let inputs = node.inputs.iter().map(|input| of_plan[input.0]);
                let inputs: Vec<NodeId> = inputs.collect();
                let title = node.title();
                let id = known.find(&title, &joined, &node.stage, |other| {
                    same_but_for_stage(node, &inputs, other)
                });
                of_plan.push(id.unwrap_or_else(|| {
                    let id = NodeId(joined.nodes.len());
                    let node = node.clone();
                    Arc::make_mut(&mut joined.nodes).push(Node { inputs, ..node });
                    known.add(title, id);
                    id
                }));
            }
            places.push(of_plan);
        }
        (joined, places)
    }
}

/// Whether a node, with inputs in the joined plan, is another one, but for what its stage does.
fn same_but_for_stage(node: &Node, inputs: &[NodeId], other: &Node) -> bool {
    let Node {
        name,
        stage: _,
        labels,
        settings,
        inputs: _,
        reads,
        seed,
        variants,
    } = node;
    (name, inputs, reads, seed, variants)
        == (
            &other.name,
            other.inputs.as_slice(),
            &other.reads,
            &other.seed,
            &other.variants,
        )
        && to_the_bit(labels).eq(to_the_bit(&other.labels))
        && to_the_bit(named(settings)).eq(to_the_bit(named(&other.settings)))
}

fn named(values: &[(String, Scalar)]) -> impl Iterator<Item = (&String, &Scalar)> {
    values.iter().map(|(name, value)| (name, value))
}

/// Values with their names, and numbers to the bit: zero has a negative, which equals it.
fn to_the_bit<'n>(
    values: impl IntoIterator<Item = (&'n String, &'n Scalar)>,
) -> impl Iterator<Item = (&'n String, &'n Scalar, u64)> {
    values.into_iter().map(|(name, value)| {
        let bits = match value {
            Scalar::Float(number) => number.to_bits(),
            _ => 0,
        };
        (name, value, bits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_and_its_negative_are_two_values_and_names_count() {
        let of = |name: &str, number: f64| [(name.to_owned(), Scalar::Float(number))];
        let same = |one: &[(String, Scalar)], other: &[(String, Scalar)]| {
            to_the_bit(named(one)).eq(to_the_bit(named(other)))
        };
        assert!(same(&of("level", 0.5), &of("level", 0.5)));
        assert!(!same(&of("level", 0.0), &of("level", -0.0)));
        assert!(!same(&of("level", 0.5), &of("other", 0.5)));
        assert!(!same(&of("level", 0.5), &[]));
    }
}
