//! Requests that are made until they succeed or it is known that they will not.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::error::BatchError;
use super::event::Host;
use super::settings::Settings;
use super::transport::{Key, Response, Transport, TransportError};
use crate::base::retry::{Retry, may_pass};
use crate::base::wording::shorten;

/// How often it is looked whether to stop.
const SLICE: Duration = Duration::from_millis(200);

/// A request.
#[derive(Clone, Debug)]
pub(super) enum Request {
    Get(String, Key),
    Post {
        url: String,
        content_type: String,
        body: Arc<Vec<u8>>,
    },
}

/// Why a request did not succeed.
#[derive(Clone, Debug)]
pub(super) enum Trouble {
    /// To be stopped.
    Interrupted,
    /// The server said no.
    Refused { status: u16, why: String },
    /// It would fail again.
    Fatal(String),
    /// It may be otherwise later.
    Later {
        why: String,
        after: Option<Duration>,
        /// Whether the server certainly did nothing.
        nothing_done: bool,
    },
}

/// Makes requests.
#[derive(Clone, Copy)]
pub(super) struct Exchange<'a> {
    pub(super) transport: &'a dyn Transport,
    pub(super) host: &'a dyn Host,
    pub(super) settings: &'a Settings,
    /// The part of addresses that is left out of messages.
    pub(super) base_url: &'a str,
}

impl Request {
    /// What is done, for messages: `POST /files`.
    pub(super) fn what(&self, base_url: &str) -> String {
        let (verb, url) = match self {
            Self::Get(url, _) => ("GET", url),
            Self::Post { url, .. } => ("POST", url),
        };
        format!("{verb} {}", path(url, base_url))
    }

    /// The error for a step of sending that failed: a server that does not have what it is sent to takes
    /// no batches.
    pub(super) fn not_sent(&self, base_url: &str, error: BatchError) -> BatchError {
        match (self, error) {
            (
                Self::Post { url, .. },
                BatchError::Refused {
                    status: Some(status @ (404 | 405 | 501)),
                    why,
                    ..
                },
            ) => BatchError::NoBatches {
                status,
                path: path(url, base_url),
                why,
            },
            (_, other) => other,
        }
    }
}

/// The part of an address that tells what is asked for.
fn path(url: &str, base_url: &str) -> String {
    let path = url.strip_prefix(base_url).unwrap_or(url);
    shorten(path.split('?').next().unwrap_or_default(), 200)
}

impl Exchange<'_> {
    /// Makes a request once, to the end.
    pub(super) async fn once(&self, request: &Request) -> Result<Vec<u8>, Trouble> {
        let response = match request {
            Request::Get(url, key) => self.transport.get(url, *key).await,
            Request::Post {
                url,
                content_type,
                body,
            } => {
                self.transport
                    .post(url, content_type, Arc::clone(body))
                    .await
            }
        };
        let later = |why, nothing_done| Trouble::Later {
            why,
            after: None,
            nothing_done,
        };
        match response {
            Ok(response) => sort(response),
            Err(TransportError::Fatal(why)) => Err(Trouble::Fatal(why)),
            Err(TransportError::NotSent(why)) => Err(later(why, true)),
            Err(TransportError::MayHeal(why)) => Err(later(why, false)),
        }
    }

    /// Makes a request once, or leaves it half-way when it is time to stop.
    pub(super) async fn once_unless_stopped(&self, request: &Request) -> Result<Vec<u8>, Trouble> {
        if self.host.stop() {
            return Err(Trouble::Interrupted);
        }
        tokio::select! {
            biased;
            done = self.once(request) => done,
            () = self.stopped() => Err(Trouble::Interrupted),
        }
    }

    /// Makes a request that does no harm when it is made twice, as often as is needed and allowed.
    pub(super) async fn persist(&self, request: &Request) -> Result<Vec<u8>, BatchError> {
        let mut attempt = 1;
        loop {
            let trouble = match self.once_unless_stopped(request).await {
                Ok(body) => return Ok(body),
                Err(trouble) => trouble,
            };
            match trouble {
                Trouble::Later { after, .. } if attempt < self.settings.attempts => {
                    self.rest(attempt, after).await?;
                    attempt += 1;
                }
                other => return Err(self.error(request, attempt, other)),
            }
        }
    }

    /// Waits after a failed attempt.
    pub(super) async fn rest(
        &self,
        attempt: u32,
        after: Option<Duration>,
    ) -> Result<(), BatchError> {
        let pause = Instant::now() + Retry::SERVER.pause(attempt);
        self.until(pause.max(Self::after(after))).await
    }

    /// Waits until `time`, or until it is time to stop.
    pub(super) async fn until(&self, time: Instant) -> Result<(), BatchError> {
        loop {
            if self.host.stop() {
                return Err(BatchError::Interrupted { under_way: 0 });
            }
            let left = time.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            sleep(left.min(SLICE)).await;
        }
    }

    /// When what a server asks to wait for is over.
    pub(super) fn after(after: Option<Duration>) -> Instant {
        Instant::now() + Retry::SERVER.granted(after.unwrap_or_default())
    }

    /// The error that trouble with a request amounts to.
    pub(super) fn error(&self, request: &Request, attempts: u32, trouble: Trouble) -> BatchError {
        let what = request.what(self.base_url);
        match trouble {
            Trouble::Interrupted => BatchError::Interrupted { under_way: 0 },
            Trouble::Fatal(why) => BatchError::Fatal(why),
            Trouble::Refused { status, why } => BatchError::Refused {
                what,
                status: Some(status),
                why,
            },
            Trouble::Later { why, .. } => BatchError::GaveUp {
                what,
                attempts,
                why,
            },
        }
    }

    async fn stopped(&self) {
        while !self.host.stop() {
            sleep(SLICE).await;
        }
    }
}

/// Sorts replies by their status.
fn sort(response: Response) -> Result<Vec<u8>, Trouble> {
    let Response {
        status,
        body,
        after,
    } = response;
    match status {
        200..=299 => Ok(body),
        _ if may_pass(status) => Err(Trouble::Later {
            why: format!("{} (status {status})", said(&body)),
            after,
            nothing_done: status == 429,
        }),
        _ => Err(Trouble::Refused {
            status,
            why: said(&body),
        }),
    }
}

/// What a server says went wrong, on one short line.
fn said(body: &[u8]) -> String {
    const MOST: usize = 300;
    // Error bodies are short; of a long one the beginning has to do.
    let start = &body[..body.len().min(16_384)];
    let value: Option<serde_json::Value> = serde_json::from_slice(start).ok();
    let message = value.as_ref().and_then(|value| {
        let error = value.get("error").unwrap_or(value);
        error
            .get("message")
            .unwrap_or(error)
            .as_str()
            .map(str::to_owned)
    });
    let message = message.unwrap_or_else(|| String::from_utf8_lossy(start).into_owned());
    match shorten(&message, MOST) {
        nothing if nothing.is_empty() => "no explanation".to_owned(),
        message => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_is_told_on_one_line() {
        assert_eq!(
            said(br#"{"error":{"message":"no\n such key","type":"x"}}"#),
            "no such key"
        );
        assert_eq!(
            said(br#"{"type":"error","error":{"type":"t","message":"m"}}"#),
            "m"
        );
        assert_eq!(said(br#"{"error":"flat"}"#), "flat");
        assert_eq!(said(br#"{"message":"top"}"#), "top");
        assert_eq!(
            said(b"<html>\nBad Gateway</html>"),
            "<html> Bad Gateway</html>"
        );
        assert_eq!(said(b""), "no explanation");
        assert_eq!(said(&vec![0xff; 10_000_000]).chars().count(), 300);
    }

    #[test]
    fn a_reply_counts_by_its_status() {
        let sorted = |status| {
            sort(Response {
                status,
                body: Vec::new(),
                after: None,
            })
        };
        assert!(sorted(200).is_ok() && sorted(201).is_ok());
        for status in [408, 409, 429, 500, 503, 529] {
            assert!(
                matches!(sorted(status), Err(Trouble::Later { .. })),
                "{status}"
            );
        }
        for status in [302, 400, 401, 404, 413, 501] {
            assert!(
                matches!(sorted(status), Err(Trouble::Refused { .. })),
                "{status}"
            );
        }
    }

    #[test]
    fn a_step_is_named_without_server_and_query() {
        let get = Request::Get("http://h/v1/batches?after=b".to_owned(), Key::Sent);
        assert_eq!(get.what("http://h/v1"), "GET /batches");
    }
}
