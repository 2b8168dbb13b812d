//! What a person sees in a terminal: every verb, at 80 columns and others, with colour and without.

mod examples;
mod project;
mod screen;
mod shells;
mod unwritten;

use std::process::Command;

use self::project::{STEPS, project};
use self::screen::{Looks, Seen, USUAL, see, start};
use crate::lab::Lab;

/// Every step in a terminal of its own kind.
fn walk(looks: Looks) -> Vec<(&'static str, Seen)> {
    let lab = project();
    let walked = STEPS.iter().map(|step| {
        (step.before)(&lab);
        let words: Vec<&str> = step.typed.split_whitespace().collect();
        (step.name, see(&lab, &words, looks))
    });
    walked.collect()
}

/// Without what is different each time: times, and sizes and digests of what holds times.
fn settled(screen: &str) -> String {
    let mut settings = screen.to_owned();
    for (pattern, stands_for) in [
        (r"\d+\.\d+ s\b", "0.00 s"),
        (r"\d+\.\d+ kB", "0.0 kB"),
        (r"\(blake3\):\s+[0-9a-f]{64}", "(blake3): DIGEST"),
    ] {
        settings = regex::Regex::new(pattern)
            .unwrap()
            .replace_all(&settings, stands_for)
            .into_owned();
    }
    settings
}

#[test]
fn every_verb_at_80_columns_without_colour() {
    for (name, seen) in walk(USUAL) {
        let shown = format!("{}\n[exit {}]", settled(&seen.screen), seen.code);
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "snapshots" }, {
            insta::assert_snapshot!(name, shown);
        });
    }
}

/// What may be wider than the terminal, because nobody could use it in pieces: a path, a name, a command to be copied;
/// and the texts of documents and prompts, which are as they are.
fn may_be_wide(name: &str, line: &str) -> bool {
    let text = matches!(
        name,
        "show-document" | "show-diff" | "call" | "call-unscored"
    );
    let source = line.contains(" │ ") || line.contains(" · ");
    let command = source || line.starts_with("  tribunal ") || line.starts_with("  man ");
    text || command || !line.trim().contains(' ')
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    for columns in [60, 80, 200] {
        for (name, seen) in walk(Looks { columns, ..USUAL }) {
            for line in seen.screen.lines() {
                let wide = unicode_width::UnicodeWidthStr::width(line);
                assert!(
                    wide <= usize::from(columns) || may_be_wide(name, line),
                    "{name} at {columns} columns: {wide}\n{line}\n\n{}",
                    seen.screen
                );
            }
        }
    }
}

#[test]
fn colour_changes_nothing_but_colour() {
    let colored = walk(Looks {
        color: true,
        ..USUAL
    });
    let mut some = false;
    for ((name, colored), (_, plain)) in colored.iter().zip(walk(USUAL)) {
        assert_eq!(settled(&colored.screen), settled(&plain.screen), "{name}");
        some |= colored.raw.contains("\x1b[31m");
    }
    assert!(some, "nothing was coloured");
}

#[test]
fn a_dumb_terminal_is_sent_no_escapes_and_no_blanks_at_the_ends_of_lines() {
    for (name, seen) in walk(Looks {
        term: "dumb",
        color: true,
        ..USUAL
    }) {
        assert!(!seen.raw.contains('\x1b'), "{name}: {}", seen.raw);
        for line in seen.raw.split("\r\n") {
            let text = matches!(name, "call" | "call-unscored" | "show-diff");
            assert!(text || !line.ends_with(' '), "{name}: `{line}`");
            assert!(!line.contains('\r'), "{name}: `{line}`");
        }
    }
}

#[test]
fn a_pipe_gets_every_message_on_one_line() {
    let lab = project();
    let ran = lab.cmd(&["why", "judge.grade"]).exit(2);
    let begun = ["warning: ", "error: ", "hint: "];
    for line in ran.err.lines() {
        assert!(begun.iter().any(|word| line.starts_with(word)), "{line}");
    }
    assert!(ran.err.lines().any(|line| line.len() > 100), "{}", ran.err);
}

#[test]
fn a_run_that_reached_a_limit_says_how_to_go_on() {
    let lab = Lab::small();
    let seen = see(&lab, &["run", "experiment.toml", "--max-calls", "1"], USUAL);
    let told = settled(&seen.screen);
    let end = "`--max-calls 1` is reached; everything finished is saved\nto resume:\n  tribunal run experiment.toml";
    assert!(told.ends_with(end), "{told}");
}

#[test]
fn a_failing_stage_says_why_and_the_end_says_how_many_failed() {
    let lab = Lab::small().script("[[reply]]\ncontains = [\"not in any prompt\"]\n");
    let seen = see(&lab, &["run", "experiment.toml"], USUAL);
    let told = seen.screen;
    assert_eq!(seen.code, 4, "{told}");
    let start = "failed judge.grades: model `fake`, document";
    assert!(told.starts_with(start), "{told}");
    assert!(told.ends_with("\n1 stage failed, 2 not run"), "{told}");
}

#[test]
fn an_interrupted_run_leaves_no_half_line_and_says_how_to_go_on() {
    let lab =
        Lab::small().script("[[reply]]\ntext = \"FINAL Fluency Score: 4\"\ndelay-ms = 600000");
    let mut started = start(&lab, &["run", "experiment.toml"], USUAL);
    started.until("judge.grades");
    for _ in 0..2 {
        let id = started.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
        started.until("press Ctrl-C again");
    }
    let seen = started.end();
    assert_eq!(seen.code, 130, "{}", seen.screen);
    insta::assert_snapshot!(seen.screen, @"interrupted: finishing what is running; press Ctrl-C again to stop at once");
}
