//! `experiments/monocle`: its tables against what the planted qualities give, and what its prompts show as examples.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::relations::{find, verify};

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The papers of the data with this role.
fn papers(role: &str) -> BTreeSet<String> {
    let file = project().join("experiments/monocle/data/papers.jsonl");
    let text = fs_err::read_to_string(file).unwrap();
    text.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|paper| paper["role"] == role)
        .map(|paper| paper["doc_id"].as_str().unwrap().to_owned())
        .collect()
}

/// The prompt of the local judge on the first section of a paper, after so many examples.
fn prompt(folder: &Path, paper: &str, shots: usize) -> String {
    let set = |name: &str| format!("paths.{name}={}", folder.join(name).display());
    let ran = Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .current_dir(project())
        .args(["call", "experiments/monocle/figure-6.toml", paper])
        .args(["--stage", "judge.local", "--dry-run", "--json"])
        .args(["--where", &format!("shots={shots}"), "--where", "section=1"])
        .args(["--set", &set("cache"), "--set", &set("reports")])
        .env_clear()
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{error}");
    let said: Value = serde_json::from_slice(&ran.stdout).unwrap();
    said["messages"][0]["content"].as_str().unwrap().to_owned()
}

/// The examples of a prompt, in their order.
fn examples(prompt: &str) -> Vec<&str> {
    let parts = prompt.split("<EXAMPLE>\n").skip(1);
    parts
        .map(|part| part.split_once("\n</EXAMPLE>").unwrap().0)
        .collect()
}

#[test]
fn correlations_follow_from_planted_qualities_and_the_kinds_among_the_examples() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: no python3, which the fit of the checklist needs");
        return;
    }
    for (name, cells) in [
        ("table-1", "4 cells: 4 agree"),
        ("table-2", "3 cells: 3 agree"),
        ("table-4", "3 cells: 3 agree"),
    ] {
        let (code, said, _folder) = verify(&format!("experiments/monocle/{name}.toml"), &[]);
        assert!(said.contains(cells), "{name}: {said}");
        assert_eq!(code, Some(0), "{name}: {said}");
    }
    // The program of the fit is looked for on the path.
    let folder = tempfile::tempdir().unwrap();
    let set = |name: &str| format!("paths.{name}={}", folder.path().join(name).display());
    let ran = Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .current_dir(project())
        .args(["verify", "--quiet", "experiments/monocle/table-5.toml"])
        .args(["--set", &set("cache"), "--set", &set("reports")])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.contains("5 cells: 5 agree"), "{said}");
}

#[test]
fn chunks_chosen_by_uncertainty_teach_more_than_random_ones_and_are_of_no_paper_that_is_judged() {
    let (code, said, folder) = verify("experiments/monocle/table-3.toml", &[]);
    assert!(said.contains("6 cells: 6 agree"), "{said}");
    assert_eq!(code, Some(0), "{said}");
    let text = fs_err::read_to_string(find(folder.path(), "shown.csv")).unwrap();
    let shown: BTreeSet<String> = text
        .lines()
        .skip(1)
        .map(|line| {
            let start = line.find("paper-").unwrap();
            line[start..start + "paper-00".len()].to_owned()
        })
        .collect();
    assert!(!shown.is_empty());
    assert!(shown.is_disjoint(&papers("test")), "{shown:?}");
    assert!(shown.is_subset(&papers("pool")), "{shown:?}");
}

#[test]
fn examples_stand_in_a_prompt_as_often_as_asked_in_one_order_and_without_them_nothing_is_left_of_them()
 {
    // Prompts are made of stages that have run.
    let (code, said, folder) = verify("experiments/monocle/figure-6.toml", &[]);
    assert!(said.contains("6 cells: 6 agree"), "{said}");
    assert_eq!(code, Some(0), "{said}");
    let none = prompt(folder.path(), "paper-13", 0);
    assert!(!none.contains("Example"), "{none}");
    let most = prompt(folder.path(), "paper-13", 7);
    let all = examples(&most);
    assert_eq!(all.len(), 7);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 7);
    for shots in [1, 3, 5] {
        let here = prompt(folder.path(), "paper-13", shots);
        assert_eq!(examples(&here), all[..shots]);
        assert_eq!(
            examples(&prompt(folder.path(), "paper-24", shots)),
            all[..shots]
        );
        // What the examples add is all that differs from the prompt without any.
        let first = here.find("Example 1").unwrap();
        let last = here.rfind("</EXAMPLE>\n").unwrap() + "</EXAMPLE>\n".len();
        assert_eq!(format!("{}{}", &here[..first], &here[last..]), none);
    }
}
