//! `tribunal lint`.

use std::sync::Arc;

use super::args::LintArgs;
use super::load::read;
use super::output::Terminal;
use super::shelf::Shelf;
use super::specs::resolve;
use crate::base::exit::{Error, Exit};
use crate::base::wording::count;
use crate::engine::{Interrupt, lacking};
use crate::publish::absent;

pub(super) fn run(args: &LintArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let specs = resolve(&args.spec.specs)?;
    let (mut bad, mut clean) = (false, 0);
    let shelf = Shelf::default();
    for spec in &specs {
        let mut checked = read(spec, &args.spec.changes, &shelf);
        if let Some(loaded) = &mut checked.loaded {
            loaded.absent = Arc::new(absent(&loaded.root)?);
            checked
                .problems
                .extend(lacking(loaded, &loaded.plan, true, &Interrupt::default()));
        }
        bad |= checked.problems.has_errors() || (args.strict && !checked.problems.is_empty());
        if checked.problems.is_empty() {
            clean += 1;
        } else {
            terminal.drawn(&checked.problems.render(&checked.sources, terminal.style()));
        }
    }
    if clean > 0 || specs.len() > 1 {
        let of = match specs.len() {
            all if all == clean => String::new(),
            all => format!(" of {all}"),
        };
        terminal.out(&format!("{}{of} without problems", count(clean, "spec")));
    }
    Ok(if bad { Exit::Spec } else { Exit::Done })
}
