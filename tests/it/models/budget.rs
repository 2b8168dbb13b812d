//! What a run may call and spend.

use super::{PROVIDERS, lab, snapshot, undisturbed};
use crate::chat::{ChatServer, Fault, Faults};
use crate::lab::Lab;

const TEXTS: usize = 20;

/// A project whose model costs 10 and 100 per million tokens.
fn priced(provider: &str, server: &ChatServer) -> Lab {
    let lab = lab(provider, &server.url(), TEXTS);
    lab.change(
        "retries = 3",
        "retries = 3\nconcurrency = 4\ninput-price = 10\noutput-price = 100",
    );
    lab
}

#[test]
fn no_more_calls_are_made_than_allowed_and_the_rest_is_made_later() {
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let lab = lab(provider, &server.url(), TEXTS);
        for (most, so_far) in [("7", 7), ("1", 8), ("0", 8)] {
            let ran = lab.run(&["--json", "--max-calls", most]).exit(6);
            assert_eq!(server.count(), so_far);
            let limit = format!("`--max-calls {most}` is reached");
            assert_eq!(ran.summary()["limit"], limit);
        }
        let ran = lab.run(&["--json", "--max-calls", "12"]).ok();
        assert_eq!(ran.summary()["calls_made"], 12);
        assert_eq!(server.asked().into_values().collect::<Vec<_>>(), [1; TEXTS]);
        assert_eq!(ran.tables, undisturbed(provider, TEXTS));
    }
}

#[test]
fn what_a_limit_says_at_the_end() {
    let server = ChatServer::start();
    let lab = priced("openai", &server);
    // Stages end in any order.
    let end = |said: &str| -> String {
        let lines = said.split_inclusive('\n');
        lines
            .skip_while(|line| !line.contains("calls ran in"))
            .collect()
    };
    let ran = lab.run(&["--max-calls", "7"]).exit(6);
    snapshot!("max-calls", end(&ran.err));
    let ran = lab.run(&["--max-cost", "0.05"]).ok();
    snapshot!("spent", end(&ran.err));
}

#[test]
fn no_more_is_spent_than_allowed() {
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let lab = priced(provider, &server);
        let mut spent = 0.0;
        for most in [0.02, 0.015] {
            let most_text = most.to_string();
            let ran = lab.run(&["--json", "--max-cost", &most_text]).exit(6);
            let summary = ran.summary();
            let cost = summary["cost"].as_f64().unwrap();
            assert!(cost <= most, "{cost} of {most}");
            // The longest reply would not have fitted any more, and only that stopped it.
            assert!(cost + 0.0115 > most, "{cost} of {most}");
            let of = |name: &str| summary[name].as_f64().unwrap();
            let computed = of("tokens_read") * 10e-6 + of("tokens_written") * 100e-6;
            assert!((cost - computed).abs() < 1e-9, "{cost} {computed}");
            spent += cost;
        }
        let before = server.count();
        assert!((2..TEXTS).contains(&before), "{before}");
        let ran = lab.run(&["--json", "--max-cost", "1"]).ok();
        spent += ran.summary()["cost"].as_f64().unwrap();
        assert_eq!(server.asked().into_values().collect::<Vec<_>>(), [1; TEXTS]);
        assert_eq!(ran.tables, undisturbed(provider, TEXTS));
        let whole = priced(provider, &server).run(&["--json"]).ok();
        let whole = whole.summary()["cost"].as_f64().unwrap();
        assert!((whole - spent).abs() < 1e-9, "{whole} {spent}");
    }
}

#[test]
fn a_budget_too_small_for_one_call_makes_none() {
    let server = ChatServer::start();
    let ran = priced("openai", &server)
        .run(&["--max-cost", "0.001"])
        .exit(6);
    assert!(
        ran.err
            .contains("`--max-cost 0.001` is reached: $0.00 spent"),
        "{}",
        ran.err
    );
    assert_eq!(server.count(), 0);
}

#[test]
fn retries_of_a_call_are_no_further_calls() {
    let server = ChatServer::setup()
        .faults(Faults::none().first(1, Fault::ServerError))
        .start();
    let lab = lab("openai", &server.url(), TEXTS);
    lab.change("retries = 3", "retries = 3\nconcurrency = 2");
    lab.run(&["--json", "--max-calls", "3"]).exit(6);
    assert_eq!(server.asked().into_values().collect::<Vec<_>>(), [2; 3]);
}

#[test]
fn stored_replies_cost_nothing() {
    let server = ChatServer::start();
    let lab = priced("openai", &server);
    lab.run(&["--json"]).ok();
    lab.remove("cache/v1/nodes");
    lab.remove("cache/v1/blobs");
    let ran = lab
        .run(&["--json", "--max-calls", "0", "--max-cost", "0"])
        .ok();
    assert_eq!(ran.summary()["cost"], serde_json::Value::Null);
}
