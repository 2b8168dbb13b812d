//! The experiments on relations and on stored labels, verified as a reader would: `experiments/relations`, and
//! `experiments/faithfulness` where its data are.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs `verify` with a cache and reports of its own, and gives the exit code, the output, and the folder.
pub(crate) fn verify(spec: &str, more: &[&str]) -> (Option<i32>, String, TempDir) {
    tribunal("verify", spec, more)
}

/// The same for another command.
pub(crate) fn tribunal(verb: &str, spec: &str, more: &[&str]) -> (Option<i32>, String, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let set = |name: &str| format!("paths.{name}={}", folder.path().join(name).display());
    let ran = Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .current_dir(project())
        .args([verb, "--quiet", spec, "--set", &set("cache")])
        .args(["--set", &set("reports")])
        .args(more)
        .env_clear()
        .output()
        .unwrap();
    let said = [ran.stdout, ran.stderr].map(|bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    (ran.status.code(), said.join(" "), folder)
}

#[test]
fn pruned_facts_uncertainty_and_mirrored_positions_are_what_was_worked_out_by_hand() {
    for (name, cells) in [
        ("pruning", "9 cells: 9 agree"),
        ("uncertainty", "6 cells: 6 agree"),
        ("selection", "3 cells: 3 agree"),
        ("positions", "1 cell: 1 agrees"),
    ] {
        let (code, said, folder) = verify(&format!("experiments/relations/{name}.toml"), &[]);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains(cells), "{said}");
        let file = |file: &str| fs_err::read_to_string(find(folder.path(), file)).unwrap();
        match name {
            "pruning" => assert_eq!(
                file("facts.jsonl"),
                "{\"doc_id\":\"book\",\"facts\":[\"R1\",\"B2\",\"L4\"]}\n{\"doc_id\":\"pamphlet\",\"facts\":[\"R1\"]}\n"
            ),
            "uncertainty" => {
                let kept: Vec<String> = file("examples.csv")
                    .lines()
                    .skip(1)
                    .map(|line| line[..3].to_owned())
                    .collect();
                assert_eq!(kept, ["a,1", "b,1", "c,1"]);
            }
            _ => {}
        }
    }
}

/// The file of this name somewhere below a folder.
pub(crate) fn find(folder: &Path, name: &str) -> PathBuf {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs_err::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.file_name().is_some_and(|file| file == name) {
                return path;
            }
        }
    }
    panic!("there is no {name}");
}

/// The folder with a file of stored results, which a variable may name; where there is none, says so and gives nothing.
pub(crate) fn stored(variable: &str, name: &str, file: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os(variable) {
        Some(folder) => PathBuf::from(folder),
        None => project().join("../shared").join(name),
    };
    if folder.join(file).is_file() {
        return Some(std::path::absolute(folder).unwrap());
    }
    std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("skipped: no {file} at {}\n", folder.display()).as_bytes(),
    )
    .unwrap();
    None
}

#[test]
fn a_judge_by_severities_and_one_by_wording_are_told_apart() {
    let (code, said, _folder) = verify("experiments/faithfulness-live/live.toml", &[]);
    assert_eq!(code, Some(0), "{said}");
    // Shares that change and mean changes, both worked out from the script's annotations.
    assert_eq!(said.matches("26 cells: 26 agree").count(), 2, "{said}");
    // Severities 5, 3 and 1 at steps -2, -1, 1 and 2: their sum moves by -4, -2, 2 and 4.
    assert!(said.contains("8 cells: 8 agree"), "{said}");
}

#[test]
fn stored_labels_give_the_published_cells_and_the_incomplete_one_is_marked() {
    let Some(data) = stored("FAITHFULNESS_DATA", "faithfulness", "scores.parquet") else {
        return;
    };
    let paths = format!("paths.faithfulness={}", data.display());
    for (name, cells) in [
        (
            "table-1",
            "78 cells: 66 agree, 1 differs (1 explained), 11 absent (11 explained)",
        ),
        ("counts", "951 cells: 951 agree"),
        ("changes", "442 cells: 442 agree"),
        ("no-op", "18 cells: 18 agree"),
        ("replies", "75 cells: 75 agree"),
        ("figure-4", "11 cells: 11 agree"),
        ("claims", "9 cells: 3 agree, 6 differ (6 explained)"),
        ("old-new", "221 cells: 221 agree"),
        (
            "table-2",
            "12 cells: 8 differ (8 explained), 4 absent (4 explained)",
        ),
    ] {
        let spec = format!("experiments/faithfulness/{name}.toml");
        let (ended, said, folder) = verify(&spec, &["--set", &paths]);
        assert!(said.contains(cells), "{said}");
        assert_eq!(ended, Some(0), "{said}");
        if name == "table-1" {
            let tables = fs_err::read_to_string(find(folder.path(), "tables.json")).unwrap();
            let marked = marked(&serde_json::from_str(&tables).unwrap());
            assert_eq!(marked, [r#"["hanna","gemma"] ["severity","-2"]"#]);
        }
        if name == "replies" {
            let table_1 = "8 cells: 4 agree, 4 differ (4 explained)";
            assert!(said.contains(table_1), "{said}");
            assert!(said.contains("12 cells: 12 agree"), "{said}");
        }
        if name == "table-2" {
            let variants = "76 cells: 75 agree, 1 differs (1 explained)";
            assert!(said.contains(variants), "{said}");
        }
    }
}

/// The rows and columns of cells that say what they are made of fewer of than others.
fn marked(tables: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![tables];
    while let Some(value) = open.pop() {
        if let Some(lacks) = value.get("lacks").and_then(Value::as_array)
            && !lacks.is_empty()
        {
            found.push(format!("{} {}", value["row"], value["column"]));
        }
        match value {
            Value::Array(all) => open.extend(all),
            Value::Object(all) => open.extend(all.values()),
            _ => {}
        }
    }
    found.sort();
    found
}
