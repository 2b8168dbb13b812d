//! Files an experiment depends on: which they are, and the digests of their bytes.
//!
//! Digests are taken once, before anything runs. When a file is read later and has other bytes, the
//! run stops: a result must not be filed under a key that describes something else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use indexmap::IndexSet;

use super::absent::Absent;
use super::file_error::FileError;
use super::interrupt::Interrupt;
use super::outcome::NodeError;
use super::search::{content, digest, expand, no_match, pieces};
use super::seen::Seen;
use crate::base::digested;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::lock::lock;
use crate::base::regular;
use crate::base::stamp::Stamp;
use crate::plan::Node;
use crate::spec::Folders;
use crate::stage::{Role, Stage};

/// What the file system held when it was first looked at: the files behind each pattern and the
/// digests of their bytes. Everything in a run goes by that.
#[derive(Debug)]
pub(super) struct Files {
    /// What is not here and is known by its digest; what is here comes first.
    absent: Arc<Absent>,
    /// What the spec says about files that are not there.
    folders: Folders,
    /// What earlier runs saw of files, if that is of use.
    seen: Option<Arc<Seen>>,
    /// Ends a search.
    stop: Interrupt,
    /// Files of those that were asked for.
    away: Mutex<BTreeSet<PathBuf>>,
    expanded: Mutex<BTreeMap<PathBuf, Result<Vec<PathBuf>, FileError>>>,
    digests: Mutex<BTreeMap<PathBuf, Arc<Mutex<Option<Digest>>>>>,
}

impl Files {
    /// Nothing looked at yet.
    pub(super) fn new(absent: Arc<Absent>, folders: Folders, stop: Interrupt) -> Self {
        Self {
            absent,
            folders,
            seen: None,
            stop,
            away: Mutex::default(),
            expanded: Mutex::default(),
            digests: Mutex::default(),
        }
    }

    /// With what earlier runs saw.
    pub(super) fn seen(mut self, seen: Arc<Seen>) -> Self {
        self.seen = Some(seen);
        self
    }

    /// The failure of a stage that cannot use a file, with what the spec says about it.
    pub(super) fn failure(&self, error: &FileError) -> Failure {
        error.failure(&self.folders)
    }

    /// The same, as why a node has no result.
    pub(super) fn failed(&self, error: &FileError) -> NodeError {
        match error {
            FileError::Interrupted => NodeError::Interrupted,
            error => NodeError::Failed(self.failure(error)),
        }
    }

    /// The files that a name or pattern stands for, sorted, as they were when first asked for.
    pub(super) fn expand(&self, pattern: &Path) -> Result<Vec<PathBuf>, FileError> {
        if let Some(known) = lock(&self.expanded).get(pattern) {
            return known.clone();
        }
        let found = expand(pattern, &self.stop).or_else(|error| match error {
            FileError::NoMatch { .. } => self.absent(pattern).ok_or(error),
            error => Err(error),
        });
        // Of two that looked at once, both go by what one saw.
        lock(&self.expanded)
            .entry(pattern.to_owned())
            .or_insert(found)
            .clone()
    }

    /// The files that a name or pattern stood for when its results were made elsewhere.
    fn absent(&self, pattern: &Path) -> Option<Vec<PathBuf>> {
        let files = self.absent.files(pattern)?;
        for (path, digest) in &files {
            self.note_absent(path, *digest);
        }
        Some(files.into_iter().map(|(path, _)| path).collect())
    }

    /// Takes note of the digest of a file that is not here.
    pub(super) fn note_absent(&self, path: &Path, digest: Digest) {
        lock(&self.away).insert(path.to_owned());
        self.note(path, digest);
    }

    /// All files that several names or patterns stand for, each once.
    pub(super) fn all(&self, patterns: &[PathBuf]) -> Result<Vec<PathBuf>, FileError> {
        let mut all = IndexSet::new();
        for pattern in patterns {
            all.extend(self.expand(pattern)?);
        }
        Ok(all.into_iter().collect())
    }

    /// The digest of a file's bytes, as they were when first asked for. Blocks; two callers wait
    /// for one reading.
    fn digest(&self, path: &Path) -> Result<Digest, FileError> {
        let slot = Arc::clone(lock(&self.digests).entry(path.to_owned()).or_default());
        let mut slot = lock(&slot);
        if let Some(digest) = *slot {
            return Ok(digest);
        }
        let digest =
            digest(path, self.seen.as_deref()).map_err(|error| FileError::Io(error.to_string()))?;
        Ok(*slot.insert(digest))
    }

    /// Takes note of the digest of a file that was read elsewhere. What was noted first holds.
    pub(super) fn note(&self, path: &Path, digest: Digest) {
        let slot = Arc::clone(lock(&self.digests).entry(path.to_owned()).or_default());
        lock(&slot).get_or_insert(digest);
    }

    /// A file's bytes, if they are still those that a key was made from.
    pub(super) fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        let bytes = content(path).map_err(|error| match self.known(path) {
            Some(digest) if lock(&self.away).contains(path) => FileError::NotHere {
                path: path.to_owned(),
                digest,
            },
            _ => FileError::Io(error.to_string()),
        })?;
        if self.known(path) == Some(Digest::of(&bytes)) {
            Ok(bytes)
        } else {
            Err(FileError::Changed {
                path: path.to_owned(),
            })
        }
    }

    /// Hands on a file's bytes in pieces of whole lines, if they are still those that a key was made from; stops where `each`
    /// does.
    pub(super) fn pieces<E>(
        &self,
        path: &Path,
        each: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<Result<(), E>, FileError> {
        match pieces(path, each).map_err(|error| FileError::Io(error.to_string()))? {
            Ok(digest) if self.known(path) == Some(digest) => Ok(Ok(())),
            Ok(_) => Err(FileError::Changed {
                path: path.to_owned(),
            }),
            Err(stopped) => Ok(Err(stopped)),
        }
    }

    /// Lets somebody read here and there in a file, if its bytes are those that a key was made from, and sees that they still
    /// are when all is read.
    pub(super) fn look_into<T, E>(
        &self,
        path: &Path,
        read: impl FnOnce(&mut File) -> Result<T, E>,
    ) -> Result<Result<T, E>, FileError> {
        let io = |error: io::Error| FileError::Io(error.to_string());
        let known = |file: &mut File| {
            file.rewind()?;
            Ok::<_, io::Error>(self.known(path) == Some(digested::digest(file)?))
        };
        let mut file = regular::open(path).map_err(io)?;
        let before = Stamp::of_file(&file);
        let mut as_it_was = before.is_some() && known(&mut file).map_err(io)?;
        let read = as_it_was.then(|| read(&mut file));
        // What was written and taken back again shows in the times. Of a file that was written to a moment ago they may be
        // the same after another writing, but not its bytes.
        as_it_was &= Stamp::of_file(&file) == before;
        if !before.is_some_and(|stamp| stamp.is_settled(SystemTime::now())) {
            as_it_was = as_it_was && known(&mut file).map_err(io)?;
        }
        read.filter(|_| as_it_was)
            .ok_or_else(|| FileError::Changed {
                path: path.to_owned(),
            })
    }

    /// The digest a file's bytes had when they were first asked for.
    pub(super) fn known(&self, path: &Path) -> Option<Digest> {
        let slot = lock(&self.digests).get(path).map(Arc::clone)?;
        *lock(&slot)
    }

    /// The digests that a node's key needs, by what the file is to it: its name where that names a
    /// document, its position where it does not.
    pub(super) fn of(&self, node: &Node) -> Result<BTreeMap<String, Digest>, FileError> {
        let mut digests = BTreeMap::new();
        let mut namesakes: BTreeMap<String, usize> = BTreeMap::new();
        for named in node.stage.files() {
            if let Role::One(role) = named.role {
                for pattern in &named.patterns {
                    digests.insert(role.to_owned(), self.digest(&self.one(pattern)?)?);
                }
                continue;
            }
            for (position, path) in self.all(&named.patterns)?.into_iter().enumerate() {
                let role = match named.role {
                    Role::Numbered(word) => format!("{word} {position}"),
                    _ => role(&path, position),
                };
                // Files of one name in several folders all count.
                let before = namesakes.entry(role.clone()).or_default();
                let mut told = namesake(&role, *before);
                while digests.contains_key(&told) {
                    *before += 1;
                    told = namesake(&role, *before);
                }
                *before += 1;
                digests.insert(told, self.digest(&path)?);
            }
        }
        Ok(digests)
    }

    /// The files that a name or pattern stands for, with their digests.
    pub(super) fn digests(&self, pattern: &Path) -> Result<Vec<(PathBuf, Digest)>, FileError> {
        let paths = self.expand(pattern)?;
        let with_digest = |path: PathBuf| self.digest(&path).map(|digest| (path, digest));
        paths.into_iter().map(with_digest).collect()
    }

    /// The one file that a name or pattern stands for.
    pub(super) fn one(&self, pattern: &Path) -> Result<PathBuf, FileError> {
        let mut found = self.expand(pattern)?;
        match (found.pop(), found.len()) {
            (Some(path), 0) => Ok(path),
            (None, _) => Err(no_match(pattern)),
            (Some(_), others) => Err(FileError::Several {
                pattern: pattern.to_owned(),
                fit: others + 1,
            }),
        }
    }
}

/// The names and patterns of files that the key of a stage's node is made from.
pub fn patterns_of(stage: &Stage) -> Vec<PathBuf> {
    let files = stage.files().into_iter();
    files.flat_map(|named| named.patterns).collect()
}

/// What files of a key are called of which several have one name, by how many of it came before.
fn namesake(role: &str, before: usize) -> String {
    /// So many have marks of their own; of thousands these would be longer than all else.
    const MARKED: usize = 8;
    match before {
        0..=MARKED => role.to_owned() + &"+".repeat(before),
        _ => format!("{role} +{before}"),
    }
}

/// A text file's name becomes a document's id and so belongs to the key; a table's name does not.
fn role(path: &Path, position: usize) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match crate::stage::Format::of(&name) {
        Some(crate::stage::Format::Text) => format!("file {name}"),
        _ => format!("table {position}"),
    }
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;

    use super::*;

    #[test]
    fn a_file_that_was_another_while_it_was_read_has_changed_though_its_bytes_are_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let folders = Folders::new(Path::new(""), IndexMap::new(), IndexMap::new());
        let files = Files::new(Arc::default(), folders, Interrupt::default());
        files.note(&path, Digest::of("one"));
        let write = |text: &str| fs_err::write(&path, text).unwrap();
        let look = |meanwhile: &dyn Fn()| {
            write("one");
            let second = std::time::Duration::from_secs(1);
            let file = File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::now() - second).unwrap();
            files.look_into(&path, |_| {
                meanwhile();
                Ok::<_, ()>(())
            })
        };
        assert_eq!(look(&|| ()), Ok(Ok(())));
        let changed = Err(FileError::Changed { path: path.clone() });
        assert_eq!(look(&|| write("two")), changed);
        let and_back = || {
            write("two");
            write("one");
        };
        assert_eq!(look(&and_back), changed);
    }

    #[test]
    fn what_appears_later_is_not_there_in_this_run() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("a.txt"), "a").unwrap();
        let folders = Folders::new(Path::new(""), IndexMap::new(), IndexMap::new());
        let files = Files::new(Arc::default(), folders, Interrupt::default());
        let pattern = folder.path().join("*.txt");
        let first = files.expand(&pattern).unwrap();
        let late = folder.path().join("b.txt");
        fs_err::write(&late, "b").unwrap();
        assert_eq!(files.expand(&pattern).unwrap(), first);
        assert_eq!(files.read(&late), Err(FileError::Changed { path: late }));
    }
}
