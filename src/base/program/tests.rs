//! With programs that any shell has. None sleeps; what would go on for ever has to be stopped.

use std::time::Duration;

use super::*;

const FOR_EVER: &str = "exec tail -f /dev/null";

fn start<'r>(command: &'r [String], stop: &'r dyn Fn() -> bool) -> Program<'r> {
    let run = Run {
        command,
        lines: vec![LINE],
        patience: Some(Duration::from_millis(1)),
        stop,
    };
    let lines = ["one", "two"].map(|line| line.as_bytes().to_vec());
    Program::start(run, lines.into_iter()).unwrap()
}

fn shell(script: &str) -> [String; 3] {
    ["sh", "-c", script].map(str::to_owned)
}

/// The next line, however long it takes.
fn line(program: &mut Program<'_>) -> Result<String, Trouble> {
    loop {
        match program.line() {
            Err(Trouble::Silent(_)) => {}
            line => return line.map(|line| String::from_utf8(line).unwrap()),
        }
    }
}

#[test]
fn lines_go_in_and_come_out() {
    let command = shell("while read -r line; do echo \"<$line>\"; done");
    let mut program = start(&command, &|| false);
    assert_eq!(line(&mut program).unwrap(), "<one>\n");
    assert_eq!(line(&mut program).unwrap(), "<two>\n");
    assert!(matches!(
        line(&mut program),
        Err(Trouble::Ended(status)) if status.success()
    ));
}

#[test]
fn a_program_that_says_nothing_is_told_apart_from_one_that_ends() {
    let command = shell(FOR_EVER);
    let mut program = start(&command, &|| false);
    assert!(matches!(program.line(), Err(Trouble::Silent(_))));
    let command = shell("exit 3");
    let mut program = start(&command, &|| false);
    let Err(Trouble::Ended(status)) = line(&mut program) else {
        panic!("it ended");
    };
    assert_eq!(status.code(), Some(3));
}

#[test]
fn a_run_that_is_to_stop_does_not_wait() {
    let command = shell(FOR_EVER);
    let mut program = start(&command, &|| true);
    assert!(matches!(program.line(), Err(Trouble::Stopped)));
}

#[test]
fn what_a_program_started_goes_with_it_and_nothing_is_left() {
    // Both hold the output open, so that its end says that both are gone.
    let command = shell("tail -f /dev/null & echo $$; wait");
    let mut program = start(&command, &|| false);
    let pid = line(&mut program).unwrap();
    program.stop();
    assert!(matches!(line(&mut program), Err(Trouble::Ended(_))));
    let left = std::path::Path::new("/proc").join(pid.trim());
    assert!(!left.exists(), "it was waited for");
}

#[test]
fn complaints_are_read_however_many_there_are_and_the_end_is_kept() {
    let flood = "head -c 3000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo the end >&2; echo done";
    let command = shell(&format!("{flood}; {FOR_EVER}"));
    let mut program = start(&command, &|| false);
    assert_eq!(line(&mut program).unwrap(), "done\n");
    let last = program.last_words();
    assert!(last.ends_with("xxx / the end"), "{last}");
    assert!(last.len() < 400, "{}", last.len());
}

#[test]
fn a_line_without_end_is_not_read_for_ever() {
    let command = ["cat", "/dev/zero"].map(str::to_owned);
    let mut program = start(&command, &|| false);
    assert!(matches!(line(&mut program), Err(Trouble::Long(LINE))));
}
