//! Wrong arguments, in the words and the form of all other mistakes; help and version as they are.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::command::bare;
use super::examples::about;
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{list_of, nearest};

/// Shows what was asked for, or what is wrong, and says how the command ends.
pub(super) fn answer(error: &clap::Error, terminal: &mut Terminal) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            crate::cli::events::note(error.print());
            Exit::Done
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            Exit::Usage
        }
        _ => {
            terminal.error(&said(error));
            Exit::Usage
        }
    }
}

/// What is wrong, and how to repair it.
fn said(error: &clap::Error) -> Error {
    let verb = verb(error);
    let verb = verb.as_deref();
    let typed = verb.map_or("tribunal".to_owned(), |verb| format!("tribunal {verb}"));
    let help = format!(
        "`tribunal help{}` lists what there is",
        verb.map_or(String::new(), |verb| format!(" {verb}"))
    );
    let one = |kind| text(error, kind).unwrap_or_default();
    let argument = one(ContextKind::InvalidArg);
    let value = one(ContextKind::InvalidValue);
    let meant = |known: &[String], word: &str| {
        nearest(word, known).map(|near| format!("did you mean `{near}`?"))
    };
    let (message, hint) = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let wrong = one(ContextKind::InvalidSubcommand);
            let known = verbs(verb);
            let message = match verb {
                None => format!("there is no command `{wrong}`"),
                Some(_) => format!("`{typed}` has no command `{wrong}`"),
            };
            (message, meant(&known, &wrong))
        }
        ErrorKind::UnknownArgument => {
            let flags = flags(verb);
            let hint = argument.starts_with('-').then(|| meant(&flags, &argument));
            (
                format!("`{typed}` has no argument `{argument}`"),
                hint.flatten(),
            )
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = list(error, ContextKind::InvalidArg);
            let missing: Vec<String> = missing.iter().map(|name| plain(name)).collect();
            let example = verb
                .and_then(about)
                .and_then(|about| about.examples.first());
            (
                format!("`{typed}` needs {}", missing.join(" and ")),
                example.map(|(_, typed)| {
                    let alone = typed.split(" > ").next().unwrap_or(typed);
                    format!("for example `{alone}`")
                }),
            )
        }
        ErrorKind::MissingSubcommand => (
            format!("`{typed}` needs a command"),
            Some(format!("there is {}", list_of(&verbs(verb)))),
        ),
        ErrorKind::InvalidValue if value.is_empty() => {
            (format!("`{argument}` needs a value"), None)
        }
        ErrorKind::InvalidValue => {
            let known = list(error, ContextKind::ValidValue);
            let hint = meant(&known, &value);
            (
                format!("`{value}` is not a {}", plain(&argument)),
                hint.or_else(|| Some(format!("there are {}", list_of(&known)))),
            )
        }
        ErrorKind::ValueValidation => {
            let why = error.source().map(|why| match why.to_string().as_str() {
                "invalid digit found in string" => ": it must be a whole number".to_owned(),
                "number would be zero for non-zero type" => ": it must be 1 or more".to_owned(),
                other => format!(": {other}"),
            });
            let why = why.unwrap_or_default();
            (
                format!("`{value}` is not valid for `{argument}`{why}"),
                None,
            )
        }
        ErrorKind::ArgumentConflict => {
            let prior = list(error, ContextKind::PriorArg);
            let message = match prior.as_slice() {
                [] => format!("`{argument}` cannot be combined with the other arguments"),
                [same] if *same == argument => format!("`{argument}` is given twice"),
                others => format!("`{argument}` cannot be combined with {}", list_of(others)),
            };
            (message, None)
        }
        _ => {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            (line.trim_start_matches("error: ").replace('\'', "`"), None)
        }
    };
    Error::new(Exit::Usage, message).hint(hint.unwrap_or(help))
}

/// The verb that the mistake is in, as the usage line names it, or where there is none, as it was typed.
fn verb(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else {
        let typed = std::env::args().nth(1)?;
        return verbs(None).contains(&typed).then_some(typed);
    };
    let usage = usage.to_string();
    let words = usage
        .split_whitespace()
        .skip_while(|word| *word != "tribunal")
        .skip(1);
    let verb: Vec<&str> = words
        .take_while(|word| word.bytes().all(|b| b.is_ascii_lowercase()))
        .collect();
    (!verb.is_empty()).then(|| verb.join(" "))
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => texts.first().cloned(),
        _ => None,
    }
}

fn list(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

/// The name of an argument without the brackets that usage lines put around it.
fn plain(argument: &str) -> String {
    argument
        .trim_end_matches("...")
        .trim_matches(['<', '>', '[', ']'])
        .to_owned()
}

/// The verbs, or those of a verb.
fn verbs(of: Option<&str>) -> Vec<String> {
    let command = bare();
    let of = of
        .and_then(|verb| command.find_subcommand(verb))
        .unwrap_or(&command);
    of.get_subcommands()
        .map(|verb| verb.get_name().to_owned())
        .collect()
}

/// The flags of a verb.
fn flags(of: Option<&str>) -> Vec<String> {
    let command = bare();
    let mut of_verb = &command;
    for word in of.unwrap_or_default().split_whitespace() {
        of_verb = of_verb.find_subcommand(word).unwrap_or(of_verb);
    }
    let longs = of_verb
        .get_arguments()
        .filter_map(|argument| argument.get_long());
    longs.map(|long| format!("--{long}")).collect()
}
