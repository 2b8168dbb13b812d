//! What is said to servers: the whole body of a request, in both dialects.

use serde_json::{Value, json};

use super::{PROVIDERS, lab, only_body};
use crate::chat::ChatServer;
use crate::lab::Lab;

/// The prompt about the first text.
const PROMPT: &str = "Grade fluency and coherence from 1 to 5.\n\nThe ferry number 1 leaves at dawn with eleven sheep. Nobody counts them twice.";

/// Asks about one text, with these lines in the model's table; the body that the server got.
#[track_caller]
fn body_with(provider: &str, lines: &str, change: impl FnOnce(&Lab)) -> Value {
    let server = ChatServer::start();
    let lab = lab(provider, &server.url(), 1);
    lab.change("retries = 3", lines);
    change(&lab);
    lab.run(&["--quiet"]).ok();
    only_body(&server)
}

#[test]
fn little_is_said_where_the_spec_says_little() {
    for provider in PROVIDERS {
        let body = body_with(provider, "", |_| {});
        let expected = json!({
            "model": "judge",
            "messages": [{"role": "user", "content": PROMPT}],
            "max_tokens": 100,
        });
        assert_eq!(body, expected);
    }
}

/// Everything a model's table may say of its words.
const ALL: &str = r#"
model = "org/judge-7b"
revision = "main"
system = "You are strict."
temperature = 0.25
top-p = 0.9
top-k = 40
seed = 11
stop = ["END", "\n\n\n"]
logprobs = 3
extra = { repetition_penalty = 1.05, user = "me" }
"#;

#[test]
fn all_that_openai_knows_is_said_to_it() {
    let body = body_with("openai", ALL, |_| {});
    let expected = json!({
        "model": "org/judge-7b",
        "messages": [
            {"role": "system", "content": "You are strict."},
            {"role": "user", "content": PROMPT},
        ],
        "temperature": 0.25,
        "top_p": 0.9,
        "top_k": 40,
        "max_tokens": 100,
        "seed": 11,
        "stop": ["END", "\n\n\n"],
        "logprobs": true,
        "top_logprobs": 3,
        "repetition_penalty": 1.05,
        "user": "me",
    });
    assert_eq!(body, expected);
}

#[test]
fn all_that_anthropic_knows_is_said_to_it() {
    let body = body_with("anthropic", ALL, |_| {});
    let expected = json!({
        "model": "org/judge-7b",
        "system": "You are strict.",
        "messages": [{"role": "user", "content": PROMPT}],
        "temperature": 0.25,
        "top_p": 0.9,
        "top_k": 40,
        "max_tokens": 100,
        "stop_sequences": ["END", "\n\n\n"],
        "repetition_penalty": 1.05,
        "user": "me",
    });
    assert_eq!(body, expected);
}

/// A judge whose replies are held to a form.
fn structured(lab: &Lab) {
    lab.change(
        "prompt = \"grade\"",
        "prompt = \"grade\"\nparse = \"json\"\nstructured = \"issues\"",
    );
}

#[test]
fn a_structured_reply_is_asked_for_as_each_dialect_has_it() {
    let marks: Vec<Value> = (2..=10)
        .map(|half| match half % 2 {
            0 => json!(half / 2),
            _ => json!(f64::from(half) / 2.0),
        })
        .collect();
    let score = json!({"type": "number", "enum": marks});
    let schema = json!({
        "type": "object",
        "required": ["explanation", "issues", "fluency", "coherence"],
        "properties": {
            "explanation": {"type": "string"},
            "issues": {"type": "array", "items": {
                "type": "object",
                "required": ["metric", "label", "text"],
                "properties": {
                    "metric": {"type": "string", "enum": ["fluency", "coherence"]},
                    "label": {"type": "string"},
                    "text": {"type": "string"},
                },
                "additionalProperties": false,
            }},
            "fluency": score,
            "coherence": score,
        },
        "additionalProperties": false,
    });
    let body = body_with("openai", "", structured);
    let format = json!({"type": "json_schema", "json_schema": {"name": "reply", "strict": true, "schema": schema}});
    assert_eq!(body["response_format"], format);
    let body = body_with("anthropic", "", structured);
    assert_eq!(body["tools"][0]["input_schema"], schema);
    assert_eq!(
        body["tool_choice"],
        json!({"type": "tool", "name": "reply"})
    );
}

#[test]
fn a_schema_of_ones_own_is_sent_in_its_own_order_and_its_scores_are_read() {
    let score = json!({"type": "integer", "enum": [1, 2, 3, 4, 5]});
    let schema = json!({
        "type": "object",
        "properties": {
            "thoughts": {"type": "string"},
            "fluency": {"type": "object", "properties": {"why": {"type": "string"}, "mark": score}, "required": ["why", "mark"], "additionalProperties": false},
            "coherence": score,
        },
        "required": ["thoughts", "fluency", "coherence"],
        "additionalProperties": false,
    });
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let lab = lab(provider, &server.url(), 1);
        lab.change(
            "prompt = \"grade\"",
            "prompt = \"grade\"\nschema = \"form.json\"\nscore = { fluency = \"fluency.mark\", coherence = \"coherence\" }",
        );
        lab.write("form.json", schema.to_string());
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(super::scored(&ran), 2, "{provider}");
        let body = only_body(&server);
        let sent = match provider {
            "openai" => &body["response_format"]["json_schema"]["schema"],
            _ => &body["tools"][0]["input_schema"],
        };
        // As text, so that the order of fields counts.
        assert_eq!(sent.to_string(), schema.to_string(), "{provider}");
    }
}

#[test]
fn structured_replies_are_read() {
    for provider in PROVIDERS {
        for form in ["scores", "explained", "issues"] {
            let server = ChatServer::start();
            let lab = lab(provider, &server.url(), 5);
            lab.change(
                "prompt = \"grade\"",
                &format!("prompt = \"grade\"\nparse = \"json\"\nstructured = \"{form}\""),
            );
            let ran = lab.run(&["--json"]).ok();
            assert_eq!(super::scored(&ran), 10, "{provider} {form}");
            let rows = &ran.tables["grades.csv"];
            let issues = rows.contains("\"\"label\"\"");
            assert_eq!(issues, form == "issues", "{rows}");
        }
    }
}

#[test]
fn the_key_is_sent_in_the_header_of_its_dialect() {
    for (provider, header, value) in [
        ("openai", "authorization", "Bearer sk-0123456789"),
        ("anthropic", "x-api-key", "sk-0123456789"),
    ] {
        let server = ChatServer::start();
        let lab = lab(provider, &server.url(), 1).env("SOME_KEY", "sk-0123456789");
        lab.change("retries = 3", "api-key-env = \"SOME_KEY\"");
        lab.run(&["--quiet"]).ok();
        let headers = &server.calls()[0].request.headers;
        assert_eq!(headers[header], value);
        assert_eq!(headers["content-type"], "application/json");
        let version = headers.get("anthropic-version").map(String::as_str);
        assert_eq!(version, (provider == "anthropic").then_some("2023-06-01"));
    }
}
