//! Servers that fail in every way they do, for a while: the tables are those of a healthy one, and no
//! call is made more often than the spec allows.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{PROVIDERS, lab, undisturbed};
use crate::chat::{ChatServer, Fault, Faults};
use crate::lab::Lab;

const TEXTS: usize = 6;

/// What may be over when the call is made again.
const PASSING: [Fault; 13] = [
    Fault::TooManyRequests { retry_after: None },
    Fault::TooManyRequests {
        retry_after: Some("1"),
    },
    Fault::ServerError,
    Fault::BadGateway,
    Fault::Unavailable,
    Fault::Overloaded529,
    Fault::Hang,
    Fault::SlowDrip {
        pause: Duration::from_millis(5),
    },
    Fault::TruncatedJson,
    Fault::ResetBeforeReply,
    Fault::ResetMidBody,
    Fault::CloseMidBody,
    Fault::DuplicateDelivery,
];

/// A project whose calls are given up after a time that a healthy reply never takes.
fn impatient(provider: &str, server: &ChatServer, texts: usize) -> Lab {
    let lab = lab(provider, &server.url(), texts);
    lab.change("timeout = 5", "timeout = 1.5");
    lab
}

/// Runs a project with a server that is struck by these faults, and compares.
#[track_caller]
fn heals(
    provider: &str,
    texts: usize,
    faults: Faults,
    whole: &BTreeMap<String, String>,
) -> ChatServer {
    let server = ChatServer::setup().faults(faults).start();
    let lab = impatient(provider, &server, texts);
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.tables, *whole);
    assert_eq!(ran.warnings(), [""; 0]);
    assert_eq!(ran.summary()["calls_made"], texts);
    let asked = server.asked();
    assert_eq!(asked.len(), texts);
    assert!(asked.values().all(|times| *times <= 1 + 3), "{asked:?}");
    // All is stored: the next run needs no server.
    drop(lab.run(&["--json", "--offline"]).ok());
    server
}

/// Each fault strikes the first attempt of every call; several servers at once, since it is mostly
/// pauses that take the time.
fn each_fault_heals(provider: &str) {
    let whole = undisturbed(provider, TEXTS);
    for some in PASSING.chunks(7) {
        std::thread::scope(|scope| {
            for fault in some {
                let whole = &whole;
                scope.spawn(move || {
                    let faults = Faults::none().first(1, *fault);
                    let server = heals(provider, TEXTS, faults, whole);
                    let struck = |call: &crate::chat::Call| call.fault == Some(*fault);
                    let struck = server.calls().into_iter().filter(struck).count();
                    assert_eq!(struck, TEXTS, "{fault:?}");
                });
            }
        });
    }
}

#[test]
fn every_passing_fault_of_an_openai_server_heals() {
    each_fault_heals("openai");
}

#[test]
fn every_passing_fault_of_an_anthropic_server_heals() {
    each_fault_heals("anthropic");
}

#[test]
fn a_web_page_in_between_is_waited_out() {
    for provider in PROVIDERS {
        let whole = undisturbed(provider, TEXTS);
        let faults = Faults::none().every(4, Fault::WrongContentType);
        let server = ChatServer::setup().faults(faults).start();
        let lab = impatient(provider, &server, TEXTS);
        // The first call has its answer before the fourth is made.
        lab.change("retries = 3", "retries = 3\nconcurrency = 1");
        assert_eq!(lab.run(&["--json"]).ok().tables, whole);
        assert_eq!(server.count(), TEXTS + 1);
    }
}

#[test]
fn a_third_of_all_attempts_may_fail_in_all_ways_at_once() {
    const MANY: usize = 40;
    std::thread::scope(|scope| {
        for provider in PROVIDERS {
            scope.spawn(move || {
                let whole = undisturbed(provider, MANY);
                let faults = Faults::none().share(0.3, PASSING).at_most(3);
                let server = heals(provider, MANY, faults, &whole);
                let struck = server.calls().into_iter().filter_map(|call| call.fault);
                assert!(struck.count() > MANY / 5);
            });
        }
    });
}

#[test]
fn a_fault_that_stays_leaves_the_row_unscored_and_is_tried_no_more_often_than_allowed() {
    let server = ChatServer::setup()
        .faults(Faults::none().first(99, Fault::ServerError))
        .start();
    let lab = impatient("openai", &server, 2);
    lab.change("retries = 3", "retries = 1");
    let ran = lab.run(&["--json"]).exit(4);
    let failed = ran.events("failed");
    let message = failed[0]["message"].as_str().unwrap();
    let expected = "all 2 calls failed: given up after 2 attempts: the server answers 500 Internal Server Error: something broke in here";
    assert_eq!(message, expected);
    assert_eq!(server.count(), 2 * 2);
}
