//! A whole project in a temporary folder, and the built binary run in it: for tests that say what
//! a user would see.
//!
//! ```ignore
//! let lab = Lab::new()
//!     .spec("[source.docs]\nfiles = \"docs/*.txt\"\n…")
//!     .file("docs/a.txt", "Some text.")
//!     .template("grade", "Grade fluency: {{ text }}")
//!     .script("[[reply]]\ntext = \"FINAL Fluency Score: 4\"");
//! let ran = lab.run(&["--json"]).ok();
//! assert_eq!(ran.stages(), ["judge.grades", "source.docs"]);
//! lab.change("temperature = 0.0", "temperature = 0.5");
//! assert_eq!(lab.again().ok().asked, 1);
//! ```
//!
//! The child sees no variable of this process except `PATH`; nothing here depends on the clock, the
//! network, or files outside the folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde_json::Value;

/// The spec's file name; its reports are in `reports/experiment`.
pub(crate) const SPEC: &str = "experiment.toml";

/// The scripted model's log of questions, one line each.
const LOG: &str = "asked.log";

/// Two documents, a scripted judge that scores by the prompt's digest, statistics and a table.
pub(crate) const SMALL: &str = r#"
title = "Small"

[models.fake]
provider = "scripted"
script = "script.toml"
temperature = 0.0

[source.docs]
files = "docs/*.txt"

[judge.grades]
from = "docs"
model = "fake"
prompt = "grade"
metrics = ["fluency"]

[stats.scores]
from = "grades"

[table.scores]
from = "scores"
rows = ["metric"]
"#;

/// A script that answers every prompt with scores that depend on it.
pub(crate) const ANY_SCORE: &str = r#"
[[reply]]
text = """
FINAL Fluency Score: {{ digest % 5 + 1 }}
FINAL Coherence Score: {{ digest // 5 % 5 + 1 }}
"""
"#;

/// The values of JSON Lines.
#[track_caller]
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A project in a temporary folder.
#[derive(Debug)]
pub(crate) struct Lab {
    home: tempfile::TempDir,
    root: PathBuf,
    variables: Vec<(String, String)>,
    last: Mutex<Vec<String>>,
}

/// What a command came to.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code; -1 when a signal ended the process.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
    /// `reports/experiment/run.json`, null when there is none.
    pub(crate) record: Value,
    /// The files in `reports/experiment` by path (`scores.md`, `warm/scores.md`), except record, page, `tables.json` and `files.json`;
    /// what is not text (parquet) as its digest.
    pub(crate) tables: BTreeMap<String, String>,
    /// Questions the scripted model was asked by this command.
    pub(crate) asked: usize,
    /// The events, where `--json` was given.
    pub(crate) events: Vec<Value>,
}

impl Lab {
    /// An empty project: only the folder `templates`, which marks its root.
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("project");
        fs_err::create_dir_all(root.join("templates")).unwrap();
        Self {
            home,
            root,
            variables: Vec::new(),
            last: Mutex::default(),
        }
    }

    /// [`SMALL`] with two documents, [`ANY_SCORE`], and the template `grade`, which names both metrics
    /// itself, so that the prompt does not depend on `metrics`.
    pub(crate) fn small() -> Self {
        Self::new()
            .spec(SMALL)
            .file(
                "docs/a.txt",
                "The ferry left at noon. It came back at night.\n",
            )
            .file("docs/b.txt", "The mill stood still. Nobody knew why.\n")
            .template("grade", "Grade fluency and coherence.\n\n{{ text }}\n")
            .script(ANY_SCORE)
    }

    /// The quickstart of this repository, with its stories and templates.
    pub(crate) fn quickstart() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let lab = Self::new();
        for folder in ["experiments/stories", "templates"] {
            for entry in fs_err::read_dir(root.join(folder)).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    let name = path.file_name().unwrap().to_string_lossy().into_owned();
                    lab.write(&format!("{folder}/{name}"), fs_err::read(&path).unwrap());
                }
            }
        }
        let spec = fs_err::read(root.join("experiments/quickstart.toml")).unwrap();
        lab.write("experiments/quickstart.toml", spec);
        lab
    }

    /// Writes the spec.
    pub(crate) fn spec(self, toml: &str) -> Self {
        self.file(SPEC, toml)
    }

    /// Writes a file of the project.
    pub(crate) fn file(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.write(name, bytes);
        self
    }

    /// Writes `templates/<name>.j2`.
    pub(crate) fn template(self, name: &str, text: &str) -> Self {
        self.file(&format!("templates/{name}.j2"), text)
    }

    /// Writes `script.toml`, the scripted model's replies; a log of questions is added.
    pub(crate) fn script(self, replies: &str) -> Self {
        self.file("script.toml", format!("log = \"{LOG}\"\n{replies}"))
    }

    /// Sets a variable of the child's environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes a file of the project, whatever was there.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, bytes).unwrap();
    }

    /// Replaces the one place of the spec where `from` stands.
    pub(crate) fn change(&self, from: &str, to: &str) {
        self.edit(SPEC, from, to);
    }

    /// Replaces the one place of a file where `from` stands.
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        let places = text.matches(from).count();
        assert_eq!(
            places, 1,
            "`{from}` stands {places} times in {name}:\n{text}"
        );
        self.write(name, text.replace(from, to));
    }

    /// Adds lines at the end of the spec.
    pub(crate) fn append(&self, toml: &str) {
        self.write(SPEC, format!("{}\n{toml}\n", self.read(SPEC)));
    }

    /// A file's text.
    pub(crate) fn read(&self, name: &str) -> String {
        fs_err::read_to_string(self.path(name)).unwrap()
    }

    /// Removes a file or folder of the project.
    pub(crate) fn remove(&self, name: &str) {
        let path = self.path(name);
        if path.is_dir() {
            fs_err::remove_dir_all(path).unwrap();
        } else {
            fs_err::remove_file(path).unwrap();
        }
    }

    /// Moves the whole project to another folder.
    pub(crate) fn moved(mut self) -> Self {
        let other = self.home.path().join("elsewhere").join("moved");
        fs_err::create_dir_all(other.parent().unwrap()).unwrap();
        fs_err::rename(&self.root, &other).unwrap();
        self.root = other;
        self
    }

    /// Copies a folder of the project with all it holds, replacing what was there.
    pub(crate) fn copy(&self, from: &str, to: &str) {
        if self.path(to).exists() {
            self.remove(to);
        }
        for file in self.files(from) {
            let rest = file.strip_prefix(self.path(from)).expect("found below it");
            let copy = self.path(to).join(rest);
            fs_err::create_dir_all(copy.parent().unwrap()).unwrap();
            fs_err::copy(&file, copy).unwrap();
        }
    }

    /// The folder above the project, which is the home of whoever runs it.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// A path in the project.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// All files below a folder of the project, sorted; none when there is no such folder.
    pub(crate) fn files(&self, folder: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        collect(&self.path(folder), &mut found);
        found.sort();
        found
    }

    /// `tribunal run experiment.toml` with these arguments.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.cmd(&[&["run"], args].concat())
    }

    /// The last command again.
    pub(crate) fn again(&self) -> Ran {
        let last = self.last.lock().unwrap().clone();
        assert!(!last.is_empty(), "nothing was run yet");
        self.cmd(&last.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Any command in the project's folder. The verbs that need one spec get it:
    /// `&["plan", "--json"]` becomes `tribunal plan experiment.toml --json`.
    pub(crate) fn cmd(&self, args: &[&str]) -> Ran {
        *self.last.lock().unwrap() = args.iter().map(|&arg| arg.to_owned()).collect();
        let before = self.asked();
        let output = self.command(args).output().unwrap();
        let ran = self.came_to(output, args);
        Ran {
            asked: self.asked() - before,
            ..ran
        }
    }

    /// What a command with these arguments came to that was started in another way.
    pub(crate) fn came_to(&self, output: std::process::Output, args: &[&str]) -> Ran {
        let out = String::from_utf8(output.stdout).expect("output is UTF-8");
        let err = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert!(!err.contains("panicked at"), "{err}");
        let record = fs_err::read(self.path("reports/experiment/run.json"))
            .map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).unwrap());
        let events = if args.first() == Some(&"run") && args.contains(&"--json") {
            let lines = out.lines().filter(|line| line.starts_with('{'));
            lines
                .map(|line| serde_json::from_str(line).unwrap())
                .collect()
        } else {
            Vec::new()
        };
        Ran {
            code: output.status.code().unwrap_or(-1),
            out,
            err,
            record,
            tables: self.tables(),
            asked: 0,
            events,
        }
    }

    /// The command itself, for tests that start it differently.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let (verb, rest) = args.split_first().expect("a verb");
        let needs_spec = [
            "run", "plan", "why", "verify", "report", "lint", "show", "call", "view",
        ]
        .contains(verb);
        let spec: &[&str] = if needs_spec { &[SPEC] } else { &[] };
        self.exactly(&[&[*verb], spec, rest].concat())
    }

    /// A command with these arguments and no others.
    pub(crate) fn exactly(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command
            .args(args)
            .current_dir(&self.root)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.path())
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .env("RUST_BACKTRACE", "0")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    /// Questions the scripted model was asked so far, by all commands.
    pub(crate) fn asked(&self) -> usize {
        fs_err::read_to_string(self.path(LOG)).map_or(0, |text| text.lines().count())
    }

    fn tables(&self) -> BTreeMap<String, String> {
        let folder = self.path("reports/experiment");
        let name = |path: &Path| {
            let rest = path.strip_prefix(&folder).expect("found below it");
            rest.to_string_lossy().replace('\\', "/")
        };
        self.files("reports/experiment")
            .iter()
            .map(|path| (name(path), fs_err::read(path).unwrap()))
            .filter(|(name, _)| {
                !["run.json", "tables.json", "files.json", "index.html"].contains(&name.as_str())
            })
            .map(|(name, bytes)| {
                let text = String::from_utf8(bytes)
                    .unwrap_or_else(|error| blake3::hash(error.as_bytes()).to_string());
                (name, text)
            })
            .collect()
    }
}

impl Ran {
    /// What was said, without the lines of the spec that are drawn below a message.
    pub(crate) fn told(&self) -> String {
        let mut told = String::new();
        let mut drawn = false;
        for line in self.err.split_inclusive('\n') {
            drawn |= line.contains("\u{256d}\u{2500}[");
            if !drawn {
                told.push_str(line);
            }
            drawn &= !line
                .trim_start()
                .starts_with("\u{2570}\u{2500}\u{2500}\u{2500}\u{2500}");
        }
        told
    }

    /// Itself, after making sure that the command succeeded.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        self.exit(0)
    }

    /// Itself, after making sure that the command ended with this code.
    #[track_caller]
    pub(crate) fn exit(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\n{}\n{}", self.out, self.err);
        self
    }

    /// The events of one sort, such as `finished`; needs `--json`.
    #[track_caller]
    pub(crate) fn events(&self, sort: &str) -> Vec<&Value> {
        assert!(!self.events.is_empty(), "run with `--json`\n{}", self.err);
        self.events
            .iter()
            .filter(|event| event["event"] == sort)
            .collect()
    }

    /// The nodes that ran to a result, sorted; needs `--json`.
    #[track_caller]
    pub(crate) fn nodes(&self) -> Vec<String> {
        let mut nodes: Vec<String> = self
            .events("finished")
            .iter()
            .map(|event| event["node"].as_str().unwrap().to_owned())
            .collect();
        nodes.sort();
        nodes
    }

    /// The stages of which a node ran, sorted, each once; needs `--json`.
    #[track_caller]
    pub(crate) fn stages(&self) -> Vec<String> {
        let mut stages: Vec<String> = self
            .nodes()
            .iter()
            .map(|node| node.split('[').next().unwrap_or(node).to_owned())
            .collect();
        stages.dedup();
        stages
    }

    /// What the run came to: the last event; needs `--json`.
    #[track_caller]
    pub(crate) fn summary(&self) -> &Value {
        let done = self.events("done");
        assert_eq!(done.len(), 1, "{}", self.out);
        done[0]
    }

    /// All warnings, sorted: of stages side by side, whichever is done first is told first. Needs
    /// `--json`.
    #[track_caller]
    pub(crate) fn warnings(&self) -> Vec<String> {
        let told = self.events("warning");
        let messages = told.iter().map(|event| event["message"].as_str().unwrap());
        let mut warnings: Vec<_> = messages.map(str::to_owned).collect();
        warnings.sort();
        warnings
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs_err::read_dir(folder) else {
        return;
    };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn a_project_runs_and_runs_again() {
    let lab = Lab::small();
    let ran = lab.run(&["--json"]).ok();
    let all = [
        "judge.grades",
        "source.docs",
        "stats.scores",
        "table.scores",
    ];
    assert_eq!(ran.stages(), all);
    assert_eq!(ran.asked, 2);
    assert_eq!(ran.summary()["calls_made"], 2);
    assert!(ran.tables.contains_key("scores.md"), "{:?}", ran.tables);
    assert_eq!(ran.record["experiment"], "experiment");
    let again = lab.again().ok();
    assert_eq!(again.nodes(), [""; 0]);
    assert_eq!(again.asked, 0);
    assert_eq!(again.tables, ran.tables);
}
