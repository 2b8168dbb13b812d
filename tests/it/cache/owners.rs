//! Segments of processes that cannot rely on locks: each has its own, until it is done.

use std::time::{Duration, SystemTime};

use tribunal::base::key::Digest;
use tribunal::cache::CallStore;

fn key(name: &str) -> Digest {
    Digest::of(name)
}

fn segments(top: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> = fs_err::read_dir(top.join("v1/calls"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "seg"))
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_an_owner_writes_is_read_by_all_and_nobody_appends_to_it_until_it_is_freed() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    let job = CallStore::open_as(top, "array_0.0").unwrap();
    job.put(&key("a"), b"one", 1).unwrap();
    assert_eq!(segments(top), ["00.seg"]);
    let run = CallStore::open(top).unwrap();
    assert_eq!(run.get(&key("a")).unwrap().as_deref(), Some(&b"one"[..]));
    run.put(&key("b"), b"two", 1).unwrap();
    assert_eq!(segments(top), ["00.seg", "01.seg"]);
    job.put(&key("c"), b"three", 1).unwrap();
    run.reopen().unwrap();
    assert_eq!(run.get(&key("c")).unwrap().as_deref(), Some(&b"three"[..]));
    drop(job);
    drop(run);

    // Done, but nobody has said so: it may be that it only looks done from here.
    CallStore::open(top)
        .unwrap()
        .put(&key("d"), b"four", 1)
        .unwrap();
    let before = fs_err::metadata(top.join("v1/calls/00.seg")).unwrap().len();
    let store = CallStore::open(top).unwrap();
    store.free(&|owner, _| owner == "another").unwrap();
    store.put(&key("e"), b"five", 1).unwrap();
    assert_eq!(
        fs_err::metadata(top.join("v1/calls/00.seg")).unwrap().len(),
        before
    );
    drop(store);
    let store = CallStore::open(top).unwrap();
    store.free(&|owner, _| owner == "array_0.0").unwrap();
    store.put(&key("f"), b"six", 1).unwrap();
    assert!(fs_err::metadata(top.join("v1/calls/00.seg")).unwrap().len() > before);
    assert_eq!(segments(top), ["00.seg", "01.seg"]);
    for (name, value) in [
        ("a", "one"),
        ("b", "two"),
        ("c", "three"),
        ("d", "four"),
        ("e", "five"),
        ("f", "six"),
    ] {
        let read = store.get(&key(name)).unwrap();
        assert_eq!(read.as_deref(), Some(value.as_bytes()), "{name}");
    }
    assert_eq!(store.take_damages(), []);
}

#[test]
fn owners_that_begin_together_never_write_to_one_segment() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    std::thread::scope(|scope| {
        for owner in 0..8 {
            scope.spawn(move || {
                let store = CallStore::open_as(top, &format!("array_{owner}.0")).unwrap();
                for call in 0..20 {
                    let value = format!("{owner} {call}");
                    store.put(&key(&value), value.as_bytes(), 1).unwrap();
                }
            });
        }
    });
    assert_eq!(segments(top).len(), 8);
    let store = CallStore::open(top).unwrap();
    assert_eq!(store.count().unwrap(), 160);
    assert_eq!(store.take_damages(), []);
    // The same call from two of them counts once.
    let twice = CallStore::open_as(top, "array_9.0").unwrap();
    twice.put(&key("0 0"), b"0 0", 1).unwrap();
    drop(twice);
    let store = CallStore::open(top).unwrap();
    assert_eq!(store.count().unwrap(), 160);
}

#[test]
fn an_owner_that_was_killed_before_it_wrote_is_freed_by_how_long_it_was_silent() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    drop(CallStore::open_as(top, "array_0.0").unwrap());
    let calls = top.join("v1/calls");
    fs_err::create_dir_all(&calls).unwrap();
    // What is there of a segment when its owner has the name and nothing more.
    fs_err::write(calls.join("00.lock"), "array_0.0").unwrap();
    let long_ago = SystemTime::now() - 2 * Duration::from_hours(1);
    let set = |name: &str| {
        let file = std::fs::File::options().write(true).open(calls.join(name));
        file.unwrap().set_modified(long_ago).unwrap();
    };
    set("00.lock");
    let job = CallStore::open_as(top, "array_1.0").unwrap();
    job.put(&key("a"), b"one", 1).unwrap();
    drop(job);
    assert_eq!(segments(top), ["01.seg"]);
    let silent = |_: &str, wrote: Option<SystemTime>| wrote.is_some_and(|at| at == long_ago);
    CallStore::open(top).unwrap().free(&silent).unwrap();
    assert_eq!(fs_err::read(calls.join("00.lock")).unwrap(), b"");
    assert_eq!(fs_err::read(calls.join("01.lock")).unwrap(), b"array_1.0");
    set("01.seg");
    let store = CallStore::open(top).unwrap();
    store.free(&silent).unwrap();
    store.put(&key("b"), b"two", 1).unwrap();
    assert_eq!(segments(top), ["00.seg", "01.seg"]);
    assert_eq!(store.count().unwrap(), 2);
    assert_eq!(store.take_damages(), []);
}
