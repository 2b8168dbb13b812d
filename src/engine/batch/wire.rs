//! How batches reach their servers.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};

use crate::models::ask::CallError;
use crate::models::batch::{Key, Response, Transport, TransportError};
use crate::models::provider::Answer;
use crate::models::wire::Client;

/// The longest file of results that is taken, in bytes.
const RESULTS: u64 = 1 << 30;

/// The HTTP client as batches use it.
pub(super) struct Wire {
    pub(super) client: Arc<Client>,
    pub(super) headers: Result<HeaderMap, CallError>,
}

/// A body that is lent to every attempt.
struct Lent(Arc<Vec<u8>>);

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// How long one request of a batch may take, uploads included.
const DEADLINE: Duration = Duration::from_mins(30);

impl Wire {
    fn headers(&self, key: Key) -> Result<HeaderMap, TransportError> {
        match (key, &self.headers) {
            (Key::Withheld, _) => Ok(HeaderMap::new()),
            (Key::Sent, Ok(headers)) => Ok(headers.clone()),
            (Key::Sent, Err(why)) => Err(TransportError::Fatal(why.to_string())),
        }
    }
}

async fn response(
    answer: impl Future<Output = Result<Answer, CallError>>,
) -> Result<Response, TransportError> {
    match tokio::time::timeout(DEADLINE, answer).await {
        Ok(Ok(answer)) => Ok(Response {
            status: answer.status,
            after: answer.after,
            body: answer.body,
        }),
        Ok(Err(CallError::Unreachable(why))) => Err(TransportError::NotSent(why)),
        Ok(Err(CallError::Broken(why))) => Err(TransportError::MayHeal(why)),
        Ok(Err(error)) => Err(TransportError::Fatal(error.to_string())),
        Err(_) => Err(TransportError::MayHeal(format!(
            "no whole answer within {} minutes",
            DEADLINE.as_secs() / 60
        ))),
    }
}

#[async_trait]
impl Transport for Wire {
    async fn get(&self, url: &str, key: Key) -> Result<Response, TransportError> {
        response(self.client.get(url, self.headers(key)?, RESULTS)).await
    }

    async fn post(
        &self,
        url: &str,
        content_type: &str,
        body: Arc<Vec<u8>>,
    ) -> Result<Response, TransportError> {
        let mut headers = self.headers(Key::Sent)?;
        let kind = HeaderValue::try_from(content_type)
            .map_err(|error| TransportError::Fatal(error.to_string()))?;
        headers.insert(CONTENT_TYPE, kind);
        let body = bytes::Bytes::from_owner(Lent(body));
        response(self.client.post(url, headers, body)).await
    }
}
