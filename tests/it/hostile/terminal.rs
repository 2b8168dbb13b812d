//! What a terminal is given: with `NO_COLOR` no escape at all, otherwise styles and nothing else.

use std::process::{Command, Stdio};

use super::project;
use crate::lab::{Lab, SPEC};

/// The characters that must not reach a terminal.
fn obeyed(letter: char) -> bool {
    let steers = matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    steers || letter.is_control() && !matches!(letter, '\n' | '\t')
}

#[track_caller]
fn harmless(what: &str, text: &str) {
    if let Some(at) = text.find(obeyed) {
        let near: String = text[at..].chars().take(20).collect();
        let before: String = text[..at].chars().rev().take(60).collect();
        let before: String = before.chars().rev().collect();
        panic!("{what} writes {before:?} before {near:?}");
    }
}

/// The commands that show something of the project, with how they end.
const COMMANDS: &[(&str, i32)] = &[
    ("lint", 0),
    ("plan --all", 0),
    ("plan --dot", 0),
    ("plan --json", 0),
    ("run --jobs 1", 0),
    ("plan", 0),
    ("verify", 5),
    ("report", 0),
    ("show", 0),
    ("show --json", 0),
    ("show plain --where task=none", 0),
    ("show prose --where task=none --where kept=true", 0),
    ("show prose --where task=typos --where kept=true", 0),
    ("show prose --where task=typos --where kept=true --diff", 0),
    ("show nobody", 2),
    ("call plain --dry-run", 0),
    ("call", 0),
    ("call --json", 0),
    ("call nobody", 2),
    ("why --key", 0),
    ("why nothing", 2),
    ("run --json --set seed=2", 0),
    ("run --set judge.grades.colour=x", 3),
];

#[test]
fn nothing_of_documents_names_or_replies_is_obeyed_by_a_terminal() {
    let lab = project::lab();
    for (what, exit) in COMMANDS {
        let ran = lab.cmd(&what.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, *exit, "{what}: {}\n{}", ran.out, ran.err);
        harmless(what, &ran.out);
        harmless(what, &ran.err);
    }
}

#[test]
fn a_terminal_with_colours_is_given_styles_and_nothing_else_of_data() {
    let lab = project::lab();
    for (what, exit) in COMMANDS {
        let Some(shown) = on_a_terminal(&lab, what, *exit) else {
            return;
        };
        for sign in [
            "\u{1b}[2J",
            "\u{1b}]",
            "\u{1b}[31mred",
            "\u{9b}",
            "\u{9d}",
            "\u{7}",
            "\0",
            "\u{202e}",
        ] {
            let found = shown.find(sign);
            let near = found.map(|at| shown[..at].chars().rev().take(60).collect::<String>());
            assert!(
                found.is_none(),
                "{what}: {sign:?} after (backwards) {near:?}"
            );
        }
    }
}

/// What a command writes to a terminal of its own; nothing where no terminal can be had.
fn on_a_terminal(lab: &Lab, what: &str, exit: i32) -> Option<String> {
    let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
    let binary = env!("CARGO_BIN_EXE_tribunal");
    let line = format!("'{binary}' {verb} {SPEC} {rest}");
    let mut command = Command::new("script");
    let output = command
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .current_dir(lab.path("."))
        .env_remove("NO_COLOR")
        .env("TERM", "xterm-256color")
        .stdin(Stdio::null())
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: a terminal with colours, which the program `script` would make");
        return None;
    };
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(exit), "{what}: {shown}");
    Some(shown)
}

#[test]
fn a_document_of_ten_million_letters_on_one_line_is_shown_whole_and_named_in_short() {
    let line = "<b>\u{1b}[2J word ".repeat(10_000_000 / 13);
    let lab = Lab::small().file("docs/b.txt", &line);
    lab.run(&[]).ok();
    let shown = lab.cmd(&["show", "b"]).ok();
    harmless("show", &shown.out);
    assert!(shown.out.len() > line.len(), "{}", shown.out.len());
    let called = lab.cmd(&["call", "b", "--dry-run"]).ok();
    harmless("call", &called.out);
    for verb in ["plan", "why"] {
        let said = lab.cmd(&[verb]).ok();
        assert!(said.out.len() < 5_000, "{verb}: {}", said.out.len());
    }
}
