//! One request to a server that takes batches, as whoever has the client and the key makes it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

/// Whether a server may see the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// It is the server that the key is for.
    Sent,
    /// It is another one. The request has neither the key nor any other header that tells who asks.
    Withheld,
}

/// A complete reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Its status.
    pub status: u16,
    /// Its body, whole: one that was cut off is a [`TransportError::MayHeal`].
    pub body: Vec<u8>,
    /// How long the server asks to wait (`Retry-After`).
    pub after: Option<Duration>,
}

/// Why there is no complete reply. Messages are free of secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// It fails now and would fail again: no key, no certificates, no address, a reply beyond all limits.
    Fatal(String),
    /// The server could not be reached; nothing was sent.
    NotSent(String),
    /// The connection failed later. The server may have received and done everything.
    MayHeal(String),
}

/// Makes single requests: no retries, and no redirects to another server with the key.
#[async_trait]
pub trait Transport: Send + Sync {
    /// Gets what is at `url`.
    async fn get(&self, url: &str, key: Key) -> Result<Response, TransportError>;

    /// Posts JSON or a form, as `content_type` says. Bodies are of up to 256 MB, so they are lent rather than
    /// copied for every attempt.
    async fn post(
        &self,
        url: &str,
        content_type: &str,
        body: Arc<Vec<u8>>,
    ) -> Result<Response, TransportError>;
}
