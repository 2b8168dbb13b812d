//! The run that submits jobs: which session it has, the thread that drives its jobs, and how it ends.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::capsule::Capsule;
use super::crews::crews;
use crate::base::clock::now;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{count, many, some_of};
use crate::cache::CallStore;
use crate::cluster::control::Control;
use crate::cluster::drive::{Driver, Said};
use crate::cluster::fleet::Fleet;
use crate::cluster::known::Known;
use crate::cluster::profile::Profile;
use crate::cluster::script::quoted;
use crate::cluster::session::{About, Session, write};
use crate::cluster::slurm::is_of_slurm;
use crate::engine::{Cluster, Event, Loaded, Sink};
use crate::models::dialect::Dialect;
use crate::plan::Plan;
use crate::toml::Tree;

/// How often it is looked whether the run needs jobs, or is over.
const LOOK: Duration = Duration::from_millis(50);

/// How long jobs that still run have to see that nothing more is to be done.
const FAREWELL: Duration = Duration::from_secs(5);

/// A task whose session is gone and that has stored nothing for so long is taken to be dead.
const FORGOTTEN: Duration = Duration::from_hours(1);

/// A run that submits jobs.
pub(in crate::cli) struct Submitter {
    fleet: Arc<Fleet>,
    cache: PathBuf,
    capsule: Capsule,
    about: About,
    profile: Profile,
    control: Control,
    /// The session that is gone on with.
    session: Option<(Session, File)>,
    program: String,
}

/// The thread that drives the jobs of a run.
pub(in crate::cli) struct Driving {
    thread: JoinHandle<Option<(Driver, File)>>,
    over: Arc<AtomicBool>,
    command: String,
    cache: PathBuf,
}

impl Submitter {
    /// Of specs that were read from this shelf.
    ///
    /// # Errors
    /// When nothing says how to submit, or which model to serve; when another run is in the way.
    pub(in crate::cli) fn new(
        loaded: &[Loaded],
        plan: &Plan,
        capsule: impl FnOnce(&BTreeSet<String>) -> Capsule,
        command: String,
    ) -> Result<Self, Error> {
        let usage = |message: &str, hint: &str| Err(Error::new(Exit::Usage, message).hint(hint));
        if loaded.iter().any(|loaded| loaded.absent.untrusted) {
            return usage(
                "a spec from a bundle may start nothing on a cluster",
                "read it first, then add `--trust`",
            );
        }
        let Some(profile) = loaded.iter().find_map(|loaded| loaded.spec.slurm.clone()) else {
            return usage(
                "`--on slurm` needs to know the cluster",
                "write `[slurm]` into `tribunal.local.toml`, with `partition` and `time`; docs/slurm.md has examples",
            );
        };
        let crews = crews(plan, &profile);
        if crews.is_empty() {
            return usage(
                match &profile.stages {
                    None => "no model of these specs says how it is served on a node",
                    Some(_) => {
                        "no model of these specs says how it is served on a node, and no stage is of a kind in `[slurm.stages]`"
                    }
                },
                "write it into `tribunal.local.toml`, under the model: `serve = { command = \"vllm serve org/model --port {port}\" }`",
            );
        }
        let secret = secret_names(loaded);
        let capsule = capsule(&secret);
        let cache = absolute(&loaded[0].spec.folders.cache);
        let about = About {
            capsule: capsule.digest()?.to_string(),
            specs: loaded.iter().map(|loaded| absolute(&loaded.path)).collect(),
            command,
            folder: absolute(Path::new(".")),
            at: now(),
            idle: profile.idle.as_secs_f64(),
            lost_after: profile.lost_after.as_secs_f64(),
        };
        let session = existing(&cache, &about)?;
        let program = match &profile.program {
            Some(program) => program.clone(),
            None => std::env::current_exe()?.to_string_lossy().into_owned(),
        };
        Ok(Self {
            fleet: Arc::new(Fleet::new(crews, profile.stages.clone())),
            cache,
            capsule,
            about,
            profile,
            control: control(&secret),
            session,
            program,
        })
    }

    /// Who makes the calls.
    pub(in crate::cli) fn cluster(&self) -> Cluster {
        Cluster::Fleet(Arc::clone(&self.fleet))
    }

    /// Sees that there are jobs from now on.
    pub(in crate::cli) fn drive(self, sink: &Sink) -> Driving {
        let over = Arc::new(AtomicBool::new(false));
        let (command, cache) = (self.about.command.clone(), self.cache.clone());
        let thread = std::thread::spawn({
            let (over, sink) = (Arc::clone(&over), Arc::clone(sink));
            move || self.until(&over, &sink)
        });
        Driving {
            thread,
            over,
            command,
            cache,
        }
    }

    fn until(mut self, over: &AtomicBool, sink: &Sink) -> Option<(Driver, File)> {
        // A run whose calls are all stored needs no session.
        let is_over = || over.load(Ordering::SeqCst);
        while self.session.is_none() && self.fleet.demand().wanted.is_empty() {
            if is_over() {
                return None;
            }
            std::thread::sleep(LOOK);
        }
        let fleet = Arc::clone(&self.fleet);
        let broken = |error: &dyn std::fmt::Display| {
            for crew in fleet.crews() {
                fleet.lose(crew, format!("its jobs cannot be looked after: {error}"));
            }
        };
        let session = self.session.take();
        let resumed = session.is_some();
        let (session, held) = match session.map_or_else(|| self.create(), Ok) {
            Ok(session) => session,
            Err(error) => {
                broken(&error.message);
                return None;
            }
        };
        let known = Known::of(&session);
        if resumed {
            let jobs = session
                .arrays()
                .iter()
                .filter_map(|array| array.job)
                .map(|job| job.to_string())
                .collect::<Vec<_>>();
            if !jobs.is_empty() {
                let jobs = shown(&jobs);
                sink(Event::Scheduler {
                    what: format!("going on with the jobs that this run has already: {jobs}"),
                });
            }
        }
        let told = Arc::clone(sink);
        let mut driver = Driver {
            fleet: Arc::clone(&self.fleet),
            session,
            profile: self.profile,
            control: self.control,
            program: self.program,
            folder: self.about.folder,
            tell: Box::new(move |said| {
                told(match said {
                    Said::Status(crew, what) => Event::Jobs { crew, what },
                    Said::Event(what) => Event::Scheduler { what },
                    Said::Trouble(message) => Event::Warning {
                        node: None,
                        message,
                    },
                });
            }),
            known,
        };
        while !is_over() {
            match driver.round() {
                Ok(pause) => {
                    let began = Instant::now();
                    while began.elapsed() < pause && !is_over() {
                        std::thread::sleep(LOOK.min(pause));
                    }
                }
                Err(error) => {
                    broken(&error);
                    break;
                }
            }
        }
        Some((driver, held))
    }

    /// Makes a session.
    fn create(&self) -> Result<(Session, File), Error> {
        let digest = crate::base::key::Digest::of(format!(
            "{} {} {}",
            self.about.capsule,
            self.about.at,
            std::process::id()
        ));
        let name = Session::name_of(&digest);
        let session = Session::at(Session::all_in(&self.cache).join(name));
        session.create()?;
        let held = hold(&session)?;
        write(&session.path("capsule.json"), &self.capsule)?;
        session.set_about(&self.about)?;
        Ok((session, held))
    }
}

impl Driving {
    /// The run is over. Jobs are ended unless they go on (`detached`); what there is to say of them, and whether all went
    /// well.
    ///
    /// # Errors
    /// When the session cannot be written.
    pub(in crate::cli) fn end(self, detached: bool, well: bool) -> Result<Vec<String>, Error> {
        self.over.store(true, Ordering::SeqCst);
        let Ok(Some((mut driver, held))) = self.thread.join() else {
            return Ok(Vec::new());
        };
        if detached {
            let alive = driver.known.alive();
            let jobs = alive.iter().filter_map(|array| array.job);
            let jobs: Vec<String> = jobs.map(|job| job.to_string()).collect();
            let mut said = Vec::new();
            if !jobs.is_empty() {
                let (goes, they) = if jobs.len() == 1 {
                    ("goes", "it")
                } else {
                    ("go", "them")
                };
                said.push(format!(
                    "detached: {} {} {goes} on. To return: `{}`; to end {they}: `tribunal jobs --cancel --cache {}`",
                    if jobs.len() == 1 { "job" } else { "jobs" },
                    shown(&jobs),
                    self.command,
                    quoted(&self.cache.to_string_lossy())
                ));
            }
            return Ok(said);
        }
        driver.end_softly(FAREWELL)?;
        let mut said = Vec::new();
        for (stages, noun, done) in [(true, "stage", "computed"), (false, "reply", "stored")] {
            let (hosts, stored, tasks) = driver.known.work(stages);
            if stored == 0 {
                continue;
            }
            let hosts: Vec<String> = hosts.into_iter().collect();
            said.push(format!(
                "{}{} {} {done} by {} on {}",
                // What such a task stored since it last said so is not counted.
                if driver.known.is_unfinished() {
                    "at least "
                } else {
                    ""
                },
                many(stored, noun),
                if stored == 1 { "was" } else { "were" },
                count(tasks, "task"),
                shown(&hosts)
            ));
        }
        let ended: BTreeSet<String> = driver.known.ended();
        let store = CallStore::open(&self.cache)?;
        // Tasks that were killed say no last word.
        store.free(&|owner, wrote| {
            let silence = wrote.and_then(|at| at.elapsed().ok()).unwrap_or_default();
            ended.contains(owner) || silence >= FORGOTTEN && Session::is_gone(&self.cache, owner)
        })?;
        if well {
            driver.session.remove()?;
        } else {
            said.push(format!(
                "what jobs printed is in {}",
                driver.session.path("out").display()
            ));
        }
        drop(held);
        Ok(said)
    }
}

/// The variables that hold keys of models, also of those that this run has no use for: the scheduler is told none of them.
fn secret_names(loaded: &[Loaded]) -> BTreeSet<String> {
    let usual = Dialect::ALL.iter();
    let usual = usual.map(|dialect| dialect.contract().variable.to_owned());
    let declared = loaded.iter().flat_map(|loaded| {
        let models = loaded.layers.tree().get(&["models"]);
        let models = models.into_iter().flat_map(Tree::children);
        let named = models.filter_map(|(_, model)| model.get(&["api-key-env"])?.as_str());
        named.map(str::to_owned).collect::<Vec<_>>()
    });
    let nodes = loaded.iter().flat_map(|loaded| &*loaded.plan.nodes);
    // An axis may name others than the table of the model does.
    let asked = nodes.filter_map(|node| node.stage.model()?.provider.server()?.key.clone());
    usual.into_iter().chain(declared).chain(asked).collect()
}

/// The session of this very run, if jobs may still work for it.
fn existing(cache: &Path, about: &About) -> Result<Option<(Session, File)>, Error> {
    Session::sweep(cache);
    for session in Session::list(cache) {
        let Ok(other) = session.about() else {
            continue;
        };
        if other.specs != about.specs {
            continue;
        }
        if session.is_closed() {
            // Nothing works for it any more, unless its run waits for the last words of jobs: then that removes it.
            if let Ok(_held) = hold(&session) {
                session.remove()?;
            }
            continue;
        }
        if other.capsule == about.capsule {
            let held = hold(&session)?;
            return Ok(Some((session, held)));
        }
        if session.arrays().iter().all(|array| array.refused.is_some()) {
            session.close()?;
            continue;
        }
        return Err(Error::new(
            Exit::Usage,
            "jobs may still work for an earlier state of this spec, and what they are doing may be paid for in vain",
        )
        .hint(format!(
            "see them with `tribunal jobs --cache {0}`, end them with `tribunal jobs --cancel --cache {0}`; or take the changes back and return with `{1}`",
            quoted(&cache.to_string_lossy()),
            other.command
        )));
    }
    Ok(None)
}

/// Holds a session as the only run.
fn hold(session: &Session) -> Result<File, Error> {
    let file = File::create(session.path("attached"))?;
    match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => Err(Error::new(
            Exit::Usage,
            "another run of this spec is attached to its jobs",
        )
        .hint("look for it in another terminal")),
        // Where there are no locks, who gives the command twice sees to it.
        Ok(()) | Err(std::fs::TryLockError::Error(_)) => Ok(file),
    }
}

/// The scheduler's commands, which see neither variables that change their defaults nor these secrets.
pub(super) fn control(secret: &BTreeSet<String>) -> Control {
    let names = std::env::vars_os().map(|(name, _)| name);
    let hidden = names.filter(|name| is_of_slurm(&name.to_string_lossy()));
    Control {
        hidden: hidden.chain(secret.iter().map(OsString::from)).collect(),
    }
}

/// Some names, and how many more there are.
fn shown(names: &[String]) -> String {
    some_of(names).replace('`', "")
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
