//! What is written for people is what the command accepts: the JSON schema, the README, `init`.

use std::path::Path;
use std::process::{Command, Output};

use fs_err as fs;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The command, run in a folder without variables of its own.
fn tribunal(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TRIBUNAL_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .args(arguments)
        .output()
        .unwrap()
}

fn passes(folder: &Path, spec: &str) {
    let output = tribunal(folder, &["lint", "--strict", spec]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{spec}:\n{told}");
}

#[test]
fn the_schema_in_the_repository_is_what_the_command_prints() {
    let output = tribunal(root(), &["schema"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    let there = fs::read_to_string(root().join("tribunal.schema.json")).unwrap();
    assert!(
        printed == there,
        "run `tribunal schema > tribunal.schema.json`"
    );
}

#[test]
fn the_spec_in_the_readme_passes_the_check() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let blocks: Vec<&str> = readme
        .split("```toml\n")
        .skip(1)
        .filter_map(|block| block.split_once("```"))
        .map(|(block, _)| block)
        .collect();
    assert!(!blocks.is_empty());
    let project = tempfile::tempdir().unwrap();
    let at = |name: &str| project.path().join(name);
    for folder in [".git", "experiments", "templates"] {
        fs::create_dir(at(folder)).unwrap();
    }
    fs::copy(
        root().join("templates/vanilla.j2"),
        at("templates/vanilla.j2"),
    )
    .unwrap();
    // What the example builds on has only what the example does not say itself.
    fs::write(at("experiments/corpus.toml"), "").unwrap();
    fs::write(
        at("experiments/models.toml"),
        "[models.qwen3-32b]\nprovider = \"recorded\"\nfiles = \"{outputs}/qwen.parquet\"\n\
         text = \"raw_text\"\nmatch = { doc_id = \"doc_id\" }\n",
    )
    .unwrap();
    for (number, block) in blocks.into_iter().enumerate() {
        let name = format!("experiments/readme-{number}.toml");
        fs::write(at(&name), block).unwrap();
        passes(project.path(), &name);
    }
}

#[test]
fn the_experiments_and_the_first_one_pass_the_check() {
    for spec in [
        "experiments/quickstart.toml",
        "experiments/judgememo/table-a-12.toml",
        "experiments/judgememo/table-a-13.toml",
        "experiments/judgememo/table-5-1.toml",
        "experiments/judgememo/table-3-1.toml",
        "experiments/judgememo/table-3-5.toml",
        "experiments/judgememo/cofluevallc.toml",
        "experiments/judgememo/section-memory.toml",
        "experiments/judgememo/significance.toml",
        "experiments/judgememo/method.toml",
        "experiments/judgememo/next/more-models.toml",
        "experiments/judgememo/next/longer-documents.toml",
        "experiments/judgememo/next/other-domains.toml",
        "experiments/judgememo/next/repeats.toml",
        "experiments/live/judgememo.toml",
        "tools/compare_coflueval.toml",
    ] {
        passes(root(), spec);
    }
    let project = tempfile::tempdir().unwrap();
    fs::create_dir(project.path().join(".git")).unwrap();
    let output = tribunal(project.path(), &["init", "."]);
    assert!(output.status.success());
    passes(project.path(), "experiments/first.toml");
}
