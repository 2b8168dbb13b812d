//! `tribunal lint`.

use super::args::LintArgs;
use super::exit::Exit;
use super::load::read;
use super::output::Terminal;
use crate::wording::count;

pub(super) fn run(args: &LintArgs, terminal: &mut Terminal) -> Exit {
    let mut bad = false;
    let mut clean = 0;
    for spec in &args.specs {
        let checked = read(spec, &args.sets);
        bad |= checked.problems.has_errors() || (args.strict && !checked.problems.is_empty());
        if checked.problems.is_empty() {
            clean += 1;
        } else {
            terminal.note(&checked.problems.render(&checked.sources, terminal.style()));
        }
    }
    if clean == args.specs.len() {
        terminal.out(&format!("{} without problems", count(clean, "spec")));
    }
    if bad { Exit::Spec } else { Exit::Done }
}
