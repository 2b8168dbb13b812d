//! A model on a server.
//!
//! One question becomes one attempt at one base url. Whether and when there is another is for others to decide.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::cut::{Counted, Script, Watch};
use super::http::{Client, Target};
use super::secret::Secret;
use super::twice::Given;
use super::{cut, identity};
use crate::base::key::Digest;
use crate::models::ask::{CallError, Model, Needs, PROMPT_TOKENS, Question, Reply, Role};
use crate::models::dialect::Dialect;
use crate::models::provider::{twice, whole};
use crate::models::spec::ModelSpec;

/// Counts the tokens of a text as the model would. It may take its time: it is called where that holds up nothing else.
pub type Count = Arc<dyn Fn(&str) -> Counted + Send + Sync>;

/// A model that a server answers for.
pub struct ServerModel {
    spec: ModelSpec,
    dialect: Dialect,
    client: Arc<Client>,
    /// Or why there is no key; said to whoever asks, for what is in the cache is read without one.
    headers: Result<HeaderMap, CallError>,
    places: Vec<Place>,
    count: Count,
}

/// One of the urls under which the model is served, and what was seen there.
#[derive(Debug)]
struct Place {
    url: String,
    /// The same, read; or why it is none.
    target: Result<Target, CallError>,
    given: Mutex<Given>,
    watch: Mutex<Watch>,
    /// Whether a model was ever heard there.
    heard: AtomicBool,
    /// Held by whoever counts the tokens of a prompt.
    counting: tokio::sync::Mutex<()>,
}

impl ServerModel {
    /// The model of a spec, if a server answers for it.
    pub fn new(spec: ModelSpec, client: Arc<Client>, count: Count) -> Option<Self> {
        let server = spec.provider.server()?;
        let dialect = server.dialect;
        let headers = match &server.key {
            None => Ok(headers(dialect, None)),
            Some(variable) => match client.secrets().get(variable) {
                Ok(key) => Ok(headers(dialect, Some(key))),
                Err(why) => Err(CallError::Fatal(why.to_string())),
            },
        };
        let url =
            |base: &String| format!("{}/{}", base.trim_end_matches('/'), dialect.contract().path);
        let places = server.base_urls.iter().map(url).map(|url| Place {
            target: Target::new(&url),
            url,
            given: Mutex::default(),
            watch: Mutex::default(),
            heard: AtomicBool::new(false),
            counting: tokio::sync::Mutex::default(),
        });
        Some(Self {
            places: places.collect(),
            dialect,
            client,
            headers,
            count,
            spec,
        })
    }

    /// The headers of every request, with the key if it takes one.
    ///
    /// # Errors
    /// When the key is not there.
    pub fn headers(&self) -> Result<HeaderMap, CallError> {
        self.headers.clone()
    }

    /// The request that a question becomes, as part of a batch.
    ///
    /// # Errors
    /// When the provider cannot ask it.
    pub fn request(&self, question: &Question) -> Result<Map<String, Value>, CallError> {
        self.dialect.request(&self.spec, question)
    }

    /// The reply in an answer that came in a batch, to a question if it is one of this run.
    ///
    /// # Errors
    /// Why there is none, as for [`Model::ask`].
    pub async fn read_batched(
        &self,
        status: Option<u16>,
        body: &[u8],
        question: Option<&Question>,
    ) -> Result<Reply, CallError> {
        let (value, text) = whole(body)
            .map_err(|why| CallError::Failed(format!("the answer is not JSON: {why}")))?;
        if let Some(why) = twice(&text) {
            return Err(CallError::Broken(format!(
                "an answer that can be read in two ways ({why})"
            )));
        }
        let place = self.places.first();
        let url = place.map_or("", |place| &place.url);
        let secrets = self.client.secrets();
        let read = self.dialect.read_value(status, &value, &self.spec, url);
        let mut reply = read.map_err(|error| secrets.redact_error(error))?.reply;
        secrets.redact_reply(&mut reply);
        reply.unchecked = question.is_none();
        identity::check(&self.spec, reply.model.as_deref())?;
        if let (Some(place), Some(question)) = (place, question) {
            self.is_whole(place, question, &reply).await?;
        }
        Ok(reply)
    }

    /// Refuses a reply to a prompt that the server has cut. A server that reports no tokens, or none at all as older
    /// Ollamas do for what they remember, cannot be checked.
    async fn is_whole(
        &self,
        place: &Place,
        question: &Question,
        reply: &Reply,
    ) -> Result<(), CallError> {
        let reported = reply.usage.get(PROMPT_TOKENS).copied().unwrap_or_default();
        if reported == 0 {
            return Ok(());
        }
        // Of earlier replies templates may leave out the thoughts.
        let read = || {
            question
                .messages
                .iter()
                .filter(|message| message.role != Role::Assistant)
        };
        let bytes = read().map(|message| message.content.len() as u64).sum();
        let trusted = || held(&place.watch).trusts(bytes, reported);
        if trusted() {
            return Ok(());
        }
        // One at a time: what the first replies show spares counting those that came with them. Were all of them
        // counted at once, each would take a thread, and with it memory that is not given back.
        let _alone = place.counting.lock().await;
        if trusted() {
            return Ok(());
        }
        let texts: Vec<String> = read().map(|message| message.content.clone()).collect();
        let count = Arc::clone(&self.count);
        let counting = tokio::task::spawn_blocking(move || {
            let script = Script::of(texts.iter().map(String::as_str));
            let each = texts.iter().map(|text| count(text));
            let counted = each.fold(
                Counted {
                    tokens: 0,
                    exact: true,
                },
                |sum, one| Counted {
                    tokens: sum.tokens.saturating_add(one.tokens),
                    exact: sum.exact && one.exact,
                },
            );
            (counted, script)
        });
        let (counted, script) = counting.await.map_err(|error| {
            CallError::Failed(format!("the prompt's tokens cannot be counted: {error}"))
        })?;
        cut::check(counted, script, reported)?;
        held(&place.watch).counted(bytes, reported);
        Ok(())
    }
}

#[async_trait]
impl Model for ServerModel {
    fn needs(&self) -> Needs<'_> {
        Needs::Prompt
    }

    async fn ask(&self, question: &Question, place: usize) -> Result<Reply, CallError> {
        let Some(place) = self.places.get(place) else {
            return Err(CallError::Fatal(format!(
                "model `{}` has no base url of number {place}",
                self.spec.name
            )));
        };
        let headers = self.headers.clone()?;
        let body = self.dialect.body(&self.spec, question)?;
        let digest = Digest::of(&body);
        let start = Instant::now();
        let target = place.target.as_ref().map_err(Clone::clone)?;
        let answer = self.client.post_to(target, headers, body).await?;
        let latency = start.elapsed();
        let secrets = self.client.secrets();
        let read = self.dialect.read(&answer, &self.spec);
        let received = match read.map_err(|error| secrets.redact_error(error)) {
            // Where a model was heard before, the url is right, and something in between shows the page.
            Err(CallError::Fatal(why))
                if answer.is_reply_page() && place.heard.load(Ordering::Relaxed) =>
            {
                return Err(CallError::Broken(why));
            }
            received => received?,
        };
        place.heard.store(true, Ordering::Relaxed);
        if let Some(id) = &received.id
            && held(&place.given).was_given(id, digest)
        {
            // What comes next on that connection may be late as well.
            self.client.hang_up();
            return Err(CallError::Broken(
                "the server delivered an answer twice".to_owned(),
            ));
        }
        let mut reply = received.reply;
        secrets.redact_reply(&mut reply);
        reply.latency_ms = u64::try_from(latency.as_millis()).unwrap_or(u64::MAX);
        identity::check(&self.spec, reply.model.as_deref())?;
        self.is_whole(place, question, &reply).await?;
        Ok(reply)
    }

    async fn check(&self, question: &Question, reply: &Reply) -> Result<(), CallError> {
        match self.places.first() {
            Some(place) => self.is_whole(place, question, reply).await,
            None => Ok(()),
        }
    }
}

impl fmt::Debug for ServerModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerModel")
            .field("spec", &self.spec)
            .field("places", &self.places)
            .finish_non_exhaustive()
    }
}

/// The headers of a request for JSON, with the key if there is one.
fn headers(dialect: Dialect, key: Option<&Secret>) -> HeaderMap {
    let contract = dialect.contract();
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in contract.headers {
        let name = HeaderName::from_static(name);
        headers.insert(name, HeaderValue::from_static(value));
    }
    let (name, before) = contract.key;
    let value = key.map(|key| format!("{before}{}", key.reveal()));
    // A secret is visible ASCII, which every header takes.
    if let Some(mut value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    headers
}

/// What is behind a lock that is never held for long.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
