//! Looking for the results of a whole plan: a moment for each, on threads that stay, and before anything runs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;
use serde_json::Value;

use super::node_key;
use super::outcome::{Done, NodeError};
use super::results::Results;
use super::shared::Shared;
use crate::base::key::Digest;
use crate::cache::{Damage, Flaw};
use crate::plan::{NodeId, Plan};

/// What is known of a node before anything runs.
pub(super) enum Look {
    /// What it reads has no result yet; the first such node.
    Waits(NodeId),
    /// Its key cannot be made.
    Fails(NodeError),
    /// Its key, as it is printed for whoever asked for that, and its result if there is one.
    Key(Option<Value>, Digest, Option<Box<Done>>),
}

/// How a result is looked for, by its key.
type Find = fn(&Results, &Digest) -> Result<Option<Done>, Damage>;

/// Looks for the results of all nodes, from the sources down; those of one level of the plan side by side. Damage is told and
/// counts as none.
pub(super) fn looks(shared: &Shared, find: Find) -> Vec<Look> {
    // Printed keys are most of what is known.
    look(shared, find, |_| None)
}

/// The same with the keys as they are printed.
pub(super) fn looks_with_fields(shared: &Shared, find: Find) -> Vec<Look> {
    look(shared, find, Some)
}

fn look(shared: &Shared, find: Find, keep: fn(Value) -> Option<Value>) -> Vec<Look> {
    let plan = &shared.plan;
    let mut looks: Vec<Option<Look>> = plan.ids().map(|_| None).collect();
    for level in levels(plan) {
        // Damage of books is told in the order of the plan; what is lacking is told where a key is made.
        for id in &level {
            let _ = shared.books.digests(plan.node(*id));
        }
        let look = |&id: &NodeId| {
            let (fields, key) = key(shared, id, &looks)?;
            Ok((keep(fields), key, find(&shared.results, &key)))
        };
        let found: Vec<Result<_, Look>> = level.par_iter().map(look).collect();
        // Where nodes have the same result, who comes second finds altered bytes moved aside.
        let damages = found.iter().flatten().filter_map(|(_, _, found)| {
            let damage = found.as_ref().err()?;
            (damage.flaw == Flaw::Altered).then(|| damage.clone())
        });
        let altered: BTreeMap<PathBuf, Damage> = damages
            .map(|damage| (damage.path.clone(), damage))
            .collect();
        for (id, found) in level.into_iter().zip(found) {
            looks[id.0] = Some(match found {
                Err(look) => look,
                Ok((fields, key, found)) => {
                    let first =
                        |damage: Damage| altered.get(&damage.path).cloned().unwrap_or(damage);
                    let known = shared
                        .results
                        .told(&shared.titles[id.0], found.map_err(first));
                    Look::Key(fields, key, known.map(Box::new))
                }
            });
        }
    }
    looks.into_iter().flatten().collect()
}

/// The key of a node as it is printed and its digest, or why there is none.
fn key(shared: &Shared, id: NodeId, looks: &[Option<Look>]) -> Result<(Value, Digest), Look> {
    if shared.interrupt.is_raised() {
        return Err(Look::Fails(NodeError::Interrupted));
    }
    let node = shared.plan.node(id);
    let mut inputs = Vec::new();
    for &input in &node.inputs {
        match &looks[input.0] {
            Some(Look::Key(_, _, Some(done))) => inputs.push(done.output),
            _ => return Err(Look::Waits(input)),
        }
    }
    let key = node_key::key(shared, node, inputs).map_err(Look::Fails)?;
    Ok((key.0, key.1))
}

/// The nodes of a plan, by how many others stand before them at most.
fn levels(plan: &Plan) -> Vec<Vec<NodeId>> {
    let mut levels: Vec<Vec<NodeId>> = Vec::new();
    let mut places: Vec<usize> = Vec::with_capacity(plan.nodes.len());
    for (id, node) in plan.ids().zip(&*plan.nodes) {
        let before = node.inputs.iter().map(|input| places[input.0] + 1);
        let place = before.max().unwrap_or(0);
        places.push(place);
        if levels.len() == place {
            levels.push(Vec::new());
        }
        levels[place].push(id);
    }
    levels
}
