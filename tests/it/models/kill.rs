//! kill -9 again and again during a long run: no reply that was stored is asked for again, none is lost
//! but those on their way, and the tables come out byte for byte as if nothing had happened.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

use super::{lab, undisturbed};
use crate::chat::ChatServer;
use crate::lab::Lab;
use crate::server::{Gate, PATIENCE};

const TEXTS: usize = 2_000;

/// Kills.
const ROUNDS: usize = 50;

/// Replies that the server gives in each round; it keeps all further ones to itself.
const REPLIES: usize = 38;

/// Calls under way at once.
const AT_ONCE: usize = 8;

/// When a run is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    /// As soon as the server has handed its last reply to the operating system.
    Replied,
    /// As soon as the run has told of the last reply.
    Told,
}

/// A run under way, and what it tells.
struct Running {
    child: Child,
    told: Receiver<()>,
    reader: JoinHandle<()>,
}

impl Running {
    fn start(lab: &Lab, server: &ChatServer) -> Self {
        let url = format!("models.judge.base-url={}", server.url());
        let mut command = lab.command(&["run", "--json", "--set", &url]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, told) = channel();
        let reader = std::thread::spawn(move || {
            // The last line may be torn: that is no message.
            for line in lines.map_while(Result::ok) {
                let asked = line.contains("\"answered\"") && line.contains("\"asked\":true");
                if asked && line.ends_with('}') {
                    sender.send(()).unwrap();
                }
            }
        });
        Self {
            child,
            told,
            reader,
        }
    }

    /// Kills it at that moment; how many replies it had told of.
    fn kill(mut self, server: &ChatServer, moment: Moment) -> usize {
        server.wait_for_replies(REPLIES);
        let mut told = 0;
        if moment == Moment::Told {
            for _ in 0..REPLIES {
                self.told.recv_timeout(PATIENCE).unwrap();
                told += 1;
            }
        }
        self.child.kill().unwrap();
        assert!(!self.child.wait().unwrap().success());
        self.reader.join().unwrap();
        told + self.told.try_iter().count()
    }
}

/// Prompts by the digest that servers know them by.
fn answered(server: &ChatServer) -> BTreeSet<String> {
    let answered = server.answered();
    assert!(answered.values().all(|times| *times == 1), "{answered:?}");
    answered.into_keys().collect()
}

#[test]
fn fifty_kills_lose_no_stored_reply_and_change_no_table() {
    let tables = undisturbed("openai", TEXTS);
    let lab = lab("openai", "http://127.0.0.1:9/v1", TEXTS);
    lab.change("retries = 3", &format!("concurrency = {AT_ONCE}"));
    // What was answered in which round, and how much of that the run had told of before its end.
    let mut rounds: Vec<(BTreeSet<String>, usize)> = Vec::new();
    let mut under_way = 0;
    for round in 0..ROUNDS {
        let moment = [Moment::Replied, Moment::Told][round % 2];
        let gate = Gate::default();
        let server = ChatServer::setup().hold_after(REPLIES, &gate).start();
        let told = Running::start(&lab, &server).kill(&server, moment);
        let replied = answered(&server);
        assert_eq!(replied.len(), REPLIES, "round {round}");
        under_way += server.count() - REPLIES;
        assert!(server.count() <= REPLIES + AT_ONCE, "round {round}");
        rounds.push((replied, told));
        gate.open();
    }
    let server = ChatServer::start();
    let url = format!("models.judge.base-url={}", server.url());
    let last = lab.run(&["--json", "--set", &url]).ok();
    assert_eq!(last.tables, tables);
    rounds.push((answered(&server), server.count()));
    for (round, (replied, told)) in rounds.iter().enumerate() {
        let later = rounds[round + 1..].iter();
        let again: BTreeSet<_> = later.flat_map(|(later, _)| replied & later).collect();
        // A reply that was told of is stored. One that was not may have been on its way here, or to the disk,
        // until when its call is under way.
        let on_its_way = replied.len() - told;
        assert!(
            again.len() <= on_its_way,
            "round {round}: {} again",
            again.len()
        );
        assert!(again.len() <= AT_ONCE, "round {round}: {}", again.len());
        if round % 2 == 1 {
            assert_eq!(again.len(), 0, "round {round}");
        }
    }
    let known: BTreeSet<&String> = rounds.iter().flat_map(|(replied, _)| replied).collect();
    assert_eq!(known.len(), TEXTS);
    assert!(under_way > 0);
}
