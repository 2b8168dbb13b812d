//! Giving up on a model: at an error that no further call can mend, or at the same failure again
//! and again.
//!
//! It counts and says so; what becomes of the node is the judge's business.

use std::sync::Mutex;

use crate::base::lock::lock;
use crate::models::ask::CallError;

/// So many failures in a row with one message are no accident.
const IN_A_ROW: u32 = 20;

/// Watches the calls of one judge.
#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    message: String,
    failures: u32,
}

impl Breaker {
    /// Notes what came of a call.
    pub(super) fn saw(&self, error: Option<&CallError>) {
        let mut state = lock(&self.0);
        // What was under way by then says nothing of why.
        if state.stopped {
            return;
        }
        match error {
            Some(CallError::Fatal(_)) => state.stopped = true,
            Some(CallError::Failed(message)) if *message == state.message => {
                state.failures += 1;
                state.stopped |= state.failures >= IN_A_ROW;
            }
            Some(CallError::Failed(message)) => {
                state.message.clone_from(message);
                state.failures = 1;
            }
            _ => state.failures = 0,
        }
    }

    /// Whether nothing more should be asked.
    pub(super) fn stopped(&self) -> bool {
        let state = lock(&self.0);
        state.stopped
    }

    /// Why asking stopped, if it was for failures in a row.
    pub(super) fn why(&self) -> Option<String> {
        let state = lock(&self.0);
        (state.stopped && state.failures >= IN_A_ROW).then(|| {
            format!(
                "stopped asking after {} calls failed in a row: {}",
                state.failures, state.message
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(message: &str) -> CallError {
        CallError::Failed(message.to_owned())
    }

    #[test]
    fn the_same_failure_again_and_again_stops() {
        let breaker = Breaker::default();
        for _ in 0..IN_A_ROW {
            assert!(!breaker.stopped());
            breaker.saw(Some(&failed("down")));
        }
        assert!(breaker.stopped());
        assert!(breaker.why().unwrap().ends_with("in a row: down"));
    }

    #[test]
    fn what_calls_under_way_come_to_takes_nothing_back() {
        let breaker = Breaker::default();
        for _ in 0..IN_A_ROW {
            breaker.saw(Some(&failed("down")));
        }
        let why = breaker.why();
        assert!(why.is_some());
        for later in [None, Some(failed("busy")), Some(failed("down"))] {
            breaker.saw(later.as_ref());
            assert!(breaker.stopped());
            assert_eq!(breaker.why(), why);
        }
    }

    #[test]
    fn other_failures_and_answers_in_between_do_not() {
        let breaker = Breaker::default();
        for n in 0..10 * IN_A_ROW {
            let error = failed(if n % 2 == 0 { "a" } else { "b" });
            breaker.saw(Some(&error));
        }
        for n in 1..10 * IN_A_ROW {
            let error = failed("a");
            breaker.saw((n % IN_A_ROW > 0).then_some(&error));
        }
        assert!(!breaker.stopped());
    }

    #[test]
    fn an_error_that_nothing_heals_stops_at_once() {
        let breaker = Breaker::default();
        breaker.saw(Some(&CallError::Fatal("no such model".to_owned())));
        assert!(breaker.stopped());
        assert_eq!(breaker.why(), None);
    }
}
