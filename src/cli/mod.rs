//! The command line: one file per command, each a thin walk through load, plan, run and show.
//!
//! Only here are the environment, the current directory and the terminal looked at.

mod accept;
mod args;
mod blame;
mod bundle;
mod call;
mod choose;
mod command;
mod completions;
mod diff;
mod doctor;
pub mod events;
mod examples;
mod forecast;
mod gc;
mod git;
mod import;
mod init;
mod lint;
mod load;
mod man;
mod new;
mod output;
mod plan;
mod presses;
mod project;
mod report;
mod run;
mod secrets;
mod shelf;
mod shortfalls;
mod show;
mod shown;
mod slurm;
mod specs;
mod spending;
mod unbundle;
mod usage;
mod verify;
mod view;
mod why;

use std::process::ExitCode;

use self::args::Verb;
use self::output::Terminal;
use crate::base::exit::Error;
pub use crate::base::exit::Exit;
use crate::base::open_files;

/// Runs the command with the process's arguments.
pub fn main() -> ExitCode {
    crate::frame::silence_guarded_panics();
    if let Some(code) = crate::frame::rehearsed(std::env::args_os().skip(1)) {
        return code;
    }
    if let Ok(program) = std::env::current_exe() {
        crate::frame::rehearse_with(program);
    }
    open_files::raise();
    let mut terminal = Terminal::detect();
    let exit = match command::parse(terminal.width) {
        Ok(arguments) => run_verb(arguments.verb, &mut terminal),
        Err(error) => usage::answer(&error, &mut terminal),
    };
    match crate::cli::events::unwritten() {
        // What went wrong before is the better reason.
        Some(why) => {
            let message = format!("the result can't be written to the standard output: {why}");
            terminal.error(&Error::new(Exit::Broken, message));
            if exit == Exit::Done {
                Exit::Broken
            } else {
                exit
            }
        }
        None => exit,
    }
    .into()
}

/// Does what the arguments say.
fn run_verb(verb: Verb, terminal: &mut Terminal) -> Exit {
    let result = match verb {
        Verb::Run(args) => run::run(&args, terminal),
        Verb::Plan(args) => plan::run(&args, terminal),
        Verb::Why(args) => why::run(&args, terminal),
        Verb::Verify(args) => verify::run(&args, terminal),
        Verb::Report(args) => report::run(&args, terminal),
        Verb::View(args) => view::run(&args, terminal),
        Verb::Diff(args) => diff::run(&args, terminal),
        Verb::Lint(args) => lint::run(&args, terminal),
        Verb::Show(args) => show::run(&args, terminal),
        Verb::Call(args) => call::run(&args, terminal),
        Verb::Schema => {
            let schema = serde_json::to_string_pretty(&crate::spec::schema()).unwrap_or_default();
            terminal.out(&schema);
            Ok(Exit::Done)
        }
        Verb::Import(args) => import::run(&args, terminal),
        Verb::Init(args) => init::run(&args, terminal),
        Verb::New(args) => new::run(&args, terminal),
        Verb::Bundle(args) => bundle::run(&args, terminal),
        Verb::Unbundle(args) => unbundle::run(&args, terminal),
        Verb::Jobs(args) => slurm::jobs(&args, terminal),
        Verb::Work(args) => slurm::work(&args, terminal),
        Verb::Doctor(args) => doctor::run(&args, terminal),
        Verb::Gc(args) => gc::run(&args, terminal),
        Verb::Completions(args) => {
            terminal.out(&completions::script(args.shell));
            Ok(Exit::Done)
        }
        Verb::Man(args) => man::run(&args, terminal),
    };
    match result {
        Ok(exit) => exit,
        Err(error) => {
            terminal.error(&error);
            error.exit
        }
    }
}
