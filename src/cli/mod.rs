//! The command line: one file per verb, each a thin walk through load, plan, run and show.
//!
//! Only here are the environment, the current directory and the terminal looked at.

mod args;
mod bundle;
mod call;
mod command;
mod completions;
mod diff;
mod drawn;
mod examples;
mod exit;
mod figures;
mod forecast;
mod gc;
mod import;
mod init;
mod judgements;
mod lint;
mod load;
mod man;
mod output;
mod page;
mod plan;
mod printed;
mod project;
mod record;
mod report;
mod reports;
mod run;
mod shelf;
mod show;
mod specs;
mod spending;
mod unbundle;
mod unpacked;
mod usage;
mod verify;
mod view;
mod whole;
mod why;

use std::process::ExitCode;

use self::args::Verb;
pub use self::exit::Exit;
use self::output::Terminal;

/// Runs the command with the process's arguments.
pub fn main() -> ExitCode {
    crate::frame::silence_guarded_panics();
    if let Some(code) = crate::frame::rehearsed(std::env::args_os().skip(1)) {
        return code;
    }
    if let Ok(program) = std::env::current_exe() {
        crate::frame::rehearse_with(program);
    }
    let mut terminal = Terminal::detect();
    let arguments = match command::parse(terminal.width) {
        Ok(arguments) => arguments,
        Err(error) => return usage::answer(&error, &mut terminal).into(),
    };
    let result = match arguments.verb {
        Verb::Run(args) => run::run(&args, &mut terminal),
        Verb::Plan(args) => plan::run(&args, &mut terminal),
        Verb::Why(args) => why::run(&args, &mut terminal),
        Verb::Verify(args) => verify::run(&args, &mut terminal),
        Verb::Report(args) => report::run(&args, &mut terminal),
        Verb::View(args) => view::run(&args, &mut terminal),
        Verb::Diff(args) => diff::run(&args, &mut terminal),
        Verb::Lint(args) => lint::run(&args, &mut terminal),
        Verb::Show(args) => show::run(&args, &mut terminal),
        Verb::Call(args) => call::run(&args, &mut terminal),
        Verb::Schema => {
            let schema = serde_json::to_string_pretty(&crate::spec::schema()).unwrap_or_default();
            terminal.out(&schema);
            Ok(Exit::Done)
        }
        Verb::Import(args) => import::run(&args, &mut terminal),
        Verb::Init(args) => init::run(&args, &mut terminal),
        Verb::Bundle(args) => bundle::run(&args, &mut terminal),
        Verb::Unbundle(args) => unbundle::run(&args, &mut terminal),
        Verb::Gc(args) => gc::run(&args, &mut terminal),
        Verb::Completions(args) => {
            terminal.out(&completions::script(args.shell));
            Ok(Exit::Done)
        }
        Verb::Man(args) => man::run(&args, &mut terminal),
    };
    match result {
        Ok(exit) => exit,
        Err(error) => {
            terminal.error(&error);
            error.exit
        }
    }
    .into()
}
