//! The client for downloads: turns, attempts, limits.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE};
use reqwest::{Client, Response, Url};

use super::connect::{Sort, connect, root_cause};
use super::error::{FetchError, Status};
use super::turns::Turns;
use crate::base::retry::{Retry, asked_wait, may_pass};

/// How often a wait looks whether everything was asked to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Redirections followed before it is taken for a circle.
const REDIRECTIONS: usize = 5;

/// How often something is asked for before it is given up.
const ATTEMPTS: u32 = 3;

/// Pauses. Nothing of this can change what is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Between two requests to one host. None is made for hosts on this machine, which are nobody
    /// else's.
    pub between: Duration,
    /// Before another attempt.
    pub retry: Retry,
}

impl Default for Pace {
    /// Two seconds between requests, which is what Project Gutenberg's own command for harvesters
    /// waits (`wget -w 2`).
    fn default() -> Self {
        Self {
            between: Duration::from_secs(2),
            retry: Retry::FILE,
        }
    }
}

impl Pace {
    /// No pauses at all: for tests.
    pub fn none() -> Self {
        Self {
            between: Duration::ZERO,
            retry: Retry::NONE,
        }
    }
}

/// How much and how long is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For a connection.
    pub connect: Duration,
    /// For the next bytes.
    pub read: Duration,
    /// The longest answer, in bytes.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(20),
            read: Duration::from_mins(1),
            bytes: 50_000_000,
        }
    }
}

/// What was fetched, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// What the server says they are.
    pub content_type: Option<String>,
}

/// Fetches files.
#[derive(Debug, Default)]
pub struct Fetcher {
    pace: Pace,
    limits: Limits,
    turns: Turns,
    /// Made when first needed: certificates take longer to read than most runs to find that nothing
    /// is to be fetched.
    clients: Mutex<BTreeMap<Sort, Client>>,
}

/// How an attempt failed.
enum Failed {
    /// For good.
    Surely(FetchError),
    /// Perhaps not the next time; with how long the server asks to wait.
    Perhaps(FetchError, Option<Duration>),
}

impl Fetcher {
    /// A fetcher that does nothing before it is asked for something.
    pub fn new(pace: Pace, limits: Limits) -> Self {
        Self {
            pace,
            limits,
            ..Self::default()
        }
    }

    /// Fetches what is at a url, or says why not. `stop` is looked at before every request and while
    /// waiting; what is under way is finished.
    ///
    /// # Errors
    /// A status other than success, a connection that fails in every attempt, an answer that is too
    /// large or encoded, an interruption.
    pub async fn get(
        &self,
        url: &str,
        stop: &(dyn Fn() -> bool + Send + Sync),
    ) -> Result<Fetched, FetchError> {
        let target = Url::parse(url).map_err(|error| FetchError::NoUrl {
            url: url.to_owned(),
            why: error.to_string(),
        })?;
        let sort = Sort::of(&target);
        let client = self.client(sort)?;
        let between = if sort.near {
            Duration::ZERO
        } else {
            self.pace.between
        };
        let mut turn = self.turns.take(target.authority().to_owned()).await;
        let mut attempt = 1;
        loop {
            if let Some(last) = *turn {
                wait(between.saturating_sub(last.elapsed()), stop).await;
            }
            if stop() {
                return Err(FetchError::Interrupted);
            }
            let outcome = self.once(&client, url, target.clone()).await;
            *turn = Some(Instant::now());
            match outcome {
                Ok(fetched) => return Ok(fetched),
                Err(Failed::Surely(error)) => return Err(error),
                Err(Failed::Perhaps(last, _)) if attempt == ATTEMPTS => {
                    return Err(FetchError::GaveUp {
                        attempts: attempt,
                        last: Box::new(last),
                    });
                }
                Err(Failed::Perhaps(error, asked)) => {
                    let retry = &self.pace.retry;
                    if let Some(asked) = asked.filter(|asked| retry.granted(*asked) < *asked) {
                        return Err(later(error, asked));
                    }
                    wait(asked.unwrap_or_else(|| retry.pause(attempt)), stop).await;
                }
            }
            attempt += 1;
        }
    }

    async fn once(&self, client: &Client, url: &str, target: Url) -> Result<Fetched, Failed> {
        let broken = |error: &reqwest::Error| FetchError::Broken {
            url: url.to_owned(),
            why: self.why(error),
        };
        let mut response = client.get(target).send().await.map_err(|error| {
            if error.is_redirect() || error.is_builder() {
                Failed::Surely(broken(&error))
            } else {
                Failed::Perhaps(broken(&error), None)
            }
        })?;
        let status = Status::of(response.status().as_u16());
        if !response.status().is_success() {
            let url = url.to_owned();
            let error = FetchError::Status { url, status };
            return Err(if may_pass(status.code()) {
                let header = |name: &str| response.headers().get(name)?.to_str().ok();
                Failed::Perhaps(error, asked_wait(header, SystemTime::now()))
            } else {
                Failed::Surely(error)
            });
        }
        if let Some(encoding) =
            header(&response, CONTENT_ENCODING).filter(|encoding| encoding != "identity")
        {
            let url = url.to_owned();
            return Err(Failed::Surely(FetchError::Encoded { url, encoding }));
        }
        let too_large = |bytes: u64| {
            let (url, limit) = (url.to_owned(), self.limits.bytes);
            (bytes > limit).then_some(Failed::Surely(FetchError::TooLarge { url, limit }))
        };
        let mut bytes: Vec<u8> = Vec::new();
        if let Some(failed) = response.content_length().and_then(too_large) {
            return Err(failed);
        }
        while let Some(more) = response
            .chunk()
            .await
            .map_err(|error| Failed::Perhaps(broken(&error), None))?
        {
            bytes.extend_from_slice(&more);
            if let Some(failed) = too_large(bytes.len() as u64) {
                return Err(failed);
            }
        }
        Ok(Fetched {
            bytes,
            content_type: header(&response, CONTENT_TYPE),
        })
    }

    /// What a failed request says of itself, at the bottom of it.
    fn why(&self, error: &reqwest::Error) -> String {
        if error.is_timeout() {
            return if error.is_connect() {
                format!("no connection within {:?}", self.limits.connect)
            } else {
                format!("no answer within {:?}", self.limits.read)
            };
        }
        root_cause(error)
    }

    /// The client for urls of a sort, made if there is none yet.
    fn client(&self, sort: Sort) -> Result<Client, FetchError> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&sort) {
            return Ok(client.clone());
        }
        let built = connect(sort, |builder| {
            builder
                .connect_timeout(self.limits.connect)
                .read_timeout(self.limits.read)
                .redirect(reqwest::redirect::Policy::limited(REDIRECTIONS))
        });
        let client = built.map_err(|error| FetchError::NoClient {
            why: self.why(&error),
        })?;
        clients.insert(sort, client.clone());
        Ok(client)
    }
}

/// A refusal that asks for more patience than there is.
fn later(error: FetchError, wait: Duration) -> FetchError {
    match error {
        FetchError::Status { url, status } => FetchError::Later { url, status, wait },
        other => other,
    }
}

fn header(response: &Response, name: reqwest::header::HeaderName) -> Option<String> {
    let value = response.headers().get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

/// Waits, but no longer than until everything was asked to stop.
async fn wait(pause: Duration, stop: &(dyn Fn() -> bool + Send + Sync)) {
    let until = Instant::now() + pause;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || stop() {
            return;
        }
        tokio::time::sleep(left.min(LOOK)).await;
    }
}
