//! Reading the files of a spec: the spec, those laid on top of it, everything they extend, and the local file.
//!
//! Collects every problem with a file and goes on with the others. Merges nothing.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::layers::{Layer, LayerKind};
use super::parse::parse;
use super::problem::{Problem, Problems};
use super::source::{Place, SourceId, Sources};
use super::suggest::{nearest, thousands};
use super::tree::Tree;

/// The files read so far and what they gave.
pub(super) struct Files<'a> {
    read: &'a dyn Fn(&Path) -> io::Result<Vec<u8>>,
    list: &'a dyn Fn(&Path) -> Vec<String>,
    pub sources: Sources,
    pub problems: Problems,
    /// Weakest first.
    pub layers: Vec<Layer>,
    /// Files that are done, by plain path.
    done: Vec<PathBuf>,
    /// Files that are being read, outermost first, each with the place that names the next one.
    open: Vec<(PathBuf, Option<Place>)>,
    /// Whether it was said that there are too many.
    full: bool,
}

/// The most files that a spec is made of.
const FILES: usize = 200;

/// The most values in one file.
const VALUES: usize = 100_000;

impl<'a> Files<'a> {
    pub(super) fn new(
        read: &'a dyn Fn(&Path) -> io::Result<Vec<u8>>,
        list: &'a dyn Fn(&Path) -> Vec<String>,
    ) -> Self {
        Self {
            read,
            list,
            sources: Sources::new(),
            problems: Problems::new(),
            layers: Vec::new(),
            done: Vec::new(),
            open: Vec::new(),
            full: false,
        }
    }

    /// Reads the spec and everything it extends.
    pub(super) fn spec(&mut self, path: &Path) {
        self.named(path, LayerKind::File);
    }

    /// Reads a file that is laid on top of the spec, and everything it extends.
    pub(super) fn with(&mut self, path: &Path) {
        self.named(path, LayerKind::With);
    }

    /// Reads a file that was asked for by name.
    fn named(&mut self, path: &Path, kind: LayerKind) {
        let path = plain(path);
        match (self.read)(&path) {
            Ok(bytes) => self.file(path, &bytes, kind),
            Err(error) => {
                let problem = unreadable("spec::file-unreadable", &path, &error);
                let problem = self.with_near_name(problem, &path, &path);
                self.problems.push(problem);
            }
        }
    }

    /// Reads the local file, if it is there.
    pub(super) fn local(&mut self, path: &Path) {
        let path = plain(path);
        match (self.read)(&path) {
            Ok(bytes) => self.file(path, &bytes, LayerKind::Local),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self
                .problems
                .push(unreadable("spec::file-unreadable", &path, &error)),
        }
    }

    fn file(&mut self, path: PathBuf, bytes: &[u8], kind: LayerKind) {
        let Some(source) = self.decode(&path, bytes) else {
            return;
        };
        let text = self.sources.text(source).to_owned();
        let mut parsed = parse(&text, source, &mut self.problems);
        if parsed.index.len() > VALUES {
            let found = thousands(parsed.index.len() as u64);
            let most = thousands(VALUES as u64);
            let message = format!(
                "`{}` has {found} values, and a spec can have at most {most}",
                path.display()
            );
            self.problems.push(
                Problem::error("spec::too-many", message)
                    .help("put what is data into files that stages read"),
            );
            self.done.push(path);
            return;
        }
        let extends = parsed.tree.remove(&["extends"]);
        let place = |key: &[&str]| {
            let key: Vec<String> = key.iter().map(|part| (*part).to_owned()).collect();
            parsed
                .index
                .get(&key)
                .map(|spans| Place::new(source, spans.value.clone()))
        };
        let extends_place = place(&["extends"]);
        match extends {
            None => {}
            Some(_) if kind == LayerKind::Local => self.problems.push(
                Problem::error(
                    "spec::extends-here",
                    format!("`{}` cannot extend other files", path.display()),
                )
                .label_at(extends_place, "only a spec can")
                .help("move this line into the spec, or copy the other file's lines here"),
            ),
            Some(extends) => {
                let names = extends
                    .elements()
                    .map_or_else(|| vec![&extends], |list| list.iter().collect());
                let named = names.into_iter().enumerate().map(|(at, name)| {
                    let element = place(&["extends", &at.to_string()]);
                    (name.clone(), element.or_else(|| extends_place.clone()))
                });
                let named: Vec<(Tree, Option<Place>)> = named.collect();
                self.open.push((path.clone(), None));
                for (name, place) in named {
                    self.extended(&path, &name, place);
                }
                self.open.pop();
            }
        }
        let base_dir = path.parent().map(Path::to_path_buf).unwrap_or_default();
        self.done.push(path);
        self.layers.push(Layer {
            kind,
            source,
            base_dir,
            tree: parsed.tree,
            index: parsed.index,
        });
    }

    /// Reads a file that `from` extends.
    fn extended(&mut self, from: &Path, name: &Tree, place: Option<Place>) {
        let Some(name) = name.as_str() else {
            let found = name.describe();
            self.problems.push(
                Problem::error("spec::wrong-type", "`extends` names files")
                    .label_at(place, format!("expected a file name, found {found}"))
                    .help("write `extends = \"base.toml\"`, or a list of names"),
            );
            return;
        };
        let path = plain(&from.parent().unwrap_or(Path::new("")).join(name));
        if let Some(last) = self.open.last_mut() {
            last.1.clone_from(&place);
        }
        if let Some(start) = self.open.iter().position(|(open, _)| *open == path) {
            self.cycle(start);
            return;
        }
        if self.done.contains(&path) {
            return;
        }
        if self.done.len() + self.open.len() >= FILES {
            if !std::mem::replace(&mut self.full, true) {
                let problem = Problem::error(
                    "spec::too-many",
                    format!("a spec can consist of at most {FILES} files"),
                );
                let problem = problem.label_at(place, "one more than that");
                self.problems
                    .push(problem.help("merge some of the files that are extended"));
            }
            return;
        }
        match (self.read)(&path) {
            Ok(bytes) => self.file(path, &bytes, LayerKind::Extended),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let message = format!("`{}` extends a file that does not exist", from.display());
                let problem = Problem::error("spec::extends-missing", message)
                    .label_at(place, format!("there is no `{}`", path.display()));
                let problem = self.with_near_name(problem, &path, Path::new(name));
                self.problems.push(problem);
            }
            Err(error) => {
                let problem = unreadable("spec::file-unreadable", &path, &error);
                self.problems.push(problem.label_at(place, "named here"));
            }
        }
    }

    /// Reports that the last open file extends the one at `start` again.
    fn cycle(&mut self, start: usize) {
        let ring = &self.open[start..];
        let mut names: Vec<String> = ring
            .iter()
            .map(|(path, _)| path.display().to_string())
            .collect();
        names.extend(names.first().cloned());
        let mut problem = Problem::error(
            "spec::extends-cycle",
            format!("`{}` extends itself: {}", names[0], names.join(" -> ")),
        )
        .help(if ring.len() == 1 {
            "remove it from `extends`"
        } else {
            "remove one of these `extends`"
        });
        // The edge that closes the ring first: without it there would be none.
        for at in (0..ring.len()).rev() {
            problem = problem.label_at(
                ring[at].1.clone(),
                format!("`{}` extends `{}` here", names[at], names[at + 1]),
            );
        }
        self.problems.push(problem);
    }

    /// The text of a file; a problem at the first byte that is not UTF-8.
    fn decode(&mut self, path: &Path, bytes: &[u8]) -> Option<SourceId> {
        let name = path.display().to_string();
        match std::str::from_utf8(bytes) {
            Ok(text) => Some(self.sources.add(name, text)),
            Err(error) => {
                let at = error.valid_up_to();
                let source = self.sources.add(name, &String::from_utf8_lossy(bytes));
                // The stored text lost its byte-order mark; up to the bad byte it is the same otherwise.
                let shown = if bytes.starts_with(b"\xef\xbb\xbf") {
                    at - 3
                } else {
                    at
                };
                let byte = bytes.get(at).copied().unwrap_or_default();
                self.problems.push(
                    Problem::error(
                        "spec::not-utf8",
                        format!("`{}` is not UTF-8 text", path.display()),
                    )
                    .label(
                        Place::new(source, shown..shown + 1),
                        format!("byte 0x{byte:02x} at offset {at}"),
                    )
                    .help("save the file as UTF-8"),
                );
                None
            }
        }
    }

    /// Adds what the file might have been called.
    fn with_near_name(&self, problem: Problem, path: &Path, written: &Path) -> Problem {
        let folder = path.parent().unwrap_or(Path::new(""));
        let wanted = path.file_name().unwrap_or_default().to_string_lossy();
        let open = |name: &String| self.open.iter().any(|(path, _)| *path == folder.join(name));
        let names: Vec<String> = (self.list)(folder)
            .into_iter()
            .filter(|name| !open(name))
            .collect();
        if names.iter().any(|name| **name == *wanted) {
            return problem.help("name a TOML file that can be read");
        }
        match nearest(&wanted, &names) {
            Some(near) => problem.help(format!(
                "did you mean `{}`?",
                written.with_file_name(near).display()
            )),
            None if self.open.is_empty() => problem.help("check the name"),
            None => problem.help("check the name; it is relative to the file that names it"),
        }
    }
}

fn unreadable(code: &'static str, path: &Path, error: &io::Error) -> Problem {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    };
    Problem::error(code, format!("cannot read `{}`: {why}", path.display()))
}

/// The path without `.` and without `folder/..`, so that one file has one name. Links are not followed.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
