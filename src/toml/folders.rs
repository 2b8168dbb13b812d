//! Where things lie, and how names of files are made absolute. Not in the cache key.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::base::paths::tidy;

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
    /// What to do when a file of a named folder is not there, by the folder's name.
    pub hints: IndexMap<String, String>,
    /// Under which licence the files of a named folder are, by the folder's name.
    pub licences: IndexMap<String, String>,
}

impl Folders {
    /// The project's folders under `root`, moved where the spec's `paths` say so (already absolute
    /// or relative to the current directory).
    pub fn new(
        root: &Path,
        named: IndexMap<String, PathBuf>,
        hints: IndexMap<String, String>,
    ) -> Self {
        let folder = |name: &str| named.get(name).cloned().unwrap_or_else(|| root.join(name));
        Self {
            cache: folder("cache"),
            reports: folder("reports"),
            templates: folder("templates"),
            named,
            hints,
            licences: IndexMap::new(),
        }
    }

    /// The licence of a file, where the spec states one for its folder.
    pub fn licence_of(&self, path: &Path) -> Option<&str> {
        self.of_folder(&self.licences, path)
    }

    /// What is said of the named folder that a file lies in; of several the innermost.
    fn of_folder<'f>(&self, said: &'f IndexMap<String, String>, path: &Path) -> Option<&'f str> {
        let holding = self
            .named
            .iter()
            .filter(|(name, folder)| said.contains_key(*name) && path.starts_with(tidy(folder)));
        let (name, _) = holding.max_by_key(|(_, folder)| tidy(folder).components().count())?;
        said.get(name).map(String::as_str)
    }

    /// What the spec says about a file that is not there.
    pub fn hint_for(&self, path: &Path) -> Option<&str> {
        self.of_folder(&self.hints, path)
    }

    /// A file name of the spec as a path: `{name}` in front is replaced by that folder, anything
    /// else is relative to `base`. Names in braces with a comma between them are alternatives of a pattern.
    ///
    /// # Errors
    /// The unknown name in braces.
    pub fn resolve(&self, file: &str, base: &Path) -> Result<PathBuf, String> {
        let Some(rest) = file.strip_prefix('{') else {
            return Ok(tidy(&base.join(file)));
        };
        let (name, rest) = rest.split_once('}').unwrap_or((rest, ""));
        if name.contains([',', '{']) {
            return Ok(tidy(&base.join(file)));
        }
        match self.named.get(name) {
            Some(folder) => Ok(tidy(&folder.join(rest.trim_start_matches('/')))),
            None => Err(name.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_in_braces_are_no_folder() {
        let named = IndexMap::from([("data".to_owned(), PathBuf::from("/data"))]);
        let folders = Folders::new(Path::new("/project"), named, IndexMap::new());
        let resolve = |file| folders.resolve(file, Path::new("/spec"));
        assert_eq!(resolve("{data}/x.csv"), Ok(PathBuf::from("/data/x.csv")));
        assert_eq!(resolve("{a,b}.csv"), Ok(PathBuf::from("/spec/{a,b}.csv")));
        assert_eq!(
            resolve("{data}/{a,b}.csv"),
            Ok(PathBuf::from("/data/{a,b}.csv"))
        );
        assert_eq!(resolve("{dta}/x.csv"), Err("dta".to_owned()));
    }
}
