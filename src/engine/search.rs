//! The search for the files that a name or pattern stands for: bounded, and over where the run is interrupted.

use std::io;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::file_error::{FileError, is_pattern};
use super::interrupt::Interrupt;
use super::seen::Seen;
use crate::base::digested;
use crate::base::key::Digest;
use crate::base::regular;
use crate::base::wording::{did_you_mean, some_of};

/// A file's bytes; the error names it.
pub(super) fn content(path: &Path) -> io::Result<Vec<u8>> {
    named(path, regular::read(path, regular::DATA))
}

/// The digest of a file's bytes, which are read unless it is known of earlier runs; the error names the file.
pub(super) fn digest(path: &Path, seen: Option<&Seen>) -> io::Result<Digest> {
    let digest = |mut file| match seen {
        Some(seen) => seen.digest(path, &mut file),
        None => digested::digest(&mut file),
    };
    named(path, regular::open(path).and_then(digest))
}

/// Hands on a file's bytes in pieces of whole lines. Their digest, or where `each` stopped.
pub(super) fn pieces<E>(
    path: &Path,
    each: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> io::Result<Result<Digest, E>> {
    let opened = regular::open(path);
    named(
        path,
        opened.and_then(|mut file| digested::pieces(&mut file, each)),
    )
}

fn named<T>(path: &Path, read: io::Result<T>) -> io::Result<T> {
    read.map_err(|error| {
        let said = format!("cannot read `{}`: {error}", path.display());
        io::Error::new(error.kind(), said)
    })
}

/// The files that a name or pattern stands for, sorted.
///
/// # Errors
/// When there is none, naming the nearest file of that folder; when a folder that may hold some
/// cannot be listed.
pub(super) fn expand(pattern: &Path, stop: &Interrupt) -> Result<Vec<PathBuf>, FileError> {
    if pattern.is_dir() {
        return Err(FileError::Folder {
            path: pattern.to_owned(),
        });
    }
    if pattern.is_file() {
        return Ok(vec![pattern.to_owned()]);
    }
    if pattern.exists() {
        // A device, or the like: why it is not read.
        let why = content(pattern).err().map(|error| error.to_string());
        return Err(FileError::Io(why.unwrap_or_default()));
    }
    if !is_pattern(pattern) {
        return Err(no_match(pattern));
    }
    let (fixed, rest) = split(pattern);
    let matcher = GlobBuilder::new(&rest.to_string_lossy())
        .literal_separator(true)
        .build()
        .map_err(|error| FileError::BadPattern {
            pattern: pattern.to_owned(),
            why: error.kind().to_string(),
        })?
        .compile_matcher();
    let mut walk = Walk {
        depth: if rest.to_string_lossy().contains("**") {
            usize::MAX
        } else {
            rest.components().count()
        },
        fixed: &fixed,
        matcher,
        above: Vec::new(),
        found: Vec::new(),
        seen: 0,
        stop,
    };
    let walked = walk.folder(Path::new(""), 1);
    walked.map_err(|error| match error {
        FileError::TooMany { most, .. } => FileError::TooMany {
            pattern: pattern.to_owned(),
            most,
        },
        error => error,
    })?;
    let mut found = walk.found;
    found.sort();
    if found.is_empty() {
        Err(no_match(pattern))
    } else {
        Ok(found)
    }
}

/// The folder to look in, and the pattern below it. A folder that is there by its name is meant by
/// it, whatever signs the name holds.
fn split(pattern: &Path) -> (PathBuf, PathBuf) {
    let mut fixed = PathBuf::new();
    let mut parts = pattern.components();
    let mut rest = parts.clone();
    while let Some(part) = parts.next() {
        let next = fixed.join(part);
        if is_pattern(Path::new(part.as_os_str())) && !next.is_dir() {
            break;
        }
        fixed = next;
        rest = parts.clone();
    }
    (fixed, rest.as_path().to_owned())
}

/// How many files and folders are looked at for one pattern.
const MOST_SEEN: usize = 1_000_000;

/// A search for files that fit a pattern.
struct Walk<'w> {
    /// Where it begins; the pattern is matched against what comes below.
    fixed: &'w Path,
    matcher: GlobMatcher,
    /// How many steps below the beginning a file that fits can lie.
    depth: usize,
    /// The folders that the one looked at lies in, as they are without links: a link back to one of them leads round and
    /// round.
    above: Vec<PathBuf>,
    found: Vec<PathBuf>,
    /// How many files and folders were looked at.
    seen: usize,
    stop: &'w Interrupt,
}

impl Walk<'_> {
    /// Looks at a folder, named from the beginning of the search, whose files lie at `depth`.
    fn folder(&mut self, below: &Path, depth: usize) -> Result<(), FileError> {
        let io = |error: std::io::Error| FileError::Io(error.to_string());
        let folder = self.fixed.join(below);
        let here = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &folder
        };
        let entries = match fs_err::read_dir(here) {
            Ok(entries) => entries,
            // Nothing was ever there; the caller says so. A folder further down that cannot be
            // listed would leave out documents in silence.
            Err(error)
                if depth == 1
                    && matches!(
                        error.kind(),
                        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
                    ) =>
            {
                return Ok(());
            }
            Err(error) => return Err(io(error)),
        };
        if regular::is_of_system(here).unwrap_or(false) {
            return Err(FileError::Io(format!(
                "the search leads to `{}`, where the system shows itself",
                here.display()
            )));
        }
        let real = here.canonicalize().unwrap_or_else(|_| here.to_owned());
        if self.above.contains(&real) {
            return Ok(());
        }
        self.above.push(real);
        for entry in entries {
            self.seen += 1;
            if self.seen > MOST_SEEN {
                return Err(FileError::TooMany {
                    pattern: PathBuf::new(),
                    most: MOST_SEEN,
                });
            }
            if self.stop.is_raised() {
                return Err(FileError::Interrupted);
            }
            let below = below.join(entry.map_err(io)?.file_name());
            let path = self.fixed.join(&below);
            if path.is_dir() {
                if depth < self.depth {
                    self.folder(&below, depth + 1)?;
                }
            } else if self.matcher.is_match(&below) {
                self.found.push(path);
            }
        }
        self.above.pop();
        Ok(())
    }
}

/// The uppermost folder on the way to what fits a name or pattern that is not there.
pub(super) fn missing_folder(pattern: &Path) -> Option<PathBuf> {
    let (fixed, _) = split(pattern);
    let folders = fixed.ancestors().filter(|folder| *folder != Path::new(""));
    let missing = folders.take_while(|folder| !folder.exists());
    missing.last().map(Path::to_owned)
}

/// That nothing fits, with the nearest that does.
pub(super) fn no_match(pattern: &Path) -> FileError {
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
        Ok(_) if pattern.is_symlink() => ": it is a broken link".to_owned(),
        Ok(entries) => {
            let mut names: Vec<String> = entries
                .flatten()
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect();
            names.sort();
            if is_pattern(Path::new(&name)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, file).unwrap();
        }
        folder
    }

    fn names(folder: &Path, pattern: &str) -> Vec<String> {
        let found = expand(&folder.join(pattern), &Interrupt::default()).unwrap();
        found
            .iter()
            .map(|path| path.strip_prefix(folder).unwrap().display().to_string())
            .collect()
    }

    #[test]
    fn a_pattern_finds_what_fits_and_no_more() {
        let folder = folder(&["a.txt", "b.md", "x/c.txt", "x/y/d.txt"]);
        let names = |pattern| names(folder.path(), pattern);
        assert_eq!(names("*.txt"), ["a.txt"]);
        assert_eq!(names("*/*.txt"), ["x/c.txt"]);
        assert_eq!(names("x/*.txt"), ["x/c.txt"]);
        assert_eq!(names("**/*.txt"), ["a.txt", "x/c.txt", "x/y/d.txt"]);
        assert_eq!(names("{a.txt,x/c.txt}"), ["a.txt", "x/c.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_back_are_not_followed_round_and_round() {
        use std::os::unix::fs::symlink;
        let folder = folder(&["a.txt", "x/b.txt"]);
        for name in ["x/up", "x/again", "self"] {
            symlink(folder.path(), folder.path().join(name)).unwrap();
        }
        assert_eq!(names(folder.path(), "**/*.txt"), ["a.txt", "x/b.txt"]);
        symlink("nowhere", folder.path().join("lost")).unwrap();
        let error = expand(&folder.path().join("lost"), &Interrupt::default()).unwrap_err();
        assert!(
            error.to_string().ends_with("it is a broken link"),
            "{error}"
        );
    }

    #[test]
    fn a_search_that_is_interrupted_ends() {
        let folder = folder(&["a.txt"]);
        let stop = Interrupt::default();
        stop.raise();
        let found = expand(&folder.path().join("*.txt"), &stop);
        assert_eq!(found, Err(FileError::Interrupted));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_search_does_not_look_into_the_system() {
        let folder = folder(&["a.txt"]);
        std::os::unix::fs::symlink("/proc", folder.path().join("proc")).unwrap();
        for pattern in ["/proc/**/*.txt", "**/*.txt", "proc/*/environ"] {
            let found = expand(&folder.path().join(pattern), &Interrupt::default());
            let said = found.unwrap_err().to_string();
            assert!(said.starts_with("the search leads to"), "{pattern}: {said}");
        }
    }

    #[test]
    fn a_folder_s_name_may_hold_the_signs_of_patterns() {
        let folder = folder(&["run [1] {a,b}/c.txt", "run 1 a/d.txt"]);
        let found = names(folder.path(), "run [1] {a,b}/*.txt");
        assert_eq!(found, ["run [1] {a,b}/c.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_listed_is_an_error_and_not_an_empty_one() {
        use std::os::unix::fs::symlink;
        let folder = folder(&["a/x.txt", "b/x.txt"]);
        // A listing that fails for everyone, also for those who may read everything.
        symlink("loop", folder.path().join("loop")).unwrap();
        assert!(expand(&folder.path().join("loop/*.txt"), &Interrupt::default()).is_err());
        assert_eq!(names(folder.path(), "*/*.txt"), ["a/x.txt", "b/x.txt"]);
        let missing = expand(&folder.path().join("none/*.txt"), &Interrupt::default());
        assert!(matches!(missing, Err(FileError::NoMatch { .. })));
    }
}
