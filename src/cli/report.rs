//! `tribunal report`: draws tables, figures and pages again from results that are known. Nothing is run.

use std::collections::BTreeSet;

use super::args::ReportArgs;
use super::forecast::Told;
use super::git;
use super::load::warn;
use super::output::Terminal;
use super::shortfalls;
use super::shown::{self, publish};
use super::specs::load_all;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{count, some_of};
use crate::engine::{Ended, Known, Loaded, Outcome, known};
use crate::publish::{Published, Shown, folder_of_all, keep_records};

pub(super) fn run(args: &ReportArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load_all(&args.spec, terminal)?;
    warn(&loaded, terminal);
    let command = args.spec.command("run", std::iter::empty());
    let ended = recall(&loaded, &command, terminal)?;
    keep_records(&loaded, &ended, &git::state)?;
    let Published {
        shown: drawn,
        page,
        apart,
        ..
    } = publish(&loaded, &ended, false, terminal)?;
    if !drawn.iter().all(Shown::is_empty) {
        let folder = folder_of_all(&loaded);
        terminal.note(&format!("tables are in {}", folder.display()));
    }
    shown::page(page.as_deref(), apart.as_deref(), &ended, terminal);
    shortfalls::tell(&ended, &args.spec, terminal);
    Ok(shortfalls::exit(&ended, Exit::Done))
}

/// What is known of the specs, which must be everything; `command` would run what is not.
pub(super) fn recall(
    loaded: &[Loaded],
    command: &str,
    terminal: &mut Terminal,
) -> Result<Ended, Error> {
    let told = Told::new(true, terminal);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let Known {
        plans,
        places,
        engine,
        run,
    } = known(loaded, told.sink(), &runtime)?;
    told.tell(terminal);
    let ended = Ended::new(plans, places, (engine, run), Exit::Done, runtime);
    match unknown(&ended, command) {
        None => Ok(ended),
        Some(error) => Err(error),
    }
}

/// That some results are not known, if so: how many, and of which stages.
fn unknown(ended: &Ended, command: &str) -> Option<Error> {
    let nodes = ended.engine.plan().nodes.iter().zip(&ended.whole.outcomes);
    let mut missing = 0;
    let mut stages = BTreeSet::new();
    let mut order = Vec::new();
    for (node, outcome) in nodes {
        match outcome {
            Outcome::Done(_) => continue,
            Outcome::Failed(failure) => {
                let why = Error::from(failure.clone().at(node.title()));
                return Some(why);
            }
            Outcome::Skipped => missing += 1,
        }
        if stages.insert(node.name.clone()) {
            order.push(node.name.to_string());
        }
    }
    if missing == 0 {
        return None;
    }
    let all = count(ended.engine.plan().nodes.len(), "result");
    let verb = if missing == 1 { "is" } else { "are" };
    let message = format!(
        "{missing} of {all} {verb} not cached, and `report` runs nothing: {}",
        some_of(&order)
    );
    Some(Error::new(Exit::Stage, message).hint(format!("`{command}` makes what is missing")))
}
