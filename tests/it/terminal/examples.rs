//! The examples in help do what they say: those on the quickstart are run, of others the files are there.

use std::path::Path;

use fs_err as fs;

use super::screen::USUAL;
use super::screen::see;
use crate::lab::Lab;

/// The verbs that help names.
const VERBS: &[&str] = &[
    "run",
    "plan",
    "why",
    "verify",
    "report",
    "view",
    "diff",
    "lint",
    "show",
    "call",
    "import judgememo",
    "import inspect",
    "import promptfoo",
    "import lm-eval",
    "schema",
    "init",
    "new",
    "bundle",
    "unbundle",
    "gc",
    "completions",
    "man",
];

/// The commands in the help of a verb, with what was broken put together again.
fn examples(lab: &Lab, verb: &str) -> Vec<String> {
    let words: Vec<&str> = ["help"].into_iter().chain(verb.split(' ')).collect();
    let help = see(lab, &words, USUAL);
    let (_, examples) = help
        .screen
        .split_once("Examples:\n")
        .unwrap_or_else(|| panic!("every verb has some: {verb}: {help:?}"));
    let joined = examples.replace(" \\\n", " ");
    let typed = joined
        .lines()
        .filter_map(|line| line.trim().strip_prefix("tribunal "));
    typed
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// A project with the experiments and templates of this repository.
fn repository() -> Lab {
    let lab = Lab::new();
    for folder in ["experiments", "templates"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        copy(&from, &lab.path(folder));
    }
    lab
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

#[test]
fn every_example_on_the_quickstart_works_as_it_is_typed() {
    let lab = repository();
    lab.write("answers.csv", "doc_id,answer,rating\na,It is so.,3\n");
    let pair = r#"{"doc_id": "a", "one": "Yes.", "other": "No.", "winner": "one"}"#;
    lab.write("pairs.jsonl", pair);
    let mut ran = 0;
    for verb in VERBS {
        for typed in examples(&lab, verb) {
            let here = [
                "experiments/quickstart.toml",
                "quickstart.tar.zst",
                "init",
                "gc",
                "schema",
            ];
            // A page is served until Ctrl-C.
            if !here.iter().any(|part| typed.contains(part)) || *verb == "view" {
                continue;
            }
            let alone = typed.split(" > ").next().unwrap();
            let words: Vec<&str> = alone.split_whitespace().collect();
            let seen = lab.exactly(&words).output().unwrap();
            let said = String::from_utf8_lossy(&seen.stderr);
            assert!(seen.status.success(), "tribunal {typed}\n{said}");
            ran += 1;
        }
    }
    assert!(ran > 15, "{ran}");
}

#[test]
fn what_examples_name_is_there() {
    let lab = repository();
    for verb in VERBS {
        for typed in examples(&lab, verb) {
            for word in typed
                .split_whitespace()
                .filter(|word| word.starts_with("experiments/"))
            {
                assert!(lab.path(word).exists(), "tribunal {typed}");
            }
        }
    }
}
