//! Who makes calls: this process, or jobs of a cluster.

use std::sync::Arc;

use crate::cluster::desk::Desk;
use crate::cluster::fleet::Fleet;

/// Who makes calls.
#[derive(Clone, Debug, Default)]
pub enum Cluster {
    /// This process, all of them.
    #[default]
    None,
    /// Jobs, those of the fleet's models.
    Fleet(Arc<Fleet>),
    /// This process is such a job.
    Job(Arc<Desk>),
}

impl Cluster {
    /// The fleet that makes the calls of a model, if one does.
    pub(super) fn fleet_of(&self, model: &str) -> Option<&Arc<Fleet>> {
        match self {
            Self::Fleet(fleet) if fleet.serves(model).is_some() => Some(fleet),
            _ => None,
        }
    }
}
