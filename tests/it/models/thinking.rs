//! Models that think before they answer: how they are told, and that thoughts are no answer.

use serde_json::{Value, json};

use super::saying::{answering, saying};
use super::{lab, only_body, scored};
use crate::chat::ChatServer;

/// Asks about one text with this `thinking`; the body that the server got.
#[track_caller]
fn body_with(provider: &str, thinking: &str) -> Value {
    let server = ChatServer::start();
    let lab = lab(provider, &server.url(), 1);
    lab.change("retries = 3", &format!("thinking = {{ {thinking} }}"));
    lab.change("max-tokens = 100", "max-tokens = 4000");
    lab.run(&["--quiet"]).ok();
    only_body(&server)
}

#[test]
fn an_openai_server_is_told_by_template_system_message_or_parameter() {
    for (thinking, field, expected) in [
        (
            "on = true, by = \"template\"",
            "/chat_template_kwargs",
            json!({"enable_thinking": true}),
        ),
        (
            "on = false, by = \"template\"",
            "/chat_template_kwargs",
            json!({"enable_thinking": false}),
        ),
        (
            "on = false, by = \"system\"",
            "/messages/0",
            json!({"role": "system", "content": "/no_think"}),
        ),
        (
            "on = true, by = \"system\", lines = [\"Think hard.\", \"Do not think.\"]",
            "/messages/0",
            json!({"role": "system", "content": "Think hard."}),
        ),
        (
            "on = true, by = \"parameter\", effort = \"low\"",
            "/reasoning_effort",
            json!("low"),
        ),
        (
            "on = false, by = \"parameter\"",
            "/reasoning_effort",
            json!("none"),
        ),
    ] {
        let body = body_with("openai", thinking);
        assert_eq!(body.pointer(field), Some(&expected), "{thinking}: {body}");
    }
}

#[test]
fn anthropic_is_told_by_its_parameter() {
    for (thinking, field, expected) in [
        (
            "on = true, by = \"parameter\", budget = 2048",
            "/thinking",
            json!({"type": "enabled", "budget_tokens": 2048}),
        ),
        (
            "on = true, by = \"parameter\", effort = \"low\"",
            "/output_config/effort",
            json!("low"),
        ),
        (
            "on = false, by = \"parameter\"",
            "/thinking",
            json!({"type": "disabled"}),
        ),
        ("on = false, by = \"system\"", "/system", json!("/no_think")),
    ] {
        let body = body_with("anthropic", thinking);
        assert_eq!(body.pointer(field), Some(&expected), "{thinking}: {body}");
    }
}

#[test]
fn a_model_that_is_not_told_is_told_nothing() {
    for provider in super::PROVIDERS {
        let body = body_with(provider, "tag = \"reasoning\"");
        let fields: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(fields.len(), 3, "{fields:?}");
        assert_eq!(body["messages"].as_array().unwrap().len(), 1);
    }
}

const THOUGHTS: &str = "FINAL Fluency Score: 1\nFINAL Coherence Score: 1\n";
const ANSWER: &str = "FINAL Fluency Score: 4\nFINAL Coherence Score: 5\n";

#[test]
fn scores_within_thoughts_are_not_read() {
    for tag in ["think", "reasoning"] {
        let server = saying(move |_| format!("<{tag}>\n{THOUGHTS}</{tag}>\n\n{ANSWER}"));
        let lab = lab("openai", &server.url("/v1"), 2);
        lab.change("retries = 3", &format!("thinking = {{ tag = \"{tag}\" }}"));
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(scored(&ran), 4);
        let table = &ran.tables["scores.csv"];
        assert!(table.contains('4') && table.contains('5'), "{table}");
        // What was said is kept as it was said.
        assert!(ran.tables["grades.csv"].contains(&format!("<{tag}>")));
    }
}

#[test]
fn thoughts_that_come_apart_from_the_answer_are_shown_by_call_alone() {
    let server = answering(
        |_| json!({"role": "assistant", "content": ANSWER, "reasoning_content": THOUGHTS}),
    );
    let lab = lab("openai", &server.url("/v1"), 1);
    let said = lab.cmd(&["call"]).ok().out;
    let shown = format!("── thoughts ──\n{}\n\n── reply ──", THOUGHTS.trim());
    assert!(said.contains(&shown), "{said}");
    assert!(said.contains("fluency: 4,"), "{said}");
    let ran = lab.run(&["--json"]).ok();
    assert!(!ran.tables["grades.csv"].contains("Score: 1"));
}

#[test]
fn thoughts_without_an_end_are_no_answer() {
    let server = saying(|_| format!("<think>\n{THOUGHTS}"));
    let lab = lab("openai", &server.url("/v1"), 2);
    let ran = lab.run(&["--json"]).exit(4);
    let reason = [("think-not-closed".to_owned(), 4)];
    assert_eq!(super::unscored(&ran), reason.into());
}
