//! The keys of model servers, read from the environment.

use std::collections::BTreeSet;

use crate::models::wire::Secrets;
use crate::plan::Plan;

/// The keys that the models of a plan name: the only place where one is read.
pub(super) fn secrets(plan: &Plan) -> Secrets {
    let models = plan.nodes.iter().filter_map(|node| node.stage.model());
    let servers = models.filter_map(|model| model.provider.server());
    let names: BTreeSet<&str> = servers.filter_map(|server| server.key.as_deref()).collect();
    Secrets::read(names, |name| std::env::var_os(name))
}
