//! `tribunal call`: one question, what comes back, and what is read off it.

use std::time::Duration;

use serde_json::Value;

use super::{PROVIDERS, lab, snapshot, without_tokenizer};
use crate::chat::{ChatServer, Fault, Faults, Setup};
use crate::lab::Lab;

/// A server that takes a time that is worth telling.
fn slow() -> Setup {
    ChatServer::setup().latency(Duration::from_millis(10))
}

fn project(server: &ChatServer) -> Lab {
    let lab = lab("openai", &server.url(), 3);
    without_tokenizer(&lab);
    lab.change("retries = 3", "retries = 0\nsystem = \"You are strict.\"");
    lab
}

#[test]
fn a_dry_run_shows_the_prompt_and_asks_nobody() {
    let server = ChatServer::start();
    let ran = project(&server).cmd(&["call", "--dry-run"]).ok();
    snapshot!("dry-run", ran.out);
    assert_eq!(server.server().requests().len(), 0);
}

#[test]
fn a_reply_is_shown_with_what_is_read_off_it_and_kept() {
    let server = slow().start();
    let lab = project(&server);
    snapshot!("answered", lab.cmd(&["call", "text-0002"]).ok().out);
    snapshot!("stored", lab.cmd(&["call", "text-0002"]).ok().out);
    assert_eq!(server.count(), 1);
    // A run uses it too.
    assert_eq!(lab.run(&["--json"]).ok().summary()["calls_made"], 2);
}

#[test]
fn a_reply_without_a_score_says_why() {
    let server = slow().faults(Faults::none().first(9, Fault::Cut)).start();
    let ran = project(&server).cmd(&["call"]).ok();
    snapshot!("unscored", ran.out);
    assert_eq!(server.count(), 4);
}

#[test]
fn a_call_that_fails_says_why() {
    for (name, fault) in [
        ("failed", Fault::ServerError),
        ("refused", Fault::Refusal),
        ("too-long", Fault::ContextTooLong),
        ("unknown-model", Fault::UnknownModel),
    ] {
        let server = ChatServer::setup()
            .faults(Faults::none().first(9, fault))
            .start();
        let ran = project(&server).cmd(&["call"]).exit(4);
        snapshot!(name, format!("{}{}", ran.out, ran.err));
        assert_eq!(server.count(), 1);
    }
}

#[test]
fn everything_is_there_as_json() {
    let server = ChatServer::start();
    let lab = project(&server);
    snapshot!("json", lab.cmd(&["call", "--json"]).ok().out);
    let faulty = ChatServer::setup()
        .faults(Faults::none().first(9, Fault::ServerError))
        .start();
    let ran = project(&faulty).cmd(&["call", "--json"]).exit(4);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    let why = "given up after 1 attempt: the server answers 500 Internal Server Error: something broke in here";
    assert_eq!(value["reply"]["error"], why);
}

#[test]
fn any_document_stage_and_repeat_can_be_meant() {
    let server = ChatServer::start();
    let lab = project(&server);
    lab.change("prompt = \"grade\"", "prompt = \"grade\"\nrepeats = 2");
    let keys = [["--repeat", "1"], ["--repeat", "2"]].map(|repeat| {
        let args = [&["call", "text-0003", "--json", "--dry-run"][..], &repeat].concat();
        let shown: Value = serde_json::from_str(&lab.cmd(&args).ok().out).unwrap();
        assert!(
            shown["messages"][1]["content"]
                .as_str()
                .unwrap()
                .contains("number 3 ")
        );
        shown["key"].as_str().unwrap().to_owned()
    });
    assert_ne!(keys[0], keys[1]);
    let said = lab.cmd(&["call", "text-0009"]).exit(2).err;
    assert!(said.contains("text-0009"), "{said}");
    let said = lab.cmd(&["call", "--stage", "grads"]).exit(2).err;
    assert!(said.contains("did you mean `grades`?"), "{said}");
}

#[test]
fn a_missing_key_stops_no_dry_run() {
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let lab = lab(provider, &server.url(), 1);
        lab.change("retries = 3", "api-key-env = \"NO_SUCH_KEY\"");
        lab.cmd(&["call", "--dry-run"]).ok();
        let ran = lab.cmd(&["call"]).exit(4);
        assert!(
            ran.out
                .contains("the environment has no key in `NO_SUCH_KEY`"),
            "{}",
            ran.out
        );
    }
}

#[test]
fn a_stage_that_reads_what_is_not_yet_written_says_what_to_run_first() {
    let server = ChatServer::start();
    let lab = project(&server).template("summarise", "Summarise.\n\n{{ text }}\n");
    lab.append("[generate.summaries]\nfrom = \"texts\"\nmodel = \"judge\"\nprompt = \"summarise\"\ninto = \"text\"");
    lab.change(
        "from = \"texts\"\nmodel = \"judge\"\nprompt = \"grade\"",
        "from = \"summaries\"\nmodel = \"judge\"\nprompt = \"grade\"",
    );
    let ran = lab.cmd(&["call", "--stage", "judge.grades"]).exit(4);
    snapshot!("not-yet-written", ran.err);
    assert_eq!(server.count(), 0);
}
