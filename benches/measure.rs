//! Measuring the built binary and drawing what came of it.
//!
//! Wall time is taken around the whole process, from starting it to its end; CPU time and peak memory are what
//! `/usr/bin/time` reports, where it is installed. Nothing here decides whether a figure is good: it is drawn beside
//! the aim.

#![allow(dead_code, reason = "each bench uses its part of this")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What one run took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// Seconds from starting the process to its end.
    pub(crate) wall: f64,
    /// Seconds of processor time, user and system; NaN where nobody told.
    pub(crate) cpu: f64,
    /// Peak resident memory in MB; NaN where nobody told.
    pub(crate) peak: f64,
}

/// The built binary, or the one that `BENCH_BINARY` names, to hold another build against this one.
pub(crate) fn binary() -> String {
    std::env::var("BENCH_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_tribunal").to_owned())
}

/// The project's folder.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder with the recorded data, or a sentence that it is not there.
pub(crate) fn recorded_data() -> Option<PathBuf> {
    let folder = match std::env::var_os("JUDGEMEMO_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => project().join("../shared/judgememo"),
    };
    if folder.join("responses.parquet").is_file() {
        return std::path::absolute(folder).ok();
    }
    say(&format!(
        "skipped: no recorded data at {}",
        folder.display()
    ));
    None
}

/// Runs a program to its end, which must be a good one; its output is thrown away.
pub(crate) fn process(program: &str, arguments: &[String], folder: &Path) -> Run {
    let timer = Path::new("/usr/bin/time");
    let report = folder.join("time.txt");
    let mut command = if timer.is_file() {
        let mut command = Command::new(timer);
        command
            .args(["-f", "%U %S %M", "-o"])
            .arg(&report)
            .arg(program);
        command
    } else {
        Command::new(program)
    };
    // Variables of this prefix are part of a spec.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TRIBUNAL_") {
            command.env_remove(name);
        }
    }
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let started = Instant::now();
    let output = command.output().expect("the program can be started");
    let wall = started.elapsed().as_secs_f64();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {told}");
    let report = std::fs::read_to_string(report).unwrap_or_default();
    let numbers: Vec<f64> = report
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    match numbers[..] {
        [user, system, kilobytes] => Run {
            wall,
            cpu: user + system,
            peak: kilobytes / 1024.0,
        },
        _ => Run {
            wall,
            cpu: f64::NAN,
            peak: f64::NAN,
        },
    }
}

/// Repeats a measurement; the first run warms the file cache and is not counted.
pub(crate) fn repeat(times: usize, mut run: impl FnMut() -> Run) -> Vec<Run> {
    run();
    (0..times).map(|_| run()).collect()
}

/// One line: least, median and most of the runs.
pub(crate) fn report(name: &str, runs: &[Run], aim: &str) {
    let wall = spread(runs.iter().map(|run| run.wall));
    let cpu = spread(runs.iter().map(|run| run.cpu));
    let peak = spread(runs.iter().map(|run| run.peak));
    say(&format!(
        "{name}: wall {} / {} / {} ms (min / median / max of {}), CPU {} ms, peak {:.0} MB; aim {aim}",
        milliseconds(wall[0]),
        milliseconds(wall[1]),
        milliseconds(wall[2]),
        runs.len(),
        milliseconds(cpu[1]),
        peak[2],
    ));
}

/// The same, and how much of it each of `count` things took.
pub(crate) fn report_each(name: &str, runs: &[Run], aim: &str, count: usize, each: &str) {
    report(name, runs, aim);
    let [_, wall, _] = spread(runs.iter().map(|run| run.wall));
    let [_, cpu, _] = spread(runs.iter().map(|run| run.cpu));
    say(&format!(
        "    {:.0} {each}s/s, {:.0} µs CPU per {each}",
        count as f64 / wall,
        cpu * 1e6 / count as f64
    ));
}

/// Least, median, most.
pub(crate) fn spread(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    [
        at(0),
        at(values.len() / 2),
        at(values.len().saturating_sub(1)),
    ]
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.1}", seconds * 1000.0)
}

/// Peak resident memory of this process in MB, where the system tells.
pub(crate) fn own_peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}

/// The words after `--` on the command line, without the flags that cargo adds.
pub(crate) fn chosen() -> Vec<String> {
    let words = std::env::args().skip(1);
    words.filter(|word| !word.starts_with("--")).collect()
}

/// A line for whoever measures.
pub(crate) fn say(line: &str) {
    // A closed pipe is nobody's loss.
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Words as arguments.
pub(crate) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// A csv with documents of about `tokens` words each, in sentences; each its own, and the same every time.
pub(crate) fn documents(count: usize, tokens: usize) -> String {
    let mut csv = "doc_id,text\n".to_owned();
    for number in 0..count {
        csv.push_str(&document(number, tokens));
    }
    csv
}

/// One line of such a csv.
pub(crate) fn document(number: usize, tokens: usize) -> String {
    const WORDS: [&str; 12] = [
        "the", "lamp", "was", "brought", "along", "river", "and", "nobody", "asked", "why", "it",
        "burned",
    ];
    // Said in the text, or every twelfth document would be the same.
    let mut line = format!("d{number:04},\"Night {number}. ");
    for word in 0..tokens.max(1) {
        let place = number.wrapping_mul(31).wrapping_add(word.wrapping_mul(7)) % WORDS.len();
        line.push_str(WORDS[place]);
        line.push_str(if word % 14 == 13 { ". " } else { " " });
    }
    line.truncate(line.trim_end().len());
    line.push_str("\"\n");
    line
}
