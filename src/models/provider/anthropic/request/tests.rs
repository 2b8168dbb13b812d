//! Requests as literal JSON.

use std::sync::Arc;

use super::*;
use crate::models::provider::testing::{anthropic, conversation, question, thinking};
use crate::models::spec::Sampling;

fn sent(spec: &ModelSpec, question: &Question) -> Value {
    Value::Object(request(spec, question).unwrap())
}

#[test]
fn a_bare_model_is_given_a_longest_reply() {
    assert_eq!(
        sent(&anthropic("claude-sonnet-4"), &question("x")).to_string(),
        r#"{"model":"claude-sonnet-4","max_tokens":4096,"messages":[{"role":"user","content":"x"}]}"#
    );
}

#[test]
fn all_parameters_have_their_names() {
    let mut spec = anthropic("claude");
    spec.sampling = Sampling {
        temperature: Some(0.0),
        top_p: Some(0.9),
        top_k: Some(3),
        max_tokens: Some(100),
        seed: Some(7),
        stop: vec!["###".to_owned()],
        logprobs: Some(2),
    };
    let both = conversation(&[
        (Role::System, "Be fair."),
        (Role::User, "x"),
        (Role::Assistant, "y"),
        (Role::User, "z"),
    ]);
    assert_eq!(
        sent(&spec, &both),
        json!({
            "model": "claude", "max_tokens": 100, "system": "Be fair.",
            "messages": [
                {"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}, {"role": "user", "content": "z"},
            ],
            "temperature": 0.0, "top_p": 0.9, "top_k": 3, "stop_sequences": ["###"],
        })
    );
}

#[test]
fn thinking_has_a_budget_or_an_effort() {
    for (on, budget, effort, how, config, longest) in [
        (
            true,
            None,
            None,
            json!({"type": "enabled", "budget_tokens": 4096}),
            Value::Null,
            8192,
        ),
        (
            true,
            Some(2000),
            None,
            json!({"type": "enabled", "budget_tokens": 2000}),
            Value::Null,
            6096,
        ),
        (
            true,
            None,
            Some("high"),
            json!({"type": "adaptive"}),
            json!({"effort": "high"}),
            4096,
        ),
        (
            true,
            Some(2000),
            Some("low"),
            json!({"type": "enabled", "budget_tokens": 2000}),
            json!({"effort": "low"}),
            6096,
        ),
        (
            false,
            Some(2000),
            None,
            json!({"type": "disabled"}),
            Value::Null,
            4096,
        ),
    ] {
        let mut spec = anthropic("claude");
        let mut thinking = thinking(on, ThinkingSwitch::Parameter);
        thinking.budget = budget;
        thinking.effort = effort.map(str::to_owned);
        spec.thinking = Some(thinking);
        let sent = sent(&spec, &question("x"));
        assert_eq!(
            (
                &sent["thinking"],
                &sent["output_config"],
                &sent["max_tokens"]
            ),
            (&how, &config, &json!(longest))
        );
    }
}

#[test]
fn a_budget_near_the_largest_number_does_not_overflow() {
    let mut spec = anthropic("claude");
    let mut thinking = thinking(true, ThinkingSwitch::Parameter);
    thinking.budget = Some(u32::MAX);
    spec.thinking = Some(thinking);
    assert_eq!(sent(&spec, &question("x"))["max_tokens"], json!(u32::MAX));
}

#[test]
fn a_line_of_the_system_text_says_whether_to_think() {
    let mut spec = anthropic("claude");
    spec.thinking = Some(thinking(false, ThinkingSwitch::System));
    assert_eq!(sent(&spec, &question("x"))["system"], json!("/no_think"));
    let both = conversation(&[(Role::System, "Be fair."), (Role::User, "x")]);
    assert_eq!(sent(&spec, &both)["system"], json!("Be fair.\n/no_think"));
}

#[test]
fn a_schema_is_the_input_of_a_tool() {
    let mut question = question("x");
    question.schema = Some(Arc::new(json!({"type": "object"})));
    let sent = sent(&anthropic("claude"), &question);
    assert_eq!(
        sent["tool_choice"],
        json!({"type": "tool", "name": "reply"})
    );
    assert_eq!(
        sent["tools"],
        json!([{"name": "reply", "description": "Gives the reply.", "input_schema": {"type": "object"}}])
    );
}

#[test]
fn thinking_and_a_schema_exclude_each_other() {
    let mut question = question("x");
    question.schema = Some(Arc::new(json!({"type": "object"})));
    let mut spec = anthropic("claude");
    spec.thinking = Some(thinking(true, ThinkingSwitch::Parameter));
    let error = request(&spec, &question).unwrap_err();
    assert!(
        matches!(&error, CallError::Fatal(why) if why.starts_with("model `judge` cannot both think")),
        "{error}"
    );
    spec.extra
        .insert("tool_choice".to_owned(), json!({"type": "auto"}));
    assert!(request(&spec, &question).is_ok());
    spec.extra.clear();
    spec.thinking = Some(thinking(false, ThinkingSwitch::Parameter));
    assert!(request(&spec, &question).is_ok());
}
