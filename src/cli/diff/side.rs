//! One side of a comparison: where reports lie, on disk or in git, and reading them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::super::args::ChangeArgs;
use super::super::git::Repository;
use super::super::load::load;
use super::super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::paths::names_in;
use crate::base::regular;
use crate::base::wording::nearest;
use crate::output::report::told::{self, Told};
use crate::publish::{RECORD, TABLES};

/// Where reports lie.
pub(super) struct Place {
    /// How it is named to people.
    pub(super) shown: String,
    /// The folder of one experiment, or one above those of several.
    folder: PathBuf,
    /// The commit that it is looked at in, and where that is; on disk, if there is none.
    commit: Option<(Arc<Repository>, String)>,
    /// The ablation that is meant.
    pub(super) variant: Option<String>,
}

/// What is kept of a run.
pub(super) struct Experiment {
    pub(super) record: Value,
    pub(super) tables: Vec<Told>,
}

/// Both sides; one that is a revision alone is the other's folder in that revision.
pub(super) fn both(a: &Path, b: &Path, terminal: &mut Terminal) -> Result<(Place, Place), Error> {
    match (on_disk(a, terminal)?, on_disk(b, terminal)?) {
        (Some(a), Some(b)) => Ok((a, b)),
        (Some(on_disk), None) => {
            if let Some(ablation) = on_disk.ablation(b) {
                return Ok((on_disk, ablation));
            }
            let b = in_git(b, Some(&on_disk))?;
            Ok((on_disk, b))
        }
        (None, Some(on_disk)) => Ok((in_git(a, Some(&on_disk))?, on_disk)),
        // `HEAD~1:reports/x HEAD`
        (None, None) if a.to_string_lossy().contains(':') => {
            let a = in_git(a, None)?;
            let b = in_git(b, Some(&a))?;
            Ok((a, b))
        }
        (None, None) => {
            let b = in_git(b, None)?;
            Ok((in_git(a, Some(&b))?, b))
        }
    }
}

/// What a path on disk stands for; `None` where nothing is there.
fn on_disk(named: &Path, terminal: &mut Terminal) -> Result<Option<Place>, Error> {
    let place = |folder: PathBuf, variant: Option<String>| {
        Some(Place {
            shown: named.display().to_string(),
            folder,
            commit: None,
            variant,
        })
    };
    if named.is_file() {
        let ending = named.extension().and_then(|ending| ending.to_str());
        if ending == Some("toml") {
            let loaded = load(named, &ChangeArgs::default(), terminal)?;
            return Ok(place(loaded.spec.report_folder(), None));
        }
        if named.file_name().is_some_and(|name| name == RECORD) {
            return Ok(place(parent(named), None));
        }
        return Err(Error::new(
            Exit::Usage,
            format!("`{}` is neither a spec nor a `{RECORD}`", named.display()),
        )
        .hint("name a report folder such as `reports/quickstart`, a spec, or a `run.json`"));
    }
    if !named.is_dir() {
        return Ok(None);
    }
    let above = std::path::absolute(named)?;
    if !named.join(RECORD).is_file()
        && let (Some(folder), Some(name)) = (above.parent(), above.file_name())
        && folder.join(RECORD).is_file()
    {
        return Ok(place(
            folder.to_owned(),
            Some(name.to_string_lossy().into_owned()),
        ));
    }
    // A checkout, or an unpacked bundle.
    let inside = named.join("reports");
    if !named.join(RECORD).is_file() && inside.is_dir() {
        return Ok(place(inside, None));
    }
    Ok(place(named.to_owned(), None))
}

/// What a revision, or `REVISION:FOLDER`, stands for.
fn in_git(named: &Path, other: Option<&Place>) -> Result<Place, Error> {
    let text = named.to_string_lossy();
    let (revision, folder) = match text.split_once(':') {
        Some((revision, folder)) => (revision, Some(PathBuf::from(folder))),
        None => (&*text, None),
    };
    let folder = folder.or_else(|| Some(other?.folder.clone()));
    let near = folder.as_deref().map_or(Path::new("."), existing);
    let known = match Repository::around(near) {
        Some(there) => {
            let commit = there.commit(revision);
            answered(&there)?;
            commit.map(|commit| (Arc::new(there), commit))
        }
        None => None,
    };
    let (Some((repository, commit)), Some(folder)) = (known, folder) else {
        let missing = Error::new(
            Exit::Usage,
            format!("`{text}` is neither a report folder, a spec nor a revision in git"),
        );
        let name = named.file_name().unwrap_or_default().to_string_lossy();
        let hint = match nearest(&name, &names_in(&parent(named))) {
            Some(near) => {
                let near = named.with_file_name(near);
                format!("did you mean `{}`?", near.display())
            }
            None => {
                "a folder is such as `reports/quickstart`, a revision such as `HEAD`".to_owned()
            }
        };
        return Err(missing.hint(hint));
    };
    let short: String = commit.chars().take(10).collect();
    let what = match other {
        Some(other) if other.commit.is_none() => other.shown.clone(),
        _ => folder.display().to_string(),
    };
    let shown = if text.contains(':') {
        format!("{text} (commit {short})")
    } else {
        format!("{what} in {revision} (commit {short})")
    };
    Ok(Place {
        shown,
        folder,
        commit: Some((repository, commit)),
        variant: other.and_then(|other| other.variant.clone()),
    })
}

/// Sees that what is not there is not what git did not say.
fn answered(repository: &Repository) -> Result<(), Error> {
    match repository.silence() {
        Some(why) => Err(Error::new(Exit::Broken, why)),
        None => Ok(()),
    }
}

impl Place {
    /// What a name alone stands for that an ablation of this experiment has.
    fn ablation(&self, named: &Path) -> Option<Self> {
        let name = named.to_str().filter(|name| !name.contains('/'))?;
        let there = self.folder.join(RECORD).is_file() && self.folder.join(name).is_dir();
        there.then(|| Self {
            shown: format!("{} ({name})", self.shown),
            folder: self.folder.clone(),
            commit: None,
            variant: Some(name.to_owned()),
        })
    }

    /// The experiments here, by their folders; one with an empty name, if this is an experiment's own folder.
    pub(super) fn experiments(&self) -> Result<Vec<String>, Error> {
        let mut names: Vec<String> = match &self.commit {
            Some((repository, commit)) => {
                let found = self.listed(repository, commit);
                answered(repository)?;
                found
            }
            None => {
                let mut found = Vec::new();
                collect(&self.folder, &self.folder, &mut found);
                found
            }
        };
        names.sort();
        if names.iter().any(String::is_empty) {
            return Ok(vec![String::new()]);
        }
        if !names.is_empty() {
            return Ok(names);
        }
        Err(match &self.commit {
            None => Error::new(
                Exit::Usage,
                format!("there is no `{RECORD}` in `{}` or below it", self.folder.display()),
            )
            .hint("`tribunal run` writes the reports of an experiment"),
            Some((_, commit)) => Error::new(
                Exit::Usage,
                format!(
                    "commit {} has no reports in `{}`",
                    commit.chars().take(10).collect::<String>(),
                    self.folder.display()
                ),
            )
            .hint(format!(
                "commit them to compare with them later (a `.gitignore` may leave them out), or keep a copy \
before a change: `cp -r {} before`",
                self.folder.display()
            )),
        })
    }

    /// The folders with a record in a commit.
    fn listed(&self, repository: &Repository, commit: &str) -> Vec<String> {
        let prefix = match repository.below(&self.folder) {
            Some(below) if !below.is_empty() => format!("{below}/"),
            _ => String::new(),
        };
        let names = repository.files(commit, &self.folder);
        let records = names.iter().filter_map(|name| {
            let name = name.strip_prefix(&prefix)?;
            match name.strip_suffix(RECORD)? {
                "" => Some(String::new()),
                folder => Some(folder.strip_suffix('/')?.to_owned()),
            }
        });
        records.collect()
    }

    /// Reads what is kept of an experiment.
    pub(super) fn experiment(&self, name: &str) -> Result<Experiment, Error> {
        let file = |file: &str| match name {
            "" => file.to_owned(),
            name => format!("{name}/{file}"),
        };
        let shown = |file: &str| self.folder.join(file).display().to_string();
        let record = file(RECORD);
        let bytes = self.read(&record)?.unwrap_or_default();
        let damaged = |file: &str, why: &str| damaged(&self.folder.join(file), why);
        let value: Value =
            serde_json::from_slice(&bytes).map_err(|error| damaged(&record, &error.to_string()))?;
        if !(value["spec"].is_object() && value["nodes"].is_array()) {
            return Err(Error::new(
                Exit::Usage,
                format!(
                    "`{}` is not the record of a run of tribunal",
                    shown(&record)
                ),
            )
            .hint("it has no `spec` and `nodes`"));
        }
        let tables = file(TABLES);
        let has_tables = value["nodes"].as_array().into_iter().flatten().any(|node| {
            node["node"]
                .as_str()
                .is_some_and(|name| name.starts_with("table."))
                && !node["output"].is_null()
        });
        let tables = match self.read(&tables)? {
            Some(bytes) => std::str::from_utf8(&bytes)
                .map_err(|error| error.to_string())
                .and_then(told::read)
                .map_err(|why| damaged(&tables, &why))?,
            None if has_tables => {
                return Err(Error::new(
                    Exit::Usage,
                    format!("there is no `{}` next to the record", shown(&tables)),
                )
                .hint("an earlier version wrote none: run the experiment again; cached results are not recomputed"));
            }
            None => Vec::new(),
        };
        if let Some(variant) = self.variant.as_ref().filter(|variant| !variant.is_empty())
            && !tables.iter().any(|table| table.variant == *variant)
        {
            return Err(Error::new(
                Exit::Usage,
                format!(
                    "`{}` has no ablation `{variant}` with tables",
                    self.folder.display()
                ),
            ));
        }
        Ok(Experiment {
            record: value,
            tables,
        })
    }

    /// A file below the folder; `None` if it is not there.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        if let Some((repository, commit)) = &self.commit {
            let bytes = repository.bytes(commit, &self.folder.join(name));
            answered(repository)?;
            return Ok(bytes);
        }
        let path = self.folder.join(name);
        match regular::read(&path, regular::DATA) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(damaged(&path, &error.to_string())),
        }
    }
}

fn damaged(path: &Path, why: &str) -> Error {
    Error::new(
        Exit::Usage,
        format!("`{}` cannot be read: {why}", path.display()),
    )
    .hint("delete it and run the experiment again: cached results are not recomputed")
}

/// The folders with a record, below one.
fn collect(root: &Path, folder: &Path, found: &mut Vec<String>) {
    if folder.join(RECORD).is_file() {
        let below = folder.strip_prefix(root).unwrap_or(Path::new(""));
        let steps = below
            .components()
            .map(|step| step.as_os_str().to_string_lossy().into_owned());
        found.push(steps.collect::<Vec<_>>().join("/"));
    }
    for name in names_in(folder) {
        let path = folder.join(name);
        if path.is_dir() && !path.is_symlink() {
            collect(root, &path, found);
        }
    }
}

/// The nearest folder above a path that is there.
fn existing(path: &Path) -> &Path {
    let there = path.ancestors().find(|folder| folder.is_dir());
    there.unwrap_or(Path::new("."))
}

fn parent(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new(".")).to_owned()
}
