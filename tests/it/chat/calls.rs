//! What was asked live: every call, how many at once, and when its reply was out.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use super::Fault;
use crate::server::{Moment, PATIENCE, Request};

/// One request for an answer.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The request.
    pub(crate) request: Arc<Request>,
    /// The digest of its prompt; the same for all attempts.
    pub(crate) prompt: String,
    /// The status it was, or is being, answered with; none if it got no answer (yet).
    pub(crate) status: Option<u16>,
    /// What went wrong, as the plan said.
    pub(crate) fault: Option<Fault>,
    /// When it had come.
    pub(crate) came: Instant,
    /// When the last byte of its reply had been handed to the operating system.
    pub(crate) replied: Option<Instant>,
}

/// All calls.
#[derive(Debug, Default)]
pub(super) struct Calls {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    calls: Vec<Call>,
    replied: usize,
    /// Calls whose reply has not begun.
    in_flight: usize,
    most: usize,
    /// Calls whose reply has begun and not ended.
    being_written: usize,
}

impl Call {
    /// Whether it was answered well and whole: the client has what it paid for.
    pub(crate) fn answered(&self) -> bool {
        let good = self.fault.is_none_or(Fault::answers);
        good && self.status == Some(200) && self.replied.is_some()
    }
}

impl Calls {
    /// A call came: its index, and how many are in flight with it.
    pub(super) fn came(&self, request: &Arc<Request>, prompt: &str) -> (usize, usize) {
        let mut state = self.state.lock().unwrap();
        state.in_flight += 1;
        state.most = state.most.max(state.in_flight);
        state.calls.push(Call {
            request: Arc::clone(request),
            prompt: prompt.to_owned(),
            status: None,
            fault: None,
            came: Instant::now(),
            replied: None,
        });
        self.changed.notify_all();
        (state.calls.len() - 1, state.in_flight)
    }

    /// What strikes a call is known.
    pub(super) fn struck(&self, index: usize, fault: Option<Fault>) {
        self.state.lock().unwrap().calls[index].fault = fault;
    }

    /// How the reply to a call gets on. It leaves the flight before its first byte is out, so that a
    /// client never finds it there when it makes its next call.
    pub(super) fn delivered(&self, index: usize, status: u16, moment: Moment) {
        let mut state = self.state.lock().unwrap();
        let silent = state.calls[index].fault.is_some_and(Fault::is_silent);
        match moment {
            Moment::Abandoned => state.in_flight -= 1,
            Moment::Begins => {
                state.in_flight -= 1;
                if !silent {
                    state.being_written += 1;
                    state.calls[index].status = Some(status);
                }
            }
            Moment::Ends { whole } => {
                if !silent {
                    state.being_written -= 1;
                }
                if whole {
                    state.calls[index].replied = Some(Instant::now());
                    state.replied += 1;
                }
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    /// All calls so far. Waits for replies that are being written, so that whoever has read a reply
    /// finds it here as written.
    pub(super) fn all(&self) -> Vec<Call> {
        self.wait("replies were never written", |state| {
            state.being_written == 0
        })
        .calls
        .clone()
    }

    /// The most calls in flight at once.
    pub(super) fn most_in_flight(&self) -> usize {
        self.state.lock().unwrap().most
    }

    /// Waits until so many calls came.
    pub(super) fn wait_for(&self, count: usize) {
        let why = format!("{count} calls never came");
        drop(self.wait(&why, |state| state.calls.len() >= count));
    }

    /// Waits until so many replies were written.
    pub(super) fn wait_for_replies(&self, count: usize) {
        let why = format!("{count} replies were never written");
        drop(self.wait(&why, |state| state.replied >= count));
    }

    fn wait(&self, why: &str, until: impl Fn(&State) -> bool) -> std::sync::MutexGuard<'_, State> {
        let state = self.state.lock().unwrap();
        let waited = self
            .changed
            .wait_timeout_while(state, PATIENCE, |state| !until(state));
        let (state, waited) = waited.unwrap();
        assert!(!waited.timed_out(), "{why}");
        state
    }
}
