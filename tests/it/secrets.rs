//! What stands in the environment stays there: a planted secret is found in no file and no message.

use std::path::PathBuf;

use crate::lab::{Lab, Ran};

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

/// A project with this spec, run with secrets in many variables of its environment.
fn project(spec: &str, script: &str) -> Lab {
    let lab = Lab::new()
        .spec(spec)
        .script(script)
        .file("texts.csv", "doc_id,text\na,One sheep.\nb,Two sheep.\n")
        .template("grade", "{{ metrics }}: {{ text }}\n");
    let variables = [
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "HF_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "TRIBUNALX",
    ];
    variables
        .into_iter()
        .fold(lab, |lab, name| lab.env(name, SECRET))
}

fn text_of(ran: &Ran) -> String {
    [ran.out.as_str(), &ran.err].concat()
}

#[track_caller]
fn assert_clean(lab: &Lab, ran: &Ran) {
    let said = text_of(ran);
    assert!(
        !said.contains(SECRET) && !said.contains(PLAIN_SECRET),
        "{said}"
    );
    let holds = |path: &PathBuf| {
        let bytes = fs_err::read(path).unwrap();
        let mut secrets = [SECRET, PLAIN_SECRET].into_iter();
        secrets.any(|secret| memchr::memmem::find(&bytes, secret.as_bytes()).is_some())
    };
    let files = lab.files("");
    assert_eq!(files.iter().find(|path| holds(path)), None);
}

const GOOD: &str = "[[reply]]\ntext = \"FINAL Fluency Score: 4\\nFINAL Coherence Score: 3\\n\"\n";

#[test]
fn a_good_run_keeps_the_environment_to_itself() {
    let lab = project(SPEC, GOOD);
    for arguments in [
        &["run"][..],
        &["run", "--json"],
        &["plan", "--all"],
        &["plan", "--json"],
        &["why", "--key", "judge.big"],
    ] {
        assert_clean(&lab, &lab.cmd(arguments).ok());
    }
}

#[test]
fn a_failed_run_keeps_the_environment_to_itself() {
    for script in [
        "[[reply]]\nfail = \"the server is down\"\n",
        "[[reply]]\ncontains = [\"nothing fits\"]\n",
        "this is no script",
    ] {
        let lab = project(SPEC, script);
        assert_clean(&lab, &lab.run(&[]));
    }
}

#[test]
fn a_wrong_spec_keeps_the_environment_to_itself() {
    for spec in [
        SPEC.replace("from = \"big\"", "form = \"big\""),
        "= [".to_owned(),
    ] {
        let lab = project(&spec, GOOD);
        assert_clean(&lab, &lab.run(&[]).exit(3));
    }
}

/// Runs a spec with one more line for its model; what the refusal says.
fn refusal(line: &str) -> String {
    let spec = SPEC.replace(
        "script   = \"script.toml\"",
        &format!("script = \"script.toml\"\n{line}"),
    );
    let lab = project(&spec, GOOD);
    let said = text_of(&lab.run(&[]).exit(3));
    assert!(!lab.path("cache").exists(), "{line}: something ran");
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
                assert!(said.contains("experiment.toml:"), "{line}: {said}");
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
        let lab = project(SPEC, GOOD);
        assert_clean(&lab, &lab.run(&["--set", &set]).exit(3));
        for variable in [
            "TRIBUNAL_API_KEY",
            "TRIBUNAL_MODELS__BIG__API_KEY",
            "TRIBUNAL_TOKEN",
        ] {
            let lab = project(SPEC, GOOD).env(variable, secret);
            assert_clean(&lab, &lab.run(&[]).exit(3));
        }
        lab.write(
            "tribunal.local.toml",
            format!("[models.big]\napi-key = \"{secret}\"\n"),
        );
        let said = text_of(&lab.run(&[]));
        assert!(!said.contains(secret), "{said}");
        assert!(said.contains("tribunal.local.toml:2"), "{said}");
    }
}
