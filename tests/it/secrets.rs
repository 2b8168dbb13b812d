//! What stands in the environment stays there: a planted secret is found in no file and no message.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Planted below; no part of any other text.
const SECRET: &str = "sk-Pl4ntedS3cret0123456789";

/// One that looks like nothing in particular.
const PLAIN_SECRET: &str = "correcthorsebatterystaple";

const SPEC: &str = r#"
[models.big]
provider = "scripted"
script   = "script.toml"

[source.texts]
files = "texts.csv"

[judge.big]
from    = "texts"
model   = "big"
prompt  = "grade"
metrics = ["fluency", "coherence"]

[stats.scores]
from = "big"

[table.scores]
from = "scores"
rows = ["metric"]

[report]
formats = ["md", "csv", "parquet", "tex", "html", "json"]
"#;

fn project(spec: &str, script: &str) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("spec.toml", spec),
        ("script.toml", script),
        ("texts.csv", "doc_id,text\na,One sheep.\nb,Two sheep.\n"),
        ("templates/grade.j2", "{{ metrics }}: {{ text }}\n"),
    ] {
        let path = root.path().join(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    root
}

/// Runs the command with secrets in many variables of its environment.
fn tribunal(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    command.args(arguments).current_dir(root);
    for name in [
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "HF_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "TRIBUNALX",
    ] {
        command.env(name, SECRET);
    }
    command.output().unwrap()
}

fn text_of(output: &Output) -> String {
    let both = [output.stdout.as_slice(), &output.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// Files below `folder` whose bytes contain a secret.
fn files_with_secret(folder: &Path, found: &mut Vec<String>) {
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_with_secret(&path, found);
            continue;
        }
        let bytes = fs_err::read(&path).unwrap();
        for secret in [SECRET, PLAIN_SECRET] {
            if bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes())
            {
                found.push(path.display().to_string());
            }
        }
    }
}

fn assert_clean(root: &Path, output: &Output) {
    let said = text_of(output);
    assert!(
        !said.contains(SECRET) && !said.contains(PLAIN_SECRET),
        "{said}"
    );
    let mut found = Vec::new();
    files_with_secret(root, &mut found);
    assert_eq!(found, Vec::<String>::new());
}

const GOOD: &str = "[[reply]]\ntext = \"FINAL Fluency Score: 4\\nFINAL Coherence Score: 3\\n\"\n";

#[test]
fn a_good_run_keeps_the_environment_to_itself() {
    let root = project(SPEC, GOOD);
    for arguments in [
        vec!["run", "spec.toml"],
        vec!["run", "--json", "spec.toml"],
        vec!["plan", "--all", "spec.toml"],
        vec!["plan", "--json", "spec.toml"],
        vec!["why", "--key", "spec.toml", "judge.big"],
    ] {
        let output = tribunal(root.path(), &arguments);
        assert!(output.status.success(), "{}", text_of(&output));
        assert_clean(root.path(), &output);
    }
}

#[test]
fn a_failed_run_keeps_the_environment_to_itself() {
    for script in [
        "[[reply]]\nfail = \"the server is down\"\n",
        "[[reply]]\ncontains = [\"nothing fits\"]\n",
        "this is no script",
    ] {
        let root = project(SPEC, script);
        let output = tribunal(root.path(), &["run", "spec.toml"]);
        assert_clean(root.path(), &output);
    }
}

#[test]
fn a_wrong_spec_keeps_the_environment_to_itself() {
    for spec in [
        SPEC.replace("from = \"big\"", "form = \"big\""),
        "= [".to_owned(),
    ] {
        let root = project(&spec, GOOD);
        let output = tribunal(root.path(), &["run", "spec.toml"]);
        assert_eq!(output.status.code(), Some(3), "{}", text_of(&output));
        assert_clean(root.path(), &output);
    }
}

/// Runs a spec with one more line for its model; what the refusal says.
fn refusal(line: &str) -> String {
    let spec = SPEC.replace(
        "script   = \"script.toml\"",
        &format!("script = \"script.toml\"\n{line}"),
    );
    let root = project(&spec, GOOD);
    let output = tribunal(root.path(), &["run", "spec.toml"]);
    let said = text_of(&output);
    assert_eq!(output.status.code(), Some(3), "{line}: {said}");
    assert!(!root.path().join("cache").exists(), "{line}: something ran");
    said
}

#[test]
fn a_key_in_a_spec_is_refused_without_being_repeated() {
    for key in [
        "api-key",
        "api_key",
        "apikey",
        "secret",
        "auth-token",
        "password",
    ] {
        for secret in [SECRET, PLAIN_SECRET] {
            for line in [
                format!("{key} = \"{secret}\""),
                format!("{key} = '{secret}'"),
                format!("{key} = {secret}"),
                format!("{key} = \"{secret}"),
                // Shown only because the mistake is next to it.
                format!("{key} = \"{secret}\"\ntemprature = 1"),
            ] {
                let said = refusal(&line);
                assert!(!said.contains(secret), "{line}: {said}");
                assert!(said.contains("spec.toml:"), "{line}: {said}");
            }
        }
    }
}

#[test]
fn a_key_in_the_place_of_another_value_is_not_repeated() {
    for key in ["temperature", "max-tokens", "stop-at", "concurrency"] {
        let said = refusal(&format!("{key} = \"{SECRET}\""));
        assert!(!said.contains(SECRET), "{key}: {said}");
    }
}

#[test]
fn a_key_from_any_other_layer_is_refused_without_being_repeated() {
    for secret in [SECRET, PLAIN_SECRET] {
        let set = format!("models.big.api-key={secret}");
        let root = project(SPEC, GOOD);
        let output = tribunal(root.path(), &["run", "spec.toml", "--set", &set]);
        assert_eq!(output.status.code(), Some(3));
        assert_clean(root.path(), &output);
        for variable in [
            "TRIBUNAL_API_KEY",
            "TRIBUNAL_MODELS__BIG__API_KEY",
            "TRIBUNAL_TOKEN",
        ] {
            let output = Command::new(env!("CARGO_BIN_EXE_tribunal"))
                .args(["run", "spec.toml"])
                .current_dir(root.path())
                .env(variable, secret)
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(3), "{variable}");
            assert_clean(root.path(), &output);
        }
        let local = format!("[models.big]\napi-key = \"{secret}\"\n");
        fs_err::write(root.path().join("tribunal.local.toml"), local).unwrap();
        let said = text_of(&tribunal(root.path(), &["run", "spec.toml"]));
        assert!(!said.contains(secret), "{said}");
        assert!(said.contains("tribunal.local.toml:2"), "{said}");
    }
}
