//! OpenAI, and what speaks like it: vLLM, llama.cpp, Ollama and most hosts of open models.
//!
//! Field names are those of OpenAI's API reference; where servers go beyond it, or differ, it is said beside the code.

mod batches;
mod reply;
mod request;

use super::contract::{Contract, Said};

/// Chat completions.
pub(super) static CONTRACT: Contract = Contract {
    speaks: "OpenAI's chat completions",
    home: "https://api.openai.com/v1",
    variable: "OPENAI_API_KEY",
    path: "chat/completions",
    key: ("authorization", "Bearer "),
    headers: &[],
    longest: None,
    lacks: &[],
    budget: None,
    begins_itself: |spec| {
        request::is_openai(spec).then_some("the servers of OpenAI and Azure begin every reply anew")
    },
    request: |spec, question| Ok(request::request(spec, question)),
    reply: reply::reply,
    instead,
    batches: Some(&batches::BATCHES),
};

/// Newer models of OpenAI's refuse `max_tokens` for its name, and not for its number: they know it by another.
fn instead(said: &Said, field: &str) -> Option<&'static str> {
    let name_refused =
        said.has(&["unsupported_parameter"]) || said.lower.contains("max_completion_tokens");
    (field == "max_tokens" && name_refused)
        .then_some("leave `max-tokens` out and write `extra = { max_completion_tokens = N }`")
}
