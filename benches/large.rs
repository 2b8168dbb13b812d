//! What outgrows a small machine: 100,000 documents of 50 kB, a million calls, and a run of them that is killed ten times.
//!
//! Compared with the first thousand documents, with the same calls when they are stored, and with a run that is left alone. Words
//! after `--` choose among `documents`, `calls` and `kills`; all together take a quarter of an hour and 15 GB of disk. The documents
//! are made by `tools/make_articles.py`, which needs Python.

mod measure;
mod scripted;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use measure::{Run, binary, process, project, report, report_each, say, words};
use scripted::{Lab, spec};
use tribunal::cache::CallStore;

const DOCUMENTS: usize = 100_000;
/// How many of them show what one costs where memory is no matter.
const FEW: usize = 1_000;
const REPEATS: usize = 10;
const CALLS: usize = DOCUMENTS * REPEATS;
/// Words in a short document.
const SHORT: usize = 30;

fn main() {
    let words = measure::chosen();
    let chosen = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    if chosen("documents") {
        long_documents();
    }
    if chosen("calls") || chosen("kills") {
        let lab = Lab::new(DOCUMENTS, SHORT, REPEATS);
        million(&lab);
        if chosen("kills") {
            killed(&lab);
        }
    }
}

/// Cut, damaged, judged and tabled.
fn long_documents() {
    let lab = Lab::empty();
    let all = lab.path().join("all.jsonl");
    let made = Command::new("python3")
        .arg(project().join("tools/make_articles.py"))
        .args([&DOCUMENTS.to_string(), &*all.to_string_lossy(), "300"])
        .status();
    if !made.is_ok_and(|ended| ended.success()) {
        return say("skipped: documents are made by python3");
    }
    let lines = BufReader::new(fs::File::open(&all).expect("the documents are there")).lines();
    let mut few = fs::File::create(lab.path().join("few.jsonl")).expect("a file can be made");
    for line in lines.take(FEW).map_while(Result::ok) {
        writeln!(few, "{line}").expect("a file can be written");
    }
    let bytes = fs::metadata(&all).map_or(0, |file| file.len());
    say(&format!("{DOCUMENTS} documents, {} MB", bytes / 1_000_000));
    for (name, count) in [("few", FEW), ("all", DOCUMENTS)] {
        let stages = format!(
            "[source.docs]\nfiles = \"{name}.jsonl\"\n[truncate.cut]\nfrom = \"docs\"\ntokens = 4000\n\
            [manipulate.damaged]\nfrom = \"cut\"\napply = 43\n"
        );
        lab.write(&format!("{name}.toml"), &spec(&stages, "damaged", ""));
        let runs = [lab.run(name)];
        report_each(name, &runs, "< 600 MB, linear", count, "document");
    }
}

/// Planned, made, and stored already.
fn million(lab: &Lab) {
    let plan = |_| process(&binary(), &words(&["plan", "first.toml"]), lab.path());
    let plans: Vec<Run> = (0..3).map(plan).collect();
    report("plan", &plans, "< 1 s, < 200 MB");
    let aim = |limit: &str| format!("< 500 MB, {limit} a call");
    let asked = [lab.run("first")];
    report_each("asked", &asked, &aim("100 µs"), CALLS, "call");
    let stored = [lab.run("second")];
    report_each("stored already", &stored, &aim("60 µs"), CALLS, "call");
}

/// Ended by force ten times and then left alone, which must come to the table of the run before.
fn killed(lab: &Lab) {
    let table = lab.path().join("reports/first/t.csv");
    let undisturbed = fs::read(&table).expect("there is a table");
    lab.forget();
    for round in 0..10 {
        let mut running = Command::new(binary())
            .args(Lab::arguments("first"))
            .current_dir(lab.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program can be started");
        std::thread::sleep(Duration::from_millis(2_000 + round * 300));
        let _ = running.kill();
        let _ = running.wait();
    }
    let stored = stored_replies(lab.path());
    let last = Command::new(binary())
        .args(words(&["run", "first.toml"]))
        .current_dir(lab.path())
        .output()
        .expect("the program can be started");
    let said = String::from_utf8_lossy(&last.stderr);
    let summary = said.lines().find(|line| line.contains(" calls ran in "));
    say(&format!(
        "killed ten times: {stored} replies on disk; then {}",
        summary.unwrap_or(&said)
    ));
    let same = fs::read(&table).is_ok_and(|table| table == undisturbed);
    say(&format!(
        "    {} replies in all; the table is {}that of the run that was left alone",
        stored_replies(lab.path()),
        if same { "" } else { "NOT " }
    ));
}

fn stored_replies(folder: &Path) -> usize {
    let store = CallStore::open(&folder.join("cache")).expect("the cache is there");
    store.count().expect("the replies can be counted")
}
