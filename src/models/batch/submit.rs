//! Sending a batch, and finding one that was sent by a run that could not write that down any more.
//!
//! Between the request that creates a batch and the note of its name, a run can be killed or lose its
//! connection. Then the server is asked for its batches before anything is sent again:
//!
//! - Where batches keep a mark that we put on them (OpenAI), it is found, however many there are. Two holes remain:
//!   a server that drops the mark (as some that are only like it do), and one whose list lags behind. Then
//!   the questions are paid for twice.
//! - Where they keep none (Anthropic), a batch that is no older than ours (give or take [`SKEW`]), has as many requests,
//!   and is not known to be another of ours, is taken for it, if there is exactly one. Once it has ended,
//!   its results tell. If they are somebody else's, our questions are sent then, up to a day late. If two
//!   batches fit, because another program uses the same workspace with batches of the same size, ours is not
//!   found: the questions are sent and paid for again. They are as well when ours arrives at the server only
//!   after another one was taken for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::error::BatchError;
use super::event::BatchEvent;
use super::exchange::{Request, Trouble};
use super::journal::{Entry, State};
use super::plan::Job;
use super::run::Batcher;
use super::transport::Key;
use crate::base::key::Digest;
use crate::base::wording::count;
use crate::models::provider::batches::{Handed, Phase, Status, Unread, read_id};

/// How far apart the clocks of the server and of this machine may be, in seconds.
const SKEW: u64 = 300;

/// How many parts of the server's list are looked through: 2,000 batches, or 20,000 of Anthropic's.
const PAGES: usize = 20;

/// What became of a batch that was to be sent.
#[derive(Debug)]
pub(super) enum Sent {
    /// It is with the server.
    Yes(Box<Job>),
    /// It had not been sent before; its questions are planned anew.
    Replanned(Vec<Job>),
    /// The server does not take it.
    Refused(BatchError),
}

impl Batcher<'_> {
    /// Sends a planned batch, or finds one that may have been sent.
    pub(super) async fn submit(
        &self,
        mut job: Job,
        wanted: &BTreeSet<Digest>,
    ) -> Result<Sent, BatchError> {
        if job.entry.state == State::Sending {
            return match self.find(&job.entry).await? {
                Some(id) => {
                    self.submitted(&mut job, id.clone(), self.format.marks)?;
                    let requests = job.entry.custom_ids.len();
                    self.host.tell(BatchEvent::Resumed { id, requests });
                    Ok(Sent::Yes(Box::new(job)))
                }
                None => Ok(Sent::Replanned(self.again(job, wanted).await?)),
            };
        }
        let created = match self.prepare(&job).await {
            Ok(request) => self.create(&mut job, &request).await,
            Err(error) => Err(error),
        };
        match created {
            Ok(()) => Ok(Sent::Yes(Box::new(job))),
            Err(error @ (BatchError::Refused { .. } | BatchError::NoBatches { .. })) => {
                // Not if it may be there all the same, and only the list of batches was refused.
                if job.entry.state == State::Planned {
                    self.batches.remove(&job.name)?;
                }
                Ok(Sent::Refused(error))
            }
            Err(error) => Err(error),
        }
    }

    /// The request that creates a batch; what it needs on the server is put there first.
    async fn prepare(&self, job: &Job) -> Result<Request, BatchError> {
        let ids = &job.entry.custom_ids;
        let mut write = |id: &Digest, out: &mut Vec<u8>| self.write_request(id, out);
        let batches = self.url(self.format.path);
        let (path, form, create) = match (self.format.hand_in)(&job.name, ids, &mut write) {
            Handed::Whole(body) => {
                self.tell_uploading(ids.len(), body.len());
                return Ok(json(batches, body));
            }
            Handed::Uploaded { path, form, create } => (path, form, create),
        };
        self.tell_uploading(ids.len(), form.body.len());
        let upload = Request::Post {
            url: self.url(path),
            content_type: form.content_type,
            body: Arc::new(form.body),
        };
        let base_url = &self.service.base_url;
        let reply = self.exchange().persist(&upload).await;
        let reply = reply.map_err(|error| upload.not_sent(base_url, error))?;
        let file = read_id(&reply).map_err(|unread| self.unread(&upload, &unread))?;
        Ok(json(batches, create(&file, &job.name)))
    }

    fn tell_uploading(&self, requests: usize, bytes: usize) {
        self.host.tell(BatchEvent::Uploading { requests, bytes });
    }

    /// Creates a batch, once: whenever it is not certain that the server did nothing, it is asked.
    async fn create(&self, job: &mut Job, request: &Request) -> Result<(), BatchError> {
        let exchange = self.exchange();
        if self.host.stop() {
            return Err(BatchError::Interrupted { under_way: 0 });
        }
        job.entry.state = State::Sending;
        job.entry.created_at = self.host.now();
        self.batches.store(&job.name, &job.entry)?;
        let (mut attempt, mut may_exist) = (1, false);
        loop {
            // Not left half-way, even when it is time to stop: the name of the batch is in the reply.
            let reply = exchange.once(request).await.and_then(|body| {
                read_id(&body).map_err(|unread| Trouble::Later {
                    why: format!("the reply cannot be read: {unread}"),
                    after: None,
                    nothing_done: false,
                })
            });
            let trouble = match reply {
                Ok(id) => return self.created(job, id, true),
                Err(trouble) => trouble,
            };
            let after = match &trouble {
                Trouble::Later {
                    after,
                    nothing_done,
                    ..
                } if attempt < self.settings.attempts => {
                    may_exist |= !nothing_done;
                    *after
                }
                Trouble::Fatal(_) | Trouble::Refused { .. } if !may_exist => {
                    job.entry.state = State::Planned;
                    self.batches.store(&job.name, &job.entry)?;
                    let error = exchange.error(request, attempt, trouble);
                    return Err(request.not_sent(&self.service.base_url, error));
                }
                _ => return Err(exchange.error(request, attempt, trouble)),
            };
            exchange.rest(attempt, after).await?;
            attempt += 1;
            if may_exist && let Some(id) = self.find(&job.entry).await? {
                return self.created(job, id, self.format.marks);
            }
        }
    }

    fn created(&self, job: &mut Job, id: String, certain: bool) -> Result<(), BatchError> {
        self.submitted(job, id.clone(), certain)?;
        let requests = job.entry.custom_ids.len();
        self.host.tell(BatchEvent::Submitted { id, requests });
        Ok(())
    }

    fn submitted(&self, job: &mut Job, id: String, certain: bool) -> Result<(), BatchError> {
        job.entry.state = State::Submitted { id, certain };
        self.batches.store(&job.name, &job.entry)?;
        job.due = tokio::time::Instant::now() + self.settings.first_look;
        job.pause = self.settings.longer(self.settings.first_look);
        Ok(())
    }

    /// The server's name for a batch that may have been created, if it is there.
    async fn find(&self, entry: &Entry) -> Result<Option<String>, BatchError> {
        let not_before = entry.created_at.saturating_sub(SKEW);
        let new_enough = |batch: &Status| batch.created_at.is_none_or(|at| at >= not_before);
        let mut batches = self.list().await?;
        batches.retain(|batch| batch.phase != Phase::Failed && new_enough(batch));
        if self.format.marks {
            let mark = entry.name().to_string();
            batches.retain(|batch| batch.mark.as_deref() == Some(&mark));
            // The newest, should the same questions have been asked shortly before.
            batches.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
            return Ok(batches.pop().map(|batch| batch.id));
        }
        let others = self.batches.all::<Entry>()?.whole;
        let others: BTreeSet<String> = others
            .into_iter()
            .filter_map(|(_, other)| match other.state {
                State::Submitted { id, .. } => Some(id),
                State::Planned | State::Sending => None,
            })
            .collect();
        let requests = entry.custom_ids.len();
        batches.retain(|batch| batch.counts.of == requests as u64 && !others.contains(&batch.id));
        match batches.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(only.id.clone())),
            several => {
                let warning = format!(
                    "a batch of {} was being sent when a run ended, and {} batches on the server look like it: the questions are sent again, and may be paid for twice",
                    count(requests, "request"),
                    several.len()
                );
                self.host.tell(BatchEvent::Warning(warning));
                Ok(None)
            }
        }
    }

    /// The batches on the server.
    async fn list(&self) -> Result<Vec<Status>, BatchError> {
        let (first, next) = self.format.list;
        let first = self.url(&format!("{}{first}", self.format.path));
        let mut batches = Vec::new();
        let mut url = first.clone();
        for _ in 0..PAGES {
            let request = Request::Get(url, Key::Sent);
            let body = match self.exchange().persist(&request).await {
                Ok(body) => body,
                Err(BatchError::Refused {
                    status: Some(404 | 405 | 501),
                    ..
                }) => {
                    let warning = "a batch may have been created when the connection was lost or a run ended, but this server has no list of batches: the questions are sent again, and may be paid for twice";
                    self.host.tell(BatchEvent::Warning(warning.to_owned()));
                    break;
                }
                Err(error) => return Err(error),
            };
            let page = self.format.read_page(&body);
            let page = page.map_err(|unread| self.unread(&request, &unread))?;
            batches.extend(page.batches);
            let Some(last) = page.next else { break };
            url = format!("{first}{next}{last}");
        }
        Ok(batches)
    }

    fn unread(&self, request: &Request, unread: &Unread) -> BatchError {
        BatchError::GaveUp {
            what: request.what(&self.service.base_url),
            attempts: 1,
            why: format!("the reply cannot be read: {unread}"),
        }
    }
}

fn json(url: String, body: Vec<u8>) -> Request {
    Request::Post {
        url,
        content_type: "application/json".to_owned(),
        body: Arc::new(body),
    }
}
