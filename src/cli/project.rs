//! Where a project begins: the folder that holds templates, cache and reports.

use std::path::{Path, PathBuf};

/// The project a file belongs to: the nearest folder above it with `templates`, `tribunal.local.toml`
/// or `.git` in it, or else the file's own folder.
pub(super) fn root_of(file: &Path) -> PathBuf {
    let own = file.parent().unwrap_or(Path::new(""));
    let absolute = std::path::absolute(own).unwrap_or_else(|_| own.to_owned());
    let marks = ["templates", "tribunal.local.toml", ".git"];
    let root = absolute
        .ancestors()
        .find(|folder| marks.iter().any(|mark| folder.join(mark).exists()))
        .map(Path::to_owned);
    shorter(root.unwrap_or(absolute))
}

/// A path relative to the current directory where it lies below it: shorter in messages.
pub(super) fn shorter(path: PathBuf) -> PathBuf {
    let Ok(here) = std::env::current_dir() else {
        return path;
    };
    match path.strip_prefix(&here) {
        Ok(rest) => rest.to_owned(),
        Err(_) => path,
    }
}
