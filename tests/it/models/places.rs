//! A model that is served at several urls.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{PROVIDERS, failure, lab, snapshot, undisturbed};
use crate::chat::ChatServer;
use crate::lab::Lab;

const TEXTS: usize = 60;

/// A project whose model is served at these urls.
fn served_at(provider: &str, urls: &[&str], texts: usize) -> Lab {
    let lab = lab(provider, "URL", texts);
    lab.change("\"URL\"", &format!("{urls:?}"));
    lab
}

/// A url at which nobody listens.
fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/v1", listener.local_addr().unwrap())
}

#[test]
fn several_servers_share_the_load() {
    for provider in PROVIDERS {
        let servers = [(); 3].map(|()| {
            let latency = Duration::from_millis(5);
            ChatServer::setup().latency(latency).start()
        });
        let urls = servers.each_ref().map(ChatServer::url);
        let urls = urls.each_ref().map(String::as_str);
        let ran = served_at(provider, &urls, TEXTS).run(&["--json"]).ok();
        assert_eq!(ran.tables, undisturbed(provider, TEXTS));
        let counts = servers.each_ref().map(ChatServer::count);
        assert_eq!(counts.iter().sum::<usize>(), TEXTS);
        assert!(counts.iter().all(|count| *count >= TEXTS / 6), "{counts:?}");
    }
}

#[test]
fn one_server_that_is_not_there_costs_nothing_but_a_try() {
    let server = ChatServer::start();
    let lab = served_at("openai", &[&nobody(), &server.url()], TEXTS);
    let begun = Instant::now();
    let ran = lab.run(&["--json"]).ok();
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(ran.tables, undisturbed("openai", TEXTS));
    assert_eq!(server.asked().into_values().collect::<Vec<_>>(), [1; TEXTS]);
}

#[test]
fn a_server_that_dies_in_the_middle_changes_nothing() {
    for provider in PROVIDERS {
        let latency = Duration::from_millis(20);
        let [dying, other] = [(); 2].map(|()| ChatServer::setup().latency(latency).start());
        let lab = served_at(provider, &[&dying.url(), &other.url()], TEXTS);
        lab.change("retries = 3", "retries = 3\nconcurrency = 4");
        let mut run = lab.command(&["run", "--quiet"]);
        let mut run = run.stdout(Stdio::null()).spawn().unwrap();
        dying.wait_for(10);
        drop(dying);
        assert!(run.wait().unwrap().success());
        let again = lab.run(&["--json", "--offline"]).ok();
        assert_eq!(again.tables, undisturbed(provider, TEXTS));
        assert_eq!(again.nodes(), [""; 0]);
        assert!(other.count() > TEXTS / 2, "{}", other.count());
    }
}

#[test]
fn when_no_server_can_be_reached_that_is_told_soon() {
    let (one, two) = (nobody(), nobody());
    for (name, urls) in [
        ("no-server", vec![one.as_str()]),
        ("no-servers", vec![one.as_str(), two.as_str()]),
    ] {
        let begun = Instant::now();
        let ran = served_at("openai", &urls, TEXTS).run(&["--quiet"]).exit(4);
        assert!(begun.elapsed() < Duration::from_secs(10));
        snapshot!(name, failure(&ran));
    }
}
