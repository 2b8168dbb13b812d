//! Who does the work: this process, or jobs of a cluster.

use std::sync::Arc;

use crate::cluster::crew::Crew;
use crate::cluster::desk::Desk;
use crate::cluster::fleet::Fleet;
use crate::plan::Node;

/// Who does the work.
#[derive(Clone, Debug, Default)]
pub enum Cluster {
    /// This process, all of it.
    #[default]
    None,
    /// Jobs, that of the fleet's crews.
    Fleet(Arc<Fleet>),
    /// This process is such a job.
    Job(Arc<Desk>),
}

impl Cluster {
    /// The fleet that works for a node, if one does, and who of it: of what calls no model, only if that is worth it.
    pub(super) fn fleet_of(&self, node: &Node) -> Option<(&Arc<Fleet>, Crew)> {
        let Self::Fleet(fleet) = self else {
            return None;
        };
        let crew = crew_of(node);
        let able = match &crew {
            Crew::Model(_) => fleet.needs(&crew).is_some(),
            Crew::Stages => fleet.computes(node.name.kind.name()),
        };
        able.then_some((fleet, crew))
    }
}

/// Who works for a node, where anybody does.
pub fn crew_of(node: &Node) -> Crew {
    match node.stage.model() {
        Some(model) => Crew::of_model(&model.name),
        None => Crew::Stages,
    }
}
