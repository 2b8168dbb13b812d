//! Several specs at once: a folder is run, checked and verified as a whole.

use std::process::Output;

use crate::lab::{ANY_SCORE, Lab};

/// A layer with judged documents, and two experiments over it that differ in what they print.
fn folder() -> Lab {
    let experiment = |title: &str, table: &str| {
        format!(
            "title = \"{title}\"\nextends = [\"common.toml\"]\n\n[stats.scores]\nfrom = \"grades\"\n\n\
             [table.{table}]\nrows = [\"metric\"]\n\n[[table.{table}.part]]\nfrom = \"scores\"\n"
        )
    };
    Lab::new()
        .file("docs/a.txt", "The ferry left at noon.\n")
        .file("docs/b.txt", "The mill stood still.\n")
        .template("grade", "Grade fluency.\n\n{{ text }}\n")
        .script(ANY_SCORE)
        .file(
            "experiments/common.toml",
            "[models.fake]\nprovider = \"scripted\"\nscript = \"../script.toml\"\n\n\
             [source.docs]\nfiles = \"../docs/*.txt\"\n\n\
             [judge.grades]\nfrom = \"docs\"\nmodel = \"fake\"\nprompt = \"grade\"\nmetrics = [\"fluency\"]\n",
        )
        .file("experiments/table-10.toml", experiment("Table 10", "ten"))
        .file("experiments/table-9.toml", experiment("Table 9", "nine"))
}

fn run(lab: &Lab, args: &[&str]) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = lab.exactly(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

#[test]
fn a_folder_runs_its_experiments_and_no_layers_and_what_they_share_once() {
    let lab = folder();
    let (code, out, err) = run(&lab, &["run", "experiments"]);
    assert_eq!(code, 0, "{err}");
    insta::assert_snapshot!("tables_of_a_folder", out);
    assert_eq!(lab.asked(), 2, "each document is judged once");
    // Documents, judge and statistics of both, and a table whose content both have.
    assert!(err.contains("4 stages and 2 calls ran"), "{err}");
    for report in ["table-9/nine.md", "table-10/ten.md", "table-9/run.json"] {
        assert!(lab.path("reports").join(report).exists(), "{report}");
    }
    assert!(!lab.path("reports/common").exists());

    // Both calls were made once for both: neither record says that they were its own.
    let record: serde_json::Value =
        serde_json::from_str(&lab.read("reports/table-9/run.json")).unwrap();
    assert_eq!(record["together"]["calls"]["made"], 2);
    assert_eq!(record["together"]["experiments"][1], "table-10");
    assert!(record["calls"].is_null());
    let written = lab.read("reports/table-9/run.json");

    let (_, _, err) = run(&lab, &["run", "experiments"]);
    assert!(err.contains("0 stages and 0 calls ran"), "{err}");
    assert_eq!(lab.read("reports/table-9/run.json"), written);
}

#[test]
fn an_experiment_alone_comes_to_what_it_does_among_others() {
    let (together, alone) = (folder(), folder());
    run(&together, &["run", "experiments"]);
    run(&alone, &["run", "experiments/table-10.toml"]);
    for ending in ["md", "csv"] {
        let name = format!("reports/table-10/ten.{ending}");
        assert_eq!(together.read(&name), alone.read(&name));
    }
    // Each has a record of its own, by which `why` and a run alone know what is there.
    let (_, out, _) = run(&together, &["run", "experiments/table-10.toml", "--json"]);
    assert!(!out.contains("\"asked\":true"), "{out}");
    let (_, out, _) = run(&together, &["why", "experiments/table-9.toml"]);
    assert_eq!(out, run(&alone, &["why", "experiments/table-10.toml"]).1);
}

#[test]
fn mistakes_of_all_specs_are_told_before_anything_runs() {
    let lab = folder();
    lab.edit("experiments/table-9.toml", "rows", "rowz");
    lab.edit("experiments/table-10.toml", "\"grades\"", "\"grade\"");
    lab.write("experiments/broken.toml", "title = \n");
    let (code, _, err) = run(&lab, &["run", "experiments"]);
    assert_eq!((code, lab.asked()), (3, 0));
    for part in ["rowz", "`grade`", "broken.toml"] {
        assert!(err.contains(part), "{part}: {err}");
    }
    assert_eq!(run(&lab, &["lint", "experiments"]).0, 3);
    assert!(!lab.path("cache").exists());
}

#[test]
fn a_spec_that_is_named_twice_counts_once() {
    let lab = folder();
    let named = [
        "lint",
        "experiments",
        "./experiments/table-9.toml",
        "experiments/",
    ];
    let (code, out, _) = run(&lab, &named);
    assert_eq!((code, out.trim()), (0, "2 specs without problems"));
}

#[test]
fn a_folder_without_experiments_is_no_success() {
    let lab = folder();
    let (code, _, err) = run(&lab, &["run", "docs"]);
    assert_eq!(code, 2);
    assert!(err.contains("no spec in `docs` has a `title`"), "{err}");
    let (code, _, err) = run(&lab, &["run", "experiments", "--only", "table.ten"]);
    assert_eq!(code, 2);
    assert!(err.contains("`--only` works with one spec only"), "{err}");
}

#[test]
fn printed_values_of_a_folder_are_compared_on_one_page() {
    let lab = folder();
    for (spec, table, printed) in [("table-9", "nine", "1.0"), ("table-10", "ten", "9.9")] {
        lab.edit(
            &format!("experiments/{spec}.toml"),
            "rows = [\"metric\"]",
            &format!(
                "rows = [\"metric\"]\nexpect = \"{table}.csv\"\nnotes = \"{table}.notes.toml\""
            ),
        );
        let csv = format!("metric,printed\nfluency,{printed}\n");
        lab.write(&format!("experiments/{table}.csv"), csv);
        lab.write(
            &format!("experiments/{table}.notes.toml"),
            "[[note]]\ntext = \"another sampling run\"\n",
        );
    }
    let (code, out, err) = run(&lab, &["verify", "experiments", "--write", "audit.md"]);
    assert_eq!(code, 0, "{err}");
    insta::assert_snapshot!("overview_on_a_terminal", out);
    insta::assert_snapshot!("overview_as_a_page", lab.read("audit.md"));
    lab.write("experiments/ten.notes.toml", "");
    let (code, out, _) = run(&lab, &["verify", "experiments"]);
    assert_eq!(code, 5, "{out}");
    let said = out.replace('\n', " ");
    assert!(said.contains("1 difference is not explained"), "{out}");
}
