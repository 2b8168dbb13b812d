//! Concurrency limit: how many calls a server takes at once, learnt from its refusals.
//!
//! The window starts at the declared maximum and is cut only when the server complains: additive
//! increase, multiplicative decrease, as in congestion control (Chiu and Jain 1989). The rules:
//!
//! - What tells how much a server bears is how many calls were in flight when one was sent that it
//!   refused. A refusal leaves 0.7 of that number. It counts once per round trip: calls sent before the
//!   last cut say nothing new, but for those of the same volley, of which the smallest number counts.
//! - A refused call that was sent while as many or more were borne is put down to something else (a limit
//!   per minute, a moment), once: the next such refusal counts unless as many were borne again meanwhile.
//! - A window's worth of replies lets one more call through, up to the maximum, while at least half of
//!   the window is in use. The number at which the server last refused is approached sixteen times as
//!   slowly, so that a steady limit costs about one refusal in a hundred calls.
//! - A refused call that was alone is no matter of concurrency (the server is down or out of quota).
//!   When replies come again, every one lets one more through, until the next refusal.
//! - A timeout leaves 0.7 of the window, or of the calls in flight if those are fewer, once per round.
//! - Latency alone is no signal, for replies differ in length. Only when it comes near the deadline
//!   (smoothed, above half the timeout) does the window shrink by the same factor, since a server that
//!   queues would soon time out everything. If that does not shorten replies by a tenth, they are long
//!   by nature, and latency is ignored until it falls below half the timeout again.

use std::time::Duration;

use tokio::time::Instant;

const CUT: f64 = 0.7;
const CAUTION: f64 = 16.0;

/// The window of one server.
#[derive(Debug)]
pub(super) struct Window {
    most: f64,
    size: f64,
    /// The last cut: calls sent before it are of an earlier round.
    cut: Option<Instant>,
    /// The most calls in flight when one was sent that was answered, since the last refusal.
    borne: u32,
    /// How many calls were in flight when the server last refused one, until so many are allowed again.
    refused_at: Option<u32>,
    eager: bool,
    latency: Latency,
}

/// Replies to calls sent after the last cut.
#[derive(Debug)]
struct Latency {
    /// In seconds: half the timeout.
    high: f64,
    smoothed: f64,
    replies: u32,
    /// What it was at the last cut made for it.
    before: Option<f64>,
    in_vain: bool,
}

/// What latencies tell.
enum Load {
    Fine,
    /// Too high, but not enough was seen yet.
    High,
    /// Too high: fewer calls at once may help.
    TooHigh,
}

impl Window {
    /// A window of at most so many calls, which may take `timeout` each.
    pub(super) fn new(most: u32, timeout: Duration) -> Self {
        let most = f64::from(most.max(1));
        Self {
            most,
            size: most,
            cut: None,
            borne: 0,
            refused_at: None,
            eager: false,
            latency: Latency {
                high: timeout.as_secs_f64() / 2.0,
                smoothed: 0.0,
                replies: 0,
                before: None,
                in_vain: false,
            },
        }
    }

    /// How many calls may be in flight.
    pub(super) fn limit(&self) -> u32 {
        self.size as u32
    }

    /// A call sent then was answered. `with` calls were in flight when it was sent, itself among them,
    /// and `under_way` are now.
    pub(super) fn answered(&mut self, now: Instant, sent: Instant, with: u32, under_way: u32) {
        if self.is_old(sent) {
            return;
        }
        self.borne = self.borne.max(with);
        match self.latency.note(now - sent, self.size) {
            Load::Fine if f64::from(under_way) * 2.0 >= self.size => self.grow(),
            Load::Fine | Load::High => {}
            Load::TooHigh => {
                self.eager = false;
                self.cut_to(self.size * CUT, now);
            }
        }
    }

    /// A call sent then, when `with` were under way, was refused for the load.
    pub(super) fn refused(&mut self, now: Instant, sent: Instant, with: u32) {
        let mut lowest = with;
        if self.is_old(sent) {
            lowest = lowest.min(self.refused_at.unwrap_or(with));
        } else {
            let borne = std::mem::take(&mut self.borne);
            if with <= borne {
                return;
            }
            self.eager = false;
            self.cut = Some(now);
            self.latency.replies = 0;
        }
        self.eager |= with < 2;
        self.refused_at = (!self.eager).then_some(lowest);
        self.size = self.size.min(f64::from(with) * CUT).max(1.0);
    }

    /// A call sent then had no whole reply in time; `under_way` are now, itself among them.
    pub(super) fn timed_out(&mut self, now: Instant, sent: Instant, under_way: u32) {
        if !self.is_old(sent) {
            self.eager = false;
            self.cut_to(self.size.min(f64::from(under_way)) * CUT, now);
        }
    }

    fn cut_to(&mut self, size: f64, now: Instant) {
        self.size = size.max(1.0);
        self.cut = Some(now);
        self.latency.replies = 0;
    }

    fn is_old(&self, sent: Instant) -> bool {
        self.cut.is_some_and(|cut| sent < cut)
    }

    fn grow(&mut self) {
        let mut step = if self.eager { 1.0 } else { 1.0 / self.size };
        if let Some(refused_at) = self.refused_at.map(f64::from) {
            if self.size + step > refused_at - 1.0 {
                step = 1.0 / (self.size * CAUTION);
            }
            if self.size + step >= refused_at {
                self.refused_at = None;
            }
        }
        self.size = (self.size + step).min(self.most);
    }
}

impl Latency {
    /// Notes a latency, and says what the latencies of this round tell about the load.
    fn note(&mut self, latency: Duration, window: f64) -> Load {
        let latency = latency.as_secs_f64();
        self.replies = self.replies.saturating_add(1);
        self.smoothed = if self.replies == 1 {
            latency
        } else {
            self.smoothed + (latency - self.smoothed) / 8.0
        };
        if self.smoothed <= self.high {
            self.before = None;
            self.in_vain = false;
            return Load::Fine;
        }
        if self.in_vain {
            return Load::Fine;
        }
        // A round is judged by a window's worth of replies, two to eight.
        if f64::from(self.replies) < window.clamp(2.0, 8.0) {
            return Load::High;
        }
        if self
            .before
            .is_some_and(|before| self.smoothed > before * 0.9)
        {
            self.in_vain = true;
            return Load::Fine;
        }
        self.before = Some(self.smoothed);
        Load::TooHigh
    }
}

#[cfg(test)]
mod tests;
