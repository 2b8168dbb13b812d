//! Faults that no further call can heal: the run stops at once and says what to do.

use super::{PROVIDERS, failure, lab, snapshot};
use crate::chat::{ChatServer, Fault, Faults};
use crate::lab::Lab;

/// How many calls are under way when the first is answered.
const AT_ONCE: usize = 4;

/// Forty texts of two hundred words each.
fn long_texts() -> String {
    let words = "the ferry leaves at dawn with eleven sheep and comes back at night ";
    let text = words.repeat(16);
    let line = |n: usize| format!("text-{n:04},number {n} {text}\n");
    let lines: String = (1..=40).map(line).collect();
    format!("doc_id,text\n{lines}")
}

fn project(provider: &str, server: &ChatServer) -> Lab {
    let lab = lab(provider, &server.url(), 40)
        .file("texts.csv", long_texts())
        .env("JUDGE_KEY", "sk-0123456789abcdef");
    lab.change(
        "retries = 3",
        "retries = 3\nconcurrency = 4\napi-key-env = \"JUDGE_KEY\"",
    );
    lab
}

#[test]
fn what_nothing_heals_stops_the_run_at_once_and_says_what_to_do() {
    for provider in PROVIDERS {
        for (name, fault) in [
            ("bad-key", Fault::BadKey),
            ("unknown-model", Fault::UnknownModel),
            ("other-model", Fault::OtherModel),
            ("prompt-cut", Fault::CutsPrompt),
            ("web-page", Fault::WrongContentType),
        ] {
            let server = ChatServer::setup()
                .faults(Faults::none().first(99, fault))
                .start();
            let ran = project(provider, &server).run(&["--quiet"]).exit(4);
            snapshot!(format!("{name}-{provider}"), failure(&ran));
            let count = server.count();
            assert!((1..=AT_ONCE).contains(&count), "{name}: {count} calls");
        }
    }
}

#[test]
fn a_path_at_which_nothing_is_served_is_told_with_a_guess() {
    let server = ChatServer::start();
    let lab = lab("openai", server.url().trim_end_matches("/v1"), 40);
    lab.change("retries = 3", "concurrency = 4");
    let ran = lab.run(&["--quiet"]).exit(4);
    snapshot!("no-such-path", failure(&ran));
    assert!(server.server().requests().len() <= AT_ONCE);
}

#[test]
fn a_model_that_reports_another_name_is_believed_where_the_spec_says_so() {
    let server = ChatServer::setup()
        .faults(Faults::none().first(99, Fault::OtherModel))
        .start();
    let lab = project("openai", &server);
    lab.run(&["--quiet"]).exit(4);
    lab.change("retries = 3", "retries = 3\nreported = [\"another-model\"]");
    lab.run(&["--quiet"]).ok();
    // What was answered before it was declared had not been believed, so it was not kept either.
    assert!(server.asked().values().all(|times| *times <= 2));
}

#[test]
fn a_stored_reply_of_another_model_is_not_believed_once_it_is_undeclared() {
    let server = ChatServer::setup()
        .faults(Faults::none().first(99, Fault::OtherModel))
        .start();
    let lab = project("openai", &server);
    lab.change("retries = 3", "retries = 3\nreported = \"*\"");
    lab.run(&["--quiet"]).ok();
    let before = server.count();
    lab.change("reported = \"*\"", "");
    lab.remove("cache/v1/nodes");
    let ran = lab.run(&["--quiet"]).exit(4);
    assert!(
        ran.err.contains("write `reported = \"another-model\"`"),
        "{}",
        ran.err
    );
    assert_eq!(server.count(), before);
}
