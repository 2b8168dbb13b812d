//! Rate limit: an allowance per minute, spent evenly.
//!
//! The generic cell rate algorithm (ITU-T I.371): every unit moves the instant at which the next
//! call is due, and a call goes once that is past. A call pays after it went, so one that costs more
//! than a minute's allowance goes in its turn, and those behind it wait. Beside it a `Ledger` sees to
//! it that no minute holds more than the allowance, however large the calls are.
//!
//! Measured against simulated servers (`tests/rates.rs`), 98 % of the requests allowed are used, and 96 % of
//! the tokens by calls of up to 3 % of them. Larger calls fill a minute badly because they go whole: those of
//! up to 10 % use 90 %, of 30 % as well, and those of 60 % use 60 %, since two would not fit into one minute.

use std::time::Duration;

use tokio::time::Instant;

use super::ledger::Ledger;

/// The share of the allowance that is spent, lest a clock that runs a little fast and the way to the
/// server add up to a refusal.
const SHARE: f64 = 0.98;

/// How late a call may be, for timers and busy processors, and be made up for by the calls after it.
const LATE: Duration = Duration::from_millis(50);

/// A call that is worth more time than this waits until nothing is left to be made up for, because a
/// server that knows no bursts admits it only with a full second's allowance in hand.
const LARGE: Duration = Duration::from_millis(500);

/// The most that refunds may save up, in time.
const MOST_CREDIT: Duration = Duration::from_secs(1);

/// The longest that one call can keep others waiting; longer is shortened to this, for instants end.
const LONGEST: Duration = Duration::from_hours(24);

/// One allowance.
#[derive(Debug)]
pub(super) struct Meter {
    per_second: f64,
    due: Instant,
    credit: Duration,
    ledger: Ledger,
}

impl Meter {
    /// An allowance of so many units per minute, or none where that is no positive number.
    pub(super) fn new(per_minute: f64, now: Instant) -> Option<Self> {
        if !per_minute.is_finite() || per_minute <= 0.0 {
            return None;
        }
        Some(Self {
            per_second: per_minute * SHARE / 60.0,
            due: now.checked_sub(LATE).unwrap_or(now),
            credit: Duration::ZERO,
            ledger: Ledger::new(per_minute),
        })
    }

    /// When a call of so many units may go, as far as is known now; it may when that is not after `now`.
    pub(super) fn ready_at(&mut self, now: Instant, units: u64) -> Instant {
        let large = self.worth(units) > LARGE;
        let due = self.due + if large { LATE } else { Duration::ZERO };
        due.max(self.ledger.room_at(now, units))
    }

    /// A call of so many units goes now.
    pub(super) fn take(&mut self, now: Instant, units: u64) {
        let takes = self.worth(units);
        // Credit at most halves what a call takes: refunds make calls come sooner, never in a burst.
        let paid = self.credit.min(takes / 2);
        self.credit -= paid;
        self.due = self.due.max(now.checked_sub(LATE).unwrap_or(now)) + takes.saturating_sub(paid);
        self.ledger.add(now, units);
    }

    /// A call sent then, for which so many units were taken, turned out to use others.
    pub(super) fn correct(&mut self, now: Instant, sent: Instant, taken: u64, used: u64) {
        if used > taken {
            self.due = self.due.max(now) + self.worth(used - taken);
            self.ledger.add(now, used - taken);
        } else {
            let refund = self.worth(taken - used);
            let sooner = refund.min(self.due.saturating_duration_since(now));
            self.due -= sooner;
            self.credit = (self.credit + refund.saturating_sub(sooner)).min(MOST_CREDIT);
            self.ledger.take_back(sent, taken - used);
        }
    }

    fn worth(&self, units: u64) -> Duration {
        Duration::try_from_secs_f64(units as f64 / self.per_second)
            .unwrap_or(LONGEST)
            .min(LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    fn meter(per_minute: f64, now: Instant) -> Meter {
        Meter::new(per_minute, now).unwrap()
    }

    /// Sends calls as early as they may go, looking every millisecond; when they went.
    fn sends(meter: &mut Meter, start: Instant, calls: usize, units: u64) -> Vec<Instant> {
        let mut now = start;
        let mut sent = Vec::new();
        while sent.len() < calls {
            if meter.ready_at(now, units) <= now {
                meter.take(now, units);
                sent.push(now);
            } else {
                now += MILLISECOND;
            }
        }
        sent
    }

    #[test]
    fn calls_are_kept_apart_from_the_first_on() {
        let start = Instant::now();
        let sent = sends(&mut meter(300.0, start), start, 100, 1);
        for (index, two) in sent.windows(2).enumerate() {
            let apart = (two[1] - two[0]).as_millis();
            // The second may come a little early, as if the first had been late.
            let least = if index == 0 { 154 } else { 203 };
            assert!((least..=206).contains(&apart), "{index}: {apart} ms");
        }
    }

    #[test]
    fn idle_time_is_not_saved_up() {
        let start = Instant::now();
        let mut meter = meter(600.0, start);
        meter.take(start, 1);
        let sent = sends(&mut meter, start + Duration::from_mins(5), 20, 1);
        assert!(sent[19] - sent[0] >= MILLISECOND * 1_800);
    }

    #[test]
    fn many_calls_per_timer_tick_still_use_the_allowance() {
        let start = Instant::now();
        let sent = sends(&mut meter(300_000.0, start), start, 50_000, 1);
        let took = (sent[49_999] - start).as_secs_f64();
        assert!((10.0..10.4).contains(&took), "{took} s");
    }

    #[test]
    fn a_call_above_the_allowance_goes_in_its_turn_and_takes_its_time() {
        let start = Instant::now();
        let mut meter = meter(1_000.0, start);
        meter.take(start, 500);
        let turn = meter.ready_at(start, 2_000);
        assert!((30.0..31.0).contains(&(turn - start).as_secs_f64()));
        meter.take(turn, 2_000);
        let next = meter.ready_at(turn, 1);
        assert!((120.0..123.0).contains(&(next - turn).as_secs_f64()));
    }

    #[test]
    fn refunds_bring_the_next_call_forward_but_make_no_burst() {
        let start = Instant::now();
        let mut meter = meter(60_000.0, start);
        meter.take(start, 60_000);
        let now = start + Duration::from_secs(1);
        meter.correct(now, start, 60_000, 0);
        assert_eq!(meter.ready_at(now, 1_000), now + LATE);
        assert_eq!(meter.ready_at(now, 100), now);
        let sent = sends(&mut meter, now, 20, 1_000);
        assert!(sent[19] - sent[0] >= Duration::from_secs(17));
        // The first one may be as early as if the call before it had been late.
        let apart = sent.windows(2).map(|two| two[1] - two[0]).min().unwrap();
        assert!(apart >= MILLISECOND * 450, "{apart:?}");
    }

    #[test]
    fn a_call_that_used_more_makes_the_next_one_wait() {
        let start = Instant::now();
        let mut meter = meter(60_000.0, start);
        meter.take(start, 1_000);
        let now = start + Duration::from_secs(30);
        meter.correct(now, start, 1_000, 11_000);
        let wait = meter.ready_at(now, 1) - now;
        assert!((10.0..10.5).contains(&wait.as_secs_f64()), "{wait:?}");
    }

    #[test]
    fn absurd_numbers_are_borne() {
        let start = Instant::now();
        for allowance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Meter::new(allowance, start).is_none());
        }
        for allowance in [f64::MIN_POSITIVE, 0.5, 1e300] {
            let mut meter = meter(allowance, start);
            for units in [0, 1, u64::MAX, u64::MAX] {
                meter.ready_at(start, units);
                meter.take(start, units);
                meter.correct(start, start, units, u64::MAX);
                meter.correct(start, start, u64::MAX, 0);
            }
        }
    }
}
