//! Everything that decides when the next call goes, as one state machine that is handed the time.
//!
//! It does not wait and knows no queue: `lane` does.

use tokio::time::Instant;

use super::outcome::Outcome;
use super::pace::{Pace, Taken};
use super::places::{Next, Places, Sent};
use crate::spec::Limits;

/// The state of one model's traffic.
#[derive(Debug)]
pub(super) struct Gate {
    most: u32,
    under_way: u32,
    pub(super) places: Places,
    pace: Pace,
    opened: Instant,
}

/// A call under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    pub(super) sent: Sent,
    taken: Taken,
}

impl Gate {
    /// An open one.
    pub(super) fn new(limits: &Limits, places: usize, now: Instant) -> Self {
        Self {
            most: limits.concurrency.max(1),
            under_way: 0,
            places: Places::new(places, limits),
            pace: Pace::new(limits, now),
            opened: now,
        }
    }

    /// Whether a call of so many tokens may go now.
    pub(super) fn next(&mut self, now: Instant, tokens: u64) -> Next {
        if self.under_way >= self.most {
            return Next::Wait;
        }
        let next = self.places.next(now);
        if matches!(next, Next::Go(_)) {
            let ready = self.pace.ready_at(now, tokens);
            if ready > now {
                return Next::At(ready);
            }
        }
        next
    }

    /// A call that may go goes.
    pub(super) fn enter(&mut self, now: Instant, place: usize, tokens: u64) -> Ticket {
        self.under_way += 1;
        Ticket {
            sent: self.places.enter(now, place),
            taken: self.pace.take(now, tokens),
        }
    }

    /// A call ended.
    pub(super) fn settle(&mut self, now: Instant, ticket: Ticket, outcome: &Outcome) {
        let Ticket { sent, taken } = ticket;
        self.under_way = self.under_way.saturating_sub(1);
        // To the nanosecond, the time since the start differs between processes.
        let noise = now.saturating_duration_since(self.opened).as_nanos() as u64;
        self.places.settle(now, sent, outcome, noise);
        match outcome {
            Outcome::Answered {
                tokens_used: Some(used),
            } => self.pace.correct(now, taken, *used),
            Outcome::Unreachable(_) | Outcome::Unsent => self.pace.undo(now, taken),
            // What was refused, broken or given up may well have been counted.
            _ => {}
        }
    }

    /// How many calls are under way.
    pub(super) fn under_way(&self) -> u32 {
        self.under_way
    }

    /// How many calls may be under way, by what is known.
    pub(super) fn window(&self) -> u32 {
        self.places.window().min(self.most)
    }
}
