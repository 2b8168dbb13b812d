//! `tribunal verify`: our tables against printed ones, cell by cell.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use super::args::VerifyArgs;
use super::exit::{Error, Exit};
use super::load::files_in;
use super::output::Terminal;
use super::reports::{self, Drawn};
use super::run::{execute, resume};
use super::specs::load_all;
use super::whole;
use crate::plan::Plan;
use crate::report::expect::Expected;
use crate::report::notes::Note;
use crate::report::verify::{Audit, verify};
use crate::report::{audit, overview};
use crate::show::summary;
use crate::spec::Spec;
use crate::wording::nearest;

pub(super) fn run(args: &VerifyArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load_all(&args.spec, terminal)?;
    // Before anything runs: a slip in a file name must not cost a run.
    let printed: Vec<BTreeMap<String, Printed<'_>>> = loaded
        .iter()
        .map(|loaded| printed(&loaded.spec))
        .collect::<Result<_, _>>()?;
    if printed.iter().all(BTreeMap::is_empty) {
        let message = match loaded.len() {
            1 => "no table of this spec has printed values",
            _ => "no table of these specs has printed values",
        };
        return Err(Error::new(Exit::Spec, message)
            .hint("name a csv with them in a table: `expect = \"expected/table.csv\"`"));
    }
    let several = loaded.len() > 1;
    let plans = loaded
        .iter()
        .map(|loaded| Plan::new(&loaded.spec))
        .collect();
    let ended = execute(&loaded, plans, &args.how, false, terminal)?;
    let mut audits: Vec<Audit> = Vec::new();
    for ((loaded, finished), printed) in loaded.iter().zip(&ended.parts).zip(&printed) {
        let drawn = reports::draw(&loaded.spec, finished)?;
        reports::write(&loaded.spec, &drawn, finished)?;
        if ended.exit != Exit::Done {
            continue;
        }
        for table in drawn.iter().filter(|table| table.variant.is_empty()) {
            if let Some(print) = printed.get(&table.name) {
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
    if !args.how.json && (!args.how.quiet || ended.exit != Exit::Done) {
        let folder = reports::folder_of_all(&loaded);
        let resume = resume("verify", &args.spec, std::iter::empty());
        terminal.note(&summary(&ended.summary, Some(&folder), &resume));
    }
    if ended.exit != Exit::Done {
        return Ok(ended.exit);
    }
    if args.how.json {
        for audit in &audits {
            let event = json!({
                "event": "verified",
                "table": audit.title,
                "reproduced": audit.reproduced(),
            });
            terminal.json(&event.to_string());
        }
    } else if several {
        terminal.styled(&overview::terminal(
            &audits,
            terminal.width,
            terminal.color_out,
        ));
        if args.write.is_none() {
            terminal.note("every cell and every reason on one page: `--write audit.md`");
        }
    } else {
        for audit in &audits {
            terminal.styled(&audit::terminal(audit, terminal.width, terminal.color_out));
        }
    }
    if let Some(file) = &args.write {
        let page = match loaded.as_slice() {
            [_] => {
                let pages: Vec<String> = audits.iter().map(audit::markdown).collect();
                pages.join("\n")
            }
            _ => overview::markdown("Printed and computed values", &audits),
        };
        whole::replace(file, page.as_bytes())?;
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
