//! A job that has a place in its session, and what runs the nodes of its plan.

use std::sync::Arc;
use std::time::Duration;

use super::super::capsule::Capsule;
use super::stopping::{Stop, Stopping, beat, listen};
use crate::base::exit::{Error, Exit};
use crate::cli::output::Terminal;
use crate::cli::secrets::secrets;
use crate::cluster::desk::Desk;
use crate::cluster::note::Phase;
use crate::cluster::session::read;
use crate::engine::{Cluster, Engine, Event, Loaded, Options, Sink, options};
use crate::plan::Plan;

/// A job that has a place in its session.
pub(super) struct Job<'j> {
    pub(super) desk: &'j Arc<Desk>,
    /// How long it waits for work.
    pub(super) idle: Duration,
    pub(super) lost_after: Duration,
    pub(super) terminal: &'j Terminal,
}

impl Job<'_> {
    /// The specs as the run read them, with a parameter changed or none, and their plan.
    pub(super) fn load(&self, set: Option<String>) -> Result<(Vec<Loaded>, Plan), Error> {
        let capsule: Capsule = read(&self.desk.session().path("capsule.json"))?;
        let loaded = capsule.load(set, self.terminal)?;
        if loaded.iter().any(|loaded| loaded.absent.untrusted) {
            return Err(Error::new(
                Exit::Usage,
                "a spec from a bundle starts nothing on a cluster",
            ));
        }
        let plans: Vec<Plan> = loaded.iter().map(|loaded| loaded.plan.clone()).collect();
        let (plan, _) = Plan::join(&plans);
        Ok((loaded, plan))
    }

    /// Works until there is a reason to stop, and says meanwhile that it lives. What is under way then is not waited for.
    pub(super) fn at_work(
        &self,
        stopping: &Stopping,
        work: impl Future<Output = Result<Stop, Error>>,
    ) -> Result<Stop, Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let ended = runtime.block_on(async {
            listen(stopping)?;
            tokio::spawn(beat(
                Arc::clone(self.desk),
                stopping.clone(),
                self.lost_after,
            ));
            work.await
        });
        runtime.shutdown_background();
        ended
    }

    /// What runs the nodes of the plan, on so many processors or all.
    pub(super) fn engine(
        &self,
        (loaded, plan): (&[Loaded], Plan),
        jobs: Option<usize>,
        stopping: &Stopping,
    ) -> Result<Arc<Engine>, Error> {
        let usual = options(loaded);
        let options = Options {
            offline: false,
            jobs: jobs.unwrap_or(usual.jobs),
            secrets: Arc::new(secrets(&plan)),
            cluster: Cluster::Job(Arc::clone(self.desk)),
            ..usual
        };
        let sink: Sink = Arc::new(|event: Event| match event {
            Event::Warning { message, .. } => say(&message),
            Event::Held { model, why } => say(&format!("{model}: {why}")),
            Event::Running { node, .. } => say(&format!("works for {node}")),
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

    /// Says what it does, if that has changed, and how much it has stored.
    pub(super) async fn says(&self, phase: Option<Phase>) {
        let desk = Arc::clone(self.desk);
        // A disk may be away for a moment: it is said again.
        let _ = tokio::task::spawn_blocking(move || desk.beat(phase)).await;
    }
}

/// Writes a line into the job's output.
fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{}", crate::cli::events::visible(text));
}
