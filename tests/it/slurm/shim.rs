//! Programs put in front of Slurm's own: they note when they are called, and fail or answer as the test wants.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A folder of such programs.
pub(super) struct Shims {
    folder: tempfile::TempDir,
}

impl Shims {
    pub(super) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A file in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program that notes each call, with the time and its arguments, and goes on with this script, in which `$here` is
    /// the folder.
    pub(super) fn program(&self, name: &str, script: &str) {
        let path = self.path(name);
        let here = self.folder.path().display();
        let text = format!(
            "#!/bin/bash\nhere={here}\necho \"$(date +%s%3N) $*\" >>\"$here/{name}.log\"\n{script}\n"
        );
        fs_err::write(&path, text).unwrap();
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// `squeue` as it is, but for a while that begins now: until [`Shims::mend`] it fails.
    pub(super) fn break_squeue(&self) {
        fs_err::write(self.path("broken"), "").unwrap();
        let real = find("squeue");
        self.program(
            "squeue",
            &format!(
                "if [ -e \"$here/broken\" ]; then echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1; fi\nexec {} \"$@\"",
                real.display()
            ),
        );
    }

    /// It works from now on.
    pub(super) fn mend(&self) {
        fs_err::remove_file(self.path("broken")).unwrap();
    }

    /// When a program was called, in milliseconds, and with what.
    pub(super) fn calls(&self, name: &str) -> Vec<(u64, String)> {
        let text = fs_err::read_to_string(self.path(&format!("{name}.log"))).unwrap_or_default();
        text.lines()
            .filter_map(|line| {
                let (at, arguments) = line.split_once(' ')?;
                Some((at.parse().ok()?, arguments.to_owned()))
            })
            .collect()
    }

    /// The variable in which programs are looked for, with these in front.
    pub(super) fn search_path(&self) -> String {
        format!(
            "{}:{}",
            self.folder.path().display(),
            std::env::var("PATH").unwrap_or_default()
        )
    }
}

fn find(program: &str) -> PathBuf {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut found = path
        .split(':')
        .map(|folder| Path::new(folder).join(program));
    found
        .find(|path| path.is_file())
        .unwrap_or_else(|| PathBuf::from(program))
}

/// Waits until something holds.
#[track_caller]
pub(super) fn until(what: &str, holds: impl Fn() -> bool) {
    let began = std::time::Instant::now();
    while !holds() {
        assert!(
            began.elapsed() < crate::server::PATIENCE * 2,
            "{what}: never"
        );
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
