//! Replies as the server sends them.

use serde_json::json;

use super::*;
use crate::models::parse::Finish;
use crate::models::provider::testing::anthropic;

fn reply(value: &Value) -> Result<Received, CallError> {
    super::reply(value, &anthropic("claude"), "")
}

fn message(content: &Value, stop: &str) -> Value {
    json!({
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL", "type": "message", "role": "assistant", "model": "claude-sonnet-4-20250514",
        "content": content, "stop_reason": stop, "stop_sequence": null,
        "usage": {
            "input_tokens": 12, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 2000,
            "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 6, "service_tier": "standard",
        },
    })
}

#[test]
fn texts_and_thoughts_are_told_apart() {
    let content = json!([
        {"type": "thinking", "thinking": "Let me see.", "signature": "EqQB"},
        {"type": "redacted_thinking", "data": "Em"},
        {"type": "text", "text": "Score: "}, {"type": "text", "text": "4"},
    ]);
    let received = reply(&message(&content, "end_turn")).unwrap();
    assert_eq!(received.id.as_deref(), Some("msg_01XFDUDYJgAACzvnptvVoYEL"));
    let usage = [
        ("prompt_tokens", 2112),
        ("completion_tokens", 6),
        ("cache_creation_input_tokens", 100),
        ("cache_read_input_tokens", 2000),
        ("ephemeral_5m_input_tokens", 100),
    ];
    assert_eq!(
        received.reply,
        Reply {
            thoughts: Some("Let me see.".to_owned()),
            model: Some("claude-sonnet-4-20250514".to_owned()),
            usage: usage
                .iter()
                .map(|(name, n)| ((*name).to_owned(), *n))
                .collect(),
            ..Reply::plain("Score: 4")
        }
    );
}

#[test]
fn the_input_of_the_tool_is_the_reply() {
    let content = json!([
        {"type": "text", "text": "I will use the tool."},
        {"type": "tool_use", "id": "toolu_1", "name": "other", "input": {"x": 1}},
        {"type": "tool_use", "id": "toolu_2", "name": "reply", "input": {"score": 4.0, "a": "é\n"}},
    ]);
    let received = reply(&message(&content, "tool_use")).unwrap().reply;
    assert_eq!(received.text, r#"{"score":4.0,"a":"é\n"}"#);
    assert_eq!(received.finish, Finish::Stop);
}

#[test]
fn the_reason_to_stop_is_read() {
    for (word, finish) in [
        ("end_turn", Finish::Stop),
        ("stop_sequence", Finish::Stop),
        ("max_tokens", Finish::Length),
        ("length", Finish::Length),
        ("model_context_window_exceeded", Finish::Length),
        ("pause_turn", Finish::Unknown),
        ("", Finish::Unknown),
    ] {
        assert_eq!(
            reply(&message(&json!([]), word)).unwrap().reply.finish,
            finish,
            "{word}"
        );
    }
    assert_eq!(
        reply(&message(&json!([]), "refusal")),
        Err(CallError::Refused("the model declined to go on".to_owned()))
    );
}

#[test]
fn an_answer_of_another_kind_is_broken() {
    let error = reply(&json!({"choices": []})).unwrap_err();
    assert_eq!(
        error,
        CallError::Broken("an answer without `content`, that begins `{\"choices\":[]}`".to_owned())
    );
}

#[test]
fn counts_that_are_missing_are_not_made_up() {
    let mut value = message(&json!([]), "end_turn");
    value["usage"] = json!({"cache_read_input_tokens": 9});
    let usage = reply(&value).unwrap().reply.usage;
    assert_eq!(usage.len(), 1, "{usage:?}");
    value["usage"] = json!({"input_tokens": 3, "output_tokens": 0});
    let usage = reply(&value).unwrap().reply.usage;
    assert_eq!((usage[PROMPT_TOKENS], usage[COMPLETION_TOKENS]), (3, 0));
}
