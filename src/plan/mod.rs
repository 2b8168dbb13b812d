//! The plan: which stage instances an experiment consists of, and what each reads.
//!
//! A stage is instantiated once per distinct combination of the axes that reach it, so documents
//! are cleaned once although ten models read them. Statistics and tables gather all instances of
//! what they read. This module is pure: it reads no files and knows nothing of the cache.

mod build;
mod check;
mod dot;
mod join;
mod key;
mod places;
mod reuse;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};
use std::sync::Arc;

pub use self::check::problem;
pub use self::dot::dot;
use self::join::Known;
pub use self::key::{NodeKey, Read};
use crate::frame::Scalar;
use crate::stage::{Stage, StageName};

/// Position of a node in [`Plan::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub usize);

/// One stage instance.
#[derive(Clone, Debug)]
pub struct Node {
    /// The stage.
    pub name: StageName,
    /// What it does, with all parameters resolved.
    pub stage: Arc<Stage>,
    /// Axis values set here: they become columns of the result.
    pub labels: BTreeMap<String, Scalar>,
    /// All axis values that reach this node, in the order of the axes.
    pub settings: Vec<(String, Scalar)>,
    /// The nodes it reads: for each stage read, in that order, its instances in plan order.
    pub inputs: Vec<NodeId>,
    /// The stages that these are instances of, if the result names them.
    pub reads: Vec<Read>,
    /// The seed, if the result depends on it.
    pub seed: Option<u64>,
    /// The ablations it belongs to; the base experiment is the empty name.
    pub variants: BTreeSet<String>,
}

impl Node {
    /// The node's unique name, such as `judge.vanilla[model=LI, length=2000]`.
    pub fn title(&self) -> String {
        let mut title = self.name.to_string();
        let mut between = "[";
        let mut add = |name: &str, value: &dyn Display| {
            // To write into a text cannot fail.
            let _ = write!(title, "{between}{name}={value}");
            between = ", ";
        };
        for (axis, value) in &self.settings {
            add(axis, value);
        }
        if !self.variants.contains("") {
            let names: Vec<&str> = self.variants.iter().map(String::as_str).collect();
            add("ablation", &names.join("+"));
        }
        if between != "[" {
            title.push(']');
        }
        title
    }
}

/// All nodes of an experiment, each after the nodes it reads.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The nodes, in an order in which they can run; copies of a plan share them.
    pub nodes: Arc<Vec<Node>>,
}

impl Plan {
    /// A node.
    ///
    /// # Panics
    /// When the id is of another plan.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// All ids, in running order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    /// Whether some of the documents were chosen before a node reads them.
    pub fn chooses_before(&self, id: NodeId) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let node = self.node(id);
            if matches!(&*node.stage, Stage::Select(select) if select.chooses()) {
                return true;
            }
            open.extend(node.inputs.iter().copied().filter(|id| seen.insert(*id)));
        }
        false
    }

    /// For each node, the nodes that read it.
    pub fn readers(&self) -> Vec<Vec<NodeId>> {
        let mut readers = vec![Vec::new(); self.nodes.len()];
        for id in self.ids() {
            for input in &self.node(id).inputs {
                if readers[input.0].last() != Some(&id) {
                    readers[input.0].push(id);
                }
            }
        }
        readers
    }

    /// Only the nodes of these stages and what they need.
    #[must_use]
    pub fn only(&self, targets: &BTreeSet<StageName>) -> Self {
        self.only_nodes(|node| targets.contains(&node.name))
    }

    /// Only these nodes and what they need.
    #[must_use]
    pub fn only_nodes(&self, target: impl Fn(&Node) -> bool) -> Self {
        let mut wanted = vec![false; self.nodes.len()];
        for id in self.ids().rev() {
            wanted[id.0] |= target(self.node(id));
            if wanted[id.0] {
                for input in &self.node(id).inputs {
                    wanted[input.0] = true;
                }
            }
        }
        self.keep(&wanted)
    }

    /// Only the nodes that ask nobody and stand before every one that does.
    #[must_use]
    pub fn before_models(&self) -> Self {
        let mut wanted = vec![false; self.nodes.len()];
        for id in self.ids() {
            let node = self.node(id);
            wanted[id.0] =
                !node.name.kind.asks() && node.inputs.iter().all(|input| wanted[input.0]);
        }
        self.keep(&wanted)
    }

    /// The nodes marked, which must include what they read.
    fn keep(&self, wanted: &[bool]) -> Self {
        let mut new_id = vec![None; self.nodes.len()];
        let mut plan = Self::default();
        for id in self.ids().filter(|id| wanted[id.0]) {
            new_id[id.0] = Some(NodeId(plan.nodes.len()));
            let mut node = self.node(id).clone();
            node.inputs = node
                .inputs
                .iter()
                .filter_map(|input| new_id[input.0])
                .collect();
            Arc::make_mut(&mut plan.nodes).push(node);
        }
        plan
    }
}
