//! Requests to replies: which endpoint is meant, and live calls.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::answer::Answer;
use super::asked::Asked;
use super::batches::Batches;
use super::calls::Calls;
use super::dialect::{Dialect, Problem};
use super::faults::Plan;
use super::window::Window;
use super::{CREATED, CREATED_AT};
use crate::server::{Gate, Reply, Request};

/// A server of models without its sockets.
pub(super) struct Chat {
    pub(super) calls: Calls,
    pub(super) plan: Plan,
    pub(super) around_batches: Plan,
    pub(super) batches: Batches,
    pub(super) window: Option<Mutex<Window>>,
    pub(super) capacity: Option<usize>,
    pub(super) latency: Duration,
    pub(super) hold: Option<(usize, Gate)>,
    pub(super) answers: AtomicUsize,
}

impl Chat {
    /// The reply to any request.
    pub(super) fn serve(self: &Arc<Self>, request: &Arc<Request>) -> Reply {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        match (request.method.as_str(), &segments[..]) {
            ("POST", ["v1", "chat", "completions"]) => self.live(Dialect::OpenAi, request),
            ("POST", ["v1", "messages"]) => self.live(Dialect::Anthropic, request),
            (method, ["v1", rest @ ..]) => self.other(method, rest, query, request),
            _ => Dialect::OpenAi.refuse(&Problem::missing("such path")),
        }
    }

    /// A request for an answer.
    fn live(self: &Arc<Self>, dialect: Dialect, request: &Arc<Request>) -> Reply {
        let asked = read(dialect, request);
        let prompt = match &asked {
            Ok(asked) => asked.prompt.clone(),
            Err(_) => blake3::hash(&request.body).to_hex().to_string(),
        };
        let (index, in_flight) = self.calls.came(request, &prompt);
        let reply = match asked {
            Ok(asked) => self.judge(dialect, request, &asked, index, in_flight),
            Err(problem) => dialect.refuse(&problem),
        };
        let (chat, status) = (Arc::clone(self), reply.code());
        reply.watched(move |moment| chat.calls.delivered(index, status, moment))
    }

    /// The reply to a request that makes sense: limits first, then what goes wrong, then the answer.
    fn judge(
        &self,
        dialect: Dialect,
        request: &Request,
        asked: &Asked,
        index: usize,
        in_flight: usize,
    ) -> Reply {
        let mut answer = Answer::to(asked);
        if self.capacity.is_some_and(|most| in_flight > most) {
            let problem = Problem::new(429, "rate_limit_exceeded", "too many requests at once");
            return dialect.refuse(&problem);
        }
        if let Some(window) = &self.window {
            let admitted = window
                .lock()
                .unwrap()
                .admit(Instant::now(), answer.tokens());
            if let Err(wait) = admitted {
                let message = "too many requests or tokens in a minute";
                let seconds = wait.as_millis().div_ceil(1000).max(1);
                return dialect.refuse(&Problem {
                    retry_after: Some(seconds.to_string()),
                    ..Problem::new(429, "rate_limit_exceeded", message)
                });
            }
        }
        let fault = self.plan.next(&asked.prompt);
        self.calls.struck(index, fault);
        let key = key_of(request);
        if let Some(problem) = fault.and_then(|fault| fault.problem(&asked.model, &key)) {
            return dialect.refuse(&problem);
        }
        if let Some(fault) = fault {
            fault.bend(&mut answer, &key);
        }
        let number = self.answers.fetch_add(1, Ordering::SeqCst);
        let reply = Dialect::reply(&dialect.answer(&answer, number));
        let reply = match fault {
            Some(fault) => fault.spoil(reply),
            None => reply,
        };
        match &self.hold {
            Some((calls, gate)) if number >= *calls => reply.behind(gate),
            _ => reply.after(self.latency),
        }
    }

    /// A request about batches, files or models.
    fn other(&self, method: &str, rest: &[&str], query: &str, request: &Request) -> Reply {
        let anthropic = request.headers.contains_key("anthropic-version");
        let dialect = if anthropic || rest.first() == Some(&"messages") {
            Dialect::Anthropic
        } else {
            Dialect::OpenAi
        };
        let key = key_of(request);
        let fault = self
            .around_batches
            .next(&format!("{method} {}", rest.join("/")));
        if let Some(problem) = fault.and_then(|fault| fault.problem("judge", &key)) {
            return dialect.refuse(&problem);
        }
        let done = match (method, rest) {
            ("GET", ["models"]) => Ok(Dialect::reply(&models(dialect))),
            (_, ["messages", "batches", ..]) => version(request)
                .and_then(|()| self.messages_batches(method, &rest[2..], query, request)),
            _ => self.openai_batches(method, rest, query, request),
        };
        let reply = done.unwrap_or_else(|problem| dialect.refuse(&problem));
        match fault {
            Some(fault) => fault.spoil(reply),
            None => reply,
        }
    }
}

/// Reads a request for an answer.
fn read(dialect: Dialect, request: &Request) -> Result<Asked, Problem> {
    if dialect == Dialect::Anthropic {
        version(request)?;
    }
    Asked::read(dialect, &body(request)?)
}

/// The body as JSON.
pub(super) fn body(request: &Request) -> Result<Value, Problem> {
    serde_json::from_slice(&request.body)
        .map_err(|error| Problem::bad(format!("the body is no JSON: {error}")))
}

/// Anthropic answers nobody who does not say which version they speak.
fn version(request: &Request) -> Result<(), Problem> {
    match request.headers.get("anthropic-version") {
        Some(_) => Ok(()),
        None => Err(Problem::bad("the header `anthropic-version` is required")),
    }
}

/// The header that the key comes in, as it came.
fn key_of(request: &Request) -> String {
    let headers = ["authorization", "x-api-key"];
    let found = headers
        .into_iter()
        .find_map(|name| request.headers.get(name));
    found.cloned().unwrap_or_default()
}

/// The list of models: one, though any is served.
fn models(dialect: Dialect) -> Value {
    match dialect {
        Dialect::OpenAi => json!({"object": "list", "data": [
            {"id": "judge", "object": "model", "created": CREATED, "owned_by": "test"},
        ]}),
        Dialect::Anthropic => json!({"data": [
            {"type": "model", "id": "judge", "display_name": "Judge", "created_at": CREATED_AT},
        ], "has_more": false, "first_id": "judge", "last_id": "judge"}),
    }
}
