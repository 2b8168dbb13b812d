//! Circuit breaker: when a server counts as down, and when it is tried again.
//!
//! One that cannot be reached, or breaks three calls in a row, is rested for a second, then for two, four
//! and so on up to a minute, and after each rest tried by one call. Calls that were under way when the
//! rest began say nothing more about it, but that a reply to one of them shows that breaks were chance.

use tokio::time::Instant;

use crate::base::retry::Retry;

const IN_A_ROW: u32 = 3;

/// A server that was never reached is given up after so many tries (3 s, with the rests between).
const TRIES: u32 = 3;

/// Whether a server may be sent something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// Yes.
    Yes,
    /// Not before then.
    At(Instant),
    /// Not before the call that tries it has ended.
    Tried,
}

/// The health of one server.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// Set while it rests, and while it is tried.
    until: Option<Instant>,
    /// When the last rest began, also after its end.
    began: Option<Instant>,
    trying: bool,
    /// Whether it rests because it could not be reached.
    gone: bool,
    rests: u32,
    failures: u32,
    /// When the first of the failures came that nothing it said has followed.
    failing: Option<Instant>,
    reached: bool,
}

impl Rest {
    /// Whether it may be sent something.
    pub(super) fn open(&self, now: Instant) -> Open {
        match self.until {
            Some(until) if until > now => Open::At(until),
            Some(_) if self.trying => Open::Tried,
            None | Some(_) => Open::Yes,
        }
    }

    /// Whether it is down, as far as is known.
    pub(super) fn is_down(&self) -> bool {
        self.until.is_some()
    }

    /// If it is down: since when it has failed, with no sign of life. A reply to a call from before an
    /// outage is one, though the server stays down.
    pub(super) fn down_since(&self) -> Option<Instant> {
        self.until.and(self.failing)
    }

    /// Nobody asked it anything for a while: since when it has failed is to be found out anew.
    pub(super) fn forget(&mut self) {
        self.failing = None;
    }

    /// Whether it was never reached, however often it was tried.
    pub(super) fn is_hopeless(&self) -> bool {
        !self.reached && self.rests >= TRIES
    }

    /// A call is sent to it.
    pub(super) fn enter(&mut self) {
        self.trying = self.until.is_some();
    }

    /// It said something to a call sent then.
    pub(super) fn alive(&mut self, sent: Instant) {
        self.reached = true;
        self.failing = None;
        // A server that shuts down answers what is under way and takes nothing new.
        if self.gone && self.is_old(sent) {
            return;
        }
        *self = Self {
            began: self.began,
            reached: true,
            ..Self::default()
        };
    }

    /// It could not be reached by a call sent then.
    pub(super) fn unreachable(&mut self, now: Instant, sent: Instant) {
        if !self.is_old(sent) {
            self.gone = true;
            self.failing.get_or_insert(now);
            self.lie_down(now);
        }
    }

    /// It broke a call sent then, or did not end it in time.
    pub(super) fn broke(&mut self, now: Instant, sent: Instant) {
        self.reached = true;
        if self.is_old(sent) {
            return;
        }
        self.failures += 1;
        self.failing.get_or_insert(now);
        if self.trying || self.failures >= IN_A_ROW {
            self.lie_down(now);
        }
    }

    /// A call sent then ended without telling anything.
    pub(super) fn untold(&mut self, sent: Instant) {
        if !self.is_old(sent) {
            self.trying = false;
        }
    }

    fn is_old(&self, sent: Instant) -> bool {
        self.began.is_some_and(|began| sent < began)
    }

    fn lie_down(&mut self, now: Instant) {
        self.rests = self.rests.saturating_add(1);
        self.until = Some(now + Retry::SERVER.pause(self.rests));
        self.began = Some(now);
        self.trying = false;
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn rests_double_up_to_a_minute_and_one_call_tries_after_each() {
        let mut now = Instant::now();
        let mut rest = Rest::default();
        rest.enter();
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            rest.unreachable(now, now);
            assert_eq!(rest.open(now), Open::At(now + seconds(pause)));
            now += seconds(pause);
            assert_eq!(rest.open(now), Open::Yes);
            rest.enter();
            assert_eq!(rest.open(now), Open::Tried);
        }
        rest.alive(now);
        assert_eq!(rest.open(now), Open::Yes);
        assert!(!rest.is_down());
        rest.unreachable(now, now);
        assert_eq!(rest.open(now), Open::At(now + seconds(1)));
    }

    #[test]
    fn single_breaks_are_borne() {
        let now = Instant::now();
        let mut rest = Rest::default();
        for _ in 0..10 {
            rest.broke(now, now);
            rest.broke(now, now);
            rest.alive(now);
        }
        assert!(!rest.is_down());
        for _ in 0..IN_A_ROW {
            rest.broke(now, now);
        }
        assert!(rest.is_down());
    }

    #[test]
    fn calls_under_way_when_it_went_down_change_nothing() {
        let start = Instant::now();
        let now = start + seconds(10);
        let mut rest = Rest::default();
        for _ in 0..50 {
            rest.unreachable(now, start);
            rest.broke(now, start);
            rest.alive(start);
            rest.untold(start);
        }
        assert_eq!(rest.open(now), Open::At(now + seconds(1)));
    }

    #[test]
    fn a_reply_from_before_ends_a_rest_after_breaks_but_not_one_out_of_reach() {
        let start = Instant::now();
        let now = start + seconds(1);
        let mut rest = Rest::default();
        for _ in 0..IN_A_ROW {
            rest.broke(now, now);
        }
        rest.alive(start);
        assert_eq!(rest.open(now), Open::Yes);
        rest.unreachable(now, now);
        rest.alive(start);
        assert_eq!(rest.open(now), Open::At(now + seconds(1)));
    }

    #[test]
    fn a_try_that_tells_nothing_leaves_the_next_call_to_try() {
        let start = Instant::now();
        let now = start + seconds(1);
        let mut rest = Rest::default();
        rest.unreachable(start, start);
        rest.enter();
        assert_eq!(rest.open(now), Open::Tried);
        rest.untold(now);
        assert_eq!(rest.open(now), Open::Yes);
        assert!(rest.is_down());
    }

    #[test]
    fn a_server_is_down_since_its_first_failure_after_the_last_sign_of_life() {
        let start = Instant::now();
        let mut rest = Rest::default();
        rest.broke(start, start);
        rest.alive(start);
        for second in 1..=3 {
            assert_eq!(rest.down_since(), None);
            let now = start + seconds(second);
            rest.broke(now, now);
        }
        assert_eq!(rest.down_since(), Some(start + seconds(1)));
        let later = start + seconds(9);
        rest.unreachable(later, later);
        assert_eq!(rest.down_since(), Some(start + seconds(1)));
        // What was under way is still answered by a server that shuts down.
        rest.alive(start);
        assert!(rest.is_down());
        assert_eq!(rest.down_since(), None);
        rest.unreachable(later, later);
        assert_eq!(rest.down_since(), Some(later));
    }

    #[test]
    fn only_a_server_that_was_never_reached_is_hopeless() {
        let tries = |reached: bool| {
            let mut now = Instant::now();
            let mut rest = Rest::default();
            if reached {
                rest.broke(now, now);
            }
            for _ in 0..TRIES {
                assert!(!rest.is_hopeless());
                rest.unreachable(now, now);
                now += seconds(1);
            }
            rest.is_hopeless()
        };
        assert!(tries(false));
        assert!(!tries(true));
    }
}
