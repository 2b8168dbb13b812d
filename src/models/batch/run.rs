//! The order of the steps: send what is to be sent, look at what is with the server, hand on what is over.
//!
//! Several batches are under way at once; steps are taken one after the other, so nothing is shared.

use std::collections::{BTreeSet, VecDeque};

use super::error::BatchError;
use super::event::{BatchEvent, Host};
use super::exchange::Exchange;
use super::journal::{Entry, Service, State};
use super::plan::Job;
use super::settings::Settings;
use super::submit::Sent;
use super::transport::Transport;
use crate::base::key::Digest;
use crate::cache;
use crate::models::provider::batches::Batches;

/// Puts questions to one model in batches.
#[derive(Clone, Copy)]
pub struct Batcher<'a> {
    /// The model and its server.
    pub service: &'a Service,
    /// How its provider takes batches.
    pub(crate) format: &'a Batches,
    /// How it is done.
    pub settings: &'a Settings,
    /// Where it is written down.
    pub batches: &'a cache::Batches,
    /// What requests are made with.
    pub transport: &'a dyn Transport,
    /// Where requests come from and answers go.
    pub host: &'a dyn Host,
}

/// What a run has still to do.
#[derive(Default)]
pub(super) struct Work {
    /// To be sent, or found.
    pub(super) waiting: VecDeque<Job>,
    /// With the server, or with another process.
    pub(super) under_way: Vec<Job>,
    /// How many batches the server lets wait with it, once it has refused one more.
    pub(super) room: Option<usize>,
    /// Why nothing more is sent.
    refused: Option<BatchError>,
}

impl Work {
    pub(super) fn with_server(&self) -> usize {
        let ours = self.under_way.iter().filter(|job| job.claim.is_some());
        ours.count()
    }

    fn may_send(&self) -> bool {
        self.refused.is_none() && self.room.is_none_or(|room| self.with_server() < room)
    }
}

impl<'a> Batcher<'a> {
    /// Sees that every question of `wanted` is in one batch, waits for all batches that hold some of them,
    /// and hands on what becomes of each.
    ///
    /// Small files are read and written in between, without giving up the thread.
    ///
    /// # Errors
    /// [`BatchError`]. Whatever was sent is written down, and found by the next run that wants any of it.
    pub async fn run(&self, wanted: &BTreeSet<Digest>) -> Result<(), BatchError> {
        match self.work(wanted).await {
            Err(BatchError::Interrupted { .. }) => Err(BatchError::Interrupted {
                under_way: self.under_way(wanted),
            }),
            done => done,
        }
    }

    async fn work(&self, wanted: &BTreeSet<Digest>) -> Result<(), BatchError> {
        let mut work = Work::default();
        let (wanted, jobs) = self.begin(wanted).await?;
        let wanted = &wanted;
        self.sort(jobs, &mut work)?;
        loop {
            while work.may_send()
                && let Some(job) = work.waiting.pop_front()
            {
                match self.submit(job, wanted).await? {
                    Sent::Yes(job) => work.under_way.push(*job),
                    Sent::Replanned(jobs) => self.sort(jobs, &mut work)?,
                    Sent::Refused(error) => self.refuse(error, &mut work),
                }
            }
            let due = work.under_way.iter().map(|job| job.due).enumerate();
            let Some((next, due)) = due.min_by_key(|(_, due)| *due) else {
                break;
            };
            self.exchange().until(due).await?;
            let job = work.under_way.remove(next);
            if job.claim.is_some() {
                self.look(job, wanted, &mut work).await?;
            } else {
                self.look_elsewhere(job, wanted, &mut work).await?;
            }
        }
        // What was too large, stored or elsewhere may have been handed on since the last batch.
        self.host.settle().await.map_err(BatchError::Store)?;
        work.refused.map_or(Ok(()), Err)
    }

    /// Puts batches where they belong by how far they are.
    pub(super) fn sort(&self, jobs: Vec<Job>, work: &mut Work) -> Result<(), BatchError> {
        for job in jobs {
            if job.claim.is_none() {
                work.under_way.push(job);
                continue;
            }
            if !job.entry.is_for(self.service) {
                return Err(BatchError::OtherServer {
                    base_url: job.entry.base_url().to_owned(),
                    path: self.batches.path_of(&job.name),
                });
            }
            if let State::Submitted { id, .. } = &job.entry.state {
                self.host.tell(BatchEvent::Resumed {
                    id: id.clone(),
                    requests: job.entry.custom_ids.len(),
                });
                work.under_way.push(job);
            } else {
                work.waiting.push_back(job);
            }
        }
        Ok(())
    }

    /// Notes that the server does not take a batch: nothing more is sent.
    pub(super) fn refuse(&self, error: BatchError, work: &mut Work) {
        self.host.tell(BatchEvent::Refused(error.to_string()));
        work.refused.get_or_insert(error);
    }

    /// How many batches that hold some of `wanted` may be with the server.
    fn under_way(&self, wanted: &BTreeSet<Digest>) -> usize {
        let Ok(kept) = self.batches.all::<Entry>() else {
            return 0;
        };
        let entries = kept.whole.iter().map(|(_, entry)| entry);
        entries
            .filter(|entry| entry.state != State::Planned)
            .filter(|entry| entry.custom_ids.iter().any(|id| wanted.contains(id)))
            .count()
    }

    pub(super) fn exchange(&self) -> Exchange<'a> {
        Exchange {
            transport: self.transport,
            host: self.host,
            settings: self.settings,
            base_url: &self.service.base_url,
        }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.service.base_url)
    }
}
