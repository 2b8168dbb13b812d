//! Trimming keeps what it must, can be repeated, and waits for nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::json;
use tribunal::base::key::Digest;
use tribunal::cache::{CacheError, CallStore, Cut, Entry, NodeStore, Policy, Sweep, Swept};

use super::{Dice, child, commit, noise, value_of};

fn key(number: u64) -> Digest {
    Digest::of(number.to_le_bytes())
}

/// Nodes 0–5 with results of their own, node 6 sharing a result with node 7; calls 0–19 stored at times 0–19.
fn fill(root: &std::path::Path) {
    let nodes = NodeStore::open(root).unwrap();
    (0..6).for_each(|number| commit(&nodes, &key(number)));
    for number in [6, 7] {
        let entry = Entry::new(key(number), json!(number), b"shared", 1, json!(null));
        let claim = nodes.claim(&key(number), &|| false).unwrap();
        claim.commit(&entry, b"shared").unwrap();
    }
    let calls = CallStore::open(root).unwrap();
    for number in 0..20 {
        let key = key(number);
        calls.put(&key, &noise(&key, 1_000), number).unwrap();
    }
}

fn sweep(root: &std::path::Path, policy: &Policy) -> (Cut, Swept) {
    let sweep = Sweep::begin(root).unwrap();
    let survey = sweep.survey().unwrap();
    let cut = survey.choose(policy);
    let swept = sweep.apply(&survey, &cut).unwrap();
    (cut, swept)
}

#[test]
fn only_reachable_results_stay_and_a_second_sweep_finds_nothing() {
    let root = tempfile::tempdir().unwrap();
    fill(root.path());
    let policy = Policy {
        keep_nodes: Some(BTreeSet::from([key(1), key(7)])),
        keep_calls: Some((10..15).map(key).collect()),
        ..Policy::default()
    };
    let (cut, swept) = sweep(root.path(), &policy);
    assert_eq!((swept.nodes, swept.blobs, swept.calls), (6, 5, 15));
    assert_eq!(swept.bytes, cut.bytes);
    assert_eq!(sweep(root.path(), &policy).1, Swept::default());
    let nodes = NodeStore::open(root.path()).unwrap();
    for number in 0..8 {
        match nodes.entry(&key(number)).unwrap() {
            Some(entry) => assert!(nodes.load(&entry.output).is_ok()),
            None => assert!(number != 1 && number != 7),
        }
    }
    let calls = CallStore::open(root.path()).unwrap();
    for number in 0..20 {
        let there = (10..15).contains(&number);
        let value = there.then(|| noise(&key(number), 1_000));
        assert_eq!(calls.get(&key(number)).unwrap(), value);
    }
    calls.put(&key(3), b"again", 30).unwrap();
    assert_eq!(calls.get(&key(3)).unwrap().unwrap(), b"again");
}

#[test]
fn what_is_older_than_a_moment_goes() {
    let root = tempfile::tempdir().unwrap();
    fill(root.path());
    let before = Some(15);
    let (cut, _) = sweep(
        root.path(),
        &Policy {
            before,
            ..Policy::default()
        },
    );
    assert_eq!(cut.calls, (0..15).map(key).collect());
    assert!(cut.nodes.is_empty(), "nodes were stored today");
}

#[test]
fn results_go_before_calls_and_of_each_the_oldest_until_the_rest_fits() {
    let root = tempfile::tempdir().unwrap();
    fill(root.path());
    let before = Sweep::begin(root.path()).unwrap().survey().unwrap();
    let calls: u64 = before.calls.iter().map(|call| call.bytes).sum();
    let at_most = |bytes| Policy {
        max_bytes: Some(bytes),
        ..Policy::default()
    };
    // One byte too many costs a result, which can be computed again, and no call.
    let (cut, _) = sweep(root.path(), &at_most(before.bytes() - 1));
    assert_eq!((cut.nodes.len(), cut.calls.len()), (1, 0));
    // What only calls can make room for costs every result and the oldest calls.
    let policy = at_most(calls - 5_000);
    let (cut, _) = sweep(root.path(), &policy);
    assert_eq!(cut.nodes.len(), before.nodes.len() - 1);
    assert_eq!(cut.calls, (0..5).map(key).collect());
    assert_eq!(sweep(root.path(), &policy).1, Swept::default());
    sweep(root.path(), &at_most(0));
    let after = Sweep::begin(root.path()).unwrap().survey().unwrap();
    assert_eq!(after, tribunal::cache::Survey::default());
}

#[test]
fn the_default_policy_removes_only_junk() {
    let root = tempfile::tempdir().unwrap();
    fill(root.path());
    let before = Sweep::begin(root.path()).unwrap().survey().unwrap();
    let name = before.nodes[0].output.to_string();
    let blob = root.path().join(format!("v1/blobs/{}/{name}", &name[..2]));
    fs_err::write(blob.with_file_name(".tmp-abc"), b"left by a kill").unwrap();
    fs_err::write(blob.with_extension("damaged"), b"moved aside").unwrap();
    fs_err::create_dir_all(root.path().join("v1/seen")).unwrap();
    fs_err::write(root.path().join("v1/seen/.tmp-abc"), b"left by a kill").unwrap();
    fs_err::write(blob.with_file_name("notes.txt"), b"not ours").unwrap();
    let (cut, swept) = sweep(root.path(), &Policy::default());
    assert_eq!(cut, Cut::default());
    assert_eq!((swept.junk, swept.nodes, swept.calls), (3, 0, 0));
    assert_eq!(Sweep::begin(root.path()).unwrap().survey().unwrap(), before);
    assert!(blob.with_file_name("notes.txt").exists());
}

#[test]
fn an_entry_without_its_bytes_and_bytes_without_an_entry_go() {
    let root = tempfile::tempdir().unwrap();
    fill(root.path());
    let before = Sweep::begin(root.path()).unwrap().survey().unwrap();
    let (lonely, orphan) = (&before.nodes[0], &before.nodes[1]);
    let (blob, entry) = (lonely.output.to_string(), orphan.key.to_string());
    fs_err::remove_file(root.path().join(format!("v1/blobs/{}/{blob}", &blob[..2]))).unwrap();
    fs_err::remove_file(
        root.path()
            .join(format!("v1/nodes/{}/{entry}.json", &entry[..2])),
    )
    .unwrap();
    sweep(root.path(), &Policy::default());
    let after = Sweep::begin(root.path()).unwrap().survey().unwrap();
    let users: BTreeSet<Digest> = after.nodes.iter().map(|node| node.output).collect();
    assert_eq!(users, after.blobs.iter().map(|blob| blob.digest).collect());
    assert_eq!(sweep(root.path(), &Policy::default()).1, Swept::default());
}

#[test]
fn compaction_drops_damaged_and_repeated_records_but_no_other() {
    let root = tempfile::tempdir().unwrap();
    fill(root.path());
    let path = root.path().join("v1/calls/00.seg");
    let mut bytes = fs_err::read(&path).unwrap();
    bytes.extend_from_slice(&bytes.clone());
    bytes[100] ^= 1;
    bytes[1_080 * 3 + 5] ^= 1;
    bytes.extend_from_slice(b"torn");
    fs_err::write(&path, &bytes).unwrap();
    let (_, swept) = sweep(root.path(), &Policy::default());
    assert_eq!(swept.bytes, 20 * 1_080 + 4);
    let calls = CallStore::open(root.path()).unwrap();
    for number in 0..20 {
        let value = noise(&key(number), 1_000);
        assert_eq!(calls.get(&key(number)).unwrap(), Some(value));
    }
    assert_eq!(calls.take_damages(), []);
}

#[test]
fn a_cache_in_use_is_not_trimmed() {
    let root = tempfile::tempdir().unwrap();
    let store = CallStore::open(root.path()).unwrap();
    let refused = Sweep::begin(root.path()).unwrap_err();
    assert!(matches!(refused, CacheError::Busy { .. }));
    assert!(
        refused.to_string().contains("in use by another run"),
        "{refused}"
    );
    drop(store);
    assert!(Sweep::begin(root.path()).is_ok());
}

#[test]
fn the_folder_carries_its_tag_and_the_last_keys() {
    let root = tempfile::tempdir().unwrap();
    let nodes = NodeStore::open(root.path()).unwrap();
    let tag = fs_err::read_to_string(root.path().join("CACHEDIR.TAG")).unwrap();
    assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
    let name = "judge.vanilla[length=2000,model=LI]";
    let latest = |experiment: &str, node: &str| {
        let keys = nodes.load_last(experiment).unwrap();
        keys.get(node).copied()
    };
    assert_eq!(latest("a-12", name), None);
    let keys = BTreeMap::from([(name.to_owned(), key(1)), ("clean.gold".to_owned(), key(2))]);
    nodes.save_last("a-12", keys.clone()).unwrap();
    nodes
        .remember("a-12", BTreeMap::from([(name.to_owned(), key(3))]))
        .unwrap();
    assert_eq!(latest("a-12", name), Some(key(3)));
    assert_eq!(latest("a-12", "clean.gold"), Some(key(2)));
    assert_eq!(latest("other", name), None);
    commit(&nodes, &key(3));
    assert_eq!(nodes.fields_of(&key(3)).unwrap()["kind"], "judge");
    let path = root.path().join("v1/last/a-12.json");
    let mut bytes = fs_err::read(&path).unwrap();
    bytes[30] ^= 1;
    fs_err::write(&path, bytes).unwrap();
    assert!(nodes.load_last("a-12").is_err());
}

#[test]
fn a_sweep_killed_at_any_moment_keeps_what_it_must_and_can_be_repeated() {
    const KEPT: u32 = 40;
    let key = |number: u32| Digest::of(number.to_le_bytes());
    let root = tempfile::tempdir().unwrap();
    let mut dice = Dice(0x9c);
    let (mut killed, mut next) = (0, KEPT);
    for round in 0..40 {
        let nodes = NodeStore::open(root.path()).unwrap();
        let calls = CallStore::open(root.path()).unwrap();
        for number in (0..KEPT).filter(|_| round == 0).chain(next..next + 40) {
            if number % 4 == 0 {
                commit(&nodes, &key(number));
            }
            calls.put(&key(number), &value_of(&key(number)), 0).unwrap();
        }
        next += 40;
        drop((nodes, calls));
        let command = child::command("sweeps_until_killed", root.path(), "", KEPT);
        let said = child::kill(command, Duration::from_micros(dice.roll(8_000)));
        killed += u32::from(said.len() == 1);
        let sweep = Sweep::begin(root.path()).unwrap();
        let found = sweep.survey().unwrap();
        drop(sweep);
        let nodes = NodeStore::open(root.path()).unwrap();
        let calls = CallStore::open(root.path()).unwrap();
        for number in 0..KEPT {
            let value = value_of(&key(number));
            assert_eq!(calls.get(&key(number)).unwrap().as_ref(), Some(&value));
            if number % 4 == 0 {
                assert_eq!(nodes.load(&Digest::of(&value)), Ok(value));
            }
        }
        for node in &found.nodes {
            let entry = nodes.entry(&node.key).unwrap().unwrap();
            assert!(nodes.check(&entry.output).is_ok());
        }
        assert_eq!(calls.take_damages(), []);
    }
    assert!(
        killed > 3,
        "the sweeps were hardly ever interrupted: {killed}"
    );
}
