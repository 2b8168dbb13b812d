//! Deadlines for a model that does not answer: when they pass, all waiting calls fail at once.
//!
//! A call's own retries are no bound on how long it waits. While a server rests, one call at a time tries
//! it and then goes to the back of the queue, so with a hundred calls in it the first one may need hours to
//! use up its attempts. Therefore two clocks run for the lane as a whole: one while all servers are down,
//! one while calls are put off and none is answered.
//!
//! When a clock has run out, what is under way is waited for, then one call at a time is sent, and the
//! first that fails while it is the only one under way is the proof. So nothing is given up while a slow
//! reply may still come. It takes longer than the clock says by what a last try needs: the rest before it
//! (a minute at most) or the hold (ten), and its own time, up to one timeout.
//!
//! From then on until a sign of life, calls end where they would wait. A new one that finds a server
//! rested is still sent, alone, for nobody else would see that the server is back.

use std::time::Duration;

use tokio::time::Instant;

use super::outcome::Outcome;
use crate::base::wording::count;

/// How long all servers may be down. A server that is started anew and loads a large model takes minutes.
pub(super) const SILENT: Duration = Duration::from_mins(5);

/// How long calls may be put off without one that is answered. Limits per minute heal sooner; those per
/// hour or day are not worth a run that stands still.
pub(super) const PUT_OFF: Duration = Duration::from_mins(30);

/// Why no call is waited for any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Closed {
    /// None of the servers was ever reached, though each was tried three times.
    #[error("no server of the model was ever reached, in 3 attempts: {why}")]
    NeverReached {
        /// What the last attempt said.
        why: String,
    },
    /// All servers were down for five minutes.
    #[error("no server of the model answered for {}: {why}", minutes(SILENT))]
    Silent {
        /// What the last attempt said.
        why: String,
    },
    /// For thirty minutes, calls were put off and none was answered.
    #[error(
        "the servers of the model put off every call for {}: {why}",
        minutes(PUT_OFF)
    )]
    PutOff {
        /// What a server said when it last put off a call.
        why: String,
    },
}

/// The patience with one model.
#[derive(Debug, Default)]
pub(super) struct Patience {
    /// Since when calls are put off and none is answered.
    put_off: Option<Instant>,
    /// What a server said when it last did.
    message: String,
    /// Set when patience has ended, until a sign of life.
    closed: Option<Closed>,
}

impl Patience {
    /// Why no call is waited for any more, if so.
    pub(super) fn closed(&self) -> Option<&Closed> {
        self.closed.as_ref()
    }

    /// Since when calls are put off and none is answered, if they are.
    pub(super) fn put_off_since(&self) -> Option<Instant> {
        self.put_off
    }

    /// Whether a clock has run out, so that calls go one at a time. All servers are down since then.
    pub(super) fn is_out(&self, now: Instant, down_since: Option<Instant>) -> bool {
        self.closed.is_some() || is_over(now, down_since, SILENT) || self.is_put_off(now)
    }

    /// A call ended; all servers are down since then. `last` if no other is under way, `awaited` if others
    /// wait.
    ///
    /// Where nobody else waits, a call's own retries are bound enough, and a prompt that nothing can answer
    /// in time does not condemn the server.
    pub(super) fn settle(
        &mut self,
        now: Instant,
        outcome: &Outcome,
        down_since: Option<Instant>,
        last: bool,
        awaited: bool,
    ) {
        let why = match outcome {
            Outcome::Answered { .. } | Outcome::Rejected => {
                *self = Self::default();
                return;
            }
            Outcome::Busy { message, .. } => {
                self.put_off.get_or_insert(now);
                self.message.clone_from(message);
                // It lives, after all.
                self.closed
                    .take_if(|closed| matches!(closed, Closed::Silent { .. }));
                message
            }
            Outcome::Unreachable(why) | Outcome::Broken(why) | Outcome::TimedOut(why) => why,
            Outcome::Unsent | Outcome::Abandoned => return,
        };
        if self.closed.is_some() || !last {
            return;
        }
        if awaited && is_over(now, down_since, SILENT) {
            let why = why.clone();
            self.closed = Some(Closed::Silent { why });
        } else if self.is_put_off(now) {
            let why = self.message.clone();
            self.closed = Some(Closed::PutOff { why });
        }
    }

    /// Nobody asked anything for a while: the clock begins anew.
    pub(super) fn forget(&mut self) {
        self.put_off = None;
    }

    fn is_put_off(&self, now: Instant) -> bool {
        is_over(now, self.put_off, PUT_OFF)
    }
}

fn is_over(now: Instant, since: Option<Instant>, most: Duration) -> bool {
    since.is_some_and(|since| now.saturating_duration_since(since) >= most)
}

fn minutes(time: Duration) -> String {
    count((time.as_secs() / 60) as usize, "minute")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWERED: Outcome = Outcome::Answered { tokens_used: None };

    fn busy() -> Outcome {
        Outcome::Busy {
            message: "slow down".to_owned(),
            after: None,
        }
    }

    fn gone() -> Outcome {
        Outcome::Unreachable("connection refused".to_owned())
    }

    fn told(patience: &Patience) -> Option<String> {
        patience.closed().map(ToString::to_string)
    }

    #[test]
    fn five_minutes_of_silence_end_with_a_last_try_of_a_call_that_is_alone() {
        let start = Instant::now();
        let down = Some(start);
        let mut patience = Patience::default();
        let just_before = start + SILENT - Duration::from_millis(1);
        patience.settle(just_before, &gone(), down, true, true);
        assert!(!patience.is_out(just_before, down));
        let then = start + SILENT;
        assert!(patience.is_out(then, down));
        patience.settle(then, &gone(), down, false, true);
        patience.settle(then, &gone(), down, true, false);
        patience.settle(then, &gone(), None, true, true);
        patience.settle(then, &Outcome::Abandoned, down, true, true);
        assert_eq!(told(&patience), None);
        patience.settle(then, &gone(), down, true, true);
        let message = "no server of the model answered for 5 minutes: connection refused";
        assert_eq!(told(&patience).as_deref(), Some(message));
    }

    #[test]
    fn half_an_hour_of_refusals_ends_with_a_last_one() {
        let start = Instant::now();
        let mut patience = Patience::default();
        for minute in 0..30 {
            patience.settle(start + minute * SILENT / 5, &busy(), None, true, true);
            assert_eq!(told(&patience), None);
        }
        patience.settle(start + PUT_OFF, &busy(), None, true, false);
        let message = "the servers of the model put off every call for 30 minutes: slow down";
        assert_eq!(told(&patience).as_deref(), Some(message));
        patience.settle(start + PUT_OFF, &gone(), None, true, true);
        assert_eq!(told(&patience).as_deref(), Some(message));
    }

    #[test]
    fn an_answer_of_any_kind_begins_anew() {
        let start = Instant::now();
        for life in [ANSWERED, Outcome::Rejected] {
            let mut patience = Patience::default();
            patience.settle(start, &busy(), None, true, true);
            patience.settle(start + PUT_OFF / 2, &life, None, true, true);
            patience.settle(start + PUT_OFF, &busy(), None, true, true);
            assert_eq!(told(&patience), None);
            patience.settle(start + 2 * PUT_OFF, &busy(), None, true, true);
            assert!(told(&patience).is_some());
            patience.settle(start + 2 * PUT_OFF, &life, None, true, true);
            assert_eq!(told(&patience), None);
            assert!(!patience.is_out(start + 2 * PUT_OFF, None));
        }
    }

    #[test]
    fn a_refusal_is_a_sign_of_life_but_no_answer() {
        let start = Instant::now();
        let mut patience = Patience::default();
        patience.settle(start, &busy(), None, true, true);
        let then = start + PUT_OFF - Duration::from_secs(1);
        patience.settle(then, &gone(), Some(start), true, true);
        assert!(told(&patience).is_some());
        patience.settle(then, &busy(), None, true, true);
        assert_eq!(told(&patience), None);
        patience.settle(start + PUT_OFF, &busy(), None, true, true);
        assert!(told(&patience).unwrap().contains("30 minutes"));
    }
}
