//! A full disk is a clear error; what was stored before stays, and room brings the store back.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use tribunal::base::key::Digest;
use tribunal::cache::{CallStore, NodeStore};

use super::{child, commit, value_of};

/// A folder with an empty `full` in it.
fn folder() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    fs_err::create_dir(root.path().join("full")).unwrap();
    root
}

/// Runs the child below a shell that has first made room scarce; what it said, `None` if it never began.
fn below(
    root: &Path,
    role: &str,
    shell: &[&str],
    preparation: &str,
) -> Option<Vec<(String, String)>> {
    let mut command = Command::new(shell[0]);
    command
        .args(&shell[1..])
        .arg("-c")
        .arg(format!("{preparation} || exit 99; exec \"$0\" \"$@\""))
        .arg(std::env::current_exe().unwrap())
        .args(child::arguments(role))
        .current_dir(root);
    child::environment(&mut command, root, "fill", 0);
    let output = command.output().ok()?;
    let said = child::said(&output.stdout);
    let began = String::from_utf8_lossy(&output.stdout).contains("running 1 test");
    assert!(!began || output.status.success(), "{said:?}");
    began.then_some(said)
}

fn number_of_intact(said: &[(String, String)]) -> u32 {
    said.iter()
        .find(|(word, _)| word == "intact")
        .map_or(0, |(_, count)| count.parse().unwrap())
}

#[test]
fn a_full_disk_loses_nothing_and_the_store_goes_on_when_there_is_room() {
    // A file system of half a megabyte in a name space of its own; where that is not allowed
    // the other test has to do.
    let mount = "mount -t tmpfs -o size=512k tmpfs full";
    if let Some(said) = below(
        folder().path(),
        "fills_the_disk",
        &["unshare", "-r", "-m", "sh"],
        mount,
    ) {
        assert!(said.iter().any(|(word, _)| word == "recovered"), "{said:?}");
        assert!(number_of_intact(&said) > 50, "{said:?}");
    }
}

#[test]
fn a_limit_on_the_size_of_files_loses_nothing() {
    let said = below(
        folder().path(),
        "fills_the_disk",
        &["sh"],
        "trap '' XFSZ && ulimit -f 96",
    )
    .unwrap();
    assert!(said.iter().any(|(word, _)| word == "full"), "{said:?}");
    assert!(number_of_intact(&said) > 10, "{said:?}");
}

#[test]
fn a_cache_that_can_not_be_written_can_be_read() {
    let root = folder();
    let top = root.path().join("full");
    let key = Digest::of("fill");
    CallStore::open(&top)
        .unwrap()
        .put(&key, &value_of(&key), 0)
        .unwrap();
    commit(&NodeStore::open(&top).unwrap(), &key);
    let mount = "mount --bind full full && mount -o remount,bind,ro full";
    let role = "reads_a_cache_that_can_not_be_written";
    if let Some(said) = below(root.path(), role, &["unshare", "-r", "-m", "sh"], mount) {
        assert_eq!(said.len(), 1, "{said:?}");
    }
}
