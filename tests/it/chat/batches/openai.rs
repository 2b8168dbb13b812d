//! Batches as `OpenAI` has them: a file of requests goes up, files of answers and errors come down.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicUsize;

use serde_json::{Value, json};

use super::{Batch, BatchRequest, BatchResult, Batches, Outcome, State, multipart, numbered};
use crate::chat::CREATED;
use crate::chat::dialect::{Dialect, Problem};
use crate::chat::serve::{Chat, body};
use crate::server::{Reply, Request};

/// The endpoint whose requests are taken.
const ENDPOINT: &str = "/v1/chat/completions";

/// What belongs to a batch made of a file.
#[derive(Default)]
pub(super) struct Filed {
    input: usize,
    metadata: Value,
    /// What is wrong with the input.
    invalid: Vec<Value>,
    output: Option<usize>,
    errors: Option<usize>,
}

impl Chat {
    /// A request about files or batches of `OpenAI`.
    pub(in crate::chat) fn openai_batches(
        &self,
        method: &str,
        path: &[&str],
        query: &str,
        request: &Request,
    ) -> Result<Reply, Problem> {
        let batches = &self.batches;
        let value = match (method, path) {
            ("POST", ["files"]) => batches.upload(request)?,
            ("GET", ["files", id, "content"]) => {
                let content = batches.content(id)?;
                return Ok(Reply::status(200)
                    .header("content-type", "application/octet-stream")
                    .body(content));
            }
            ("POST", ["batches"]) => batches.create(&body(request)?)?,
            ("GET", ["batches"]) => batches.list(query),
            ("GET", ["batches", id]) => batches.look(id, &self.answers)?,
            ("POST", ["batches", id, "cancel"]) => batches.cancel(id)?,
            _ => return Err(Problem::missing("such path")),
        };
        Ok(Dialect::reply(&value))
    }
}

impl Batches {
    fn upload(&self, request: &Request) -> Result<Value, Problem> {
        let mut fields = multipart::fields(request)
            .ok_or_else(|| Problem::bad("the body must be a form with a file"))?;
        if fields.get("purpose").map(String::as_str) != Some("batch") {
            return Err(Problem::bad("`purpose` must be `batch`"));
        }
        let Some(content) = fields.remove("file") else {
            return Err(Problem::bad("`file` is required"));
        };
        let mut state = self.state.lock().unwrap();
        state.counts.uploads += 1;
        let bytes = content.len();
        let number = state.store(content);
        Ok(json!({
            "id": file(number), "object": "file", "bytes": bytes, "created_at": CREATED,
            "filename": "batch.jsonl", "purpose": "batch", "status": "processed",
        }))
    }

    fn content(&self, id: &str) -> Result<String, Problem> {
        let mut state = self.state.lock().unwrap();
        let content = numbered(id).and_then(|number| state.files.get(number).cloned());
        state.counts.downloads += usize::from(content.is_some());
        content.ok_or_else(|| Problem::missing("such file"))
    }

    fn create(&self, asked: &Value) -> Result<Value, Problem> {
        if asked["endpoint"] != ENDPOINT || asked["completion_window"] != "24h" {
            return Err(Problem::bad(
                "`endpoint` or `completion_window` is not supported",
            ));
        }
        let mut state = self.state.lock().unwrap();
        let input = asked["input_file_id"].as_str().and_then(numbered);
        let Some((input, lines)) = input.and_then(|input| Some((input, state.files.get(input)?)))
        else {
            return Err(Problem::bad("`input_file_id` names no file"));
        };
        let (requests, invalid) = read(lines);
        let mut batch = Batch::new(Dialect::OpenAi, requests);
        batch.filed = Filed {
            input,
            metadata: asked["metadata"].clone(),
            invalid,
            output: None,
            errors: None,
        };
        let number = state.keep(batch);
        Ok(state.batches[number].view(number))
    }

    fn list(&self, query: &str) -> Value {
        let mut state = self.state.lock().unwrap();
        state.counts.lists += 1;
        let (page, more) = state.page(Dialect::OpenAi, query, "after");
        let id = |one: Option<&(usize, _)>| one.map(|(number, _)| batch_id(*number));
        json!({
            "object": "list",
            "first_id": id(page.first()),
            "last_id": id(page.last()),
            "has_more": more,
            "data": page.iter().map(|(number, batch)| batch.view(*number)).collect::<Value>(),
        })
    }

    fn look(&self, id: &str, answers: &AtomicUsize) -> Result<Value, Problem> {
        let mut state = self.state.lock().unwrap();
        let (number, batch) = state.batch(id, Dialect::OpenAi)?;
        batch.polls += 1;
        if batch.filed.invalid.is_empty() && batch.results.is_none() {
            self.advance(number, batch, answers);
            let (output, errors) = files(number, batch.results.iter().flatten());
            let output = (!output.is_empty()).then(|| state.store(output));
            let errors = (!errors.is_empty()).then(|| state.store(errors));
            let filed = &mut state.batches[number].filed;
            (filed.output, filed.errors) = (output, errors);
        }
        state.counts.polls += 1;
        Ok(state.batches[number].view(number))
    }

    fn cancel(&self, id: &str) -> Result<Value, Problem> {
        let mut state = self.state.lock().unwrap();
        let (number, batch) = state.batch(id, Dialect::OpenAi)?;
        if batch.results.is_some() {
            return Err(Problem::new(409, "conflict", "the batch is over already"));
        }
        batch.cancelled = true;
        let view = batch.view(number);
        state.counts.cancelled += 1;
        Ok(view)
    }
}

impl State {
    /// Keeps a file; its number.
    fn store(&mut self, content: String) -> usize {
        self.files.push(content);
        self.files.len() - 1
    }
}

impl Batch {
    fn view(&self, number: usize) -> Value {
        let Filed {
            input, metadata, ..
        } = &self.filed;
        let expired = self.count(|outcome| matches!(outcome, Outcome::Expired));
        let completed = self.count(|outcome| matches!(outcome, Outcome::Answered(_)));
        let failed = self.count(|outcome| matches!(outcome, Outcome::Failed(..)));
        let looked_at = self.polls > 0;
        let (status, over) = match &self.results {
            _ if looked_at && !self.filed.invalid.is_empty() => ("failed", true),
            None if self.cancelled => ("cancelling", false),
            None if looked_at => ("in_progress", false),
            None => ("validating", false),
            Some(_) if self.cancelled => ("cancelled", true),
            Some(_) if expired > 0 => ("expired", true),
            Some(_) => ("completed", true),
        };
        let errors = match status {
            "failed" => json!({"object": "list", "data": self.filed.invalid}),
            _ => Value::Null,
        };
        json!({
            "id": batch_id(number),
            "object": "batch",
            "endpoint": ENDPOINT,
            "errors": errors,
            "input_file_id": file(*input),
            "completion_window": "24h",
            "status": status,
            "output_file_id": self.filed.output.map(file),
            "error_file_id": self.filed.errors.map(file),
            "created_at": CREATED,
            "expires_at": CREATED + 24 * 60 * 60,
            "completed_at": over.then_some(CREATED),
            "request_counts": {
                "total": self.requests.len(), "completed": completed, "failed": failed,
            },
            "metadata": metadata,
        })
    }
}

fn batch_id(number: usize) -> String {
    format!("batch_{number}")
}

fn file(number: usize) -> String {
    format!("file-{number}")
}

/// The requests of a file, and what is wrong with its lines.
fn read(lines: &str) -> (Vec<BatchRequest>, Vec<Value>) {
    let (mut requests, mut invalid) = (Vec::new(), Vec::new());
    let (mut ids, mut models) = (BTreeSet::new(), BTreeSet::new());
    for (index, line) in lines.lines().enumerate() {
        let mut wrong = |code: &str| {
            let message = format!("this line cannot be taken: {code}");
            invalid
                .push(json!({"code": code, "message": message, "param": null, "line": index + 1}));
        };
        let Ok(mut line) = serde_json::from_str::<Value>(line) else {
            wrong("invalid_json_line");
            continue;
        };
        let Some(id) = line["custom_id"].as_str().map(str::to_owned) else {
            wrong("missing_required_parameter");
            continue;
        };
        models.insert(line["body"]["model"].to_string());
        if models.len() > 1 {
            wrong("mismatched_model");
        } else if line["method"] != "POST" || line["url"] != ENDPOINT {
            wrong("invalid_url");
        } else if !ids.insert(id.clone()) {
            wrong("duplicate_custom_id");
        } else {
            let body = line["body"].take();
            requests.push(BatchRequest { id, body });
        }
    }
    if requests.is_empty() && invalid.is_empty() {
        invalid.push(json!({"code": "empty_file", "message": "there is no request", "line": null}));
    }
    (requests, invalid)
}

/// The lines of answers and the lines of errors.
fn files<'r>(number: usize, results: impl Iterator<Item = &'r BatchResult>) -> (String, String) {
    let (mut output, mut errors) = (String::new(), String::new());
    for (index, result) in results.enumerate() {
        let response = |status: u16, body: &Value| {
            let request = format!("req_{number}_{index}");
            json!({"status_code": status, "request_id": request, "body": body})
        };
        let never = |code: &str| json!({"code": code, "message": "this request was not made"});
        let (response, error, file) = match &result.outcome {
            Outcome::Answered(body) => (response(200, body), Value::Null, &mut output),
            Outcome::Failed(status, body) => (response(*status, body), Value::Null, &mut errors),
            Outcome::Expired => (Value::Null, never("batch_expired"), &mut errors),
            Outcome::Cancelled => (Value::Null, never("batch_cancelled"), &mut errors),
        };
        let line = json!({
            "id": format!("batch_req_{number}_{index}"),
            "custom_id": result.id,
            "response": response,
            "error": error,
        });
        result.write(&line, file);
    }
    (output, errors)
}
