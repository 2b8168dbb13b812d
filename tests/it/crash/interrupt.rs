//! Ctrl-C: once saves and stops, twice stops at once.

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
        said.contains("to go on:\n  tribunal run spec.toml"),
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
