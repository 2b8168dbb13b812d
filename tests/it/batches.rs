//! Stages whose calls are handed in as batches, as a whole run of the command against a server.

use crate::chat::{ChatServer, Fault, Faults};
use crate::lab::{Lab, Ran};

/// Twelve documents, judged by a model on a server, of one dialect or the other.
fn lab(server: &ChatServer, provider: &str) -> Lab {
    let spec = format!(
        r#"
[models.served]
provider = "{provider}"
base-url = "{}"
batch-poll = 0.01
input-price = 1000
output-price = 1000

[source.docs]
files = "docs.csv"

[judge.grades]
from = "docs"
model = "served"
prompt = "grade"
batch = true

[stats.scores]
from = "grades"

[table.scores]
from = "scores"
rows = ["metric"]
"#,
        server.url()
    );
    let rows: Vec<String> = (0..12)
        .map(|n| format!("d{n},The ferry left at {n}."))
        .collect();
    let documents = format!("doc_id,text\n{}\n", rows.join("\n"));
    Lab::new()
        .spec(&spec)
        .file("docs.csv", documents)
        .template("grade", "Grade {{ metrics }}: {{ text }}")
}

fn table(lab: &Lab) -> String {
    lab.read("reports/experiment/scores.csv")
}

/// The table of the same calls made one by one.
fn live(provider: &str) -> String {
    let server = ChatServer::start();
    let lab = lab(&server, provider);
    lab.change("batch = true", "batch = false");
    lab.run(&["--json"]).ok();
    assert_eq!(server.count(), 12);
    table(&lab)
}

fn unscored(ran: &Ran) -> u64 {
    let reasons = ran.summary()["counts"]["unscored"].as_object().unwrap();
    reasons.values().filter_map(serde_json::Value::as_u64).sum()
}

#[test]
fn a_batch_gives_the_table_of_live_calls_and_makes_none_at_half_the_price() {
    for provider in ["openai", "anthropic"] {
        let server = ChatServer::setup().polls(2).start();
        let lab = lab(&server, provider);
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(table(&lab), live(provider), "{provider}");
        assert_eq!(server.count(), 0, "{provider}: live calls");
        assert_eq!(server.batches().created, 1, "{provider}");
        let summary = ran.summary();
        let tokens =
            summary["tokens_read"].as_f64().unwrap() + summary["tokens_written"].as_f64().unwrap();
        let cost = summary["cost"].as_f64().unwrap();
        assert!(
            (cost - tokens / 1000.0 / 2.0).abs() < 1e-9,
            "{provider}: {cost}"
        );
        lab.again().ok();
        assert_eq!(
            server.batches().created,
            1,
            "{provider}: nothing is asked again"
        );
    }
}

#[test]
fn what_fails_in_a_batch_is_not_made_live_and_is_handed_in_again_by_the_next_run() {
    for provider in ["openai", "anthropic"] {
        let server = ChatServer::setup()
            .in_batches(
                Faults::none()
                    .share(0.4, [Fault::ServerError, Fault::Hang])
                    .at_most(1),
            )
            .start();
        let lab = lab(&server, provider);
        let ran = lab.run(&["--json"]).exit(4);
        let missing = unscored(&ran);
        assert!(missing > 0, "{provider}: some fail the first time");
        assert_eq!(server.count(), 0);
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(unscored(&ran), 0, "{provider}");
        assert_eq!(table(&lab), live(provider), "{provider}");
        assert_eq!(server.count(), 0);
    }
}

#[test]
fn a_run_that_is_killed_finds_its_batch_again() {
    for provider in ["openai", "anthropic"] {
        let server = ChatServer::setup().polls(1_000_000).start();
        let lab = lab(&server, provider);
        let mut child = lab
            .command(&["run", "--json"])
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while server.batches().polls == 0 {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(server.batches().created, 1);
        server.finish_batches();
        let ran = lab.run(&["--json"]).ok();
        let told: Vec<_> = ran
            .events("batch")
            .iter()
            .filter_map(|event| event["what"].as_str().map(str::to_owned))
            .collect();
        assert!(
            told.iter()
                .any(|what| what.contains("was submitted before")),
            "{provider}: {told:?}"
        );
        assert_eq!(server.batches().created, 1, "{provider}: paid for once");
        assert_eq!(table(&lab), live(provider));
    }
}

#[test]
fn a_reply_that_is_cut_off_is_asked_for_again_in_another_batch() {
    let server = ChatServer::setup()
        .in_batches(Faults::none().first(1, Fault::Cut).at_most(1))
        .start();
    let lab = lab(&server, "openai");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(server.batches().created, 2);
    assert_eq!(server.count(), 0);
    let summary = ran.summary();
    let calls = (&summary["calls_made"], &summary["calls_reused"]);
    assert_eq!(calls, (&24.into(), &0.into()), "{summary}");
    assert_eq!(table(&lab), live("openai"));
}

#[test]
fn no_more_is_handed_in_than_the_limits_of_the_run_allow() {
    let server = ChatServer::start();
    let lab = lab(&server, "openai");
    let ran = lab.run(&["--max-calls", "5"]).exit(6);
    assert!(
        ran.err.contains("`--max-calls 5` is reached"),
        "{}",
        ran.err
    );
    assert_eq!(server.batches().prompts.len(), 5);
    lab.run(&["--json"]).ok();
    assert_eq!(server.batches().prompts.len(), 12);
    assert_eq!(table(&lab), live("openai"));
}

#[test]
fn a_wrong_key_stops_before_anything_is_handed_in() {
    let server = ChatServer::setup()
        .around_batches(Faults::none().every(1, Fault::BadKey))
        .start();
    let lab = lab(&server, "openai");
    lab.change("batch-poll", "api-key-env = \"MY_KEY\"\nbatch-poll");
    let ran = lab.env("MY_KEY", "sk-planted-0123456789").run(&[]).exit(4);
    assert!(
        ran.err.contains("MY_KEY") || ran.err.contains("401"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("planted"), "{}", ran.err);
}
