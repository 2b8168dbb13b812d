//! The plan as a graph description for Graphviz.

use petgraph::dot::{Config, Dot};
use petgraph::graph::DiGraph;

use super::Plan;

/// The plan in the dot language; `tribunal plan --dot SPEC | dot -Tsvg` draws it.
pub fn dot(plan: &Plan) -> String {
    let mut graph: DiGraph<String, ()> = DiGraph::new();
    let nodes: Vec<_> = plan
        .nodes
        .iter()
        .map(|node| graph.add_node(node.title()))
        .collect();
    for id in plan.ids() {
        for input in &plan.node(id).inputs {
            graph.add_edge(nodes[input.0], nodes[id.0], ());
        }
    }
    let attributes = |_: &DiGraph<String, ()>, (_, title): (_, &String)| {
        format!("label = {title:?} shape = box")
    };
    let dot = Dot::with_attr_getters(
        &graph,
        &[Config::EdgeNoLabel, Config::NodeNoLabel],
        &|_, _| String::new(),
        &attributes,
    );
    format!("{dot:?}")
}
