//! What is fetched is kept, whatever happens to the process, the disk and the files.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::{ALL, download, known, lab, mirror};
use crate::lab::{Lab, SPEC};
use crate::server::{Gate, Reply};

#[test]
fn a_damaged_download_is_fetched_again_with_a_warning_and_nothing_runs() {
    let (lab, server) = known();
    let mut sent = server.requests().len();
    for (start, end, what) in [
        ("11-", ".txt", "was altered after it was fetched"),
        ("11-", ".json", "was altered after it was fetched"),
    ] {
        let file = download(&lab, start, end);
        let mut bytes = fs_err::read(lab.path(&file)).unwrap();
        bytes[100] ^= 1;
        lab.write(&file, bytes);
        let ran = lab.run(&["--json"]).ok();
        let warnings = ran.warnings();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].ends_with(&format!("{end}` {what}")),
            "{warnings:?}"
        );
        sent += 1;
        assert_eq!((ran.nodes().len(), server.requests().len()), (0, sent));
        assert_eq!(lab.run(&["--json"]).ok().warnings(), [""; 0]);
    }
    lab.remove(&download(&lab, "11-", ".txt"));
    let ran = lab.run(&["--json"]).ok();
    assert!(ran.warnings()[0].ends_with(".txt` is missing after it was fetched"));
    lab.remove(&download(&lab, "1342-", ".json"));
    assert_eq!(
        lab.run(&["--json"]).ok().warnings(),
        [""; 0],
        "as if killed"
    );
    assert_eq!(server.requests().len(), sent + 2);
}

#[test]
fn damage_is_told_offline_and_not_used() {
    let (lab, server) = known();
    let file = download(&lab, "11-", ".txt");
    lab.write(&file, "another book");
    let ran = lab.run(&["--json", "--offline"]).exit(4);
    assert!(
        ran.warnings()[0].contains("was altered"),
        "{:?}",
        ran.warnings()
    );
    assert_eq!(ran.events("failed").len(), 1);
    assert_eq!(server.requests().len(), 2);
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_between_books_and_the_next_run_asks_for_the_rest() {
    let (server, gate) = (mirror(), Gate::default());
    server.on("/1342.txt", [Reply::text(super::pride()).behind(&gate)]);
    let lab = lab(&server);
    let mut process = started(&lab);
    server.wait_for(1);
    let number = process.id().to_string();
    let sent = Command::new("kill").args(["-INT", &number]).status();
    assert!(sent.unwrap().success());
    let mut said = BufReader::new(process.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.starts_with("interrupted: finishing"), "{line}");
    gate.open();
    assert_eq!(process.wait().unwrap().code(), Some(130));
    assert_eq!(server.count("/11.txt"), 0);
    assert_eq!(lab.run(&["--json"]).ok().stages(), ALL);
    assert_eq!((server.count("/1342.txt"), server.count("/11.txt")), (1, 1));
}

#[test]
fn a_killed_run_loses_the_book_under_way_and_no_other() {
    let (server, gate) = (mirror(), Gate::default());
    server.on("/11.txt", [Reply::text(super::alice()).behind(&gate)]);
    let lab = lab(&server);
    let mut process = started(&lab);
    server.wait_for(2);
    process.kill().unwrap();
    process.wait().unwrap();
    gate.open();
    let ran = lab.run(&["--json"]).ok();
    assert_eq!((ran.stages().len(), ran.warnings()), (4, vec![]));
    assert_eq!((server.count("/1342.txt"), server.count("/11.txt")), (1, 2));
}

#[test]
fn two_processes_ask_for_each_book_once() {
    let (server, gate) = (mirror(), Gate::default());
    server.on("/1342.txt", [Reply::text(super::pride()).behind(&gate)]);
    let lab = lab(&server);
    let first = started(&lab);
    server.wait_for(1);
    let second = started(&lab);
    gate.open();
    for process in [first, second] {
        let output = process.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }
    assert_eq!((server.count("/1342.txt"), server.count("/11.txt")), (1, 1));
}

#[cfg(unix)]
#[test]
fn a_disk_without_room_is_told_and_the_next_run_goes_on() {
    let server = mirror();
    let long = "All happy families are alike. ".repeat(10_000);
    server.on("/11.txt", [Reply::text(super::book(11, "Long", &long))]);
    let lab = lab(&server);
    fs_err::create_dir(lab.path("cache")).unwrap();
    let run = format!("'{}' run {SPEC} --quiet", env!("CARGO_BIN_EXE_tribunal"));
    let script = format!(
        "mount -t tmpfs -o size=200k tmpfs cache || exit 99\ntouch began\n\
         {run} > first.out 2> first.err; echo $? > code\nfind cache -name '11-*' > left\n\
         mount -o remount,size=9M cache\n{run} > second.out 2> second.err || touch failed"
    );
    let mounted = Command::new("unshare")
        .args(["-r", "-m", "sh", "-c", &script])
        .current_dir(lab.path(""))
        .status();
    if !lab.path("began").exists() {
        eprintln!("skipped: no small file system can be mounted here ({mounted:?})");
        return;
    }
    let said = lab.read("first.err");
    assert_eq!(lab.read("code"), "4\n", "{said}");
    assert!(said.contains("no room left to write"), "{said}");
    assert_eq!(lab.read("left"), "", "nothing of the book stands there");
    assert!(!lab.path("failed").exists(), "{}", lab.read("second.err"));
    assert_eq!((server.count("/1342.txt"), server.count("/11.txt")), (1, 2));
}

#[test]
fn trimming_keeps_the_books_a_spec_names_and_takes_them_last() {
    let (lab, server) = known();
    let gc = |arguments: &[&str]| lab.cmd(&[&["gc"], arguments].concat()).ok().out;
    let said = gc(&[SPEC]);
    assert!(
        said.contains("4 results, 0 calls and 2 downloads"),
        "{said}"
    );
    assert!(
        said.contains("would remove 0 results and 0 calls"),
        "{said}"
    );
    // By size, everything else goes first.
    let bytes = |folder: &str| -> u64 {
        let files = lab.files(folder);
        files
            .iter()
            .map(|file| file.metadata().unwrap().len())
            .sum()
    };
    let downloads = bytes("cache/v1/downloads");
    let size = format!("{}K", downloads.div_ceil(1024));
    let said = gc(&["--size", &size, "--delete"]);
    assert!(said.contains("removed 4 results and 0 calls"), "{said}");
    assert_eq!(bytes("cache/v1/downloads"), downloads);
    lab.run(&["--quiet"]).ok();
    assert_eq!(server.requests().len(), 2);
    // A book that no spec names goes, and one that does stays.
    lab.change("[1342, 11]", "[11]");
    let said = gc(&[SPEC, "--delete"]);
    assert!(said.contains(" and 1 download, "), "{said}");
    lab.run(&["--quiet", "--offline"]).ok();
    let said = gc(&["--size", "0K", "--delete"]);
    assert!(said.contains(" and 1 download, "), "{said}");
    assert!(lab.files("cache/v1/downloads").is_empty());
    let ran = lab.cmd(&["gc", SPEC]).exit(4);
    assert!(
        ran.err.contains("have not been fetched") || ran.err.contains("has not been fetched"),
        "{}",
        ran.err
    );
}

#[test]
fn what_a_killed_process_left_of_a_download_is_junk() {
    let (lab, _server) = known();
    for (start, end) in [("11-", ".json"), ("1342-", ".txt")] {
        lab.remove(&download(&lab, start, end));
    }
    lab.write("cache/v1/downloads/gutenberg/.tmp-abc", "half");
    lab.write("cache/v1/downloads/gutenberg/notes.md", "not ours");
    lab.cmd(&["gc", "--size", "1G", "--delete"]).ok();
    let left = lab.files("cache/v1/downloads");
    assert_eq!(left, [lab.path("cache/v1/downloads/gutenberg/notes.md")]);
}

/// A run that is under way.
fn started(lab: &Lab) -> Child {
    lab.command(&["run", "--quiet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}
