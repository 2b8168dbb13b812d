//! Files an experiment depends on: which they are, and the digests of their bytes.
//!
//! Digests are taken once, before anything runs. When a file is read later and has other bytes, the
//! run stops: a result must not be filed under a key that describes something else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use globset::GlobBuilder;
use thiserror::Error;

use crate::key::Digest;
use crate::plan::Node;
use crate::spec::Provider;
use crate::stage::Stage;
use crate::wording::{did_you_mean, some_of};

/// A file cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FileError {
    /// Nothing fits a name or pattern.
    #[error("{} `{}`{}", if is_pattern(pattern) { "no file fits" } else { "there is no file" }, pattern.display(), near)]
    NoMatch {
        /// What was looked for.
        pattern: PathBuf,
        /// `, did you mean …?`, or nothing.
        near: String,
    },
    /// A pattern that is not one.
    #[error("`{}` is not a pattern: {why}", pattern.display())]
    BadPattern {
        /// The pattern.
        pattern: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A folder where a file is needed.
    #[error("`{}` is a folder: name the files in it, as `{}/*.txt`", path.display(), path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error("{0}")]
    Io(String),
    /// It changed while the experiment ran.
    #[error("`{}` changed while the experiment ran", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

/// Whether a path holds wildcards.
fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[', '{'])
}

/// The files that a name or pattern stands for, sorted.
///
/// # Errors
/// When there is none, naming the nearest file of that folder.
pub fn expand(pattern: &Path) -> Result<Vec<PathBuf>, FileError> {
    let text = pattern.to_string_lossy();
    if pattern.is_dir() {
        return Err(FileError::Folder {
            path: pattern.to_owned(),
        });
    }
    if !is_pattern(pattern) || pattern.is_file() {
        return if pattern.is_file() {
            Ok(vec![pattern.to_owned()])
        } else {
            Err(no_match(pattern))
        };
    }
    let matcher = GlobBuilder::new(&text)
        .literal_separator(true)
        .build()
        .map_err(|error| FileError::BadPattern {
            pattern: pattern.to_owned(),
            why: error.kind().to_string(),
        })?
        .compile_matcher();
    // The part before the first wildcard says where to look.
    let fixed: PathBuf = pattern
        .components()
        .take_while(|part| {
            !part
                .as_os_str()
                .to_string_lossy()
                .contains(['*', '?', '[', '{'])
        })
        .collect();
    let mut found = Vec::new();
    walk(&fixed, &mut |path| {
        if matcher.is_match(path) {
            found.push(path.to_owned());
        }
    });
    found.sort();
    if found.is_empty() {
        Err(no_match(pattern))
    } else {
        Ok(found)
    }
}

fn walk(folder: &Path, visit: &mut dyn FnMut(&Path)) {
    // A folder that cannot be listed holds nothing that fits; the caller reports that nothing does.
    let Ok(entries) = fs_err::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, visit);
        } else {
            visit(&path);
        }
    }
}

fn no_match(pattern: &Path) -> FileError {
    let name = pattern
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let folder = match pattern.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let near = match fs_err::read_dir(folder) {
        Ok(entries) => {
            let mut names: Vec<String> = entries
                .flatten()
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect();
            names.sort();
            if name.contains(['*', '?', '[', '{']) {
                match names.as_slice() {
                    [] => ": the folder is empty".to_owned(),
                    names => format!(": the folder holds {}", some_of(names)),
                }
            } else {
                did_you_mean(&name, &names)
            }
        }
        Err(_) => format!(": there is no folder `{}`", folder.display()),
    };
    FileError::NoMatch {
        pattern: pattern.to_owned(),
        near,
    }
}

/// Digests by path, each taken once per run.
#[derive(Debug, Default)]
pub(super) struct Files {
    digests: Mutex<BTreeMap<PathBuf, Digest>>,
}

impl Files {
    /// The digest of a file's bytes, as they were when first asked for.
    pub(super) fn digest(&self, path: &Path) -> Result<Digest, FileError> {
        if let Some(digest) = self.known(path) {
            return Ok(digest);
        }
        let bytes = fs_err::read(path).map_err(|error| FileError::Io(error.to_string()))?;
        let digest = Digest::of(&bytes);
        self.digests
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .insert(path.to_owned(), digest);
        Ok(digest)
    }

    /// A file's bytes, if they are still what they were.
    pub(super) fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        let bytes = fs_err::read(path).map_err(|error| FileError::Io(error.to_string()))?;
        match self.known(path) {
            Some(digest) if digest != Digest::of(&bytes) => Err(FileError::Changed {
                path: path.to_owned(),
            }),
            _ => Ok(bytes),
        }
    }

    fn known(&self, path: &Path) -> Option<Digest> {
        self.digests
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .get(path)
            .copied()
    }

    /// The digests that a node's key needs, by what the file is to it: its name where that names a
    /// document, its position where it does not.
    pub(super) fn of(&self, node: &Node) -> Result<BTreeMap<String, Digest>, FileError> {
        let mut digests = BTreeMap::new();
        match &*node.stage {
            Stage::Source(source) => {
                for path in source_files(&source.files)? {
                    let mut role = role(&path, digests.len());
                    // Files of one name in several folders all count.
                    while digests.contains_key(&role) {
                        role.push('+');
                    }
                    digests.insert(role, self.digest(&path)?);
                }
                if let Some(path) = &source.metadata {
                    if !path.is_file() {
                        return Err(no_match(path));
                    }
                    digests.insert("metadata".to_owned(), self.digest(path)?);
                }
            }
            Stage::Judge(judge) => match &judge.model.provider {
                Provider::Recorded { files, .. } => {
                    for path in source_files(files)? {
                        let role = format!("recorded {}", digests.len());
                        digests.insert(role, self.digest(&path)?);
                    }
                }
                Provider::Scripted { script } => {
                    let [path] = &*expand(script)? else {
                        return Err(no_match(script));
                    };
                    digests.insert("script".to_owned(), self.digest(path)?);
                }
                Provider::Heuristic(_) => {}
            },
            Stage::Select(_) | Stage::Truncate(_) | Stage::Stats(_) | Stage::Table(_) => {}
        }
        Ok(digests)
    }
}

/// All files that several names or patterns stand for, each once.
pub(super) fn source_files(patterns: &[PathBuf]) -> Result<Vec<PathBuf>, FileError> {
    let mut all = Vec::new();
    for pattern in patterns {
        for path in expand(pattern)? {
            if !all.contains(&path) {
                all.push(path);
            }
        }
    }
    Ok(all)
}

/// A text file's name becomes a document's id and so belongs to the key; a table's name does not.
fn role(path: &Path, position: usize) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match crate::stage::Format::of(&name) {
        Some(crate::stage::Format::Text) => format!("file {name}"),
        _ => format!("table {position}"),
    }
}
