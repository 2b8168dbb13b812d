//! `tribunal man`: manual pages, from the same text as help.

use std::fmt::Write as _;

use clap::Command;
use clap_mangen::Man;
use roff::{Roff, bold, roman};

use super::args::ManArgs;
use super::command::{EXIT_CODES, bare};
use super::examples::{FIRST, about, folded};
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{count, list_of, near_or};
use crate::publish::whole;

/// Columns that man pages are read in, less what stands left of an example.
const WIDE: usize = 70;

pub(super) fn run(args: &ManArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let Some(folder) = &args.into else {
        terminal.out(&one(&args.verb)?);
        return Ok(Exit::Done);
    };
    fs_err::create_dir_all(folder)?;
    let mut pages = vec![("tribunal".to_owned(), main_page()?)];
    for verb in bare().get_subcommands() {
        pages.push(page(verb, verb.get_name())?);
        for inner in verb.get_subcommands() {
            pages.push(page(
                inner,
                &format!("{} {}", verb.get_name(), inner.get_name()),
            )?);
        }
    }
    for (name, text) in &pages {
        whole::replace(&folder.join(format!("{name}.1")), text.as_bytes())?;
    }
    terminal.tell(&format!(
        "wrote {} to {}",
        count(pages.len(), "page"),
        folder.display()
    ));
    terminal.tell(&format!(
        "to read one:\n  man -l {}",
        folder.join("tribunal.1").display()
    ));
    Ok(Exit::Done)
}

/// The page of the command that words name, or the main one.
fn one(words: &[String]) -> Result<String, Error> {
    let mut command = bare();
    for word in words {
        let known: Vec<String> = command
            .get_subcommands()
            .map(|verb| verb.get_name().to_owned())
            .collect();
        let Some(verb) = command.find_subcommand(word) else {
            let missing = format!("there is no page `tribunal-{}`", words.join("-"));
            let hint = near_or(word, &known, || match known.as_slice() {
                [] => format!("`{}` has no commands", command.get_name()),
                known => format!("the commands are {}", list_of(known)),
            });
            return Err(Error::new(Exit::Usage, missing).hint(hint));
        };
        command = verb.clone();
    }
    match words {
        [] => main_page(),
        words => Ok(page(&command, &words.join(" "))?.1),
    }
}

/// The page of the command: its verbs, first steps, exit codes, files.
fn main_page() -> Result<String, Error> {
    let command = bare();
    let description = "An experiment is one TOML file. It names documents, how they are cut and damaged, which \
judge reads them with which prompt, and which statistics and tables come out. What ran once is kept and not run \
again.";
    let command = described(command, description);
    let command = command
        .disable_help_subcommand(true)
        .subcommand_help_heading("COMMANDS");
    let man = Man::new(command)
        .title("TRIBUNAL")
        .source(source())
        .manual("Tribunal");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    man.render_subcommands_section(&mut text)?;
    let mut roff = Roff::new();
    examples(&mut roff, FIRST);
    roff.control("SH", ["EXIT STATUS"]);
    for (code, what) in EXIT_CODES {
        entry(&mut roff, code, what);
    }
    roff.control("SH", ["FILES"]);
    for (file, what) in [
        (
            "tribunal.local.toml",
            "settings of this machine, next to `templates`; they override specs, and git ignores them",
        ),
        ("templates/", "prompts; marks the folder of a project"),
        (
            "cache/",
            "results and replies; may be removed, and are then made again",
        ),
        ("reports/", "the tables, by the name of the spec"),
    ] {
        entry(&mut roff, file, what);
    }
    roff.control("SH", ["ENVIRONMENT"]);
    for (name, what) in [
        (
            "TRIBUNAL_…",
            "sets a parameter: TRIBUNAL_PATHS__OUTPUTS=/data is `paths.outputs`",
        ),
        (
            "NO_COLOR",
            "if it is set and not empty, nothing is coloured",
        ),
        ("COLUMNS", "how wide tables may be"),
    ] {
        entry(&mut roff, name, what);
    }
    roff.to_writer(&mut text)?;
    man.render_version_section(&mut text)?;
    Ok(finished(&text))
}

/// The page of a verb, and its name.
fn page(verb: &Command, words: &str) -> Result<(String, String), Error> {
    let name = format!("tribunal-{}", words.replace(' ', "-"));
    let about = about(words);
    let command = described(verb.clone(), about.map_or("", |about| about.more))
        .display_name(name.clone())
        .bin_name(format!("tribunal {words}"))
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true);
    let nested = command.has_subcommands();
    let command = command.subcommand_help_heading("WHAT");
    let man = Man::new(command)
        .title(name.to_uppercase())
        .source(source())
        .manual("Tribunal");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if nested {
        man.render_subcommands_section(&mut text)?;
    }
    let mut roff = Roff::new();
    examples(&mut roff, about.map_or(&[], |about| about.examples));
    roff.control("SH", ["SEE ALSO"]);
    roff.text([bold("tribunal"), roman("(1)")]);
    roff.to_writer(&mut text)?;
    Ok((name, finished(&text)))
}

/// A page as every roff reads it: letters beyond ASCII in its own, or by their numbers. There is one form of help, so none is a summary.
fn finished(page: &[u8]) -> String {
    let text = String::from_utf8_lossy(page);
    let text = text.replace(" (see a summary with \\*(Aq\\-h\\*(Aq)", "");
    let mut finished = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '…' => finished.push_str("..."),
            '–' | '—' => finished.push('-'),
            letter if letter.is_ascii() => finished.push(letter),
            letter => put(&mut finished, letter),
        }
    }
    finished
}

fn put(page: &mut String, letter: char) {
    // A `String` takes any text.
    let _ = write!(page, "\\[u{:04X}]", u32::from(letter));
}

/// A command whose description goes on after its first sentence.
fn described(command: Command, more: &str) -> Command {
    let first = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    match more {
        "" => command,
        more => command.long_about(format!("{first}.\n\n{more}")),
    }
}

fn source() -> String {
    format!("tribunal {}", env!("CARGO_PKG_VERSION"))
}

fn examples(roff: &mut Roff, examples: &[(&str, &str)]) {
    if examples.is_empty() {
        return;
    }
    roff.control("SH", ["EXAMPLES"]);
    for (what, typed) in examples {
        roff.control("PP", []);
        roff.text([roman(format!("{what}:"))]);
        roff.control("PP", []);
        roff.control("RS", ["4"]);
        roff.control("nf", []);
        for line in folded(typed, WIDE).lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
        roff.control("RE", []);
    }
}

fn entry(roff: &mut Roff, name: &str, what: &str) {
    roff.control("TP", []);
    roff.text([bold(name)]);
    roff.text([roman(what)]);
}
