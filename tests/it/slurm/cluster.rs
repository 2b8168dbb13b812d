//! A cluster for one test.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One cluster at a time: each is a dozen processes.
static ALONE: Mutex<()> = Mutex::new(());

/// A running cluster; it ends when dropped.
pub(super) struct Cluster {
    folder: tempfile::TempDir,
    conf: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Cluster {
    /// Starts one with three nodes and these lines of configuration; says that the test is skipped, and why, where it cannot
    /// be.
    pub(super) fn start(extra: &str) -> Option<Self> {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        if !["slurmctld", "slurmd", "sbatch", "munged"]
            .iter()
            .all(|program| is_there(program))
        {
            eprintln!("skipped: no Slurm (Debian: slurmctld slurmd slurm-client munge)");
            return None;
        }
        // Short, because paths of sockets are.
        let folder = tempfile::Builder::new()
            .prefix("slurm")
            .tempdir_in("/tmp")
            .unwrap();
        let output = script(folder.path(), "start", &["3"])
            .env("LOCAL_CLUSTER_EXTRA", extra)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let conf = PathBuf::from(said.trim());
        Some(Self {
            folder,
            conf,
            _alone: alone,
        })
    }

    /// Where its configuration is.
    pub(super) fn conf(&self) -> &Path {
        &self.conf
    }

    /// A node loses power.
    pub(super) fn fail(&self, node: &str) {
        assert!(
            script(self.folder.path(), "fail", &[node])
                .status()
                .unwrap()
                .success()
        );
    }

    /// What a command of Slurm prints.
    #[track_caller]
    pub(super) fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program)
            .args(arguments)
            .env("SLURM_CONF", &self.conf)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{program}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = script(self.folder.path(), "stop", &[]).status();
    }
}

fn script(folder: &Path, verb: &str, more: &[&str]) -> Command {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/slurm/local-cluster");
    let mut command = Command::new(path);
    command.arg(verb).arg(folder).args(more);
    command
}

fn is_there(program: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default();
    let folders = path.split(':').chain(["/usr/sbin", "/sbin"]);
    folders
        .map(Path::new)
        .any(|folder| folder.join(program).is_file())
}
