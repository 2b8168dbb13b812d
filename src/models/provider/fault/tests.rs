//! Error bodies as servers send them, by status and kind.

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
fn a_bad_key_or_an_empty_account_stops_the_run() {
    for (status, body, message) in [
        (
            401,
            r#"{"error":{"message":"Incorrect API key provided: sk-abc***xyz. You can find your API key at ...","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
            "the server does not accept the key in `JUDGE_KEY`: Incorrect API key provided: sk-abc***xyz. You can find your API key at",
        ),
        (
            401,
            r#"{"error":"Unauthorized"}"#,
            "the server does not accept the key in `JUDGE_KEY`: Unauthorized",
        ),
        (
            401,
            r#"{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}"#,
            "the server does not accept the key in `JUDGE_KEY`: Invalid API Key",
        ),
        (401, "", "the server does not accept the key in `JUDGE_KEY`"),
        (
            400,
            r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
            "the server does not accept the key in `JUDGE_KEY`: API key not valid. Please pass a valid API key",
        ),
        (
            403,
            r#"{"error":{"message":"Country not supported","code":"unsupported_country_region_territory"}}"#,
            "the key in `JUDGE_KEY` does not open this (403 Forbidden): Country not supported",
        ),
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
            "the account of the key in `JUDGE_KEY` has nothing left: You exceeded your current quota, please check your plan and billing details",
        ),
        (
            402,
            r#"{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}"#,
            "the account of the key in `JUDGE_KEY` has nothing left: Insufficient Balance",
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#,
            "the account of the key in `JUDGE_KEY` has nothing left: Your credit balance is too low to access the Anthropic API",
        ),
    ] {
        assert_eq!(
            meaning(status, body),
            CallError::Fatal(message.to_owned()),
            "{body}"
        );
    }
}

#[test]
fn a_wrong_model_url_or_parameter_stops_the_run() {
    for (status, body, message) in [
        (
            404,
            r#"{"error":{"message":"The model `judge-7b` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
            "the server does not have the model `judge-7b`: The model `judge-7b` does not exist or you do not have access to it",
        ),
        (
            404,
            r#"{"object":"error","message":"The model `judge-7b` does not exist.","type":"NotFoundError","param":null,"code":404}"#,
            "the server does not have the model `judge-7b`: The model `judge-7b` does not exist",
        ),
        (
            404,
            r#"{"error":{"message":"model \"judge-7b\" not found, try pulling it first","type":"api_error","param":null,"code":null}}"#,
            "the server does not have the model `judge-7b`: model \"judge-7b\" not found, try pulling it first",
        ),
        (
            404,
            r#"{"type":"error","error":{"type":"not_found_error","message":"model: judge-7b"}}"#,
            "the server does not have the model `judge-7b`: model: judge-7b",
        ),
        (
            400,
            r#"{"error":{"message":"judge-7b is not a valid model ID","code":400}}"#,
            "the server does not have the model `judge-7b`: judge-7b is not a valid model ID",
        ),
        (
            404,
            r#"{"detail":"Not Found"}"#,
            "nothing is served at `http://localhost:8000/v1/chat/completions` (404 Not Found)",
        ),
        (
            405,
            r#"{"detail":"Method Not Allowed"}"#,
            "nothing is served at `http://localhost:8000/v1/chat/completions` (405 Method Not Allowed): Method Not Allowed",
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#,
            "the server does not take this `max_tokens`: Unsupported parameter: 'max_tokens' is not supported with this model; leave `max-tokens` out and write `extra = { max_completion_tokens = N }`",
        ),
        (
            422,
            r#"{"detail":[{"loc":["body","temperature"],"msg":"Input should be a valid number","type":"float_parsing","input":"hot"}]}"#,
            "the server does not take this `temperature`: Input should be a valid number",
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"thinking.budget_tokens: Input should be greater than or equal to 1024"}}"#,
            "the server does not take this `thinking`: thinking.budget_tokens: Input should be greater than or equal to 1024",
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"`temperature` may only be set to 1 when thinking is enabled."}}"#,
            "the server does not take this `temperature`: `temperature` may only be set to 1 when thinking is enabled",
        ),
        (
            501,
            r#"{"error":{"code":501,"message":"This feature is not supported by this server","type":"not_supported_error"}}"#,
            "the server answers 501 Not Implemented: This feature is not supported by this server",
        ),
    ] {
        assert_eq!(
            meaning(status, body),
            CallError::Fatal(message.to_owned()),
            "{body}"
        );
    }
}

#[test]
fn a_model_that_nobody_serves_stops_the_run() {
    for (status, body) in [
        // Azure
        (
            404,
            r#"{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again."}}"#,
        ),
        // OpenRouter
        (
            404,
            r#"{"error":{"message":"No endpoints found for meta-llama/judge-7b.","code":404}}"#,
        ),
        (
            404,
            r#"{"error":{"message":"No allowed providers are available for the selected model.","code":404}}"#,
        ),
        // LiteLLM
        (
            400,
            r#"{"error":{"message":"/chat/completions: Invalid model name passed in model=judge-7b. Call `/v1/models` to view available models for your key.","type":"invalid_request_error","param":"None","code":"400"}}"#,
        ),
    ] {
        let error = meaning(status, body);
        assert_eq!(kind(&error), "fatal", "{body}: {error}");
        let beginning = "the server does not have the model `judge-7b`: ";
        assert!(error.to_string().starts_with(beginning), "{error}");
    }
    // Under other statuses the phrases say something else.
    let other = meaning(
        503,
        r#"{"error":{"message":"No endpoints found, try again later"}}"#,
    );
    assert_eq!(kind(&other), "busy", "{other}");
}

#[test]
fn what_is_not_found_is_told_from_nothing_being_there() {
    let asked = "`http://localhost:8000/v1/chat/completions`";
    let nothing = format!("nothing is served at {asked} (404 Not Found)");
    let something = format!("the server answers 404 Not Found at {asked}");
    for (body, message) in [
        (r#"{"detail":"Not Found"}"#, nothing.clone()),
        (
            r#"{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}"#,
            nothing.clone(),
        ),
        (
            r#"{"error":{"code":"404","message":"Resource not found"}}"#,
            nothing.clone(),
        ),
        ("404 page not found", nothing.clone()),
        ("<html><h1>Not Found</h1></html>", nothing.clone()),
        ("{}", nothing.clone()),
        ("", nothing.clone()),
        (
            r#"{"error":{"message":"Invalid URL (POST /v1/chat/completions)","type":"invalid_request_error","param":null,"code":null}}"#,
            format!("{something}: Invalid URL (POST /v1/chat/completions)"),
        ),
        (
            r#"{"error":{"message":"The project proj_x was not found in this organization","code":404}}"#,
            format!("{something}: The project proj_x was not found in this organization"),
        ),
    ] {
        assert_eq!(meaning(404, body), CallError::Fatal(message), "{body}");
    }
    let plain = Answer {
        content_type: Some("text/plain".to_owned()),
        ..answer(404, "no such route")
    };
    assert_eq!(
        of_answer(&plain, &openai("judge")).to_string(),
        format!("{nothing}: no such route")
    );
}

#[test]
fn a_model_without_room_stops_the_run() {
    for body in [
        r#"{"error":{"message":"model requires more system memory (8.4 GiB) than is available (5.9 GiB)","type":"api_error","param":null,"code":null}}"#,
        r#"{"error":"model requires more system memory (8.4 GiB) than is available (5.9 GiB)"}"#,
    ] {
        assert_eq!(
            meaning(500, body),
            CallError::Fatal(
                "the server cannot load the model: model requires more system memory (8.4 GiB) than is available (5.9 GiB)"
                    .to_owned()
            )
        );
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
fn a_missing_key_is_asked_for() {
    let error = of_answer(
        &answer(401, r#"{"error":"Unauthorized"}"#),
        &openai("judge"),
    );
    assert_eq!(
        error.to_string(),
        "the server answers 401 Unauthorized: Unauthorized; if it asks for a key, name its variable in `api-key-env`"
    );
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
