//! `tribunal run`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::args::{HowArgs, RunArgs, SpecsArgs};
use super::columns;
use super::drawn::{Published, Shown, publish};
use super::exit::{Error, Exit};
use super::idle_labels;
use super::load::Loaded;
use super::output::Terminal;
use super::page;
use super::record;
use super::reports::{self, Drawn};
use super::rest;
use super::shortfalls;
use super::specs::load_all;
use crate::base::wording::{list_of, nearest};
use crate::cli::events::{Form, Progress, summary};
use crate::engine::{Engine, Event, Interrupt, Limits, Options, Outcome, Run, Sink, Summary};
use crate::models::wire::Secrets;
use crate::plan::{NodeId, Plan};
use crate::spec::Folders;
use crate::stage::StageName;

/// What a run came to for one spec.
pub(super) struct Finished {
    pub(super) plan: Plan,
    pub(super) run: Run,
}

/// A run that came to an end, however it did.
pub(super) struct Ended {
    /// What it came to for each spec.
    pub(super) parts: Vec<Finished>,
    /// Knows the results; its plan is that of all specs as one.
    pub(super) engine: Engine,
    /// What it came to for the joined plan, without the rows that are exported.
    pub(super) whole: Run,
    /// For each spec, where its nodes are in the joined plan.
    pub(super) places: Vec<Vec<NodeId>>,
    /// Whether only some stages of the spec were run.
    pub(super) partly: bool,
    /// What it came to.
    pub(super) summary: Summary,
    pub(super) exit: Exit,
    /// For each spec, the tables that the run itself came to, where others are known from before.
    pub(super) came: Option<Vec<rest::Came>>,
    /// Whether anything was said meanwhile that stays.
    pub(super) spoke: bool,
    /// Keeps the keyboard listened to, until the tables are written.
    pub(super) runtime: tokio::runtime::Runtime,
}

pub(super) fn run(args: &RunArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load_all(&args.spec, terminal)?;
    let plans = plans(&loaded, &args.only)?;
    let ended = execute(&loaded, plans, &args.how, !args.only.is_empty(), terminal)?;
    let Published { shown, rows, page } = publish(&loaded, &ended, args.how.json, terminal)?;
    let parts = loaded.par_iter().zip(&ended.parts);
    let idle: Vec<Vec<String>> = parts
        .map(|(loaded, finished)| idle_labels::sentences(&loaded.spec, finished))
        .collect();
    for sentence in idle.iter().flatten() {
        terminal.warn(sentence);
    }
    if !args.how.json {
        let named = loaded.iter().zip(&shown).enumerate();
        let named = named.flat_map(|(at, (loaded, shown))| {
            let name = loaded.spec.name.as_str();
            let tables = shown.tables.iter().map(move |table| (at, name, table));
            tables.filter(|(at, _, table)| ended.came_to(*at, &table.variant, &table.name))
        });
        let tables: Vec<(&str, &Drawn)> = named.map(|(_, name, table)| (name, table)).collect();
        if !tables.is_empty() {
            let told: Vec<String> = match loaded.as_slice() {
                [_] => tables
                    .iter()
                    .map(|(_, table)| table.for_terminal(terminal))
                    .collect(),
                _ => vec![reports::overview(&tables, terminal)],
            };
            if ended.spoke {
                terminal.gap();
            }
            terminal.styled(&told.join("\n"));
            terminal.gap();
        }
        for file in rows.iter().flatten() {
            terminal.note(&format!("wrote {}", file.display()));
        }
        let only = args.only.iter().map(|only| format!("--only {only}"));
        let resume = resume("run", &args.spec, only);
        let any = !shown.iter().all(Shown::is_empty);
        let folder = any.then(|| reports::folder_of_all(&loaded));
        terminal.note(&summary(&ended.summary, folder.as_deref(), &resume));
        page::tell(page.as_deref(), &ended, terminal);
        shortfalls::tell(&ended, &args.spec, terminal);
    }
    Ok(shortfalls::exit(&ended, ended.exit))
}

/// The plans of all specs, or the part of a single one's that some stages need.
pub(super) fn plans(loaded: &[Loaded], stages: &[String]) -> Result<Vec<Plan>, Error> {
    if loaded.len() > 1 && !stages.is_empty() {
        return Err(Error::new(Exit::Usage, "`--only` goes with one spec")
            .hint("name the spec that the stage is in"));
    }
    let plans = loaded.iter().map(|loaded| only(&loaded.plan, stages));
    plans.collect()
}

/// Runs the plans of specs together, shows the progress, and keeps a record for each. To what a run of plans in part
/// (`partly`), or one that failed or was stopped, came to is added what is known of the rest.
pub(super) fn execute(
    loaded: &[Loaded],
    plans: Vec<Plan>,
    how: &HowArgs,
    partly: bool,
    terminal: &mut Terminal,
) -> Result<Ended, Error> {
    if !how.json && !how.quiet {
        for loaded in loaded {
            loaded.warn(terminal);
        }
    }
    let (plan, places) = Plan::join(&plans);
    check_prices(&plan, how.max_cost)?;
    let jobs = how.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    let options = Options {
        folders: folders(loaded),
        absent: Arc::clone(&loaded[0].absent),
        jobs,
        keep_going: how.keep_going,
        offline: how.offline,
        limits: Limits {
            calls: how.max_calls,
            cost: how.max_cost,
        },
        secrets: Arc::new(secrets(&plan)),
    };
    let form = match (how.json, how.quiet, terminal.live) {
        (true, _, _) => Form::Json,
        (_, true, _) => Form::Silent,
        (_, _, true) => Form::Bars,
        (_, _, false) => Form::Lines,
    };
    let progress = Progress::new(form, terminal.messages);
    let interrupt = Interrupt::default();
    let sink: Sink = {
        let progress = Arc::clone(&progress);
        Arc::new(move |event: Event| progress.take(&event))
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(jobs)
        .enable_all()
        .build()?;
    let engine = Engine::new(
        plan,
        loaded[0].templates.clone(),
        &options,
        interrupt.clone(),
        sink,
    )?;
    let mistakes = RefCell::new(String::new());
    let check = || {
        let found = columns::drawn(loaded, &plans, terminal.style(), &interrupt);
        // Of an interruption the run says itself.
        if !interrupt.is_raised() {
            *mistakes.borrow_mut() = found;
        }
        mistakes.borrow().is_empty()
    };
    let run = runtime.block_on(async {
        // Before anything runs, so that no press is missed.
        if let Ok(presses) = Presses::listen() {
            tokio::spawn(listen(presses, interrupt.clone(), Arc::clone(&progress)));
        }
        engine.run_if(&check).await
    });
    // All is saved: from now on the first press ends the process.
    interrupt.raise();
    let spoke = progress.finish();
    let mistakes = mistakes.into_inner();
    if !mistakes.is_empty() {
        return Err(Error::drawn(Exit::Spec, mistakes));
    }
    let exit = exit(&run);
    let ended = Ended::new(plans, places, (engine, run), exit, runtime);
    let ended = Ended {
        partly,
        spoke,
        ..ended
    };
    let ended = rest::fill(loaded, ended)?;
    ended.record(loaded)?;
    Ok(ended)
}

impl Finished {
    /// Whether there is a result for everything.
    pub(super) fn is_complete(&self) -> bool {
        let mut outcomes = self.run.outcomes.iter();
        outcomes.all(|outcome| matches!(outcome, Outcome::Done(_)))
    }
}

impl Ended {
    /// What a run came to, of joined plans, with `places` where the nodes of each are.
    pub(super) fn new(
        plans: Vec<Plan>,
        places: Vec<Vec<NodeId>>,
        (engine, mut run): (Engine, Run),
        exit: Exit,
        runtime: tokio::runtime::Runtime,
    ) -> Self {
        let parts = plans
            .into_iter()
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
            spoke: false,
            engine,
            runtime,
        }
    }

    /// Whether the run itself came to a table of an experiment, rather than one before it.
    fn came_to(&self, at: usize, variant: &str, table: &str) -> bool {
        let came = self.came.as_ref();
        came.is_none_or(|came| came[at].contains(&(variant.to_owned(), table.to_owned())))
    }

    /// Keeps a record for each spec.
    pub(super) fn record(&self, loaded: &[Loaded]) -> Result<(), Error> {
        let each = loaded.par_iter().zip(&self.parts);
        let kept: Vec<bool> = each
            .map(|(loaded, finished)| record::is_kept(loaded, finished))
            .collect();
        let mut together = record::Together::of(loaded);
        for ((loaded, finished), kept) in loaded.iter().zip(&self.parts).zip(kept) {
            if !kept {
                record::keep(loaded, &self.engine, finished, &mut together)?;
            }
        }
        Ok(())
    }
}

/// The folders of specs that share cache and templates, with what each says of its files.
pub(super) fn folders(loaded: &[Loaded]) -> Folders {
    let mut folders = loaded[0].spec.folders.clone();
    for other in &loaded[1..] {
        let other = other.spec.folders.clone();
        for (name, folder) in other.named {
            folders.named.entry(name).or_insert(folder);
        }
        for (name, hint) in other.hints {
            folders.hints.entry(name).or_insert(hint);
        }
    }
    folders
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

/// The keys that the models of a plan name: the only place where one is read.
pub(super) fn secrets(plan: &Plan) -> Secrets {
    let models = plan.nodes.iter().filter_map(|node| node.stage.model());
    let servers = models.filter_map(|model| model.provider.server());
    let names: BTreeSet<&str> = servers.filter_map(|server| server.key.as_deref()).collect();
    Secrets::read(names, |name| std::env::var_os(name))
}

/// What asks a command to stop: Ctrl-C and, on Unix, SIGTERM, which schedulers and `timeout` send, and SIGHUP, which a
/// closed terminal sends.
pub(super) struct Presses {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    /// None where whoever started the command wants it to go on, as `nohup` does.
    #[cfg(unix)]
    hangup: Option<tokio::signal::unix::Signal>,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl Presses {
    /// Listens from now on. One stream, because listening anew for each would miss one in between.
    pub(super) fn listen() -> std::io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                hangup: if ignores_hangup() {
                    None
                } else {
                    Some(signal(SignalKind::hangup())?)
                },
            })
        }
        #[cfg(windows)]
        Ok(Self {
            interrupt: tokio::signal::windows::ctrl_c()?,
        })
    }

    /// The next one.
    pub(super) async fn next(&mut self) -> Option<Press> {
        #[cfg(unix)]
        return tokio::select! {
            pressed = self.interrupt.recv() => pressed.map(|()| Press::Key),
            told = self.terminate.recv() => told.map(|()| Press::Key),
            Some(()) = hung_up(&mut self.hangup) => Some(Press::Hangup),
        };
        #[cfg(windows)]
        self.interrupt.recv().await.map(|()| Press::Key)
    }
}

/// What asked a command to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Press {
    /// A person or a program, who may ask again for more haste.
    Key,
    /// The terminal, which is closed. Kernel and shell both say so: the second time means no more than the first.
    Hangup,
}

/// That the terminal was closed; never, where nobody listens for that.
#[cfg(unix)]
async fn hung_up(signal: &mut Option<tokio::signal::unix::Signal>) -> Option<()> {
    match signal {
        Some(signal) => signal.recv().await,
        None => std::future::pending().await,
    }
}

/// Whether this process was started so that a closed terminal does not end it. Where the system does not say, one that
/// shows nothing on a terminal was.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    use std::io::IsTerminal;
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| {
        let mask = line.strip_prefix("SigIgn:")?.trim();
        u64::from_str_radix(mask, 16).ok()
    });
    // The first signal, so the lowest bit.
    ignored.map_or_else(|| !std::io::stderr().is_terminal(), |mask| mask & 1 == 1)
}

/// The first asks the run to save and stop; a second one of a person ends the process at once.
async fn listen(mut presses: Presses, interrupt: Interrupt, progress: Arc<Progress>) {
    while let Some(press) = presses.next().await {
        if !interrupt.is_raised() {
            interrupt.raise();
            progress.say(
                "interrupted: finishing what is under way; press Ctrl-C again to stop at once",
            );
        } else if press == Press::Key {
            progress.clear();
            std::process::exit(Exit::Interrupted.code().into());
        }
    }
}

/// The part of a plan that some stages need.
fn only(plan: &Plan, stages: &[String]) -> Result<Plan, Error> {
    if stages.is_empty() {
        return Ok(plan.clone());
    }
    let names: BTreeSet<&StageName> = plan.nodes.iter().map(|node| &node.name).collect();
    let mut targets = BTreeSet::new();
    for stage in stages {
        let found = names
            .iter()
            .filter(|name| name.to_string() == *stage || name.name == *stage);
        let before = targets.len();
        targets.extend(found.map(|name| (*name).clone()));
        if targets.len() == before {
            let known: Vec<String> = names.iter().map(ToString::to_string).collect();
            let plain: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
            let hint = match nearest(stage, &known).or_else(|| nearest(stage, &plain)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the stages are {}", list_of(&known)),
            };
            return Err(Error::new(Exit::Usage, format!("there is no stage `{stage}`")).hint(hint));
        }
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

/// The command that goes on with an interrupted run.
pub(super) fn resume(verb: &str, spec: &SpecsArgs, more: impl Iterator<Item = String>) -> String {
    let mut words = vec![format!("tribunal {verb}")];
    words.extend(spec.specs.iter().map(|spec| spec.display().to_string()));
    words.extend(spec.changes.words());
    words.extend(more);
    words.join(" ")
}
