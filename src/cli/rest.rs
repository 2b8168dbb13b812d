//! What is known of the stages that a run did not come to, because it was of some stages only, failed or was stopped:
//! what an earlier run stored and the spec still asks for is shown too, so that a folder of reports never mixes what holds
//! with what does not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::runtime::Runtime;

use super::exit::Error;
use super::load::Loaded;
use super::run::{Ended, Finished, folders};
use crate::engine::{Engine, Interrupt, Limits, Options, Outcome, Run, Sink};
use crate::plan::{NodeId, Plan};
use crate::stage::Stage;

/// All that is known of some specs, nothing being run.
pub(super) struct Known {
    pub(super) plans: Vec<Plan>,
    pub(super) places: Vec<Vec<NodeId>>,
    pub(super) engine: Engine,
    pub(super) run: Run,
}

/// What is known of specs.
pub(super) fn known(loaded: &[Loaded], sink: Sink, runtime: &Runtime) -> Result<Known, Error> {
    let plans: Vec<Plan> = loaded.iter().map(|loaded| loaded.plan.clone()).collect();
    let (plan, places) = Plan::join(&plans);
    let options = Options {
        folders: folders(loaded),
        absent: Arc::clone(&loaded[0].absent),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        keep_going: true,
        offline: true,
        limits: Limits::default(),
        secrets: Arc::default(),
    };
    let engine = Engine::new(
        plan,
        loaded[0].templates.clone(),
        &options,
        Interrupt::default(),
        sink,
    )?;
    let run = runtime.block_on(engine.recall());
    Ok(Known {
        plans,
        places,
        engine,
        run,
    })
}

/// The names of tables and files of rows that a run came to itself, each with its ablation.
pub(super) type Came = BTreeSet<(String, String)>;

/// A run with what is known of the stages that it did not come to; one that came to all stays as it is.
pub(super) fn fill(loaded: &[Loaded], ended: Ended) -> Result<Ended, Error> {
    if !ended.partly && ended.parts.iter().all(Finished::is_complete) {
        return Ok(ended);
    }
    let known = known(loaded, Arc::new(|_| {}), &ended.runtime)?;
    let mut run = known.run;
    for ((plan, places), part) in known.plans.iter().zip(&known.places).zip(&ended.parts) {
        let came_to: BTreeMap<String, &Outcome> = part
            .plan
            .ids()
            .map(|id| (part.plan.node(id).title(), &part.run.outcomes[id.0]))
            .filter(|(_, outcome)| !matches!(outcome, Outcome::Skipped))
            .collect();
        for (id, place) in plan.ids().zip(places) {
            if let Some(outcome) = came_to.get(&plan.node(id).title()) {
                run.outcomes[place.0] = Outcome::clone(outcome);
            } else if matches!(run.outcomes[place.0], Outcome::Failed(_)) {
                // Nobody asked for it.
                run.outcomes[place.0] = Outcome::Skipped;
            }
        }
    }
    // What reads a result that failed now would show one of an earlier attempt.
    let plan = known.engine.plan();
    for id in plan.ids() {
        let lacks = |input: &NodeId| !matches!(run.outcomes[input.0], Outcome::Done(_));
        if plan.node(id).inputs.iter().any(lacks) && matches!(run.outcomes[id.0], Outcome::Done(_))
        {
            run.outcomes[id.0] = Outcome::Skipped;
        }
    }
    let outcomes = &run.outcomes;
    let done = |id: &NodeId| matches!(outcomes[id.0], Outcome::Done(_));
    run.tables.retain(|id, _| done(id));
    run.exports.retain(|id, _| done(id));
    run.summary = ended.summary.clone();
    let came = ended.parts.iter().map(came).collect();
    Ok(Ended {
        came: Some(came),
        partly: ended.partly,
        spoke: ended.spoke,
        ..Ended::new(
            known.plans,
            known.places,
            (known.engine, run),
            ended.exit,
            ended.runtime,
        )
    })
}

fn came(finished: &Finished) -> Came {
    let nodes = finished.plan.ids().filter_map(|id| {
        finished.run.done(id)?;
        Some(finished.plan.node(id))
    });
    let shown = nodes.filter(|node| matches!(*node.stage, Stage::Table(_) | Stage::Export(_)));
    let names = shown.flat_map(|node| {
        let variants = node.variants.iter();
        variants.map(|variant| (variant.clone(), node.name.name.clone()))
    });
    names.collect()
}
