//! Requests and tokens per minute, both kept.

use tokio::time::Instant;

use super::meter::Meter;
use crate::models::spec::Limits;

/// How much of what was learnt stays with every reply.
const MEMORY: f64 = 0.95;

/// The allowances of one model.
#[derive(Debug)]
pub(super) struct Pace {
    requests: Option<Meter>,
    tokens: Option<Meter>,
    /// Tokens that replies were estimated at, and took, the latest counting most.
    estimated: f64,
    used: f64,
}

/// What was taken from the allowances for a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    at: Instant,
    estimate: u64,
    tokens: u64,
}

impl Pace {
    /// As declared. An allowance that is no positive number limits nothing.
    pub(super) fn new(limits: &Limits, now: Instant) -> Self {
        let meter = |allowance: Option<f64>| allowance.and_then(|most| Meter::new(most, now));
        Self {
            requests: meter(limits.requests_per_minute),
            tokens: meter(limits.tokens_per_minute),
            estimated: 1.0,
            used: 1.0,
        }
    }

    /// When a call estimated at so many tokens may go; it may when that is not after `now`.
    pub(super) fn ready_at(&mut self, now: Instant, estimate: u64) -> Instant {
        let expected = self.expected(estimate);
        let requests = self.requests.as_mut().map(|meter| meter.ready_at(now, 1));
        let tokens = self
            .tokens
            .as_mut()
            .map(|meter| meter.ready_at(now, expected));
        requests.max(tokens).map_or(now, |at| at.max(now))
    }

    /// A call estimated at so many tokens goes now.
    pub(super) fn take(&mut self, now: Instant, estimate: u64) -> Taken {
        let tokens = self.expected(estimate);
        if let Some(meter) = &mut self.requests {
            meter.take(now, 1);
        }
        if let Some(meter) = &mut self.tokens {
            meter.take(now, tokens);
        }
        Taken {
            at: now,
            estimate,
            tokens,
        }
    }

    /// A call turned out to use so many tokens.
    pub(super) fn correct(&mut self, now: Instant, taken: Taken, used: u64) {
        if let Some(meter) = &mut self.tokens {
            meter.correct(now, taken.at, taken.tokens, used);
            self.estimated = self.estimated * MEMORY + taken.estimate as f64;
            self.used = self.used * MEMORY + used as f64;
        }
    }

    /// A call was not sent after all.
    pub(super) fn undo(&mut self, now: Instant, taken: Taken) {
        if let Some(meter) = &mut self.requests {
            meter.correct(now, taken.at, 1, 0);
        }
        if let Some(meter) = &mut self.tokens {
            meter.correct(now, taken.at, taken.tokens, 0);
        }
    }

    /// What an estimate means, by what replies took: estimates that are always too high by half would
    /// leave allowance unused, and those too low exceed it before anything can be corrected.
    fn expected(&self, estimate: u64) -> u64 {
        let factor = (self.used / self.estimated).clamp(0.1, 10.0);
        (estimate as f64 * factor).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn pace(requests: Option<f64>, tokens: Option<f64>, now: Instant) -> Pace {
        let limits = Limits {
            requests_per_minute: requests,
            tokens_per_minute: tokens,
            ..Limits::default()
        };
        Pace::new(&limits, now)
    }

    #[test]
    fn the_scarcer_allowance_binds() {
        let start = Instant::now();
        let mut few = pace(Some(60.0), Some(60_000.0), start);
        few.take(start, 10);
        let wait = few.ready_at(start, 10) - start;
        assert!((1.0..1.1).contains(&wait.as_secs_f64()), "{wait:?}");
        few.take(start + wait, 5_000);
        let wait = few.ready_at(start + wait, 10) - (start + wait);
        assert!((5.0..5.2).contains(&wait.as_secs_f64()), "{wait:?}");
    }

    #[test]
    fn without_allowances_everything_goes_at_once() {
        let start = Instant::now();
        let mut free = pace(None, None, start);
        for _ in 0..1_000 {
            assert_eq!(free.ready_at(start, u64::MAX), start);
            free.take(start, u64::MAX);
        }
    }

    #[test]
    fn what_was_not_sent_costs_nothing() {
        let start = Instant::now();
        let mut few = pace(Some(1.0), Some(100.0), start);
        let taken = few.take(start, 100);
        few.undo(start, taken);
        let wait = few.ready_at(start, 100) - start;
        assert!(wait <= Duration::from_millis(50), "{wait:?}");
    }

    #[test]
    fn estimates_are_understood_by_what_replies_took() {
        let mut now = Instant::now();
        let mut few = pace(None, Some(60_000.0), now);
        for _ in 0..100 {
            now = few.ready_at(now, 3_000);
            let taken = few.take(now, 3_000);
            few.correct(now, taken, 1_000);
        }
        let start = now;
        for _ in 0..10 {
            now = few.ready_at(now, 3_000);
            few.take(now, 3_000);
        }
        let took = (now - start).as_secs_f64();
        assert!((9.0..11.0).contains(&took), "{took} s");
    }
}
