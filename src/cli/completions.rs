//! `tribunal completions`: what shells need to complete verbs, flags and paths.
//!
//! The scripts are made by clap; for bash and zsh they are told in addition that a spec is a TOML file, or a folder.

use clap::ValueHint;
use clap_complete::{Generator, generate, shells};

use super::args::Shell;
use super::command;

/// The script for a shell.
pub(super) fn script(shell: Shell) -> String {
    match shell {
        Shell::Bash => with_paths(&of(shells::Bash)),
        Shell::Zsh => with_specs(&of(shells::Zsh)),
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

/// What a verb takes beside flags.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Specs.
    Specs,
    /// Other paths.
    Paths,
    /// No paths.
    Other,
}

fn takes(verb: &str) -> Takes {
    let command = command::bare();
    let first = command
        .find_subcommand(verb)
        .and_then(|verb| verb.get_positionals().next());
    match first {
        Some(first) if ["spec", "specs"].contains(&first.get_id().as_str()) => Takes::Specs,
        Some(first) if is_path(first.get_value_hint()) => Takes::Paths,
        _ => Takes::Other,
    }
}

fn is_path(hint: ValueHint) -> bool {
    matches!(
        hint,
        ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath
    )
}

/// bash offers flags where they are begun with a hyphen, and otherwise what the verb takes.
fn with_paths(script: &str) -> String {
    let begun = "if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then";
    let flags = "            COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )";
    let mut takes = Takes::Other;
    let mut text = String::with_capacity(script.len() + 4096);
    for line in script.lines() {
        if let Some(verb) = line
            .trim()
            .strip_prefix("tribunal__subcmd__")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            takes = self::takes(verb);
        }
        let line = match takes {
            Takes::Specs if line == flags => SPECS,
            Takes::Paths if line == flags => PATHS,
            Takes::Specs | Takes::Paths if line.trim() == begun => {
                "            if [[ ${cur} == -* ]] ; then"
            }
            _ => line,
        };
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// TOML files, and folders on the way to them.
const SPECS: &str = r#"            local IFS=$'\n'
            COMPREPLY=( $(compgen -f -X '!*.toml' -- "${cur}") $(compgen -d -- "${cur}") )
            type compopt &>/dev/null && compopt -o filenames 2>/dev/null"#;

/// Any files.
const PATHS: &str = r#"            local IFS=$'\n'
            COMPREPLY=( $(compgen -f -- "${cur}") )
            type compopt &>/dev/null && compopt -o filenames 2>/dev/null"#;

/// zsh offers TOML files and folders where a spec or a layer is meant.
fn with_specs(script: &str) -> String {
    let line = |line: &str| match line.strip_suffix(":_files' \\") {
        Some(rest) if rest.contains("TOML file") => {
            format!("{rest}:_files -g \"*.toml\"' \\\n")
        }
        _ => format!("{line}\n"),
    };
    script.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bash_and_zsh_know_what_a_spec_is() {
        let bash = script(Shell::Bash);
        let run = bash.split("tribunal__subcmd__run)").nth(1).unwrap();
        let run = run.split("tribunal__subcmd__schema)").next().unwrap();
        assert!(run.contains("'!*.toml'"), "{run}");
        assert!(!run.contains("-eq 2"), "{run}");
        let zsh = script(Shell::Zsh);
        assert!(zsh.contains("_files -g \"*.toml\"' \\"), "{zsh}");
    }
}
