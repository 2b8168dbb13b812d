//! Everything that can be wrong with a clone: it is listed, and the rest is imported.

use serde_json::json;

use super::tree::{self, MEMORY_RUN, import, put, rows};
use crate::lab::Lab;

const VANILLA: &str = "experiments/Some-Model_THINK/project_gutenberg_v6-3/gold_pg-1900_full";
const TEXTS: &str = "data/project_gutenberg/manipulated_pg-1900_2000";

/// A clone with one of each.
fn damaged() -> Lab {
    let lab = tree::sound();
    // Outputs.
    put(
        &lab,
        &format!("{VANILLA}/eval_exp_1_JM-7.txt"),
        b"one\n\xffwo",
    );
    put(&lab, &format!("{VANILLA}/eval_exp_1_JM-22.txt"), " \n");
    put(&lab, &format!("{VANILLA}/scores of all.csv"), "1,2");
    put(
        &lab,
        "experiments/Some-Model_THINK/odd_v1/gold_test_full/eval_exp_1_JM-7.txt",
        "x",
    );
    put(
        &lab,
        &format!("{MEMORY_RUN}/eval_exp_2_JM-7.txt"),
        "No line below.",
    );
    put(
        &lab,
        &format!("{MEMORY_RUN}/reports/report_file-JM-7.json"),
        "{}",
    );
    put(
        &lab,
        &format!("{MEMORY_RUN}/memory/memory_file-JM-22.json"),
        "{\n  \"section_01\": {\"section_summary\": \"Lost.\"},\n  oops\n}",
    );
    lab.remove(&format!(
        "clone/{MEMORY_RUN}/sec_evaluations/sec_evaluation_JM-7/section_2.txt"
    ));
    // Texts and what describes them.
    put(
        &lab,
        &format!("{TEXTS}/F/4/41/exp_1_meta.json"),
        "[\n  {]\n",
    );
    lab.remove(&format!("clone/{TEXTS}/C/2/24/paragraph/exp_1/JM-22.txt"));
    put(
        &lab,
        &format!("{TEXTS}/C/2/24/paragraph/exp_2/JM-7.txt"),
        "Another experiment.",
    );
    put(
        &lab,
        &format!("{TEXTS}/C/1/17/paragraph/exp_1/JM-22.txt"),
        "One paragraph.",
    );
    put(
        &lab,
        &format!("{TEXTS}/F/4/41/exp_1/JM-404.txt"),
        "Nobody knows this one.",
    );
    put(
        &lab,
        "data/sub_sample/gold_sanity_meta_1000.json",
        json!([{ "id": "JM-22" }]).to_string(),
    );
    put(
        &lab,
        "data/project_gutenberg/gold_dataset_2000/PG-7.txt",
        "",
    );
    // Prompts.
    put(
        &lab,
        "baseline_model_inference/prompts/prompt_bad.txt",
        "one\n{Story",
    );
    lab
}

#[test]
fn what_is_wrong_is_listed_by_kind_and_counted() {
    let lab = damaged();
    let ran = import(&lab).ok();
    insta::assert_snapshot!(ran.err);
    let list = lab.read("data/judgememo/problems.csv");
    let listed = ran
        .err
        .lines()
        .filter(|line| line.starts_with("  "))
        .count();
    assert_eq!(list.lines().count() - 1, listed, "{list}");
}

#[test]
fn everything_else_is_imported() {
    let lab = damaged();
    import(&lab).ok();
    let responses = rows(
        &lab,
        "responses",
        &[
            "suite",
            "doc_id",
            "exp",
            "stage",
            "section",
            "finish_reason",
        ],
    );
    assert_eq!(
        responses,
        [
            // Its memory cannot be parsed: it is there, and its summary is not lifted out.
            "judgememo|JM-22|1|memory|∅|",
            "judgememo|JM-7|2|section_summary|1|",
            "judgememo|JM-7|2|section|1|stop",
            "judgememo|JM-7|2|memory|∅|",
            "judgememo|JM-7|2|report|∅|",
            "judgememo|JM-7|2|final|∅|",
            "matrix|JM-5|1|final|∅|stop",
            "matrix|JM-7|11|final|∅|stop",
            "prompts|JM-22|3|final|∅|stop",
        ]
    );
    let report = rows(&lab, "responses", &["stage", "raw_text"]);
    assert_eq!(
        report[4], "report|=== Report ===¶",
        "the text is kept, not the JSON"
    );
    let documents = rows(
        &lab,
        "documents",
        &["doc_id", "length", "task", "title", "in_matrix20", "text"],
    );
    let of_2000: Vec<&String> = documents
        .iter()
        .filter(|row| row.contains("|2000|"))
        .collect();
    assert_eq!(
        of_2000,
        [
            "JM-22|2000|gold|Title 22|true|Title 22.¶¶First of 22, 2000.¶¶Last of 22, 2000.",
            "JM-22|2000|17|Title 22|true|One paragraph.",
            "JM-22|2000|41|Title 22|true|Title 22.¶¶Frist of 22, 2000.¶¶Last of 22, 2000.",
            "JM-7|2000|24|Title 7|true|Title 7.¶¶First of 7, 2000.¶¶In 2099. Last of 7, 2000.",
            "JM-7|2000|41|Title 7|true|Title 7.¶¶Frist of 7, 2000.¶¶Last of 7, 2000.",
            "JM-404|2000|41|∅|false|Nobody knows this one.",
        ]
    );
    let metas = rows(
        &lab,
        "documents",
        &["doc_id", "length", "task", "meta_json"],
    );
    for row in ["JM-22|2000|17|∅", "JM-22|2000|41|∅", "JM-404|2000|41|∅"] {
        assert!(metas.iter().any(|meta| meta == row), "{row}: {metas:#?}");
    }
}

#[test]
fn without_a_list_of_gold_documents_those_of_the_other_length_are_looked_for() {
    let lab = tree::sound();
    put(
        &lab,
        "data/project_gutenberg/gold_pg-1900_meta_2000.json",
        "[",
    );
    let ran = import(&lab).ok();
    assert!(
        ran.err.contains("gold_pg-1900_meta_2000.json: EOF"),
        "{}",
        ran.err
    );
    let gold = rows(&lab, "documents", &["doc_id", "length", "task", "title"]);
    assert!(
        gold.contains(&"JM-22|2000|gold|Title 22".to_owned()),
        "{gold:#?}"
    );
}

#[test]
fn a_path_in_metadata_that_leads_out_of_the_clone_is_not_followed() {
    let lab = tree::sound();
    lab.write("secret.txt", "Not part of the clone.");
    let path = "data/project_gutenberg/gold_pg-1900_meta_full.json";
    let list = lab.read(&format!("clone/{path}"));
    let elsewhere = list.replace(
        "/data/project_gutenberg/gold_dataset/PG-7.txt",
        "/../secret.txt",
    );
    assert_ne!(list, elsewhere);
    put(&lab, path, elsewhere);
    let ran = import(&lab).ok();
    assert!(
        ran.err
            .contains("../secret.txt: it leads out of the folder"),
        "{}",
        ran.err
    );
    let texts = rows(&lab, "documents", &["text"]);
    assert!(!texts.iter().any(|text| text.contains("Not part")));
}

#[test]
fn judgements_that_a_folder_of_known_documents_lacks_are_named() {
    let lab = tree::sound();
    lab.remove(&format!("clone/{VANILLA}/eval_exp_1_JM-22.txt"));
    let ran = import(&lab).ok();
    let line = format!("  {VANILLA}/eval_exp_1_JM-22.txt: a final judgement");
    assert!(ran.err.lines().any(|said| said == line), "{}", ran.err);
}
