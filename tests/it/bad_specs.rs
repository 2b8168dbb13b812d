//! What a person is told about bad specs, templates and data: one snapshot per mistake.
//!
//! Every file `tests/bad-specs/<group>/<case>.toml` whose first line is a comment such as `# lint` or
//! `# run -q` is a case: the command is run on the file in a copy of its group, and what it writes to
//! standard error is compared with `tests/it/snapshots/bad-specs/<group>/<case>.snap`, exit code
//! included. Words with `=` in front of the verb are environment variables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use fs_err as fs;

/// A mistake and what is done with it.
struct Case {
    group: String,
    name: String,
    /// Variables, verb and arguments, as in the file's first line.
    words: Vec<String>,
}

/// What the command said.
struct Told {
    stderr: String,
    exit: i32,
}

const VERBS: [&str; 5] = ["lint", "run", "verify", "plan", "why"];

/// The exit codes that a mistake may have: arguments, spec, stage, not reproduced. 0 is for mistakes
/// that only count, or that are warned of.
const EXITS: [i32; 5] = [0, 2, 3, 4, 5];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad-specs")
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for group in sorted(&folder()).into_iter().filter(|path| path.is_dir()) {
        for file in sorted(&group) {
            if file.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let bytes = fs::read(&file).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            let line = text.lines().next().unwrap_or_default();
            let words = line.strip_prefix("# ").map(split).unwrap_or_default();
            if words.iter().any(|word| VERBS.contains(&word.as_str())) {
                let part = |name: Option<&std::ffi::OsStr>| {
                    name.unwrap_or_default().to_string_lossy().into_owned()
                };
                cases.push(Case {
                    group: part(group.file_name()),
                    name: part(file.file_stem()),
                    words,
                });
            }
        }
    }
    cases
}

/// Words apart at blanks, except within single quotes.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            _ => word.push(character),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in sorted(from) {
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

impl Case {
    /// Runs the command in a project of its own.
    fn told(&self) -> Told {
        let project = tempfile::tempdir().unwrap();
        // The mark of a project's root: nothing above the folder takes part.
        fs::create_dir(project.path().join(".git")).unwrap();
        for group in ["common", &self.group] {
            copy(&folder().join(group), &project.path().join(group));
        }
        let verb = self
            .words
            .iter()
            .position(|word| VERBS.contains(&word.as_str()));
        let (variables, arguments) = self.words.split_at(verb.unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TRIBUNAL_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(project.path().join(&self.group))
            .env("COLUMNS", "100")
            .env("NO_COLOR", "1")
            .env("RUST_BACKTRACE", "0")
            .envs(variables.iter().filter_map(|word| word.split_once('=')))
            .arg(&arguments[0]);
        // A case may name another file, or arguments that stand behind the spec.
        let names_file = arguments.get(1).is_some_and(|word| {
            let ending = Path::new(word).extension();
            ending.is_some_and(|ending| ending == "toml") || word.starts_with("../")
        });
        if !names_file {
            command.arg(format!("{}.toml", self.name));
        }
        let output = command.args(&arguments[1..]).output().unwrap();
        let root = fs::canonicalize(project.path()).unwrap();
        let mut stderr = String::from_utf8(output.stderr).unwrap();
        for path in [root.as_path(), project.path()] {
            stderr = stderr.replace(&path.display().to_string(), "[project]");
        }
        Told {
            stderr,
            exit: output.status.code().unwrap_or(-1),
        }
    }
}

/// All cases, run once however many tests look at them.
fn all() -> &'static [(Case, Told)] {
    static ALL: std::sync::OnceLock<Vec<(Case, Told)>> = std::sync::OnceLock::new();
    ALL.get_or_init(|| {
        let cases = cases();
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let next = std::sync::atomic::AtomicUsize::new(0);
        let mut told: Vec<(usize, Told)> = std::thread::scope(|scope| {
            let work = || {
                let mut mine = Vec::new();
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(case) = cases.get(at) else {
                        return mine;
                    };
                    mine.push((at, case.told()));
                }
            };
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().unwrap())
                .collect()
        });
        told.sort_by_key(|(at, _)| *at);
        let told = told.into_iter().map(|(_, told)| told);
        cases.into_iter().zip(told).collect()
    })
}

/// How many stages ran before one failed depends on how many run at a time, and that on the machine.
#[test]
fn a_case_that_runs_says_how_many_stages_run_at_a_time() {
    for case in cases() {
        let runs = case
            .words
            .iter()
            .any(|word| word == "run" || word == "verify");
        let says = case.words.iter().any(|word| word == "--jobs");
        assert!(says || !runs, "{}/{}", case.group, case.name);
    }
}

#[test]
fn every_mistake_is_told_as_it_was_agreed() {
    let mut wrong = Vec::new();
    let mut known = BTreeSet::new();
    for (case, told) in all() {
        let mut settings = insta::Settings::clone_current();
        let snapshots = Path::new("snapshots/bad-specs").join(&case.group);
        settings.set_snapshot_path(&snapshots);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.add_filter(r"\d+\.\d+ s\b", "[time]");
        known.insert(Path::new(&case.group).join(format!("{}.snap", case.name)));
        let text = format!(
            "$ tribunal {}\n{}exit: {}",
            case.words.join(" "),
            told.stderr,
            told.exit
        );
        // All differences are shown, not only the first.
        let compared = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            settings.bind(|| insta::assert_snapshot!(case.name.as_str(), text));
        }));
        if compared.is_err() {
            wrong.push(format!("{}/{}", case.group, case.name));
        }
    }
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots/bad-specs");
    for group in sorted(&snapshots) {
        for snapshot in sorted(&group) {
            let name = snapshot.strip_prefix(&snapshots).unwrap();
            if name.extension().is_some_and(|ending| ending == "snap") && !known.contains(name) {
                wrong.push(format!("{} belongs to no case", name.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all().len() >= 50);
}

#[test]
fn no_mistake_makes_the_command_panic_or_speak_of_its_insides() {
    let insides = [
        "panicked",
        "RUST_BACKTRACE",
        "thread '",
        "Some(",
        "None,",
        "Err(",
        "String(",
        "tribunal::",
        "minijinja",
        "polars",
        "serde",
        "<expression>",
        "<string>",
        ".rs:",
        " ``",
    ];
    let mut wrong = Vec::new();
    for (case, told) in all() {
        for word in insides.iter().filter(|word| told.stderr.contains(**word)) {
            wrong.push(format!("{}/{} says `{word}`", case.group, case.name));
        }
        if !EXITS.contains(&told.exit) {
            wrong.push(format!(
                "{}/{} exits with {}",
                case.group, case.name, told.exit
            ));
        }
        if told.exit > 0 && told.exit != 5 && told.stderr.trim().is_empty() {
            wrong.push(format!("{}/{} fails without a word", case.group, case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn messages_begin_small_and_end_without_a_period() {
    let mut wrong = Vec::new();
    for (case, told) in all() {
        // What clap says of arguments is its own.
        if told.exit == 2 {
            continue;
        }
        let messages = told.stderr.lines().filter_map(|line| {
            let line = line.trim();
            ["× ", "⚠ ", "help: ", "hint: ", "error: "]
                .iter()
                .find_map(|mark| line.strip_prefix(mark))
        });
        for message in messages {
            let begins_large = message.starts_with(|first: char| first.is_uppercase());
            let period = message.ends_with('.') && !message.ends_with("...");
            if begins_large || period {
                wrong.push(format!("{}/{}: {message}", case.group, case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_is_shown_by_a_case() {
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for (_, told) in all() {
        shown.extend(told.stderr.lines().filter(|line| is_code(line)));
    }
    let silent: Vec<String> = codes()
        .into_iter()
        .filter(|(code, _)| !shown.contains(code.as_str()))
        .map(|(code, files)| {
            format!(
                "{code} ({})",
                files.into_iter().collect::<Vec<_>>().join(", ")
            )
        })
        .collect();
    assert!(silent.is_empty(), "no case shows:\n{}", silent.join("\n"));
}

#[test]
fn a_code_is_either_an_error_or_a_warning() {
    let mut meanings: BTreeMap<&str, BTreeSet<char>> = BTreeMap::new();
    for (_, told) in all() {
        let mut code = None;
        for line in told.stderr.lines() {
            if is_code(line) {
                code = Some(line);
            } else if let (Some(found), Some(mark)) = (code, line.trim().chars().next()) {
                if mark == '×' || mark == '⚠' {
                    meanings.entry(found).or_default().insert(mark);
                }
                code = None;
            }
        }
    }
    assert!(!meanings.is_empty());
    let both: Vec<&&str> = meanings
        .iter()
        .filter(|(_, marks)| marks.len() > 1)
        .map(|(code, _)| code)
        .collect();
    assert!(both.is_empty(), "{both:?}");
}

/// Whether a text is the code of a problem and nothing else.
fn is_code(text: &str) -> bool {
    let Some((family, name)) = text.split_once("::") else {
        return false;
    };
    let word = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    ["spec", "lint", "template"].contains(&family) && word(name)
}

/// The codes in the source, tests aside, with the files that hold them.
fn codes() -> BTreeMap<String, BTreeSet<String>> {
    fn walk(path: &Path, found: &mut BTreeMap<String, BTreeSet<String>>) {
        if path.is_dir() {
            for path in sorted(path) {
                walk(&path, found);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && !path
                .strip_prefix(env!("CARGO_MANIFEST_DIR"))
                .is_ok_and(|path| path.to_string_lossy().contains("tests"))
        {
            let text = fs::read_to_string(path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for literal in code.split('"').filter(|literal| is_code(literal)) {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                found.entry(literal.to_owned()).or_default().insert(name);
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut found,
    );
    assert!(found.len() > 30, "{found:?}");
    found
}
