//! What is in the tables, row by row.

use tribunal::frame::Frame;

use super::tree::{self, STOP, gold, import, rows};

#[test]
fn outputs_become_rows_in_their_order_with_summaries_lifted_out() {
    let lab = tree::sound();
    import(&lab).ok();
    let stop = STOP.replace('\n', "¶");
    let memory = tree::memory().replace('\n', "¶");
    let run = "JM-sub-sample_v6-3_context|sr-750_sor-0.1_iss-True_rm-report_only_s2t-True|v6-3";
    let jm = format!("judgememo|Other-Model|{run}|full|24|paragraph|2|JM-7");
    let columns = [
        "suite",
        "model",
        "variant",
        "settings",
        "prompt",
        "length",
        "task",
        "unit",
        "exp",
        "doc_id",
        "stage",
        "section",
        "raw_text",
        "finish_reason",
        "incomplete_warning",
    ];
    let model = "Some-Model_THINK|||";
    assert_eq!(
        rows(&lab, "responses", &columns),
        [
            format!("{jm}|section_summary|1|It begins.||false"),
            format!("{jm}|section|1|Section 1.{stop}|stop|false"),
            format!("{jm}|section|2|Section 2.{stop}|stop|false"),
            format!("{jm}|memory|∅|{memory}||false"),
            format!("{jm}|report|∅|=== Report ===¶||false"),
            format!("{jm}|final|∅|Final.{stop}|stop|false"),
            format!(
                "matrix|{model}v1|1000|gold||1|JM-5|final|∅|Matrix, a document without a text.{stop}|stop|false"
            ),
            format!("matrix|{model}v1|full|41||11|JM-7|final|∅|Matrix, full.{stop}|stop|false"),
            format!(
                "prompts|{model}v5-8_fluency|2000|24|paragraph|3|JM-22|final|∅|Prompts.{stop}|stop|false"
            ),
            format!(
                "vanilla|{model}v6-3|full|gold||1|JM-22|final|∅|Cut.¶¶----------------------------¶finish_reason: length¶WARNING: INCOMPLETE OUTPUT after max retries|length|true"
            ),
            format!("vanilla|{model}v6-3|full|gold||1|JM-7|final|∅|Vanilla of 7.{stop}|stop|false"),
        ]
    );
    assert_eq!(names(&lab, "responses"), columns);
}

#[test]
fn texts_become_rows_with_what_was_done_to_them() {
    let lab = tree::sound();
    import(&lab).ok();
    let columns = [
        "doc_id",
        "title",
        "author",
        "year",
        "genre",
        "gutenberg_url",
        "length",
        "task",
        "target_metric",
        "in_judgememo30",
        "in_matrix20",
        "in_prompt5",
        "text",
    ];
    let mut expected = Vec::new();
    for (number, samples) in [(22, "false|false|true"), (7, "true|true|false")] {
        let about = format!(
            "JM-{number}|Title {number}|Somebody|{}|Arts|https://example.org/{number}",
            1900 + number
        );
        for length in ["full", "2000"] {
            let text = gold(number, length).replace('\n', "¶");
            let row = |of: &str, text: String| format!("{about}|{length}|{of}|{samples}|{text}");
            expected.push(row("gold|∅", text.clone()));
            if number == 22 {
                let text = format!("Title 22.¶¶Last of 7, {length}.¶¶Last of 22, {length}.");
                expected.push(row("17|coherence", text));
            }
            expected.push(row("24|coherence", text.replace("Last", "In 2099. Last")));
            expected.push(row("41|fluency", text.replace("First", "Frist")));
        }
    }
    assert_eq!(rows(&lab, "documents", &columns), expected);
    let metas = rows(
        &lab,
        "documents",
        &["doc_id", "length", "task", "meta_json"],
    );
    let upstream = r#"{"manipulation_type": "t", "manipulation_category": "c", "affected_metric": "m", "range_type": "document", "random_seed": 31, "params": {"start": 2, "dense": false}, "manipulated_char_spans": [[3, 8]], "source": "upstream metadata"}"#;
    let derived = r#"{"manipulation_type": "exchange_content", "manipulation_category": "logical_flow_disruptions", "affected_metric": "coherence", "range_type": "paragraph", "manipulated_char_spans": [[11, 29]], "exchanges": [{"paragraph": 1, "gold_char_span": [11, 29], "donor_doc_id": "JM-7", "donor_paragraph": 2}], "source": "derived by paragraph diff against gold (upstream metadata not available)"}"#;
    assert_eq!(metas[0], "JM-22|full|gold|∅");
    assert_eq!(metas[1], format!("JM-22|full|17|{derived}"));
    assert_eq!(metas[2], format!("JM-22|full|24|{upstream}"));
    assert_eq!(
        names(&lab, "documents"),
        [
            "doc_id",
            "title",
            "author",
            "year",
            "genre",
            "gutenberg_url",
            "length",
            "task",
            "target_metric",
            "text",
            "meta_json",
            "in_judgememo30",
            "in_matrix20",
            "in_prompt5",
        ]
    );
}

#[test]
fn metadata_of_an_exchange_is_used_where_there_is_some_without_the_donors_whole_texts() {
    let lab = tree::sound();
    let mut meta = tree::manipulated(22, "C/1/17/paragraph", "2000");
    meta["params"]["texts_to_insert"] = vec!["A whole book."; 3].into();
    tree::put(
        &lab,
        "data/project_gutenberg/manipulated_pg-1900_2000/C/1/17/paragraph/exp_1_meta.json",
        serde_json::Value::from(vec![meta]).to_string(),
    );
    import(&lab).ok();
    let metas = rows(
        &lab,
        "documents",
        &["doc_id", "length", "task", "meta_json"],
    );
    assert_eq!(
        metas[5],
        r#"JM-22|2000|17|{"manipulation_type": "t", "manipulation_category": "c", "affected_metric": "m", "range_type": "document", "random_seed": 31, "params": {"start": 2, "dense": false}, "manipulated_char_spans": [[3, 8]], "exchanges": [{"paragraph": 1, "gold_char_span": [11, 29], "donor_doc_id": "JM-7", "donor_paragraph": 2}], "source": "upstream metadata"}"#
    );
}

#[test]
fn the_same_clone_gives_the_same_bytes() {
    let lab = tree::sound();
    import(&lab).ok();
    let tables = ["documents.parquet", "responses.parquet", "problems.csv"];
    let read =
        || tables.map(|name| fs_err::read(lab.path(&format!("data/judgememo/{name}"))).unwrap());
    let first = read();
    import(&lab).ok();
    assert!(first == read());
    let files = lab.files("data/judgememo");
    assert_eq!(files.len(), tables.len(), "{files:?}");
}

fn names(lab: &crate::lab::Lab, table: &str) -> Vec<String> {
    let bytes = fs_err::read(lab.path(&format!("data/judgememo/{table}.parquet"))).unwrap();
    let frame = Frame::from_parquet(bytes, None).unwrap();
    frame.names().into_iter().map(str::to_owned).collect()
}
