//! Folders of templates, each read and compiled once however many specs use it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use crate::base::lock::lock;
use crate::base::regular;
use crate::frame::FrameError;
use crate::models::template::Templates;

/// Folders of templates by their paths, and all texts that specs were read from.
#[derive(Default)]
pub(super) struct Shelf {
    folders: Mutex<BTreeMap<PathBuf, Arc<Folder>>>,
    specs: Mutex<BTreeMap<PathBuf, String>>,
    /// Where texts are read from instead of the disk.
    kept: Option<Texts>,
}

/// All texts that specs were read from, as they were when they were read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Texts {
    /// Specs and layers by their paths.
    pub(super) specs: BTreeMap<PathBuf, String>,
    /// Folders of templates: each one's path as messages show it and its text, by its name.
    pub(super) templates: BTreeMap<PathBuf, BTreeMap<String, (String, String)>>,
}

/// A folder of templates.
pub(super) struct Folder {
    /// Each template's path as messages show it, and its text, by its name.
    pub(super) texts: BTreeMap<String, (String, String)>,
    pub(super) templates: Templates,
    /// Why files cannot be read, by the templates' names.
    pub(super) unreadable: BTreeMap<String, String>,
}

impl Shelf {
    /// A shelf that reads what another one had read.
    pub(super) fn of(kept: Texts) -> Self {
        Self {
            kept: Some(kept),
            ..Self::default()
        }
    }

    /// The templates in a folder.
    pub(super) fn folder(&self, path: &Path) -> Arc<Folder> {
        let mut known = lock(&self.folders);
        let folder = known.entry(path.to_owned());
        Arc::clone(folder.or_insert_with(|| {
            Arc::new(match &self.kept {
                Some(kept) => {
                    let texts = kept.templates.get(path).cloned().unwrap_or_default();
                    Folder::of(texts, BTreeMap::new())
                }
                None => Folder::read(path),
            })
        }))
    }

    /// The bytes of a spec or a layer.
    ///
    /// # Errors
    /// As [`regular::read`].
    pub(super) fn spec(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        if let Some(kept) = &self.kept {
            let text = kept.specs.get(path);
            return text
                .map(|text| text.clone().into_bytes())
                .ok_or_else(|| std::io::ErrorKind::NotFound.into());
        }
        let bytes = regular::read(path, regular::SPEC)?;
        // What is no text is told of where it is read, and never gets as far as a job.
        if let Ok(text) = std::str::from_utf8(&bytes) {
            lock(&self.specs).insert(path.to_owned(), text.to_owned());
        }
        Ok(bytes)
    }

    /// Whether anything has the name of a layer, readable or not.
    pub(super) fn has(&self, path: &Path) -> bool {
        match &self.kept {
            Some(kept) => kept.specs.contains_key(path),
            None => is_named(path),
        }
    }

    /// All that was read.
    pub(super) fn texts(&self) -> Texts {
        let folders = lock(&self.folders);
        let templates = folders.iter();
        Texts {
            specs: lock(&self.specs).clone(),
            templates: templates
                .map(|(path, folder)| (path.clone(), folder.texts.clone()))
                .collect(),
        }
    }
}

/// Whether anything has this name, readable or not.
pub(super) fn is_named(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
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
        Self::of(texts, unreadable)
    }

    fn of(texts: BTreeMap<String, (String, String)>, unreadable: BTreeMap<String, String>) -> Self {
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
