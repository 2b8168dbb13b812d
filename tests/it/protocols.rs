//! The protocols in `experiments/protocols`, run on their examples with their scripted models.

use std::path::Path;

use crate::lab::{Lab, Ran};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A protocol with the examples, scripts and templates of all.
pub(crate) fn lab(name: &str) -> Lab {
    let read = |path: &str| fs_err::read_to_string(root().join(path)).unwrap();
    let mut lab = Lab::new().spec(&read(&format!("experiments/protocols/{name}.toml")));
    for folder in ["data", "scripts"] {
        let from = format!("experiments/protocols/{folder}");
        for entry in fs_err::read_dir(root().join(&from)).unwrap() {
            let file = entry.unwrap().file_name().to_string_lossy().into_owned();
            lab = lab.file(&format!("{folder}/{file}"), read(&format!("{from}/{file}")));
        }
    }
    for entry in fs_err::read_dir(root().join("templates/protocols")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let file = format!("templates/protocols/{name}");
        lab = lab.file(&file, read(&file));
    }
    lab
}

/// The cells of a table in Markdown, row by row.
fn cells(ran: &Ran, table: &str) -> Vec<String> {
    let rows = ran.tables[&format!("{table}.md")].lines();
    let rows = rows
        .filter(|line| line.starts_with('|') && !line.contains(":---") && !line.contains("---:"));
    let row = |line: &str| {
        let cells = line.trim_matches('|').split('|').map(str::trim);
        cells.collect::<Vec<_>>().join(" ")
    };
    rows.skip(1).map(row).collect()
}

#[test]
fn every_protocol_is_short() {
    for entry in fs_err::read_dir(root().join("experiments/protocols")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let lines = fs_err::read_to_string(&path).unwrap().lines().count();
            assert!(lines <= 60, "{}: {lines} lines", path.display());
        }
    }
}

#[test]
fn a_rubric_gives_every_system_a_mean_of_labels() {
    let ran = lab("rubric").run(&[]).ok();
    assert_eq!(
        cells(&ran, "rubric"),
        ["harbour 4.500", "quay 2.500", "pier 1.500"]
    );
}

#[test]
fn pairs_give_win_rates_and_how_much_the_judge_goes_by_position() {
    let ran = lab("pairs").run(&[]).ok();
    assert_eq!(
        cells(&ran, "wins"),
        [
            "harbour quay 0.750",
            "harbour pier 1.000",
            "quay pier 0.750"
        ]
    );
    assert_eq!(cells(&ran, "position"), ["preference 0.667"]);
    assert_eq!(cells(&ran, "flips"), ["preference 0.333"]);
}

#[test]
fn pairs_against_a_baseline_give_a_win_rate_for_each_other_system() {
    let ran = lab("baseline").run(&[]).ok();
    assert_eq!(cells(&ran, "wins"), ["harbour 1.000", "quay 0.750"]);
}

#[test]
fn a_checklist_gives_the_share_of_questions_answered_with_yes() {
    let ran = lab("checklist").run(&[]).ok();
    assert_eq!(cells(&ran, "passed"), ["yes 0.500"]);
    assert_eq!(
        cells(&ran, "items"),
        ["number 1.000", "harm 0.000", "cause 0.000"]
    );
}

#[test]
fn atomic_facts_give_the_share_of_claims_that_are_supported() {
    let ran = lab("facts").run(&[]).ok();
    assert_eq!(cells(&ran, "precision"), ["support 0.500"]);
}

#[test]
fn a_reference_gives_the_share_of_answers_that_are_right() {
    let ran = lab("reference").run(&[]).ok();
    assert_eq!(
        cells(&ran, "correct"),
        ["harbour 1.000", "quay 0.500", "pier 0.000"]
    );
}

#[test]
fn an_expectation_is_finer_than_the_number_that_was_written() {
    let ran = lab("expectation").run(&[]).ok();
    // Of `bicycle` a twentieth of the probability lies on no mark: (4 · 0.50 + 5 · 0.45) / 0.95.
    let grades = cells(&ran, "grades");
    assert_eq!(grades[0], "kettle 4.80 5.00 0.97");
    assert_eq!(grades[5], "bicycle 4.47 4.00 0.95");
}

#[test]
fn errors_are_weighted_and_a_text_without_one_has_no_penalty() {
    let ran = lab("spans").run(&[]).ok();
    assert_eq!(
        cells(&ran, "penalties"),
        ["harbour 5", "bridge 7", "letter 5", "bakery 0"]
    );
}

#[test]
fn a_real_model_takes_the_place_of_the_script_without_a_word_about_it() {
    let model = "[models.judge]\nprovider = \"openai\"\nbase-url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\nlogprobs = 20\n";
    for name in ["rubric", "pairs", "expectation", "spans"] {
        let lab = lab(name).file("model.toml", model);
        let told = lab.cmd(&["lint", "--strict", "--with", "model.toml"]).ok();
        assert!(!told.err.contains("script"), "{}", told.err);
    }
    // What one and the same file says is a mistake still.
    let lab = lab("rubric");
    lab.change("\"scripted\" ", "\"openai\" ");
    let told = lab.cmd(&["lint"]);
    assert!(told.err.contains("ignores `script`"), "{}", told.err);
}

#[test]
fn pairs_of_which_nothing_was_read_have_no_flips_and_say_so() {
    let lab = lab("pairs");
    lab.write("scripts/pairs.toml", "[[reply]]\ntext = \"No idea.\"\n");
    let ran = lab.run(&[]).exit(4);
    let flips = &ran.tables["flips.md"];
    assert!(
        flips.contains('\u{2014}') && !flips.contains("0.000"),
        "{flips}"
    );
    assert!(flips.contains("6 rows unscored"), "{flips}");
}

#[test]
fn a_judge_that_goes_by_severities_follows_them_in_a_spec_of_thirty_lines() {
    let spec = fs_err::read_to_string(root().join("experiments/protocols/perturbed.toml")).unwrap();
    assert!(spec.lines().count() <= 30);
    // The worst severities are 5, 3 and 2: at -2 the scores rise by 2, 2 and 1, at 2 they fall by 0, 2 and 2.
    let ran = lab("perturbed").run(&[]).ok();
    assert_eq!(
        cells(&ran, "change"),
        ["-2 1.67", "-1 1.00", "1 −0.67", "2 −1.33"]
    );
}
