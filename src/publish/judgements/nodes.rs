//! The nodes of a run that a page's judgements come of.

use super::columns::{Columns, Part};
use crate::engine::{Ended, Loaded};
use crate::plan::{NodeId, Plan};
use crate::stage::{Kind, Stage};

/// The judges of a run, and the columns of what came of them.
pub(super) fn judges(loaded: &[Loaded], ended: &Ended) -> (Vec<NodeId>, Columns) {
    let plan = ended.engine.plan();
    let names = loaded.iter().map(|loaded| loaded.spec.name.as_str());
    let parts: Vec<Part<'_>> = names.zip(&ended.places).collect();
    let judges = plan.ids();
    let judges = judges.filter(|&id| plan.node(id).name.kind == Kind::Judge);
    let judges: Vec<NodeId> = judges.collect();
    let columns = Columns::new(plan, &judges, &parts);
    (judges, columns)
}

/// For each node, whether its documents were manipulated.
pub(super) fn damaged(plan: &Plan) -> Vec<bool> {
    let mut damaged: Vec<bool> = Vec::with_capacity(plan.nodes.len());
    for node in &*plan.nodes {
        let itself =
            matches!(&*node.stage, Stage::Manipulate(manipulate) if manipulate.recipe.is_some());
        let before = node.inputs.iter().any(|input| damaged[input.0]);
        damaged.push(itself || before);
    }
    damaged
}

/// The stages that wrote texts by asking models, each once.
pub(super) fn generated(plan: &Plan) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for node in &*plan.nodes {
        let name = node.name.to_string();
        if node.name.kind == Kind::Generate && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
