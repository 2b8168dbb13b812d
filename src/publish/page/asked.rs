//! Models as specs name them, as servers report them, and counts of their replies.

use indexmap::IndexMap;

use super::made::Made;
use crate::engine::Finished;
use crate::models::spec::{ModelSpec, Provider};
use crate::output::page::facts::Answering;
use crate::output::page::findings::Asked;

/// What stages that ask came to, by stage and model.
pub(super) fn asked(finished: &Finished) -> Vec<Asked> {
    let mut all: IndexMap<(String, &str), Asked> = IndexMap::new();
    for id in finished.plan.ids() {
        let node = finished.plan.node(id);
        let (Some(model), Some(done)) = (node.stage.model(), finished.run.done(id)) else {
            continue;
        };
        let counts = &done.summary.counts;
        let writes = node.stage.asking().is_some() && counts.written + total(&counts.unwritten) > 0;
        let stage = node.name.to_string();
        let entry = all.entry((stage, &model.name)).or_default();
        entry.stage = node.name.to_string();
        entry.model.clone_from(&model.name);
        entry.writes |= writes;
        entry.there += counts.scored + counts.written;
        entry.contradicted += counts.contradicted;
        for (reason, n) in counts.unscored.iter().chain(&counts.unwritten) {
            *entry.missing.entry(reason.clone()).or_default() += n;
        }
    }
    all.into_values().collect()
}

fn total(counts: &std::collections::BTreeMap<String, u64>) -> u64 {
    counts.values().sum()
}

/// The models of all experiments, each once, with the replies of each result counted once.
pub(super) fn models(made: &[Made<'_>]) -> Vec<Answering> {
    let mut all: IndexMap<(String, String), Answering> = IndexMap::new();
    let mut seen = std::collections::BTreeSet::new();
    for made in made {
        let finished = made.finished;
        for id in finished.plan.ids() {
            let Some(model) = finished.plan.node(id).stage.model() else {
                continue;
            };
            let asked = words(model);
            let same = (model.name.clone(), asked.clone());
            let answering = all.entry(same).or_insert_with(|| Answering {
                name: model.name.clone(),
                asked,
                ..Answering::default()
            });
            if let Some(done) = finished.run.done(id)
                && seen.insert(done.key)
            {
                for (name, replies) in &done.summary.counts.models {
                    *answering.reported.entry(name.clone()).or_default() += replies;
                }
            }
        }
    }
    all.into_values().collect()
}

/// What is asked, in words.
fn words(model: &ModelSpec) -> String {
    let who = match &model.provider {
        Provider::Local(local) => local.provider().words(),
        Provider::Served(server) => {
            format!("a server that speaks {}", server.dialect.contract().speaks)
        }
    };
    let asked = model.model.as_ref().map(|name| format!("{name}, by "));
    let revision = model
        .revision
        .as_ref()
        .map(|revision| format!(", revision {revision}"));
    format!(
        "{}{who}{}",
        asked.unwrap_or_default(),
        revision.unwrap_or_default()
    )
}
