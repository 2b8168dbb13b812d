//! Importing results of other evaluation tools, through the binary. The layouts are those of `inspect_ai` 0.3.285 (cut down
//! from a log that it wrote), promptfoo's summary of version 3 and lm-evaluation-harness 0.4; all texts are made up.

use serde_json::Value;

use crate::lab::{Lab, json_lines};

fn data(name: &str) -> String {
    format!("{}/tests/data/evals/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// What an import came to: the answers, the judgements, and what was said.
fn imported(words: &[&str]) -> (Vec<Value>, Vec<Value>, String) {
    let lab = Lab::new();
    let words = [&["import"], words, &["--into", "here"]].concat();
    let output = lab.exactly(&words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let rows = |name: &str| json_lines(&lab.read(&format!("here/{name}.jsonl")));
    let (mut answers, mut judgements) = (rows("answers"), rows("judgements"));
    answers.sort_by_key(Value::to_string);
    judgements.sort_by_key(Value::to_string);
    (answers, judgements, said)
}

fn of<'r>(rows: &'r [Value], doc_id: &str, judge: &str) -> &'r Value {
    let found = rows
        .iter()
        .find(|row| row["doc_id"] == doc_id && (judge.is_empty() || row["judge"] == judge));
    found.unwrap_or_else(|| panic!("no `{judge}` of `{doc_id}`"))
}

#[test]
fn a_log_gives_the_same_rows_as_json_and_as_zip() {
    let (answers, judgements, _) = imported(&["inspect", &data("inspect/facts.json")]);
    assert_eq!((answers.len(), judgements.len()), (5, 16));
    let (zipped, of_zip, _) = imported(&["inspect", &data("inspect/facts.eval")]);
    assert_eq!((&answers, &judgements), (&zipped, &of_zip));
    let graded = of(&judgements, "facts/mockllm/model/sum", "model_graded_qa");
    assert_eq!(
        (&graded["verdict"], &graded["value"]),
        (&"C".into(), &1.0.into())
    );
    let two = of(&judgements, "facts/mockllm/model/sun", "two/short");
    assert_eq!(two["value"], 2.5);
}

#[test]
fn a_grade_that_was_not_found_is_absent_and_not_0() {
    let (answers, judgements, _) = imported(&["inspect", &data("inspect/facts.json")]);
    let graded = of(&judgements, "facts/mockllm/model/sum#2", "model_graded_qa");
    assert_eq!(graded["value"], Value::Null);
    assert_eq!(graded["no_value"], "the scorer gave no value");
    let failed = of(&answers, "facts/mockllm/model/ice", "");
    assert_eq!(failed["text"], Value::Null);
    assert_eq!(failed["no_text"], "the sample failed: the server went away");
    assert_eq!(failed["question"], "Is ice wet?");
}

#[test]
fn a_log_that_is_read_twice_counts_once() {
    let log = data("inspect/facts.json");
    let (answers, judgements, said) = imported(&["inspect", &log, &log]);
    assert_eq!((answers.len(), judgements.len()), (5, 16));
    assert!(said.contains("5 twice"), "{said}");
}

#[test]
fn a_second_run_of_a_task_is_another_one_and_its_copy_is_not() {
    let first = fs_err::read_to_string(data("inspect/facts.json")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs_err::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let again = first.replace("fj9BKAgkNpVuV65WtxxoCg", "another");
    let logs = [
        write("1.json", &first),
        write("2.json", &again),
        write("copy.json", &again),
    ];
    let (answers, judgements, said) = imported(&["inspect", &logs[0], &logs[1], &logs[2]]);
    assert_eq!((answers.len(), judgements.len()), (10, 32));
    assert!(said.contains("5 twice"), "{said}");
    let second = of(
        &judgements,
        "facts/mockllm/model/sum@2#2",
        "model_graded_qa",
    );
    assert_eq!((&second["run"], &second["epoch"]), (&2.into(), &2.into()));

    let line = r#"{"doc_id": 0, "target": "b", "resps": [["b"]], "filtered_resps": ["b"], "metrics": ["acc", "acc"], "acc": 1.0}"#;
    let name = |hour: u32| format!("samples_facts_2026-01-01T0{hour}-00-00.jsonl");
    let runs = [write(&name(1), line), write(&name(2), line)];
    let (answers, judgements, _) = imported(&["lm-eval", &runs[0], &runs[1]]);
    assert_eq!((answers.len(), judgements.len()), (2, 4));
    let judges: Vec<&Value> = judgements.iter().map(|row| &row["judge"]).collect();
    assert_eq!(judges.iter().filter(|judge| **judge == "acc#2").count(), 2);
}

#[test]
fn assertions_are_judges_and_a_broken_grader_scores_nothing() {
    let results = data("promptfoo/results.json");
    let (answers, judgements, said) = imported(&["promptfoo", &results, &results]);
    assert_eq!((answers.len(), judgements.len()), (4, 9));
    assert!(said.contains("4 twice"), "{said}");
    let clear = of(&judgements, "prompt-0/made:up/test-0", "clear");
    assert_eq!(
        (&clear["verdict"], &clear["value"]),
        (&"pass".into(), &0.8.into())
    );
    for judge in ["clear", "all"] {
        let broken = of(&judgements, "prompt-0/made:up/test-1", judge);
        assert_eq!(broken["value"], Value::Null);
        assert!(broken["no_value"].as_str().unwrap().contains("grader"));
    }
    let failed = of(&answers, "prompt-0/made:other/test-1", "");
    assert_eq!(failed["no_text"], "the call failed: API error: 500");
}

#[test]
fn samples_have_a_row_for_each_filter_and_metric() {
    let file = data("lm-eval/made__up/samples_counting_2026-11-24T00-00-00.000000.jsonl");
    let (answers, judgements, said) = imported(&["lm-eval", &file]);
    assert_eq!((answers.len(), judgements.len()), (4, 5));
    assert!(said.contains(":5: a sample has `doc_id`"), "{said}");
    let strict = of(&judgements, "counting/made__up/1:strict", "exact_match");
    assert_eq!(strict["value"], 0.0);
    let whole = of(&judgements, "counting/made__up/2", "bleu");
    assert_eq!(whole["value"], Value::Null);
}

#[test]
fn damaged_files_cost_themselves_and_no_more() {
    let lab = Lab::new();
    let zip = fs_err::read(data("inspect/facts.eval")).unwrap();
    for at in 0..zip.len() {
        // A flipped bit in any place is noticed, or changes nothing that is read.
        if at % 97 != 0 {
            continue;
        }
        let mut bytes = zip.clone();
        bytes[at] ^= 1;
        lab.write("flipped.eval", &bytes);
        let output = lab
            .exactly(&["import", "inspect", "flipped.eval", "--into", "x"])
            .output();
        let code = output.unwrap().status.code();
        assert!([Some(0), Some(1)].contains(&code), "{at}: {code:?}");
    }
    lab.write("cut.eval", &zip[..zip.len() / 2]);
    lab.write("list.json", "[1, 2]");
    lab.write("empty.json", " \n");
    let words = [
        "import",
        "inspect",
        "cut.eval",
        "list.json",
        "empty.json",
        "no.json",
        "--into",
        "y",
    ];
    let output = lab.exactly(&words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for why in [
        "it was cut short",
        "an object is needed",
        "1 empty",
        "no.json",
    ] {
        assert!(said.contains(why), "{why}\n{said}");
    }
    assert!(!lab.path("y/answers.jsonl").exists());
}

#[test]
fn what_was_imported_is_read_by_a_spec_as_rows_and_as_recorded_replies() {
    let lab = Lab::new().spec(
        r#"
[source.judgements]
files = "data/inspect/judgements.jsonl"
key   = ["doc_id", "judge"]
columns = ["judge", "value", "no_value"]
id    = "doc_id"
text  = "verdict"
empty = "keep"

[stats.marks]
from  = "judgements"
value = "value"
by    = ["judge"]

[table.marks]
from   = "marks"
rows   = ["judge"]
show-n = true

[source.answers]
files = "data/inspect/answers.jsonl"
empty = "drop"

[judge.again]
from    = "answers"
model   = "grader"
metrics = ["right"]
parse   = "choice"
scale   = { labels = { C = 1, I = 0 } }
max-unscored = 1

[stats.right]
from = "again"

[table.right]
from   = "right"
rows   = ["metric"]
show-n = true

[models.grader]
provider = "recorded"
files    = "data/inspect/judgements.jsonl"
text     = "verdict"
match    = { doc_id = "doc_id" }
where    = { judge = "model_graded_qa" }
"#,
    );
    let log = data("inspect/facts.eval");
    let words = ["import", "inspect", &log];
    let output = lab.exactly(&words).output().unwrap();
    assert!(output.status.success());
    let ran = lab.run(&["-q"]).ok();
    // Three grades were found, of which one is C.
    assert!(
        ran.tables["right.md"].contains("0.333 (3)"),
        "{}",
        ran.tables["right.md"]
    );
    assert!(
        ran.tables["marks.md"].contains("0.333 (3)"),
        "{}",
        ran.tables["marks.md"]
    );
}
