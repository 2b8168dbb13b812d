//! Specs that came in a bundle start no program, ask no server and see no key before their reader says so.

use std::path::Path;
use std::process::Output;

use crate::bundles::{Elsewhere, bundle};
use crate::chat::ChatServer;
use crate::lab::{Lab, SPEC};

const KEY: &str = "sk-0123456789-abcdef";

/// A judge on a server, and an annotator, in a bundle that was unpacked.
fn unpacked(server: &ChatServer) -> Elsewhere {
    let lab = crate::models::lab("openai", &server.url(), 2);
    lab.change("retries = 3", "retries = 0\napi-key-env = \"A_KEY\"");
    lab.append(
        "[annotators.own]\ncommand = [\"sh\", \"annotate.sh\"]\nversion = \"own 1\"\n\
         [measure.counts]\nfrom = \"texts\"\nmetrics = [\"sentences\"]\nannotator = \"own\"\n\
         [scorer.mine]\nfrom = \"texts\"\ncommand = [\"sh\", \"score.sh\"]\nversion = \"mine 1\"\nmetrics = [\"length\"]",
    );
    lab.write(
        "annotate.sh",
        "touch started\necho '{\"annotator\": \"own 1\", \"protocol\": 1}'\n\
         n=0; while read -r line; do echo \"{\\\"id\\\": $n, \\\"sentences\\\": [[0, 1]]}\"; n=$((n+1)); done\n",
    );
    lab.write(
        "score.sh",
        "touch scored\necho '{\"scorer\": \"mine 1\", \"protocol\": 1}'\n\
         n=0; while read -r line; do echo \"{\\\"id\\\": $n, \\\"scores\\\": {\\\"length\\\": ${#line}}}\"; n=$((n+1)); done\n",
    );
    let lab = lab.env("A_KEY", KEY);
    lab.run(&[]).ok();
    bundle(&lab, &["--with-texts"]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    for name in ["annotate.sh", "score.sh", "texts.csv", "tokenizer.json"] {
        fs_err::copy(lab.path(name), elsewhere.path(name)).unwrap();
    }
    elsewhere
}

fn run(elsewhere: &Elsewhere, args: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = elsewhere.command(args).env("A_KEY", KEY).output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

fn change(elsewhere: &Elsewhere, from: &str, to: &str) {
    let spec = elsewhere.path(SPEC);
    let text = fs_err::read_to_string(&spec).unwrap();
    assert!(text.contains(from), "{text}");
    fs_err::write(&spec, text.replace(from, to)).unwrap();
}

#[test]
fn what_is_in_the_bundle_needs_no_trust() {
    let server = ChatServer::start();
    let elsewhere = unpacked(&server);
    let before = server.count();
    let (code, said) = run(&elsewhere, &["run", SPEC]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(server.count(), before);
    assert!(!elsewhere.path("started").exists());
}

#[test]
fn no_server_sees_a_key_before_its_owner_says_so() {
    let server = ChatServer::start();
    let elsewhere = unpacked(&server);
    let before = server.count();
    // Another question than the bundle has replies to.
    change(&elsewhere, "max-tokens = 100", "max-tokens = 99");
    for args in [
        &["run", SPEC][..],
        &["run", SPEC, "--keep-going"],
        &["call", SPEC],
    ] {
        let (code, said) = run(&elsewhere, args);
        assert_eq!(code, Some(4), "{args:?}: {said}");
        assert!(said.contains("came in a bundle"), "{args:?}: {said}");
        assert!(said.contains("give `--trust`"), "{args:?}: {said}");
        assert_eq!(server.count(), before, "{args:?}");
    }
    // Nor is it by a project within the folder.
    fs_err::create_dir_all(elsewhere.path("sub/templates")).unwrap();
    fs_err::rename(
        elsewhere.path("templates/grade.j2"),
        elsewhere.path("sub/templates/grade.j2"),
    )
    .unwrap();
    for name in [
        SPEC,
        "texts.csv",
        "tokenizer.json",
        "annotate.sh",
        "score.sh",
    ] {
        fs_err::rename(elsewhere.path(name), elsewhere.path("sub").join(name)).unwrap();
    }
    let spec = Path::new("sub").join(SPEC).display().to_string();
    let (_, said) = run(&elsewhere, &["run", &spec, "--keep-going"]);
    assert_eq!(server.count(), before, "{said}");
    assert!(!elsewhere.path("started").exists());
}

#[test]
fn with_trust_it_is_a_spec_like_any_other() {
    let server = ChatServer::start();
    let elsewhere = unpacked(&server);
    let before = server.count();
    change(&elsewhere, "max-tokens = 100", "max-tokens = 99");
    change(&elsewhere, "version = \"own 1\"", "version = \"own 2\"");
    let script = fs_err::read_to_string(elsewhere.path("annotate.sh")).unwrap();
    fs_err::write(
        elsewhere.path("annotate.sh"),
        script.replace("own 1", "own 2"),
    )
    .unwrap();
    let (code, said) = run(&elsewhere, &["run", SPEC, "--trust"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(server.count(), before + 2);
    assert!(elsewhere.path("started").exists());
}

#[test]
fn no_annotator_is_started_before_its_reader_says_so() {
    let server = ChatServer::start();
    let elsewhere = unpacked(&server);
    change(
        &elsewhere,
        "metrics = [\"sentences\"]",
        "metrics = [\"words\"]",
    );
    for args in [
        &["run", SPEC][..],
        &["plan", SPEC],
        &["run", SPEC, "--only", "counts"],
    ] {
        let (_, said) = run(&elsewhere, args);
        assert!(!elsewhere.path("started").exists(), "{args:?}");
        if args[0] == "run" {
            assert!(
                said.contains("the annotator `own 1` is a program"),
                "{said}"
            );
            assert!(said.contains("`--trust`"), "{said}");
        }
    }
}

#[test]
fn no_scorer_is_started_before_its_reader_says_so() {
    let server = ChatServer::start();
    let elsewhere = unpacked(&server);
    let (code, said) = run(&elsewhere, &["run", SPEC]);
    assert_eq!(
        code,
        Some(0),
        "what is in the bundle needs no trust: {said}"
    );
    change(
        &elsewhere,
        "metrics = [\"length\"]",
        "metrics = [\"length\", \"width\"]",
    );
    for args in [&["plan", SPEC][..], &["run", SPEC, "--only", "mine"]] {
        let (_, said) = run(&elsewhere, args);
        assert!(!elsewhere.path("scored").exists(), "{args:?}");
        if args[0] == "run" {
            assert!(said.contains("the scorer `mine 1` is a program"), "{said}");
            assert!(said.contains("`--trust`"), "{said}");
        }
    }
    let (_, said) = run(&elsewhere, &["run", SPEC, "--only", "mine", "--trust"]);
    assert!(elsewhere.path("scored").exists(), "{said}");
}

#[test]
fn a_bundle_writes_in_its_own_folder_alone() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    for (name, folder) in [
        ("reports", "../outside"),
        ("cache", "/tmp/outside-of-a-bundle"),
    ] {
        let elsewhere = Elsewhere::unpacked(&lab);
        let spec = elsewhere.path(SPEC);
        let text = fs_err::read_to_string(&spec).unwrap();
        fs_err::write(&spec, format!("{text}\n[paths]\n{name} = \"{folder}\"\n")).unwrap();
        let (code, said) = run(&elsewhere, &["run", SPEC]);
        assert_eq!(code, Some(3), "{said}");
        assert!(
            said.contains(&format!("`paths.{name}` of a spec that came in a bundle")),
            "{said}"
        );
        assert!(!elsewhere.path(folder).exists());
        // Brought along as a value of the other machine, it counts no more.
        fs_err::write(&spec, text).unwrap();
        fs_err::write(
            elsewhere.path("tribunal.bundle.toml"),
            format!("[paths]\n{name} = \"{folder}\"\n"),
        )
        .unwrap();
        assert_eq!(run(&elsewhere, &["run", SPEC]).0, Some(3));
        // Where the reader says so, it may.
        fs_err::remove_file(elsewhere.path("tribunal.bundle.toml")).unwrap();
        let own = format!("[paths]\n{name} = \"own\"\n");
        fs_err::write(elsewhere.path("tribunal.local.toml"), own).unwrap();
        let (_, said) = run(&elsewhere, &["run", SPEC]);
        assert!(!said.contains("`paths."), "{said}");
        assert!(elsewhere.path("own").exists(), "{said}");
    }
}

/// A project of one's own beside the bundle, with the files that its specs need.
fn own_project(elsewhere: &Elsewhere) -> std::path::PathBuf {
    let own = elsewhere.home().join("own");
    fs_err::create_dir_all(own.join("templates")).unwrap();
    for name in [
        "texts.csv",
        "tokenizer.json",
        "annotate.sh",
        "score.sh",
        "templates/grade.j2",
        SPEC,
    ] {
        fs_err::copy(elsewhere.path(name), own.join(name)).unwrap();
    }
    own
}

#[test]
fn a_layer_that_came_in_a_bundle_is_as_little_trusted_as_a_spec() {
    let server = ChatServer::start();
    let elsewhere = unpacked(&server);
    let before = server.count();
    let own = own_project(&elsewhere);
    fs_err::write(
        own.join("extends.toml"),
        format!("extends = \"../there/{SPEC}\"\ntitle = \"Own\"\n"),
    )
    .unwrap();
    fs_err::write(elsewhere.path("layer.toml"), "title = \"Layer\"\n").unwrap();
    let with = ["run", SPEC, "--with", "../there/layer.toml"];
    for args in [&["run", "extends.toml"][..], &with] {
        let args = [args, &["--keep-going"]].concat();
        let mut command = elsewhere.command(&args);
        let output = command
            .env("A_KEY", KEY)
            .current_dir(&own)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{args:?}: {said}");
        assert!(said.contains("give `--trust`"), "{args:?}: {said}");
        assert_eq!(server.count(), before, "{args:?}");
        assert!(!own.join("started").exists(), "{args:?}");
        assert!(!elsewhere.path("started").exists(), "{args:?}");
        // What it may write to is the project's own.
        assert!(own.join("cache").exists(), "{args:?}");
    }
    let args = ["run", "extends.toml", "--trust"];
    let mut command = elsewhere.command(&args);
    let output = command
        .env("A_KEY", KEY)
        .current_dir(&own)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(server.count(), before + 2);
}

#[test]
fn a_bundle_does_not_write_through_links() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    for name in ["reports", "reports/experiment", "cache/v1/last"] {
        let elsewhere = Elsewhere::unpacked(&lab);
        let outside = elsewhere.home().join("outside");
        fs_err::create_dir(&outside).unwrap();
        let link = elsewhere.path(name);
        let _ = fs_err::remove_dir_all(&link);
        fs_err::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&outside, &link).unwrap();
        let (code, said) = run(&elsewhere, &["run", SPEC]);
        assert_eq!(code, Some(3), "{name}: {said}");
        assert!(said.contains("leads out of its folder"), "{said}");
        assert!(
            fs_err::read_dir(&outside).unwrap().next().is_none(),
            "{name}"
        );
        assert_eq!(run(&elsewhere, &["run", SPEC, "--trust"]).0, Some(0));
    }
}
