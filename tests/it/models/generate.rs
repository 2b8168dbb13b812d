//! Texts that models write, and judges of them.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tribunal::frame::Frame;

use super::saying::saying;
use super::{PROVIDERS, body, lab};
use crate::chat::{ChatServer, Fault, Faults};
use crate::lab::{Lab, Ran};

const TEXTS: usize = 6;

/// A project in which summaries are written and judged.
fn project(provider: &str, url: &str) -> Lab {
    let lab = lab(provider, url, TEXTS)
        .template("summarise", "Summarise in one sentence.\n\n{{ text }}\n")
        .template(
            "compare",
            "Grade fluency and coherence.\n\n{{ text }}\n\nSummary: {{ summary }}\n",
        );
    lab.append(
        "[generate.summaries]\nfrom = \"texts\"\nmodel = \"judge\"\nprompt = \"summarise\"\ninto = \"summary\"\n\n[export.written]\nfrom = \"summaries\"\nformat = \"csv\"",
    );
    lab.change(
        "from = \"texts\"\nmodel = \"judge\"\nprompt = \"grade\"",
        "from = \"summaries\"\nmodel = \"judge\"\nprompt = \"compare\"\nvariables = [\"text\", \"summary\"]",
    );
    lab
}

fn rows(ran: &Ran, name: &str) -> Frame {
    Frame::from_csv(ran.tables[name].as_bytes(), &["doc_id"]).unwrap()
}

fn cells(rows: &Frame, name: &str) -> Vec<Option<String>> {
    let column = rows.column(name).unwrap();
    let cell = |row| column.text(row).map(std::borrow::Cow::into_owned);
    (0..rows.rows()).map(cell).collect()
}

#[test]
fn what_is_written_goes_into_a_column_and_on_to_the_judge() {
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let ran = project(provider, &server.url()).run(&["--json"]).ok();
        assert_eq!(server.count(), 2 * TEXTS);
        assert_eq!(ran.summary()["counts"]["written"], TEXTS);
        assert_eq!(super::scored(&ran), 2 * TEXTS as u64);
        let written = rows(&ran, "written.csv");
        assert!(cells(&written, "text").iter().all(Option::is_some));
        assert!(cells(&written, "no_summary").iter().all(Option::is_none));
        let summaries: Vec<String> = cells(&written, "summary").into_iter().flatten().collect();
        assert_eq!(summaries.len(), TEXTS);
        let prompts: Vec<String> = server
            .calls()
            .iter()
            .map(|call| body(call)["messages"][0]["content"].to_string())
            .filter(|prompt| prompt.contains("Summary: "))
            .collect();
        for summary in summaries {
            let quoted = json!(summary).to_string();
            let inside = quoted.trim_matches('"');
            assert!(prompts.iter().any(|prompt| prompt.contains(inside)));
        }
    }
}

#[test]
fn what_is_written_may_take_the_place_of_the_text() {
    let server = saying(|prompt| {
        if prompt.contains("Grade") {
            "FINAL Fluency Score: 4\nFINAL Coherence Score: 4".to_owned()
        } else {
            format!("<think>hm</think>\n  Short: {} \n", prompt.len())
        }
    });
    let lab = project("openai", &server.url("/v1"));
    lab.change("into = \"summary\"", "into = \"text\"");
    lab.change(
        "prompt = \"compare\"\nvariables = [\"text\", \"summary\"]",
        "prompt = \"grade\"",
    );
    let ran = lab.run(&["--json"]).ok();
    let texts = cells(&rows(&ran, "written.csv"), "text");
    // Without thoughts and without blanks around it.
    assert!(
        texts
            .iter()
            .flatten()
            .all(|text| text.starts_with("Short: ") && text.len() < 12)
    );
    assert_eq!(texts.len(), TEXTS);
    let judged = server.requests();
    let judged = judged.iter().filter(|request| {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let prompt = body["messages"][0]["content"].as_str().unwrap();
        prompt.contains("Grade") && prompt.contains("Short: ") && !prompt.contains("ferry")
    });
    assert_eq!(
        judged.count(),
        1,
        "the texts are all alike, so one call is enough"
    );
}

#[test]
fn json_is_held_to_a_schema_and_kept_as_json() {
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let schema = json!({
            "type": "object",
            "properties": {"summary": {"type": "string"}, "words": {"type": "integer"}},
            "required": ["summary", "words"],
            "additionalProperties": false,
        });
        let lab = project(provider, &server.url()).file("schema.json", schema.to_string());
        lab.change(
            "into = \"summary\"",
            "into = \"summary\"\nshape = \"json\"\nschema = \"schema.json\"",
        );
        let ran = lab.run(&["--json"]).ok();
        let summaries = cells(&rows(&ran, "written.csv"), "summary");
        for summary in summaries.iter().flatten() {
            let value: Value = serde_json::from_str(summary).unwrap();
            assert!(
                value["summary"].is_string() && value["words"].is_number(),
                "{value}"
            );
        }
        let asked = body(&server.calls()[0]);
        let sent = match provider {
            "openai" => &asked["response_format"]["json_schema"]["schema"],
            _ => &asked["tools"][0]["input_schema"],
        };
        assert_eq!(*sent, schema);
        // Another schema is another question.
        let before = server.count();
        lab.write("schema.json", format!("{schema:#}"));
        assert_eq!(lab.run(&["--json"]).ok().summary()["calls_made"], 0);
        lab.edit("schema.json", "\"integer\"", "\"number\"");
        lab.run(&["--json"]).ok();
        assert!(server.count() >= before + TEXTS);
    }
}

#[test]
fn what_is_no_json_is_missing_with_a_reason() {
    let server = saying(|prompt| {
        if prompt.contains("number 1 ") {
            "```json\n{\"a\": 1}\n```".to_owned()
        } else {
            "Of course! Here it is.".to_owned()
        }
    });
    let lab = project("openai", &server.url("/v1"));
    lab.change("into = \"summary\"", "into = \"summary\"\nshape = \"json\"");
    let ran = lab.run(&["--json", "--only", "export.written"]).exit(4);
    let written = rows(&ran, "written.csv");
    assert_eq!(cells(&written, "summary")[0].as_deref(), Some("{\"a\": 1}"));
    let why = cells(&written, "no_summary");
    assert_eq!(why[1].as_deref(), Some("the reply is not one JSON value"));
    assert_eq!(ran.summary()["counts"]["unwritten"]["not-json"], TEXTS - 1);
}

#[test]
fn json_is_printed_as_the_model_wrote_it_and_gone_through() {
    const WRITTEN: &str =
        "{ \"facts\" : [\n  {\"fact\": \"It rained.\"},\n  {\"fact\": \"It snowed.\"} ] }";
    let asked = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&asked);
    let server = saying(move |prompt| {
        if prompt.contains("Grade") {
            told.lock().unwrap().push(prompt.to_owned());
            "FINAL Fluency Score: 4\nFINAL Coherence Score: 4".to_owned()
        } else {
            format!("```json\n{WRITTEN}\n```")
        }
    });
    let lab = project("openai", &server.url("/v1"));
    lab.change("into = \"summary\"", "into = \"summary\"\nshape = \"json\"");
    lab.write(
        "templates/compare.j2",
        "Grade fluency and coherence.\n\n{{ text }}\n\nSummary: {{ summary }}\n\
         {% for one in summary.facts %}\n- {{ one.fact }}\n{% endfor %}\n",
    );
    let ran = lab.run(&["--json"]).ok();
    let end = format!("Summary: {WRITTEN}\n- It rained.\n- It snowed.");
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), TEXTS);
    for prompt in asked.iter() {
        assert!(prompt.trim_end().ends_with(&end), "{prompt}");
    }
    let written = rows(&ran, "written.csv");
    assert_eq!(cells(&written, "summary")[0].as_deref(), Some(WRITTEN));
}

#[test]
fn prompts_that_print_json_are_what_they_were_when_it_was_text() {
    const WRITTEN: &str = "[ 1,\n 2.50 ]";
    let server = saying(|prompt| {
        if prompt.contains("Grade") {
            "FINAL Fluency Score: 4\nFINAL Coherence Score: 4".to_owned()
        } else {
            WRITTEN.to_owned()
        }
    });
    let lab = project("openai", &server.url("/v1"));
    lab.run(&["--json"]).ok();
    lab.change("into = \"summary\"", "into = \"summary\"\nshape = \"json\"");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.summary()["calls_made"], 0);
}

#[test]
fn a_text_that_is_not_there_is_passed_on_with_its_reason() {
    for (fault, share, reason) in [
        (Fault::EmptyReply, 0.5, "the reply is empty"),
        (Fault::Refusal, 0.5, "the model declined to answer"),
        // It is asked for three more times.
        (Fault::Cut, 0.85, "the reply was cut off"),
    ] {
        // Judged prompts would be struck too; the server is healthy when they are asked.
        let server = ChatServer::setup()
            .faults(Faults::none().share(share, [fault]))
            .start();
        let lab = project("openai", &server.url());
        let ran = lab.run(&["--json", "--only", "export.written"]).ok();
        let written = rows(&ran, "written.csv");
        let missing: Vec<String> = cells(&written, "no_summary")
            .into_iter()
            .flatten()
            .collect();
        assert!(
            (1..TEXTS).contains(&missing.len()),
            "{fault:?}: {missing:?}"
        );
        assert!(
            missing.iter().all(|why| why.starts_with(reason)),
            "{missing:?}"
        );
        let healthy = ChatServer::start();
        let url = format!("models.judge.base-url={}", healthy.url());
        let ran = lab.run(&["--json", "--set", &url]).ok();
        assert_eq!(healthy.count(), TEXTS - missing.len());
        let unscored = super::unscored(&ran);
        assert_eq!(unscored["not-applicable"], 2 * missing.len() as u64);
        let details = cells(&rows(&ran, "grades.csv"), "detail");
        let told = format!("there is no `summary`: {reason}");
        let told = details
            .iter()
            .flatten()
            .filter(|detail| detail.starts_with(&told));
        assert_eq!(told.count(), 2 * missing.len());
    }
}

#[test]
fn repeats_are_rows_of_their_own() {
    let server = ChatServer::start();
    let lab = project("openai", &server.url());
    lab.change("into = \"summary\"", "into = \"summary\"\nrepeats = 2");
    let ran = lab.run(&["--json", "--only", "export.written"]).ok();
    assert_eq!(server.count(), 2 * TEXTS);
    let repeats: Vec<String> = cells(&rows(&ran, "written.csv"), "repeat")
        .into_iter()
        .flatten()
        .collect();
    assert_eq!(repeats, ["1", "2"].repeat(TEXTS));
}
