//! A small clone: two documents in two lengths, three manipulations, one run of every suite.

use serde_json::{Value, json};

use crate::lab::{Lab, Ran};

/// The line below every reply.
pub(super) const STOP: &str = "\n\n----------------------------\nfinish_reason: stop";

/// What a document's gold text is.
pub(super) fn gold(number: u32, length: &str) -> String {
    format!("Title {number}.\n\nFirst of {number}, {length}.\n\nLast of {number}, {length}.")
}

/// A project with a clone in `clone`, without anything wrong in it.
pub(super) fn sound() -> Lab {
    let lab = Lab::new();
    for length in ["2000", "full"] {
        let suffix = if length == "full" { "" } else { "_2000" };
        let books = "data/project_gutenberg";
        for number in [22, 7] {
            let path = format!("{books}/gold_dataset{suffix}/PG-{number}.txt");
            put(&lab, &path, gold(number, length));
            // A book that no list names.
            put(
                &lab,
                &format!("{books}/gold_dataset{suffix}/PG-99.txt"),
                "No row.",
            );
        }
        let list = json!([described(22, suffix), described(7, suffix)]);
        put(
            &lab,
            &format!("{books}/gold_pg-1900_meta_{length}.json"),
            list.to_string(),
        );
        let folder = format!("{books}/manipulated_pg-1900_{length}");
        for number in [22, 7] {
            for (task, text) in [
                ("F/4/41", gold(number, length).replace("First", "Frist")),
                (
                    "C/2/24/paragraph",
                    gold(number, length).replace("Last", "In 2099. Last"),
                ),
            ] {
                put(
                    &lab,
                    &format!("{folder}/{task}/exp_1/JM-{number}.txt"),
                    text,
                );
            }
        }
        for task in ["F/4/41", "C/2/24/paragraph"] {
            let list = json!([manipulated(22, task, length), manipulated(7, task, length)]);
            put(
                &lab,
                &format!("{folder}/{task}/exp_1_meta.json"),
                list.to_string(),
            );
        }
        // No metadata, as in the published repository.
        let exchanged = format!("Title 22.\n\nLast of 7, {length}.\n\nLast of 22, {length}.");
        put(
            &lab,
            &format!("{folder}/C/1/17/paragraph/exp_1/JM-22.txt"),
            exchanged,
        );
        put(
            &lab,
            &format!("data/JM-sub-sample/gold_pg-1900_meta_{length}.json"),
            json!([described(7, suffix)]).to_string(),
        );
    }
    outputs(&lab);
    prompts(&lab);
    lab
}

fn outputs(lab: &Lab) {
    let plain = "experiments/Some-Model_THINK";
    let vanilla = format!("{plain}/project_gutenberg_v6-3/gold_pg-1900_full");
    put(
        lab,
        &format!("{vanilla}/eval_exp_1_JM-7.txt"),
        reply("Vanilla of 7."),
    );
    put(
        lab,
        &format!("{vanilla}/eval_exp_1_JM-22.txt"),
        "Cut.\n\n----------------------------\nfinish_reason: length\nWARNING: INCOMPLETE OUTPUT after max retries",
    );
    put(
        lab,
        &format!(
            "{plain}/test_v5-8_fluency/manipulated_test_2000/C/2/24/paragraph/eval_exp_3_JM-22.txt"
        ),
        reply("Prompts."),
    );
    put(
        lab,
        &format!("{plain}/sub_sample_v1/manipulated_full_20/F/4/41/eval_exp_11_JM-7.txt"),
        reply("Matrix, full."),
    );
    put(
        lab,
        &format!("{plain}/sub_sample_v1/gold_sanity_1000/eval_exp_1_JM-5.txt"),
        reply("Matrix, a document without a text."),
    );
    let run = MEMORY_RUN;
    put(lab, &format!("{run}/eval_exp_2_JM-7.txt"), reply("Final."));
    for section in [1, 2] {
        put(
            lab,
            &format!("{run}/sec_evaluations/sec_evaluation_JM-7/section_{section}.txt"),
            reply(&format!("Section {section}.")),
        );
    }
    put(
        lab,
        &format!("{run}/memory/memory_file-JM-7.json"),
        memory(),
    );
    put(
        lab,
        &format!("{run}/reports/report_file-JM-7.txt"),
        "=== Report ===\n",
    );
    // Rendered prompts are no outputs.
    put(
        lab,
        "experiments/full_prompts/v1/prompt_gold_JM-7.txt",
        "Grade this.",
    );
    put(
        lab,
        "experiments_JM/full_prompts/v1/prompt_gold_JM-7.txt",
        "Grade this.",
    );
}

/// The folder of the memory judge's one run.
pub(super) const MEMORY_RUN: &str = "experiments_JM/Other-Model/JM-sub-sample_v6-3_context/\
sr-750_sor-0.1_iss-True_rm-report_only_s2t-True/manipulated_pg-1900_full/C/2/24/paragraph";

/// The memory file of that run.
pub(super) fn memory() -> String {
    let memory = json!({
        "section_01": { "scores": { "fluency": 4 }, "section_summary": "It begins." },
        "section_02": { "scores": { "fluency": 0 }, "section_summary": null },
    });
    serde_json::to_string_pretty(&memory).unwrap()
}

fn prompts(lab: &Lab) {
    put(
        lab,
        "baseline_model_inference/prompts/prompt_v9.txt",
        "Grade fluency and coherence as {{\"fluency\": 1}}, {{% not a tag %}}.\n\nStory: {Story}\n",
    );
    let section = "prompt_v9_JudgeMemo_stride_summary.txt";
    for (folder, notice) in [
        ("prompts", "Mind the context. "),
        ("prompts_no-context", ""),
    ] {
        put(
            lab,
            &format!("JudgeMemo_Method/{folder}/{section}"),
            format!("{notice}Fluency, coherence.\n{{Text}}\n{{AddOn}}\n{{Content}}"),
        );
    }
    put(
        lab,
        "JudgeMemo_Method/prompts/report_original_eval_prompt.txt",
        "Fluency, coherence: {AddOn} / {Content}",
    );
}

/// A reply as it was recorded.
pub(super) fn reply(text: &str) -> String {
    format!("{text}{STOP}")
}

fn described(number: u32, suffix: &str) -> Value {
    json!({
        "id": format!("JM-{number}"),
        "gold_text": format!("/data/project_gutenberg/gold_dataset{suffix}/PG-{number}.txt"),
        "gold_source": {
            "dataset": "Project Gutenberg", "source_id": number.to_string(),
            "title": format!("Title {number}"), "author": "Somebody", "year": 1900 + number,
            "gutenberg": { "url": format!("https://example.org/{number}"), "num": number, "genre": "Arts" },
        },
    })
}

/// The metadata of a manipulated text.
pub(super) fn manipulated(number: u32, task: &str, length: &str) -> Value {
    let folder = format!("/data/project_gutenberg/manipulated_pg-1900_{length}/{task}/exp_1");
    json!({
        "id": format!("JM-{number}_{}", task.replace('/', "_")),
        "manipulated_text": format!("{folder}/JM-{number}.txt"),
        "manipulated_char_spans": [[3, 8]], "range_type": "document", "affected_metric": "m",
        "manipulation_category": "c", "manipulation_type": "t",
        "gold_id": format!("JM-{number}"), "gold_text": "/x", "random_seed": 31,
        "params": { "start": 2, "dense": false },
    })
}

/// Writes a file of the clone.
pub(super) fn put(lab: &Lab, path: &str, bytes: impl AsRef<[u8]>) {
    lab.write(&format!("clone/{path}"), bytes);
}

/// Imports the clone.
pub(super) fn import(lab: &Lab) -> Ran {
    lab.cmd(&["import", "judgememo", "clone"])
}

/// The rows of an imported table, cells between bars; of these columns.
pub(super) fn rows(lab: &Lab, table: &str, columns: &[&str]) -> Vec<String> {
    use tribunal::frame::Frame;
    let bytes = fs_err::read(lab.path(&format!("data/judgememo/{table}.parquet"))).unwrap();
    let frame = Frame::from_parquet(bytes, None).unwrap();
    let columns: Vec<_> = columns
        .iter()
        .map(|name| frame.column(name).unwrap())
        .collect();
    (0..frame.rows())
        .map(|row| {
            let cells = columns.iter().map(|column| {
                column
                    .text(row)
                    .map_or("∅".to_owned(), |text| text.replace('\n', "¶"))
            });
            cells.collect::<Vec<_>>().join("|")
        })
        .collect()
}
