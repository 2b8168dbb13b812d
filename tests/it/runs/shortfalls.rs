//! Stages that got too little of what they asked for: the run says so and ends with exit code 4, each time.

use crate::lab::{ANY_SCORE, Lab, SMALL};

/// Four documents, of which those with the word `ferry` get the reply of `rule`.
fn harbour(ferries: usize, rule: &str) -> Lab {
    let lab = Lab::small().script(&format!(
        "[[reply]]\ncontains = [\"ferry\"]\n{rule}\n{ANY_SCORE}"
    ));
    for document in 0..4 {
        let what = if document < ferries { "ferry" } else { "mill" };
        let name = ["a", "b", "c", "d"][document];
        lab.write(
            &format!("docs/{name}.txt"),
            format!("The {what} of {name} was old.\n"),
        );
    }
    lab
}

const NOTHING: &str = "text = \"I would rather not say.\"";

#[test]
fn more_than_one_in_twenty_replies_without_a_score_end_the_run_with_4_each_time() {
    let lab = harbour(3, NOTHING);
    let first = lab.run(&["--quiet"]).exit(4);
    insta::assert_snapshot!("three_of_four_without_a_score", without_time(&first.err));
    assert!(first.tables.contains_key("scores.md"), "tables are written");
    let page = lab.read("reports/experiment/index.html");
    assert!(page.contains("3 of 4 scores are missing"));
    let short = &first.record["shortfalls"][0];
    assert_eq!((&short["missing"], &short["of"]), (&3.into(), &4.into()));
    // Of what is stored the same is said, by every command that shows it.
    let written = lab.read("reports/experiment/run.json");
    for verb in ["run", "report"] {
        let again = lab.cmd(&[verb]).exit(4);
        assert!(
            again.err.contains("max-unscored = 0.75"),
            "{verb}\n{}",
            again.err
        );
        assert_eq!(lab.read("reports/experiment/run.json"), written);
    }
    let told = lab.run(&["--json"]).exit(4);
    assert_eq!(told.summary()["shortfalls"][0]["node"], "judge.grades");
}

#[test]
fn one_of_four_fails_too_and_the_line_that_is_offered_allows_the_rest() {
    harbour(0, NOTHING).run(&[]).ok();
    harbour(1, NOTHING).run(&[]).exit(4);
    let lab = harbour(3, NOTHING);
    lab.run(&[]).exit(4);
    lab.change(
        "prompt = \"grade\"",
        "prompt = \"grade\"\nmax-unscored = 0.75",
    );
    let ran = lab.run(&["--json"]).ok();
    assert_eq!((ran.asked, ran.nodes()), (0, vec![]), "it is in no key");
    assert_eq!(ran.record["shortfalls"], serde_json::json!([]));
    lab.change("max-unscored = 0.75", "max-unscored = 0.74");
    lab.run(&[]).exit(4);
}

#[test]
fn each_metric_and_each_combination_counts_for_itself() {
    // Of all scores half are there: every fluency and no coherence.
    let lab = harbour(0, NOTHING).script("[[reply]]\ntext = \"FINAL Fluency Score: 4\"");
    lab.change("metrics = [\"fluency\"]", "");
    let ran = lab.run(&[]).exit(4);
    assert!(
        ran.err
            .contains("`judge.grades`: 4 of 4 scores for `coherence` are missing"),
        "{}",
        ran.err
    );
    // One model of two says nothing: half of all, and all of its own.
    let lab = harbour(0, NOTHING);
    lab.write("mute.toml", "[[reply]]\ntext = \"no\"");
    lab.change("rows = [\"metric\"]", "rows = [\"metric\", \"who\"]");
    lab.append(
        "[models.mute]\nprovider = \"scripted\"\nscript = \"mute.toml\"\n\n\
         [axes]\nwho = { set = \"judge.grades.model\", values = [\"fake\", \"mute\"] }",
    );
    let ran = lab.run(&[]).exit(4);
    assert!(ran.err.contains("[who=mute]`: 4 of 4"), "{}", ran.err);
    assert!(!ran.err.contains("[who=fake]`: "), "{}", ran.err);
}

#[test]
fn what_nobody_expected_does_not_count() {
    // Of four documents one was recorded: three are absent by design.
    let lab = harbour(0, NOTHING).spec(&SMALL.replace(
        "provider = \"scripted\"\nscript = \"script.toml\"\ntemperature = 0.0",
        "provider = \"recorded\"\nfiles = \"said.jsonl\"\ntext = \"said\"\nmatch = { doc = \"doc_id\" }",
    ));
    lab.write(
        "said.jsonl",
        "{\"doc\": \"a\", \"said\": \"FINAL Fluency Score: 4\"}\n",
    );
    let ran = lab.run(&[]).ok();
    assert_eq!(ran.record["counts"]["unscored"]["not-recorded"], 3);
    // The one that was recorded says nothing: all of one.
    lab.write("said.jsonl", "{\"doc\": \"a\", \"said\": \"nothing\"}\n");
    let ran = lab.run(&[]).exit(4);
    assert!(ran.err.contains("1 of 1 scores"), "{}", ran.err);
}

#[test]
fn calls_that_failed_for_good_end_the_run_with_4_although_there_are_tables() {
    let lab = harbour(1, "fail = \"the server is on fire\"");
    for _ in 0..2 {
        let ran = lab.run(&[]).exit(4);
        assert!(
            ran.err
                .contains("`judge.grades`: 1 of 4 calls failed for good"),
            "{}",
            ran.err
        );
        assert!(ran.tables.contains_key("scores.md"));
    }
    lab.cmd(&["report"]).exit(4);
    lab.write("script.toml", ANY_SCORE);
    lab.run(&[]).ok();
}

fn without_time(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(" ran in ") {
        Some((before, after)) => {
            let rest = after.split_once(';').map_or("", |(_, rest)| rest);
            format!("{before} ran in [time];{rest}")
        }
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}
