//! Whole runs with judges on servers: what is asked, what is paid for, what comes of faults, limits and
//! kills. The built binary is run against a [`ChatServer`], and what counts is what the server saw.

mod again;
mod budget;
mod call;
mod context;
mod faults;
mod generate;
mod hopeless;
mod kill;
mod outcomes;
mod pieces;
mod places;
mod plan;
mod rates;
mod recorded;
mod requests;
mod saying;
mod secret;
mod thinking;
mod turns;
mod until;

use std::collections::BTreeMap;

use serde_json::Value;

use super::chat::{Call, ChatServer};
use super::lab::{Lab, Ran};

/// Both dialects, as `provider` names them.
pub(crate) const PROVIDERS: [&str; 2] = ["openai", "anthropic"];

/// A judge on a server, a table of its scores, and all its rows.
const SPEC: &str = r#"
title = "A judge on a server"

[models.judge]
provider = "PROVIDER"
base-url = "URL"
max-tokens = 100
tokenizer = "tokenizer.json"
retries = 3
timeout = 5

[source.texts]
files = "texts.csv"

[judge.grades]
from = "texts"
model = "judge"
prompt = "grade"
metrics = ["fluency", "coherence"]

[stats.scores]
from = "grades"

[table.scores]
from = "scores"
rows = ["metric"]

[export.grades]
from = "grades"
format = "csv"
"#;

/// The template; it names the metrics itself.
const GRADE: &str = "Grade fluency and coherence from 1 to 5.\n\n{{ text }}\n";

/// A tokenizer that counts as a [`ChatServer`] does, in words. It is read in no time, unlike those of real
/// models, which take a third of a second in a debug build.
pub(crate) const WORDS: &str = r#"{
    "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
    "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": null, "decoder": null,
    "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}
}"#;

/// A project whose judge is asked at `url` about so many texts.
pub(crate) fn lab(provider: &str, url: &str, texts: usize) -> Lab {
    let spec = SPEC.replace("PROVIDER", provider).replace("URL", url);
    Lab::new()
        .spec(&spec)
        .file("texts.csv", texts_csv(texts))
        .file("tokenizer.json", WORDS)
        .template("grade", GRADE)
}

/// Takes the model's tokenizer away, so that tokens are estimated.
pub(crate) fn without_tokenizer(lab: &Lab) {
    lab.change("tokenizer = \"tokenizer.json\"\n", "");
}

/// So many short texts, each its own.
pub(crate) fn texts_csv(texts: usize) -> String {
    let line = |number: usize| {
        format!(
            "text-{number:04},The ferry number {number} leaves at dawn with eleven sheep. Nobody counts them twice.\n"
        )
    };
    let lines: String = (1..=texts).map(line).collect();
    format!("doc_id,text\n{lines}")
}

/// What a healthy server's answers come to: the tables and the rows.
pub(crate) fn undisturbed(provider: &str, texts: usize) -> BTreeMap<String, String> {
    let server = ChatServer::start();
    let ran = lab(provider, &server.url(), texts).run(&["--json"]).ok();
    assert_eq!(server.count(), texts);
    assert_eq!(ran.summary()["counts"]["scored"], 2 * texts);
    assert!(ran.tables.contains_key("scores.csv") && ran.tables.contains_key("grades.csv"));
    ran.tables
}

/// How many scores were given; needs `--json`.
fn scored(ran: &Ran) -> u64 {
    ran.summary()["counts"]["scored"].as_u64().unwrap()
}

/// How many scores there are not, by reason; needs `--json`.
fn unscored(ran: &Ran) -> BTreeMap<String, u64> {
    serde_json::from_value(ran.summary()["counts"]["unscored"].clone()).unwrap()
}

/// The body of a request, read.
fn body(call: &Call) -> Value {
    serde_json::from_slice(&call.request.body).unwrap()
}

/// The one call that a server got, as its body.
#[track_caller]
fn only_body(server: &ChatServer) -> Value {
    let calls = server.calls();
    assert_eq!(calls.len(), 1, "{calls:?}");
    body(&calls[0])
}

/// What a run that failed says of it; how many calls were under way by then is chance.
fn failure(ran: &Ran) -> String {
    let said = |line: &&str| line.starts_with("failed ") || line.starts_with("hint: ");
    let lines: Vec<&str> = ran.err.lines().filter(said).collect();
    lines.join("\n")
}

/// Compares with a snapshot, without what differs from run to run.
macro_rules! snapshot {
    ($name:expr, $text:expr) => {{
        let mut settings = insta::Settings::clone_current();
        settings.set_omit_expression(true);
        settings.add_filter(r"127\.0\.0\.1:\d+", "[host]");
        settings.add_filter(r"\d+\.\d+ s\b", "[time]");
        settings.add_filter(r" \(os error \d+\)", "");
        settings.add_filter(
            r"and \d+ output tokens; \$0\.\d+",
            "and [n] output tokens; $[cost]",
        );
        settings.add_filter(r#""latency_ms": \d+"#, r#""latency_ms": "[time]""#);
        settings.bind(|| insta::assert_snapshot!($name, $text));
    }};
}
use snapshot;
