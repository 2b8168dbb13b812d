//! The driver: sees that there are jobs for the calls that a run wants, and says what happens to them.
//!
//! What is to be done is decided in `waves` and `polling`; here it is done, one command at a time. All that must outlive
//! the process is on disk before it is done: who is killed and started again finds the jobs and submits nothing twice.

mod submit;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::claims::Claims;
use super::control::Control;
use super::crew::Crew;
use super::fleet::{Demand, Fleet};
use super::known::Known;
use super::note::{Incarnation, Note, Orders, Phase};
use super::profile::Profile;
use super::session::{Array, Session};
use super::slurm::{self, Row};
use super::waves::{Standing, standing};
use crate::base::wording::{count, list_of};

/// Something a person may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// How it goes, of a crew: what was said before is no longer so.
    Status(Crew, String),
    /// Something that happened.
    Event(String),
    /// Something that went wrong, and what becomes of it.
    Trouble(String),
}

/// Sees that there are jobs.
pub struct Driver {
    /// What is wanted.
    pub fleet: Arc<Fleet>,
    /// Where all is written.
    pub session: Session,
    /// What jobs are like.
    pub profile: Profile,
    /// How the scheduler is asked.
    pub control: Control,
    /// The program that is the worker.
    pub program: String,
    /// Where it is started.
    pub folder: PathBuf,
    /// Who is told.
    pub tell: Box<dyn Fn(Said) + Send>,
    /// What is known of the jobs.
    pub known: Known,
}

/// How often files are looked at, at the beginning and later.
const LOOK: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(2)];

/// The longest that they are not looked at.
const LONGEST: Duration = Duration::from_secs(30);

/// How long the beginning is.
const BEGINNING: Duration = Duration::from_mins(1);

impl Driver {
    /// One round: files, the scheduler if it may be asked, and what follows from both. How long to wait before the next.
    ///
    /// # Errors
    /// When the session cannot be written.
    pub fn round(&mut self) -> io::Result<Duration> {
        let now = self.known.began.elapsed();
        let demand = self.fleet.demand();
        if self.session.is_closed() {
            // By somebody else: it ends by closing it, and then comes here no more.
            for crew in self.fleet.crews() {
                self.fleet.lose(crew, "its jobs were cancelled".to_owned());
            }
            return Ok(LOOK[0]);
        }
        let orders = Orders {
            wanted: demand.wanted.clone(),
            over: demand.over.clone(),
        };
        if self.known.orders.as_ref() != Some(&orders) {
            self.session.set_orders(&orders)?;
            self.known.orders = Some(orders);
        }
        // Who failed has said so before its claim was done.
        let done = self.done(&demand);
        self.read_failures();
        for key in &done {
            self.fleet.computed(key);
        }
        self.read_notes(now);
        if self.known.polling.is_due(now) && self.has_open() {
            self.poll(now)?;
        }
        self.judge(now);
        self.submit(&demand, now)?;
        self.report(&demand);
        // Of a thousand tasks the files are read less often than of three.
        let took = self.known.began.elapsed().saturating_sub(now);
        Ok(LOOK[usize::from(now >= BEGINNING)]
            .max(took * 10)
            .min(LONGEST))
    }

    fn read_failures(&mut self) {
        let known = &self.known.failures;
        let new = self.session.failures(&|name| known.contains(name));
        for (name, failures) in new {
            self.known.failures.insert(name);
            self.fleet.failed(failures);
        }
    }

    /// The stages that jobs are done with.
    fn done(&self, demand: &Demand) -> Vec<String> {
        let claims = Claims::at(self.session.path("claims"));
        let stages = demand.wanted.iter();
        let stages = stages.filter(|want| want.crew == Crew::Stages);
        stages
            .filter(|want| claims.is_done(&want.key))
            .map(|want| want.key.clone())
            .collect()
    }

    fn read_notes(&mut self, now: Duration) {
        for note in self.session.notes() {
            self.known.starts.insert(note.of.clone(), note.clone());
            let task = (note.of.array.clone(), note.of.task);
            let old = self.known.notes.get(&task);
            if old.is_some_and(|old| old.of.restart > note.of.restart || *old == note) {
                continue;
            }
            self.known.heard.insert(task.clone(), now);
            self.known.notes.insert(task, note);
        }
    }

    /// Whether anything is known to be with the scheduler, or may be.
    fn has_open(&self) -> bool {
        !self.known.alive().is_empty()
    }

    fn poll(&mut self, now: Duration) -> io::Result<()> {
        let words: Vec<String> = slurm::POLL.iter().map(|word| (*word).to_owned()).collect();
        match self.control.run("squeue", &words) {
            Err(trouble) => {
                self.known.polling.failed(self.known.began.elapsed());
                if !std::mem::replace(&mut self.known.silence, true) {
                    (self.tell)(Said::Trouble(format!(
                        "the scheduler does not answer ({trouble}); jobs go on, and it is asked again later"
                    )));
                }
            }
            Ok(text) => {
                let (rows, strange) = slurm::queue(&text);
                if std::mem::take(&mut self.known.silence) {
                    (self.tell)(Said::Event("the scheduler answers again".to_owned()));
                }
                if strange > 0 && self.known.answered.is_none() {
                    (self.tell)(Said::Trouble(format!(
                        "{} of `squeue` cannot be read and {} ignored",
                        count(strange, "line"),
                        if strange == 1 { "is" } else { "are" }
                    )));
                }
                let changed = self.take_rows(rows, now)?;
                self.known.answered = Some(now);
                self.known
                    .polling
                    .answered(self.known.began.elapsed(), changed);
            }
        }
        Ok(())
    }

    /// Takes what the scheduler listed; whether anything is new.
    fn take_rows(&mut self, rows: Vec<Row>, now: Duration) -> io::Result<bool> {
        let mut listed: BTreeMap<(u64, u32), Row> = BTreeMap::new();
        for row in rows {
            for array in &mut self.known.arrays {
                if array.token != row.name {
                    continue;
                }
                // Submitted by somebody who did not live to note it.
                if array.job.is_none() {
                    array.job = Some(row.array);
                    array.refused = None;
                    self.session.set_array(array)?;
                }
                if array.job == Some(row.array) {
                    listed.extend(
                        row.tasks
                            .iter()
                            .map(|&task| ((row.array, task), row.clone())),
                    );
                }
            }
        }
        // What is in doubt and not listed was never submitted.
        for array in &mut self.known.arrays {
            if array.is_in_doubt() {
                self.known.queue.push_front(array.clone());
                array.refused = Some("the submission failed".to_owned());
                self.session.set_array(array)?;
            }
        }
        let changed = listed != self.known.rows;
        self.tell_restarts(&listed);
        for array in &self.known.arrays {
            for task in 0..array.tasks {
                let id = (array.job.unwrap_or(0), task);
                if listed.contains_key(&id) && listed.get(&id) != self.known.rows.get(&id) {
                    self.known.heard.insert((array.token.clone(), task), now);
                }
            }
        }
        self.known.rows = listed;
        Ok(changed)
    }

    /// Tells of tasks that the scheduler starts again: because a node was lost, or others came first, or they asked for it.
    fn tell_restarts(&self, listed: &BTreeMap<(u64, u32), Row>) {
        for (&(job, task), row) in listed {
            let old = self.known.rows.get(&(job, task));
            if row.restarts == 0 || old.is_some_and(|old| old.restarts >= row.restarts) {
                continue;
            }
            let array = self
                .known
                .arrays
                .iter()
                .find(|array| array.job == Some(job));
            let before = array.map(|array| Incarnation {
                array: array.token.clone(),
                task,
                restart: row.restarts - 1,
            });
            let note = before.and_then(|before| self.known.starts.get(&before));
            let place = note
                .map(|note| format!(", which ran on {},", note.host))
                .unwrap_or_default();
            let why = match note.map(|note| &note.phase) {
                Some(Phase::Requeued) => "because its time was up",
                _ => "because it lost its node or had to make room",
            };
            (self.tell)(Said::Event(format!(
                "job {job}_{task}{place} is started again {why}; what it had not finished is done by others or by itself"
            )));
        }
    }

    /// Judges how each task stands, and tells of those that died.
    fn judge(&mut self, now: Duration) {
        let mut dead: BTreeMap<(Crew, String), Vec<String>> = BTreeMap::new();
        for array in &self.known.arrays {
            for task in 0..array.tasks {
                let id = (array.token.clone(), task);
                let row = array.job.and_then(|job| self.known.rows.get(&(job, task)));
                let note = self.known.notes.get(&id);
                let heard = *self.known.heard.entry(id.clone()).or_insert(now);
                // While the scheduler is silent nobody is missed.
                let silent = match self.known.answered {
                    Some(answered) if !self.known.silence => answered.saturating_sub(heard),
                    _ => Duration::ZERO,
                };
                let stands = match &array.refused {
                    Some(why) => Standing::Dead(why.clone()),
                    None => standing(row, note, silent, &self.profile),
                };
                let old = self.known.standings.insert(id, stands.clone());
                if let Standing::Dead(why) = stands
                    && old.is_none_or(|old| old.is_alive())
                    && array.refused.is_none()
                {
                    let place = note
                        .map(|note| format!(" on {}", note.host))
                        .unwrap_or_default();
                    let job = array
                        .job
                        .map_or(String::new(), |job| format!("{job}_{task}"));
                    dead.entry((array.crew.clone(), why))
                        .or_default()
                        .push(format!("{job}{place}"));
                }
            }
        }
        for ((crew, why), tasks) in dead {
            let shown = match tasks.len() {
                0..=3 => list_of(&tasks).replace('`', ""),
                many => format!("{} and {} more", tasks[0], many - 1),
            };
            let jobs = if tasks.len() == 1 { "job" } else { "jobs" };
            (self.tell)(Said::Trouble(format!(
                "{jobs} {shown} of {crew}: {why}; output in {}",
                self.session.path("out").display()
            )));
        }
    }

    /// The tasks of a crew, each by its array and its number there.
    fn tasks_of<'d>(&'d self, crew: &'d Crew) -> impl Iterator<Item = (String, u32)> + 'd {
        let arrays = self.known.arrays.iter();
        let arrays = arrays.filter(move |array| array.crew == *crew);
        arrays.flat_map(|array| (0..array.tasks).map(|task| (array.token.clone(), task)))
    }

    /// Says how it goes with each crew, if that is new.
    fn report(&mut self, demand: &Demand) {
        for crew in demand.missing.keys() {
            if !self.known.arrays.iter().any(|array| array.crew == *crew) {
                continue;
            }
            let status = self.status(crew);
            if self.known.said.get(crew) != Some(&status) {
                (self.tell)(Said::Status(crew.clone(), status.clone()));
                self.known.said.insert(crew.clone(), status);
            }
        }
    }

    fn status(&self, crew: &Crew) -> String {
        let (mut running, mut starting, mut waiting) =
            (0_usize, 0_usize, BTreeMap::<&str, usize>::new());
        for id in self.tasks_of(crew) {
            match self.known.standings.get(&id) {
                Some(Standing::Running) => {
                    match self.known.notes.get(&id).map(|note| &note.phase) {
                        Some(Phase::Working | Phase::Draining) => running += 1,
                        _ => starting += 1,
                    }
                }
                Some(Standing::Waiting(reason)) => *waiting.entry(reason).or_default() += 1,
                None => *waiting.entry("").or_default() += 1,
                Some(Standing::Finished | Standing::Dead(_)) => {}
            }
        }
        let mut parts = Vec::new();
        if running > 0 {
            parts.push(format!("{running} working"));
        }
        if starting > 0 {
            parts.push(format!("{starting} starting"));
        }
        for (reason, tasks) in waiting {
            let why = match (slurm::advice(reason), reason) {
                (Some(advice), reason) => format!(" ({reason}: {advice})"),
                (None, "" | "None" | "(null)") => String::new(),
                (None, reason) => format!(" ({reason})"),
            };
            parts.push(format!("{tasks} waiting{why}"));
        }
        if parts.is_empty() {
            return "none".to_owned();
        }
        parts.join(", ")
    }

    /// Ends what is left, once those that run have had so long to see for themselves that nothing more is wanted.
    ///
    /// # Errors
    /// When the session cannot be written.
    pub fn end_softly(&mut self, patience: Duration) -> io::Result<()> {
        self.session.close()?;
        let began = Instant::now();
        loop {
            let now = self.known.began.elapsed();
            self.read_notes(now);
            let running = |note: &Note| !note.phase.has_ended();
            if !self.known.notes.values().any(running) || began.elapsed() >= patience {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let now = self.known.began.elapsed();
        self.read_notes(now);
        self.judge(now);
        // Those too that nothing was heard of: they may be waiting.
        let ended = |array: &Array| {
            (0..array.tasks).all(|task| {
                let note = self.known.notes.get(&(array.token.clone(), task));
                note.is_some_and(|note| note.phase.has_ended() && note.phase != Phase::Stopped)
            })
        };
        let arrays = self.known.arrays.iter();
        for array in arrays.filter(|array| array.refused.is_none() && !ended(array)) {
            // What has ended meanwhile is no error, and what cannot be reached now finds the session closed.
            let _ = self.control.run("scancel", &slurm::scancel(&array.token));
        }
        Ok(())
    }
}
