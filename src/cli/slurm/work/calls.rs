//! A job that serves a model: its server, and the calls that are claimed here.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::task::JoinSet;

use super::job::Job;
use super::stopping::{Idling, LOOK, Stop, Stopping};
use crate::base::exit::{Error, Exit};
use crate::base::lock::lock;
use crate::cluster::crew::Crew;
use crate::cluster::note::{Failures, Phase, Want};
use crate::cluster::profile::Serve;
use crate::cluster::server::{Server, free_port, is_of_another, is_ready};
use crate::engine::Engine;

/// Serves a model and makes its calls.
pub(super) fn run(job: &Job<'_>, model: &str) -> Result<Stop, Error> {
    // Another one for each job on a node, or one could take the server of another for its own.
    let number: u64 = std::env::var("SLURM_JOB_ID")
        .ok()
        .and_then(|id| id.parse().ok())
        .unwrap_or(0);
    let port = free_port(number)?;
    let (_, planned) = job.load(None)?;
    let mut models = planned.nodes.iter().filter_map(|node| node.stage.model());
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
    let (loaded, plan) = job.load(Some(here))?;
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
    let stopping = Stopping::default();
    job.at_work(&stopping, async {
        let engine = job.engine((&loaded, plan), None, &stopping)?;
        let server = Arc::new(Mutex::new(Server::start(&serve.command, port)?));
        let ended = work(
            job,
            &engine,
            &Crew::of_model(model),
            &serve,
            &server,
            &stopping,
        )
        .await;
        lock(&server).stop();
        ended
    })
}

/// A model's name as a key of TOML.
fn toml_key(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

async fn work(
    job: &Job<'_>,
    engine: &Arc<Engine>,
    crew: &Crew,
    serve: &Serve,
    server: &Arc<Mutex<Server>>,
    stopping: &Stopping,
) -> Result<Stop, Error> {
    if let Some(stop) = until_ready(serve, server, stopping).await {
        return Ok(stop);
    }
    job.says(Some(Phase::Working)).await;
    tokio::spawn(watch(Arc::clone(server), stopping.clone()));
    let mut given_up: BTreeSet<String> = BTreeSet::new();
    let mut idling = Idling::new(job.idle);
    loop {
        if let Some(stop) = stopping.why() {
            return Ok(stop);
        }
        let orders = job.desk.session().orders();
        if orders.over.contains(crew) {
            return Ok(Stop::Closed);
        }
        let mut running = JoinSet::new();
        let mine = |want: &Want| want.crew == *crew && !given_up.contains(&want.key);
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
                Err(why) => {
                    if let Some(failure) = idling.excuse(&want, why) {
                        given_up.insert(want.key.clone());
                        job.desk.failed(&Failures {
                            node: want.key,
                            calls: Vec::new(),
                            stopped: Some(failure),
                        })?;
                    }
                }
            }
        }
        if let Some(stop) = stopping.why() {
            return Ok(stop);
        }
        if let Some(stop) = idling.after(busy).await {
            return Ok(stop);
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
