//! The HTTP client: the only file that sends requests to model servers.
//!
//! One request, one answer, whole or not at all. Nothing is sent twice, no redirection is followed (it would carry the key
//! to wherever), and how long is waited for an answer is the caller's affair, who drops the request. Keys are taken out
//! of what came before anyone else sees it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, LOCATION};
use reqwest::{Body, Method, Url};

use super::secret::Secrets;
use crate::base::fetch::{Sort, connect, root_cause};
use crate::base::retry::asked_wait;
use crate::models::ask::CallError;
use crate::models::provider::Answer;

/// The longest reply that is taken, in bytes: sixteen thousand tokens with twenty log-probabilities each take some 25 MB.
/// JSON takes up to 37 times its bytes while it is read, which lists of single digits do.
pub const REPLY_LIMIT: u64 = 64_000_000;

/// How long is waited for a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// How long a connection that nobody uses is kept. Servers made with uvicorn, as vLLM is, close theirs after five
/// seconds, and what is sent at that moment is lost.
const IDLE: Duration = Duration::from_secs(4);

/// What the library for TLS says of a server that answers in plain words.
const NO_TLS: &str = "InvalidContentType";

/// Sends requests. One for a run, so that its connections are shared; there may be as many as there are requests under
/// way.
#[derive(Debug)]
pub struct Client {
    secrets: Arc<Secrets>,
    /// Made when first needed: certificates take longer to read than most runs that ask nobody.
    clients: Mutex<BTreeMap<Sort, reqwest::Client>>,
}

impl Client {
    /// A client that does nothing before it is asked for something.
    pub fn new(secrets: Arc<Secrets>) -> Self {
        Self {
            secrets,
            clients: Mutex::default(),
        }
    }

    /// The keys that are taken out of all answers.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Sends bytes to a url and takes up to [`REPLY_LIMIT`] bytes in return.
    ///
    /// # Errors
    /// [`CallError::Unreachable`] when nothing was sent, [`CallError::Broken`] when the connection was lost after that,
    /// [`CallError::Failed`] when the answer is too long, [`CallError::Fatal`] for a url that is none.
    pub async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: impl Into<Body>,
    ) -> Result<Answer, CallError> {
        self.post_to(&Target::new(url)?, headers, body).await
    }

    /// The same, to a url that was read before: reading it anew for every call takes a thirtieth of what a call costs.
    ///
    /// # Errors
    /// As [`Client::post`].
    pub async fn post_to(
        &self,
        target: &Target,
        headers: HeaderMap,
        body: impl Into<Body>,
    ) -> Result<Answer, CallError> {
        let request = (Method::POST, headers, Some(body.into()));
        self.send(target, request, REPLY_LIMIT).await
    }

    /// Asks for what is at a url, of at most `limit` bytes.
    ///
    /// # Errors
    /// As [`Client::post`].
    pub async fn get(
        &self,
        url: &str,
        headers: HeaderMap,
        limit: u64,
    ) -> Result<Answer, CallError> {
        let request = (Method::GET, headers, None);
        self.send(&Target::new(url)?, request, limit).await
    }

    /// Uses no connection again that there is now. What is under way is finished.
    pub fn hang_up(&self) {
        self.clients
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    async fn send(
        &self,
        target: &Target,
        (method, headers, body): (Method, HeaderMap, Option<Body>),
        limit: u64,
    ) -> Result<Answer, CallError> {
        let Target { url, host, shown } = target;
        let client = self.client(Sort::of(url))?;
        let mut request = client.request(method, url.clone()).headers(headers);
        if let Some(body) = body {
            request = request.body(body);
        }
        let mut response = request.send().await.map_err(|error| lost(&error, host))?;
        let status = response.status().as_u16();
        let text = |name: HeaderName| {
            let value = response.headers().get(name)?;
            Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        let (content_type, location) = (text(CONTENT_TYPE), text(LOCATION));
        let header = |name: &str| response.headers().get(name)?.to_str().ok();
        let after = asked_wait(header, SystemTime::now());
        let too_long = |bytes: u64| {
            let why = format!(
                "the answer of `{host}` is larger than {} MB, which is the limit",
                limit / 1_000_000
            );
            (bytes > limit).then_some(CallError::Failed(why))
        };
        if let Some(error) = response.content_length().and_then(too_long) {
            return Err(error);
        }
        let mut bytes: Vec<u8> = Vec::new();
        while let Some(more) = response.chunk().await.map_err(|error| lost(&error, host))? {
            bytes.extend_from_slice(&more);
            if let Some(error) = too_long(bytes.len() as u64) {
                return Err(error);
            }
        }
        Ok(Answer {
            url: shown.clone(),
            status,
            content_type: content_type.map(|text| self.clean(text)),
            location: location.map(|text| self.clean(text)),
            after,
            body: self.secrets.redact(bytes, status >= 400),
        })
    }

    fn clean(&self, mut text: String) -> String {
        self.secrets.redact_text(&mut text, true);
        text
    }

    /// The client for urls of a sort, made if there is none yet.
    fn client(&self, sort: Sort) -> Result<reqwest::Client, CallError> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&sort) {
            return Ok(client.clone());
        }
        let client = connect(sort, |builder| {
            builder
                .connect_timeout(CONNECT)
                .redirect(reqwest::redirect::Policy::none())
                .pool_idle_timeout(IDLE)
        });
        let client = client.map_err(|error| {
            CallError::Fatal(format!(
                "no connection can be made from here: {}",
                root_cause(&error)
            ))
        })?;
        clients.insert(sort, client.clone());
        Ok(client)
    }
}

/// Where requests go.
#[derive(Clone, Debug)]
pub struct Target {
    url: Url,
    /// Its host and port, for messages.
    host: String,
    /// All of it that is no secret.
    shown: String,
}

impl Target {
    /// Reads a url.
    ///
    /// # Errors
    /// [`CallError::Fatal`] for one that is none.
    pub fn new(url: &str) -> Result<Self, CallError> {
        let url = Url::parse(url)
            .map_err(|error| CallError::Fatal(format!("`{url}` is not a url: {error}")))?;
        let host = url.authority();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        Ok(Self {
            host: host.to_owned(),
            shown: shown(&url),
            url,
        })
    }
}

/// A url without what may be secret in it.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Neither fails for a url with a host, which one that was asked has.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

/// Why there is no answer, or half of one.
fn lost(error: &reqwest::Error, host: &str) -> CallError {
    let why = root_cause(error);
    if error.is_builder() {
        CallError::Fatal(format!("`{host}` cannot be asked: {why}"))
    } else if error.is_connect() && error.is_timeout() {
        CallError::Unreachable(format!("no connection to `{host}` within {CONNECT:?}"))
    } else if error.is_connect() {
        let advice = if why.contains(NO_TLS) {
            "; does it speak `http://`?"
        } else {
            ""
        };
        CallError::Unreachable(format!("`{host}` cannot be reached: {why}{advice}"))
    } else {
        CallError::Broken(format!("the connection to `{host}` broke: {why}"))
    }
}

#[cfg(test)]
mod tests;
