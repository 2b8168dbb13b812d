//! Replies as servers send them.

use serde_json::json;

use super::*;
use crate::models::parse::Finish;
use crate::models::provider::testing::openai;

fn read(value: &Value) -> Result<Received, CallError> {
    reply(
        value,
        &openai("judge"),
        "http://localhost/v1/chat/completions",
    )
}

fn message(message: &Value, finish: &Value) -> Value {
    json!({"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": finish}]})
}

fn counts(pairs: &[(&str, u64)]) -> std::collections::BTreeMap<String, u64> {
    pairs
        .iter()
        .map(|(name, n)| ((*name).to_owned(), *n))
        .collect()
}

#[test]
fn a_reply_of_openai() {
    let received = read(&json!({
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1_741_569_952,
        "model": "gpt-4.1-2025-04-14",
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": "Score: 4", "refusal": null, "annotations": []},
            "logprobs": {
                "content": [{
                    "token": "4", "logprob": -0.125, "bytes": [52],
                    "top_logprobs": [
                        {"token": "4", "logprob": -0.125, "bytes": [52]},
                        {"token": "3", "logprob": -2.5, "bytes": [51]},
                    ],
                }, {"token": "!", "logprob": -9999.0, "bytes": null, "top_logprobs": []}],
                "refusal": null,
            },
            "finish_reason": "stop",
        }],
        "usage": {
            "prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29,
            "prompt_tokens_details": {"cached_tokens": 16, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 7, "audio_tokens": 0, "accepted_prediction_tokens": 0},
        },
        "service_tier": "default",
        "system_fingerprint": "fp_44709d6fcb",
    }))
    .unwrap();
    assert_eq!(
        received.id.as_deref(),
        Some("chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT")
    );
    assert_eq!(
        received.reply,
        Reply {
            text: "Score: 4".to_owned(),
            finish: Finish::Stop,
            thoughts: None,
            model: Some("gpt-4.1-2025-04-14".to_owned()),
            revision: Some("fp_44709d6fcb".to_owned()),
            usage: counts(&[
                ("prompt_tokens", 19),
                ("completion_tokens", 10),
                ("cached_tokens", 16),
                ("reasoning_tokens", 7),
            ]),
            logprobs: Some(json!([
                {"token": "4", "logprob": -0.125, "top": [{"token": "4", "logprob": -0.125}, {"token": "3", "logprob": -2.5}]},
                {"token": "!", "logprob": -9999.0, "top": []},
            ])),
            latency_ms: 0,
            unchecked: false,
        }
    );
}

#[test]
fn a_reply_of_vllm_with_thoughts() {
    let received = read(&json!({
        "id": "chatcmpl-573665c74ccb4f4090b71560fddb0860",
        "object": "chat.completion", "created": 1, "model": "Qwen/Qwen3-32B",
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "reasoning_content": "Well,", "reasoning": "Well,", "content": "\n\n3.5", "tool_calls": []},
            "logprobs": null, "finish_reason": "length", "stop_reason": null,
        }],
        "usage": {"prompt_tokens": 20, "total_tokens": 24, "completion_tokens": 4, "prompt_tokens_details": null},
        "prompt_logprobs": null, "kv_transfer_params": null,
    }))
    .unwrap()
    .reply;
    assert_eq!(received.text, "\n\n3.5");
    assert_eq!(received.thoughts.as_deref(), Some("Well,"));
    assert_eq!(received.finish, Finish::Length);
    assert_eq!(
        received.usage,
        counts(&[("prompt_tokens", 20), ("completion_tokens", 4)])
    );
    assert_eq!((received.revision, received.logprobs), (None, None));
}

#[test]
fn a_reply_of_llama_cpp() {
    let received = read(&json!({
        "choices": [{"finish_reason": "stop", "index": 0, "message": {"role": "assistant", "content": "4"}}],
        "created": 1, "model": "/models/SmolLM2-135M-Instruct.Q4_1.gguf", "system_fingerprint": "b6000-abc",
        "object": "chat.completion",
        "usage": {"completion_tokens": 34, "prompt_tokens": 43, "total_tokens": 77},
        "id": "chatcmpl-QEhHiHrSLXWFMvSrWHVkPCBkqwOQ7Bkb",
        "timings": {"prompt_n": 43, "prompt_ms": 1000.5, "predicted_n": 34},
    }))
    .unwrap()
    .reply;
    assert_eq!(
        received.model.as_deref(),
        Some("/models/SmolLM2-135M-Instruct.Q4_1.gguf")
    );
    assert_eq!(received.revision.as_deref(), Some("b6000-abc"));
    assert_eq!(received.usage.len(), 2);
}

#[test]
fn a_reply_of_ollama() {
    let received = read(&json!({
        "id": "chatcmpl-851", "object": "chat.completion", "created": 1, "model": "llama3.2", "system_fingerprint": "fp_ollama",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "", "reasoning": "Hm"}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 0, "completion_tokens": 298, "total_tokens": 298},
    }))
    .unwrap();
    assert_eq!(received.id.as_deref(), Some("chatcmpl-851"));
    assert_eq!(received.reply.text, "");
    assert_eq!(received.reply.usage["prompt_tokens"], 0);
    assert_eq!(received.reply.thoughts.as_deref(), Some("Hm"));
}

#[test]
fn thoughts_that_stand_in_the_total_alone_are_written_too() {
    let written = |usage: Value| {
        let mut value = message(&json!({"content": "4"}), &json!("stop"));
        value["usage"] = usage;
        let usage = read(&value).unwrap().reply.usage;
        assert!(!usage.contains_key("total_tokens"));
        usage.get(COMPLETION_TOKENS).copied()
    };
    for (usage, expected) in [
        // Gemini
        (
            json!({"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 312}),
            Some(303),
        ),
        // xAI
        (
            json!({"prompt_tokens": 32, "completion_tokens": 9, "total_tokens": 135,
                "completion_tokens_details": {"reasoning_tokens": 94}}),
            Some(103),
        ),
        // OpenAI and most others
        (
            json!({"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 21}),
            Some(12),
        ),
        (
            json!({"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 5}),
            Some(12),
        ),
        (
            json!({"prompt_tokens": 9, "completion_tokens": 12}),
            Some(12),
        ),
        (
            json!({"completion_tokens": 12, "total_tokens": 40}),
            Some(12),
        ),
        (json!({"prompt_tokens": 9, "total_tokens": 21}), Some(12)),
        (json!({"prompt_tokens": 9, "total_tokens": 9}), None),
        (
            json!({"prompt_tokens": 9, "completion_tokens": 0, "total_tokens": 9}),
            Some(0),
        ),
        (json!(null), None),
    ] {
        assert_eq!(written(usage.clone()), expected, "{usage}");
    }
}

#[test]
fn a_content_in_parts_is_put_together() {
    let received = read(&message(
        &json!({"content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "So "}, {"type": "text", "text": "so."}]},
            {"type": "thinking", "thinking": "!"},
            {"type": "text", "text": "Score: "}, {"type": "text", "text": "4"}, {"type": "image_url"}, null,
        ]}),
        &json!("stop"),
    ))
    .unwrap()
    .reply;
    assert_eq!(
        (received.text.as_str(), received.thoughts.as_deref()),
        ("Score: 4", Some("So so.!"))
    );
}

#[test]
fn the_reason_to_stop_is_read_in_several_words() {
    for (word, finish) in [
        (json!("stop"), Finish::Stop),
        (json!("eos_token"), Finish::Stop),
        (json!("length"), Finish::Length),
        (json!("model_length"), Finish::Length),
        (json!("MAX_TOKENS"), Finish::Length),
        (json!("tool_calls"), Finish::Unknown),
        (json!(null), Finish::Unknown),
        (json!(7), Finish::Unknown),
    ] {
        let received = read(&message(&json!({"content": null}), &word)).unwrap();
        assert_eq!(
            (received.reply.finish, received.reply.text.as_str()),
            (finish, ""),
            "{word}"
        );
    }
}

#[test]
fn a_reply_that_is_none_says_why() {
    let declined = json!({"content": null, "refusal": "I'm sorry,\nI can't."});
    for (value, error) in [
        (message(&declined, &json!("stop")), CallError::Refused("the model declined: I'm sorry, I can't.".to_owned())),
        (
            message(&json!({"content": "He said"}), &json!("content_filter")),
            CallError::Refused("the server's filter stopped the reply".to_owned()),
        ),
        (
            message(&json!({"content": null}), &json!("SAFETY")),
            CallError::Refused("the server's filter stopped the reply".to_owned()),
        ),
        (
            message(&json!({"content": "He"}), &json!("content_filter: RECITATION")),
            CallError::Refused("the server's filter stopped the reply".to_owned()),
        ),
        (
            message(&json!({"content": "Sco"}), &json!("abort")),
            CallError::Broken("the server gave the reply up (`abort`)".to_owned()),
        ),
        (
            json!({"id": "gen-1", "choices": [{"error": {"code": 502, "message": "gone"}, "finish_reason": "error", "message": {"content": "Sc"}}]}),
            CallError::Broken("the server answers with an error: gone".to_owned()),
        ),
        (
            json!({"choices": []}),
            CallError::Broken("an answer without a message in `choices`, that begins `{\"choices\":[]}`".to_owned()),
        ),
        (
            json!([1]),
            CallError::Broken("an answer without a message in `choices`, that begins `[1]`".to_owned()),
        ),
        (
            json!({"choices": [{"text": "completion"}]}),
            CallError::Broken("an answer without a message in `choices`, that begins `{\"choices\":[{\"text\":\"completion\"}]}`".to_owned()),
        ),
    ] {
        assert_eq!(read(&value), Err(error), "{value}");
    }
}

#[test]
fn of_several_choices_the_first_is_known_by_its_number_alone() {
    let choice = |index: Option<u64>, text: &str| {
        let mut choice = json!({"message": {"content": text}, "finish_reason": "stop"});
        if let Some(index) = index {
            choice["index"] = index.into();
        }
        choice
    };
    let several = |one, other| read(&json!({"choices": [choice(one, "4"), choice(other, "5")]}));
    for (one, other) in [(None, None), (Some(0), Some(1))] {
        assert_eq!(several(one, other).unwrap().reply.text, "4");
    }
    for (one, other) in [(Some(1), Some(0)), (Some(0), Some(0)), (Some(1), Some(2))] {
        let Err(CallError::Broken(said)) = several(one, other) else {
            panic!("{one:?} {other:?}");
        };
        assert!(
            said.starts_with("an answer with several `choices` that are not numbered from 0 on"),
            "{said}"
        );
    }
    // Of one choice there is no doubt.
    let one = read(&json!({"choices": [choice(Some(1), "4")]})).unwrap();
    assert_eq!(one.reply.text, "4");
}
