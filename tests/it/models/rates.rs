//! Servers that allow so much per minute: what they allow is used, and next to nothing is refused.
//!
//! The server's minute is three seconds here. What it allows in that time is a twentieth of what the
//! spec declares for a whole one.

use std::time::Duration;

use super::lab;
use crate::chat::ChatServer;

const MINUTE: Duration = Duration::from_secs(3);

/// How much of what was allowed from the first call to the last was used, and how much was refused.
fn shares(server: &ChatServer, allowed: f64, used: f64) -> (f64, f64) {
    let calls = server.calls();
    let took = calls.last().unwrap().came - calls[0].came;
    let allowed = allowed * took.as_secs_f64() / MINUTE.as_secs_f64();
    let refused = calls.iter().filter(|call| call.status == Some(429)).count();
    (used / allowed, refused as f64 / calls.len() as f64)
}

#[test]
fn the_requests_allowed_are_used_and_hardly_one_is_refused() {
    const ALLOWED: usize = 180;
    const TEXTS: usize = 400;
    let server = ChatServer::setup()
        .limit(Some(ALLOWED), None, MINUTE)
        .latency(Duration::from_millis(30))
        .start();
    let lab = lab("openai", &server.url(), TEXTS);
    lab.change(
        "retries = 3",
        &format!("requests-per-minute = {}", 20 * ALLOWED),
    );
    lab.run(&["--quiet"]).ok();
    let (used, refused) = shares(&server, ALLOWED as f64, TEXTS as f64);
    assert!(used >= 0.9, "{used}");
    assert!(refused < 0.01, "{refused}");
}

#[test]
fn the_tokens_allowed_are_used_and_hardly_a_call_is_refused() {
    const TEXTS: usize = 400;
    // A call takes about fifty.
    const ALLOWED: u64 = 9_000;
    let server = ChatServer::setup()
        .limit(None, Some(ALLOWED), MINUTE)
        .latency(Duration::from_millis(30))
        .start();
    let lab = lab("anthropic", &server.url(), TEXTS);
    lab.change(
        "retries = 3",
        &format!("tokens-per-minute = {}", 20 * ALLOWED),
    );
    let ran = lab.run(&["--json"]).ok();
    let of = |name: &str| ran.summary()[name].as_f64().unwrap();
    let tokens = of("tokens_read") + of("tokens_written");
    let (used, refused) = shares(&server, ALLOWED as f64, tokens);
    assert!(used >= 0.9, "{used}");
    assert!(refused < 0.01, "{refused}");
}

#[test]
fn no_more_calls_are_under_way_than_declared() {
    let server = ChatServer::setup()
        .latency(Duration::from_millis(20))
        .start();
    let lab = lab("openai", &server.url(), 60);
    lab.change("retries = 3", "concurrency = 5");
    lab.run(&["--quiet"]).ok();
    assert_eq!(server.most_in_flight(), 5);
}

#[test]
fn a_server_that_bears_less_than_declared_is_found_out() {
    let server = ChatServer::setup()
        .latency(Duration::from_millis(20))
        .capacity(4)
        .start();
    let lab = lab("openai", &server.url(), 100);
    lab.change("retries = 3", "concurrency = 16\nretries = 6");
    lab.run(&["--quiet"]).ok();
    assert_eq!(server.answered().len(), 100);
    assert!(server.statuses()[&429] < 40, "{:?}", server.statuses());
}
