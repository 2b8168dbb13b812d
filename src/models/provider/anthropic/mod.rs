//! Anthropic.
//!
//! Field names are those of Anthropic's API reference.

mod batches;
mod reply;
mod request;

use super::contract::{Budget, Contract, Feature};

/// The one tool of a request with a schema: the model is made to use it, and its input is the reply.
const TOOL: &str = "reply";

/// The longest reply where the spec says nothing, in tokens: this API insists on a number. What a model may think comes on top.
const LONGEST: u32 = 4096;

/// Messages.
pub(super) static CONTRACT: Contract = Contract {
    speaks: "Anthropic's messages",
    home: "https://api.anthropic.com/v1",
    variable: "ANTHROPIC_API_KEY",
    path: "messages",
    key: ("x-api-key", ""),
    // The version of the API that this is written for.
    headers: &[("anthropic-version", "2023-06-01")],
    longest: Some(LONGEST),
    lacks: &[Feature::Seed, Feature::Logprobs, Feature::ChatTemplate],
    budget: Some(Budget {
        least: 1024,
        in_reply: true,
        temperature: Some(1.0),
    }),
    begins_itself: request::begins_itself,
    request: request::request,
    reply: reply::reply,
    instead: |_, _| None,
    batches: Some(&batches::BATCHES),
};
