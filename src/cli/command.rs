//! The command with its help: what clap knows of verbs and flags, and beside it paragraphs and examples.

use clap::{Command, CommandFactory as _, FromArgMatches as _};

use super::args::Arguments;
use super::examples::{ABOUT, FIRST, GROUPS, about, shown};
use crate::base::wording::wrap;

/// What is said below the list of verbs.
const MORE: &str = "`tribunal help COMMAND` explains a command, with examples.";

/// What the numbers mean that the command ends with.
pub(super) const EXIT_CODES: &[(&str, &str)] = &[
    ("0", "done"),
    ("1", "broken environment"),
    ("2", "wrong arguments"),
    ("3", "wrong spec"),
    ("4", "a stage failed"),
    (
        "5",
        "published values not reproduced, or values that differ (`diff --exit-code`)",
    ),
    ("6", "stopped by `--max-calls` or `--max-cost`"),
    ("130", "interrupted"),
];

/// The process's arguments; help is laid out for a terminal so wide.
pub(super) fn parse(width: usize) -> Result<Arguments, clap::Error> {
    let matches = with_help(width).try_get_matches()?;
    Arguments::from_arg_matches(&matches)
}

/// Verbs and flags alone.
pub(super) fn bare() -> Command {
    Arguments::command()
}

/// The command with its help.
fn with_help(width: usize) -> Command {
    let mut command = bare().term_width(width).help_template(
        "{about}\n\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}{after-help}\n",
    );
    let codes: Vec<String> = EXIT_CODES
        .iter()
        .map(|(code, what)| format!("{code} {what}"))
        .collect();
    let codes = wrap("Exit codes: ", &format!("{}.", codes.join(", ")), width);
    let verbs = verbs(&command, width);
    command = command.before_help(verbs).after_help(format!(
        "Getting started:\n{}\n\n{codes}",
        shown(FIRST, width)
    ));
    for one in ABOUT {
        command = described(command, one.verb, width);
    }
    command
}

/// Adds paragraph and examples to a verb, or to a verb of a verb.
fn described(command: Command, verb: &'static str, width: usize) -> Command {
    let (outer, inner) = verb
        .split_once(' ')
        .map_or((verb, None), |(o, i)| (o, Some(i)));
    if command.find_subcommand(outer).is_none() {
        return command;
    }
    command.mut_subcommand(outer, |command| match inner {
        Some(inner) => command.mut_subcommand(inner, |command| with_more(command, verb, width)),
        None => with_more(command, verb, width),
    })
}

fn with_more(command: Command, verb: &str, width: usize) -> Command {
    let Some(about) = about(verb) else {
        return command;
    };
    let paragraphs = about.more.split("\n\n").filter(|text| !text.is_empty());
    let more: Vec<String> = paragraphs.map(|text| wrap("", text, width)).collect();
    let more = match more.join("\n") {
        none if none.is_empty() => none,
        some => format!("\n{some}"),
    };
    let body = if command.has_subcommands() {
        "{subcommands}\n\nOptions:\n{options}"
    } else {
        "{all-args}"
    };
    command
        .help_template(format!(
            "{{about}}\n{more}\n{{usage-heading}} {{usage}}\n\n{body}{{after-help}}\n"
        ))
        .after_help(format!("Examples:\n{}", shown(about.examples, width)))
}

/// The verbs by what they are for.
fn verbs(command: &Command, width: usize) -> String {
    let names = command.get_subcommands().map(|verb| verb.get_name().len());
    let wide = names.max().unwrap_or(0);
    let mut text = String::new();
    for (purpose, verbs) in GROUPS {
        text.push_str(purpose);
        text.push_str(":\n");
        for verb in verbs
            .iter()
            .filter_map(|verb| command.find_subcommand(verb))
        {
            let name = verb.get_name();
            let about = verb
                .get_about()
                .map(ToString::to_string)
                .unwrap_or_default();
            text.push_str(&wrap(&format!("  {name:<wide$}  "), &about, width));
        }
        text.push('\n');
    }
    text + MORE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::examples::About;

    fn verbs_of(command: &Command) -> Vec<String> {
        let mut names = Vec::new();
        for verb in command.get_subcommands() {
            names.push(verb.get_name().to_owned());
            let inner = verb.get_subcommands();
            names.extend(inner.map(|inner| format!("{} {}", verb.get_name(), inner.get_name())));
        }
        names
    }

    #[test]
    fn the_command_holds_together() {
        with_help(80).debug_assert();
    }

    #[test]
    fn every_verb_has_examples_and_a_place_in_the_overview() {
        for verb in verbs_of(&bare()) {
            let Some(About { examples, .. }) = about(&verb) else {
                panic!("no examples of `{verb}` in cli/examples.rs");
            };
            assert!(!examples.is_empty(), "{verb}");
            let groups = GROUPS
                .iter()
                .filter(|(_, verbs)| verbs.contains(&verb.as_str()));
            assert!(verb.contains(' ') || groups.count() == 1, "{verb}");
        }
    }

    #[test]
    fn every_example_is_understood() {
        let examples = ABOUT.iter().flat_map(|about| about.examples).chain(FIRST);
        for (_, typed) in examples {
            // What follows a redirection is the shell's.
            let command = typed.split([">", "|"].map(|sign| sign.chars().next().unwrap()));
            let words: Vec<&str> = command.clone().next().unwrap().split_whitespace().collect();
            let parsed = bare().try_get_matches_from(words);
            assert!(parsed.is_ok(), "`{typed}`: {}", parsed.unwrap_err());
        }
    }

    #[test]
    fn purposes_fit_beside_the_verbs() {
        for verb in bare().get_subcommands() {
            let about = verb
                .get_about()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(!about.is_empty() && about.len() <= 65, "{about}");
        }
    }
}
