//! A folder whose specs ask a script about documents: calls at no latency, each stored before it is used.

#![allow(dead_code, reason = "each bench uses its part of this")]

use std::path::Path;

use tempfile::TempDir;

use crate::measure::{Run, binary, documents, process, words};

/// The folder.
pub(crate) struct Lab(TempDir);

impl Lab {
    /// With so many documents, of so many words, each of which is asked about so often. `first.toml` and `second.toml` make the
    /// same calls in stages that differ.
    pub(crate) fn new(count: usize, length: usize, repeats: usize) -> Self {
        let lab = Self::empty();
        lab.write("docs.csv", &documents(count, length));
        // Another scale is another stage.
        for (name, step) in [("first", 1.0), ("second", 0.5)] {
            let source = "[source.docs]\nfiles = \"docs.csv\"\n";
            let more = format!("repeats = {repeats}\nscale.step = {step}\n");
            lab.write(&format!("{name}.toml"), &spec(source, "docs", &more));
        }
        lab
    }

    /// With the script, and no documents.
    pub(crate) fn empty() -> Self {
        let lab = Self(TempDir::new().expect("a folder can be made"));
        std::fs::create_dir(lab.path().join("templates")).expect("a folder can be made");
        lab.write(
            "templates/p.j2",
            "Score fluency and coherence.\n{{ text }}\n",
        );
        lab.write(
            "script.toml",
            "[[reply]]\ntext = \"FINAL Fluency Score: {{ 1 + digest % 5 }}\\nFINAL Coherence Score: 3\"\n",
        );
        lab
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).expect("a file can be written");
    }

    /// Throws away what runs left.
    pub(crate) fn forget(&self) {
        for name in ["cache", "reports"] {
            let _ = std::fs::remove_dir_all(self.path().join(name));
        }
    }

    /// What runs a spec of the folder.
    pub(crate) fn arguments(name: &str) -> Vec<String> {
        words(&["run", "--quiet", &format!("{name}.toml")])
    }

    /// Runs a spec.
    pub(crate) fn run(&self, name: &str) -> Run {
        process(&binary(), &Self::arguments(name), self.path())
    }
}

/// A spec that asks about what a stage gives, with further lines of the judge, and makes one table.
pub(crate) fn spec(source: &str, from: &str, more: &str) -> String {
    format!(
        "[models.m]\nprovider = \"scripted\"\nscript = \"script.toml\"\nconcurrency = 64\n{source}[judge.j]\n\
        from = \"{from}\"\nmodel = \"m\"\nprompt = \"p\"\n{more}[stats.means]\nfrom = \"j\"\n[table.t]\nfrom = \"means\"\n\
        rows = [\"metric\"]\ncolumns = []\n"
    )
}
