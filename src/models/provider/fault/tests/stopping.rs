//! Errors that stop a run: no other call would come to anything.

use super::*;

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
