//! Where a project begins: the folder that holds templates, cache and reports.

use std::path::{Path, PathBuf};

use crate::publish::bundle::MANIFEST;

/// The project a file belongs to: the nearest folder above it with `templates`, `tribunal.local.toml`
/// the manifest of a bundle or `.git` in it, or else the file's own folder.
pub(super) fn root_of(file: &Path) -> PathBuf {
    let own = file.parent().unwrap_or(Path::new(""));
    let absolute = std::path::absolute(own).unwrap_or_else(|_| own.to_owned());
    let marks = ["templates", "tribunal.local.toml", MANIFEST, ".git"];
    let root = absolute
        .ancestors()
        .find(|folder| {
            let there = |mark: &&str| folder.join(mark).symlink_metadata().is_ok();
            marks.iter().any(there)
        })
        .map(Path::to_owned);
    shorter(root.unwrap_or(absolute))
}

/// An experiment's name: where its spec lies below the project's `experiments`, or else below the
/// project, without the ending. So two specs of one file name have reports of their own.
pub(super) fn name_of(spec: &Path) -> String {
    // Nothing is the current folder, which is not absolute in itself.
    let absolute = |path: &Path| {
        let path = Path::new(".").join(path);
        std::path::absolute(&path).unwrap_or(path)
    };
    let file = absolute(spec).with_extension("");
    let root = absolute(&root_of(spec));
    let below = file
        .strip_prefix(root.join("experiments"))
        .or_else(|_| file.strip_prefix(&root));
    let steps: Vec<String> = match below {
        Ok(below) => below
            .components()
            .filter(|step| matches!(step, std::path::Component::Normal(_)))
            .map(|step| step.as_os_str().to_string_lossy().into_owned())
            .collect(),
        Err(_) => Vec::new(),
    };
    if steps.is_empty() {
        let stem = spec.file_stem().unwrap_or_default();
        return stem.to_string_lossy().into_owned();
    }
    steps.join("/")
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
