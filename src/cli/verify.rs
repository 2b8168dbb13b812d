//! `tribunal verify`: our tables against printed ones, cell by cell.

use std::collections::BTreeMap;

use serde_json::json;

use super::accept;
use super::args::VerifyArgs;
use super::output::Terminal;
use super::run::execute;
use super::shortfalls;
use super::shown::{self, publish};
use super::specs::load_all;
use crate::base::exit::{Error, Exit};
use crate::cli::events::summary;
use crate::output::report::verify::Audit;
use crate::output::report::{audit, overview};
use crate::publish::{Printed, Published, folder_of_all, printed, whole};

pub(super) fn run(args: &VerifyArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load_all(&args.spec, terminal)?;
    // Before anything runs: a slip in a file name must not cost a run.
    let printed: Vec<BTreeMap<String, Printed<'_>>> = loaded
        .iter()
        .map(|loaded| printed(&loaded.spec, args.accept))
        .collect::<Result<_, _>>()?;
    if printed.iter().all(BTreeMap::is_empty) {
        let message = match loaded.len() {
            1 => "no table of this spec has published values",
            _ => "no table of these specs has published values",
        };
        return Err(Error::new(Exit::Spec, message)
            .hint("name a csv with them in a table: `expect = \"expected/table.csv\"`"));
    }
    let several = loaded.len() > 1;
    let plans = loaded.iter().map(|loaded| loaded.plan.clone()).collect();
    let (ended, _) = execute(&loaded, plans, &args.how, false, terminal)?;
    let mut audits: Vec<Audit> = Vec::new();
    let Published {
        shown: drawn,
        page,
        apart,
        ..
    } = publish(&loaded, &ended, args.how.json, terminal)?;
    for ((loaded, drawn), printed) in loaded.iter().zip(&drawn).zip(&printed) {
        if ended.exit != Exit::Done {
            continue;
        }
        let tables = drawn.pictures()?.tables.iter();
        for table in tables.filter(|table| table.variant.is_empty()) {
            if let Some(print) = printed.get(&table.name).filter(|print| print.is_there()) {
                let mut audit = print.compare(table)?;
                // Beside others a table goes by its experiment.
                if let (true, 1, Some(title)) = (several, printed.len(), &loaded.spec.title) {
                    audit.title.clone_from(title);
                }
                audits.push(audit);
            }
        }
    }
    // After a failure the summary is all there is to say; otherwise the comparison comes first.
    if !args.how.json && (!args.how.quiet || shortfalls::exit(&ended, ended.exit) != Exit::Done) {
        let folder = folder_of_all(&loaded);
        let resume = args.spec.command("verify", std::iter::empty());
        terminal.note(&summary(&ended.summary, Some(&folder), &resume));
        shown::page(page.as_deref(), apart.as_deref(), &ended, terminal);
        shortfalls::tell(&ended, &args.spec, terminal);
        if !audits.is_empty() {
            terminal.gap();
        }
    }
    if ended.exit != Exit::Done {
        return Ok(ended.exit);
    }
    tell(&audits, several, args, terminal);
    if let Some(file) = &args.write {
        let page = match loaded.as_slice() {
            [_] => {
                let pages: Vec<String> = audits.iter().map(audit::markdown).collect();
                pages.join("\n")
            }
            _ => overview::markdown("Published and computed values", &audits),
        };
        whole::replace(file, page.as_bytes())?;
    }
    let mut all = audits.iter().all(Audit::reproduced);
    if args.accept {
        if shortfalls::exit(&ended, Exit::Done) != Exit::Done {
            return Err(Error::new(
                Exit::Stage,
                "no value was accepted: the run falls short of what was asked",
            )
            .hint("expected values come from whole runs; see above what is missing"));
        }
        let mut tables = Vec::new();
        for (drawn, mut printed) in drawn.iter().zip(printed) {
            let own = drawn.pictures()?.tables.iter();
            let own = own.filter(|table| table.variant.is_empty());
            tables.extend(own.filter_map(|table| Some((table, printed.remove(&table.name)?))));
        }
        let accepted = accept::run(tables, args, terminal)?;
        if accepted.written {
            // The page shows what is expected now.
            publish(&loaded, &ended, true, terminal)?;
        }
        all = if args.dry_run {
            all
        } else {
            accepted.reproduced
        };
    }
    let exit = if all { Exit::Done } else { Exit::NotReproduced };
    Ok(shortfalls::exit(&ended, exit))
}

/// Says how the tables compare: several in an overview, one cell by cell.
fn tell(audits: &[Audit], several: bool, args: &VerifyArgs, terminal: &mut Terminal) {
    if args.how.json {
        for audit in audits {
            let event = json!({
                "event": "verified",
                "table": audit.title,
                "reproduced": audit.reproduced(),
            });
            terminal.json(&event.to_string());
        }
    } else if several {
        terminal.styled(&overview::terminal(
            audits,
            terminal.width,
            terminal.results.color,
        ));
        if args.write.is_none() {
            terminal.note("every cell and every reason on one page: `--write audit.md`");
        }
    } else {
        let drawn = audits.iter();
        let drawn =
            drawn.map(|audit| audit::terminal(audit, terminal.width, terminal.results.color));
        terminal.styled(&drawn.collect::<Vec<_>>().join("\n"));
    }
}
