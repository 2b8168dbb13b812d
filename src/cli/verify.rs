//! `tribunal verify`: our tables against printed ones, cell by cell.

use std::path::Path;

use super::args::VerifyArgs;
use super::exit::{Error, Exit};
use super::load::load;
use super::output::Terminal;
use super::reports::{self, Drawn};
use super::run::{execute, exit};
use super::whole;
use crate::plan::Plan;
use crate::report::audit;
use crate::report::expect::Expected;
use crate::report::notes::Note;
use crate::report::verify::{Audit, verify};
use crate::spec::Spec;

pub(super) fn run(args: &VerifyArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load(&args.spec.spec, &args.spec.sets, terminal)?;
    let finished = execute(&loaded, Plan::new(&loaded.spec), &args.how, terminal)?;
    let ended = exit(&finished.run);
    if ended != Exit::Done {
        return Ok(ended);
    }
    let drawn = reports::draw(&loaded.spec, &finished)?;
    reports::write(&loaded.spec, &drawn)?;
    let mut audits: Vec<Audit> = Vec::new();
    for table in &drawn {
        audits.extend(compare(&loaded.spec, table)?);
    }
    if audits.is_empty() {
        return Err(
            Error::new(Exit::Spec, "no table of this spec has printed values")
                .hint("name a csv with them in a table: `expect = \"expected/table.csv\"`"),
        );
    }
    for audit in &audits {
        terminal.out(&audit::terminal(audit, terminal.width, terminal.color_out));
    }
    if let Some(file) = &args.write {
        let pages: Vec<String> = audits.iter().map(audit::markdown).collect();
        whole::replace(file, pages.join("\n").as_bytes())?;
    }
    let all = audits.iter().all(Audit::reproduced);
    Ok(if all { Exit::Done } else { Exit::NotReproduced })
}

/// A table against its printed values; nothing for a table without them, or of an ablation.
fn compare(spec: &Spec, table: &Drawn) -> Result<Option<Audit>, Error> {
    let look = &spec.base.looks[&table.name];
    let Some(path) = look.expect.as_ref().filter(|_| table.variant.is_empty()) else {
        return Ok(None);
    };
    let problems = |path: &Path, problems: &crate::report::Problems| {
        let lines: Vec<String> = problems
            .0
            .iter()
            .map(|problem| format!("{}: {problem}", path.display()))
            .collect();
        Error::new(Exit::Spec, lines.join("\n"))
    };
    let expected =
        Expected::parse(&text(path)?, &table.layout).map_err(|found| problems(path, &found))?;
    let notes = match &look.notes {
        Some(path) => Note::parse(&text(path)?, &table.layout, &expected)
            .map_err(|found| problems(path, &found))?,
        None => Vec::new(),
    };
    Ok(Some(verify(&table.cells, &table.layout, &expected, &notes)))
}

fn text(path: &Path) -> Result<String, Error> {
    let bytes = fs_err::read(path).map_err(|error| Error::new(Exit::Spec, error.to_string()))?;
    crate::frame::FrameError::decode(&bytes)
        .map(str::to_owned)
        .map_err(|error| Error::new(Exit::Spec, format!("`{}`: {error}", path.display())))
}
