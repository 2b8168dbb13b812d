//! What other processes do in these tests: this binary, started again with one of these "tests".

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use tribunal::base::key::Digest;
use tribunal::cache::{CacheError, CallStore, KeyLocks, NodeStore, Policy, Sweep};

use super::{commit, entry_of, noise, value_of};

const ROOT: &str = "TRIBUNAL_TEST_ROOT";
const TAG: &str = "TRIBUNAL_TEST_TAG";
const COUNT: &str = "TRIBUNAL_TEST_COUNT";

/// The arguments that make this binary play `role`.
pub(crate) fn arguments(role: &str) -> [String; 4] {
    let name = format!("cache::child::{role}");
    ["--ignored", "--exact", "--nocapture", &name].map(str::to_owned)
}

/// A command that plays `role` on the cache at `root`; `tag` makes its keys its own.
pub(crate) fn command(role: &str, root: &std::path::Path, tag: &str, count: u32) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments(role));
    environment(&mut command, root, tag, count);
    command
}

/// Tells a child where and how much.
pub(crate) fn environment(command: &mut Command, root: &std::path::Path, tag: &str, count: u32) {
    command
        .env(ROOT, root)
        .env(TAG, tag)
        .env(COUNT, count.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
}

/// What a child said, complete lines only: pairs of a word and the rest.
pub(crate) fn said(output: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(output);
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    complete
        .lines()
        .filter_map(|line| line.strip_prefix("child: ")?.split_once(' '))
        .map(|(word, rest)| (word.to_owned(), rest.to_owned()))
        .collect()
}

/// Starts the child, kills it `after` it has begun to speak, and returns all that it said.
pub(crate) fn kill(mut command: Command, after: Duration) -> Vec<(String, String)> {
    let mut process = command.spawn().unwrap();
    let mut pipe = BufReader::new(process.stdout.take().unwrap());
    let mut output = Vec::new();
    while said(&output).is_empty() {
        let read = pipe.read_until(b'\n', &mut output).unwrap();
        assert!(read > 0, "the child ended before it began");
    }
    std::thread::sleep(after);
    process.kill().unwrap();
    pipe.read_to_end(&mut output).unwrap();
    process.wait().unwrap();
    said(&output)
}

fn say(text: &str) {
    // One write per line, straight to the pipe, so that a kill can't mix or delay lines.
    let mut out = std::io::stdout().lock();
    out.write_all(format!("\nchild: {text}\n").as_bytes())
        .and_then(|()| out.flush())
        .unwrap();
}

fn order() -> Option<(PathBuf, String, u32)> {
    let root = std::env::var_os(ROOT)?;
    let count = std::env::var(COUNT).ok()?.parse().ok()?;
    Some((root.into(), std::env::var(TAG).ok()?, count))
}

#[test]
#[ignore = "started by other tests as a child process"]
fn puts_calls_and_nodes() {
    let Some((root, tag, count)) = order() else {
        return;
    };
    let calls = CallStore::open(&root).unwrap();
    let nodes = NodeStore::open(&root).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let (calls, nodes, tag) = (&calls, &nodes, &tag);
            scope.spawn(move || {
                for number in 0..count {
                    let key = Digest::of(format!("{tag} {thread} {number}"));
                    if thread == 5 {
                        commit(nodes, &key);
                        say(&format!("node {key}"));
                    } else {
                        calls.put(&key, &value_of(&key), u64::from(number)).unwrap();
                        say(&format!("call {key}"));
                    }
                }
            });
        }
    });
}

#[test]
#[ignore = "started by other tests as a child process"]
fn enters_alone() {
    let Some((root, tag, count)) = order() else {
        return;
    };
    let locks = KeyLocks::open(&root).unwrap();
    let key = Digest::of("the one key");
    let marker = root.join("inside");
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..count {
                    let guard = locks.lock(&key, &|| false).unwrap();
                    let alone = fs_err::OpenOptions::new()
                        .write(true)
                        .create_new(true)
                        .open(&marker);
                    say(&format!(
                        "{} {tag}",
                        if alone.is_ok() { "in" } else { "clash" }
                    ));
                    std::thread::yield_now();
                    let _ = fs_err::remove_file(&marker);
                    drop(guard);
                }
            });
        }
    });
    assert!(locks.take_warning().is_none());
}

#[test]
#[ignore = "started by other tests as a child process"]
fn holds_a_lock_until_killed() {
    let Some((root, tag, _)) = order() else {
        return;
    };
    let locks = KeyLocks::open(&root).unwrap();
    let _guard = locks.lock(&Digest::of(&tag), &|| false).unwrap();
    say("held yes");
    std::thread::sleep(Duration::from_mins(1));
}

#[test]
#[ignore = "started by other tests as a child process"]
fn fills_the_disk() {
    let Some((root, tag, _)) = order() else {
        return;
    };
    let root = root.join("full");
    // Released later, to see the store recover; a limit on the size of files leaves it no room at all.
    let ballast = root.join("ballast");
    let calls = CallStore::open(&root).unwrap();
    let nodes = NodeStore::open(&root).unwrap();
    fs_err::write(&ballast, vec![1; 30_000]).unwrap();
    let mut stored = Vec::new();
    let error = (0..)
        .map(|number| Digest::of(format!("{tag} {number}")))
        .find_map(|key| {
            let result = calls.put(&key, &noise(&key, 3_000), 0);
            match result {
                Ok(()) => stored.push(key),
                Err(error) => return Some(error),
            }
            None
        });
    let error = error.unwrap();
    assert!(matches!(error, CacheError::Full { .. }), "{error:?}");
    assert!(error.to_string().contains(".seg`"), "{error}");
    let key = Digest::of("a node");
    let (_, bytes) = entry_of(&key);
    let bytes = [bytes, noise(&key, 100_000)].concat();
    let entry = tribunal::cache::Entry::new(key, 1.into(), &bytes, 1, 1.into());
    let claim = nodes.claim(&key, &|| false).unwrap();
    let error = claim.commit(&entry, &bytes).unwrap_err();
    assert!(matches!(error, CacheError::Full { .. }), "{error:?}");
    assert_eq!(nodes.entry(&key), Ok(None));
    say("full yes");
    fs_err::remove_file(&ballast).unwrap();
    let late = Digest::of("after room was made");
    if calls.put(&late, b"late", 0).is_ok() {
        stored.push(late);
        say("recovered yes");
    }
    drop(calls);
    let calls = CallStore::open(&root).unwrap();
    for key in &stored {
        let value = calls.get(key).unwrap().unwrap();
        assert!(*key == late || value == noise(key, 3_000));
    }
    assert_eq!(calls.take_damages(), []);
    assert_eq!(calls.count().unwrap(), stored.len());
    say(&format!("intact {}", stored.len()));
}

#[test]
#[ignore = "started by other tests as a child process"]
fn sweeps_until_killed() {
    let Some((root, _, count)) = order() else {
        return;
    };
    let keep: BTreeSet<Digest> = (0..count)
        .map(|number| Digest::of(number.to_le_bytes()))
        .collect();
    let policy = Policy {
        keep_nodes: Some(keep.clone()),
        keep_calls: Some(keep),
        ..Policy::default()
    };
    say("begins now");
    let sweep = Sweep::begin(&root).unwrap();
    let survey = sweep.survey().unwrap();
    sweep.apply(&survey, &survey.choose(&policy)).unwrap();
    say("swept yes");
}

#[test]
#[ignore = "started by other tests as a child process"]
fn reads_a_cache_that_can_not_be_written() {
    let Some((root, tag, _)) = order() else {
        return;
    };
    let root = root.join("full");
    let key = Digest::of(&tag);
    let nodes = NodeStore::open(&root).unwrap();
    let (entry, bytes) = entry_of(&key);
    assert_eq!(nodes.entry(&key), Ok(Some(entry.clone())));
    assert_eq!(nodes.load(&entry.output), Ok(bytes));
    let calls = CallStore::open(&root).unwrap();
    assert_eq!(calls.get(&key).unwrap(), Some(value_of(&key)));
    let refused = calls.put(&Digest::of("other"), b"x", 0).unwrap_err();
    assert!(matches!(refused, CacheError::Io { .. }), "{refused:?}");
    say("read yes");
}
