//! Submitting: how many jobs a crew gets, and what becomes of arrays that the scheduler refuses or may not have heard of.

use std::io;
use std::time::Duration;

use super::{Driver, Said};
use crate::base::wording::count;
use crate::cluster::control::Trouble;
use crate::cluster::crew::Crew;
use crate::cluster::fleet::Demand;
use crate::cluster::polling::LONGEST;
use crate::cluster::script::script;
use crate::cluster::session::Array;
use crate::cluster::slurm;
use crate::cluster::waves::{Decision, Going, Standing, decide, rest};

impl Driver {
    /// Tasks that are still to be submitted.
    fn planned(&self, crew: &Crew) -> u32 {
        let queue = self.known.queue.iter().filter(|array| array.crew == *crew);
        queue.map(|array| array.tasks).sum()
    }

    fn alive(&self, crew: &Crew) -> u32 {
        let alive = self
            .tasks_of(crew)
            .filter(|id| self.known.standings.get(id).is_none_or(Standing::is_alive));
        u32::try_from(alive.count()).unwrap_or(u32::MAX)
    }

    /// Submits as many jobs as are worth it for what is missing.
    ///
    /// # Errors
    /// When the session cannot be written.
    pub(super) fn submit(&mut self, demand: &Demand, now: Duration) -> io::Result<()> {
        self.submit_queued(now)?;
        for (crew, &missing) in &demand.missing {
            let landed = demand.landed.get(crew).copied().unwrap_or(0);
            let going = {
                let known = self.known.crews.entry(crew.clone()).or_default();
                if landed > known.landed {
                    known.landed = landed;
                    known.progress = true;
                    known.barren = 0;
                }
                known.asked = known.asked.min(missing);
                *known
            };
            // Of a model calls land all the time. A stage lands once, and others may be wanted long before.
            let grown = *crew == Crew::Stages && missing > going.asked;
            let going = Going {
                missing,
                each: match crew {
                    Crew::Model(_) => self.profile.calls,
                    Crew::Stages => 1,
                },
                alive: self.alive(crew) + self.planned(crew),
                barren: going.barren,
                progress: going.progress,
                rested: now >= going.rested,
                grown,
            };
            // Whoever comes back to jobs that it has not looked at yet first looks.
            let in_doubt = |array: &Array| array.crew == *crew && array.is_in_doubt();
            if self.known.arrays.iter().any(in_doubt) || now < self.known.patience {
                continue;
            }
            match decide(going, &self.profile) {
                Decision::Wait => {}
                Decision::Submit(tasks) => self.submit_for(crew, tasks, (going, now))?,
                Decision::GiveUp => {
                    let why = self.why_lost(crew);
                    match crew {
                        Crew::Model(_) => self.fleet.lose(crew, why),
                        // What no job can compute says nothing about others.
                        Crew::Stages => {
                            self.fleet.give_up(crew, &why);
                            self.known.crews.entry(crew.clone()).or_default().barren = 0;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Why a crew is given up, with the last that its tasks said.
    fn why_lost(&self, crew: &Crew) -> String {
        let arrays = self.known.arrays.iter().rev();
        let arrays = arrays.filter(|array| array.crew == *crew);
        let mut tasks =
            arrays.flat_map(|array| (0..array.tasks).map(|task| (array.token.clone(), task)));
        let why = tasks.find_map(|id| match self.known.standings.get(&id) {
            Some(Standing::Dead(why)) => Some(why.clone()),
            _ => None,
        });
        format!(
            "its jobs end without a single {}: {}",
            match crew {
                Crew::Model(_) => "reply",
                Crew::Stages => "result",
            },
            why.unwrap_or_else(|| "they find nothing to do".to_owned())
        )
    }

    fn submit_for(
        &mut self,
        crew: &Crew,
        tasks: u32,
        (going, now): (Going, Duration),
    ) -> io::Result<()> {
        let bounds = match self.known.bounds {
            Some(bounds) => bounds,
            None => {
                let words = ["show".to_owned(), "config".to_owned()];
                match self.control.run("scontrol", &words) {
                    Ok(text) => *self.known.bounds.insert(slurm::bounds(&text)),
                    Err(trouble @ Trouble::Missing(_)) => {
                        self.fleet.lose(crew, trouble.to_string());
                        return Ok(());
                    }
                    Err(trouble) => {
                        self.wait_for_scheduler(&trouble, now);
                        return Ok(());
                    }
                }
            }
        };
        let known = self.known.crews.entry(crew.clone()).or_default();
        known.asked = going.missing;
        // What is wanted beside that for which others live is no replacement of any.
        if going.alive == 0 || !going.grown {
            known.progress = false;
            known.barren = if going.grown { 1 } else { known.barren + 1 };
            // What went on for long before more was needed begins anew.
            if now >= known.rested + LONGEST {
                known.times = 0;
            }
            known.rested = now + rest(known.times);
            known.times += 1;
        }
        let mut first = known.count;
        known.count += tasks;
        for length in slurm::arrays(tasks, bounds, self.profile.array_limit) {
            self.known.queue.push_back(Array {
                token: String::new(),
                crew: crew.clone(),
                tasks: length,
                first,
                of: tasks,
                job: None,
                refused: None,
            });
            first += length;
        }
        self.submit_queued(now)
    }

    /// Submits what is planned, until the scheduler is in the way.
    fn submit_queued(&mut self, now: Duration) -> io::Result<()> {
        while now >= self.known.patience
            && !self.known.arrays.iter().any(Array::is_in_doubt)
            && let Some(array) = self.known.queue.pop_front()
        {
            self.submit_array(array, now)?;
        }
        Ok(())
    }

    fn submit_array(&mut self, mut array: Array, now: Duration) -> io::Result<()> {
        let Some(needs) = self.fleet.needs(&array.crew).cloned() else {
            return Ok(());
        };
        array.token = self.session.token(self.known.arrays.len());
        let path = self
            .session
            .path("arrays")
            .join(format!("{}.sh", array.token));
        let text = script(
            &self.profile.preamble,
            &self.program,
            self.session.folder(),
            &array.token,
            &self.folder,
        );
        crate::base::whole::replace(&path, text.as_bytes())?;
        // Written down before it is submitted, so that it is looked for whatever happens meanwhile.
        self.session.set_array(&array)?;
        let words = slurm::sbatch(
            &self.profile,
            &needs,
            &array.token,
            array.tasks,
            &path.to_string_lossy(),
        );
        match self.control.run("sbatch", &words) {
            Ok(said) => {
                array.job = slurm::submitted(&said);
                self.known.refusals = 0;
            }
            Err(trouble @ Trouble::Missing(_)) => array.refused = Some(trouble.to_string()),
            Err(Trouble::Refused(why)) if is_final(&why) => array.refused = Some(why),
            // It may have arrived: the next answer of `squeue` says whether.
            Err(trouble) => self.wait_for_scheduler(&trouble, now),
        }
        if array.job.is_some() || array.refused.is_some() {
            self.session.set_array(&array)?;
        }
        if let Some(job) = array.job {
            (self.tell)(Said::Event(format!(
                "{} for {}: job {job}",
                count(array.tasks as usize, "task"),
                array.crew
            )));
        }
        self.known.polling.submitted(self.known.began.elapsed());
        let (crew, refused) = (array.crew.clone(), array.refused.clone());
        let alive = self.alive(&crew);
        self.known.arrays.push(array);
        if let Some(why) = refused {
            self.known.queue.retain(|planned| planned.crew != crew);
            // Those that were taken before may be enough.
            if alive == 0 {
                self.fleet
                    .lose(&crew, format!("its jobs are refused: {why}"));
            } else {
                (self.tell)(Said::Trouble(format!(
                    "no more jobs for {crew} than there are: {why}"
                )));
            }
        }
        Ok(())
    }

    fn wait_for_scheduler(&mut self, trouble: &Trouble, now: Duration) {
        self.known.patience = now.max(self.known.began.elapsed()) + rest(self.known.refusals);
        self.known.refusals += 1;
        if !std::mem::replace(&mut self.known.silence, true) {
            (self.tell)(Said::Trouble(format!(
                "the scheduler does not take jobs now ({trouble}); they are submitted when it does"
            )));
        }
    }
}

/// Whether a refusal is the scheduler's last word, rather than one about its own state.
fn is_final(why: &str) -> bool {
    let passing = [
        "Unable to contact",
        "Socket timed out",
        "Connection refused",
        "Protocol authentication",
        "temporarily",
        "Zero Bytes",
        "Slurm backup controller",
        "rate limit",
    ];
    let lower = why.to_lowercase();
    !passing
        .iter()
        .any(|word| lower.contains(&word.to_lowercase()))
}
