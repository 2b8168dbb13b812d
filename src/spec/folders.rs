//! Where things lie, and how names of files are made absolute. In no key.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

/// The project's folders and the named ones of the spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// Results of nodes and calls.
    pub cache: PathBuf,
    /// Tables and records.
    pub reports: PathBuf,
    /// Prompt templates.
    pub templates: PathBuf,
    /// Folders by the name used in `{name}`.
    pub named: IndexMap<String, PathBuf>,
}

impl Folders {
    /// The project's folders under `root`, moved where the spec's `paths` say so (already absolute
    /// or relative to the current directory).
    pub fn new(root: &Path, named: IndexMap<String, PathBuf>) -> Self {
        let folder = |name: &str| named.get(name).cloned().unwrap_or_else(|| root.join(name));
        Self {
            cache: folder("cache"),
            reports: folder("reports"),
            templates: folder("templates"),
            named,
        }
    }

    /// A file name of the spec as a path: `{name}` in front is replaced by that folder, anything
    /// else is relative to `base`.
    ///
    /// # Errors
    /// The unknown name in braces.
    pub fn resolve(&self, file: &str, base: &Path) -> Result<PathBuf, String> {
        let Some(rest) = file.strip_prefix('{') else {
            return Ok(base.join(file));
        };
        let (name, rest) = rest.split_once('}').unwrap_or((rest, ""));
        match self.named.get(name) {
            Some(folder) => Ok(folder.join(rest.trim_start_matches('/'))),
            None => Err(name.to_owned()),
        }
    }
}
