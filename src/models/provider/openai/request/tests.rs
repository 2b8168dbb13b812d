//! Requests as literal JSON.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::models::provider::testing::{conversation, openai, openai_at, question, thinking};

fn sent(spec: &ModelSpec, question: &Question) -> Value {
    Value::Object(request(spec, question))
}

#[test]
fn a_bare_model_is_asked_nothing_but_the_question() {
    let prompt = "Grade \"this\".\r\n\u{0}😀";
    assert_eq!(
        sent(&openai("judge"), &question(prompt)).to_string(),
        r#"{"model":"judge","messages":[{"role":"user","content":"Grade \"this\".\r\n\u0000😀"}]}"#
    );
}

#[test]
fn all_parameters_have_their_names() {
    let mut spec = openai("judge");
    spec.sampling = Sampling {
        temperature: Some(0.7),
        top_p: Some(0.95),
        top_k: Some(20),
        max_tokens: Some(512),
        seed: Some(u64::MAX),
        stop: vec!["###".to_owned()],
        logprobs: Some(5),
    };
    assert_eq!(
        sent(&spec, &question("x")),
        json!({
            "model": "judge",
            "messages": [{"role": "user", "content": "x"}],
            "temperature": 0.7, "top_p": 0.95, "top_k": 20, "max_tokens": 512, "seed": u64::MAX, "stop": ["###"],
            "logprobs": true, "top_logprobs": 5,
        })
    );
}

#[test]
fn openai_and_azure_have_another_name_for_the_longest_reply() {
    for (url, name) in [
        ("https://api.openai.com/v1", "max_completion_tokens"),
        ("https://eu.api.openai.com/v1", "max_completion_tokens"),
        (
            "https://mine.openai.azure.com/openai/v1",
            "max_completion_tokens",
        ),
        (
            "https://MINE.Services.AI.Azure.com/openai/v1",
            "max_completion_tokens",
        ),
        (
            "https://mine.cognitiveservices.azure.com/openai/deployments/d",
            "max_completion_tokens",
        ),
        ("https://mine.inference.ml.azure.com/v1", "max_tokens"),
        ("https://mine.openai.azure.com.example/v1", "max_tokens"),
        ("https://example/mine.openai.azure.com/v1", "max_tokens"),
        ("https://notapi.openai.com.example/v1", "max_tokens"),
        ("https://openrouter.ai/api/v1", "max_tokens"),
        ("http://127.0.0.1:8000/v1", "max_tokens"),
        ("no url", "max_tokens"),
    ] {
        let mut spec = openai_at("judge", url);
        spec.sampling.max_tokens = Some(9);
        let sent = request(&spec, &question("x"));
        assert_eq!(sent.get(name), Some(&json!(9)), "{url}");
        assert_eq!(sent.len(), 3, "{url}");
    }
}

#[test]
fn a_schema_is_strict_and_keeps_its_order() {
    let mut question = question("x");
    question.schema = Some(Arc::new(
        json!({"type": "object", "properties": {"b": {}, "a": {}}}),
    ));
    assert_eq!(
        sent(&openai("judge"), &question)["response_format"].to_string(),
        r#"{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":{"type":"object","properties":{"b":{},"a":{}}}}}"#
    );
}

#[test]
fn a_template_is_told_by_its_flag() {
    for on in [true, false] {
        let mut spec = openai("judge");
        spec.thinking = Some(thinking(on, ThinkingSwitch::Template));
        let sent = sent(&spec, &question("x"));
        assert_eq!(sent["chat_template_kwargs"], json!({"enable_thinking": on}));
    }
}

#[test]
fn a_parameter_says_how_hard_to_think() {
    for (on, effort, expected) in [
        (true, None, Value::Null),
        (true, Some("high"), json!("high")),
        (false, None, json!("none")),
        (false, Some("minimal"), json!("minimal")),
    ] {
        let mut spec = openai("judge");
        let mut thinking = thinking(on, ThinkingSwitch::Parameter);
        thinking.effort = effort.map(str::to_owned);
        spec.thinking = Some(thinking);
        assert_eq!(sent(&spec, &question("x"))["reasoning_effort"], expected);
    }
}

#[test]
fn a_line_of_the_system_message_says_whether_to_think() {
    let mut spec = openai("judge");
    spec.thinking = Some(thinking(false, ThinkingSwitch::System));
    let both = conversation(&[
        (Role::System, "Be fair."),
        (Role::User, "x"),
        (Role::System, "!"),
    ]);
    assert_eq!(
        sent(&spec, &both)["messages"],
        json!([
            {"role": "system", "content": "Be fair.\n/no_think"},
            {"role": "user", "content": "x"},
            {"role": "system", "content": "!"},
        ])
    );
    spec.thinking = Some(thinking(true, ThinkingSwitch::System));
    let alone = conversation(&[(Role::User, "x"), (Role::Assistant, "y")]);
    assert_eq!(
        sent(&spec, &alone)["messages"],
        json!([
            {"role": "system", "content": "/think"},
            {"role": "user", "content": "x"},
            {"role": "assistant", "content": "y"},
        ])
    );
    spec.thinking = Some(thinking(true, ThinkingSwitch::Untold));
    assert_eq!(sent(&spec, &question("x")).as_object().unwrap().len(), 2);
}

#[test]
fn every_repeat_and_every_time_of_asking_again_has_a_seed_of_its_own() {
    let spec = ModelSpec {
        sampling: Sampling {
            seed: Some(7),
            ..Sampling::default()
        },
        ..openai("judge")
    };
    let seed = |repeat, attempt| {
        let question = Question {
            repeat,
            attempt,
            ..question("hello")
        };
        request(&spec, &question)["seed"].clone()
    };
    assert_eq!([seed(0, 0), seed(1, 0), seed(0, 1)], [7, 8, 7 + 65_536]);
}
