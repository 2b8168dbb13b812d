//! Servers that enforce limits, break and come back.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::{Switch, milliseconds};
use crate::base::retry::half_to_one;
use crate::models::ask::CallError;

/// How a server counts what it allows per minute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// In the sixty seconds before each request.
    Sliding,
    /// In minutes that begin on the minute.
    Fixed,
    /// In a bucket that holds a second's worth. A call needs its tokens, or the bucket full, and may
    /// leave it in debt.
    Bucket,
}

/// What a server allows in a minute.
pub(super) struct Allowance {
    rule: Rule,
    requests: f64,
    tokens: f64,
    start: Instant,
    recent: VecDeque<(Instant, u64)>,
    levels: (Instant, f64, f64),
}

impl Allowance {
    pub(super) fn new(rule: Rule, requests: f64, tokens: f64) -> Self {
        let now = Instant::now();
        Self {
            rule,
            requests,
            tokens,
            start: now,
            recent: VecDeque::new(),
            levels: (now, requests / 60.0, tokens / 60.0),
        }
    }

    fn admits(&mut self, tokens: u64) -> bool {
        let now = Instant::now();
        if self.rule == Rule::Bucket {
            let (requests, all) = ((self.requests / 60.0).max(1.0), self.tokens / 60.0);
            let passed = (now - self.levels.0).as_secs_f64();
            let level = (
                (self.levels.1 + passed * self.requests / 60.0).min(requests),
                (self.levels.2 + passed * self.tokens / 60.0).min(all),
            );
            let admitted = level.0 >= 1.0 - 1e-9 && level.1 >= (tokens as f64).min(all) - 1e-6;
            let taken = if admitted {
                (1.0, tokens as f64)
            } else {
                (0.0, 0.0)
            };
            self.levels = (now, level.0 - taken.0, level.1 - taken.1);
            return admitted;
        }
        let minute = Duration::from_mins(1);
        let oldest = match self.rule {
            Rule::Fixed => self.start + minute * ((now - self.start).as_secs() / 60) as u32,
            _ => now
                .checked_sub(minute)
                .map_or(self.start, |then| then + Duration::from_nanos(1)),
        };
        self.recent.retain(|(sent, _)| *sent >= oldest);
        let sum: u64 = self.recent.iter().map(|(_, tokens)| tokens).sum();
        let admitted =
            (self.recent.len() + 1) as f64 <= self.requests && (sum + tokens) as f64 <= self.tokens;
        if admitted {
            self.recent.push_back((now, tokens));
        }
        admitted
    }
}

/// A server; what is not set is unlimited.
pub(super) struct Server {
    /// What it allows per minute.
    pub(super) allowance: Option<Mutex<Allowance>>,
    /// How many calls it works on; more are refused.
    pub(super) capacity: u64,
    /// What it says when it refuses.
    pub(super) after: Option<Duration>,
    /// Latencies, from and to.
    pub(super) latency: (Duration, Duration),
    /// While on, nothing reaches it, and what is under way breaks.
    pub(super) down: Switch,
    /// While on, every call is refused.
    pub(super) overloaded: Switch,
    /// While on, it takes calls and never says anything.
    pub(super) hangs: Switch,
    /// When it was sent something, from when on.
    pub(super) sent: Mutex<Vec<Instant>>,
    pub(super) answered: AtomicU64,
    pub(super) refused: AtomicU64,
    pub(super) tokens: AtomicU64,
    pub(super) under_way: AtomicU64,
    pub(super) most: AtomicU64,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            allowance: None,
            capacity: u64::MAX,
            after: None,
            latency: (milliseconds(200), milliseconds(200)),
            down: Switch::default(),
            overloaded: Switch::default(),
            hangs: Switch::default(),
            sent: Mutex::default(),
            answered: AtomicU64::default(),
            refused: AtomicU64::default(),
            tokens: AtomicU64::default(),
            under_way: AtomicU64::default(),
            most: AtomicU64::default(),
        }
    }
}

struct UnderWay<'s>(&'s Server);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Server {
    /// One call that takes so many tokens; the answer is their number.
    pub(super) async fn ask(&self, tokens: u64) -> Result<u64, CallError> {
        self.sent.lock().unwrap().push(Instant::now());
        if self.down.is_on() {
            sleep(milliseconds(10)).await;
            return Err(CallError::Unreachable("connection refused".to_owned()));
        }
        let now = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        let _under_way = UnderWay(self);
        self.most.fetch_max(now, Ordering::SeqCst);
        if self.hangs.is_on() {
            std::future::pending::<()>().await;
        }
        let admitted = !self.overloaded.is_on()
            && now <= self.capacity
            && self
                .allowance
                .as_ref()
                .is_none_or(|allowance| allowance.lock().unwrap().admits(tokens));
        if !admitted {
            self.refused.fetch_add(1, Ordering::SeqCst);
            sleep(milliseconds(20)).await;
            return Err(CallError::Busy {
                message: "too many requests".to_owned(),
                after: self.after,
            });
        }
        let count = self.sent.lock().unwrap().len() as u64;
        let share = (half_to_one(b"latency", count) - 0.5) * 2.0;
        sleep(self.latency.0 + self.latency.1.saturating_sub(self.latency.0).mul_f64(share)).await;
        if self.down.is_on() {
            return Err(CallError::Broken("connection reset".to_owned()));
        }
        self.answered.fetch_add(1, Ordering::SeqCst);
        self.tokens.fetch_add(tokens, Ordering::SeqCst);
        Ok(tokens)
    }

    pub(super) fn answered(&self) -> u64 {
        self.answered.load(Ordering::SeqCst)
    }

    pub(super) fn refused(&self) -> u64 {
        self.refused.load(Ordering::SeqCst)
    }
}
