//! Error bodies as servers send them, by status and kind.

mod stopping;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::models::provider::testing::{anthropic, openai, with_key};

fn answer(status: u16, body: &str) -> Answer {
    let json = body.starts_with(['{', '[']);
    Answer {
        url: "http://localhost:8000/v1/chat/completions".to_owned(),
        status,
        content_type: Some(
            if json {
                "application/json"
            } else {
                "text/html"
            }
            .to_owned(),
        ),
        location: None,
        after: None,
        body: body.as_bytes().to_vec(),
    }
}

fn kind(error: &CallError) -> &'static str {
    match error {
        CallError::TooLong(_) => "too long",
        CallError::Refused(_) => "refused",
        CallError::Busy { .. } => "busy",
        CallError::Broken(_) => "broken",
        CallError::Failed(_) => "failed",
        CallError::Fatal(_) => "fatal",
        _ => "another",
    }
}

fn meaning(status: u16, body: &str) -> CallError {
    of_answer(
        &answer(status, body),
        &with_key(openai("judge-7b"), "JUDGE_KEY"),
    )
}

#[test]
fn a_prompt_that_is_too_long_is_known_by_many_words() {
    for (status, body) in [
        // OpenAI
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Invalid 'messages[0].content': string too long. Expected a string with maximum length 10485760.","type":"invalid_request_error","param":"messages[0].content","code":"string_above_max_length"}}"#,
        ),
        (
            429,
            r#"{"error":{"message":"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 30601.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#,
        ),
        // vLLM, older and newer
        (
            400,
            r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","type":"BadRequestError","param":null,"code":400}"#,
        ),
        (
            400,
            r#"{"object":"error","message":"max_tokens must be at least 1, got -186.","type":"BadRequestError","param":null,"code":400}"#,
        ),
        (
            400,
            r#"{"error":{"message":"You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is only 1024 tokens. (parameter=input_tokens, value=1015)","type":"BadRequestError","param":"input_tokens","code":400}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"'max_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 20 input tokens.","type":"BadRequestError","param":"max_tokens","code":400}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"The decoder prompt (length 9001) is longer than the maximum model length of 4096.","type":"BadRequestError","param":null,"code":400}}"#,
        ),
        // llama.cpp, newer and older
        (
            400,
            r#"{"error":{"code":400,"message":"request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}"#,
        ),
        (
            500,
            r#"{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size","type":"server_error"}}"#,
        ),
        // SGLang
        (
            400,
            r#"{"object":"error","message":"The input (5000 tokens) is longer than the model's context length (4096 tokens).","type":"BadRequestError","param":null,"code":400}"#,
        ),
        // TGI
        (
            422,
            r#"{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 512 `max_new_tokens`","error_type":"validation"}"#,
        ),
        // Anthropic
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"}}"#,
        ),
        (
            413,
            r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
        ),
        // Gemini, xAI
        (
            400,
            r#"[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]"#,
        ),
        (
            400,
            r#"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 150000 tokens."}"#,
        ),
        // nginx
        (
            413,
            "<html><head><title>413 Request Entity Too Large</title></head></html>",
        ),
    ] {
        let error = meaning(status, body);
        assert_eq!(kind(&error), "too long", "{body}: {error}");
        assert!(
            error.to_string().starts_with("the prompt does not fit"),
            "{error}"
        );
    }
}

#[test]
fn a_prompt_that_a_filter_refused_is_refused() {
    for (status, body) in [
        // Azure
        (
            400,
            r#"{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#,
        ),
        // OpenAI
        (
            400,
            r#"{"error":{"message":"Invalid prompt: your prompt was flagged as potentially violating our usage policy.","type":"invalid_request_error","param":null,"code":"invalid_prompt"}}"#,
        ),
        // Anthropic
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}"#,
        ),
        // OpenRouter
        (
            403,
            r#"{"error":{"code":403,"message":"meta/llama requires moderation. Your input was flagged","metadata":{"reasons":["violence"],"flagged_input":"he stabbed..."}}}"#,
        ),
        // Alibaba
        (
            400,
            r#"{"error":{"message":"Input data may contain inappropriate content.","type":"data_inspection_failed","param":null,"code":"data_inspection_failed"}}"#,
        ),
    ] {
        let error = meaning(status, body);
        assert_eq!(kind(&error), "refused", "{body}: {error}");
    }
}

#[test]
fn another_name_for_the_limit_is_offered_where_it_is_the_name_that_is_wrong() {
    let unsupported = json!({"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "param": "max_tokens", "code": "unsupported_parameter"}});
    let mut uncoded = unsupported.clone();
    uncoded["error"]["code"] = json!(null);
    let too_many = json!({"error": {"message": "max_tokens is too large: 99999. This model supports at most 16384 completion tokens.", "param": "max_tokens", "code": "invalid_value"}});
    let mut temperature = unsupported.clone();
    temperature["error"]["param"] = json!("temperature");
    for (body, spec, offered) in [
        (&unsupported, openai("judge"), true),
        (&uncoded, openai("judge"), true),
        (&too_many, openai("judge"), false),
        (&temperature, openai("judge"), false),
        (&unsupported, anthropic("judge"), false),
    ] {
        let error = of_answer(&answer(400, &body.to_string()), &spec);
        assert_eq!(kind(&error), "fatal", "{body}: {error}");
        let said = error.to_string();
        let offer = "; leave `max-tokens` out and write `extra = { max_completion_tokens = N }`";
        assert_eq!(said.ends_with(offer), offered, "{said}");
    }
}

#[test]
fn errors_of_one_row_do_not_stop_the_run() {
    for (status, body, message) in [
        (
            400,
            r#"{"error":{"message":"Invalid value for 'content'.","type":"invalid_request_error","param":"messages.[0].content","code":null}}"#,
            "the server answers 400 Bad Request: Invalid value for 'content'",
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.0: user messages must have non-empty content"}}"#,
            "the server answers 400 Bad Request: messages.0: user messages must have non-empty content",
        ),
        (
            422,
            r#"{"detail":[{"loc":["body","messages",0],"msg":"Field required"}]}"#,
            "the server answers 422 Unprocessable Entity: Field required",
        ),
        (400, "", "the server answers 400 Bad Request"),
        (418, "{}", "the server answers 418 I'm a teapot"),
    ] {
        assert_eq!(
            meaning(status, body),
            CallError::Failed(message.to_owned()),
            "{body}"
        );
    }
}

#[test]
fn errors_that_may_pass_are_known() {
    for (status, body, expected) in [
        (
            429,
            r#"{"error":{"message":"Rate limit reached for gpt-4o on requests per min (RPM): Limit 500, Used 500, Requested 1.","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#,
            "busy",
        ),
        (
            429,
            r#"{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed the rate limit of 20,000 input tokens per minute. Please reduce the prompt length"}}"#,
            "busy",
        ),
        // Gemini's quota is a limit per minute as well.
        (
            429,
            r#"[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}]"#,
            "busy",
        ),
        (
            503,
            r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#,
            "busy",
        ),
        (
            529,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}"#,
            "busy",
        ),
        (
            500,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            "busy",
        ),
        (
            498,
            r#"{"error":{"message":"flex tier capacity exceeded"}}"#,
            "busy",
        ),
        (
            500,
            r#"{"type":"error","error":{"type":"api_error","message":"Internal server error"}}"#,
            "broken",
        ),
        (
            500,
            r#"{"error":{"message":"model runner has unexpectedly stopped","type":"api_error"}}"#,
            "broken",
        ),
        (502, "<html><title>502 Bad Gateway</title></html>", "broken"),
        (
            500,
            r#"{"error":{"message":"the model's runner was not found","type":"api_error"}}"#,
            "broken",
        ),
        (
            503,
            r#"{"error":{"message":"no memory for a context window yet","type":"x"}}"#,
            "busy",
        ),
        (504, "", "broken"),
        (408, "", "broken"),
        (409, "", "broken"),
        // TGI
        (
            424,
            r#"{"error":"Request failed during generation: Server error: CANCELLED","error_type":"generation"}"#,
            "broken",
        ),
        (425, "", "broken"),
        (520, "error code: 520", "broken"),
    ] {
        let error = meaning(status, body);
        assert_eq!(kind(&error), expected, "{body}: {error}");
        assert!(error.may_heal());
    }
    assert_eq!(
        meaning(502, "<html>x").to_string(),
        "the server answers 502 Bad Gateway"
    );
    assert_eq!(
        meaning(529, "<html>x").to_string(),
        "the server answers 529"
    );
}

#[test]
fn an_exceeded_quota_of_alibaba_is_that_of_a_minute() {
    let body = r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#;
    let at = |status, url: &str| {
        let asked = Answer {
            url: url.to_owned(),
            ..answer(status, body)
        };
        kind(&of_answer(&asked, &openai("judge")))
    };
    for host in [
        "dashscope.aliyuncs.com",
        "dashscope-intl.aliyuncs.com",
        "DashScope-US.AliyunCS.com:443",
    ] {
        let url = format!("https://{host}/compatible-mode/v1/chat/completions");
        assert_eq!(at(429, &url), "busy", "{url}");
        assert_eq!(at(403, &url), "fatal", "{url}");
    }
    for url in [
        "https://api.openai.com/v1/chat/completions",
        "https://aliyuncs.com.example/v1/chat/completions",
        "https://proxy.example/dashscope.aliyuncs.com/v1/chat/completions",
        "",
    ] {
        assert_eq!(at(429, url), "fatal", "{url}");
    }
}

#[test]
fn a_busy_server_says_how_long() {
    let asked = Answer {
        after: Some(Duration::from_secs(7)),
        ..answer(503, r#"{"error":"slow down"}"#)
    };
    let error = of_answer(&asked, &openai("judge"));
    let message = "the server answers 503 Service Unavailable: slow down".to_owned();
    let after = Some(Duration::from_secs(7));
    assert_eq!(error, CallError::Busy { message, after });
    for (seconds, said) in [(999_999_999, "11,574 days"), (7200, "2 h 0 min")] {
        let asked = Answer {
            after: Some(Duration::from_secs(seconds)),
            ..answer(429, r#"{"error":"slow down"}"#)
        };
        assert_eq!(
            of_answer(&asked, &openai("judge")).to_string(),
            format!("the server answers 429 Too Many Requests: slow down (it asks to wait {said})")
        );
    }
}

#[test]
fn a_url_without_its_version_is_repaired() {
    let asked = Answer {
        url: "http://localhost:11434/chat/completions".to_owned(),
        content_type: Some("text/plain".to_owned()),
        ..answer(404, "404 page not found")
    };
    assert_eq!(
        of_answer(&asked, &openai("judge")).to_string(),
        "nothing is served at `http://localhost:11434/chat/completions` (404 Not Found); most servers want `/v1` at the end of `base-url`"
    );
}

#[test]
fn a_redirection_is_not_followed() {
    let asked = Answer {
        location: Some("https://elsewhere.example/login?token=1".to_owned()),
        ..answer(308, "")
    };
    assert_eq!(
        of_answer(&asked, &openai("judge")),
        CallError::Fatal(
            "`http://localhost:8000/v1/chat/completions` sends on to `https://elsewhere.example/login` (308 Permanent Redirect), which is not followed; write the url that is meant as `base-url`"
                .to_owned()
        )
    );
}

#[test]
fn errors_within_answers_are_known_by_their_codes() {
    for (body, expected) in [
        (
            json!({"error": {"code": 502, "message": "Provider returned error", "metadata": {"raw": "upstream died"}}}),
            "broken",
        ),
        (
            json!({"error": {"code": 429, "message": "Provider returned error"}}),
            "busy",
        ),
        (json!({"error": {"code": "429", "message": "x"}}), "busy"),
        (
            json!({"error": {"code": 402, "message": "Insufficient credits"}}),
            "fatal",
        ),
        (
            json!({"type": "error", "error": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}}),
            "busy",
        ),
        (
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": "messages: at least one"}}),
            "failed",
        ),
        (
            json!({"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}),
            "fatal",
        ),
        (
            json!({"type": "error", "error": {"type": "not_found_error", "message": "model: x"}}),
            "fatal",
        ),
        (
            json!({"error": {"type": "rate_limit_exceeded", "message": "Request too large for x"}}),
            "too long",
        ),
        (json!({"error": "context length exceeded"}), "too long"),
        (
            json!({"object": "error", "message": "sorry", "code": 40303}),
            "broken",
        ),
        (json!({"error": true}), "broken"),
    ] {
        assert!(is_error(&body), "{body}");
        let error = within(
            None,
            &body,
            &anthropic("x"),
            "https://api.anthropic.com/v1/messages",
        );
        assert_eq!(kind(&error), expected, "{body}: {error}");
    }
    let raw = within(
        None,
        &json!({"error": {"code": 502, "message": "Provider returned error", "metadata": {"raw": "upstream died"}}}),
        &openai("x"),
        "",
    );
    assert_eq!(
        raw.to_string(),
        "the server answers with an error: Provider returned error: upstream died"
    );
}

#[test]
fn a_good_answer_is_no_error() {
    for body in [
        json!({"choices": [], "error": null}),
        json!({"error": false}),
        json!({"error": ""}),
        json!({"error": {}}),
        json!([]),
        json!(3),
        json!({"type": "message"}),
    ] {
        assert!(!is_error(&body), "{body}");
    }
}

#[test]
fn a_long_message_is_cut_and_shows_no_control_characters() {
    let body =
        json!({"error": {"message": format!("bad\u{1b}[2J\n\u{202e}{}", "x".repeat(1_000_000))}});
    let error = meaning(400, &body.to_string()).to_string();
    assert!(error.chars().count() < 400, "{}", error.len());
    assert!(error.contains(r"bad\u{1b}[2J \u{202e}xxx"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_body_is_too_odd(status in 100_u16..1000, body in prop_oneof![
        ".{0,60}",
        prop::sample::subsequence(vec!["{", "\"error\":", "\"code\":", "\"detail\":[", "{\"loc\":[1]}", "]", "[", "null", "9", ",", "}"], 0..11)
            .prop_map(|parts| parts.concat()),
    ]) {
        let _ = meaning(status, &body);
    }
}
