//! Columns and files that a spec's stages read, checked against what exists, before anything runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::heads::{OfFile, heads, is_elsewhere, is_there};
use super::interrupt::Interrupt;
use super::loaded::Loaded;
use super::search::missing_folder;
use crate::base::regular;
use crate::frame::FrameError;
use crate::output::report::Layout;
use crate::output::report::expect::Expected;
use crate::plan::{Plan, problem};
use crate::spec::{Label, Problem, Problems, Style};
use crate::stage::{Kind, Mistake, Stage, StageName, Table};

/// Everything that a plan of this spec reads and that is not there: files, and columns that no stage gives. With
/// `elsewhere`, named folders may be on another machine. An interruption ends the search for files, and with it the check.
pub fn lacking(loaded: &Loaded, plan: &Plan, elsewhere: bool, stop: &Interrupt) -> Problems {
    let folders = &loaded.spec.folders;
    let (heads, files) = heads(plan, &loaded.absent, folders, elsewhere, stop);
    let mut of_files = Vec::new();
    for OfFile {
        stage,
        mistake,
        folder,
    } in files
    {
        // A file of a model is one mistake, however many stages call it.
        let model = match mistake.at.0.as_slice() {
            [first, model, ..] if first == "models" => Some(model.clone()),
            _ => None,
        };
        let message = model.map(|model| format!("model `{model}`: {}", mistake.message));
        let mut problem = problem(&loaded.layers, &stage, mistake);
        problem.message = message.unwrap_or(problem.message);
        of_files.push((problem, folder));
    }
    of_files.extend(published(loaded, plan, elsewhere));
    let mut problems = Problems::new();
    problems.extend(by_folder(of_files));
    problems.extend(plan.check(&loaded.layers, &heads));
    problems.extend(no_folder(loaded));
    problems
}

/// Files of one folder that is not there are one mistake, at all places that name them.
fn by_folder(found: Vec<(Problem, Option<PathBuf>)>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut folders: IndexMap<(PathBuf, Option<String>), Vec<Problem>> = IndexMap::new();
    for (problem, folder) in found {
        match folder {
            Some(folder) => {
                let same = folders.entry((folder, problem.help.clone()));
                same.or_default().push(problem);
            }
            None => problems.push(problem),
        }
    }
    for ((folder, help), of_folder) in folders {
        let labels = of_folder.iter().flat_map(|problem| problem.labels.clone());
        let mut labels: Vec<Label> = labels.collect();
        labels.sort_by_key(|label| (label.place.source, label.place.span.start));
        labels.dedup();
        if labels.len() < 2 {
            problems.extend(of_folder);
            continue;
        }
        let message = format!(
            "there is no folder `{}`, where {} settings look for files",
            folder.display(),
            labels.len()
        );
        problems.push(Problem {
            labels,
            help,
            ..Problem::error("lint::file", message)
        });
    }
    problems
}

/// Published values and notes on them that are not there, and folders that are not there either.
fn published(loaded: &Loaded, plan: &Plan, elsewhere: bool) -> Vec<(Problem, Option<PathBuf>)> {
    let mut problems = Vec::new();
    for (name, look) in &loaded.spec.base.looks {
        let stage = StageName::new(Kind::Table, name);
        let Some(node) = plan.nodes.iter().find(|node| node.name == stage) else {
            continue;
        };
        for (step, file) in [("expect", &look.expect), ("notes", &look.notes)] {
            let Some(file) = file else { continue };
            if elsewhere && is_elsewhere(file, &loaded.spec.folders) {
                continue;
            }
            let steps = vec![step.to_owned()];
            if let Err(lack) = is_there(file, steps, &loaded.absent, &loaded.spec.folders) {
                problems.push((problem(&loaded.layers, &stage, *lack), missing_folder(file)));
            } else if let (Stage::Table(table), "expect") = (&*node.stage, step) {
                let lacks = unfit(file, table).into_iter();
                problems.extend(lacks.map(|lack| (problem(&loaded.layers, &stage, lack), None)));
            }
        }
    }
    problems
}

/// What in a file of published values does not fit the table that it is held against.
fn unfit(file: &Path, table: &Table) -> Vec<Mistake> {
    let layout = Layout {
        rows: table.rows.clone(),
        columns: table.columns.clone(),
        ..Layout::default()
    };
    // That a file cannot be read is told where it is compared.
    let Ok(bytes) = regular::read(file, regular::TEXT) else {
        return Vec::new();
    };
    let Ok(text) = FrameError::decode(&bytes) else {
        return Vec::new();
    };
    // An empty one is to be filled by `verify --accept`; `verify` alone refuses it before anything runs.
    if text.trim().is_empty() {
        return Vec::new();
    }
    let found = Expected::parse(text, &layout).err();
    let found = found.into_iter().flat_map(|problems| problems.0);
    found
        .map(|found| Mistake {
            place: None,
            code: "lint::expected-values",
            at: (vec!["expect".to_owned()], None),
            message: format!(
                "`{}`, line {}, column {}: {}",
                file.display(),
                found.line,
                found.column,
                found.what
            ),
            label: "does not fit the table",
            help: found.repair,
        })
        .collect()
}

/// A folder for reports that cannot be one, because something else has its name.
fn no_folder(loaded: &Loaded) -> Option<Problem> {
    let folder = loaded.spec.report_folder();
    let there = folder
        .ancestors()
        .find(|path| path.symlink_metadata().is_ok())?;
    if there.is_dir() {
        return None;
    }
    let message = format!(
        "reports cannot be written to `{}`: `{}` is no folder",
        folder.display(),
        there.display()
    );
    let at = ["paths".to_owned(), "reports".to_owned()];
    let place = loaded
        .layers
        .tree()
        .get(&at)
        .and_then(|tree| tree.place().cloned());
    Some(
        Problem::error("lint::file", message)
            .label_at(place, "named here")
            .help(
                "remove or rename it, or name another folder: `reports = \"...\"` under `[paths]`",
            ),
    )
}

/// What is to be drawn of the mistakes of several specs, each once; nothing if there are none.
pub fn lacking_drawn(loaded: &[Loaded], plans: &[Plan], style: Style, stop: &Interrupt) -> String {
    let mut told = BTreeSet::new();
    let mut text = String::new();
    for (loaded, plan) in loaded.iter().zip(plans) {
        let found = lacking(loaded, plan, false, stop);
        let sources = loaded.layers.sources();
        text.push_str(
            &found
                .not_yet_told(&mut told, sources, style)
                .render(sources, style),
        );
    }
    text
}
