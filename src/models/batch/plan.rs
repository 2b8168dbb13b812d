//! Which questions are in a batch already, whosever it is, and which are free to be put into a new one.
//!
//! Deciding and writing that down is done under one lock, so two processes never put the same question
//! into two batches. Whoever works on a batch holds its own lock as well; a batch that is written down
//! and not locked was left by a run that ended, and belongs to the first who takes it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::time::Instant;

use super::chunks::chunks;
use super::error::BatchError;
use super::event::BatchEvent;
use super::journal::{Entry, State};
use super::run::Batcher;
use crate::base::key::Digest;
use crate::cache::Guard;
use crate::models::provider::batches::{AROUND, Counts, Outcome};

/// How many requests are measured before other tasks have their turn.
const AT_ONCE: usize = 100;

/// How large requests are in a batch, in bytes.
type Sizes = BTreeMap<Digest, usize>;

/// A batch in this run.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) name: Digest,
    pub(super) entry: Entry,
    /// The right to work on it; without it another process does.
    pub(super) claim: Option<Guard>,
    /// How many times its questions have expired in this run.
    pub(super) round: u32,
    /// When to look at it next.
    pub(super) due: Instant,
    /// How long to wait after that.
    pub(super) pause: Duration,
    /// How many looks in a row have failed.
    pub(super) failed_looks: u32,
    /// How many times it was over and had fewer results than the server counts.
    pub(super) short_looks: u32,
    /// What was told of it last.
    pub(super) told: Counts,
}

/// What became of a batch that another process works on.
#[derive(Debug)]
pub(super) enum Taken {
    /// It still does.
    NotYet,
    /// It has stored what came of it.
    Over,
    /// It has ended, and left it to us.
    Ours(Box<Job>),
}

impl Batcher<'_> {
    /// Finds the batches that hold some of `wanted`, and plans new ones for the rest. What is stored by now is
    /// not wanted any more; the rest is returned.
    pub(super) async fn begin(
        &self,
        wanted: &BTreeSet<Digest>,
    ) -> Result<(BTreeSet<Digest>, Vec<Job>), BatchError> {
        // Only a guess at what is free, but putting requests together takes long, and others wait meanwhile.
        let mut free = wanted.clone();
        for (_, entry) in self.kept()? {
            if entry.state != State::Planned {
                for id in &entry.custom_ids {
                    free.remove(id);
                }
            }
        }
        let sizes = self.measure(&free).await?;

        let _deciding = self.decide()?;
        let mut wanted = wanted.clone();
        wanted.retain(|id| !self.stored(id));
        let mut free = wanted.clone();
        let mut jobs = Vec::new();
        for (name, entry) in self.kept()? {
            let claim = self.batches.try_lock(&name);
            // Nobody will send the one any more; of the other a run was killed before it could forget it.
            if claim.is_some() && (entry.state == State::Planned || self.is_settled(&entry)) {
                self.batches.remove(&name)?;
                continue;
            }
            let touched = entry.of(&wanted).len();
            if touched == 0 {
                continue;
            }
            if claim.is_none() {
                self.host.tell(BatchEvent::Waiting { questions: touched });
            }
            for id in &entry.custom_ids {
                free.remove(id);
            }
            jobs.push(self.job(name, entry, claim, 0));
        }
        jobs.extend(self.plan(&free, &sizes, 0)?);
        Ok((wanted, jobs))
    }

    /// What is written down. What is damaged is told.
    fn kept(&self) -> Result<Vec<(Digest, Entry)>, BatchError> {
        let kept = self.batches.all::<Entry>()?;
        for damage in kept.damages {
            let warning = format!("{damage}; if a batch was running, its answers cannot be found");
            self.host.tell(BatchEvent::Warning(warning));
        }
        Ok(kept.whole)
    }

    /// Whether all answers of a batch are stored.
    pub(super) fn is_settled(&self, entry: &Entry) -> bool {
        entry.custom_ids.iter().all(|id| self.host.stored(id))
    }

    /// Whether the answer to a question that is wanted is stored, which is told if so.
    fn stored(&self, id: &Digest) -> bool {
        let stored = self.host.stored(id);
        if stored {
            self.elsewhere(id);
        }
        stored
    }

    pub(super) fn elsewhere(&self, id: &Digest) {
        self.host.take(id, Outcome::Elsewhere);
    }

    /// Plans new batches for those questions of a batch that are wanted, and forgets it.
    pub(super) async fn again(
        &self,
        job: Job,
        wanted: &BTreeSet<Digest>,
    ) -> Result<Vec<Job>, BatchError> {
        let (rest, round) = (job.entry.of(wanted), job.round);
        self.replace(job, rest, round).await
    }

    /// Forgets a batch, and plans new ones for `rest`, those of its questions that are still to be asked: only
    /// such as this run wants, for the requests of others cannot be made.
    pub(super) async fn replace(
        &self,
        old: Job,
        mut rest: BTreeSet<Digest>,
        round: u32,
    ) -> Result<Vec<Job>, BatchError> {
        let sizes = self.measure(&rest).await?;
        let _deciding = self.decide()?;
        rest.retain(|id| !self.stored(id));
        // The new are written down first: were the old removed and the run killed, nothing would be lost
        // but the place of what is reserved. The same questions are the same name, so it is done in one go.
        let Job { name, claim, .. } = old;
        drop(claim);
        let jobs = self.plan(&rest, &sizes, round)?;
        if jobs.iter().all(|job| job.name != name) {
            self.batches.remove(&name)?;
        }
        Ok(jobs)
    }

    /// Takes over the batch of another process, if that one has ended or finished.
    pub(super) fn take_over(&self, job: &Job) -> Result<Taken, BatchError> {
        let _deciding = self.decide()?;
        let Some(claim) = self.batches.try_lock(&job.name) else {
            return Ok(Taken::NotYet);
        };
        // What is damaged is told by the next run.
        Ok(match self.batches.load::<Entry>(&job.name) {
            Ok(Some(entry)) => Taken::Ours(Box::new(self.job(job.name, entry, Some(claim), 0))),
            Ok(None) | Err(_) => Taken::Over,
        })
    }

    /// The right to decide. Claims are taken only by those who have it, and it is not kept while waiting
    /// for anything.
    fn decide(&self) -> Result<Guard, BatchError> {
        let stop = || self.host.stop();
        let guard = self.batches.lock_all(&stop);
        guard.ok_or(BatchError::Interrupted { under_way: 0 })
    }

    /// Measures requests; stops when it is time to.
    async fn measure(&self, ids: &BTreeSet<Digest>) -> Result<Sizes, BatchError> {
        let mut sizes = Sizes::new();
        for id in ids {
            if sizes.len() % AT_ONCE == AT_ONCE - 1 {
                self.exchange().until(Instant::now()).await?;
                tokio::task::yield_now().await;
            }
            sizes.insert(*id, self.size(id));
        }
        Ok(sizes)
    }

    /// How large a request is, with what stands between it and the next.
    fn size(&self, id: &Digest) -> usize {
        let mut request = Vec::new();
        self.write_request(id, &mut request);
        request.len() + 1
    }

    /// Reserves questions for new batches. What was not measured because it was not free then is measured now.
    fn plan(
        &self,
        ids: &BTreeSet<Digest>,
        sizes: &Sizes,
        round: u32,
    ) -> Result<Vec<Job>, BatchError> {
        let limit = self.settings.most_bytes.saturating_sub(AROUND);
        let (mut fitting, mut lengths) = (Vec::new(), Vec::new());
        for id in ids {
            let bytes = sizes.get(id).copied();
            let bytes = bytes.unwrap_or_else(|| self.size(id));
            if bytes > limit {
                self.host.take(id, Outcome::TooLarge { bytes, limit });
            } else {
                fitting.push(*id);
                lengths.push(bytes);
            }
        }
        let mut jobs = Vec::new();
        for range in chunks(&lengths, self.settings.most_requests, limit) {
            let entry = Entry::new(self.service, fitting[range].to_vec(), self.host.now());
            let name = entry.name();
            // Held by somebody else only if that one has just forgotten the same batch, or its file was
            // damaged: waited for like any other.
            let claim = self.batches.try_lock(&name);
            if claim.is_some() {
                self.batches.store(&name, &entry)?;
            }
            jobs.push(self.job(name, entry, claim, round));
        }
        Ok(jobs)
    }

    pub(super) fn write_request(&self, id: &Digest, out: &mut Vec<u8>) {
        let params = self.host.params(id);
        (self.format.write_request)(id, &params, out);
    }

    fn job(&self, name: Digest, entry: Entry, claim: Option<Guard>, round: u32) -> Job {
        Job {
            name,
            entry,
            claim,
            round,
            due: Instant::now(),
            pause: self.settings.first_look,
            failed_looks: 0,
            short_looks: 0,
            told: Counts::default(),
        }
    }
}
