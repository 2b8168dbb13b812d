//! `tribunal work`: a job of a cluster. It starts the server of its model, waits until that is ready and makes the calls that
//! it can claim (`calls`), or computes stages that it can claim (`stages`); and ends: because nothing is left, because its time
//! is nearly up, or because it was asked to.

mod calls;
mod job;
mod stages;
mod stopping;

use std::sync::Arc;
use std::time::Duration;

use self::job::Job;
use self::stopping::Stop;
use crate::base::exit::{Error, Exit};
use crate::cli::args::WorkArgs;
use crate::cli::output::Terminal;
use crate::cluster::control::Control;
use crate::cluster::crew::Crew;
use crate::cluster::desk::Desk;
use crate::cluster::note::{Incarnation, Note, Phase};
use crate::cluster::session::Session;

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
        crew: array.crew.clone(),
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
    terminal.note(&match &array.crew {
        Crew::Model(name) => format!("task {of} serves {name}"),
        Crew::Stages => format!("task {of} computes stages"),
    });
    // Long enough to take over what a task has claimed that is dead: where this is the last one, nobody else would.
    let idle = patience(about.idle).max(lost_after * 5 / 4);
    let job_of = Job {
        desk: &desk,
        idle,
        lost_after,
        terminal,
    };
    let worked = match &array.crew {
        Crew::Model(model) => calls::run(&job_of, model),
        Crew::Stages => stages::run(&job_of),
    };
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
