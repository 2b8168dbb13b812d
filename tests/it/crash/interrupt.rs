//! Ctrl-C: once saves and stops, twice stops at once. A closed terminal saves and stops, however often that is said.

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use super::project::{AT_ONCE, Project, signal};

#[test]
fn one_interrupt_saves_what_is_in_flight_and_the_next_run_asks_the_rest() {
    let undisturbed = Project::new(6, Duration::ZERO);
    undisturbed.run_well();
    let (tables, asked) = (undisturbed.tables(), undisturbed.asked());
    // Slow enough that most questions are still to be asked when the signal arrives.
    let project = Project::new(6, Duration::from_millis(150));
    let mut process = project.start();
    project.wait_for_questions(&mut process, 2 * AT_ONCE);
    signal(&process, "INT");
    let output = process.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.contains("to resume:\n  tribunal run spec.toml"),
        "{said}"
    );
    let before: usize = project.asked().values().sum();
    assert!(before < asked.values().sum(), "it went on to the end");
    project.run_well();
    assert_eq!(project.tables(), tables);
    assert_eq!(project.asked(), asked);
}

#[test]
fn a_second_interrupt_ends_the_run_at_once() {
    // Longer than anyone waits: the run can't end in time by itself.
    let slow = Duration::from_mins(10);
    let project = Project::new(2, slow);
    let mut process = project.start();
    project.wait_for_questions(&mut process, 1);
    let began = Instant::now();
    signal(&process, "INT");
    let mut said = BufReader::new(process.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("interrupted") {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it ended silently");
    }
    assert!(line.contains("press Ctrl-C again"), "{line}");
    signal(&process, "INT");
    assert_eq!(process.wait().unwrap().code(), Some(130));
    assert!(began.elapsed() < slow);
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("panicked"), "{rest}");
}

/// Whether this process, and so what it starts, passes over a closed terminal.
fn hangups_are_ignored() -> bool {
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    mask & 1 == 1
}

#[test]
fn a_closed_terminal_saves_what_is_in_flight_and_nothing_is_asked_twice() {
    if hangups_are_ignored() {
        eprintln!("skipped: these tests are run so that a closed terminal does not end them");
        return;
    }
    let undisturbed = Project::new(6, Duration::ZERO);
    undisturbed.run_well();
    let project = Project::new(6, Duration::from_millis(150));
    let mut process = project.start();
    project.wait_for_questions(&mut process, 2 * AT_ONCE);
    // The kernel says so and the shell, one right after the other.
    signal(&process, "HUP");
    signal(&process, "HUP");
    let output = process.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    let before: usize = project.asked().values().sum();
    assert!(
        before < undisturbed.asked().values().sum(),
        "it went on to the end"
    );
    project.run_well();
    assert_eq!(project.tables(), undisturbed.tables());
    assert_eq!(project.asked(), undisturbed.asked());
}

#[test]
fn a_run_that_was_told_to_outlive_its_terminal_does() {
    let project = Project::new(2, Duration::from_millis(50));
    let command = project.command("spec.toml");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]);
    shell.arg(command.get_program()).args(command.get_args());
    shell
        .current_dir(project.path(""))
        .stdin(std::process::Stdio::null());
    shell
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut process = shell.spawn().unwrap();
    project.wait_for_questions(&mut process, 1);
    signal(&process, "HUP");
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
}
