//! A real model on a real server, where one is running: `tools/model_server.py -- cargo test --test it live`
//! starts one and says where it is. Without it these tests say that they are skipped.
//!
//! Numbers are those of a model of 135 million parameters and mean nothing; that all replies are accounted
//! for does.

use std::path::{Path, PathBuf};

use crate::lab::{Lab, Ran};

/// The variable that says where the server is.
const URL: &str = "MODEL_SERVER_URL";

/// The committed experiment on a copy of the project, asking the server that is running; nothing without one.
fn live() -> Option<(Lab, Vec<String>)> {
    let Ok(url) = std::env::var(URL) else {
        eprintln!(
            "skipped: no real model server is running (`{URL}` is not set; see tools/model_server.py)"
        );
        return None;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = fs_err::read_to_string(root.join("experiments/live/quickstart.toml")).unwrap();
    let mut lab = Lab::new().spec(&spec.replace("../stories", "experiments/stories"));
    for file in ["templates/short-form.j2", "templates/short-json.j2"]
        .map(PathBuf::from)
        .into_iter()
        .chain(below(root, "experiments/stories"))
    {
        let bytes = fs_err::read(root.join(&file)).unwrap();
        lab = lab.file(&file.to_string_lossy(), bytes);
    }
    let set = |what: String| ["--set".to_owned(), what];
    let sets = set(format!("models.smollm2.base-url={url}"));
    Some((lab, sets.to_vec()))
}

fn below(root: &Path, folder: &str) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(root.join(folder)).unwrap();
    entries
        .map(|entry| Path::new(folder).join(entry.unwrap().file_name()))
        .collect()
}

fn run(lab: &Lab, sets: &[String], more: &[&str]) -> Ran {
    let mut args = vec!["--json"];
    args.extend(sets.iter().map(String::as_str));
    args.extend(more);
    lab.run(&args)
}

fn counts(ran: &Ran, stage: &str) -> (u64, u64) {
    let finished = ran.events("finished");
    let of_stage = finished.iter().filter(|event| {
        let node = event["node"].as_str().unwrap();
        node.split('[').next() == Some(stage)
    });
    of_stage.fold((0, 0), |(scored, unscored), event| {
        let counts = &event["counts"];
        let reasons = counts["unscored"].as_object().unwrap().values();
        let missing: u64 = reasons.filter_map(serde_json::Value::as_u64).sum();
        (
            scored + counts["scored"].as_u64().unwrap(),
            unscored + missing,
        )
    })
}

#[test]
fn a_real_model_scores_plainly_and_held_to_a_schema_and_is_asked_once() {
    let Some((lab, sets)) = live() else { return };
    let ran = run(&lab, &sets, &[]).ok();
    let (plain, plain_missing) = counts(&ran, "judge.plain");
    let (held, held_missing) = counts(&ran, "judge.structured");
    eprintln!("unscored: {plain_missing} of 24 asked plainly, {held_missing} of 24 with a schema");
    assert_eq!((plain + plain_missing, held + held_missing), (24, 24));
    assert!(
        held >= 20,
        "a schema makes the model keep to the form: {held}"
    );
    let models = ran.summary()["counts"]["models"].as_object().unwrap();
    assert!(
        models
            .keys()
            .all(|name| name.starts_with("smollm2-135m-instruct")),
        "{models:?}"
    );
    assert_eq!(ran.summary()["calls_made"], 24);
    let again = run(&lab, &sets, &["--set", "judge.plain.scale.step=0"]).ok();
    assert_eq!(again.summary()["calls_made"], 0);
}

#[test]
fn a_prompt_longer_than_the_context_of_a_real_model_is_not_sent() {
    let Some((lab, sets)) = live() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tokenizer = root.join("target/model-server/tokenizer.json");
    let tokenizer = format!("models.smollm2.tokenizer={}", tokenizer.display());
    let more = ["--set", "truncate.cut.tokens=full", "--set", &tokenizer];
    let ran = run(&lab, &sets, &more).exit(4);
    assert_eq!(ran.summary()["calls_made"], 0);
    let failed = ran.events("failed");
    let message = failed[0]["message"].as_str().unwrap();
    assert!(
        message.contains("does not fit") || message.contains("fits into"),
        "{message}"
    );
}
