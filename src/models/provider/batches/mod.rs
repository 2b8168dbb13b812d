//! The formats of batch APIs: values to bytes and back.
//!
//! Readers ignore what they do not know and take absent counts for zero, because many servers speak these
//! dialects halfway. They are strict about identifiers: without one nothing can be found again, and
//! they become parts of addresses. Nothing here sends anything.

mod multipart;
mod time;

use serde_json::Value;

pub(super) use self::multipart::{Form, upload};
pub(super) use self::time::seconds;
use crate::base::key::Digest;
use crate::base::wording::shorten;

/// What a server says of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// The server's name for it.
    pub(crate) id: String,
    /// How far it is.
    pub(crate) phase: Phase,
    /// How many requests are done.
    pub(crate) counts: Counts,
    /// When it was created, in seconds since 1970.
    pub(crate) created_at: Option<u64>,
    /// The mark that we put on it, where the dialect has marks.
    pub(crate) mark: Option<String>,
    /// The files with its results.
    pub(crate) files: Vec<String>,
    /// Where its results are, if the server gives an address rather than files.
    pub(crate) results_url: Option<String>,
    /// Why it failed as a whole.
    pub(crate) errors: Vec<String>,
    /// Whether it failed because too many tokens are waiting with the server, and would not later.
    pub(crate) too_much_waiting: bool,
}

/// How far a batch is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Under way. An unknown word of the server counts as this.
    #[default]
    Going,
    /// Over, with results.
    Ended,
    /// Over because its time was up, perhaps with some results.
    Expired,
    /// Over because somebody cancelled it, perhaps with some results.
    Canceled,
    /// Refused as a whole: nothing was asked.
    Failed,
}

/// How many requests of a batch are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Answered.
    pub(crate) done: u64,
    /// Over without an answer.
    pub(crate) failed: u64,
    /// All; 0 while the server has not counted them.
    pub(crate) of: u64,
}

/// A part of the list of batches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    /// The batches that could be read.
    pub(crate) batches: Vec<Status>,
    /// After which one the next part begins, if there is one.
    pub(crate) next: Option<String>,
}

/// A reply of the server that does not say what it has to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unread(pub(super) String);

/// What became of one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The server answered, which may be with an error: status and body as of a live call.
    Answer {
        /// The status of the reply.
        status: u16,
        /// Its body.
        body: Vec<u8>,
    },
    /// Time was up before the server came to it, in every batch it was put into.
    Expired,
    /// Somebody cancelled the batch before the server came to it.
    Canceled,
    /// The server could not answer it.
    Errored {
        /// What it said: JSON.
        body: Vec<u8>,
    },
    /// The results of the batch say nothing of it that can be read; what is wrong, as a sentence.
    Broken(String),
    /// Its request is too large for any batch; nothing was sent.
    TooLarge {
        /// How large it is.
        bytes: usize,
        /// How large it may be.
        limit: usize,
    },
    /// It is stored already, or another process had it in a batch and has stored what came of it: look for
    /// the reply again, and run again with what is still missing.
    Elsewhere,
}

/// How a provider takes batches.
#[derive(Debug)]
pub(crate) struct Batches {
    /// Where batches are, under a base url.
    pub(crate) path: &'static str,
    /// How the list of them is asked for: its first part, and the parts behind a batch.
    pub(crate) list: (&'static str, &'static str),
    /// The most requests in a batch, as documented.
    pub(crate) most_requests: usize,
    /// The most bytes of its file or body, as documented.
    pub(crate) most_bytes: usize,
    /// Whether batches keep a mark of ours, by which they are found again.
    pub(crate) marks: bool,
    /// Appends one request; `hand_in` puts them together.
    pub(crate) write_request: fn(&Digest, &Value, &mut Vec<u8>),
    /// A batch as it is sent: its name, its requests in this order, and who appends one.
    pub(crate) hand_in: fn(&Digest, &[Digest], Write<'_>) -> Handed,
    /// What the server says of a batch.
    pub(crate) status: fn(&Value) -> Result<Status, Unread>,
    /// Where the results of a batch that is over are, under a base url.
    pub(crate) results: fn(&Status) -> Vec<String>,
    /// One line of the results.
    pub(crate) result: ReadResult,
}

/// How many bytes of a file or body are left for what stands around its requests, and a comma or line break after each.
pub(crate) const AROUND: usize = 15;

/// Reads a line of the results: the call it belongs to, and what became of it.
pub(crate) type ReadResult = fn(&[u8]) -> Result<(Digest, Outcome), Unread>;

/// Appends the request of a call.
pub(crate) type Write<'w> = &'w mut dyn FnMut(&Digest, &mut Vec<u8>);

/// A batch as it is sent.
#[derive(Debug)]
pub(crate) enum Handed {
    /// All of it in the request that makes the batch.
    Whole(Vec<u8>),
    /// A file that is uploaded first.
    Uploaded {
        /// Where files are uploaded to, under a base url.
        path: &'static str,
        /// The file.
        form: Form,
        /// The request that makes a batch of the file with this name, with a mark of ours.
        create: fn(&str, &Digest) -> Vec<u8>,
    },
}

impl Batches {
    /// Reads what the server says of a batch.
    pub(crate) fn read_status(&self, body: &[u8]) -> Result<Status, Unread> {
        (self.status)(&json(body)?)
    }

    /// Reads a part of the list of batches.
    pub(crate) fn read_page(&self, body: &[u8]) -> Result<Page, Unread> {
        let value = json(body)?;
        let data = value.get("data").and_then(Value::as_array);
        let data = data.ok_or_else(|| Unread("it has no `data`".to_owned()))?;
        let more = value.get("has_more").and_then(Value::as_bool);
        let last = data.last().and_then(|last| text(last, "id"));
        let last = text(&value, "last_id").or(last);
        Ok(Page {
            // One that cannot be read is not one of ours.
            batches: data.iter().flat_map(self.status).collect(),
            next: last
                .filter(|id| more == Some(true) && is_sound(id))
                .map(str::to_owned),
        })
    }
}

/// The server's name for what was created.
pub(crate) fn read_id(body: &[u8]) -> Result<String, Unread> {
    id_of(&json(body)?, "id")
}

fn json(body: &[u8]) -> Result<Value, Unread> {
    serde_json::from_slice(body).map_err(|error| Unread(format!("it is not JSON ({error})")))
}

pub(super) fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

pub(super) fn number(value: &Value, name: &str) -> u64 {
    value.get(name).and_then(Value::as_u64).unwrap_or(0)
}

/// The identifier under `name`, if it is one that may stand in an address.
pub(super) fn id_of(value: &Value, name: &str) -> Result<String, Unread> {
    match text(value, name) {
        Some(id) if is_sound(id) => Ok(id.to_owned()),
        Some(id) => Err(Unread(format!(
            "its `{name}` is no identifier: `{}`",
            shorten(id, 40)
        ))),
        None => Err(Unread(format!("it has no `{name}`"))),
    }
}

/// Whether an identifier can be put into an address without changing where that leads. Some servers have
/// slashes in theirs.
fn is_sound(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/".contains(c);
    id.len() <= 256
        && id.chars().all(plain)
        && id
            .split('/')
            .all(|part| !part.is_empty() && part != "." && part != "..")
}

/// The key of a call under which a request was sent.
pub(super) fn custom_id(text: &str) -> Result<Digest, Unread> {
    text.parse()
        .map_err(|_| Unread(format!("`{}` is not the key of a call", shorten(text, 80))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::dialect::Dialect;

    fn openai() -> &'static Batches {
        Dialect::OpenAi.contract().batches.unwrap()
    }

    #[test]
    fn identifiers_that_would_lead_elsewhere_are_refused() {
        for id in ["batch_abc123", "msgbatch_01-x", "batches/abc", "a:b.c"] {
            assert!(is_sound(id), "{id}");
        }
        let long = "a".repeat(300);
        for id in [
            "", "../files", "a/../b", "/a", "a//b", "a?b", "a b", "ä", "a\n", "a%2f", "a#", &long,
        ] {
            assert!(!is_sound(id), "{id}");
        }
    }

    #[test]
    fn a_list_without_an_end_has_a_next_part() {
        let page = |text: &str| openai().read_page(text.as_bytes());
        let read = page(
            r#"{"object":"list","data":[{"id":"b1","status":"completed"},{"status":"x"},{"id":"b2","status":"new"}],"has_more":true}"#,
        )
        .unwrap();
        assert_eq!(read.batches.len(), 2);
        assert_eq!(read.next.as_deref(), Some("b2"));
        let read = page(r#"{"data":[],"has_more":false,"last_id":null}"#).unwrap();
        assert_eq!(read, Page::default());
        assert!(page("<html>").is_err());
        assert!(page("{}").is_err());
    }

    #[test]
    fn deep_nesting_is_refused_without_harm() {
        let deep = "[".repeat(200_000);
        assert!(openai().read_status(deep.as_bytes()).is_err());
        assert!(openai().read_page(deep.as_bytes()).is_err());
    }
}
