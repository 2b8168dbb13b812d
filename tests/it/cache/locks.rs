//! One key, one worker: among threads, among processes, and after a kill.

use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tribunal::base::key::Digest;
use tribunal::cache::KeyLocks;

use super::child;

#[cfg(any(target_os = "linux", target_os = "macos"))]
#[test]
fn three_processes_of_two_threads_are_never_inside_together() {
    let root = tempfile::tempdir().unwrap();
    let children = ["a", "b", "c"].map(|tag| {
        child::command("enters_alone", root.path(), tag, 100)
            .spawn()
            .unwrap()
    });
    for process in children {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success());
        let said = child::said(&output.stdout);
        assert_eq!(said.len(), 200);
        assert!(said.iter().all(|(word, _)| word == "in"), "{said:?}");
    }
}

#[test]
fn threads_are_never_inside_together_even_through_two_openings() {
    let root = tempfile::tempdir().unwrap();
    let inside = AtomicBool::new(false);
    let key = Digest::of("k");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let locks = KeyLocks::open(root.path()).unwrap();
                for _ in 0..200 {
                    let _guard = locks.lock(&key, &|| false).unwrap();
                    assert!(!inside.swap(true, Ordering::SeqCst));
                    std::thread::yield_now();
                    assert!(inside.swap(false, Ordering::SeqCst));
                }
            });
        }
    });
}

#[test]
fn different_keys_do_not_wait_for_each_other_and_a_wait_can_be_interrupted() {
    let root = tempfile::tempdir().unwrap();
    let locks = KeyLocks::open(root.path()).unwrap();
    let (one, two) = (Digest::of("one"), Digest::of("two"));
    let guard = locks.try_lock(&one).unwrap();
    assert!(locks.try_lock(&one).is_none());
    assert!(locks.try_lock(&two).is_some());
    let asked = AtomicBool::new(false);
    assert!(
        locks
            .lock(&one, &|| asked.swap(true, Ordering::SeqCst))
            .is_none()
    );
    drop(guard);
    assert!(locks.try_lock(&one).is_some());
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
#[test]
fn a_killed_process_leaves_no_lock_behind() {
    let root = tempfile::tempdir().unwrap();
    let mut process = child::command("holds_a_lock_until_killed", root.path(), "k", 1)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "child: held yes"));
    let locks = KeyLocks::open(root.path()).unwrap();
    let key = Digest::of("k");
    assert!(locks.try_lock(&key).is_none());
    process.kill().unwrap();
    process.wait().unwrap();
    std::thread::sleep(Duration::from_millis(10));
    assert!(locks.try_lock(&key).is_some());
}
