//! Polling a running batch, and what follows from its state.

use std::collections::BTreeSet;

use tokio::time::Instant;

use super::collect::Collected;
use super::error::BatchError;
use super::event::BatchEvent;
use super::exchange::{Exchange, Request, Trouble};
use super::journal::State;
use super::plan::{Job, Taken};
use super::run::{Batcher, Work};
use super::transport::Key;
use crate::base::key::Digest;
use crate::models::provider::batches::{Phase, Status};

impl Batcher<'_> {
    /// Looks at a batch that is with the server.
    pub(super) async fn look(
        &self,
        mut job: Job,
        wanted: &BTreeSet<Digest>,
        work: &mut Work,
    ) -> Result<(), BatchError> {
        let State::Submitted { id, .. } = &job.entry.state else {
            work.waiting.push_back(job);
            return Ok(());
        };
        let id = id.clone();
        let path = format!("{}/{id}", self.format.path);
        let request = Request::Get(self.url(&path), Key::Sent);
        let status = match self.status(&request, &id).await {
            Ok(status) => status,
            Err(Trouble::Refused {
                status: 404 | 410, ..
            }) => return self.gone(job, &id, wanted).await,
            Err(Trouble::Later { why, after, .. })
                if job.failed_looks + 1 < self.settings.failed_looks =>
            {
                job.failed_looks += 1;
                if job.failed_looks == 1 {
                    let warning = format!("batch `{id}` cannot be looked at now: {why}");
                    self.host.tell(BatchEvent::Warning(warning));
                }
                let at_least = Exchange::after(after);
                work.under_way.push(self.later(job, at_least));
                return Ok(());
            }
            Err(trouble) => {
                let attempts = job.failed_looks + 1;
                return Err(self.exchange().error(&request, attempts, trouble));
            }
        };
        job.failed_looks = 0;
        match status.phase {
            Phase::Going => {
                self.tell_progress(&mut job, &status);
                work.under_way.push(self.later(job, Instant::now()));
            }
            Phase::Failed => self.failed(job, &status, wanted, work).await?,
            Phase::Ended | Phase::Expired | Phase::Canceled => {
                match self.collect(job, &status, wanted).await? {
                    Collected::All(jobs) => self.sort(jobs, work)?,
                    Collected::Short(job) => {
                        work.under_way.push(self.later(*job, Instant::now()));
                    }
                }
            }
        }
        Ok(())
    }

    async fn status(&self, request: &Request, id: &str) -> Result<Status, Trouble> {
        let body = self.exchange().once_unless_stopped(request).await?;
        let unread = |why: String| Trouble::Later {
            why: format!("the reply cannot be read: {why}"),
            after: None,
            nothing_done: true,
        };
        let status = self.format.read_status(&body);
        let status = status.map_err(|error| unread(error.to_string()))?;
        if status.id == id {
            Ok(status)
        } else {
            Err(unread(format!("it is about `{}`", status.id)))
        }
    }

    /// Looks whether another process has finished with a batch.
    pub(super) async fn look_elsewhere(
        &self,
        job: Job,
        wanted: &BTreeSet<Digest>,
        work: &mut Work,
    ) -> Result<(), BatchError> {
        match self.take_over(&job)? {
            Taken::NotYet => work.under_way.push(self.later(job, Instant::now())),
            Taken::Over => {
                for id in job.entry.of(wanted) {
                    self.elsewhere(&id);
                }
            }
            Taken::Ours(job) if job.entry.state == State::Planned => {
                let jobs = self.again(*job, wanted).await?;
                self.sort(jobs, work)?;
            }
            Taken::Ours(job) => self.sort(vec![*job], work)?,
        }
        Ok(())
    }

    /// Sees to a batch that the server refused after it had taken it.
    async fn failed(
        &self,
        job: Job,
        status: &Status,
        wanted: &BTreeSet<Digest>,
        work: &mut Work,
    ) -> Result<(), BatchError> {
        let others = work.with_server();
        if status.too_much_waiting && others > 0 {
            let warning =
                "the server queues no more tokens; the batch is sent again when another has ended";
            self.host.tell(BatchEvent::Warning(warning.to_owned()));
            work.room = Some(others);
            let jobs = self.again(job, wanted).await?;
            return self.sort(jobs, work);
        }
        self.batches.remove(&job.name)?;
        let why = match status.errors.as_slice() {
            [] => "it does not say why".to_owned(),
            errors => errors.join("; "),
        };
        let error = BatchError::Refused {
            what: format!("the batch `{}`", status.id),
            status: None,
            why,
        };
        self.refuse(error, work);
        Ok(())
    }

    fn tell_progress(&self, job: &mut Job, status: &Status) {
        let mut counts = status.counts;
        if counts.of == 0 {
            counts.of = job.entry.custom_ids.len() as u64;
        }
        if counts != job.told {
            job.told = counts;
            self.host.tell(BatchEvent::Progress {
                id: status.id.clone(),
                done: counts.done,
                failed: counts.failed,
                of: counts.of,
            });
        }
    }

    /// The batch, to be looked at after its pause, and not before `at_least`.
    fn later(&self, mut job: Job, at_least: Instant) -> Job {
        job.due = (Instant::now() + job.pause).max(at_least);
        job.pause = self.settings.longer(job.pause);
        job
    }
}
