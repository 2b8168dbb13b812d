//! `tribunal diff`: what a person changed, and what came of it.

use std::process::Command;

use crate::lab::{Lab, Ran};

/// [`Lab::small`] after a run whose reports are kept in `before`, and another one with a warmer judge.
fn warmer() -> Lab {
    let lab = Lab::small();
    lab.run(&["--quiet"]).ok();
    lab.copy("reports/experiment", "before");
    lab.change("temperature = 0.0", "temperature = 0.5");
    lab.edit(
        "templates/grade.j2",
        "Grade fluency",
        "Please grade fluency",
    );
    lab.run(&["--quiet"]).ok();
    lab
}

fn git(lab: &Lab, words: &[&str]) {
    let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    let output = Command::new("git")
        .args(who)
        .args(words)
        .current_dir(lab.path(""))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn diff(lab: &Lab, args: &[&str]) -> Ran {
    lab.cmd(&[&["diff"], args].concat())
}

#[test]
fn a_change_is_told_with_its_settings_stages_and_cells() {
    let lab = warmer();
    let told = diff(&lab, &["before", "experiment.toml"]).ok();
    for line in [
        "A: before\n",
        "B: experiment.toml\n",
        "  models.fake.temperature: 0.0 → 0.5\n",
        "  judge.grades: 1 of 1\n",
        "table scores: 1 cell changed, 0 equal\n",
    ] {
        assert!(told.out.contains(line), "{}", told.out);
    }
    let coded = diff(&lab, &["before", "reports/experiment", "--exit-code"]);
    coded.exit(5);
}

#[test]
fn a_run_that_came_out_the_same_differs_in_nothing() {
    let lab = Lab::small();
    lab.run(&["--quiet"]).ok();
    lab.copy("reports/experiment", "before");
    lab.remove("cache");
    lab.run(&["--quiet"]).ok();
    let told = diff(&lab, &["before", "reports/experiment", "--exit-code"]).ok();
    assert_eq!(
        told.out,
        "A: before\nB: reports/experiment\n\nnothing differs: 1 table with 1 cell the same to the last bit\n"
    );
}

#[test]
fn a_revision_stands_for_what_git_has_of_the_other_side() {
    let lab = Lab::small();
    lab.run(&["--quiet"]).ok();
    git(&lab, &["init", "--quiet"]);
    git(&lab, &["add", "--force", "reports"]);
    git(&lab, &["commit", "--quiet", "--message", "before"]);
    lab.edit(
        "templates/grade.j2",
        "Grade fluency",
        "Please grade fluency",
    );
    lab.run(&["--quiet"]).ok();
    let told = diff(&lab, &["HEAD", "reports/experiment"]).ok();
    assert!(
        told.out
            .starts_with("A: reports/experiment in HEAD (commit "),
        "{}",
        told.out
    );
    assert!(told.out.contains("1 cell changed"), "{}", told.out);
    // All experiments below a folder, and a folder of the revision by its own name.
    let all = diff(&lab, &["HEAD", "reports"]).ok();
    assert!(all.out.contains("1 cell changed"), "{}", all.out);
    let named = diff(&lab, &["HEAD:reports/experiment", "reports/experiment"]).ok();
    assert!(named.out.contains("1 cell changed"), "{}", named.out);
    // What git never had is still there now.
    lab.copy("reports/experiment", "reports/other");
    let only = diff(&lab, &["HEAD", "reports"]).ok();
    assert!(
        only.out.contains("only B has 1 experiment\n  other\n"),
        "{}",
        only.out
    );
    let missing = diff(&lab, &["HEAD", "reports/other"]).exit(2);
    assert!(missing.err.contains("has no reports in"), "{}", missing.err);
    assert!(missing.err.contains("hint: commit them"), "{}", missing.err);
}

#[test]
fn an_ablation_is_compared_with_its_base() {
    let lab = Lab::small();
    lab.append("[[ablation]]\nname = \"warm\"\nset = { \"models.fake.temperature\" = 0.5, \"judge.grades.metrics\" = [\"coherence\"] }");
    lab.run(&["--quiet"]).ok();
    let told = diff(&lab, &["reports/experiment", "reports/experiment/warm"]).ok();
    assert!(
        told.out.contains("models.fake.temperature: 0.0 → 0.5"),
        "{}",
        told.out
    );
    assert!(told.out.contains("table scores: "), "{}", told.out);
    assert!(!told.out.contains("stages"), "{}", told.out);
}

#[test]
fn folders_of_several_experiments_are_compared_by_name() {
    let lab = warmer();
    lab.copy("reports/experiment", "old/one/two");
    lab.copy("before", "old/same");
    lab.copy("before", "new/one/two");
    lab.copy("before", "new/same");
    lab.copy("before", "new/more");
    let told = diff(&lab, &["old", "new"]).ok();
    for line in [
        "only B has 1 experiment\n  more\n",
        "nothing differs in 1 experiment: ",
        "experiment experiment\n",
    ] {
        assert!(told.out.contains(line), "{}", told.out);
    }
}

#[test]
fn it_is_written_as_a_page_without_a_script_and_as_markdown() {
    let lab = warmer();
    diff(&lab, &["before", "reports/experiment", "--write", "d.html"]).ok();
    let page = lab.read("d.html");
    let policy =
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src";
    let heading = "<h2>table scores: 1 cell changed, 0 equal</h2>";
    assert!(page.contains(policy) && page.contains(heading), "{page}");
    assert!(!page.contains("<script"), "{page}");
    diff(&lab, &["before", "reports/experiment", "--write", "d.md"]).ok();
    assert!(
        lab.read("d.md").contains("## table scores: 1 cell changed"),
        "{}",
        lab.read("d.md")
    );
    let refused = diff(&lab, &["before", "reports/experiment", "--write", "d.pdf"]).exit(2);
    assert!(refused.err.contains("`.html` or `.md`"), "{}", refused.err);
}

#[test]
fn programs_get_json_at_full_precision() {
    let lab = warmer();
    let told = diff(&lab, &["before/run.json", "reports/experiment", "--json"]).ok();
    let json: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let change = &json["experiments"][0]["tables"][0]["changed"][0];
    let value = |side: &str| change[side]["value"].as_f64().unwrap();
    assert_eq!(change["difference"].as_f64(), Some(value("b") - value("a")));
    assert_eq!(
        json["experiments"][0]["settings"][0]["path"],
        "models.fake.temperature"
    );
}

#[test]
fn what_cannot_be_compared_is_refused_with_what_to_do() {
    let lab = warmer();
    let refused = |args: &[&str], words: &[&str]| {
        let told = diff(&lab, args).exit(2);
        for word in words {
            assert!(told.err.contains(word), "{}", told.err);
        }
    };
    refused(
        &["befor", "before"],
        &[
            "neither a report folder, a spec nor a revision",
            "did you mean `before`?",
        ],
    );
    refused(
        &["docs", "before"],
        &["there is no `run.json` in `docs`", "`tribunal run` writes"],
    );
    refused(
        &["docs/a.txt", "before"],
        &["neither a spec nor a `run.json`"],
    );
    lab.copy("before", "bad");
    lab.write("bad/run.json", "{\"spec\": ");
    refused(
        &["bad", "before"],
        &[
            "`bad/run.json` cannot be read: EOF",
            "run the experiment again",
        ],
    );
    lab.write("bad/run.json", "{\"name\": \"somebody else's\"}");
    refused(
        &["before", "bad"],
        &["`bad/run.json` is not the record of a run"],
    );
    lab.copy("before", "bad");
    lab.write("bad/tables.json", "[1, 2");
    refused(&["before", "bad"], &["`bad/tables.json` cannot be read"]);
    lab.remove("bad/tables.json");
    refused(
        &["before", "bad"],
        &["there is no `bad/tables.json`", "run the experiment again"],
    );
    // Nobody is waited for who never writes.
    let made = Command::new("mkfifo")
        .arg(lab.path("bad/tables.json"))
        .status();
    assert!(made.unwrap().success());
    refused(
        &["before", "bad"],
        &["`bad/tables.json` cannot be read: it is a device, a pipe"],
    );
    // Nothing of these may be taken for an option of git.
    refused(&["--", "--all", "before"], &["neither a report folder"]);
}

#[test]
fn tables_are_told_once_whatever_the_formats_and_left_alone_when_equal() {
    let lab = Lab::small();
    lab.run(&["--quiet"]).ok();
    let path = lab.path("reports/experiment/tables.json");
    let written = fs_err::metadata(&path).unwrap().modified().unwrap();
    lab.run(&["--quiet", "--set", "report.formats=[\"csv\"]"])
        .ok();
    lab.run(&["--quiet", "--only", "judge.grades"]).ok();
    assert_eq!(
        fs_err::metadata(&path).unwrap().modified().unwrap(),
        written
    );
}
