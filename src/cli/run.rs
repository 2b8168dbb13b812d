//! `tribunal run`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::args::{HowArgs, On, RunArgs};
use super::blame;
use super::choose;
use super::git;
use super::load::{environment, warn};
use super::output::Terminal;
use super::presses::{Press, Presses};
use super::secrets::secrets;
use super::shelf::Shelf;
use super::shortfalls;
use super::shown::{self, publish};
use super::slurm::{Capsule, Submitter};
use super::specs::{load_from, resolve};
use crate::base::exit::{Error, Exit};
use crate::cli::events::{Form, Progress, summary};
use crate::engine::{
    Cluster, Ended, Engine, Event, Interrupt, Limits, Loaded, Options, Outcome, Run, Sink, fill,
    lacking_drawn, options,
};
use crate::plan::Plan;
use crate::publish::{Published, Shown, folder_of_all, keep_records};

pub(super) fn run(args: &RunArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let shelf = Shelf::default();
    let specs = resolve(&args.spec.specs)?;
    let loaded = load_from(&specs, &args.spec.changes, &environment(), &shelf, terminal)?;
    let plans = plans(&loaded, &args.only)?;
    let only: Vec<String> = args
        .only
        .iter()
        .map(|only| format!("--only {only}"))
        .collect();
    let submitter = match args.on {
        None => None,
        Some(On::Slurm) => {
            check_on(&args.how)?;
            let more = only.iter().cloned().chain(["--on slurm".to_owned()]);
            let command = args.spec.command("run", more);
            let (plan, _) = Plan::join(&plans);
            let capsule =
                |secret: &_| Capsule::of(specs, &args.spec.changes, &args.only, &shelf, secret);
            Some(Submitter::new(&loaded, &plan, capsule, command)?)
        }
    };
    let how = (&args.how, submitter);
    let (ended, spoke) = execute_on(&loaded, plans, how, !args.only.is_empty(), terminal)?;
    let Published {
        shown: drawn,
        rows,
        page,
        apart,
        ..
    } = publish(&loaded, &ended, args.how.json, terminal)?;
    for sentence in drawn.iter().flat_map(|shown| &shown.outline().idle_labels) {
        terminal.warn(sentence);
    }
    if !args.how.json {
        let tables = shown::tables(&loaded, &drawn, &ended, terminal)?;
        if !tables.is_empty() {
            if spoke {
                terminal.gap();
            }
            terminal.styled(&tables);
            terminal.gap();
        }
        for file in rows.iter().flatten() {
            terminal.note(&format!("wrote {}", file.display()));
        }
        let on = args.on.map(|On::Slurm| "--on slurm".to_owned());
        let resume = args.spec.command("run", only.into_iter().chain(on));
        let any = !drawn.iter().all(Shown::is_empty);
        let folder = any.then(|| folder_of_all(&loaded));
        terminal.note(&summary(&ended.summary, folder.as_deref(), &resume));
        shown::page(page.as_deref(), apart.as_deref(), &ended, terminal);
        shortfalls::tell(&ended, &args.spec, terminal);
    }
    let exit = shortfalls::exit(&ended, ended.exit);
    // Their memory goes back to the system with the process, all at once.
    std::mem::forget(drawn);
    std::mem::forget((loaded, ended.parts, ended.whole));
    Ok(exit)
}

/// The plans of all specs, or the part of a single one's that some stages need.
pub(super) fn plans(loaded: &[Loaded], stages: &[String]) -> Result<Vec<Plan>, Error> {
    if loaded.len() > 1 && !stages.is_empty() {
        return Err(Error::new(Exit::Usage, "`--only` works with one spec only")
            .hint("name the spec that the stage is in"));
    }
    let plans = loaded.iter().map(|loaded| only(&loaded.plan, stages));
    plans.collect()
}

/// Runs the plans of specs together, shows the progress, and keeps a record for each. To what a run of plans in part
/// (`partly`), or one that failed or was stopped, came to is added what is known of the rest. Also hands back whether
/// anything was said meanwhile that stays.
pub(super) fn execute(
    loaded: &[Loaded],
    plans: Vec<Plan>,
    how: &HowArgs,
    partly: bool,
    terminal: &mut Terminal,
) -> Result<(Ended, bool), Error> {
    execute_on(loaded, plans, (how, None), partly, terminal)
}

/// The same, with calls made by jobs that somebody submits.
fn execute_on(
    loaded: &[Loaded],
    plans: Vec<Plan>,
    (how, submitter): (&HowArgs, Option<Submitter>),
    partly: bool,
    terminal: &mut Terminal,
) -> Result<(Ended, bool), Error> {
    if !how.json && !how.quiet {
        warn(loaded, terminal);
    }
    let (plan, places) = Plan::join(&plans);
    check_prices(&plan, how.max_cost)?;
    let jobs = how.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    let options = Options {
        jobs,
        keep_going: how.keep_going,
        offline: how.offline,
        limits: Limits {
            calls: how.max_calls,
            cost: how.max_cost,
        },
        secrets: Arc::new(secrets(&plan)),
        cluster: submitter.as_ref().map_or(Cluster::None, Submitter::cluster),
        ..options(loaded)
    };
    let form = match (how.json, how.quiet, terminal.live) {
        (true, _, _) => Form::Json,
        (_, true, _) => Form::Silent,
        (_, _, true) => Form::Bars,
        (_, _, false) => Form::Lines,
    };
    let progress = Progress::new(
        form,
        terminal.messages,
        Some(blame::placed(loaded, terminal.style())),
    );
    let interrupt = Interrupt::default();
    let sink: Sink = {
        let progress = Arc::clone(&progress);
        Arc::new(move |event: Event| progress.take(&event))
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(jobs)
        // Idle threads keep the memory that their last work took.
        .thread_keep_alive(Duration::from_millis(20))
        .enable_all()
        .build()?;
    let engine = Engine::new(
        plan,
        loaded[0].templates.clone(),
        &options,
        interrupt.clone(),
        Arc::clone(&sink),
    )?;
    let mistakes = RefCell::new(String::new());
    let check = || {
        let found = lacking_drawn(loaded, &plans, terminal.style(), &interrupt);
        // Of an interruption the run says itself.
        if !interrupt.is_raised() {
            *mistakes.borrow_mut() = found;
        }
        mistakes.borrow().is_empty()
    };
    let (submits, driving) = (submitter.is_some(), submitter.map(|own| own.drive(&sink)));
    let run = runtime.block_on(async {
        // Before anything runs, so that no press is missed.
        if let Ok(presses) = Presses::listen() {
            tokio::spawn(listen(
                presses,
                interrupt.clone(),
                Arc::clone(&progress),
                submits,
            ));
        }
        engine.run_if(&check).await
    });
    let detached = run.summary.interrupted && run.summary.limit.is_none();
    let of_jobs = driving.map(|driving| driving.end(detached, exit(&run) == Exit::Done));
    // All is saved: from now on the first press ends the process.
    interrupt.raise();
    let spoke = progress.finish();
    for said in of_jobs.transpose()?.into_iter().flatten() {
        if !how.json {
            terminal.note(&said);
        }
    }
    let mistakes = mistakes.into_inner();
    if !mistakes.is_empty() {
        return Err(Error::drawn(Exit::Spec, mistakes));
    }
    let exit = exit(&run);
    let mut ended = Ended::new(plans, places, (engine, run), exit, runtime);
    ended.partly = partly;
    let ended = fill(loaded, ended)?;
    keep_records(loaded, &ended, &git::state)?;
    Ok((ended, spoke))
}

/// What bounds the calls of this process bounds nothing that jobs do.
fn check_on(how: &HowArgs) -> Result<(), Error> {
    let given = [
        ("--offline", how.offline),
        ("--max-calls", how.max_calls.is_some()),
        ("--max-cost", how.max_cost.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Error::new(
            Exit::Usage,
            format!("`{flag}` cannot be kept by jobs on a cluster"),
        )
        .hint("leave it out, or run without `--on`")),
    }
}

/// A limit on the cost can be kept only if everything that is asked has a price.
fn check_prices(plan: &Plan, max_cost: Option<f64>) -> Result<(), Error> {
    if max_cost.is_none() {
        return Ok(());
    }
    let models = plan.nodes.iter().filter_map(|node| node.stage.model());
    let mut served = models.filter(|model| model.provider.server().is_some());
    let unpriced =
        served.find(|model| model.prices.input.is_none() || model.prices.output.is_none());
    match unpriced {
        None => Ok(()),
        Some(model) => Err(Error::new(
            Exit::Usage,
            format!(
                "`--max-cost` cannot be kept: model `{}` has no `input-price` and `output-price`",
                model.name
            ),
        )
        .hint("give both, in dollars for a million tokens; 0 for what is free")),
    }
}

/// The first asks the run to save and stop; a second one of a person ends the process at once.
async fn listen(
    mut presses: Presses,
    interrupt: Interrupt,
    progress: Arc<Progress>,
    submits: bool,
) {
    while let Some(press) = presses.next().await {
        if !interrupt.is_raised() {
            interrupt.raise();
            progress.say(if submits {
                "detaching: jobs go on; press Ctrl-C again to stop at once"
            } else {
                "interrupted: finishing what is running; press Ctrl-C again to stop at once"
            });
        } else if press == Press::Key {
            progress.leave(Exit::Interrupted.code().into());
        }
    }
}

/// The part of a plan that some stages need.
fn only(plan: &Plan, stages: &[String]) -> Result<Plan, Error> {
    if stages.is_empty() {
        return Ok(plan.clone());
    }
    let mut names = choose::stages(plan, |_| true);
    names.sort();
    let mut targets = BTreeSet::new();
    for stage in stages {
        let missing = format!("there is no stage `{stage}`");
        let found = choose::named(&names, stage, missing, "the stages are")?;
        targets.extend(found.into_iter().cloned());
    }
    Ok(plan.only(&targets))
}

/// How a finished run ends the command.
fn exit(run: &Run) -> Exit {
    if run.summary.interrupted && run.summary.limit.is_some() {
        Exit::Limit
    } else if run.summary.interrupted {
        Exit::Interrupted
    } else if run
        .outcomes
        .iter()
        .any(|outcome| !matches!(outcome, Outcome::Done(_)))
    {
        Exit::Stage
    } else {
        Exit::Done
    }
}
