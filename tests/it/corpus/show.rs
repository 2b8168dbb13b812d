//! `tribunal show`: documents as an experiment makes them.

use serde_json::Value;

use super::jsonl;
use super::texts::TALES;
use crate::lab::{ANY_SCORE, Lab, json_lines};

const SPEC: &str = r#"
seed = 7

[axes]
task = { set = "manipulate.damaged.apply", values = ["none", "typos", "entity-to-term", "remove-content"] }

[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs.jsonl"

[manipulate.damaged]
from = "docs"
apply = "none"
typos = { count = 4 }
entity-to-term = { count = 2 }
remove-content = { count = 6 }

[truncate.cut]
from = "damaged"
tokens = 40

[judge.grades]
from = "cut"
model = "fake"
prompt = "grade"
metrics = ["fluency"]

[stats.scores]
from = "grades"

[table.scores]
from = "scores"
rows = ["metric"]
columns = ["task"]
"#;

/// The first tale, and a document of one paragraph.
fn lab() -> Lab {
    Lab::new()
        .spec(SPEC)
        .file(
            "docs.jsonl",
            jsonl(&[TALES[0], ("note", "Anna said nothing.")]),
        )
        .template("grade", "Grade fluency.\n\n{{ text }}\n")
        .script(ANY_SCORE)
}

#[test]
fn documents_are_listed_with_what_was_done_to_them() {
    let ran = lab().cmd(&["show"]).ok();
    insta::assert_snapshot!("list", ran.out);
    assert_eq!(ran.asked, 0);
}

#[test]
fn one_document_of_several_rows_is_listed_by_what_tells_them_apart() {
    insta::assert_snapshot!("one-document", lab().cmd(&["show", "note"]).ok().out);
}

#[test]
fn a_document_is_shown_with_its_edits_in_place() {
    let ran = lab()
        .cmd(&["show", "ferry", "--where", "task=entity-to-term"])
        .ok();
    insta::assert_snapshot!("marked", ran.out);
}

#[test]
fn a_difference_shows_the_changed_places_alone() {
    let lab = lab();
    let difference = |task: &str| {
        let task = format!("task={task}");
        lab.cmd(&["show", "ferry", "--where", &task, "--diff"])
            .ok()
            .out
    };
    insta::assert_snapshot!("difference", difference("typos"));
    assert!(difference("none").ends_with("nothing was changed\n"));
}

#[test]
fn a_document_that_does_not_fit_says_why() {
    let ran = lab()
        .cmd(&["show", "note", "--where", "task=remove-content"])
        .ok();
    insta::assert_snapshot!("not-applicable", ran.out);
}

#[test]
fn edits_of_a_text_that_was_cut_afterwards_are_not_marked() {
    let lab = lab();
    let cut = ["show", "ferry", "--stage", "cut", "--where", "task=typos"];
    insta::assert_snapshot!("cut", lab.cmd(&cut).ok().out);
    lab.cmd(&[&cut[..], &["--diff"]].concat()).ok();
}

#[test]
fn rows_are_printed_as_json_lines_with_edits_as_lists() {
    let lab = lab();
    let all = lab.cmd(&["show", "--json"]).ok().out;
    assert_eq!(all.lines().count(), 8);
    let one = lab
        .cmd(&["show", "ferry", "--where", "task=typos", "--json"])
        .ok()
        .out;
    let rows = json_lines(&one);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["operations"], 4);
    assert_eq!(rows[0]["edits"][0]["edits"].as_array().unwrap().len(), 4);
    assert_eq!(rows[0]["not_applicable"], Value::Null);
    let none = lab
        .cmd(&["show", "--where", "manipulation=typo", "--json"])
        .ok()
        .out;
    assert_eq!(none, "");
}

#[test]
fn wrong_names_are_answered_with_the_right_ones() {
    let lab = lab();
    for (arguments, answer) in [
        (&["show", "fery"][..], "did you mean `ferry`?"),
        (&["show", "--stage", "damagd"], "did you mean `damaged`?"),
        (
            &["show", "--stage", "grades"],
            "no stage `grades` makes documents",
        ),
        (&["show", "--where", "taks=typos"], "did you mean `task`?"),
        (&["show", "--where", "task"], "write `--where task=typos`"),
        (&["show", "--where", "task=typo"], "did you mean `typos`?"),
        (
            &["show", "ferry", "--where", "task=41"],
            "the values of `task` are `none`, `typos`, `entity-to-term` and `remove-content`",
        ),
    ] {
        let ran = lab.cmd(arguments).exit(2);
        assert!(ran.err.contains(answer), "{arguments:?}: {}", ran.err);
    }
    let nothing = lab.cmd(&["show", "--where", "manipulation=typo"]).ok();
    assert_eq!(nothing.out, "no row matches\n");
    let nothing = ["show", "ferry", "--where", "manipulation=typo"];
    assert_eq!(lab.cmd(&nothing).ok().out, "no row matches\n");
}

#[test]
fn what_cleaning_did_is_summed_up_and_shown_by_examples() {
    let lab = lab();
    lab.append("[clean.tidy]\nfrom = \"docs\"\nsteps = [\"brackets\", \"underscores\"]");
    lab.write(
        "docs.jsonl",
        jsonl(&[("note", "Anna [aside] said _nothing_ at all to him.")]),
    );
    let tidy = ["show", "note", "--stage", "tidy"];
    insta::assert_snapshot!("cleaned", lab.cmd(&tidy).ok().out);
    let diff = lab.cmd(&[&tidy[..], &["--diff"]].concat()).ok().out;
    insta::assert_snapshot!("cleaned-difference", diff);
}

#[test]
fn a_stage_below_a_judge_is_not_shown_since_nobody_is_asked() {
    let lab = lab();
    lab.append("[select.best]\nfrom = \"grades\"\nwhere = \"score > 3\"");
    let ran = lab.cmd(&["show", "--stage", "best"]).exit(2);
    assert!(ran.err.contains("`show` calls no model"), "{}", ran.err);
    assert_eq!(ran.asked, 0);
}

#[test]
fn a_file_or_pipe_gets_signs_instead_of_colours() {
    let lab = lab();
    let arguments = ["show", "ferry", "--where", "task=typos"];
    let plain = lab.cmd(&arguments).ok().out;
    assert!(plain.contains("{+") && plain.contains("[-"), "{plain}");
    let output = lab.command(&arguments).env_remove("NO_COLOR").output();
    assert_eq!(String::from_utf8(output.unwrap().stdout).unwrap(), plain);
}
