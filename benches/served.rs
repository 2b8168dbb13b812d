//! What the binary makes of model servers: asked over the loopback, every reply stored before it is used.
//!
//! Compared with a loop on reqwest that sends the same bodies, as many at a time, and throws the answers away. It is
//! run as a process of its own, as the binary is. The server is a thread of this bench and takes part of the same
//! processors; `SERVED_URL` names another one. Words after `--` choose among `latency`, `throughput`, `memory` and
//! `rates`; without any, all but `rates` are run, which takes six minutes.

mod measure;

#[path = "served/baseline.rs"]
mod baseline;
#[path = "served/lab.rs"]
mod lab;
#[path = "served/rates.rs"]
mod rates;
#[path = "served/server.rs"]
mod server;
#[path = "served/watch.rs"]
mod watch;

use std::time::Duration;

use lab::{Corpus, Lab};
use measure::{report_each, say};
use server::{Manner, Server};

/// Words in a document of 13 KB.
const LONG: usize = 2_400;

fn main() {
    let words = measure::chosen();
    if words.first().is_some_and(|word| word == "baseline") {
        return baseline::run(&words[1..]);
    }
    let chosen = |name: &str| match words.as_slice() {
        [] => name != "rates",
        words => words.iter().any(|word| word == name),
    };
    if chosen("latency") {
        latency();
    }
    if chosen("throughput") {
        let distinct = Corpus::even(20_000, LONG);
        throughput("20,000 documents of 13 KB", &distinct);
        let repeated = Corpus::even(100, LONG).repeated(200);
        throughput("100 documents of 13 KB, 200 times", &repeated);
    }
    if chosen("memory") {
        memory();
    }
    if chosen("rates") {
        rates::measure();
    }
}

/// A thousand calls at a latency that decides how long they take, and the same calls when they are stored.
fn latency() {
    let manner = Manner {
        latency: Duration::from_millis(200),
        ..Manner::default()
    };
    let (server, lab) = (Server::start(manner), Lab::new(&Corpus::even(1_000, LONG)));
    let (mut asked, mut stored, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..3 {
        lab.forget();
        asked.push(server.answers(1_000, || lab.run("first", server.url(), 50, "")));
        stored.push(server.answers(0, || lab.run("second", server.url(), 50, "")));
        bare.push(server.answers(1_000, || lab.baseline(server.url(), 50)));
    }
    let ideal = "4.3 s, where 4.0 s is all latency";
    report_each(
        "1,000 calls at 200 ms, 50 at a time",
        &asked,
        ideal,
        1_000,
        "call",
    );
    report_each("    a bare loop", &bare, "none", 1_000, "call");
    report_each(
        "1,000 calls, stored already",
        &stored,
        "100 ms",
        1_000,
        "call",
    );
}

/// Twenty thousand calls to a server that takes no time.
fn throughput(name: &str, corpus: &Corpus) {
    let lab = Lab::new(corpus);
    let count = corpus.calls();
    let (mut asked, mut stored, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..3 {
        let server = Server::start(Manner::default());
        lab.forget();
        asked.push(server.answers(count, || lab.run("first", server.url(), 64, "")));
        stored.push(server.answers(0, || lab.run("second", server.url(), 64, "")));
        bare.push(server.answers(count, || lab.baseline(server.url(), 64)));
    }
    let aim = "5,000 calls/s, 100 µs CPU per call";
    report_each(
        &format!("{count} calls: {name}"),
        &asked,
        aim,
        count,
        "call",
    );
    report_each("    a bare loop", &bare, "none", count, "call");
    report_each("    stored already", &stored, "none", count, "call");
}

/// Ten times as many calls about the same documents, with replies of 1 KB.
fn memory() {
    for repeats in [100, 1_000] {
        let corpus = Corpus::even(100, 200).repeated(repeats);
        let manner = Manner {
            noise: 1_000,
            ..Manner::default()
        };
        let (server, lab) = (Server::start(manner), Lab::new(&corpus));
        let count = corpus.calls();
        let watched = server.answers(count, || lab.watch("first", server.url(), 64));
        say(&format!(
            "{count} calls about 100 documents: peak {:.0} MB, {:.1} s; resident at ten moments {} MB; aim: not more for more calls",
            watched.peak,
            watched.wall,
            watched.course(10)
        ));
    }
}
