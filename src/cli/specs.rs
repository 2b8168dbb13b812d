//! Which specs a command is about: files, and folders of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::args::{ChangeArgs, SpecsArgs};
use super::load::{Checked, environment, read_with};
use super::output::Terminal;
use super::shelf::Shelf;
use crate::base::exit::{Error, Exit};
use crate::engine::{Loaded, has_title};
use crate::publish::settle;

/// The specs that arguments name: files as they are, and of a folder every spec that stands directly in it and has
/// a `title` of its own, which tells an experiment from a layer.
pub(super) fn resolve(named: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut specs = Vec::new();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    for path in named {
        let found = if path.is_dir() {
            experiments(path)?
        } else {
            vec![path.clone()]
        };
        // A spec that is named twice, or beside its folder, is meant once.
        let new = |spec: &PathBuf| seen.insert(fs_err::canonicalize(spec).unwrap_or(spec.clone()));
        specs.extend(found.into_iter().filter(new));
    }
    Ok(specs)
}

/// The experiments in a folder, `table-2` before `table-10`.
fn experiments(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs_err::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut found = entries.collect::<Result<Vec<PathBuf>, Error>>()?;
    found.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let mut found: Vec<PathBuf> = found
        .into_par_iter()
        .filter(|path| has_title(path))
        .collect();
    if found.is_empty() {
        return Err(Error::new(
            Exit::Usage,
            format!("no spec in `{}` has a `title`", folder.display()),
        )
        .hint("of a folder, files without a `title` are taken for layers and skipped"));
    }
    found.sort_by_cached_key(|path| natural(&path.to_string_lossy()));
    Ok(found)
}

/// A name in pieces by which `2` sorts before `10`: what stands before each number, and the number.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut pieces = vec![(String::new(), 0_u64)];
    let mut in_number = false;
    for c in name.chars() {
        let digit = c.to_digit(10);
        if digit.is_none() && in_number {
            pieces.push((String::new(), 0));
        }
        in_number = digit.is_some();
        if let Some((words, number)) = pieces.last_mut() {
            match digit {
                Some(digit) => *number = number.saturating_mul(10).saturating_add(digit.into()),
                None => words.push(c),
            }
        }
    }
    pieces
}

/// Reads and checks all specs; the problems of all are drawn, and errors among them end the command.
pub(super) fn load_all(args: &SpecsArgs, terminal: &mut Terminal) -> Result<Vec<Loaded>, Error> {
    let specs = resolve(&args.specs)?;
    load_from(
        &specs,
        &args.changes,
        &environment(),
        &Shelf::default(),
        terminal,
    )
}

/// The same, from the texts of a shelf and with these variables.
pub(super) fn load_from(
    specs: &[PathBuf],
    changes: &ChangeArgs,
    env: &[(String, String)],
    shelf: &Shelf,
    terminal: &Terminal,
) -> Result<Vec<Loaded>, Error> {
    let checked: Vec<Checked> = specs
        .par_iter()
        .map(|spec| read_with(spec, changes, env, shelf))
        .collect();
    let mut all = Vec::with_capacity(checked.len());
    let mut told = BTreeSet::new();
    let mut errors = String::new();
    for one in checked {
        let drawn = one.problems.render(&one.sources, terminal.style());
        match one.loaded {
            Some(loaded) if !one.problems.has_errors() => {
                // What several specs inherit from one layer is told once.
                let new = told.insert(drawn.clone());
                let warnings = if new { drawn } else { String::new() };
                all.push(Loaded { warnings, ..loaded });
            }
            _ if told.insert(drawn.clone()) => errors.push_str(&drawn),
            _ => {}
        }
    }
    if !errors.is_empty() {
        return Err(Error::drawn(Exit::Spec, errors));
    }
    same_project(&all)?;
    settle(&mut all, changes.trust)?;
    Ok(all)
}

/// Specs that are run together are of one project and share a cache and templates.
fn same_project(all: &[Loaded]) -> Result<(), Error> {
    let of = |loaded: &Loaded| {
        let folders = &loaded.spec.folders;
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        [&folders.cache, &folders.templates, &loaded.root].map(|path| absolute(path))
    };
    match all.iter().find(|other| of(other) != of(&all[0])) {
        None => Ok(()),
        Some(other) => Err(Error::new(
            Exit::Usage,
            format!(
                "`{}` and `{}` are of different projects, or have different folders for `cache` or `templates`",
                all[0].spec.name, other.spec.name
            ),
        )
        .hint("run them one by one")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_their_numbers() {
        let mut names = [
            "table-a-12",
            "table-3-10",
            "table-a-4",
            "table-3-2",
            "table",
        ];
        names.sort_by_cached_key(|name| natural(name));
        assert_eq!(
            names,
            [
                "table",
                "table-3-2",
                "table-3-10",
                "table-a-4",
                "table-a-12"
            ]
        );
    }
}
