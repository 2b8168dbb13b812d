//! What a run would do, for `plan` and `why`.
//!
//! Stages that ask nobody and stand before every model are run first: they cost nothing, and
//! without their rows nobody could say how many calls there will be. Books that they read are
//! fetched for that.

use std::sync::{Arc, Mutex, PoisonError};

use super::args::SpecArgs;
use super::exit::{Error, Exit};
use super::load::{Loaded, load};
use super::output::Terminal;
use crate::engine::{Engine, Event, Forecast, Interrupt, Options, Sink, forecast};
use crate::plan::Plan;
use crate::show::{Form, Progress};
use crate::stage::Kind;

/// A plan with what a run of it would do, node by node.
pub(super) struct Outlook {
    pub(super) loaded: Loaded,
    pub(super) plan: Plan,
    pub(super) forecasts: Vec<Forecast>,
}

pub(super) fn outlook(
    args: &SpecArgs,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<Outlook, Error> {
    let loaded = load(&args.spec, &args.sets, terminal)?;
    if !quiet {
        loaded.warn(terminal);
    }
    let plan = Plan::new(&loaded.spec);
    let options = Options {
        folders: loaded.spec.folders.clone(),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        keep_going: true,
        // What is run stands before every model.
        offline: false,
    };
    let warnings: Arc<Mutex<Vec<String>>> = Arc::default();
    let form = match (quiet, terminal.live) {
        (true, _) => Form::Silent,
        (_, true) => Form::Bars,
        (_, false) => Form::Lines,
    };
    let progress = Progress::new(form, terminal.color_err);
    let sink: Sink = {
        let (warnings, progress) = (Arc::clone(&warnings), Arc::clone(&progress));
        Arc::new(move |event: Event| {
            let Event::Warning { node, message } = event else {
                // All else is over before anyone looks.
                if matches!(event, Event::Fetching { .. }) {
                    progress.take(&event);
                }
                return;
            };
            let message = match node {
                Some(node) => format!("{node}: {message}"),
                None => message,
            };
            let mut warnings = warnings.lock().unwrap_or_else(PoisonError::into_inner);
            if !warnings.contains(&message) {
                warnings.push(message);
            }
        })
    };
    let engine = |plan: Plan| {
        Engine::new(
            plan,
            loaded.templates.clone(),
            &options,
            Interrupt::default(),
            Arc::clone(&sink),
        )
    };
    let free = plan.before(Kind::Judge);
    if !free.nodes.is_empty() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let run = runtime.block_on(engine(free.clone())?.run());
        progress.finish();
        for (node, outcome) in free.nodes.iter().zip(&run.outcomes) {
            if let crate::engine::Outcome::Failed(failure) = outcome {
                return Err(Error {
                    exit: Exit::Stage,
                    ..failure.clone().at(node.title()).into()
                });
            }
        }
    }
    let engine = engine(plan)?;
    let forecasts = forecast(&engine, &engine.last_keys(&loaded.spec.name));
    let plan = engine.plan().clone();
    let head = terminal.paint("warning:", "33");
    for message in &*warnings.lock().unwrap_or_else(PoisonError::into_inner) {
        terminal.note(&format!("{head} {message}"));
    }
    Ok(Outlook {
        loaded,
        plan,
        forecasts,
    })
}
