//! What a run came to, spec by spec, and what is known of the stages that it did not come to, because it was of some stages
//! only, failed or was stopped: what an earlier run stored and the spec still asks for is shown too, so that a folder of
//! reports never mixes what holds with what does not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;
use tokio::runtime::Runtime;

use super::event::{Sink, Summary};
use super::execute::Engine;
use super::interrupt::Interrupt;
use super::loaded::{Loaded, options};
use super::outcome::{Outcome, Run};
use crate::base::exit::Exit;
use crate::cache::CacheError;
use crate::plan::{NodeId, Plan};
use crate::stage::Stage;

/// What a run came to for one spec.
pub struct Finished {
    /// Its plan.
    pub plan: Plan,
    /// What became of it.
    pub run: Run,
}

/// A run that came to an end, however it did.
pub struct Ended {
    /// What it came to for each spec.
    pub parts: Vec<Finished>,
    /// Knows the results; its plan is that of all specs as one.
    pub engine: Engine,
    /// What it came to for the joined plan, without the rows that are exported.
    pub whole: Run,
    /// For each spec, where its nodes are in the joined plan.
    pub places: Vec<Vec<NodeId>>,
    /// Whether only some stages of the spec were run.
    pub partly: bool,
    /// What it came to.
    pub summary: Summary,
    /// How the command ends.
    pub exit: Exit,
    /// For each spec, the tables that the run itself came to, where others are known from before.
    came: Option<Vec<Came>>,
    /// Keeps the keyboard listened to, until the tables are written.
    pub runtime: Runtime,
}

impl Finished {
    /// Whether there is a result for everything.
    pub fn is_complete(&self) -> bool {
        let mut outcomes = self.run.outcomes.iter();
        outcomes.all(|outcome| matches!(outcome, Outcome::Done(_)))
    }
}

impl Ended {
    /// What a run came to, of joined plans, with `places` where the nodes of each are.
    pub fn new(
        plans: Vec<Plan>,
        places: Vec<Vec<NodeId>>,
        (engine, mut run): (Engine, Run),
        exit: Exit,
        runtime: Runtime,
    ) -> Self {
        let parts = plans
            .into_par_iter()
            .zip(&places)
            .map(|(plan, places)| Finished {
                run: run.part(places, &plan),
                plan,
            });
        let parts = parts.collect();
        run.exports.clear();
        Self {
            parts,
            exit,
            summary: run.summary.clone(),
            whole: run,
            places,
            partly: false,
            came: None,
            engine,
            runtime,
        }
    }

    /// Whether the run itself came to a table of an experiment, rather than one before it.
    pub fn came_to(&self, at: usize, variant: &str, table: &str) -> bool {
        let came = self.came.as_ref();
        came.is_none_or(|came| came[at].contains(&(variant.to_owned(), table.to_owned())))
    }
}

/// All that is known of some specs, nothing being run.
pub struct Known {
    /// The plan of each.
    pub plans: Vec<Plan>,
    /// For each, where its nodes are in the joined plan.
    pub places: Vec<Vec<NodeId>>,
    /// Knows the results.
    pub engine: Engine,
    /// What is known.
    pub run: Run,
}

/// What is known of specs.
pub fn known(loaded: &[Loaded], sink: Sink, runtime: &Runtime) -> Result<Known, CacheError> {
    let plans: Vec<Plan> = loaded.iter().map(|loaded| loaded.plan.clone()).collect();
    let (plan, places) = Plan::join(&plans);
    let engine = Engine::new(
        plan,
        loaded[0].templates.clone(),
        &options(loaded),
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
type Came = BTreeSet<(String, String)>;

/// A run with what is known of the stages that it did not come to; one that came to all stays as it is.
pub fn fill(loaded: &[Loaded], ended: Ended) -> Result<Ended, CacheError> {
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
    run.tables.retain(done);
    run.exports.retain(|id, _| done(id));
    run.summary = ended.summary.clone();
    let came = ended.parts.iter().map(came).collect();
    Ok(Ended {
        came: Some(came),
        partly: ended.partly,
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
