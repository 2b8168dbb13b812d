//! An experiment in a folder of its own, with a scripted model that keeps a log of what it was asked.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use tribunal::base::key::Digest;

use crate::lab::Lab;

/// How many questions the models of [`Project`] answer at once, all together.
pub(crate) const AT_ONCE: usize = 5 + 3;

const TEMPLATE: &str = "\
Grade the text on {{ metrics | join(', ') }} from {{ scale.min }} to {{ scale.max }} in steps of {{ scale.step }}.
{{ text }}
";

/// Two models, two lengths, repeats, cut replies, and a judge whose calls are all those of another.
const SPEC: &str = r#"
title = "Tables of a run that something happens to"

[axes]
model  = { set = "judge.panel.model", values = ["alpha", "beta"] }
length = { set = "truncate.cut.tokens", values = [12, "full"] }

[models.alpha]
provider    = "scripted"
script      = "script.toml"
concurrency = 5

[models.beta]
provider    = "scripted"
script      = "script.toml"
concurrency = 3

[source.texts]
files = "texts.csv"

[truncate.cut]
from   = "texts"
tokens = "full"

[judge.panel]
max-unscored = 1
from      = "cut"
model     = "alpha"
prompt    = "grade"
repeats   = 2
retry-cut = 1

[judge.echo]
max-unscored = 1
from      = "cut"
model     = "alpha"
prompt    = "grade"
retry-cut = 1

[stats.scores]
from = "panel"

[stats.difference]
from = "panel"
test = "paired-t"
pair = { axis = "length", against = "full" }
over = ["doc_id", "repeat"]
cluster = []

[stats.echoed]
from = "echo"

[table.scores]
from    = "scores"
rows    = ["length", "metric"]
columns = ["model"]
show-n  = true

[table.difference]
from    = "difference"
rows    = ["metric"]
columns = ["model"]
stars   = [0.05]

[table.echoed]
from = "echoed"
rows = ["length", "metric"]

[report]
formats = ["md", "csv", "parquet", "json"]
"#;

/// A project that something happens to.
pub(crate) struct Project(Lab);

impl Deref for Project {
    type Target = Lab;

    fn deref(&self) -> &Lab {
        &self.0
    }
}

impl Project {
    /// An experiment over `texts` texts, `spec.toml`; every answer takes the model `delay`.
    pub(crate) fn new(texts: usize, delay: Duration) -> Self {
        let lab = Lab::new()
            .template("grade", TEMPLATE)
            .file("spec.toml", SPEC)
            .file("texts.csv", csv_of(texts))
            .script(&replies(delay));
        Self(lab)
    }

    /// The experiment's text with some words replaced, for a second one beside it.
    pub(crate) fn spec_with(changes: &[(&str, &str)]) -> String {
        changes.iter().fold(SPEC.to_owned(), |spec, (old, new)| {
            assert!(spec.contains(old), "`{old}` is not in the spec");
            spec.replace(old, new)
        })
    }

    /// `tribunal run <spec>`, not yet started.
    pub(crate) fn command(&self, spec: &str) -> Command {
        let mut command = self.exactly(&["run", "--jobs", "4", spec]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts a run of `spec.toml`.
    pub(crate) fn start(&self) -> Child {
        self.command("spec.toml").spawn().unwrap()
    }

    /// Runs `spec.toml` to its end.
    pub(crate) fn run(&self) -> Output {
        self.command("spec.toml").output().unwrap()
    }

    /// Runs `spec.toml` to its end, which has to be good and without warnings.
    pub(crate) fn run_well(&self) {
        let output = self.run();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert!(!said.contains("warning"), "{said}");
    }

    /// Forgets a file or folder, if it is there.
    pub(crate) fn forget(&self, name: &str) {
        if self.path(name).exists() {
            self.remove(name);
        }
    }

    /// How often each question was put to a model.
    pub(crate) fn asked(&self) -> BTreeMap<String, usize> {
        let mut asked = BTreeMap::new();
        let log = fs_err::read_to_string(self.path("asked.log")).unwrap_or_default();
        for line in log.lines() {
            *asked.entry(line.to_owned()).or_default() += 1;
        }
        asked
    }

    /// Digests of every file of the reports but the run records, by its path below `reports`.
    pub(crate) fn tables(&self) -> BTreeMap<PathBuf, Digest> {
        tables_below(&self.path("reports"))
    }

    /// Waits until the models were asked at least so often. Looks, and does not guess.
    pub(crate) fn wait_for_questions(&self, process: &mut Child, count: usize) {
        while self.asked().values().sum::<usize>() < count {
            let ended = process.try_wait().unwrap();
            assert!(ended.is_none(), "ended before it had asked {count} times");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Digests of the tables in a folder of reports; record and page say how long things took.
pub(crate) fn tables_below(folder: &Path) -> BTreeMap<PathBuf, Digest> {
    files_below(folder)
        .into_iter()
        .filter(|(path, _)| !path.ends_with("run.json") && !path.ends_with("index.html"))
        .map(|(path, bytes)| (path, Digest::of(bytes)))
        .collect()
}

/// Every file below a folder, with its bytes.
pub(crate) fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let Ok(entries) = fs_err::read_dir(&next) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                files.insert(name, fs_err::read(path).unwrap());
            }
        }
    }
    files
}

/// Sends a signal, by its name.
pub(crate) fn signal(process: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), process.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

fn csv_of(texts: usize) -> String {
    let line = |number: usize| {
        format!(
            "text-{number:03},The ferry number {number} leaves at dawn with eleven sheep. \
Nobody counts them twice. The rope creaks and the water is {number} feet deep.\n"
        )
    };
    let lines: String = (1..=texts).map(line).collect();
    format!("doc_id,text\n{lines}")
}

fn replies(delay: Duration) -> String {
    let delay = delay.as_millis();
    let answer = "Evaluation Form:\\n\\nFINAL Fluency Score: {{ digest % 5 + 1 }}\\nFINAL Coherence Score: {{ digest // 7 % 5 + 1 }}\\n";
    format!(
        r#"[[reply]]
contains = ["number 3 leaves"]
text     = "FINAL Flu"
finish   = "length"
delay-ms = {delay}

[[reply]]
contains = ["number 7 leaves", "feet deep"]
refuse   = "not this one"
delay-ms = {delay}

[[reply]]
text     = "{answer}"
delay-ms = {delay}
"#
    )
}
