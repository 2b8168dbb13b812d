//! A reply is paid for once.

use super::{PROVIDERS, lab};
use crate::chat::ChatServer;

const TEXTS: usize = 5;

#[test]
fn a_second_run_sends_no_request_at_all() {
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let lab = lab(provider, &server.url(), TEXTS);
        let first = lab.run(&["--json"]).ok();
        let requests = server.server().requests().len();
        assert_eq!(requests, TEXTS);
        let second = lab.run(&["--json"]).ok();
        assert_eq!((second.nodes(), &second.tables), (vec![], &first.tables));
        // Also when only the replies are left.
        lab.remove("cache/v1/nodes");
        lab.remove("cache/v1/blobs");
        let third = lab.run(&["--json"]).ok();
        assert_eq!(third.summary()["calls_reused"], TEXTS);
        assert_eq!(third.tables, first.tables);
        assert_eq!(server.server().requests().len(), requests);
    }
}

#[test]
fn reading_replies_in_another_way_asks_nothing() {
    let server = ChatServer::start();
    let lab = lab("openai", &server.url(), TEXTS);
    lab.run(&["--json"]).ok();
    lab.change(
        "metrics = [\"fluency\", \"coherence\"]",
        "metrics = [\"fluency\"]\nscale = { min = 1, max = 5, step = 1 }\nmax-unscored = 1",
    );
    let ran = lab.run(&["--json"]).ok();
    assert!(ran.stages().contains(&"judge.grades".to_owned()));
    assert_eq!(ran.summary()["calls_made"], 0);
    assert_eq!(server.count(), TEXTS);
}

#[test]
fn new_statistics_ask_nothing() {
    let server = ChatServer::start();
    let lab = lab("openai", &server.url(), TEXTS);
    lab.run(&["--json"]).ok();
    lab.append(
        "[stats.each]\nfrom = \"grades\"\nby = \"doc_id\"\nover = \"metric\"\n\n[table.each]\nfrom = \"each\"\nrows = [\"doc_id\"]",
    );
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.stages(), ["stats.each", "table.each"]);
    assert_eq!(server.count(), TEXTS);
}

#[test]
fn new_repeats_and_new_texts_ask_only_their_own() {
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let lab = lab(provider, &server.url(), TEXTS);
        lab.run(&["--json"]).ok();
        lab.change("prompt = \"grade\"", "prompt = \"grade\"\nrepeats = 3");
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(ran.summary()["calls_made"], 2 * TEXTS);
        assert_eq!(server.asked().into_values().collect::<Vec<_>>(), [3; TEXTS]);
        lab.write("texts.csv", super::texts_csv(TEXTS + 1));
        lab.run(&["--json"]).ok();
        assert_eq!(server.count(), 3 * TEXTS + 3);
    }
}

#[test]
fn the_same_question_of_two_stages_is_asked_once() {
    let server = ChatServer::start();
    let lab = lab("openai", &server.url(), TEXTS);
    lab.append(
        "[judge.again]\nfrom = \"texts\"\nmodel = \"judge\"\nprompt = \"grade\"\nmetrics = [\"coherence\"]\n\n[stats.twice]\nfrom = \"again\"\n\n[table.twice]\nfrom = \"twice\"\nrows = [\"metric\"]",
    );
    let ran = lab.run(&["--json", "--jobs", "8"]).ok();
    assert_eq!(server.count(), TEXTS);
    assert_eq!(ran.summary()["calls_reused"], TEXTS);
}

#[test]
fn two_runs_at_once_ask_each_question_once() {
    let server = ChatServer::setup()
        .latency(std::time::Duration::from_millis(20))
        .start();
    let lab = lab("anthropic", &server.url(), 40);
    let [one, two] = [(); 2].map(|()| {
        let mut command = lab.command(&["run", "--quiet"]);
        command.stdout(std::process::Stdio::null());
        command.spawn().unwrap()
    });
    for mut child in [one, two] {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(server.count(), 40);
}
