//! Who works for the nodes of a plan: jobs that serve a model, or that compute stages; and for how many nodes.

use std::collections::BTreeMap;

use crate::cluster::crew::Crew;
use crate::cluster::profile::{Needs, Profile};
use crate::engine::crew_of;
use crate::plan::Plan;

/// The crews of a plan, with what their jobs need and how many nodes each works for.
pub(super) fn crews(plan: &Plan, profile: &Profile) -> BTreeMap<Crew, (Needs, usize)> {
    let mut crews: BTreeMap<Crew, (Needs, usize)> = BTreeMap::new();
    for node in &*plan.nodes {
        let needs = match node.stage.model() {
            Some(model) => model.serve.as_deref().map(|serve| &serve.needs),
            None => {
                let kind = node.name.kind.name();
                let stages = profile.stages.as_ref();
                let stages = stages.filter(|stages| stages.has(kind));
                stages.map(|stages| &stages.needs)
            }
        };
        if let Some(needs) = needs {
            let (_, nodes) = crews
                .entry(crew_of(node))
                .or_insert_with(|| (needs.clone(), 0));
            *nodes += 1;
        }
    }
    crews
}
