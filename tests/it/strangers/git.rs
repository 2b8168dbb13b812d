//! Git is asked for the commit, and the settings of a repository can name programs: none of them is run.

use std::path::Path;
use std::process::{Command, Output};

use crate::lab::Lab;

/// Runs git in a folder, with settings of its own that name who commits and nothing else.
fn git(home: &Path, folder: &Path, words: &[&str]) -> Output {
    Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args([
            "-c",
            "protocol.file.allow=always",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(words)
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .output()
        .unwrap()
}

/// A project that is a repository, with all its files committed.
struct Kept {
    lab: Lab,
}

impl Kept {
    fn new() -> Self {
        Self::with(&[])
    }

    fn with(init: &[&str]) -> Self {
        let kept = Self { lab: Lab::small() };
        kept.lab
            .write(".gitignore", "cache/\nreports/\nasked.log\n");
        kept.git(&[&["init", "--quiet"], init].concat());
        kept.commit();
        kept
    }

    #[track_caller]
    fn git(&self, words: &[&str]) -> String {
        let output = git(self.home(), &self.lab.path(""), words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self) {
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", "all"]);
    }

    fn home(&self) -> &Path {
        self.lab.home()
    }

    /// What the record of a new run says of the commit.
    fn recorded(&self) -> serde_json::Value {
        self.lab.run(&[]).ok().record["git"].take()
    }

    fn canary(&self) -> String {
        self.home().join("canary").display().to_string()
    }

    fn has_sung(&self) -> bool {
        self.home().join("canary").exists()
    }

    fn hook(&self, path: &str) {
        use std::os::unix::fs::PermissionsExt;
        self.lab
            .write(path, format!("#!/bin/sh\ntouch '{}'\n", self.canary()));
        let path = self.lab.path(path);
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        self.touch();
    }

    /// Makes a file another one of the same length, so that git has to read it to know.
    fn change(&self) {
        let path = self.lab.path("docs/a.txt");
        let text = fs_err::read_to_string(&path).unwrap();
        self.lab.write("docs/a.txt", text.to_uppercase());
        self.touch();
    }

    /// Gives a file another time, so that git looks into it and rewrites its index.
    fn touch(&self) {
        let file = fs_err::File::options()
            .append(true)
            .open(self.lab.path("docs/a.txt"));
        let long_ago = std::time::SystemTime::now() - std::time::Duration::from_hours(9);
        file.unwrap().file().set_modified(long_ago).unwrap();
    }

    fn monitor(&self) -> String {
        format!("touch '{}'; false #", self.canary())
    }
}

/// A way in which a repository has git start a program.
type Trap = (&'static str, fn(&Kept));

const TRAPS: [Trap; 11] = [
    ("fsmonitor", |kept| {
        kept.git(&["config", "core.fsmonitor", &kept.monitor()]);
    }),
    ("clean filter", |kept| {
        let filter = format!("touch '{}'; cat", kept.canary());
        kept.git(&["config", "filter.x.clean", &filter]);
        kept.lab.write(".gitattributes", "*.txt filter=x\n");
        kept.change();
    }),
    ("filter process", |kept| {
        let filter = format!("touch '{}'; cat", kept.canary());
        kept.git(&["config", "filter.x.process", &filter]);
        kept.lab.write(".gitattributes", "*.txt filter=x\n");
        kept.change();
    }),
    ("included settings", |kept| {
        let included = kept.home().join("evil").display().to_string();
        kept.git(&[
            "config",
            "--file",
            &included,
            "core.fsmonitor",
            &kept.monitor(),
        ]);
        kept.git(&["config", "include.path", &included]);
    }),
    ("hook", |kept| kept.hook(".git/hooks/post-index-change")),
    ("hooks elsewhere", |kept| {
        kept.git(&["config", "core.hooksPath", "hooks"]);
        kept.hook("hooks/post-index-change");
    }),
    ("submodule", |kept| {
        kept.lab.write("below/a", "a");
        for words in [
            &["init", "--quiet"][..],
            &["add", "."],
            &["commit", "--quiet", "--message", "a"],
            &["config", "core.fsmonitor", &kept.monitor()],
        ] {
            assert!(
                git(kept.home(), &kept.lab.path("below"), words)
                    .status
                    .success()
            );
        }
        kept.commit();
        let _ = fs_err::remove_file(kept.canary());
    }),
    ("settings of another folder", |kept| {
        let (from, to) = (kept.lab.path(".git"), kept.lab.path("elsewhere"));
        fs_err::rename(from, to).unwrap();
        kept.lab.write(".git", "gitdir: elsewhere\n");
        kept.git(&["config", "core.fsmonitor", &kept.monitor()]);
    }),
    ("settings of a work tree", |kept| {
        kept.git(&["config", "core.repositoryformatversion", "1"]);
        kept.git(&["config", "extensions.worktreeConfig", "true"]);
        kept.git(&["config", "--worktree", "core.fsmonitor", &kept.monitor()]);
    }),
    ("bare repository", |kept| {
        kept.git(&["config", "core.fsmonitor", &kept.monitor()]);
        kept.git(&["config", "core.worktree", "."]);
        for name in ["HEAD", "config", "objects", "refs", "index"] {
            fs_err::rename(kept.lab.path(".git").join(name), kept.lab.path(name)).unwrap();
        }
        kept.lab.remove(".git");
    }),
    ("objects that are fetched", |kept| {
        let tree = kept.git(&["rev-parse", "HEAD^{tree}"]);
        for (name, value) in [
            ("remote.o.url", format!("ext::touch {}", kept.canary())),
            ("remote.o.promisor", "true".to_owned()),
            ("extensions.partialclone", "o".to_owned()),
            ("core.repositoryformatversion", "1".to_owned()),
            ("protocol.ext.allow", "always".to_owned()),
        ] {
            kept.git(&["config", name, &value]);
        }
        kept.lab
            .remove(&format!(".git/objects/{}/{}", &tree[..2], &tree[2..]));
    }),
];

#[test]
fn no_setting_of_a_repository_starts_a_program() {
    for (name, set) in TRAPS {
        // Git itself does: the trap is one.
        let kept = Kept::new();
        set(&kept);
        git(kept.home(), &kept.lab.path(""), &["status", "--porcelain"]);
        assert!(kept.has_sung(), "{name}: git has become careful by itself");
        // Tribunal does not have it do so.
        let kept = Kept::new();
        set(&kept);
        kept.lab.run(&[]).ok();
        kept.lab
            .exactly(&["diff", "HEAD~1", "reports"])
            .output()
            .unwrap();
        kept.lab
            .exactly(&["diff", "HEAD", "reports"])
            .output()
            .unwrap();
        assert!(!kept.has_sung(), "{name}");
    }
}

#[test]
fn no_setting_of_the_user_starts_a_program_for_a_strange_folder() {
    let kept = Kept::new();
    let filter = format!("touch '{}'; cat", kept.canary());
    kept.git(&["config", "--global", "filter.x.clean", &filter]);
    kept.git(&["config", "--global", "core.fsmonitor", &kept.monitor()]);
    kept.lab.write(".gitattributes", "*.txt filter=x\n");
    kept.change();
    kept.lab.run(&[]).ok();
    assert!(!kept.has_sung());
}

#[test]
fn the_record_says_the_commit_and_whether_files_differ_from_it() {
    for init in [&[][..], &["--object-format=sha256"]] {
        let kept = Kept::with(init);
        let head = kept.git(&["rev-parse", "HEAD"]);
        let says = |dirty: Option<bool>| serde_json::json!({ "commit": head, "dirty": dirty });
        assert_eq!(kept.recorded(), says(Some(false)));
        kept.lab.append("[export.grades]\nfrom = \"grades\"");
        assert_eq!(kept.recorded(), says(Some(true)));
    }
}

#[test]
fn what_the_user_leaves_out_everywhere_makes_no_difference() {
    let kept = Kept::new();
    kept.lab.write(".DS_Store", "");
    assert_eq!(kept.recorded()["dirty"], true);
    let ignored = kept.home().join("ignored");
    fs_err::write(&ignored, ".DS_Store\n").unwrap();
    kept.git(&["config", "--global", "core.excludesFile", "~/ignored"]);
    kept.lab.remove("cache");
    assert_eq!(kept.recorded()["dirty"], false);
}

#[test]
fn the_commit_of_a_further_work_tree_is_its_own() {
    let kept = Kept::new();
    let tree = kept.home().join("tree").display().to_string();
    kept.git(&["worktree", "add", "--quiet", "-b", "other", &tree]);
    kept.lab.write("docs/c.txt", "More.\n");
    kept.commit();
    let mut command = kept.lab.exactly(&["run", "experiment.toml"]);
    let output = command.current_dir(&tree).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let record = fs_err::read(Path::new(&tree).join("reports/experiment/run.json")).unwrap();
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    let other = kept.git(&["rev-parse", "other"]);
    assert_eq!(
        record["git"],
        serde_json::json!({ "commit": other, "dirty": false })
    );
    assert_ne!(kept.git(&["rev-parse", "HEAD"]), other);
}

#[test]
fn what_is_not_known_of_a_repository_is_not_recorded() {
    // Files that a filter makes something else of.
    let kept = Kept::new();
    kept.lab.write(".gitattributes", "*.txt filter=x\n");
    kept.commit();
    kept.lab
        .write("docs/a.txt", "What a filter makes of it is not known.\n");
    assert!(kept.recorded()["dirty"].is_null());
    // No commit yet, a commit that is not there, no repository but its name.
    for head in [
        "ref: refs/heads/none\n",
        "0123456789012345678901234567890123456789\n",
        "",
    ] {
        let kept = Kept::new();
        kept.lab.write(".git/HEAD", head);
        assert!(kept.recorded().is_null(), "{head}");
    }
}

#[test]
fn where_programs_are_looked_for_nowhere_a_git_of_the_folder_is_not_run() {
    for path in ["", ".", "bin"] {
        let kept = Kept::new();
        kept.hook("git");
        kept.hook("bin/git");
        let lab = kept.lab.env("PATH", path);
        let kept = Kept { lab };
        assert!(kept.recorded().is_null(), "{path}");
        assert!(!kept.has_sung(), "{path}");
    }
}

#[test]
fn a_pipe_in_a_repository_does_not_hold_up_the_run() {
    for name in [".gitignore", ".git/objects/info/alternates"] {
        let kept = Kept::new();
        let path = kept.lab.path(name);
        let _ = fs_err::remove_file(&path);
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let ran = kept.lab.run(&[]).ok();
        let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            said.contains("git did not answer within 5 seconds"),
            "{said}"
        );
        let git = &ran.record["git"];
        assert!(git.is_null() || git["dirty"].is_null(), "{git}");
        // Nor is it taken for an answer elsewhere.
        let mut diff = kept.lab.exactly(&["diff", "HEAD", "reports/experiment"]);
        let diff = diff.output().unwrap();
        let said = String::from_utf8_lossy(&diff.stderr).into_owned();
        if name.starts_with(".git/") {
            assert!(said.contains("git did not answer"), "{said}");
        }
    }
}
