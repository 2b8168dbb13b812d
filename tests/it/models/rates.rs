//! Servers that allow so much per minute: what they allow is used, and next to nothing is refused.
//!
//! The server's minute is three seconds here, and what the spec declares for a whole one is twenty times as
//! much. A run leaves 2 % of a minute unused, lest what comes a little late be refused for coming too close
//! to what comes next. Of a minute that is 1.2 s; so that it is not next to nothing of three seconds, the
//! server bears 0.2 s worth of calls more than it declares.

use std::time::Duration;

use super::lab;
use crate::chat::ChatServer;

const MINUTE: Duration = Duration::from_secs(3);

/// What the server bears, of what it declares.
const BEARS: f64 = 3.2 / 3.0;

const TEXTS: usize = 400;

/// How much of what was declared, from the first call to the last, was used, and how much was refused.
fn shares(server: &ChatServer, declared: f64, used: f64) -> (f64, f64) {
    let calls = server.calls();
    let took = calls[calls.len() - 1].came - calls[0].came;
    let declared = declared * took.as_secs_f64() / MINUTE.as_secs_f64();
    let refused = calls.iter().filter(|call| call.status == Some(429)).count();
    (used / declared, refused as f64 / calls.len() as f64)
}

#[test]
fn the_requests_allowed_are_used_and_hardly_one_is_refused() {
    const DECLARED: f64 = 180.0;
    let server = ChatServer::setup()
        .limit(Some((BEARS * DECLARED) as usize), None, MINUTE)
        .latency(Duration::from_millis(30))
        .start();
    let lab = lab("openai", &server.url(), TEXTS);
    let limit = format!("requests-per-minute = {}", 20.0 * DECLARED);
    lab.change("retries = 3", &limit);
    lab.run(&["--quiet"]).ok();
    let (used, refused) = shares(&server, DECLARED, TEXTS as f64);
    assert!(refused < 0.01, "{refused}");
    assert!((0.9..=1.05).contains(&used), "{used}");
}

#[test]
fn the_tokens_allowed_are_used_and_hardly_a_call_is_refused() {
    // A call takes about fifty.
    const DECLARED: f64 = 9_000.0;
    let server = ChatServer::setup()
        .limit(None, Some((BEARS * DECLARED) as u64), MINUTE)
        .latency(Duration::from_millis(30))
        .start();
    let lab = lab("anthropic", &server.url(), TEXTS);
    let limit = format!("tokens-per-minute = {}", 20.0 * DECLARED);
    lab.change("retries = 3", &limit);
    let ran = lab.run(&["--json"]).ok();
    let of = |name: &str| ran.summary()[name].as_f64().unwrap();
    let tokens = of("tokens_read") + of("tokens_written");
    let (used, refused) = shares(&server, DECLARED, tokens);
    assert!(refused < 0.01, "{refused}");
    assert!((0.9..=1.05).contains(&used), "{used}");
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
    let lab = lab("openai", &server.url(), 60);
    lab.change("retries = 3", "concurrency = 16\nretries = 6");
    lab.run(&["--quiet"]).ok();
    assert_eq!(server.answered().len(), 60);
    assert!(server.statuses()[&429] < 30, "{:?}", server.statuses());
}
