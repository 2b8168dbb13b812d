//! Which paths a bundle may hold: those that mean the same below any folder of any system.
//!
//! Pure, and stricter than any one system, so that a bundle made on one can be unpacked on another.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

/// The longest step of a path that every usual file system takes, in bytes.
const LONGEST_STEP: usize = 255;

/// The longest path that the archive's header has room for, in bytes.
const LONGEST_PATH: usize = 255;

/// What is wrong with a path, as the end of a sentence about it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NameFault {
    /// It begins at the root of a file system, or at a drive.
    #[error("is absolute")]
    Absolute,
    /// It holds `..`.
    #[error("leaves the folder")]
    Leaves,
    /// An empty step, or `.`.
    #[error("holds a step without a name")]
    Empty,
    /// A sign that some systems do not take.
    #[error("holds {0:?}, which not every system takes")]
    Sign(char),
    /// A step that ends in a blank or a point, which Windows takes away.
    #[error("holds a name that ends in a blank or a point, which not every system keeps")]
    End,
    /// A name that Windows keeps for devices.
    #[error("holds `{0}`, which is a device on Windows")]
    Device(String),
    /// Too long.
    #[error("is too long")]
    Long,
    /// A name that some program obeys where it finds it.
    #[error("holds `{0}`, which {1} obeys where it finds it")]
    Obeyed(String, &'static str),
    /// A name that begins with a point: it is hidden, and many programs keep there what they obey.
    #[error("holds `{0}`, a hidden name, as programs have for files that they obey")]
    Hidden(String),
    /// A sign that changes the order in which a name is shown.
    #[error("holds {0:?}, which makes a name look like another")]
    Order(char),
    /// A name as Windows shortens longer ones, which may stand for any of them.
    #[error("holds `{0}`, which on Windows may stand for another name")]
    Short(String),
}

/// Names that some program obeys in a folder that it is run in, and the program.
const OBEYED: [(&str, &str); 3] = [
    (".hg", "Mercurial"),
    (".envrc", "direnv"),
    ("tribunal.local.toml", "tribunal"),
];

/// Whether a path is one that a bundle may hold: relative, `/` between its steps, no step back, and
/// names that every usual system takes.
///
/// # Errors
/// What is wrong with it.
pub fn check_path(path: &str) -> Result<(), NameFault> {
    let mut start = path.bytes();
    let drive = start.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    if path.starts_with(['/', '\\']) || (drive && start.next() == Some(b':')) {
        return Err(NameFault::Absolute);
    }
    if path.split(['/', '\\']).any(|step| step == "..") {
        return Err(NameFault::Leaves);
    }
    if path.len() > LONGEST_PATH {
        return Err(NameFault::Long);
    }
    if let [_, "v1", "jobs", ..] = path.split('/').collect::<Vec<_>>()[..] {
        return Err(NameFault::Obeyed("jobs".to_owned(), "tribunal"));
    }
    path.split('/').try_for_each(check_step)
}

fn check_step(step: &str) -> Result<(), NameFault> {
    if step.is_empty() || step == "." {
        return Err(NameFault::Empty);
    }
    let odd = |sign: &char| sign.is_control() || r#"\:*?"<>|"#.contains(*sign);
    if let Some(sign) = step.chars().find(odd) {
        return Err(NameFault::Sign(sign));
    }
    if step.ends_with(['.', ' ']) {
        return Err(NameFault::End);
    }
    if step.len() > LONGEST_STEP {
        return Err(NameFault::Long);
    }
    let stem = step.split('.').next().unwrap_or_default().trim_end();
    if is_device(stem) {
        return Err(NameFault::Device(step.to_owned()));
    }
    let seen = as_seen(step);
    if is_short(&seen) {
        return Err(NameFault::Short(step.to_owned()));
    }
    let mut obeyed = OBEYED.iter();
    match obeyed.find(|(name, _)| *name == seen) {
        Some((_, by)) => Err(NameFault::Obeyed(step.to_owned(), by)),
        None if seen.starts_with(".git") => Err(NameFault::Obeyed(step.to_owned(), "git")),
        None if seen.starts_with('.') => Err(NameFault::Hidden(step.to_owned())),
        None => match step.chars().find(|sign| orders(*sign)) {
            Some(sign) => Err(NameFault::Order(sign)),
            None => Ok(()),
        },
    }
}

/// Whether a sign changes the order of those around it.
fn orders(sign: char) -> bool {
    matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name as a system sees it that tells no cases apart and passes over signs that nobody sees, as that of macOS does.
fn as_seen(step: &str) -> String {
    let unseen = |c: &char| matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let seen: String = step.chars().filter(|c| !unseen(c)).collect();
    seen.to_lowercase()
}

/// Whether Windows may have made up a name for a longer one: `git~1`, `tribun~1.tom`.
fn is_short(seen: &str) -> bool {
    let (stem, ending) = seen.split_once('.').unwrap_or((seen, ""));
    let number = stem.rsplit_once('~').map(|(_, number)| number);
    stem.len() <= 8
        && ending.len() <= 3
        && number
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// The names by which git knows a repository without a folder `.git`: a file and either two folders or a file that says
/// where those are.
const REPOSITORY: [&str; 4] = ["head", "objects", "refs", "commondir"];

/// Whether Windows takes a name, whatever its ending, for a device.
fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_uppercase();
    let numbered = |name: &str| {
        let number = stem.strip_prefix(name).map(str::chars);
        number.is_some_and(|mut number| {
            matches!(number.next(), Some('1'..='9' | '¹' | '²' | '³')) && number.next().is_none()
        })
    };
    matches!(&*stem, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || numbered("COM")
        || numbered("LPT")
}

/// Paths that were seen, to find those that some system takes for one.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Each path and each folder above one, as a system sees it that does not tell cases apart; with
    /// how it was written first and whether it is a file.
    names: BTreeMap<String, (String, bool)>,
    /// Of each folder, the names by which git knows a repository.
    repositories: BTreeMap<String, BTreeSet<&'static str>>,
}

impl Seen {
    /// Takes note of a file.
    ///
    /// # Errors
    /// The path that it would be taken for: one that is the same but for its case, one that is a file
    /// where this needs a folder, or the other way round.
    pub(super) fn file(&mut self, path: &str) -> Result<(), String> {
        let ends = path.match_indices('/').map(|(at, _)| at);
        for end in ends.chain([path.len()]) {
            let (name, is_file) = (&path[..end], end == path.len());
            let folded = name.to_lowercase();
            match self.names.get(&folded) {
                Some((known, false)) if !is_file && known == name => {}
                Some((known, _)) => return Err(known.clone()),
                None => {
                    let (folder, last) = folded.rsplit_once('/').unwrap_or(("", &folded));
                    let last = as_seen(last);
                    if let Some(known) = REPOSITORY.iter().find(|known| ***known == *last) {
                        let names = self.repositories.entry(folder.to_owned()).or_default();
                        names.insert(known);
                    }
                    self.names.insert(folded, (name.to_owned(), is_file));
                }
            }
        }
        Ok(())
    }

    /// A folder that git would take for a repository, and obey; empty for that of the bundle itself.
    pub(super) fn repository(&self) -> Option<&str> {
        let mut folders = self.repositories.iter();
        let found = folders.find(|(_, names)| {
            let has = |name| names.contains(name);
            has("head") && (has("commondir") || (has("objects") && has("refs")))
        });
        found.map(|(folder, _)| folder.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_paths_are_taken() {
        for path in [
            "a",
            "experiments/judgememo/table-5-1.toml",
            "cache/v1/calls/00.seg",
            "docs/Ein Märchen, 2. Teil.txt",
            "console/comma.csv",
        ] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn paths_that_lead_elsewhere_are_not() {
        for path in ["/etc/passwd", "\\x", "C:/x", "c:x", "//host/x"] {
            assert_eq!(check_path(path), Err(NameFault::Absolute), "{path}");
        }
        for path in ["..", "../x", "a/../../x", "a/..", "a\\..\\x"] {
            assert_eq!(check_path(path), Err(NameFault::Leaves), "{path}");
        }
    }

    #[test]
    fn names_that_some_system_does_not_take_are_not() {
        for path in ["", "a//b", "a/", "./a", "a/./b"] {
            assert_eq!(check_path(path), Err(NameFault::Empty), "{path}");
        }
        for path in ["a\\b", "docs/a:b", "what?", "a\nb", "a\0"] {
            assert!(
                matches!(check_path(path), Err(NameFault::Sign(_))),
                "{path}"
            );
        }
        for path in ["a./b", "a /b"] {
            assert_eq!(check_path(path), Err(NameFault::End), "{path}");
        }
        for path in ["nul", "a/CON.txt", "COM1", "lpt9.x"] {
            assert!(
                matches!(check_path(path), Err(NameFault::Device(_))),
                "{path}"
            );
        }
        assert_eq!(check_path(&"x/".repeat(200)), Err(NameFault::Long));
        assert!(matches!(
            check_path("cache/v1/jobs/tribunal-00000000/capsule.json"),
            Err(NameFault::Obeyed(..))
        ));
    }

    #[test]
    fn names_that_a_program_obeys_are_not() {
        for path in [
            ".git/config",
            ".git",
            "docs/.GIT/hooks/post-checkout",
            ".g\u{200c}it/config",
            ".gitmodules",
            "a/.gitattributes",
            ".hg/hgrc",
            "a/.envrc",
            "tribunal.local.toml",
            "experiments/Tribunal.Local.TOML",
        ] {
            let fault = check_path(path);
            assert!(
                matches!(fault, Err(NameFault::Obeyed(..))),
                "{path}: {fault:?}"
            );
        }
        for path in [
            ".vscode/tasks.json",
            ".jj/repo/config",
            "a/.sl/config",
            ".exrc",
            ".mise.toml",
            ".cargo/config.toml",
            "a/.autoenv",
            ".\u{200c}x",
        ] {
            assert!(
                matches!(check_path(path), Err(NameFault::Hidden(_))),
                "{path}"
            );
        }
        for path in ["a\u{202e}lmot.b", "docs/\u{2066}x"] {
            assert!(
                matches!(check_path(path), Err(NameFault::Order(_))),
                "{path}"
            );
        }
        for path in ["git~1/config", "GIT~12", "a/tribun~1.tom"] {
            assert!(
                matches!(check_path(path), Err(NameFault::Short(_))),
                "{path}"
            );
        }
        for path in [
            "git/config",
            "a.git",
            "draft~1-of-the-paper.toml",
            "a~b",
            "~1.templates",
        ] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn a_folder_that_git_takes_for_a_repository_is_found_at_any_depth() {
        let found = |paths: &[&str]| {
            let mut seen = Seen::default();
            for path in paths {
                seen.file(path).unwrap();
            }
            seen.repository().map(str::to_owned)
        };
        let at = |folder: &str| Some(folder.to_owned());
        assert_eq!(
            found(&["HEAD", "objects/x", "refs/heads/y", "config"]),
            at("")
        );
        assert_eq!(
            found(&["a/b/Head", "a/b/OBJECTS/x", "a/b/refs/y"]),
            at("a/b")
        );
        assert_eq!(found(&["a/HEAD", "a/commondir"]), at("a"));
        assert_eq!(found(&["HEAD", "objects/x", "a/refs/y", "a.toml"]), None);
    }

    #[test]
    fn names_that_differ_in_case_alone_collide() {
        let mut seen = Seen::default();
        assert_eq!(seen.file("docs/a.txt"), Ok(()));
        assert_eq!(seen.file("docs/b.txt"), Ok(()));
        assert_eq!(seen.file("docs/A.txt"), Err("docs/a.txt".to_owned()));
        assert_eq!(seen.file("Docs/c.txt"), Err("docs".to_owned()));
        assert_eq!(seen.file("docs/a.txt/x"), Err("docs/a.txt".to_owned()));
        assert_eq!(seen.file("docs"), Err("docs".to_owned()));
    }
}
