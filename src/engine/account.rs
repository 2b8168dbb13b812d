//! What the calls of a run came to, and what they cost.

use std::sync::{Arc, Mutex};

use super::budget::{Aside, Budget, Limits};
use super::event::Summary;
use super::gauge::{Gauge, price, used};
use crate::base::lock::lock;
use crate::models::ask::{Question, Reply};
use crate::models::spec::ModelSpec;

/// The calls of a run, counted.
pub(super) struct Account {
    pub(super) budget: Arc<Budget>,
    counts: Mutex<Summary>,
}

impl Account {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            budget: Budget::new(limits),
            counts: Mutex::default(),
        }
    }

    /// What all calls of the run came to so far.
    pub(super) fn summary(&self) -> Summary {
        Summary {
            cost: self.budget.spent(),
            ..lock(&self.counts).clone()
        }
    }

    /// Counts a request, and with the first the call.
    pub(super) fn requested(&self, attempt: u32) {
        let mut counts = lock(&self.counts);
        counts.requests += 1;
        counts.calls_made += u64::from(attempt == 1);
    }

    /// Counts calls that jobs made while the run waited, where it does not get to reading their replies.
    pub(super) fn made_elsewhere(&self, calls: u64) {
        let mut counts = lock(&self.counts);
        counts.calls_made += calls;
        counts.calls_answered += calls;
    }

    /// Counts a call that came to no reply.
    pub(super) fn failed(&self) {
        lock(&self.counts).calls_failed += 1;
    }

    /// Counts a reply that was stored.
    pub(super) fn reused(&self) {
        lock(&self.counts).calls_reused += 1;
    }

    /// Sets the price of a call aside that is made in a batch.
    pub(super) fn set_aside(
        &self,
        gauge: &Gauge,
        spec: &ModelSpec,
        question: &Question,
    ) -> Result<Aside, String> {
        let read = if self.budget.bounds_cost() {
            gauge.question(question)
        } else {
            0
        };
        let most = price(spec, read, gauge.longest_reply(spec), true);
        self.budget.set_aside_now(most.unwrap_or(0.0))
    }

    /// Counts a call that was made in a batch, and its price.
    pub(super) fn paid(
        &self,
        gauge: &Gauge,
        spec: &ModelSpec,
        question: Option<&Question>,
        reply: &Reply,
        money: Option<Aside>,
    ) {
        lock(&self.counts).calls_made += 1;
        let (read, written) = self.took(gauge, spec, question, reply);
        if let Some(money) = money {
            money.settle(price(spec, read, written, true));
        }
    }

    /// Counts the tokens that a call took: as the server says or, where that matters, as they are counted.
    pub(super) fn took(
        &self,
        gauge: &Gauge,
        spec: &ModelSpec,
        question: Option<&Question>,
        reply: &Reply,
    ) -> (u64, u64) {
        gauge.saw(reply);
        lock(&self.counts).calls_answered += 1;
        let priced = spec.prices.input.or(spec.prices.output).is_some();
        let (read, written) = match (used(reply), question) {
            (Some(tokens), _) => tokens,
            (None, Some(question)) if priced => {
                (gauge.question(question), gauge.count(&reply.text))
            }
            (None, _) => (0, 0),
        };
        let mut counts = lock(&self.counts);
        counts.tokens_read += read;
        counts.tokens_written += written;
        (read, written)
    }
}
