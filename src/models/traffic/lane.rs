//! The queue of a model: calls of everyone who uses it wait here, first come, first served.
//!
//! There is one lock and no task of its own. Only the first in the queue looks whether it may go, when it
//! comes to the front, when a call ends and when the time comes that it was told; so nothing is ever
//! granted to somebody who has left, and whoever leaves wakes the next. That also means that a long
//! prompt which waits for its tokens holds up the short ones behind it: nobody starves.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::gate::{Gate, Ticket};
use super::outcome::Outcome;
use super::patience::Closed;
use super::places::Next;
use crate::models::spec::Limits;

/// The traffic of one model.
#[derive(Debug)]
pub struct Lane {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    gate: Gate,
    /// Those who wait, by when they came.
    queue: BTreeMap<u64, Waiting>,
    came: u64,
}

#[derive(Debug)]
struct Waiting {
    tokens: u64,
    wake: Arc<Notify>,
}

/// What there is to tell about a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneStatus {
    /// Calls in flight.
    pub under_way: u32,
    /// Calls that wait.
    pub waiting: usize,
    /// How many calls may be in flight now: the declared concurrency, or what the servers seem to bear.
    pub window: u32,
    /// Until when nothing is sent because all servers asked for patience.
    pub held_until: Option<Instant>,
    /// Base urls that are down, by index.
    pub resting: Vec<usize>,
}

/// A place among the calls in flight. Dropped without a word it counts as abandoned.
#[derive(Debug)]
#[must_use = "the call ends when its entry is dropped"]
pub struct Entry<'l> {
    lane: &'l Lane,
    ticket: Option<Ticket>,
    place: usize,
}

impl Lane {
    /// An empty lane to so many base urls (none counts as one).
    pub fn new(limits: Limits, places: usize) -> Self {
        Self {
            limits,
            state: Mutex::new(State {
                gate: Gate::new(&limits, places, Instant::now()),
                queue: BTreeMap::new(),
                came: 0,
            }),
        }
    }

    /// Waits until a call of about so many tokens, read and written, may be sent. A caller that stops
    /// waiting gives up its place and nothing else.
    ///
    /// # Errors
    /// [`Closed`], once waiting is in vain, for everyone at once.
    pub async fn enter(&self, tokens: u64) -> Result<Entry<'_>, Closed> {
        let waiter = match self.arrive(tokens) {
            Ok(result) => return result,
            Err(waiter) => waiter,
        };
        loop {
            match self.look(waiter.number) {
                Look::Done(result) => return result,
                Look::At(at) => {
                    tokio::select! {
                        () = waiter.wake.notified() => {}
                        () = sleep_until(at) => {}
                    }
                }
                Look::Wait => waiter.wake.notified().await,
            }
        }
    }

    /// How many more times a call is made that broke and may heal.
    pub fn retries(&self) -> u32 {
        self.limits.retries
    }

    /// How long one attempt may take.
    pub fn timeout(&self) -> Duration {
        self.limits.timeout
    }

    /// Why no call is waited for any more, if so.
    pub(super) fn closed(&self) -> Option<Closed> {
        self.state().gate.closed()
    }

    /// Since when calls are put off and none is answered, if they are.
    pub(super) fn put_off_since(&self) -> Option<Instant> {
        self.state().gate.put_off_since()
    }

    /// What there is to tell now.
    pub fn status(&self) -> LaneStatus {
        let state = self.state();
        LaneStatus {
            under_way: state.gate.under_way(),
            waiting: state.queue.len(),
            window: state.gate.window(),
            held_until: state.gate.places.held_until(Instant::now()),
            resting: state.gate.places.resting(),
        }
    }

    /// Goes at once where nobody waits and nothing is in the way; otherwise joins the queue, or is told that
    /// this is in vain. Those who still wait then are being told so themselves, and are not overtaken.
    fn arrive(&self, tokens: u64) -> Result<Result<Entry<'_>, Closed>, Waiter<'_>> {
        let mut state = self.state();
        let closed = state.gate.closed();
        if let Some(never @ Closed::NeverReached { .. }) = closed {
            return Ok(Err(never));
        }
        let now = Instant::now();
        if state.queue.is_empty() {
            state.gate.come(now);
        }
        if (state.queue.is_empty() || closed.is_some())
            && let Next::Go(place) = state.gate.next(now, tokens)
        {
            return Ok(Ok(self.entry(state.gate.enter(now, place, tokens))));
        }
        if let Some(closed) = closed {
            return Ok(Err(closed));
        }
        let number = state.came;
        state.came += 1;
        let wake = Arc::new(Notify::new());
        let waiting = Waiting {
            tokens,
            wake: Arc::clone(&wake),
        };
        state.queue.insert(number, waiting);
        Err(Waiter {
            lane: self,
            number,
            wake,
        })
    }

    /// Goes if it is this one's turn and it may.
    fn look(&self, number: u64) -> Look<'_> {
        let mut state = self.state();
        let Some(tokens) = state.first().filter(|first| first.0 == number).map(|f| f.1) else {
            return Look::Wait;
        };
        if let Some(closed) = state.gate.closed() {
            return Look::Done(Err(closed));
        }
        let now = Instant::now();
        match state.gate.next(now, tokens) {
            Next::Go(place) => {
                let ticket = state.gate.enter(now, place, tokens);
                state.queue.remove(&number);
                // Where the next one can only wait for a call to end, that will wake it.
                if let Some((_, tokens)) = state.first()
                    && state.gate.next(now, tokens) != Next::Wait
                {
                    state.wake_first();
                }
                Look::Done(Ok(self.entry(ticket)))
            }
            Next::At(at) => Look::At(at),
            Next::Wait => Look::Wait,
        }
    }

    fn settle(&self, ticket: Ticket, outcome: &Outcome) {
        let mut state = self.state();
        let awaited = !state.queue.is_empty();
        state.gate.settle(Instant::now(), ticket, outcome, awaited);
        state.wake_first();
    }

    fn entry(&self, ticket: Ticket) -> Entry<'_> {
        Entry {
            lane: self,
            place: ticket.sent.place,
            ticket: Some(ticket),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn first(&self) -> Option<(u64, u64)> {
        let (number, waiting) = self.queue.first_key_value()?;
        Some((*number, waiting.tokens))
    }

    fn wake_first(&self) {
        if let Some((_, waiting)) = self.queue.first_key_value() {
            waiting.wake.notify_one();
        }
    }
}

impl Entry<'_> {
    /// The index of the base url that the call goes to.
    pub fn place(&self) -> usize {
        self.place
    }

    /// The call ended like this.
    pub fn settle(mut self, outcome: &Outcome) {
        if let Some(ticket) = self.ticket.take() {
            self.lane.settle(ticket, outcome);
        }
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.lane.settle(ticket, &Outcome::Abandoned);
        }
    }
}

enum Look<'l> {
    Done(Result<Entry<'l>, Closed>),
    At(Instant),
    Wait,
}

/// Somebody in the queue; leaves it when dropped.
struct Waiter<'l> {
    lane: &'l Lane,
    number: u64,
    wake: Arc<Notify>,
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let mut state = self.lane.state();
        let was_first = state.first().is_some_and(|first| first.0 == self.number);
        if state.queue.remove(&self.number).is_some() && was_first {
            state.wake_first();
        }
    }
}
