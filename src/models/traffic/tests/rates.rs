//! Allowances per minute: used, and not exceeded, however the server counts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::server::{Allowance, Rule, Server};
use super::{ask, seconds};
use crate::base::retry::half_to_one;
use crate::models::spec::Limits;
use crate::models::traffic::Lane;

const REQUESTS: f64 = 300.0;
const TOKENS: f64 = 100_000.0;

/// What ten minutes of calls brought.
#[derive(Debug)]
struct TenMinutes {
    /// The share of the scarcer allowance that was used.
    used: f64,
    /// The share of requests that were refused.
    refused: f64,
}

/// Ten minutes of as many callers as the allowance keeps busy, whose calls cost between the two numbers of tokens, and are
/// estimated at what they cost times a number between the other two.
async fn ten_minutes(rule: Rule, cost: (u64, u64), estimated: (f64, f64)) -> TenMinutes {
    let callers = if cost == SHORT { 12 } else { 6 };
    let limits = Limits {
        concurrency: callers,
        requests_per_minute: Some(REQUESTS),
        tokens_per_minute: Some(TOKENS),
        retries: 10,
        ..Limits::default()
    };
    let lane = Arc::new(Lane::new(limits, 1));
    let servers = Arc::new(vec![Server {
        allowance: Some(Mutex::new(Allowance::new(rule, REQUESTS, TOKENS))),
        after: Some(seconds(1)),
        latency: (seconds(1), seconds(3)),
        ..Server::default()
    }]);
    let end = Instant::now() + Duration::from_mins(10);
    let next = Arc::new(AtomicU64::new(0));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..callers {
        let (lane, servers, next) = (Arc::clone(&lane), Arc::clone(&servers), Arc::clone(&next));
        tasks.spawn(timeout_at(end, async move {
            loop {
                let key = next.fetch_add(1, Ordering::Relaxed);
                let share = |of: &[u8]| (half_to_one(of, key) - 0.5) * 2.0;
                let tokens = cost.0 + ((cost.1 - cost.0) as f64 * share(b"cost")) as u64;
                let factor = estimated.0 + (estimated.1 - estimated.0) * share(b"estimate");
                let estimate = (tokens as f64 * factor) as u64;
                ask(&lane, &servers, key, estimate, tokens).await.unwrap();
            }
        }));
    }
    while tasks.join_next().await.is_some() {}
    let server = &servers[0];
    let minutes = 10.0 - 2.0 / 60.0; // The last calls, of two seconds, were not answered in time.
    let tokens = server.tokens.load(Ordering::SeqCst) as f64 / (TOKENS * minutes);
    let requests = server.answered() as f64 / (REQUESTS * minutes);
    TenMinutes {
        used: tokens.max(requests),
        refused: server.refused() as f64 / (server.refused() + server.answered()) as f64,
    }
}

const RULES: [Rule; 3] = [Rule::Sliding, Rule::Fixed, Rule::Bucket];

/// Calls of 200 to 300 tokens: requests are scarce.
const SHORT: (u64, u64) = (200, 300);

/// Calls of 200 to 3,000 tokens, 3 % of the allowance: tokens are scarce.
const LONG: (u64, u64) = (200, 3_000);

const EXACTLY: (f64, f64) = (1.0, 1.0);

#[tokio::test(start_paused = true)]
async fn requests_are_used_and_not_refused_however_they_are_counted() {
    for rule in RULES {
        let result = ten_minutes(rule, SHORT, EXACTLY).await;
        assert!(result.used >= 0.97, "{rule:?}: {result:?}");
        assert!(result.refused <= 0.0, "{rule:?}: {result:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn tokens_are_used_and_not_refused_however_they_are_counted() {
    for rule in RULES {
        let result = ten_minutes(rule, LONG, EXACTLY).await;
        assert!(result.used >= 0.95, "{rule:?}: {result:?}");
        assert!(result.refused <= 0.0, "{rule:?}: {result:?}");
    }
}

/// Without the bucket: one that holds a second's worth and knows what a call will take, while the sender
/// does not, refuses a tenth, and nothing can be done about it.
#[tokio::test(start_paused = true)]
async fn estimates_that_are_off_cost_little() {
    for rule in [Rule::Sliding, Rule::Fixed] {
        for estimated in [(0.7, 1.3), (2.0, 3.0), (0.5, 0.7)] {
            let result = ten_minutes(rule, LONG, estimated).await;
            assert!(result.used >= 0.94, "{rule:?} {estimated:?}: {result:?}");
            assert!(
                result.refused <= 0.005,
                "{rule:?} {estimated:?}: {result:?}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_third_of_the_allowance_fit_three_to_a_minute() {
    for rule in RULES {
        let result = ten_minutes(rule, (30_000, 30_000), EXACTLY).await;
        assert!(result.used >= 0.90, "{rule:?}: {result:?}");
        assert!(result.refused <= 0.0, "{rule:?}: {result:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn calls_above_the_allowance_go_one_after_the_other_and_use_it() {
    let result = ten_minutes(Rule::Bucket, (150_000, 150_000), EXACTLY).await;
    assert!(result.used >= 0.95, "{result:?}");
    assert!(result.refused <= 0.0, "{result:?}");
}
