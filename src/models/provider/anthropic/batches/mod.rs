//! Message batches of Anthropic: all requests in one body, results at an address.
//!
//! Fields are those of the API reference (message batches). They have no place for a mark of ours.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::base::key::Digest;
use crate::models::provider::batches::{
    Batches, Counts, Handed, Outcome, Phase, Status, Unread, Write, custom_id, id_of, number,
    seconds, text,
};

const HEAD: &[u8] = b"{\"requests\":[";
const TAIL: &[u8] = b"]}";

/// Message batches.
pub(super) static BATCHES: Batches = Batches {
    path: "messages/batches",
    list: ("?limit=1000", "&after_id="),
    most_requests: 100_000,
    most_bytes: 256_000_000,
    marks: false,
    write_request,
    hand_in: |_, ids, request| Handed::Whole(body(ids, request)),
    status,
    results: |status| vec![format!("messages/batches/{}/results", status.id)],
    result,
};

fn write_request(id: &Digest, params: &Value, out: &mut Vec<u8>) {
    let request = format!(r#"{{"custom_id":"{id}","params":{params}}}"#);
    out.extend_from_slice(request.as_bytes());
}

/// The body that makes a batch, its requests in the order of `ids`.
fn body(ids: &[Digest], request: Write<'_>) -> Vec<u8> {
    let mut out = HEAD.to_vec();
    for (n, id) in ids.iter().enumerate() {
        if n > 0 {
            out.push(b',');
        }
        request(id, &mut out);
    }
    out.extend_from_slice(TAIL);
    out
}

fn status(value: &Value) -> Result<Status, Unread> {
    let phase = match text(value, "processing_status") {
        Some("ended") => Phase::Ended,
        Some(_) => Phase::Going,
        None => return Err(Unread("it has no `processing_status`".to_owned())),
    };
    let count = |name| {
        let counts = value.get("request_counts");
        counts.map_or(0, |counts| number(counts, name))
    };
    let done = count("succeeded");
    let failed = ["errored", "canceled", "expired"]
        .into_iter()
        .map(count)
        .fold(0, u64::saturating_add);
    Ok(Status {
        id: id_of(value, "id")?,
        phase,
        counts: Counts {
            done,
            failed,
            of: done
                .saturating_add(failed)
                .saturating_add(count("processing")),
        },
        created_at: value.get("created_at").and_then(seconds),
        results_url: text(value, "results_url").map(str::to_owned),
        ..Status::default()
    })
}

#[derive(Deserialize)]
struct Line<'l> {
    custom_id: String,
    #[serde(borrow)]
    result: &'l RawValue,
}

#[derive(Deserialize)]
struct Ending<'l> {
    r#type: String,
    #[serde(borrow, default)]
    message: Option<&'l RawValue>,
    #[serde(borrow, default)]
    error: Option<&'l RawValue>,
}

fn result(line: &[u8]) -> Result<(Digest, Outcome), Unread> {
    let line: Line<'_> =
        serde_json::from_slice(line).map_err(|error| Unread(format!("not a result ({error})")))?;
    let id = custom_id(&line.custom_id)?;
    let ending = match serde_json::from_str::<Ending<'_>>(line.result.get()) {
        Ok(ending) => ending,
        Err(error) => {
            let broken = Outcome::Broken(format!("its result cannot be read ({error})"));
            return Ok((id, broken));
        }
    };
    let bytes = |value: &RawValue| value.get().as_bytes().to_vec();
    let outcome = match (ending.r#type.as_str(), ending.message, ending.error) {
        ("succeeded", Some(message), _) => Outcome::Answer {
            status: 200,
            body: bytes(message),
        },
        ("errored", _, Some(error)) => Outcome::Errored { body: bytes(error) },
        ("expired", ..) => Outcome::Expired,
        ("canceled", ..) => Outcome::Canceled,
        ("succeeded" | "errored", ..) => {
            Outcome::Broken("its result has neither message nor error".to_owned())
        }
        _ => Outcome::Broken("its result is of an unknown kind".to_owned()),
    };
    Ok((id, outcome))
}

#[cfg(test)]
mod tests;
