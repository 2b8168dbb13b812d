//! A server of one model that says what it is told to, for replies that [`crate::chat`] never gives.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::server::{Reply, Request, Server};

/// An OpenAI-style server whose model answers a prompt with what the function makes of it.
pub(super) fn saying(say: impl Fn(&str) -> String + Send + Sync + 'static) -> Server {
    answering(move |request| {
        let messages = request["messages"].as_array().unwrap();
        let prompt = messages.last().unwrap()["content"].as_str().unwrap();
        json!({"role": "assistant", "content": say(prompt)})
    })
}

/// An OpenAI-style server whose model answers a request with the message that the function makes of it.
pub(super) fn answering(answer: impl Fn(&Value) -> Value + Send + Sync + 'static) -> Server {
    Server::answering(move |request: &Arc<Request>| {
        let asked: Value = serde_json::from_slice(&request.body).unwrap();
        let reply = json!({
            "model": asked["model"],
            "choices": [{"index": 0, "message": answer(&asked), "finish_reason": "stop"}],
        });
        Reply::json(&reply.to_string())
    })
}
