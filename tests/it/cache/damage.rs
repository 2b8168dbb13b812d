//! One altered byte anywhere: never a wrong value, at most a reported miss, repaired by storing again.

use std::path::{Path, PathBuf};

use tribunal::base::key::Digest;
use tribunal::cache::{CallStore, Flaw, NodeStore};

use super::{commit, entry_of, noise};

fn keys() -> [Digest; 3] {
    ["first", "second", "third"].map(Digest::of)
}

/// 40 bytes as they are, 900 well compressed, none.
fn value(key: &Digest) -> Vec<u8> {
    match keys().iter().position(|other| other == key) {
        Some(0) => b"{\"score\": 3, \"reason\": \"consistent\"}   \n".to_vec(),
        Some(1) => key.to_string().repeat(15).into_bytes(),
        _ => Vec::new(),
    }
}

/// A cache with three calls in one segment, and the segment's bytes.
fn segment(root: &Path) -> (PathBuf, Vec<u8>) {
    let store = CallStore::open(root).unwrap();
    for key in keys() {
        store.put(&key, &value(&key), 5).unwrap();
    }
    drop(store);
    let path = root.join("v1/calls/00.seg");
    let bytes = fs_err::read(&path).unwrap();
    (path, bytes)
}

/// How many of the three can be read; all that can be are right.
fn readable(store: &CallStore) -> usize {
    let right = |key: &Digest| match store.get(key).unwrap() {
        Some(found) => {
            assert_eq!(found, value(key));
            true
        }
        None => false,
    };
    keys().iter().filter(|key| right(key)).count()
}

#[test]
fn a_flipped_byte_of_a_segment_costs_one_record_and_is_reported() {
    let root = tempfile::tempdir().unwrap();
    let (path, bytes) = segment(root.path());
    for at in 0..bytes.len() {
        for flip in [1 << (at % 8), 0xff] {
            let mut altered = bytes.clone();
            altered[at] ^= flip;
            fs_err::write(&path, &altered).unwrap();
            let store = CallStore::open(root.path()).unwrap();
            assert_eq!(readable(&store), 2, "byte {at}");
            assert_eq!(store.take_damages().len(), 1, "byte {at}");
            store.refresh().unwrap();
            assert_eq!(readable(&store), 2, "byte {at}");
            assert_eq!(store.take_damages(), [], "byte {at} was reported twice");
            for key in keys() {
                store.put(&key, &value(&key), 6).unwrap();
            }
            assert_eq!(readable(&store), 3, "byte {at}");
            drop(store);
            assert_eq!(
                readable(&CallStore::open(root.path()).unwrap()),
                3,
                "byte {at}"
            );
        }
    }
}

#[test]
fn a_segment_cut_anywhere_keeps_its_complete_records_and_takes_new_ones() {
    let root = tempfile::tempdir().unwrap();
    let (path, bytes) = segment(root.path());
    let mut last = 0;
    for length in 0..=bytes.len() {
        fs_err::write(&path, &bytes[..length]).unwrap();
        let store = CallStore::open(root.path()).unwrap();
        let now = readable(&store);
        assert!(now == last || now == last + 1, "cut at {length}");
        last = now;
        assert_eq!(store.take_damages(), [], "a torn tail is no damage");
        for key in keys() {
            store.put(&key, &value(&key), 5).unwrap();
        }
        drop(store);
        assert_eq!(fs_err::read(&path).unwrap(), bytes, "cut at {length}");
    }
    assert_eq!(last, 3);
}

#[test]
fn bytes_pushed_in_or_taken_out_cost_the_records_they_touch() {
    let root = tempfile::tempdir().unwrap();
    let (path, bytes) = segment(root.path());
    for at in (0..bytes.len()).step_by(7) {
        let pushed = [&bytes[..at], &[0; 300], &bytes[at..]].concat();
        let taken = [&bytes[..at], bytes.get(at + 5..).unwrap_or_default()].concat();
        for altered in [pushed, taken] {
            fs_err::write(&path, &altered).unwrap();
            let store = CallStore::open(root.path()).unwrap();
            assert!(readable(&store) >= 1, "at {at}");
        }
    }
}

#[test]
fn zeros_at_the_end_are_a_torn_tail() {
    let root = tempfile::tempdir().unwrap();
    let (path, bytes) = segment(root.path());
    fs_err::write(&path, [bytes.clone(), vec![0; 200_000]].concat()).unwrap();
    let store = CallStore::open(root.path()).unwrap();
    assert_eq!(readable(&store), 3);
    let fourth = Digest::of("fourth");
    store.put(&fourth, b"4", 0).unwrap();
    assert_eq!(store.take_damages(), []);
    assert!(fs_err::metadata(&path).unwrap().len() < bytes.len() as u64 + 100);
}

#[test]
fn a_flipped_byte_of_an_entry_is_a_reported_miss_until_the_next_commit() {
    let root = tempfile::tempdir().unwrap();
    let store = NodeStore::open(root.path()).unwrap();
    let key = Digest::of("node");
    commit(&store, &key);
    let name = key.to_string();
    let path = root
        .path()
        .join(format!("v1/nodes/{}/{name}.json", &name[..2]));
    let bytes = fs_err::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[at] ^= 1 << (at % 8);
        for wrong in [&altered[..], &bytes[..at]] {
            fs_err::write(&path, wrong).unwrap();
            let Err(damage) = store.entry(&key) else {
                panic!("byte {at} went unnoticed");
            };
            assert_eq!((damage.path, damage.flaw), (path.clone(), Flaw::Altered));
            assert_eq!(store.entry(&key), Ok(None), "moved aside");
        }
    }
    commit(&store, &key);
    assert_eq!(store.entry(&key), Ok(Some(entry_of(&key).0)));
}

#[test]
fn a_flipped_byte_of_a_blob_is_a_reported_miss_until_the_next_commit() {
    let root = tempfile::tempdir().unwrap();
    let store = NodeStore::open(root.path()).unwrap();
    let key = Digest::of("node");
    commit(&store, &key);
    let (entry, bytes) = entry_of(&key);
    let name = entry.output.to_string();
    let path = root.path().join(format!("v1/blobs/{}/{name}", &name[..2]));
    for at in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[at] ^= 1 << (at % 8);
        for wrong in [&altered[..], &bytes[..at]] {
            fs_err::write(&path, wrong).unwrap();
            assert_eq!(store.load(&entry.output).unwrap_err().flaw, Flaw::Altered);
            assert_eq!(store.check(&entry.output).unwrap_err().flaw, Flaw::Missing);
        }
    }
    commit(&store, &key);
    assert_eq!(store.load(&entry.output), Ok(bytes.clone()));
    // Altered, but not looked at before the commit: repaired all the same.
    fs_err::write(&path, b"x").unwrap();
    commit(&store, &key);
    assert_eq!(store.load(&entry.output), Ok(bytes));
}

#[test]
fn an_entry_under_another_name_is_not_believed() {
    let root = tempfile::tempdir().unwrap();
    let store = NodeStore::open(root.path()).unwrap();
    let (one, two) = (Digest::of("one"), Digest::of("two"));
    commit(&store, &one);
    let path = |key: &Digest| {
        let name = key.to_string();
        root.path()
            .join(format!("v1/nodes/{}/{name}.json", &name[..2]))
    };
    fs_err::create_dir_all(path(&two).parent().unwrap()).unwrap();
    fs_err::copy(path(&one), path(&two)).unwrap();
    assert!(store.entry(&two).is_err());
}

#[test]
fn a_segment_replaced_under_an_open_store_is_never_cut_short() {
    let root = tempfile::tempdir().unwrap();
    let (path, bytes) = segment(root.path());
    let store = CallStore::open(root.path()).unwrap();
    assert_eq!(readable(&store), 3);
    // Somebody deletes the file, and another process starts a longer one under the same name.
    fs_err::remove_file(&path).unwrap();
    let other = tempfile::tempdir().unwrap();
    let key = Digest::of("long");
    let long = CallStore::open(other.path()).unwrap();
    long.put(&key, &noise(&key, 4_000), 0).unwrap();
    drop(long);
    fs_err::copy(other.path().join("v1/calls/00.seg"), &path).unwrap();
    assert!(fs_err::metadata(&path).unwrap().len() > bytes.len() as u64);
    let fourth = Digest::of("fourth");
    store.put(&fourth, b"4", 0).unwrap();
    drop(store);
    let store = CallStore::open(root.path()).unwrap();
    assert_eq!(store.get(&key).unwrap(), Some(noise(&key, 4_000)));
    assert_eq!(store.get(&fourth).unwrap().unwrap(), b"4");
}
