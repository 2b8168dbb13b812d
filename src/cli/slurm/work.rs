//! `tribunal work`: a job of a cluster. It starts the server of its model, waits until that is ready, makes the calls that it
//! can claim, and ends: because nothing is left, because its time is nearly up, or because it was asked to.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::capsule::Capsule;
use crate::base::exit::{Error, Exit};
use crate::base::lock::lock;
use crate::cli::args::WorkArgs;
use crate::cli::output::Terminal;
use crate::cli::secrets::secrets;
use crate::cluster::control::Control;
use crate::cluster::desk::Desk;
use crate::cluster::note::{Failures, Incarnation, Note, Phase, Want};
use crate::cluster::profile::Serve;
use crate::cluster::server::{Server, free_port, is_of_another, is_ready};
use crate::cluster::session::{Session, read};
use crate::engine::{Cluster, Engine, Event, Interrupt, Loaded, NoWork, Options, Sink, options};
use crate::plan::Plan;

/// How often is looked at what is wanted, and whether the server still runs.
const LOOK: Duration = Duration::from_millis(300);

/// Why a job stops taking calls.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stop {
    /// Its time is nearly up.
    Drain,
    /// It was asked to.
    Asked,
    /// Nothing more is to be done.
    Closed,
    /// Its server ended, or the session is gone.
    Broken(String),
}

/// What the parts of a job share.
#[derive(Clone, Default)]
struct Stopping {
    interrupt: Interrupt,
    why: Arc<Mutex<Option<Stop>>>,
}

impl Stopping {
    fn stop(&self, why: Stop) {
        lock(&self.why).get_or_insert(why);
        self.interrupt.raise();
    }

    fn why(&self) -> Option<Stop> {
        lock(&self.why).clone()
    }
}

pub(in crate::cli) fn run(args: &WorkArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let session = Session::at(args.session.clone());
    if session.is_closed() {
        return Ok(Exit::Done);
    }
    let no_work = |why: &dyn std::fmt::Display| {
        Error::new(Exit::Usage, format!("there is no work here: {why}"))
            .hint("`tribunal work` is started by the jobs of `tribunal run --on slurm`")
    };
    // What is started is what a folder says, and a folder may be a stranger's: it has to be a job that this array was
    // submitted as.
    if std::env::var("SLURM_JOB_NAME").ok().as_deref() != Some(&*args.array) {
        return Err(no_work(&"this is not a job of that array"));
    }
    let array = session.array(&args.array);
    let array = array.map_err(|error| no_work(&error))?;
    let about = session.about()?;
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|value| value.parse().ok())
    };
    let of = Incarnation {
        array: array.token.clone(),
        task: number("SLURM_ARRAY_TASK_ID").unwrap_or(0),
        restart: number("SLURM_RESTART_COUNT").unwrap_or(0),
    };
    let job = format!(
        "{}_{}",
        std::env::var("SLURM_ARRAY_JOB_ID").unwrap_or_default(),
        of.task
    );
    let host = std::env::var("SLURMD_NODENAME")
        .or_else(|_| std::env::var("HOSTNAME"))
        .unwrap_or_default();
    let note = Note {
        beat: 0,
        phase: Phase::Starting,
        host,
        job: job.clone(),
        model: array.model.clone(),
        stored: 0,
        of: of.clone(),
    };
    let patience =
        |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_mins(1));
    let lost_after = patience(about.lost_after);
    let desk = Arc::new(Desk::new(
        session,
        note,
        (array.first + of.task, array.of),
        lost_after,
    ));
    desk.beat(Some(Phase::Starting))?;
    terminal.note(&format!("task {of} serves {}", array.model));
    // Long enough to take over what a task has claimed that is dead: where this is the last one, nobody else would.
    let idle = patience(about.idle).max(lost_after * 5 / 4);
    let worked = begin(&desk, &array.model, idle, lost_after, terminal);
    let (phase, exit) = match worked {
        Ok(Stop::Drain) if desk.stored() > 0 && !desk.session().orders().wanted.is_empty() => {
            (requeue(&desk, &job)?, Exit::Done)
        }
        Ok(Stop::Drain) => (Phase::Drained, Exit::Done),
        Ok(Stop::Asked) => (Phase::Stopped, Exit::Interrupted),
        Ok(Stop::Closed) => (Phase::Finished, Exit::Done),
        Ok(Stop::Broken(why)) => (Phase::Failed(why), Exit::Stage),
        Err(error) => {
            desk.beat(Some(Phase::Failed(error.message.clone())))?;
            return Err(error);
        }
    };
    terminal.note(&format!("task {of}: {} stored, {phase}", desk.stored()));
    // The session may be gone: nothing more was to be done.
    let _ = desk.beat(Some(phase));
    Ok(exit)
}

/// Asks to be started again: said first, because the scheduler ends the job that asks.
fn requeue(desk: &Desk, job: &str) -> Result<Phase, Error> {
    desk.beat(Some(Phase::Requeued))?;
    let words = ["requeue".to_owned(), job.to_owned()];
    Ok(match Control::default().run("scontrol", &words) {
        Ok(_) => Phase::Requeued,
        Err(_) => Phase::Drained,
    })
}

fn begin(
    desk: &Arc<Desk>,
    model: &str,
    idle: Duration,
    lost_after: Duration,
    terminal: &Terminal,
) -> Result<Stop, Error> {
    let capsule: Capsule = read(&desk.session().path("capsule.json"))?;
    // Another one for each job on a node, or one could take the server of another for its own.
    let job: u64 = std::env::var("SLURM_JOB_ID")
        .ok()
        .and_then(|id| id.parse().ok())
        .unwrap_or(0);
    let port = free_port(job)?;
    let planned = capsule.load(None, terminal)?;
    let mut models = planned
        .iter()
        .flat_map(|loaded| &loaded.plan.nodes)
        .filter_map(|node| node.stage.model());
    let served = models
        .find(|one| one.name == model)
        .and_then(|one| one.provider.server());
    let base = served
        .and_then(|server| server.base_urls.first())
        .and_then(|base| url::Url::parse(base).ok());
    let path = base.map_or_else(
        || "/v1".to_owned(),
        |base| base.path().trim_end_matches('/').to_owned(),
    );
    // Where it is served is in no key: the calls are those of the run.
    let here = format!(
        "models.{}.base-url=\"http://127.0.0.1:{port}{path}\"",
        toml_key(model)
    );
    let loaded = capsule.load(Some(here), terminal)?;
    if loaded.iter().any(|loaded| loaded.absent.untrusted) {
        return Err(Error::new(
            Exit::Usage,
            "a spec from a bundle starts nothing on a cluster",
        ));
    }
    let (plan, _) = Plan::join(
        &loaded
            .iter()
            .map(|loaded| loaded.plan.clone())
            .collect::<Vec<_>>(),
    );
    let mut models = plan.nodes.iter().filter_map(|node| node.stage.model());
    let serve = models
        .find(|one| one.name == model)
        .and_then(|one| one.serve.clone());
    let serve = serve.ok_or_else(|| {
        Error::new(
            Exit::Spec,
            format!("`{model}` says no longer how it is served"),
        )
    })?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let stopping = Stopping::default();
        listen(&stopping)?;
        tokio::spawn(beat(Arc::clone(desk), stopping.clone(), lost_after));
        let engine = engine(desk, &loaded, plan, &stopping)?;
        let server = Arc::new(Mutex::new(Server::start(&serve.command, port)?));
        let ended = work(desk, &engine, model, &serve, &server, &stopping, idle).await;
        lock(&server).stop();
        ended
    })
}

/// A model's name as a key of TOML.
fn toml_key(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

fn engine(
    desk: &Arc<Desk>,
    loaded: &[Loaded],
    plan: Plan,
    stopping: &Stopping,
) -> Result<Arc<Engine>, Error> {
    let options = Options {
        offline: false,
        secrets: Arc::new(secrets(&plan)),
        cluster: Cluster::Job(Arc::clone(desk)),
        ..options(loaded)
    };
    let sink: Sink = Arc::new(|event: Event| match event {
        Event::Warning { message, .. } => say(&message),
        Event::Held { model, why } => say(&format!("{model}: {why}")),
        Event::Running { node, .. } => say(&format!("calls of {node}")),
        _ => {}
    });
    let engine = Engine::new(
        plan,
        loaded[0].templates.clone(),
        &options,
        stopping.interrupt.clone(),
        sink,
    )?;
    Ok(Arc::new(engine))
}

/// Writes a line into the job's output.
fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{}", crate::cli::events::visible(text));
}

/// Where there is no Slurm there is nothing to listen to.
#[cfg(not(unix))]
fn listen(_: &Stopping) -> Result<(), Error> {
    Err(Error::new(
        Exit::Usage,
        "there are no jobs of Slurm on this system",
    ))
}

/// Listens to what the scheduler sends: USR1 before the time is up, TERM when the job is to end.
#[cfg(unix)]
fn listen(stopping: &Stopping) -> Result<(), Error> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [
        (SignalKind::user_defined1(), Stop::Drain),
        (SignalKind::terminate(), Stop::Asked),
        (SignalKind::interrupt(), Stop::Asked),
    ];
    for (kind, why) in signals {
        let mut signal = signal(kind)?;
        let stopping = stopping.clone();
        tokio::spawn(async move {
            while signal.recv().await.is_some() {
                stopping.stop(why.clone());
            }
        });
    }
    Ok(())
}

/// Says again and again that the task lives, and looks whether anybody still wants something.
async fn beat(desk: Arc<Desk>, stopping: Stopping, lost_after: Duration) {
    let pause = (lost_after / 8).clamp(Duration::from_millis(200), Duration::from_secs(10));
    loop {
        tokio::time::sleep(pause).await;
        let own = Arc::clone(&desk);
        let drains = stopping.why() == Some(Stop::Drain);
        let beat = tokio::task::spawn_blocking(move || {
            own.beat(drains.then_some(Phase::Draining))?;
            Ok::<_, std::io::Error>(own.session().is_closed())
        });
        match beat.await {
            Ok(Ok(true)) => stopping.stop(Stop::Closed),
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => {
                stopping.stop(Stop::Closed);
            }
            // All is well, or a disk is away for a moment.
            Ok(_) | Err(_) => {}
        }
    }
}

async fn work(
    desk: &Arc<Desk>,
    engine: &Arc<Engine>,
    model: &str,
    serve: &Serve,
    server: &Arc<Mutex<Server>>,
    stopping: &Stopping,
    idle: Duration,
) -> Result<Stop, Error> {
    if let Some(stop) = until_ready(serve, server, stopping).await {
        return Ok(stop);
    }
    let _ = tokio::task::spawn_blocking({
        let desk = Arc::clone(desk);
        move || desk.beat(Some(Phase::Working))
    })
    .await;
    tokio::spawn(watch(Arc::clone(server), stopping.clone()));
    let mut given_up: BTreeSet<String> = BTreeSet::new();
    let mut excuse: Option<String> = None;
    let mut since = Instant::now();
    loop {
        if let Some(stop) = stopping.why() {
            return Ok(stop);
        }
        let orders = desk.session().orders();
        if orders.over.iter().any(|over| over == model) {
            return Ok(Stop::Closed);
        }
        let mut running = JoinSet::new();
        let mine = |want: &Want| want.model == model && !given_up.contains(&want.key);
        for want in orders.wanted.into_iter().filter(mine) {
            let engine = Arc::clone(engine);
            running.spawn(async move {
                let done = engine.work(&want).await;
                (want, done)
            });
        }
        let mut busy = false;
        while let Some(joined) = running.join_next().await {
            let (want, done) =
                joined.map_err(|error| Error::new(Exit::Broken, error.to_string()))?;
            match done {
                Ok(claimed) => busy |= claimed,
                Err(NoWork::Interrupted) => {}
                Err(NoWork::NotHere) => {
                    excuse = Some(format!(
                        "what `{}` reads does not show on this node",
                        want.title
                    ));
                }
                Err(NoWork::Other(why)) => excuse = Some(why),
                Err(NoWork::Failed(failure)) => {
                    given_up.insert(want.key.clone());
                    let failures = Failures {
                        node: want.key,
                        calls: Vec::new(),
                        stopped: Some(failure.message),
                    };
                    desk.failed(&failures)?;
                }
            }
        }
        if let Some(stop) = stopping.why() {
            return Ok(stop);
        }
        if busy {
            since = Instant::now();
            excuse = None;
        } else if since.elapsed() >= idle {
            return Ok(match excuse {
                Some(why) => Stop::Broken(why),
                None => Stop::Closed,
            });
        } else {
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// Waits until the server is ready; or why it is not.
async fn until_ready(
    serve: &Serve,
    server: &Arc<Mutex<Server>>,
    stopping: &Stopping,
) -> Option<Stop> {
    let began = Instant::now();
    let port = lock(server).port();
    loop {
        if let Some(stop) = stopping.why() {
            return Some(stop);
        }
        if let Some(status) = lock(server).ended() {
            return Some(Stop::Broken(format!(
                "its server ended before it was ready ({status})"
            )));
        }
        let path = serve.health.clone();
        let ready = tokio::task::spawn_blocking(move || is_ready(port, &path)).await;
        if ready.unwrap_or(false) {
            let leader = lock(server).leader();
            if is_of_another(port, leader) {
                let why = format!("a server that it did not start answers at its port {port}");
                return Some(Stop::Broken(why));
            }
            // It is its own server that answers.
            let ended = lock(server).ended();
            return ended.map(|status| {
                Stop::Broken(format!("its server ended before it was ready ({status})"))
            });
        }
        if began.elapsed() >= serve.ready_within {
            return Some(Stop::Broken(format!(
                "its server does not answer 200 at `{}` within {} s",
                serve.health,
                serve.ready_within.as_secs_f64()
            )));
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Stops taking calls when the server ends.
async fn watch(server: Arc<Mutex<Server>>, stopping: Stopping) {
    loop {
        if let Some(status) = lock(&server).ended() {
            stopping.stop(Stop::Broken(format!("its server ended ({status})")));
            return;
        }
        tokio::time::sleep(LOOK).await;
    }
}
