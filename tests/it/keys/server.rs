//! The fields of models on servers: what changes what is said or what is made of it is in keys, how and
//! where it is said is not.

use super::{each, runs};
use crate::chat::ChatServer;
use crate::lab::{Lab, SPEC};
use crate::models::{lab, without_tokenizer};

/// All that the replies reach.
const ALL: [&str; 4] = [
    "export.grades",
    "judge.grades",
    "stats.scores",
    "table.scores",
];

/// All that reads the judge's rows: they name other calls, which were answered as before.
const SAME_SCORES: [&str; 3] = ["export.grades", "judge.grades", "stats.scores"];

/// Only the judge: its table comes out as it was.
const SAME: [&str; 1] = ["judge.grades"];

const TEXTS: usize = 2;

/// A project after its first run.
fn known(server: &ChatServer) -> Lab {
    let lab = lab("openai", &server.url(), TEXTS);
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(server.count(), TEXTS);
    assert_eq!(ran.stages().len(), 5);
    lab
}

/// Adds a line to the model; `why` names it, these stages run, and so many calls are made.
#[track_caller]
fn changes(line: &str, why: &str, stages: &[&str], calls: usize) {
    let server = ChatServer::start();
    let lab = known(&server);
    let to = format!("retries = 3\n{line}");
    let why = format!("parameters.model.{why}");
    each(&lab, &[("retries = 3", &to, &why, stages)]);
    assert_eq!(server.count(), TEXTS + calls, "{line}");
}

#[test]
fn whether_and_how_a_model_thinks_invalidates() {
    changes(
        "thinking = { on = true, by = \"template\" }",
        "thinking",
        &ALL,
        TEXTS,
    );
}

#[test]
fn further_fields_invalidate() {
    changes("extra = { min_p = 0.1 }", "extra", &ALL, TEXTS);
}

#[test]
fn log_probabilities_invalidate() {
    changes(
        "logprobs = 2",
        "sampling.logprobs: nothing → 2",
        &ALL,
        TEXTS,
    );
}

#[test]
fn the_longest_reply_invalidates() {
    let server = ChatServer::start();
    let lab = known(&server);
    let why = "parameters.model.sampling.max_tokens: 100 → 200";
    let change = (
        "max-tokens = 100",
        "max-tokens = 200",
        why,
        &SAME_SCORES[..],
    );
    each(&lab, &[change]);
    assert_eq!(server.count(), 2 * TEXTS);
}

#[test]
fn the_context_invalidates_and_asks_nothing() {
    changes("context = 9000", "context: nothing → 9000", &SAME, 0);
}

#[test]
fn the_tokenizer_invalidates_and_asks_nothing() {
    let server = ChatServer::start();
    let lab = known(&server);
    let (from, to) = ("tokenizer.json\"", "o200k_base\"");
    each(&lab, &[(from, to, "parameters.model.tokenizer", &SAME)]);
    without_tokenizer(&lab);
    runs(&lab, "parameters.model.tokenizer", &SAME);
    assert_eq!(server.count(), TEXTS);
}

#[test]
fn a_byte_of_the_tokenizers_file_invalidates() {
    let server = ChatServer::start();
    let lab = known(&server);
    lab.edit("tokenizer.json", "\"[UNK]\": 0", "\"[UNK]\": 1");
    runs(&lab, "files.", &SAME);
    assert_eq!(server.count(), TEXTS);
}

#[test]
fn another_dialect_invalidates() {
    let server = ChatServer::start();
    let lab = known(&server);
    lab.change("provider = \"openai\"", "provider = \"anthropic\"");
    runs(&lab, "parameters.model.provider", &SAME_SCORES);
    assert_eq!(server.count(), 2 * TEXTS);
}

#[test]
fn what_replies_are_held_to_invalidates() {
    let server = ChatServer::start();
    let lab = known(&server);
    let parse = "prompt = \"grade\"\nmax-unscored = 1\nparse = \"json\"";
    lab.change("prompt = \"grade\"", parse);
    lab.run(&["--json"]).ok();
    assert_eq!(server.count(), TEXTS);
    let spec = lab.read(SPEC);
    for (n, form) in ["scores", "explained", "issues"].into_iter().enumerate() {
        lab.write(SPEC, &spec);
        lab.change(parse, &format!("{parse}\nstructured = \"{form}\""));
        let why = format!("parameters.structured: nothing → \"{form}\"");
        runs(&lab, &why, &ALL);
        assert_eq!(server.count(), (n + 2) * TEXTS);
        lab.write(SPEC, &spec);
        lab.run(&["--json"]).ok();
    }
}

#[test]
fn where_and_how_a_server_is_asked_does_not_invalidate() {
    let server = ChatServer::start();
    let lab = known(&server);
    let spec = lab.read(SPEC);
    let url = format!("base-url = \"{}\"", server.url());
    for (from, to) in [
        (url.as_str(), "base-url = \"http://127.0.0.1:9/v1\""),
        (
            url.as_str(),
            "base-url = [\"http://127.0.0.1:9/v1\", \"http://127.0.0.1:8/v1\"]",
        ),
        ("retries = 3", "retries = 0"),
        ("retries = 3", "api-key-env = \"NO_SUCH_KEY\""),
        ("retries = 3", "reported = [\"another\"]"),
        ("retries = 3", "concurrency = 1"),
        ("retries = 3", "requests-per-minute = 1"),
        ("retries = 3", "tokens-per-minute = 1"),
        ("timeout = 5", "timeout = 0.5"),
        (
            "retries = 3",
            "input-price = 1\noutput-price = 2\nbatch-price = 0.1",
        ),
        ("prompt = \"grade\"", "prompt = \"grade\"\nbatch = true"),
    ] {
        lab.change(from, to);
        assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0], "{to}");
        lab.write(SPEC, &spec);
    }
    assert_eq!(server.count(), TEXTS);
}
