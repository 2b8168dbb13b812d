//! `tribunal completions`: what shells need to complete verbs, flags and paths.

use clap_complete::{Generator, generate, shells};

use super::args::Shell;
use super::command;

/// The script for a shell.
pub(super) fn script(shell: Shell) -> String {
    match shell {
        Shell::Bash => of(shells::Bash),
        Shell::Zsh => of(shells::Zsh),
        Shell::Fish => of(shells::Fish),
        Shell::Elvish => of(shells::Elvish),
        Shell::Powershell => of(shells::PowerShell),
    }
}

fn of(shell: impl Generator) -> String {
    let mut script = Vec::new();
    generate(shell, &mut command::bare(), "tribunal", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
