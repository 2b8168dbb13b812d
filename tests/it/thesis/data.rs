//! The recorded data, and the experiments on it run as a reader would: the built binary, a cache and reports of their
//! own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use tribunal::frame::Frame;

use super::cells::{Audited, Table};

/// The folder with the recorded data.
pub(crate) struct Data(PathBuf);

/// The recorded data; where there is none, says so (past the capture of test output) and gives nothing.
pub(crate) fn or_skip() -> Option<Data> {
    let folder = match std::env::var_os("JUDGEMEMO_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => project().join("../shared/judgememo"),
    };
    if folder.join("responses.parquet").is_file() {
        // The binary is run in another folder.
        return Some(Data(std::path::absolute(folder).unwrap()));
    }
    std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("skipped: no recorded data at {}\n", folder.display()).as_bytes(),
    )
    .unwrap();
    None
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

impl Data {
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

/// The audited cells of one table of the thesis.
pub(super) fn expected(data: &Data, table: &str) -> Vec<Audited> {
    let text = fs_err::read_to_string(data.file("expected.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let cells = all["tables"][table].as_array().unwrap();
    cells.iter().map(Audited::read).collect()
}

/// The printed cells of a table that has no audit: its fields and the number.
pub(super) fn printed(table: &str) -> Vec<(Vec<String>, f64)> {
    let file = project().join(format!("experiments/judgememo/expected/{table}.csv"));
    let mut reader = csv::Reader::from_path(file).unwrap();
    let at = reader
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == "printed");
    let at = at.unwrap();
    let records = reader.records().map(|record| {
        let record = record.unwrap();
        let key = record.iter().take(at).map(str::to_owned).collect();
        (key, record[at].parse().unwrap())
    });
    records.collect()
}

/// A place where the experiments run.
pub(crate) struct Lab {
    data: PathBuf,
    pub(crate) folder: TempDir,
}

impl Lab {
    pub(crate) fn new(data: &Data) -> Self {
        Self::on(data.0.clone())
    }

    /// With another folder in the place of the recorded data.
    pub(super) fn on(data: PathBuf) -> Self {
        let folder = TempDir::new().unwrap();
        Self { data, folder }
    }

    fn command(&self, verb: &str, spec: &Path, more: &[&str]) -> Output {
        let set = |name: &str, path: &Path| format!("paths.{name}={}", path.display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        // Every variable of this prefix is a layer of the spec, the one that names the data too.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TRIBUNAL_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(self.folder.path())
            .arg(verb)
            .args((verb != "lint").then_some("--quiet"))
            .arg(spec)
            .args(["--set", &set("judgememo", &self.data)])
            .args(["--set", &set("cache", &self.folder.path().join("cache"))])
            .args([
                "--set",
                &set("reports", &self.folder.path().join("reports")),
            ])
            .args(["--set", &set("templates", &project().join("templates"))])
            .args(more)
            .output()
            .unwrap()
    }

    /// Verifies an experiment, which must succeed, and returns what is said, in one line.
    pub(super) fn verify(&self, name: &str, more: &[&str]) -> String {
        let (exit, said) = self.verdict(name, more);
        assert_eq!(exit, Some(0), "{said}");
        said
    }

    /// An experiment of the thesis.
    pub(crate) fn spec(name: &str) -> PathBuf {
        project().join(format!("experiments/judgememo/{name}.toml"))
    }

    /// Verifies an experiment: the exit code, and what is said, in one line.
    pub(super) fn verdict(&self, name: &str, more: &[&str]) -> (Option<i32>, String) {
        let output = self.command("verify", &Self::spec(name), more);
        let said = String::from_utf8(output.stdout).unwrap();
        let words: Vec<&str> = said.split_whitespace().collect();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!words.is_empty(), "{told}");
        (output.status.code(), words.join(" "))
    }

    pub(crate) fn run(&self, spec: &Path, more: &[&str]) {
        let output = self.command("run", spec, more);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
    }

    /// Checks a spec without running it; nothing may be wrong or odd about it.
    pub(super) fn lint(&self, name: &str, more: &[&str]) {
        let output = self.command("lint", &Self::spec(name), &[&["--strict"], more].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {told}");
    }

    /// An experiment that adds to Table A.12 the t-statistics that its averages are made of.
    pub(super) fn t_statistics(&self) -> PathBuf {
        let base = project().join("experiments/judgememo/table-a-12.toml");
        let text = format!(
            "extends = {:?}\n[table.t]\nfrom = \"effect\"\nvalue = \"t\"\nrows = [\"task\", \"metric\"]\ncolumns = [\"model\"]\n",
            base.display().to_string()
        );
        let spec = self.folder.path().join("t-of-a-12.toml");
        fs_err::write(&spec, text).unwrap();
        spec
    }

    /// A table as csv, `experiment/table` or one name for both.
    pub(super) fn table(&self, name: &str) -> Table {
        Table::from_csv(&fs_err::read(self.report(name, "csv")).unwrap())
    }

    pub(super) fn table_from_json(&self, name: &str) -> Table {
        let text = fs_err::read_to_string(self.report(name, "json")).unwrap();
        Table::from_json(&serde_json::from_str(&text).unwrap())
    }

    pub(super) fn table_from_parquet(&self, name: &str) -> Table {
        let bytes = fs_err::read(self.report(name, "parquet")).unwrap();
        Table::from_frame(&Frame::from_parquet(bytes, None).unwrap())
    }

    pub(super) fn report(&self, name: &str, ending: &str) -> PathBuf {
        let (experiment, table) = name.split_once('/').unwrap_or((name, name));
        // The project's experiments lie in a folder, those that tests write do not.
        let folder = if project()
            .join(format!("experiments/judgememo/{experiment}.toml"))
            .is_file()
        {
            "reports/judgememo"
        } else {
            "reports"
        };
        let file = format!("{folder}/{experiment}/{table}.{ending}");
        self.folder.path().join(file)
    }
}
