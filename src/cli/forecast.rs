//! What a run would do, for `plan` and `why`; and the results of stages that ask nobody, for
//! `show`.
//!
//! Stages that ask nobody and stand before every model are run first: they cost nothing, and
//! without their rows nobody could say how many calls there will be.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::runtime::Runtime;

use super::args::SpecArgs;
use super::load::{load, warn};
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::lock::lock;
use crate::cli::events::{Form, Progress};
use crate::engine::{
    Engine, Event, Forecast, Interrupt, Loaded, Options, Outcome, Run, Sink, forecast, lacking,
    options,
};
use crate::frame::Frame;
use crate::models::wire::Secrets;
use crate::plan::{Node, NodeId, Plan};
use crate::stage::{Relation, StageName};

/// A plan with what a run of it would do, node by node.
pub(super) struct Outlook {
    pub(super) loaded: Loaded,
    pub(super) plan: Plan,
    pub(super) forecasts: Vec<Forecast>,
    /// Nodes that were run to know what models would be asked.
    pub(super) computed: usize,
}

pub(super) fn outlook(
    args: &SpecArgs,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<Outlook, Error> {
    let loaded = load(&args.spec, &args.changes, terminal)?;
    if !quiet {
        warn(std::slice::from_ref(&loaded), terminal);
    }
    let plan = &loaded.plan;
    let problems = lacking(&loaded, plan, false, &Interrupt::default());
    if problems.has_errors() {
        let drawn = problems.render(loaded.layers.sources(), terminal.style());
        return Err(Error::drawn(Exit::Spec, drawn));
    }
    let told = Told::new(quiet, terminal);
    let free = plan.before_models();
    let mut computed = 0;
    if !free.nodes.is_empty() {
        computed = run_free(&loaded, free, &told)?.2.summary.ran;
    }
    let engine = silent(&loaded, plan.clone(), &told)?;
    let forecasts = forecast(&engine, &engine.last_keys(&loaded.spec.name));
    let plan = engine.plan().clone();
    told.tell(terminal);
    Ok(Outlook {
        loaded,
        plan,
        forecasts,
        computed,
    })
}

/// A plan that was run, and results of some of its nodes.
pub(super) type Results = (Plan, Vec<(NodeId, Arc<Frame>)>);

/// The plan's nodes, of which those that ask models must be answered already, with the results of those of
/// one stage, in their order.
pub(super) fn results(
    loaded: &Loaded,
    plan: Plan,
    stage: &StageName,
    terminal: &mut Terminal,
) -> Result<Results, Error> {
    let (looked, plan) = look(loaded, plan, |node| node.name == *stage, terminal)?;
    let frames = looked.into_iter().map(|(id, (frame, _))| (id, frame));
    Ok((plan, frames.collect()))
}

/// The results of some nodes, each with what it did with rows, if it is a relation.
pub(super) type Looked = BTreeMap<NodeId, (Arc<Frame>, Option<Relation>)>;

/// The plan's nodes, of which those that ask models must be answered already, with the results of those that are wanted.
pub(super) fn look(
    loaded: &Loaded,
    plan: Plan,
    wanted: impl Fn(&Node) -> bool,
    terminal: &mut Terminal,
) -> Result<(Looked, Plan), Error> {
    let told = Told::new(false, terminal);
    let (engine, runtime, run) = run_free(loaded, plan, &told)?;
    let plan = engine.plan().clone();
    let mut looked = Looked::new();
    for id in plan.ids().filter(|&id| wanted(plan.node(id))) {
        let frame = runtime.block_on(engine.result(id))?;
        let relation = match &run.outcomes[id.0] {
            Outcome::Done(done) => done.summary.counts.relation.clone(),
            _ => None,
        };
        looked.insert(id, (frame, relation));
    }
    told.tell(terminal);
    Ok((looked, plan))
}

/// What several engines tell: warnings, each once, and which books are fetched.
#[derive(Clone)]
pub(super) struct Told {
    /// What is about no node; several engines may say the same.
    general: Arc<Mutex<BTreeSet<String>>>,
    progress: Arc<Progress>,
}

impl Told {
    pub(super) fn new(quiet: bool, terminal: &Terminal) -> Self {
        let form = match (quiet, terminal.live) {
            (true, _) => Form::Silent,
            (_, true) => Form::Bars,
            (_, false) => Form::Lines,
        };
        Self {
            general: Arc::default(),
            progress: Progress::new(form, terminal.messages, None),
        }
    }

    pub(super) fn sink(&self) -> Sink {
        let told = self.clone();
        Arc::new(move |event: Event| {
            match &event {
                Event::Warning {
                    node: None,
                    message,
                } => {
                    told.general().insert(message.clone());
                }
                Event::Warning { .. } | Event::Fetching { .. } => told.progress.take(&event),
                // All else is over before anyone looks.
                _ => {}
            }
        })
    }

    /// Tells the warnings, apart from the result that follows.
    pub(super) fn tell(&self, terminal: &mut Terminal) {
        for message in std::mem::take(&mut *self.general()) {
            terminal.warn(&message);
        }
        if self.progress.finish() {
            terminal.gap();
        }
    }

    fn general(&self) -> MutexGuard<'_, BTreeSet<String>> {
        lock(&self.general)
    }
}

/// An engine whose nodes are not run, or ask nobody: what would ask a model is known, or an error.
fn silent(loaded: &Loaded, plan: Plan, told: &Told) -> Result<Engine, Error> {
    let offline = plan.before_models().nodes.len() < plan.nodes.len();
    engine(loaded, plan, told, offline, Secrets::default())
}

/// An engine without limits, for looking at a plan; `offline` has it ask nobody.
pub(super) fn engine(
    loaded: &Loaded,
    plan: Plan,
    told: &Told,
    offline: bool,
    secrets: Secrets,
) -> Result<Engine, Error> {
    let options = Options {
        offline,
        secrets: Arc::new(secrets),
        ..options(std::slice::from_ref(loaded))
    };
    Ok(Engine::new(
        plan,
        loaded.templates.clone(),
        &options,
        Interrupt::default(),
        told.sink(),
    )?)
}

/// Runs nodes that ask nobody.
fn run_free(loaded: &Loaded, plan: Plan, told: &Told) -> Result<(Engine, Runtime, Run), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let engine = silent(loaded, plan, told)?;
    let run = runtime.block_on(engine.run());
    told.progress.clear();
    for (node, outcome) in engine.plan().nodes.iter().zip(&run.outcomes) {
        if let Outcome::Failed(failure) = outcome {
            return Err(failure.clone().at(node.title()).into());
        }
    }
    Ok((engine, runtime, run))
}
