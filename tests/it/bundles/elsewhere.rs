//! Another machine: a folder that knows nothing of the project, and the built binary run in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::lab::{Lab, Ran, SPEC};

/// The archive's name.
pub(super) const ARCHIVE: &str = "bundle.tar.zst";

/// A folder elsewhere.
pub(crate) struct Elsewhere {
    home: tempfile::TempDir,
}

/// What a command came to.
pub(super) struct Said {
    pub(super) code: i32,
    pub(super) out: String,
    pub(super) err: String,
}

impl Said {
    #[track_caller]
    pub(super) fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{}\n{}", self.out, self.err);
        self
    }

    /// What was called, of a run with `--json`: calls made, requests, nodes that ran.
    #[track_caller]
    pub(super) fn made(&self) -> (u64, u64, u64) {
        let done = self.out.lines().rev().find_map(|line| {
            let event: Value = serde_json::from_str(line).ok()?;
            (event["event"] == "done").then_some(event)
        });
        let done = done.unwrap_or_else(|| panic!("no run with --json: {}", self.out));
        let of = |name: &str| done[name].as_u64().unwrap_or_default();
        (of("calls_made"), of("requests"), of("ran"))
    }
}

/// Bundles the small project of a lab.
pub(crate) fn bundle(lab: &Lab, more: &[&str]) -> Ran {
    lab.cmd(&[&["bundle", SPEC, "--output", ARCHIVE], more].concat())
}

impl Elsewhere {
    pub(super) fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
        }
    }

    /// What is unpacked of a lab's archive.
    pub(crate) fn unpacked(lab: &Lab) -> Self {
        let elsewhere = Self::new();
        let archive = lab.path(ARCHIVE);
        elsewhere.unbundle(&archive, &[]).ok();
        elsewhere
    }

    pub(super) fn unbundle(&self, archive: &Path, more: &[&str]) -> Said {
        let archive = archive.to_str().unwrap();
        self.said(
            self.home.path(),
            &[&["unbundle", archive, "--into", "there"], more].concat(),
        )
    }

    /// A command in the folder that the bundle was unpacked to.
    pub(super) fn cmd(&self, args: &[&str]) -> Said {
        self.said(&self.path(""), args)
    }

    pub(super) fn run(&self, more: &[&str]) -> Said {
        self.cmd(&[&["run", SPEC, "--json"], more].concat())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join("there").join(name)
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// A command in the folder that the bundle was unpacked to, for tests that start it differently.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.exactly(&self.path(""), args)
    }

    fn exactly(&self, folder: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command
            .args(args)
            .current_dir(folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.path())
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .stdin(Stdio::null());
        command
    }

    fn said(&self, folder: &Path, args: &[&str]) -> Said {
        let output = self.exactly(folder, args).output().unwrap();
        let said = Said {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!said.err.contains("panicked at"), "{}", said.err);
        said
    }
}

/// All files below a folder, but for the record of a run and the page, which say how it came about, as digests by path.
pub(super) fn files(folder: &Path) -> BTreeMap<String, blake3::Hash> {
    fn walk(folder: &Path, base: &Path, found: &mut BTreeMap<String, blake3::Hash>) {
        for entry in fs_err::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, base, found);
            } else if path
                .file_name()
                .is_none_or(|name| name != "run.json" && name != "index.html")
            {
                let name = path.strip_prefix(base).unwrap().to_string_lossy();
                let digest = blake3::hash(&fs_err::read(&path).unwrap());
                found.insert(name.replace('\\', "/"), digest);
            }
        }
    }
    let mut found = BTreeMap::new();
    if folder.is_dir() {
        walk(folder, folder, &mut found);
    }
    found
}
