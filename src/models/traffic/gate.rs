//! The state machine that decides when the next call is sent. It is handed the time.
//!
//! It does not wait and knows no queue: `lane` does.

use std::time::Duration;

use tokio::time::Instant;

use super::outcome::Outcome;
use super::pace::{Pace, Taken};
use super::patience::{Closed, Patience};
use super::places::{Next, Places, Sent};
use crate::models::spec::Limits;

/// After so long without a call, earlier outages tell nothing about how long anybody has waited. It is
/// longer than the pause between two attempts of a call.
const IDLE: Duration = Duration::from_mins(1);

/// The state of one model's traffic.
#[derive(Debug)]
pub(super) struct Gate {
    most: u32,
    under_way: u32,
    pub(super) places: Places,
    pace: Pace,
    patience: Patience,
    opened: Instant,
    /// When a call last ended.
    ended: Instant,
}

/// A call in flight.
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
            patience: Patience::default(),
            opened: now,
            ended: now,
        }
    }

    /// Somebody comes and finds nobody waiting.
    pub(super) fn come(&mut self, now: Instant) {
        if self.under_way == 0 && now.saturating_duration_since(self.ended) > IDLE {
            self.patience.forget();
            self.places.forget();
        }
    }

    /// Why no call is waited for any more, if so.
    pub(super) fn closed(&self) -> Option<Closed> {
        let never = self.places.hopeless().map(|why| Closed::NeverReached {
            why: why.to_owned(),
        });
        never.or_else(|| self.patience.closed().cloned())
    }

    /// Since when calls are put off and none is answered, if they are.
    pub(super) fn put_off_since(&self) -> Option<Instant> {
        self.patience.put_off_since()
    }

    /// Whether a call of so many tokens may go now.
    pub(super) fn next(&mut self, now: Instant, tokens: u64) -> Next {
        let one_by_one = self.patience.is_out(now, self.places.down_since());
        let most = if one_by_one { 1 } else { self.most };
        if self.under_way >= most {
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

    /// A call ended; `awaited` if others wait.
    pub(super) fn settle(
        &mut self,
        now: Instant,
        ticket: Ticket,
        outcome: &Outcome,
        awaited: bool,
    ) {
        let Ticket { sent, taken } = ticket;
        self.under_way = self.under_way.saturating_sub(1);
        // To the nanosecond, the time since the start differs between processes.
        let noise = now.saturating_duration_since(self.opened).as_nanos() as u64;
        self.places.settle(now, sent, outcome, noise);
        self.ended = now;
        let (down_since, last) = (self.places.down_since(), self.under_way == 0);
        self.patience
            .settle(now, outcome, down_since, last, awaited);
        match outcome {
            Outcome::Answered {
                tokens_used: Some(used),
            } => self.pace.correct(now, taken, *used),
            Outcome::Unreachable(_) | Outcome::Unsent => self.pace.undo(now, taken),
            // What was refused, broken or given up may well have been counted.
            _ => {}
        }
    }

    /// How many calls are in flight.
    pub(super) fn under_way(&self) -> u32 {
        self.under_way
    }

    /// How many calls may be in flight, by what is known.
    pub(super) fn window(&self) -> u32 {
        self.places.window().min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_patience_is_out_calls_go_one_at_a_time_and_the_first_that_fails_is_the_last() {
        let start = Instant::now();
        let gone = Outcome::Unreachable("connection refused".to_owned());
        let mut gate = Gate::new(&Limits::default(), 2, start);
        let go = |gate: &mut Gate, now: Instant| match gate.next(now, 1) {
            Next::Go(place) => gate.enter(now, place, 1),
            other => panic!("{other:?}"),
        };
        let reached = [go(&mut gate, start), go(&mut gate, start)];
        for ticket in reached {
            gate.settle(start, ticket, &Outcome::Rejected, true);
        }
        let both = [go(&mut gate, start), go(&mut gate, start)];
        for ticket in both {
            gate.settle(start, ticket, &gone, true);
        }
        let later = start + Duration::from_mins(4);
        let long = go(&mut gate, later);
        let out = start + Duration::from_mins(5);
        // The other server has rested, but while it was tried the first one would be tried anew, and so on.
        assert_eq!(gate.next(out, 1), Next::Wait);
        gate.settle(out, long, &Outcome::Abandoned, true);
        let alone = go(&mut gate, out);
        assert_eq!(gate.next(out, 1), Next::Wait);
        assert_eq!(gate.closed(), None);
        gate.settle(out, alone, &gone, true);
        let why = "connection refused".to_owned();
        assert_eq!(gate.closed(), Some(Closed::Silent { why }));
    }
}
