//! What git knows of a folder, without obeying anything that the folder says.
//!
//! The configuration of a repository can name programs (`core.fsmonitor`, filters, hooks, pagers, transports), and so can
//! that of the user for what `.gitattributes` asks for. So git is never run *in* a repository: it is given a repository of
//! ours, in a temporary folder, that borrows objects, references and index of the one that is asked about and has none of
//! its settings but a few plain ones, which are looked up by name. Objects that are not there are not fetched.
//!
//! What cannot be known this way is unknown, never guessed.

mod answer;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use self::answer::{Answer, answer};
use crate::base::paths::real;

/// How long git may take to answer. It opens what lies in a folder, and waits for ever where that is a pipe.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest file of a repository that is read here, in bytes.
const LONGEST: u64 = 1 << 20;

/// Settings that change which files count as changed and start nothing.
const PLAIN: [&str; 9] = [
    "core.autocrlf",
    "core.eol",
    "core.excludesfile",
    "core.filemode",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.symlinks",
    "core.trustctime",
    "status.showuntrackedfiles",
];

/// The repository that a folder lies in, to be asked without being obeyed.
pub(super) struct Repository {
    /// The folder whose files it keeps.
    root: PathBuf,
    /// Its `.git`, or the part of one that belongs to this folder alone.
    own: PathBuf,
    /// What all work trees share: the same in most.
    common: PathBuf,
    /// A repository of ours with its objects and references.
    ours: TempDir,
    settings: Settings,
    /// Whether git was waited for in vain; it is not asked again.
    silent: AtomicBool,
}

/// Its settings, where they are plain.
#[derive(Default)]
struct Settings {
    plain: Vec<String>,
    /// Whether something else says what belongs to the repository, which is not followed.
    elsewhere: bool,
    sha256: bool,
}

impl Repository {
    /// The repository around a folder; none outside of any, and none that is bare.
    pub(super) fn around(folder: &Path) -> Option<Self> {
        let folder = real(folder);
        let (root, git) = folder.ancestors().find_map(|folder| {
            let git = folder.join(".git");
            git.exists().then(|| (folder.to_owned(), git))
        })?;
        let own = if git.is_dir() {
            git
        } else {
            let text = read(&git)?;
            root.join(text.strip_prefix("gitdir:")?.trim())
        };
        let common = match read(&own.join("commondir")) {
            Some(text) => own.join(text.trim()),
            None => own.clone(),
        };
        let ours = tempfile::tempdir().ok()?;
        let mut repository = Self {
            root,
            own,
            common,
            ours,
            settings: Settings::default(),
            silent: AtomicBool::new(false),
        };
        repository.borrow()?;
        Some(repository)
    }

    /// Makes the repository of ours.
    fn borrow(&mut self) -> Option<()> {
        let ours = self.ours.path().to_owned();
        let head = read(&self.own.join("HEAD"))?;
        fs_err::write(ours.join("HEAD"), head).ok()?;
        fs_err::create_dir(ours.join("objects")).ok()?;
        lend(&self.common.join("refs"), &ours.join("refs")).ok()?;
        for name in ["packed-refs", "shallow"] {
            let from = self.common.join(name);
            if from.is_file() {
                lend(&from, &ours.join(name)).ok()?;
            }
        }
        let logs = self.own.join("logs");
        if logs.is_dir() {
            lend(&logs, &ours.join("logs")).ok()?;
        }
        let config = ours.join("config");
        fs_err::write(&config, "[core]\n\trepositoryformatversion = 0\n").ok()?;
        self.settings = self.own_settings();
        if self.settings.sha256 {
            let text =
                "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n";
            fs_err::write(&config, text).ok()?;
        }
        Some(())
    }

    /// The commit that a revision stands for.
    pub(super) fn commit(&self, revision: &str) -> Option<String> {
        if revision.is_empty() || revision.starts_with('-') {
            return None;
        }
        let revision = format!("{revision}^{{commit}}");
        let said = self.ask(&["rev-parse", "--verify", "--quiet", &revision])?;
        Some(String::from_utf8(said).ok()?.trim().to_owned())
    }

    /// The files of a commit below a folder, from the repository's own folder on.
    pub(super) fn files(&self, commit: &str, folder: &Path) -> Vec<String> {
        let Some(below) = self.below(folder) else {
            return Vec::new();
        };
        let mut words = vec!["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit];
        if !below.is_empty() {
            words.extend(["--", &below]);
        }
        let said = self.ask(&words).unwrap_or_default();
        let names = String::from_utf8_lossy(&said).into_owned();
        names.split_terminator('\0').map(str::to_owned).collect()
    }

    /// The bytes of a file as a commit has them.
    pub(super) fn bytes(&self, commit: &str, file: &Path) -> Option<Vec<u8>> {
        let below = self.below(file)?;
        self.ask(&["cat-file", "blob", &format!("{commit}:{below}")])
    }

    /// A path from the repository's own folder on, as git writes it.
    pub(super) fn below(&self, path: &Path) -> Option<String> {
        let path = real(path);
        let steps = path.strip_prefix(&self.root).ok()?.components();
        let steps: Vec<String> = steps
            .map(|step| step.as_os_str().to_string_lossy().into_owned())
            .collect();
        Some(steps.join("/"))
    }

    /// Whether files differ from the commit; none where that is not known.
    fn dirty(&self) -> Option<bool> {
        if self.settings.elsewhere || !self.own.join("index").is_file() {
            return None;
        }
        // The later one counts: what the repository says is stronger than what the user says.
        let user = self.settings_of_user();
        let plain = user.plain.iter().chain(&self.settings.plain);
        let mut words: Vec<&str> = plain.flat_map(|set| ["-c", set]).collect();
        words.extend(["status", "--porcelain", "-z", "--no-renames"]);
        // A look into a submodule would be a run of git in it, with its settings.
        words.push("--ignore-submodules=dirty");
        let changed = self.ask(&words)?;
        if changed.is_empty() {
            let modules = self.root.join(".gitmodules").exists();
            return (!modules).then_some(false);
        }
        // What a filter makes of a file is not known without running it.
        let filtered = || self.are_filtered(&changed).unwrap_or(false);
        (!filtered()).then_some(true)
    }

    /// Whether all that seems changed are tracked files with a filter.
    fn are_filtered(&self, changed: &[u8]) -> Option<bool> {
        let mut words: Vec<&str> = vec!["check-attr", "-z", "filter", "--"];
        let changed = std::str::from_utf8(changed).ok()?;
        for change in changed.split_terminator('\0') {
            words.push(change.strip_prefix(" M ")?);
        }
        let said = self.ask(&words)?;
        let said = String::from_utf8(said).ok()?;
        let fields: Vec<&str> = said.split_terminator('\0').collect();
        let plain = |filter: &str| ["unspecified", "unset", "set", ""].contains(&filter);
        Some(
            fields
                .chunks(3)
                .all(|one| matches!(one, [_, _, filter] if !plain(filter))),
        )
    }

    /// The settings of the repository itself.
    fn own_settings(&self) -> Settings {
        let file = self.common.join("config");
        if !is_short(&file) {
            return Settings::default();
        }
        let mut command = self.command();
        command.arg("config").arg("--file").arg(&file);
        command.args(["--no-includes", "--null", "--list"]);
        let mut settings = self.listed(command);
        settings.elsewhere |= self.own.join("config.worktree").exists();
        settings
    }

    /// The settings of the user and of the system, which name no program that is asked for here.
    fn settings_of_user(&self) -> Settings {
        let mut command = self.command();
        for name in [
            "GIT_CONFIG_NOSYSTEM",
            "GIT_CONFIG_GLOBAL",
            "XDG_CONFIG_HOME",
        ] {
            command.env_remove(name);
        }
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let own = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
        command.envs(home.iter().map(|home| ("HOME", home)));
        command.envs(own.iter().map(|own| ("XDG_CONFIG_HOME", own)));
        command.args(["config", "--null", "--type=path", "--get-regexp"]);
        command.arg(r"^(core|status)\.");
        let mut settings = self.listed(command);
        let folder = own.or_else(|| Some(home?.join(".config")));
        let ignored = folder.map(|folder| folder.join("git").join("ignore"));
        if let Some(file) = ignored.filter(|file| is_short(file)) {
            // The weakest: what is set by name replaces it.
            let file = format!("core.excludesfile={}", file.display());
            settings.plain.insert(0, file);
        }
        settings
    }

    /// The plain ones of the settings that a command lists.
    fn listed(&self, mut command: Command) -> Settings {
        let listed = self.said(&mut command).unwrap_or_default();
        let mut settings = Settings::default();
        for setting in String::from_utf8_lossy(&listed).split_terminator('\0') {
            let (name, value) = setting.split_once('\n').unwrap_or((setting, "true"));
            match name {
                "extensions.objectformat" => settings.sha256 = value == "sha256",
                "core.bare" => settings.elsewhere |= value != "false",
                // A submodule's leads here.
                "core.worktree" => {
                    settings.elsewhere |= real(&self.own.join(value)) != self.root;
                }
                "core.excludesfile" if !is_short(&self.root.join(value)) => {}
                name if name.starts_with("include") => settings.elsewhere = true,
                name if PLAIN.contains(&name) => settings.plain.push(format!("{name}={value}")),
                _ => {}
            }
        }
        settings
    }

    /// Whether git did not answer in time, so that less is known than there is.
    fn is_silent(&self) -> bool {
        self.silent.load(Ordering::Relaxed)
    }

    /// That git did not answer, in words.
    pub(super) fn silence(&self) -> Option<String> {
        self.is_silent().then(|| {
            format!(
                "git did not answer within {} seconds about `{}`, so the commit is unknown: a pipe in \
                 the place of a file, or a slow disk, makes it wait",
                PATIENCE.as_secs(),
                self.root.display()
            )
        })
    }

    /// What git says; none where it fails or is not there.
    fn ask(&self, words: &[&str]) -> Option<Vec<u8>> {
        self.said(self.command().args(words))
    }

    /// What a command writes, if it ends well and in time.
    fn said(&self, command: &mut Command) -> Option<Vec<u8>> {
        if self.is_silent() {
            return None;
        }
        match answer(command, PATIENCE) {
            Answer::Said(said) => Some(said),
            Answer::Failed => None,
            Answer::Late => {
                self.silent.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    /// Git in the repository of ours, with nothing of the environment.
    fn command(&self) -> Command {
        let ours = self.ours.path();
        let mut command = Command::new("git");
        command
            .env_clear()
            .env("GIT_DIR", ours)
            .env("GIT_WORK_TREE", &self.root)
            .env("GIT_INDEX_FILE", self.own.join("index"))
            .env("GIT_OBJECT_DIRECTORY", self.common.join("objects"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", ours.join("none"))
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("HOME", ours)
            .env("XDG_CONFIG_HOME", ours)
            .env("LC_ALL", "C")
            .current_dir(&self.root);
        for name in ["SYSTEMROOT", "TEMP"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        // A step that is relative would be one of the folder that is asked about, and so would no step at all.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let steps = std::env::split_paths(&path).filter(|step| step.is_absolute());
        let steps = steps.chain([ours.to_path_buf()]);
        if let Ok(path) = std::env::join_paths(steps) {
            command.env("PATH", path);
        }
        command
    }
}

/// The commit that a folder is at, and whether files differ from it (null where that is not known); null outside a
/// repository. With it what a person should know about that.
pub(super) fn state(folder: &Path) -> (Value, Option<String>) {
    let Some(repository) = Repository::around(folder) else {
        return (Value::Null, None);
    };
    let state = match repository.commit("HEAD") {
        Some(commit) => json!({ "commit": commit, "dirty": repository.dirty() }),
        None => Value::Null,
    };
    (state, repository.silence())
}

/// A short text file.
fn read(file: &Path) -> Option<String> {
    is_short(file).then(|| fs_err::read_to_string(file).ok())?
}

/// Whether this is an ordinary file that is soon read.
fn is_short(file: &Path) -> bool {
    fs_err::metadata(file).is_ok_and(|file| file.is_file() && file.len() <= LONGEST)
}

/// Has a file or folder stand at another place too.
fn lend(from: &Path, to: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    return fs_err::os::unix::fs::symlink(real(from), to);
    #[cfg(not(unix))]
    {
        if !from.is_dir() {
            return fs_err::copy(from, to).map(|_| ());
        }
        fs_err::create_dir(to)?;
        for entry in fs_err::read_dir(from)? {
            let name = entry?.file_name();
            lend(&from.join(&name), &to.join(&name))?;
        }
        Ok(())
    }
}
