//! What was sent in the last minute, so that no minute holds more than the allowance.
//!
//! It says when there is room; keeping the sends apart is the business of `meter`.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// How long a send counts. A minute as the server sees it may be a little longer here: of two calls
/// sent a minute apart, the first may have been a second on its way and the second no time at all.
const SPAN: Duration = Duration::from_secs(61);

/// Sends this near to each other share an entry, and expire with the last of them: at most some six
/// hundred entries, whatever the rate.
const GRAIN: Duration = Duration::from_millis(100);

/// Units (requests or tokens) sent lately.
#[derive(Debug)]
pub(super) struct Ledger {
    allowance: f64,
    entries: VecDeque<Sent>,
    total: u64,
}

#[derive(Debug)]
struct Sent {
    first: Instant,
    last: Instant,
    units: u64,
}

impl Ledger {
    /// An empty one; `allowance` is in units per minute.
    pub(super) fn new(allowance: f64) -> Self {
        Self {
            allowance,
            entries: VecDeque::new(),
            total: 0,
        }
    }

    /// When so many units more would fit: `now`, or the instant at which enough has expired.
    ///
    /// More than the whole allowance never fits. Such a call has room at once: whoever admits it
    /// counts otherwise than by whole minutes, and no waiting would make it fit.
    pub(super) fn room_at(&mut self, now: Instant, units: u64) -> Instant {
        self.expire(now);
        if units as f64 > self.allowance {
            return now;
        }
        let mut left = self.total;
        let mut at = now;
        for sent in &self.entries {
            if left.saturating_add(units) as f64 <= self.allowance {
                break;
            }
            left = left.saturating_sub(sent.units);
            at = sent.last + SPAN;
        }
        at
    }

    /// Notes units sent, or found to have been used.
    pub(super) fn add(&mut self, now: Instant, units: u64) {
        self.expire(now);
        self.total = self.total.saturating_add(units);
        match self.entries.back_mut() {
            Some(back) if now.saturating_duration_since(back.first) < GRAIN => {
                back.last = now;
                back.units = back.units.saturating_add(units);
            }
            _ => self.entries.push_back(Sent {
                first: now,
                last: now,
                units,
            }),
        }
    }

    /// Takes back units of a call sent then that were not used after all.
    pub(super) fn take_back(&mut self, sent: Instant, units: u64) {
        let index = self.entries.partition_point(|entry| entry.last < sent);
        if let Some(entry) = self.entries.get_mut(index)
            && entry.first <= sent
        {
            let units = units.min(entry.units);
            entry.units -= units;
            self.total = self.total.saturating_sub(units);
        }
    }

    fn expire(&mut self, now: Instant) {
        while let Some(front) = self.entries.front()
            && front.last + SPAN <= now
        {
            self.total = self.total.saturating_sub(front.units);
            self.entries.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn room_comes_when_enough_has_expired() {
        let start = Instant::now();
        let mut ledger = Ledger::new(100.0);
        ledger.add(start, 60);
        ledger.add(start + seconds(10), 40);
        let now = start + seconds(20);
        assert_eq!(ledger.room_at(now, 0), now);
        assert_eq!(ledger.room_at(now, 1), start + SPAN);
        assert_eq!(ledger.room_at(now, 60), start + SPAN);
        assert_eq!(ledger.room_at(now, 61), start + seconds(10) + SPAN);
    }

    #[test]
    fn what_is_taken_back_makes_room_at_once() {
        let start = Instant::now();
        let mut ledger = Ledger::new(100.0);
        ledger.add(start, 100);
        ledger.take_back(start, 30);
        assert_eq!(ledger.room_at(start, 30), start);
        assert_ne!(ledger.room_at(start, 31), start);
        ledger.take_back(start, 1_000);
        assert_eq!(ledger.room_at(start, 100), start);
    }

    #[test]
    fn nothing_is_taken_back_from_another_call_or_after_expiry() {
        let start = Instant::now();
        let mut ledger = Ledger::new(100.0);
        ledger.add(start + seconds(5), 100);
        ledger.take_back(start, 100);
        assert_ne!(ledger.room_at(start + seconds(5), 1), start + seconds(5));
        let later = start + seconds(5) + SPAN;
        assert_eq!(ledger.room_at(later, 100), later);
        ledger.take_back(start + seconds(5), 100);
        assert_eq!(ledger.total, 0);
    }

    #[test]
    fn more_than_the_allowance_has_room_at_once() {
        let start = Instant::now();
        let mut ledger = Ledger::new(100.0);
        ledger.add(start, 100);
        assert_eq!(ledger.room_at(start, 101), start);
    }

    #[test]
    fn memory_is_bounded_at_any_rate() {
        let start = Instant::now();
        let mut ledger = Ledger::new(1e9);
        for step in 0..200_000_u64 {
            ledger.add(start + Duration::from_millis(step), 1);
        }
        assert!(ledger.entries.len() <= 611, "{}", ledger.entries.len());
        assert!(
            (61_000..=61_100).contains(&ledger.total),
            "{}",
            ledger.total
        );
    }
}
