//! Folders of templates, each read and compiled once however many specs use it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::base::lock::lock;
use crate::base::regular;
use crate::frame::FrameError;
use crate::models::template::Templates;

/// Folders of templates by their paths.
#[derive(Default)]
pub(super) struct Shelf(Mutex<BTreeMap<PathBuf, Arc<Folder>>>);

/// A folder of templates.
pub(super) struct Folder {
    /// Each template's path as messages show it, and its text, by its name.
    pub(super) texts: BTreeMap<String, (String, String)>,
    pub(super) templates: Templates,
    /// Why files cannot be read, by the templates' names.
    pub(super) unreadable: BTreeMap<String, String>,
}

impl Shelf {
    /// The templates in a folder.
    pub(super) fn folder(&self, path: &Path) -> Arc<Folder> {
        let mut known = lock(&self.0);
        let folder = known.entry(path.to_owned());
        Arc::clone(folder.or_insert_with(|| Arc::new(Folder::read(path))))
    }
}

impl Folder {
    fn read(folder: &Path) -> Self {
        let mut texts = BTreeMap::new();
        let mut unreadable = BTreeMap::new();
        for (name, path) in template_files(folder) {
            match regular::read(&path, regular::TEMPLATE) {
                Ok(bytes) => match FrameError::decode(&bytes) {
                    Ok(text) => {
                        let shown = path.to_string_lossy().into_owned();
                        texts.insert(name, (shown, text.to_owned()));
                    }
                    Err(error) => {
                        unreadable.insert(name, format!("`{}`: {error}", path.display()));
                    }
                },
                Err(error) => {
                    unreadable.insert(name, format!("`{}`: {error}", path.display()));
                }
            }
        }
        let named = texts.iter();
        let templates = Templates::new(
            named
                .map(|(name, (_, text))| (name.clone(), text.clone()))
                .collect(),
        );
        Self {
            texts,
            templates,
            unreadable,
        }
    }
}

fn template_files(base: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut open = vec![base.to_owned()];
    // A link may lead back to where it stands.
    let mut seen = BTreeSet::new();
    while let Some(folder) = open.pop() {
        let new = fs_err::canonicalize(&folder).is_ok_and(|real| seen.insert(real));
        let Some(entries) = new.then(|| fs_err::read_dir(&folder).ok()).flatten() else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "j2") {
                let relative = path.strip_prefix(base).unwrap_or(&path).with_extension("");
                found.push((relative.to_string_lossy().replace('\\', "/"), path));
            }
        }
    }
    found.sort();
    found
}
