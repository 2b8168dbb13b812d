//! Batches as `OpenAI` takes them: a file of requests, a batch that names it, files of results.
//!
//! Fields are those of the API reference (files, batches, the request input and output objects).
//! Other servers leave some out or write them otherwise, so only the identifiers are required.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::base::key::Digest;
use crate::base::wording::shorten;
use crate::models::provider::batches::{
    Batches, Counts, Handed, Outcome, Phase, Status, Unread, Write, custom_id, id_of, number,
    seconds, text, upload,
};

/// What every request of a batch is sent to, whatever the address of the server.
const ENDPOINT: &str = "/v1/chat/completions";

/// The mark by which a batch is known as ours.
const MARK: &str = "tribunal";

/// Files and batches.
pub(super) static BATCHES: Batches = Batches {
    path: "batches",
    list: ("?limit=100", "&after="),
    most_requests: 50_000,
    most_bytes: 200_000_000,
    marks: true,
    write_request,
    hand_in: |name, ids, request| Handed::Uploaded {
        path: "files",
        form: upload(name, &mut |out| file(ids, request, out)),
        create,
    },
    status,
    results: |status| {
        let files = status.files.iter();
        files.map(|file| format!("files/{file}/content")).collect()
    },
    result,
};

/// Appends one request, without the end of its line.
fn write_request(id: &Digest, params: &Value, out: &mut Vec<u8>) {
    let line =
        format!(r#"{{"custom_id":"{id}","method":"POST","url":"{ENDPOINT}","body":{params}}}"#);
    out.extend_from_slice(line.as_bytes());
}

/// Appends the file of requests: one a line, in the order of `ids`.
fn file(ids: &[Digest], request: Write<'_>, out: &mut Vec<u8>) {
    for id in ids {
        request(id, out);
        out.push(b'\n');
    }
}

/// The body that makes a batch of an uploaded file, with a mark by which it is found again.
fn create(file: &str, mark: &Digest) -> Vec<u8> {
    let body = serde_json::json!({
        "input_file_id": file,
        "endpoint": ENDPOINT,
        "completion_window": "24h",
        "metadata": { MARK: mark },
    });
    body.to_string().into_bytes()
}

fn status(value: &Value) -> Result<Status, Unread> {
    let phase = match text(value, "status") {
        Some("completed") => Phase::Ended,
        Some("expired") => Phase::Expired,
        Some("cancelled") => Phase::Canceled,
        Some("failed") => Phase::Failed,
        Some(_) => Phase::Going,
        None => return Err(Unread("it has no `status`".to_owned())),
    };
    let counts = value
        .get("request_counts")
        .map_or(Counts::default(), |of| Counts {
            done: number(of, "completed"),
            failed: number(of, "failed"),
            of: number(of, "total"),
        });
    let file = |name: &str| match text(value, name) {
        None | Some("") => None,
        Some(_) => Some(id_of(value, name)),
    };
    let files = ["output_file_id", "error_file_id"]
        .into_iter()
        .filter_map(file);
    let (errors, too_much_waiting) = errors(value.get("errors"));
    Ok(Status {
        id: id_of(value, "id")?,
        phase,
        counts,
        created_at: value.get("created_at").and_then(seconds),
        mark: value
            .get("metadata")
            .and_then(|of| text(of, MARK))
            .map(str::to_owned),
        files: files.collect::<Result<_, _>>()?,
        results_url: None,
        errors,
        too_much_waiting,
    })
}

/// The first errors of a batch in sentences, and whether it would succeed with fewer tokens waiting.
fn errors(errors: Option<&Value>) -> (Vec<String>, bool) {
    const MOST: usize = 3;
    let Some(errors) = errors else {
        return (Vec::new(), false);
    };
    if let Some(only) = errors.as_str() {
        return (vec![shorten(only, 300)], false);
    }
    let data = errors.get("data").unwrap_or(errors).as_array();
    let data = data.map_or(&[][..], Vec::as_slice);
    let waiting = |error: &Value| text(error, "code") == Some("token_limit_exceeded");
    let mut told: Vec<String> = data.iter().take(MOST).map(sentence).collect();
    if data.len() > MOST {
        told.push(format!("and {} more", data.len() - MOST));
    }
    (told, !data.is_empty() && data.iter().all(waiting))
}

fn sentence(error: &Value) -> String {
    let code = text(error, "code").unwrap_or("error");
    let message = shorten(text(error, "message").unwrap_or("no message"), 300);
    let line = error.get("line").and_then(Value::as_u64);
    let place = line.map_or_else(String::new, |line| format!("line {line}: "));
    format!("{place}{message} ({})", shorten(code, 60))
}

#[derive(Deserialize)]
struct Line<'l> {
    custom_id: String,
    #[serde(borrow, default)]
    response: Option<&'l RawValue>,
    #[serde(borrow, default)]
    error: Option<&'l RawValue>,
}

#[derive(Deserialize)]
struct Answered<'l> {
    status_code: u16,
    #[serde(borrow)]
    body: &'l RawValue,
}

fn result(line: &[u8]) -> Result<(Digest, Outcome), Unread> {
    let line: Line<'_> =
        serde_json::from_slice(line).map_err(|error| Unread(format!("not a result ({error})")))?;
    let id = custom_id(&line.custom_id)?;
    let outcome = match (line.response, line.error) {
        (Some(response), _) => match serde_json::from_str::<Answered<'_>>(response.get()) {
            Ok(answered) => Outcome::Answer {
                status: answered.status_code,
                body: answered.body.get().as_bytes().to_vec(),
            },
            Err(error) => Outcome::Broken(format!("its result cannot be read ({error})")),
        },
        (None, Some(error)) => {
            let fields: BTreeMap<&str, &RawValue> =
                serde_json::from_str(error.get()).unwrap_or_default();
            match fields.get("code").map(|code| code.get()) {
                Some(r#""batch_expired""#) => Outcome::Expired,
                Some(r#""batch_cancelled""#) => Outcome::Canceled,
                _ => Outcome::Errored {
                    body: error.get().as_bytes().to_vec(),
                },
            }
        }
        (None, None) => Outcome::Broken("its result has neither answer nor error".to_owned()),
    };
    Ok((id, outcome))
}

#[cfg(test)]
mod tests;
