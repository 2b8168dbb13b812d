//! Fetching the results of a batch that is over, and handing them on.
//!
//! The batch is forgotten only after its answers are stored. A run that is killed before that fetches
//! them again. Files of results are held whole, hundreds of megabytes if need be, but no more than a piece
//! of the answers in them; they are read beside the tasks, which have other batches and calls to see to.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::error::BatchError;
use super::event::BatchEvent;
use super::exchange::Request;
use super::journal::State;
use super::plan::Job;
use super::results::Results;
use super::run::Batcher;
use super::transport::Key;
use crate::base::key::Digest;
use crate::base::wording::count;
use crate::models::provider::batches::{Outcome, Phase, Status};

/// How often results that are fewer than the server says, or damaged, are fetched.
const DOWNLOADS: u32 = 3;

/// How often a batch is looked at anew whose results stay fewer than the server says: they are paid for, and a file that
/// lags behind the count has minutes to come. Then the server has miscounted.
const SHORT_LOOKS: u32 = 5;

/// So many results are read and handed on at once; then it is waited until they are stored.
const AT_ONCE: usize = 1000;

/// What came of fetching the results of a batch.
pub(super) enum Collected {
    /// They are handed on and the batch is forgotten; these take its place.
    All(Vec<Job>),
    /// They are not all there yet: the batch is to be looked at again.
    Short(Box<Job>),
}

impl Batcher<'_> {
    /// Hands on the results of a batch that is over, forgets it, and plans new batches for what expired.
    pub(super) async fn collect(
        &self,
        mut job: Job,
        status: &Status,
        wanted: &BTreeSet<Digest>,
    ) -> Result<Collected, BatchError> {
        let results = match self.download(&job, status).await {
            Ok(results) if results.is_short(status) && job.short_looks < SHORT_LOOKS => {
                job.short_looks += 1;
                return Ok(Collected::Short(Box::new(job)));
            }
            Ok(results) => Arc::new(results),
            Err(BatchError::Refused {
                status: Some(404 | 410),
                ..
            }) => {
                self.gone(job, &status.id, wanted).await?;
                return Ok(Collected::All(Vec::new()));
            }
            Err(error) => return Err(error),
        };
        let certain = !matches!(job.entry.state, State::Submitted { certain: false, .. });
        let id = &status.id;
        if !certain && results.len() == 0 {
            let warning = format!(
                "the batch `{id}` looked like one that was being sent when a run ended, but is not: the questions are sent now"
            );
            self.host.tell(BatchEvent::Warning(warning));
            return self.again(job, wanted).await.map(Collected::All);
        }
        if results.foreign + results.unread > 0 {
            let lines = count(results.foreign + results.unread, "line");
            let warning =
                format!("the results of batch `{id}` have {lines} that belong to no question");
            self.host.tell(BatchEvent::Warning(warning));
        }
        let mut expired = BTreeSet::new();
        for ids in job.entry.custom_ids.chunks(AT_ONCE) {
            let (ids, results, phase) = (ids.to_vec(), Arc::clone(&results), status.phase);
            let read = move |id| (id, results.of(&id).unwrap_or_else(|| missing(phase)));
            let piece: Vec<_> = beside(move || ids.into_iter().map(read).collect()).await?;
            for (id, outcome) in piece {
                let asked = wanted.contains(&id);
                if outcome == Outcome::Expired && asked && job.round < self.settings.rounds {
                    expired.insert(id);
                } else if asked || self.is_worth_keeping(&id, &outcome) {
                    self.host.take(&id, outcome);
                }
            }
            self.host.settle().await.map_err(BatchError::Store)?;
        }
        let round = job.round + 1;
        let jobs = self.replace(job, expired, round).await?;
        self.host.tell(BatchEvent::Ended { id: id.clone() });
        Ok(Collected::All(jobs))
    }

    /// Whether what became of a question that is not asked is to be stored: it is paid for.
    fn is_worth_keeping(&self, id: &Digest, outcome: &Outcome) -> bool {
        matches!(outcome, Outcome::Answer { .. }) && !self.host.stored(id)
    }

    /// The results, again if they are not whole.
    async fn download(&self, job: &Job, status: &Status) -> Result<Results, BatchError> {
        let mut attempt = 1;
        loop {
            let files = self.fetch(status).await?;
            let (read, ours) = (self.format.result, job.entry.custom_ids.clone());
            let results = beside(move || Results::find(read, files, &ours)).await?;
            let whole = results.unread == 0 && !results.is_short(status);
            if whole || attempt >= DOWNLOADS {
                return Ok(results);
            }
            self.exchange().rest(attempt, None).await?;
            attempt += 1;
        }
    }

    async fn fetch(&self, status: &Status) -> Result<Vec<Vec<u8>>, BatchError> {
        let exchange = self.exchange();
        let mut files = Vec::new();
        for path in (self.format.results)(status) {
            // The address that the server gives may lead anywhere. To itself, fine; otherwise (a proxy passes on
            // the address of whom it stands for) the documented place on this server comes first, and
            // the other is asked without the key.
            let given = status.results_url.as_deref();
            let (near, far) = match given {
                Some(url) if same_server(&self.service.base_url, url) => (url.to_owned(), None),
                other => (self.url(&path), other),
            };
            let body = match exchange.persist(&Request::Get(near, Key::Sent)).await {
                Err(BatchError::Refused {
                    status: Some(404 | 405 | 501),
                    ..
                }) if far.is_some() => {
                    let far = far.unwrap_or_default().to_owned();
                    exchange.persist(&Request::Get(far, Key::Withheld)).await?
                }
                other => other?,
            };
            files.push(body);
        }
        Ok(files)
    }

    /// Sees to a batch that the server does not know: an error, unless all that is wanted of it is stored.
    pub(super) async fn gone(
        &self,
        job: Job,
        id: &str,
        wanted: &BTreeSet<Digest>,
    ) -> Result<(), BatchError> {
        let ours = job.entry.of(wanted);
        if !ours.iter().all(|id| self.host.stored(id)) {
            let age = self.host.now().saturating_sub(job.entry.created_at);
            return Err(BatchError::Gone {
                id: id.to_owned(),
                age: Duration::from_secs(age),
                path: self.batches.path_of(&job.name),
            });
        }
        for id in &ours {
            self.elsewhere(id);
        }
        // Otherwise it stays for whoever wants the rest, perhaps with the right key.
        if self.is_settled(&job.entry) {
            self.replace(job, BTreeSet::new(), 0).await?;
        }
        Ok(())
    }
}

/// Does what takes long beside the tasks.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, BatchError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        // Cancelled, which happens only when everything ends.
        Err(_) => BatchError::Interrupted { under_way: 0 },
    })
}

/// What became of a question that the results do not mention.
fn missing(phase: Phase) -> Outcome {
    match phase {
        Phase::Expired => Outcome::Expired,
        Phase::Canceled => Outcome::Canceled,
        Phase::Going | Phase::Ended | Phase::Failed => {
            Outcome::Broken("the batch ended without a result for it".to_owned())
        }
    }
}

/// Whether two addresses have the same scheme, host and port, so that what may be known to one server
/// may be known to the other.
fn same_server(one: &str, other: &str) -> bool {
    let origin = |address: &str| {
        let origin = url::Url::parse(address).ok()?.origin();
        origin.is_tuple().then_some(origin)
    };
    origin(one).is_some_and(|one| origin(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_told_apart_by_scheme_host_and_port() {
        let base = "https://api.anthropic.com/v1";
        assert!(same_server(
            base,
            "https://API.anthropic.com:443/v1/x/results"
        ));
        for other in [
            "http://api.anthropic.com/v1",
            "https://api.anthropic.com.evil.example/v1",
            "https://api.anthropic.com@evil.example/v1",
            "https://evil.example\\@api.anthropic.com/",
            "https://api.anthropic.com:8443/v1",
            "/v1/x",
            "data:text/plain,x",
            "",
        ] {
            assert!(!same_server(base, other), "{other}");
        }
        assert!(!same_server("data:a", "data:a"));
    }
}
