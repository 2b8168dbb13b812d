//! What is in no key: where things lie, how hard models are worked, how tables look.

use super::{wide, wide_known};
use crate::lab::{Lab, Ran};

#[track_caller]
fn nothing_runs(lab: &Lab, arguments: &[&str]) -> Ran {
    let ran = lab.run(&[&["--json"], arguments].concat()).ok();
    assert_eq!((ran.nodes(), ran.asked), (vec![], 0));
    ran
}

#[test]
fn concurrency_does_not_invalidate() {
    let lab = wide_known();
    lab.change("temperature = 0.0", "temperature = 0.0\nconcurrency = 2");
    nothing_runs(&lab, &[]);
}

#[test]
fn prices_do_not_invalidate() {
    let lab = wide_known();
    lab.change(
        "temperature = 0.0",
        "temperature = 0.0\ninput-price = 3.0\noutput-price = 15.0",
    );
    nothing_runs(&lab, &[]);
}

#[test]
fn another_folder_does_not_invalidate() {
    let lab = wide_known().moved();
    nothing_runs(&lab, &[]);
}

#[test]
fn the_place_of_the_cache_does_not_invalidate() {
    let lab = wide_known();
    fs_err::rename(lab.path("cache"), lab.path("kept")).unwrap();
    lab.append("[paths]\ncache = \"kept\"");
    nothing_runs(&lab, &[]);
    assert!(!lab.path("cache").exists());
}

#[test]
fn the_place_of_the_input_does_not_invalidate() {
    let lab = wide_known();
    lab.write("data/docs.csv", super::DOCS);
    lab.change("files = \"docs.csv\"", "files = \"{data}/docs.csv\"");
    lab.append("[paths]\ndata = \"data\"");
    nothing_runs(&lab, &[]);
}

#[test]
fn the_formats_of_reports_do_not_invalidate() {
    let lab = wide_known();
    lab.append("[report]\nformats = [\"md\", \"csv\", \"tex\", \"html\", \"json\", \"parquet\"]");
    let ran = nothing_runs(&lab, &[]);
    assert_eq!(
        ran.tables
            .keys()
            .filter(|name| name.starts_with("scores."))
            .count(),
        6
    );
}

#[test]
fn the_looks_of_a_table_do_not_invalidate_but_are_drawn_anew() {
    let lab = wide_known();
    let before = lab.run(&["--json"]).ok().tables["scores.md"].clone();
    let rows = "[table.scores]\nfrom = \"scores\"\n";
    for line in [
        "title = \"Scores\"",
        "caption = \"Means of four documents.\"",
        "decimals = 1",
        "labels.metric = { fluency = \"Fl.\" }",
        "order.metric = [\"coherence\", \"fluency\"]",
        "show-n = true",
    ] {
        let to = format!("{rows}{line}\n");
        lab.change(rows, &to);
        let ran = nothing_runs(&lab, &[]);
        assert_ne!(ran.tables["scores.md"], before, "{line}");
        lab.change(&to, rows);
    }
    assert_eq!(nothing_runs(&lab, &[]).tables["scores.md"], before);
}

#[test]
fn stars_and_printed_values_do_not_invalidate() {
    let lab = wide_known();
    lab.write("expected.csv", "metric,length,value\nfluency,6,1.0\n");
    lab.write("notes.toml", "");
    let rows = "[table.shorter]\nfrom = \"shorter\"\n";
    for line in [
        "stars = [0.05, 0.01]",
        "expect = \"expected.csv\"",
        "expect = \"expected.csv\"\nnotes = \"notes.toml\"",
    ] {
        let to = format!("{rows}{line}\n");
        lab.change(rows, &to);
        nothing_runs(&lab, &[]);
        lab.change(&to, rows);
    }
}

#[test]
fn titles_and_comments_do_not_invalidate() {
    let lab = wide_known();
    lab.change(
        "title = \"Every kind of stage\"",
        "# A comment.\ntitle = \"Another title\"",
    );
    let ran = nothing_runs(&lab, &[]);
    assert_eq!(
        ran.record["title"], "Another title",
        "the record describes the tables beside it"
    );
}

#[test]
fn the_name_of_the_spec_does_not_invalidate() {
    let lab = wide_known();
    fs_err::copy(lab.path("experiment.toml"), lab.path("copy.toml")).unwrap();
    let plan = lab.command(&["plan"]).arg("--json").output().unwrap();
    assert!(plan.status.success());
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .args(["run", "copy.toml", "--json"])
        .current_dir(lab.path(""))
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{out}");
    assert!(!out.contains("\"finished\""), "{out}");
}

#[test]
fn how_a_run_is_made_does_not_invalidate() {
    let lab = wide_known();
    nothing_runs(&lab, &["--jobs", "7"]);
    nothing_runs(&lab, &["--keep-going"]);
    nothing_runs(&lab, &["--offline"]);
}

#[test]
fn a_setting_given_from_outside_counts_like_one_in_the_file() {
    let lab = wide();
    lab.run(&["--json", "--set", "models.fake.temperature=0.5"])
        .ok();
    lab.change("temperature = 0.0", "temperature = 0.5");
    nothing_runs(&lab, &[]);
}
