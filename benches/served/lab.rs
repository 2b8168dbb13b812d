//! A folder with documents, a template and specs that ask about them.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::measure::{Run, binary, document, process, words};
use crate::watch::{Watched, watch};

/// What stands above a document in the prompt.
pub(crate) const INSTRUCTION: &str = "Score fluency and coherence.";

/// Documents, and how often each is asked about.
pub(crate) struct Corpus {
    words: Vec<usize>,
    repeats: usize,
}

impl Corpus {
    /// Documents of one length, in words.
    pub(crate) fn even(count: usize, words: usize) -> Self {
        Self::of(vec![words; count])
    }

    /// Documents of these lengths, in words.
    pub(crate) fn of(words: Vec<usize>) -> Self {
        Self { words, repeats: 1 }
    }

    pub(crate) fn repeated(self, repeats: usize) -> Self {
        Self { repeats, ..self }
    }

    /// How many calls it makes.
    pub(crate) fn calls(&self) -> usize {
        self.words.len() * self.repeats
    }

    fn csv(&self) -> String {
        let lengths = self.words.iter().enumerate();
        let lines = lengths.map(|(number, &words)| document(number, words));
        std::iter::once("doc_id,text\n".to_owned())
            .chain(lines)
            .collect()
    }
}

/// The folder.
pub(crate) struct Lab {
    folder: TempDir,
    repeats: usize,
}

impl Lab {
    pub(crate) fn new(corpus: &Corpus) -> Self {
        let lab = Self {
            folder: TempDir::new().expect("a folder can be made"),
            repeats: corpus.repeats,
        };
        std::fs::create_dir_all(lab.folder.path().join("templates")).expect("a folder can be made");
        lab.write("docs.csv", &corpus.csv());
        lab.write(
            "templates/p.j2",
            &format!("{INSTRUCTION}\n{{{{ text }}}}\n"),
        );
        lab
    }

    /// Throws away what runs left: the cache, and the page of the one before.
    pub(crate) fn forget(&self) {
        for name in ["cache", "reports"] {
            let _ = std::fs::remove_dir_all(self.folder.path().join(name));
        }
    }

    /// Runs the binary; `limits` are further lines of the model.
    pub(crate) fn run(&self, stage: &str, url: &str, concurrency: usize, limits: &str) -> Run {
        self.spec(stage, url, concurrency, limits);
        let folder: PathBuf = self.folder.path().into();
        process(&binary(), &words(&["run", "--quiet", "spec.toml"]), &folder)
    }

    /// Runs the binary and looks at its memory meanwhile.
    pub(crate) fn watch(&self, stage: &str, url: &str, concurrency: usize) -> Watched {
        self.spec(stage, url, concurrency, "");
        watch(
            &binary(),
            &["run", "--quiet", "spec.toml"],
            self.folder.path(),
        )
    }

    /// Runs the bare loop over the same documents.
    pub(crate) fn baseline(&self, url: &str, concurrency: usize) -> Run {
        let this = std::env::current_exe().expect("this program has a path");
        let (concurrency, repeats) = (concurrency.to_string(), self.repeats.to_string());
        process(
            &this.to_string_lossy(),
            &words(&["baseline", url, &concurrency, &repeats]),
            self.folder.path(),
        )
    }

    fn spec(&self, stage: &str, url: &str, concurrency: usize, limits: &str) {
        // Another scale is another stage, with the same calls.
        let step = if stage == "first" { 1.0 } else { 0.5 };
        let repeats = self.repeats;
        self.write(
            "spec.toml",
            &format!(
                "[models.served]\nprovider = \"openai\"\nbase-url = \"{url}\"\nconcurrency = {concurrency}\n{limits}\n\
                [source.docs]\nfiles = \"docs.csv\"\n\
                [judge.{stage}]\nfrom = \"docs\"\nmodel = \"served\"\nprompt = \"p\"\nrepeats = {repeats}\nscale.step = {step}\n\
                [stats.means]\nfrom = \"{stage}\"\n[table.t]\nfrom = \"means\"\nrows = [\"metric\"]\ncolumns = []\n"
            ),
        );
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("a file can be written");
    }
}
