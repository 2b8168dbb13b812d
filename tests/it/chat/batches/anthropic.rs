//! Batches as Anthropic has them: requests go up in one body, results come down as JSON lines.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicUsize;

use serde_json::{Value, json};

use super::{Batch, BatchRequest, Batches, Outcome};
use crate::chat::CREATED_AT;
use crate::chat::dialect::{Dialect, Problem};
use crate::chat::serve::{Chat, body};
use crate::server::{Reply, Request};

/// A day after [`CREATED_AT`].
const EXPIRES_AT: &str = "2023-11-15T22:13:20Z";

impl Chat {
    /// A request about batches of Anthropic; `path` is what stands behind `messages/batches`.
    pub(in crate::chat) fn messages_batches(
        &self,
        method: &str,
        path: &[&str],
        query: &str,
        request: &Request,
    ) -> Result<Reply, Problem> {
        let batches = &self.batches;
        let host = request.headers.get("host").map_or("", String::as_str);
        let value = match (method, path) {
            ("POST", []) => batches.create_messages(&body(request)?, host)?,
            ("GET", []) => batches.list_messages(query, host),
            ("GET", [id]) => batches.look_at_messages(id, host, &self.answers)?,
            ("POST", [id, "cancel"]) => batches.cancel_messages(id, host)?,
            ("GET", [id, "results"]) => {
                let results = batches.results(id)?;
                return Ok(Reply::status(200)
                    .header("content-type", "application/x-jsonl")
                    .body(results));
            }
            _ => return Err(Problem::missing("such path")),
        };
        Ok(Dialect::reply(&value))
    }
}

impl Batches {
    fn create_messages(&self, asked: &Value, host: &str) -> Result<Value, Problem> {
        let given = asked["requests"].as_array().filter(|all| !all.is_empty());
        let given =
            given.ok_or_else(|| Problem::bad("`requests` must be a list that is not empty"))?;
        let mut ids = BTreeSet::new();
        let mut requests = Vec::new();
        for request in given {
            let id = request["custom_id"].as_str().unwrap_or_default();
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if id.is_empty() || id.len() > 64 || !id.chars().all(fits) {
                return Err(Problem::bad(
                    "a `custom_id` has 1 to 64 letters, digits, `_` and `-`",
                ));
            }
            if !ids.insert(id) {
                return Err(Problem::bad(format!("`custom_id` `{id}` is there twice")));
            }
            requests.push(BatchRequest {
                id: id.to_owned(),
                body: request["params"].clone(),
            });
        }
        let mut state = self.state.lock().unwrap();
        let number = state.keep(Batch::new(Dialect::Anthropic, requests));
        Ok(state.batches[number].view_of_messages(number, host))
    }

    fn list_messages(&self, query: &str, host: &str) -> Value {
        let mut state = self.state.lock().unwrap();
        state.counts.lists += 1;
        let (page, more) = state.page(Dialect::Anthropic, query, "after_id");
        let views = page
            .iter()
            .map(|(number, batch)| batch.view_of_messages(*number, host));
        let id = |one: Option<&(usize, _)>| one.map(|(number, _)| batch_id(*number));
        json!({
            "data": views.collect::<Value>(),
            "has_more": more,
            "first_id": id(page.first()),
            "last_id": id(page.last()),
        })
    }

    fn look_at_messages(
        &self,
        id: &str,
        host: &str,
        answers: &AtomicUsize,
    ) -> Result<Value, Problem> {
        let mut state = self.state.lock().unwrap();
        let (number, batch) = state.batch(id, Dialect::Anthropic)?;
        batch.polls += 1;
        self.advance(number, batch, answers);
        let view = batch.view_of_messages(number, host);
        state.counts.polls += 1;
        Ok(view)
    }

    fn cancel_messages(&self, id: &str, host: &str) -> Result<Value, Problem> {
        let mut state = self.state.lock().unwrap();
        let (number, batch) = state.batch(id, Dialect::Anthropic)?;
        if batch.results.is_some() {
            return Err(Problem::bad("the batch is over already"));
        }
        batch.cancelled = true;
        let view = batch.view_of_messages(number, host);
        state.counts.cancelled += 1;
        Ok(view)
    }

    fn results(&self, id: &str) -> Result<String, Problem> {
        let mut state = self.state.lock().unwrap();
        let (_, batch) = state.batch(id, Dialect::Anthropic)?;
        let Some(results) = &batch.results else {
            return Err(Problem::missing("result before the batch has ended"));
        };
        let mut file = String::new();
        for result in results {
            let outcome = match &result.outcome {
                Outcome::Answered(body) => json!({"type": "succeeded", "message": body}),
                Outcome::Failed(_, body) => json!({"type": "errored", "error": body}),
                Outcome::Expired => json!({"type": "expired"}),
                Outcome::Cancelled => json!({"type": "canceled"}),
            };
            let line = json!({"custom_id": result.id, "result": outcome});
            result.write(&line, &mut file);
        }
        state.counts.downloads += 1;
        Ok(file)
    }
}

impl Batch {
    fn view_of_messages(&self, number: usize, host: &str) -> Value {
        let id = batch_id(number);
        let over = self.results.is_some();
        let status = match over {
            true => "ended",
            false if self.cancelled => "canceling",
            false => "in_progress",
        };
        json!({
            "id": id,
            "type": "message_batch",
            "processing_status": status,
            "request_counts": {
                "processing": if over { 0 } else { self.requests.len() },
                "succeeded": self.count(|outcome| matches!(outcome, Outcome::Answered(_))),
                "errored": self.count(|outcome| matches!(outcome, Outcome::Failed(..))),
                "canceled": self.count(|outcome| matches!(outcome, Outcome::Cancelled)),
                "expired": self.count(|outcome| matches!(outcome, Outcome::Expired)),
            },
            "created_at": CREATED_AT,
            "expires_at": EXPIRES_AT,
            "ended_at": over.then_some(CREATED_AT),
            "archived_at": null,
            "cancel_initiated_at": self.cancelled.then_some(CREATED_AT),
            "results_url": over.then(|| format!("http://{host}/v1/messages/batches/{id}/results")),
        })
    }
}

fn batch_id(number: usize) -> String {
    format!("msgbatch_{number}")
}
