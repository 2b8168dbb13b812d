//! The structure of the code, as rules that a build breaks on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fs_err as fs;

/// Which modules of the crate each module may name. Whoever adds an edge here should first ask
/// whether the dependency points the right way.
const MAY_USE: &[(&str, &[&str])] = &[
    ("wording", &[]),
    ("json", &[]),
    ("regular", &["wording"]),
    ("stats", &[]),
    ("score", &[]),
    ("key", &["frame", "model", "plan", "spec", "stage"]),
    ("frame", &["json", "wording"]),
    ("parse", &["score"]),
    ("draw", &[]),
    ("text", &["wording"]),
    ("clean", &["text", "wording"]),
    ("manipulate", &["draw", "text", "wording"]),
    ("cache", &["key"]),
    ("fetch", &["wording"]),
    ("report", &["wording"]),
    ("chart", &["report"]),
    ("page", &["report", "wording"]),
    ("template", &["frame", "key", "score", "stage", "wording"]),
    ("model", &["frame", "parse", "stage", "text"]),
    ("traffic", &["model", "spec", "wording"]),
    (
        "wire",
        &["fetch", "key", "model", "parse", "spec", "wording"],
    ),
    (
        "stage",
        &[
            "chart",
            "clean",
            "draw",
            "frame",
            "key",
            "manipulate",
            "model",
            "parse",
            "report",
            "score",
            "spec",
            "stats",
            "template",
            "text",
            "wording",
        ],
    ),
    ("batch", &["cache", "key", "wire", "wording"]),
    ("bundle", &["cache", "json", "key", "regular"]),
    (
        "spec",
        &[
            "chart",
            "clean",
            "frame",
            "key",
            "manipulate",
            "model",
            "parse",
            "report",
            "score",
            "stage",
            "stats",
            "template",
            "text",
            "wording",
        ],
    ),
    ("plan", &["frame", "key", "spec", "stage", "wording"]),
    (
        "engine",
        &[
            "batch", "cache", "fetch", "frame", "json", "key", "model", "parse", "plan", "regular",
            "spec", "stage", "template", "text", "traffic", "wire", "wording",
        ],
    ),
    ("import", &["frame", "json", "parse", "regular", "wording"]),
    ("show", &["engine", "import", "wording"]),
];

#[test]
fn modules_depend_on_each_other_as_the_architecture_says() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let module = module_of(&path);
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == module) else {
            continue;
        };
        for (line, name) in named_modules(&text) {
            if name != module && !allowed.contains(&name.as_str()) {
                wrong.push(format!(
                    "{}:{line}: `{module}` must not use `{name}`",
                    path.display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn polars_is_named_in_frame_only() {
    let named = only_in(&["polars::", "polars_io::"], &["frame"]);
    assert!(named.is_empty(), "{}", named.join("\n"));
}

#[test]
fn only_the_command_line_reads_the_environment_or_writes_to_the_terminal() {
    let named = only_in(&["std::env::", "stdout()", "stderr()"], &["cli", "show"]);
    let named: Vec<&String> = named
        .iter()
        .filter(|line| !line.contains("current_exe"))
        .collect();
    assert!(named.is_empty(), "{named:#?}");
}

#[test]
fn files_stay_small() {
    let long: Vec<String> = sources()
        .into_iter()
        .filter(|(path, text)| {
            text.lines().count() > 600 && !path.to_string_lossy().contains("tests")
        })
        .map(|(path, text)| format!("{}: {} lines", path.display(), text.lines().count()))
        .collect();
    assert!(long.is_empty(), "split by idea:\n{}", long.join("\n"));
}

#[test]
fn every_module_says_what_it_is_for() {
    let silent: Vec<String> = sources()
        .into_iter()
        .filter(|(path, text)| {
            !text.starts_with("//!") && !path.to_string_lossy().contains("tests")
        })
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert!(
        silent.is_empty(),
        "no `//!` in front of:\n{}",
        silent.join("\n")
    );
}

/// Lines outside tests that hold one of these words in a module other than those allowed.
fn only_in(words: &[&str], allowed: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in sources() {
        if allowed.contains(&module_of(&path).as_str()) || path.to_string_lossy().contains("tests")
        {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (index, line) in code.lines().enumerate() {
            let line = line.trim();
            if !line.starts_with("//") && words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{}: {line}", path.display(), index + 1));
            }
        }
    }
    found
}

/// `crate::name` in code outside tests, by line.
fn named_modules(text: &str) -> Vec<(usize, String)> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .flat_map(|(index, line)| {
            line.match_indices("crate::").map(move |(at, word)| {
                let rest = &line[at + word.len()..];
                let end = rest
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(rest.len());
                (index + 1, rest[..end].to_owned())
            })
        })
        .collect()
}

fn module_of(path: &Path) -> String {
    let first = path.components().next().unwrap();
    first
        .as_os_str()
        .to_string_lossy()
        .trim_end_matches(".rs")
        .to_owned()
}

/// Every source file by its path below `src`, tests aside.
fn sources() -> BTreeMap<PathBuf, String> {
    fn walk(folder: &Path, base: &Path, found: &mut BTreeMap<PathBuf, String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, base, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.insert(path.strip_prefix(base).unwrap().to_owned(), text);
            }
        }
    }
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    walk(&base, &base, &mut found);
    found
}
