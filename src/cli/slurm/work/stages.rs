//! A job that computes stages, one after the other.

use std::sync::Arc;

use super::job::Job;
use super::stopping::{Idling, LOOK, Stop, Stopping};
use crate::base::exit::{Error, Exit};
use crate::cluster::crew::Crew;
use crate::cluster::note::{Phase, Want};
use crate::engine::{Engine, NoWork};

/// Computes stages. One that was begun when the time is nearly up may still be finished.
pub(super) fn run(job: &Job<'_>) -> Result<Stop, Error> {
    let (loaded, plan) = job.load(None)?;
    // A job that was given a part of a node leaves the rest to others.
    let processors = std::env::var("SLURM_CPUS_PER_TASK").ok();
    let processors = processors.and_then(|number| number.parse().ok());
    let stopping = Stopping::that_finishes();
    job.at_work(&stopping, async {
        let engine = job.engine((&loaded, plan), processors, &stopping)?;
        work(job, &engine, &stopping).await
    })
}

async fn work(job: &Job<'_>, engine: &Arc<Engine>, stopping: &Stopping) -> Result<Stop, Error> {
    job.says(Some(Phase::Working)).await;
    let mut idling = Idling::new(job.idle);
    loop {
        if let Some(stop) = stopping.why() {
            return Ok(stop);
        }
        let orders = job.desk.session().orders();
        if orders.over.contains(&Crew::Stages) || job.desk.session().is_closed() {
            return Ok(Stop::Closed);
        }
        let mine = |want: &Want| want.crew == Crew::Stages;
        let mut wanted: Vec<Want> = orders.wanted.into_iter().filter(mine).collect();
        let begin = job.desk.begin_at(wanted.len());
        wanted.rotate_left(begin);
        let mut busy = false;
        for want in wanted {
            match compute(engine, &want, stopping).await? {
                Some(Ok(computed)) => busy = computed,
                Some(Err(why)) => {
                    if let Some(failure) = idling.excuse(&want, why) {
                        return Ok(Stop::Broken(failure.message));
                    }
                }
                // To be started again would not help it, unless it had less time because of others.
                None if stopping.why() == Some(Stop::Drain) && job.desk.stored() == 0 => {
                    let title = &want.title;
                    return Ok(Stop::Broken(format!(
                        "its time was up before `{title}` was computed (`time` of `[slurm.stages]`)"
                    )));
                }
                None => break,
            }
            if busy {
                // Said at once: it may have been the last. What is wanted may be another thing by now.
                job.says(None).await;
                break;
            }
        }
        if stopping.why().is_none()
            && let Some(stop) = idling.after(busy).await
        {
            return Ok(stop);
        }
    }
}

/// Computes a stage if it can be claimed; nothing, if the job has to stop before it is done.
async fn compute(
    engine: &Arc<Engine>,
    want: &Want,
    stopping: &Stopping,
) -> Result<Option<Result<bool, NoWork>>, Error> {
    let (own, wanted) = (Arc::clone(engine), want.clone());
    let mut computing = tokio::spawn(async move { own.work(&wanted).await });
    loop {
        tokio::select! {
            done = &mut computing => {
                let done = done.map_err(|error| Error::new(Exit::Broken, error.to_string()))?;
                // It was told to end, and did.
                return Ok(Some(done).filter(|done| !matches!(done, Err(NoWork::Interrupted))));
            }
            () = tokio::time::sleep(LOOK) => {
                if stopping.interrupt.is_raised() {
                    return Ok(None);
                }
            }
        }
    }
}
