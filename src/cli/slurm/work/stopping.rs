//! Why a job stops: what the scheduler sends, what the session says, or nothing to do for long.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::base::exit::Error;
#[cfg(not(unix))]
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::lock::lock;
use crate::cluster::desk::Desk;
use crate::cluster::note::{Phase, Want};
use crate::engine::{Interrupt, NoWork};

/// How often is looked at what is wanted, and whether the server still runs.
pub(super) const LOOK: Duration = Duration::from_millis(300);

/// Why a job stops taking calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
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
pub(super) struct Stopping {
    /// Whether what is under way is finished before the time is up.
    finishes: bool,
    pub(super) interrupt: Interrupt,
    why: Arc<Mutex<Option<Stop>>>,
}

impl Stopping {
    /// Of a job that finishes what is under way, if there is time.
    pub(super) fn that_finishes() -> Self {
        Self {
            finishes: true,
            ..Self::default()
        }
    }

    pub(super) fn stop(&self, why: Stop) {
        if !(self.finishes && why == Stop::Drain) {
            self.interrupt.raise();
        }
        lock(&self.why).get_or_insert(why);
    }

    pub(super) fn why(&self) -> Option<Stop> {
        lock(&self.why).clone()
    }
}

/// For how long a job has had nothing to do, and why.
pub(super) struct Idling {
    since: Instant,
    patience: Duration,
    excuse: Option<String>,
}

impl Idling {
    pub(super) fn new(patience: Duration) -> Self {
        Self {
            since: Instant::now(),
            patience,
            excuse: None,
        }
    }

    /// Nothing could be done for a node; how it failed, if it did.
    pub(super) fn excuse(&mut self, want: &Want, why: NoWork) -> Option<Failure> {
        match why {
            NoWork::Interrupted => {}
            NoWork::NotHere => {
                let title = &want.title;
                self.excuse = Some(format!(
                    "what `{title}` reads does not show on this node, or is gone"
                ));
            }
            NoWork::Other(why) => self.excuse = Some(why),
            NoWork::Failed(failure) => return Some(failure),
        }
        None
    }

    /// Waits for a moment if there was nothing to do; whether that has been so for long enough to stop.
    pub(super) async fn after(&mut self, busy: bool) -> Option<Stop> {
        if busy {
            *self = Self::new(self.patience);
            return None;
        }
        if self.since.elapsed() >= self.patience {
            return Some(self.excuse.take().map_or(Stop::Closed, Stop::Broken));
        }
        tokio::time::sleep(LOOK).await;
        None
    }
}

/// Where there is no Slurm there is nothing to listen to.
#[cfg(not(unix))]
pub(super) fn listen(_: &Stopping) -> Result<(), Error> {
    Err(Error::new(
        Exit::Usage,
        "there are no jobs of Slurm on this system",
    ))
}

/// Listens to what the scheduler sends: USR1 before the time is up, TERM when the job is to end.
#[cfg(unix)]
pub(super) fn listen(stopping: &Stopping) -> Result<(), Error> {
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
pub(super) async fn beat(desk: Arc<Desk>, stopping: Stopping, lost_after: Duration) {
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
