//! Results that cannot be written: a full device is an error of every verb, a reader that went away is none.

use std::process::{Command, Stdio};

use crate::lab::Lab;

/// The device that takes nothing, where there is one.
fn full() -> Option<fs_err::File> {
    let device = fs_err::File::options().write(true).open("/dev/full").ok();
    if device.is_none() {
        eprintln!("skipped: there is no /dev/full here");
    }
    device
}

/// Every way to have something written.
const WRITING: [&[&str]; 22] = [
    &["--help"],
    &["--version"],
    &["help", "run"],
    &["run", "experiment.toml"],
    &["run", "experiment.toml", "--json"],
    &["run", "experiment.toml", "--json", "--quiet"],
    &["plan", "experiment.toml"],
    &["plan", "experiment.toml", "--all"],
    &["plan", "experiment.toml", "--json"],
    &["plan", "experiment.toml", "--dot"],
    &["why", "experiment.toml", "judge.grades"],
    &["why", "experiment.toml", "judge.grades", "--key"],
    &["show", "experiment.toml"],
    &["call", "experiment.toml"],
    &["call", "experiment.toml", "--json"],
    &["lint", "experiment.toml"],
    &["diff", "reports/experiment", "reports/experiment"],
    &["bundle", "experiment.toml", "--output", "a.tar.zst"],
    &["unbundle", "a.tar.zst"],
    &["schema"],
    &["completions", "bash"],
    &["man"],
];

#[test]
fn a_full_output_device_is_an_error_of_every_verb() {
    let Some(full) = full() else { return };
    let lab = Lab::small();
    lab.run(&[]).ok();
    for words in WRITING {
        let good = lab.exactly(words).output().unwrap();
        let _ = fs_err::remove_dir_all(lab.path("a"));
        if words[0] == "bundle" {
            lab.remove("a.tar.zst");
        }
        let mut command = lab.exactly(words);
        let device = full.file().try_clone().unwrap();
        let output = command.stdout(device).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!good.stdout.is_empty(), "{words:?} writes nothing");
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
        assert!(
            said.contains(
                "error: the result can't be written to the standard output: No space left"
            ),
            "{words:?}: {said}"
        );
    }
}

#[test]
fn an_earlier_error_keeps_its_code() {
    let Some(full) = full() else { return };
    let lab = Lab::small();
    lab.write("script.toml", "[[reply]]\nfail = \"down\"\n");
    let mut command = lab.exactly(&["run", "experiment.toml", "--json"]);
    let output = command.stdout(full.into_parts().0).output().unwrap();
    assert_eq!(output.status.code(), lab.run(&[]).code.into(), "{output:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_error_and_stops_nothing() {
    let lab = Lab::small();
    for words in [
        "schema",
        "run experiment.toml --json",
        "plan experiment.toml",
    ] {
        let script = format!(
            "{} {words} | head -c 1; echo \"${{PIPESTATUS[0]}}\"",
            env!("CARGO_BIN_EXE_tribunal")
        );
        let mut shell = Command::new("bash");
        let shell = shell
            .args(["-c", &script])
            .current_dir(lab.path(""))
            .stdin(Stdio::null());
        let output = shell.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.ends_with("0\n"), "{words}: {said}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            !said.contains("error") && !said.contains("panicked"),
            "{words}: {said}"
        );
    }
    assert!(lab.path("reports/experiment/run.json").exists());
}
