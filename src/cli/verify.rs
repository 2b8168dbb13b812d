//! `tribunal verify`: our tables against printed ones, cell by cell.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use super::args::VerifyArgs;
use super::exit::{Error, Exit};
use super::load::{files_in, load};
use super::output::Terminal;
use super::reports::{self, Drawn};
use super::run::{end, execute, exit, resume};
use super::whole;
use crate::plan::Plan;
use crate::report::audit;
use crate::report::expect::Expected;
use crate::report::notes::Note;
use crate::report::verify::{Audit, verify};
use crate::spec::Spec;
use crate::wording::nearest;

pub(super) fn run(args: &VerifyArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load(&args.spec.spec, &args.spec.sets, terminal)?;
    // Before anything runs: a slip in a file name must not cost a run.
    let printed = printed(&loaded.spec)?;
    if printed.is_empty() {
        return Err(
            Error::new(Exit::Spec, "no table of this spec has printed values")
                .hint("name a csv with them in a table: `expect = \"expected/table.csv\"`"),
        );
    }
    let plan = Plan::new(&loaded.spec);
    let finished = execute(&loaded, plan, &args.how, false, terminal)?;
    let drawn = reports::draw(&loaded.spec, &finished)?;
    reports::write(&loaded.spec, &drawn, &finished)?;
    let ended = exit(&finished.run);
    // After a failure the summary is all there is to say; otherwise the comparison comes first.
    let resume = resume("verify", &args.spec, std::iter::empty());
    if !args.how.quiet || ended != Exit::Done {
        end(&loaded, &finished, &drawn, &args.how, &resume, terminal);
    }
    if ended != Exit::Done {
        return Ok(ended);
    }
    let mut audits: Vec<Audit> = Vec::new();
    for table in &drawn {
        let printed = printed.get(&table.name);
        if let Some(printed) = printed.filter(|_| table.variant.is_empty()) {
            audits.push(printed.compare(table)?);
        }
    }
    for audit in &audits {
        if args.how.json {
            let event = json!({
                "event": "verified",
                "table": audit.title,
                "reproduced": audit.reproduced(),
            });
            terminal.out(&event.to_string());
            continue;
        }
        terminal.out(&audit::terminal(audit, terminal.width, terminal.color_out));
    }
    if let Some(file) = &args.write {
        let pages: Vec<String> = audits.iter().map(audit::markdown).collect();
        whole::replace(file, pages.join("\n").as_bytes())?;
    }
    let all = audits.iter().all(Audit::reproduced);
    Ok(if all { Exit::Done } else { Exit::NotReproduced })
}

/// What was printed of one table, as read.
struct Printed<'s> {
    values: (&'s Path, String),
    notes: Option<(&'s Path, String)>,
}

/// The printed values of every table that has some.
fn printed(spec: &Spec) -> Result<BTreeMap<String, Printed<'_>>, Error> {
    let mut printed = BTreeMap::new();
    for (name, look) in &spec.base.looks {
        if let Some(path) = &look.expect {
            let values = (path.as_path(), text(path)?);
            let notes = match &look.notes {
                Some(path) => Some((path.as_path(), text(path)?)),
                None => None,
            };
            printed.insert(name.clone(), Printed { values, notes });
        }
    }
    Ok(printed)
}

impl Printed<'_> {
    fn compare(&self, table: &Drawn) -> Result<Audit, Error> {
        let problems = |path: &Path, problems: &crate::report::Problems| {
            let lines: Vec<String> = problems
                .0
                .iter()
                .map(|problem| format!("`{}`: {problem}", path.display()))
                .collect();
            Error::new(Exit::Spec, lines.join("\n"))
        };
        let (path, text) = &self.values;
        let expected =
            Expected::parse(text, &table.layout).map_err(|found| problems(path, &found))?;
        let notes = match &self.notes {
            Some((path, text)) => Note::parse(text, &table.layout, &expected)
                .map_err(|found| problems(path, &found))?,
            None => Vec::new(),
        };
        Ok(verify(&table.cells, &table.layout, &expected, &notes))
    }
}

fn text(path: &Path) -> Result<String, Error> {
    let bytes = fs_err::read(path).map_err(|error| {
        if error.kind() != std::io::ErrorKind::NotFound {
            return Error::new(Exit::Spec, error.to_string());
        }
        let missing = Error::new(Exit::Spec, format!("there is no file `{}`", path.display()));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match nearest(&name, &files_in(path.parent().unwrap_or(Path::new("")))) {
            Some(near) => missing.hint(format!("did you mean `{near}`?")),
            None => missing.hint("check `expect` and `notes` of the tables"),
        }
    })?;
    crate::frame::FrameError::decode(&bytes)
        .map(str::to_owned)
        .map_err(|error| Error::new(Exit::Spec, format!("`{}`: {error}", path.display())))
}
