//! Message batches of Anthropic: all requests in one body, results at an address.
//!
//! Fields are those of the API reference (message batches). They have no place for a mark of ours.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Counts, Phase, Status, Unread, custom_id, id_of, number, text, time};
use crate::base::key::Digest;
use crate::models::batch::event::Outcome;

const HEAD: &[u8] = b"{\"requests\":[";
const TAIL: &[u8] = b"]}";

/// How many bytes a body has beside its requests and a comma after each.
pub(crate) const AROUND: usize = HEAD.len() + TAIL.len();

/// Appends one request.
pub(crate) fn write_request(id: &Digest, params: &Value, out: &mut Vec<u8>) {
    let request = format!(r#"{{"custom_id":"{id}","params":{params}}}"#);
    out.extend_from_slice(request.as_bytes());
}

/// The body that makes a batch, its requests in the order of `ids`. `request` appends one.
pub(crate) fn body(ids: &[Digest], request: &mut dyn FnMut(&Digest, &mut Vec<u8>)) -> Vec<u8> {
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

pub(super) fn status(value: &Value) -> Result<Status, Unread> {
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
        created_at: value.get("created_at").and_then(time::seconds),
        results_url: text(value, "results_url").map(str::to_owned),
        ..Status::default()
    })
}

/// Whether two addresses have the same scheme, host and port, so that what may be known to one server
/// may be known to the other.
pub(crate) fn same_server(one: &str, other: &str) -> bool {
    let origin = |address: &str| {
        let origin = url::Url::parse(address).ok()?.origin();
        origin.is_tuple().then_some(origin)
    };
    origin(one).is_some_and(|one| origin(other) == Some(one))
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

pub(super) fn read_result(line: &[u8]) -> Result<(Digest, Outcome), Unread> {
    let line: Line<'_> =
        serde_json::from_slice(line).map_err(|error| Unread(format!("not a result ({error})")))?;
    let id = custom_id(&line.custom_id)?;
    let result = match serde_json::from_str::<Ending<'_>>(line.result.get()) {
        Ok(result) => result,
        Err(error) => {
            let broken = Outcome::Broken(format!("its result cannot be read ({error})"));
            return Ok((id, broken));
        }
    };
    let bytes = |value: &RawValue| value.get().as_bytes().to_vec();
    let outcome = match (result.r#type.as_str(), result.message, result.error) {
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
