//! What replies look like: bodies as `OpenAI`'s chat completions and Anthropic's messages have them.

use serde_json::{Value, json};

use super::answer::{Answer, Finish};
use crate::server::Reply;

/// Whose interface is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    OpenAi,
    Anthropic,
}

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) status: u16,
    /// `OpenAI`'s `code`.
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) retry_after: Option<String>,
    /// Whether it is said in HTML, by something that speaks no dialect.
    pub(super) html: bool,
}

impl Problem {
    pub(super) fn new(status: u16, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            retry_after: None,
            html: false,
        }
    }

    /// A request that makes no sense.
    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(400, "invalid_request", message)
    }

    /// Something that is not there.
    pub(super) fn missing(what: &str) -> Self {
        Self::new(404, "not_found", format!("there is no {what}"))
    }
}

impl Dialect {
    /// The reply that carries a body.
    pub(super) fn reply(body: &Value) -> Reply {
        Reply::json(&body.to_string())
    }

    /// The reply that tells of a problem.
    pub(super) fn refuse(self, problem: &Problem) -> Reply {
        let reply = if problem.html {
            page(problem.status, &problem.message)
        } else {
            Self::reply(&self.error(problem)).with_status(problem.status)
        };
        match &problem.retry_after {
            Some(after) => reply.header("retry-after", after),
            None => reply,
        }
    }

    /// The body that tells of a problem.
    pub(super) fn error(self, problem: &Problem) -> Value {
        let Problem { code, message, .. } = problem;
        match self {
            Self::OpenAi => {
                let kind = match problem.status {
                    429 => "requests",
                    400..500 => "invalid_request_error",
                    _ => "server_error",
                };
                json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
            }
            Self::Anthropic => {
                let kind = match problem.status {
                    401 => "authentication_error",
                    404 => "not_found_error",
                    429 => "rate_limit_error",
                    400..500 => "invalid_request_error",
                    529 => "overloaded_error",
                    _ => "api_error",
                };
                json!({"type": "error", "error": {"type": kind, "message": message}})
            }
        }
    }

    /// The body that carries an answer, the `number`-th of the server.
    pub(super) fn answer(self, answer: &Answer, number: usize) -> Value {
        match self {
            Self::OpenAi => completion(answer, number),
            Self::Anthropic => message(answer, number),
        }
    }
}

fn completion(answer: &Answer, number: usize) -> Value {
    let refused = answer.finish == Finish::Refusal;
    let mut message = json!({
        "role": "assistant",
        "content": if refused { Value::Null } else { json!(answer.text) },
        "refusal": if refused { json!(answer.text) } else { Value::Null },
    });
    let mut finish = match answer.finish {
        Finish::Stop | Finish::Refusal => "stop",
        Finish::Length => "length",
    };
    if let Some(tool) = &answer.tool {
        message["content"] = Value::Null;
        message["tool_calls"] = json!([{
            "id": format!("call_{number}"),
            "type": "function",
            "function": {"name": tool, "arguments": answer.text},
        }]);
        if answer.finish == Finish::Stop {
            finish = "tool_calls";
        }
    }
    json!({
        "id": format!("chatcmpl-{number:024}"),
        "object": "chat.completion",
        "created": super::CREATED,
        "model": answer.model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": answer.prompt_tokens,
            "completion_tokens": answer.completion_tokens,
            "total_tokens": answer.prompt_tokens + answer.completion_tokens,
        },
        "system_fingerprint": "fp_test",
    })
}

fn message(answer: &Answer, number: usize) -> Value {
    let content = match &answer.tool {
        _ if answer.text.is_empty() || answer.finish == Finish::Refusal => json!([]),
        None => json!([{"type": "text", "text": answer.text}]),
        Some(tool) => {
            // What was cut off is no JSON any more; the server would leave it out.
            let input: Value = serde_json::from_str(&answer.text).unwrap_or(json!({}));
            let id = format!("toolu_{number}");
            json!([{"type": "tool_use", "id": id, "name": tool, "input": input}])
        }
    };
    let stop = match answer.finish {
        Finish::Stop if answer.tool.is_some() => "tool_use",
        Finish::Stop => "end_turn",
        Finish::Length => "max_tokens",
        Finish::Refusal => "refusal",
    };
    json!({
        "id": format!("msg_{number:024}"),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": {"input_tokens": answer.prompt_tokens, "output_tokens": answer.completion_tokens},
    })
}

/// A page of HTML.
pub(super) fn page(status: u16, title: &str) -> Reply {
    Reply::status(status)
        .header("content-type", "text/html")
        .body(format!(
            "<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>\n"
        ))
}
