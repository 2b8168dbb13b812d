//! What is not here and is known by its digest: files that results were made from on another machine,
//! and results that were not brought along.
//!
//! Keys need digests and nothing else, so what is known stays known where the bytes are not. Whoever
//! needs the bytes themselves is told which file to get.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::base::key::Digest;
use crate::base::paths::plain;

/// The flag by which a person lets the specs of a bundle do what those of their own may.
pub const TRUST: &str = "--trust";

/// What is not here and is known by its digest.
#[derive(Clone, Debug, Default)]
pub struct Absent {
    /// Files by the name or pattern that stands for them, both absolute.
    files: BTreeMap<PathBuf, Vec<(PathBuf, Digest)>>,
    /// Books by their name among the downloads.
    pub books: BTreeMap<String, Digest>,
    /// Results by the digest of their bytes.
    pub results: BTreeSet<Digest>,
    /// Whether replies were left out too: without them a judge's rows cannot be made again.
    pub without_replies: bool,
    /// Whether the specs came in a bundle and nobody said that they may ask servers.
    pub untrusted: bool,
    /// Whether the cache came in a bundle and nobody said that it is to be trusted: a digest says that a result is what
    /// was packed, and nothing of what was packed.
    pub strange_cache: bool,
}

impl Absent {
    /// Files that a name or pattern stands for; paths are relative to `root` or absolute.
    pub fn add_files(&mut self, root: &Path, pattern: &str, files: Vec<(String, Digest)>) {
        let place = |path: &str| plain(&root.join(path));
        let files = files
            .into_iter()
            .map(|(path, digest)| (place(&path), digest))
            .collect();
        self.files.insert(place(pattern), files);
    }

    /// Whether all is here.
    pub(super) fn is_nothing(&self) -> bool {
        let files = self.files.is_empty() && self.books.is_empty();
        files && self.results.is_empty() && !self.without_replies
    }

    /// How to have asked what is not asked.
    pub(super) fn hint_online(&self, otherwise: &str) -> String {
        if self.untrusted {
            format!(
                "the spec, or a file that it uses, came in a bundle: read it, then give `{TRUST}` if it may call servers, use your keys and start programs"
            )
        } else {
            otherwise.to_owned()
        }
    }

    /// The files that a name or pattern stands for, in the form that it has.
    pub(super) fn files(&self, pattern: &Path) -> Option<Vec<(PathBuf, Digest)>> {
        if self.files.is_empty() {
            return None;
        }
        let files = self.files.get(&plain(pattern))?;
        let folder = folder_of(pattern);
        let whole = plain(&folder);
        let found = files.iter().map(|(path, digest)| {
            let path = match path.strip_prefix(&whole) {
                Ok(below) => folder.join(below),
                Err(_) => path.clone(),
            };
            (path, *digest)
        });
        Some(found.collect())
    }
}

/// The folder that a name or pattern is looked for in: what stands before the first step with a sign of
/// patterns.
pub fn folder_of(pattern: &Path) -> PathBuf {
    let folder = pattern.parent().unwrap_or(Path::new(""));
    let is_plain = |step: &std::path::Component<'_>| {
        let step = step.as_os_str().to_string_lossy();
        !step.contains(['*', '?', '[', '{'])
    };
    folder.components().take_while(is_plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_any_name_of_its_place() {
        let mut absent = Absent::default();
        let digest = Digest::of("a");
        let root = std::path::absolute("project").unwrap();
        absent.add_files(
            &root,
            "../data/**/*.txt",
            vec![("../data/a/b.txt".to_owned(), digest)],
        );
        for folder in ["project/x/../../data", "data"] {
            let folder = Path::new(folder);
            let found = absent.files(&folder.join("**/*.txt"));
            assert_eq!(found, Some(vec![(folder.join("a/b.txt"), digest)]));
        }
        assert_eq!(absent.files(Path::new("data/b.txt")), None);
    }
}
