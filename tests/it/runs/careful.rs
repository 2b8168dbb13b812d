//! Nothing is lost in silence: failed calls, wrong caches, records and reports that stand for others.

use crate::lab::{ANY_SCORE, Lab, SPEC, json_lines};

/// One document that is answered and `failing` that are not.
fn down(failing: usize) -> Lab {
    let lab = Lab::small().script(&format!(
        "[[reply]]\ncontains = [\"FAIL\"]\nfail = \"the server is away\"\n{ANY_SCORE}"
    ));
    lab.remove("docs");
    lab.write("docs/a.txt", "An answered one.");
    for n in 0..failing {
        lab.write(&format!("docs/b{n:03}.txt"), format!("FAIL {n}."));
    }
    lab.change("temperature = 0.0", "temperature = 0.0\nconcurrency = 1");
    lab
}

#[test]
fn calls_that_failed_are_counted_in_a_warning() {
    let ran = down(2).run(&["--json"]).exit(4);
    assert_eq!(
        ran.warnings(),
        ["2 of 3 calls failed and are made again by the next run: the server is away"]
    );
}

#[test]
fn a_judge_whose_calls_all_failed_fails() {
    let lab = down(3);
    lab.remove("docs/a.txt");
    let ran = lab.run(&["--json"]).exit(4);
    assert_eq!(
        ran.events("failed")[0]["message"],
        "all 3 calls failed: the server is away"
    );
}

#[test]
fn the_same_failure_again_and_again_stops_the_judge_and_keeps_the_answers() {
    let lab = down(300);
    let ran = lab.run(&["--json"]).exit(4);
    let message = ran.events("failed")[0]["message"].as_str().unwrap();
    assert!(
        message.contains("20 calls failed in a row: the server is away"),
        "{message}"
    );
    assert!(ran.asked <= 40, "{}", ran.asked);
    // Questions go out in no fixed order: the answered one may come after nineteen that failed.
    let again = lab.again().exit(4);
    assert!(again.asked <= 40, "{}", again.asked);
}

#[test]
fn specs_of_one_file_name_have_reports_of_their_own() {
    let lab = Lab::small();
    let spec = lab.read(SPEC);
    let up = |steps: &str| {
        let spec = spec.replace("docs/", &format!("{steps}docs/"));
        spec.replace("script.toml", &format!("{steps}script.toml"))
    };
    for (folder, steps) in [
        ("experiments/one", "../../"),
        ("experiments/two/deep", "../../../"),
    ] {
        lab.write(&format!("{folder}/{SPEC}"), up(steps));
        let path = format!("{folder}/{SPEC}");
        // The lab names its own spec; this one lies elsewhere.
        let output = std::process::Command::new(lab.command(&["lint"]).get_program())
            .args(["run", &path, "--quiet"])
            .current_dir(lab.path(""))
            .env_clear()
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert!(lab.path("reports/one/experiment/scores.md").is_file());
    assert!(lab.path("reports/two/deep/experiment/scores.md").is_file());
}

#[test]
fn trimming_by_a_spec_whose_files_are_gone_removes_nothing() {
    let lab = Lab::small();
    lab.run(&["--quiet"]).ok();
    let before = lab.files("cache");
    lab.copy("docs", "away");
    lab.remove("docs");
    let ran = lab.cmd(&["gc", SPEC, "--delete"]).exit(4);
    assert!(ran.err.contains("cannot determine"), "{}", ran.err);
    assert_eq!(lab.files("cache"), before);
}

#[test]
fn trimming_by_specs_of_different_caches_is_refused() {
    let lab = Lab::small();
    lab.run(&["--quiet"]).ok();
    let other = format!("[paths]\ncache = \"other\"\n{}", lab.read(SPEC));
    lab.write("second.toml", other);
    let ran = lab.cmd(&["gc", SPEC, "second.toml", "--delete"]).exit(2);
    assert!(ran.err.contains("different caches"), "{}", ran.err);
}

#[test]
fn a_run_of_some_stages_records_what_there_is_of_all() {
    let lab = Lab::small();
    let first = lab.run(&["--quiet"]).ok().record;
    assert_eq!(lab.run(&["--quiet", "--only", "docs"]).ok().record, first);
    lab.write("docs/c.txt", "A new one.");
    let record = lab.run(&["--quiet", "--only", "docs"]).ok().record;
    assert_eq!(record["nodes"][0]["rows"], 3);
    assert_eq!(record["nodes"][1]["skipped"], true);
}

#[test]
fn another_title_keeps_what_is_recorded_of_the_calls() {
    let lab = Lab::small();
    let first = lab.run(&["--quiet"]).ok().record;
    lab.change("title = \"Small\"", "title = \"Other\"");
    let second = lab.run(&["--quiet"]).ok().record;
    assert_eq!(second["title"], "Other");
    assert_eq!(second["calls"], first["calls"]);
    assert_eq!(second["seconds"], first["seconds"]);
}

#[test]
fn no_jobs_at_all_is_refused() {
    let ran = Lab::small().run(&["--jobs", "0"]).exit(2);
    assert!(ran.err.contains("--jobs"), "{}", ran.err);
}

#[test]
fn events_in_json_stay_alone_when_verifying() {
    let lab = Lab::small();
    lab.append("expect = \"printed.csv\"");
    lab.write("printed.csv", "metric,value\nfluency,99\n");
    let ran = lab.cmd(&["verify", "--json"]);
    let lines = json_lines(&ran.out);
    assert!(
        ran.code == 3 || lines.iter().any(|line| line["event"] == "verified"),
        "{}",
        ran.err
    );
}

#[test]
fn documents_stand_in_the_order_of_their_names_wherever_they_lie() {
    let lab = Lab::small();
    lab.change("docs/*.txt", "docs/**/*.txt");
    lab.remove("docs");
    lab.write("docs/1/b.txt", "Second.");
    lab.write("docs/2/a.txt", "First.");
    let first = lab.run(&["--json"]).ok();
    assert_eq!(first.nodes().len(), 4);
    lab.remove("docs");
    lab.write("docs/2/b.txt", "Second.");
    lab.write("docs/1/a.txt", "First.");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
    lab.remove("cache");
    let fresh = lab.run(&["--quiet"]).ok();
    let output = |record: &serde_json::Value| record["nodes"][0]["output"].clone();
    assert_eq!(output(&fresh.record), output(&first.record));
}

#[cfg(unix)]
#[test]
fn results_that_are_damaged_while_the_run_goes_on_are_put_back_without_asking() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let lab = Lab::small();
    lab.append(
        "[models.gated]\nprovider = \"scripted\"\nscript = \"gated.toml\"\n\n\
         [judge.late]\nfrom = \"docs\"\nmodel = \"gated\"\nprompt = \"grade\"\n\n\
         [stats.both]\nfrom = [\"grades\", \"late\"]\nby = [\"metric\", \"model\"]",
    );
    lab.change(
        "[judge.late]\nfrom = \"docs\"",
        "[judge.late]\nmetrics = [\"fluency\"]\nfrom = \"docs\"",
    );
    lab.change(
        "by = [\"metric\", \"model\"]",
        "over = [\"doc_id\", \"call\"]",
    );
    // The late judge's first question waits until somebody reads its log.
    lab.write("gated.toml", format!("log = \"gate\"\n{ANY_SCORE}"));
    let made = Command::new("mkfifo").arg(lab.path("gate")).status();
    assert!(made.unwrap().success());
    let mut child = lab
        .command(&["run", "--json", "--jobs", "4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !(line.contains("finished") && line.contains("judge.grades")) {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "the run ended");
    }
    for blob in lab.files("cache/v1/blobs") {
        fs_err::write(blob, "altered").unwrap();
    }
    let mut gate = fs_err::File::open(lab.path("gate")).unwrap();
    let open = std::thread::spawn(move || {
        let mut asked = String::new();
        gate.read_to_string(&mut asked).unwrap();
        gate
    });
    let mut rest = String::new();
    // Each question opens the gate anew, so somebody has to stand there to the end.
    let keep = fs_err::OpenOptions::new()
        .read(true)
        .write(true)
        .open(lab.path("gate"))
        .unwrap();
    said.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success(), "{rest}");
    drop(keep);
    drop(open.join().unwrap());
    assert!(rest.contains("was altered after it was written"), "{rest}");
    assert_eq!(lab.asked(), 2, "{rest}");
    // What was altered and not needed any more is noticed by the next run; then all is well.
    assert_eq!(lab.run(&["--json"]).ok().asked, 0);
    let again = lab.run(&["--json"]).ok();
    assert_eq!((again.nodes(), again.warnings()), (vec![], vec![]));
}
