//! The codes and turns of phrase by which servers say what is wrong. Lower case throughout.
//!
//! Codes are those of the API references of OpenAI, Azure, Anthropic, Mistral, Alibaba, Moonshot and OpenRouter and of
//! the sources of vLLM, SGLang, llama.cpp, TGI and Ollama; phrases stand for servers that have no code for it.

use super::Said;
use crate::models::spec::ModelSpec;

/// Codes of prompts that are too long.
const TOO_LONG: [&str; 5] = [
    "context_length_exceeded",
    "exceed_context_size_error",
    "request_too_large",
    "string_above_max_length",
    "model_context_window_exceeded",
];

/// Phrases of prompts that are too long.
const TOO_LONG_PHRASES: [&str; 17] = [
    "context length",
    "context size",
    "context window",
    "exceed context limit",
    "maximum model length",
    "maximum prompt length",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input too long",
    "too many input tokens",
    "input token count",
    "reduce the length of the",
    "`inputs` tokens",
    "`inputs` must have less",
    // vLLM, when the prompt leaves no room for a reply.
    "max_tokens must be at least 1, got -",
    REQUEST_TOO_LARGE,
];

/// OpenAI and Groq, of a request with more tokens than a minute allows: patience does not help.
const REQUEST_TOO_LARGE: &str = "request too large";

/// Codes of prompts that a filter refused.
const FILTERED: [&str; 6] = [
    "content_filter",
    "content_policy_violation",
    "responsibleaipolicyviolation",
    "invalid_prompt",
    "data_inspection_failed",
    "datainspectionfailed",
];

/// Phrases of prompts that a filter refused.
const FILTERED_PHRASES: [&str; 4] = [
    "content management policy",
    "content filtering policy",
    "flagged as potentially violating",
    "usage policy",
];

/// Codes of accounts without money. That a *quota* is exceeded is not enough: Gemini says so of every minute's limit.
const UNPAID: [&str; 6] = [
    "insufficient_quota",
    "insufficient_credits",
    "billing_error",
    "billing_not_active",
    "billing_hard_limit_reached",
    "exceeded_current_quota_error",
];

/// Phrases of accounts without money.
const UNPAID_PHRASES: [&str; 3] = [
    "credit balance is too low",
    "insufficient balance",
    "insufficient credits",
];

/// Codes of keys that are not accepted.
const KEY: [&str; 4] = [
    "invalid_api_key",
    "authentication_error",
    "invalid_authentication_error",
    "api_key_invalid",
];

/// Phrases of keys that are not accepted.
const KEY_PHRASES: [&str; 3] = ["api key not valid", "incorrect api key", "invalid api key"];

/// Codes of models that are not there.
const MODEL: [&str; 3] = ["model_not_found", "invalid_model", "deploymentnotfound"];

/// Phrases of models that are not there. The first two are OpenRouter's, which has the model but nobody to ask for it
/// under the conditions that the request makes; the third is `LiteLLM`'s.
const MODEL_PHRASES: [&str; 3] = [
    "no endpoints found",
    "no allowed providers",
    "invalid model name passed in",
];

/// What Ollama says of a model that its machine has no room for.
const OUT_OF_MEMORY: &str = "model requires more system memory";

/// The most words of a message that says no more than that nothing was found: "404 page not found".
const NOTHING_FOUND: usize = 4;

/// Codes of servers that have too much to do, or are not ready yet.
const OVERLOADED: [&str; 4] = [
    "overloaded_error",
    "server_overloaded",
    "engine_overloaded_error",
    "unavailable_error",
];

/// Codes of limits that will pass.
const LIMITED: [&str; 2] = ["rate_limit_error", "rate_limit_exceeded"];

/// Fields of a request that are the same in every call of a model.
const PARAMETERS: [&str; 21] = [
    "chat_template_kwargs",
    "enable_thinking",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "model",
    "output_config",
    "reasoning",
    "reasoning_effort",
    "response_format",
    "seed",
    "stop",
    "stop_sequences",
    "stream",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_logprobs",
    "top_p",
];

/// Whether the prompt is too long. Phrases count under the statuses that servers use for it.
pub(super) fn is_too_long(said: &Said, status: u16) -> bool {
    said.has(&TOO_LONG)
        || (matches!(status, 400 | 422 | 500) && speaks(said, &TOO_LONG_PHRASES))
        || (status == 429 && said.lower.starts_with(REQUEST_TOO_LARGE))
}

/// Whether a filter refused the prompt.
pub(super) fn is_filtered(said: &Said, status: u16) -> bool {
    said.has(&FILTERED) || (matches!(status, 400 | 403 | 422) && speaks(said, &FILTERED_PHRASES))
}

/// Whether the account has no money.
pub(super) fn is_unpaid(said: &Said) -> bool {
    said.has(&UNPAID) || speaks(said, &UNPAID_PHRASES)
}

/// Whether the key is not accepted.
pub(super) fn is_about_key(said: &Said) -> bool {
    said.has(&KEY) || speaks(said, &KEY_PHRASES)
}

/// Whether the model is not there: by a code, or as vLLM, OpenAI, Ollama, OpenRouter and Anthropic put it.
pub(super) fn is_about_model(said: &Said, status: u16) -> bool {
    let lower = said.lower.as_str();
    let missing = ["does not exist", "not found", "not a valid model"];
    let phrase = lower.starts_with("invalid model")
        || speaks(said, &MODEL_PHRASES)
        || (lower.contains("model") && speaks(said, &missing))
        || (lower.starts_with("model: ") && status == 404);
    said.has(&MODEL) || (matches!(status, 400 | 403 | 404) && phrase)
}

/// Whether the model does not fit into the memory of the server's machine.
pub(super) fn is_out_of_memory(said: &Said) -> bool {
    said.lower.contains(OUT_OF_MEMORY)
}

/// Whether an error says no more than that there is nothing: it says nothing at all, "Not Found", "Resource not found".
pub(super) fn is_nothing_found(said: &Said) -> bool {
    let words = said.lower.split_whitespace();
    said.message.is_empty()
        || (said.lower.contains("not found")
            && words.take(NOTHING_FOUND + 1).count() <= NOTHING_FOUND)
}

/// Whether the server would answer later.
pub(super) fn is_overloaded(said: &Said) -> bool {
    said.has(&OVERLOADED) || said.has(&LIMITED)
}

/// The status that an error without one would have come with.
pub(super) fn status(said: &Said) -> u16 {
    let statuses: [(&[&str], u16); 6] = [
        (
            &[
                "invalid_request_error",
                "badrequesterror",
                "bad_request_error",
            ],
            400,
        ),
        (&["permission_error", "permission_denied"], 403),
        (&["not_found_error", "notfounderror"], 404),
        (&["timeout_error"], 504),
        (&LIMITED, 429),
        (&OVERLOADED, 503),
    ];
    let known = statuses.iter().find(|(codes, _)| said.has(codes));
    known.map_or(500, |(_, status)| *status)
}

/// The field that is wrong, if it is one that all calls of the model share. It is named apart, or at the beginning of the
/// message: "`temperature` may …", `thinking.budget_tokens: …`.
pub(super) fn parameter(said: &Said, spec: &ModelSpec) -> Option<String> {
    let first = || {
        let quoted = said
            .lower
            .strip_prefix('`')
            .and_then(|rest| rest.split_once('`'));
        let path = quoted.or_else(|| said.lower.split_once(':'))?.0;
        Some(path.to_owned())
    };
    let path = said.parameter.clone().or_else(first)?;
    let name = path.split(['.', '[', ',', ' ']).next()?;
    let shared = PARAMETERS.contains(&name) || spec.extra.contains_key(name);
    shared.then(|| name.to_owned())
}

fn speaks(said: &Said, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| said.lower.contains(phrase))
}
