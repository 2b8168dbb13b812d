//! Whatever was acknowledged survives kill -9, and nothing half-written is taken for a result.

use std::time::Duration;

use tribunal::base::key::Digest;
use tribunal::cache::{CallStore, NodeStore, Sweep};

use super::{Dice, child, entry_of, value_of};

const KILLS: u64 = 60;

#[test]
fn every_acknowledged_put_survives_sixty_kills() {
    let root = tempfile::tempdir().unwrap();
    let mut dice = Dice(0x5eed);
    let (mut calls, mut nodes) = (Vec::new(), Vec::new());
    // A second reader stays open all the time and sees segments being torn, mended and continued.
    let watcher = CallStore::open(root.path()).unwrap();
    for round in 0..KILLS {
        let tag = format!("round {round}");
        let command = child::command("puts_calls_and_nodes", root.path(), &tag, u32::MAX);
        let pause = Duration::from_micros(dice.roll(50_000));
        let said = std::thread::scope(|scope| {
            let killed = scope.spawn(|| child::kill(command, pause));
            while !killed.is_finished() {
                watcher.refresh().unwrap();
            }
            killed.join().unwrap()
        });
        for (word, key) in said {
            let key: Digest = key.parse().unwrap();
            match word.as_str() {
                "call" => calls.push(key),
                _ => nodes.push(key),
            }
        }
        if round % 10 == 9 {
            check(root.path(), &calls, &nodes);
        }
    }
    watcher.refresh().unwrap();
    for key in &calls {
        assert_eq!(watcher.get(key).unwrap(), Some(value_of(key)));
    }
    assert_eq!(watcher.take_damages(), []);
    drop(watcher);
    assert!(
        calls.len() > 100 && nodes.len() > 10,
        "the children hardly ran"
    );
    let sweep = Sweep::begin(root.path()).unwrap();
    let survey = sweep.survey().unwrap();
    drop(sweep);
    let store = NodeStore::open(root.path()).unwrap();
    for node in &survey.nodes {
        assert_eq!(store.load(&node.output), Ok(value_of(&node.key)));
    }
    let store = CallStore::open(root.path()).unwrap();
    for call in &survey.calls {
        assert_eq!(store.get(&call.key).unwrap(), Some(value_of(&call.key)));
    }
    assert_eq!(store.take_damages(), []);
}

fn check(root: &std::path::Path, calls: &[Digest], nodes: &[Digest]) {
    let store = CallStore::open(root).unwrap();
    for key in calls {
        assert_eq!(store.get(key).unwrap(), Some(value_of(key)));
    }
    assert_eq!(store.take_damages(), []);
    let store = NodeStore::open(root).unwrap();
    for key in nodes {
        let (entry, bytes) = entry_of(key);
        assert_eq!(store.entry(key), Ok(Some(entry.clone())));
        assert_eq!(store.load(&entry.output), Ok(bytes));
    }
}

#[test]
fn two_processes_append_at_once_and_both_see_everything() {
    let root = tempfile::tempdir().unwrap();
    let ours = CallStore::open(root.path()).unwrap();
    let mine = Digest::of("mine");
    ours.put(&mine, &value_of(&mine), 0).unwrap();
    let children = ["a", "b"].map(|tag| {
        child::command("puts_calls_and_nodes", root.path(), tag, 40)
            .spawn()
            .unwrap()
    });
    let mut keys = vec![mine];
    for process in children {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success());
        let said = child::said(&output.stdout);
        let calls = said.iter().filter(|(word, _)| word == "call");
        keys.extend(calls.map(|(_, key)| key.parse::<Digest>().unwrap()));
    }
    assert_eq!(keys.len(), 401);
    assert_eq!(ours.count().unwrap(), 1);
    ours.refresh().unwrap();
    assert_eq!(ours.count().unwrap(), 401);
    for key in &keys {
        assert_eq!(ours.get(key).unwrap(), Some(value_of(key)));
    }
    assert_eq!(ours.take_damages(), []);
}
