//! Calls that are handed in as batches, before the questions are put one by one: those then find
//! their replies stored.
//!
//! What was handed in is written down, so a run that is killed costs nothing; the next one, which needs not
//! ask the same questions, fetches what became of it. A call that comes to nothing in its batches is not
//! made live behind the user's back: it failed, and the next run hands it in again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::Value;
use tokio::sync::mpsc;

use super::asking::Work;
use super::budget::Aside;
use super::calls::{NoCall, key_of, now};
use super::event::Event;
use super::node::NodeError;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::wording::count;
use crate::models::ask::{CallError, Question};
use crate::models::batch::{
    BatchError, BatchEvent, Batcher, Host, Key, Outcome, Response, Service, Settings, Transport,
    TransportError,
};
use crate::models::wire::{Client, ServerModel};

/// The longest file of results that is taken, in bytes.
const RESULTS: u64 = 1 << 30;

impl Work {
    /// Hands in everything that is not stored, and again what was cut off, until nothing is missing but what
    /// came to nothing.
    pub(super) async fn batched(self: &Arc<Self>) -> Result<(), NodeError> {
        let spec = &self.asking.model;
        let Some(model) = self.shared.library.server(spec, &self.route.gauge) else {
            return Ok(());
        };
        let Some(server) = spec.provider.server() else {
            return Ok(());
        };
        let model = Arc::new(model);
        let base = server.base_urls.first().map_or("", String::as_str);
        let name = spec.model.as_deref().unwrap_or(&spec.name);
        let service = Service::new(model.dialect(), base, name);
        let settings = Settings {
            first_look: spec.limits.batch_poll,
            ..Settings::of(model.dialect())
        };
        let batches = self.shared.nodes.batches();
        let transport = Wire {
            client: Arc::clone(self.shared.library.client()),
            headers: model.headers(),
        };
        loop {
            self.shared.caller.refresh()?;
            let (work, asked) = (Arc::clone(self), Arc::clone(&model));
            let wanted = self.shared.blocking(move || work.wanted(&asked)).await??;
            if wanted.calls.is_empty() {
                let Some(limit) = wanted.limit else {
                    return Ok(());
                };
                // Calls of other stages that are under way may turn out cheaper than they might have been.
                if self.shared.caller.budget_may_grow().await {
                    continue;
                }
                self.shared.interrupt.raise_because(limit);
                return Err(NodeError::Interrupted);
            }
            self.shared.caller.can_store()?;
            let keys: BTreeSet<Digest> = wanted.calls.keys().copied().collect();
            let (sender, answers) = mpsc::unbounded_channel();
            let host = Desk {
                work: Arc::clone(self),
                model: Arc::clone(&model),
                calls: wanted.calls,
                taken: sender,
                answers: tokio::sync::Mutex::new(answers),
                asides: Mutex::new(wanted.asides),
            };
            let batcher = Batcher {
                service: &service,
                settings: &settings,
                batches: &batches,
                transport: &transport,
                host: &host,
            };
            match batcher.run(&keys).await {
                Ok(()) => {}
                Err(error @ BatchError::Interrupted { .. }) => {
                    self.shared.warn(Some(&self.title), error.to_string());
                    return Err(NodeError::Interrupted);
                }
                Err(error) => return Err(Failure::new(error.to_string()).into()),
            }
        }
    }

    /// The calls that are to be made: of every question the first attempt that is not stored, where those
    /// before it were cut off.
    fn wanted(&self, model: &ServerModel) -> Result<Wanted, NodeError> {
        let spec = &self.asking.model;
        let mut wanted = Wanted::default();
        for row in 0..self.rows.count() {
            if self.rows.not_applicable(row).is_some() {
                continue;
            }
            let mut question = self.rows.question(row, 0)?;
            if self.route.gauge.too_long(spec, &question).is_some() {
                continue;
            }
            for repeat in 0..self.asking.repeats {
                question.repeat = repeat;
                let caller = &self.shared.caller;
                let missing = caller.missing(&self.asking, self.script, &question)?;
                let Some((key, attempt)) = missing else {
                    continue;
                };
                if wanted.calls.contains_key(&key) || self.is_spoilt(&key) {
                    continue;
                }
                // What cannot be asked live cannot be asked in a batch.
                if let Err(error) = model.request(&question) {
                    return Err(Failure::new(format!("model `{}`: {error}", spec.name)).into());
                }
                match caller.set_aside(&self.route, spec, &question) {
                    Ok(aside) => {
                        wanted.asides.insert(key, aside);
                        wanted.calls.insert(key, (row, repeat, attempt));
                    }
                    Err(limit) => {
                        wanted.limit = Some(limit);
                        return Ok(wanted);
                    }
                }
            }
        }
        Ok(wanted)
    }

    /// Why a question was not answered in a batch, if it was in one.
    pub(super) fn spoilt(&self, question: &Question) -> Option<CallError> {
        let spoilt = self.spoilt.lock().unwrap_or_else(PoisonError::into_inner);
        if spoilt.is_empty() {
            return None;
        }
        (0..=self.asking.retry_cut).find_map(|attempt| {
            let key = key_of(&self.asking, self.script, question, attempt);
            spoilt.get(&key).cloned()
        })
    }

    fn note_batched(&self, key: Digest) {
        let mut batched = self.batched.lock().unwrap_or_else(PoisonError::into_inner);
        batched.insert(key);
    }

    /// Whether this run got the reply in a batch; told once.
    pub(super) fn was_batched(&self, key: &Digest) -> bool {
        let mut batched = self.batched.lock().unwrap_or_else(PoisonError::into_inner);
        batched.remove(key)
    }

    fn is_spoilt(&self, key: &Digest) -> bool {
        let spoilt = self.spoilt.lock().unwrap_or_else(PoisonError::into_inner);
        spoilt.contains_key(key)
    }

    fn spoil(&self, key: Digest, error: CallError) {
        let mut spoilt = self.spoilt.lock().unwrap_or_else(PoisonError::into_inner);
        spoilt.insert(key, error);
    }

    /// An error that no call of the model can escape.
    fn fatal(&self) -> Option<String> {
        let spoilt = self.spoilt.lock().unwrap_or_else(PoisonError::into_inner);
        spoilt.values().find_map(|error| match error {
            CallError::Fatal(why) => Some(why.clone()),
            _ => None,
        })
    }
}

/// What is to be handed in.
#[derive(Default)]
struct Wanted {
    /// Row, repeat and attempt of each call.
    calls: BTreeMap<Digest, (usize, u32, u32)>,
    asides: BTreeMap<Digest, Aside>,
    /// The limit because of which there is no more.
    limit: Option<String>,
}

/// Where requests come from and answers go.
struct Desk {
    work: Arc<Work>,
    model: Arc<ServerModel>,
    calls: BTreeMap<Digest, (usize, u32, u32)>,
    taken: mpsc::UnboundedSender<(Digest, Outcome)>,
    answers: tokio::sync::Mutex<mpsc::UnboundedReceiver<(Digest, Outcome)>>,
    asides: Mutex<BTreeMap<Digest, Aside>>,
}

impl Desk {
    fn question(&self, id: &Digest) -> Option<Question> {
        let &(row, repeat, attempt) = self.calls.get(id)?;
        let question = self.work.rows.question(row, repeat).ok()?;
        Some(Question {
            attempt,
            ..question
        })
    }

    /// Stores a reply, or notes why there is none.
    async fn file(&self, id: Digest, outcome: Outcome) -> Result<(), NoCall> {
        let question = self.question(&id);
        let aside = self
            .asides
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&id);
        let read = match outcome {
            Outcome::Answer { status, body } => {
                let secrets = self.work.shared.library.client().secrets();
                let body = secrets.redact(body, status >= 400);
                self.model
                    .read_batched(Some(status), &body, question.as_ref())
                    .await
            }
            Outcome::Errored { body } => {
                let secrets = self.work.shared.library.client().secrets();
                let body = secrets.redact(body, true);
                // What the server calls an error may be read as nothing else.
                match self.model.read_batched(None, &body, None).await {
                    Err(error) => Err(error),
                    Ok(_) => Err(CallError::Failed(
                        "the server could not answer it".to_owned(),
                    )),
                }
            }
            Outcome::Expired => Err(CallError::Failed(
                "its batches expired before the server came to it".to_owned(),
            )),
            Outcome::Canceled => Err(CallError::Failed("its batch was cancelled".to_owned())),
            Outcome::Broken(why) => Err(CallError::Failed(why)),
            Outcome::TooLarge { bytes, limit } => Err(CallError::TooLong(format!(
                "a request of {bytes} bytes, where a batch takes {limit}"
            ))),
            // Looked up in the store.
            Outcome::Elsewhere => return Ok(()),
        };
        match read {
            Ok(reply) => {
                self.work.shared.caller.keep(&id, &reply).await?;
                self.work.note_batched(id);
                let spec = &self.work.asking.model;
                let caller = &self.work.shared.caller;
                caller.paid(&self.work.route, spec, question.as_ref(), &reply, aside);
            }
            Err(error) if error.may_heal() => {
                self.work.spoil(id, CallError::Failed(error.to_string()));
            }
            Err(error) => self.work.spoil(id, error),
        }
        Ok(())
    }
}

#[async_trait]
impl Host for Desk {
    fn params(&self, id: &Digest) -> Value {
        let question = self.question(id);
        let request = question.and_then(|question| self.model.request(&question).ok());
        // A question that could be put together once can be so again.
        Value::Object(request.unwrap_or_default())
    }

    fn take(&self, id: &Digest, outcome: Outcome) {
        // The receiver lives as long as this.
        let _ = self.taken.send((*id, outcome));
    }

    async fn settle(&self) -> Result<(), String> {
        let mut answers = self.answers.lock().await;
        while let Ok((id, outcome)) = answers.try_recv() {
            self.file(id, outcome).await.map_err(|error| match error {
                NoCall::Cache(why) => why,
                _ => "the reply cannot be stored".to_owned(),
            })?;
        }
        // What is wrong with all of them may be mended in the spec: then the batch is fetched again, which costs
        // nothing, and must not be forgotten.
        match self.work.fatal() {
            Some(why) => Err(format!("model `{}`: {why}", self.work.asking.model.name)),
            None => Ok(()),
        }
    }

    fn tell(&self, event: BatchEvent) {
        let shared = &self.work.shared;
        let what = match event {
            BatchEvent::Uploading { requests, bytes } => format!(
                "handing in {} ({:.1} MB)",
                count(requests, "call"),
                bytes as f64 / 1e6
            ),
            BatchEvent::Submitted { id, requests } => {
                format!("batch `{id}` of {} handed in", count(requests, "call"))
            }
            BatchEvent::Resumed { id, requests } => format!(
                "batch `{id}` of {} was handed in before and goes on",
                count(requests, "call")
            ),
            BatchEvent::Progress {
                id,
                done,
                failed,
                of,
            } => format!("batch `{id}`: {done} of {of} answered, {failed} failed"),
            BatchEvent::Ended { id } => format!("batch `{id}` is over"),
            BatchEvent::Waiting { questions } => {
                format!("another process handed in {}", count(questions, "call"))
            }
            BatchEvent::Refused(message) | BatchEvent::Warning(message) => {
                shared.warn(Some(&self.work.title), message);
                return;
            }
        };
        (shared.sink)(Event::Batch {
            node: self.work.title.clone(),
            what,
        });
    }

    fn stored(&self, id: &Digest) -> bool {
        self.work.shared.caller.has(id)
    }

    fn stop(&self) -> bool {
        self.work.shared.interrupt.is_raised()
    }

    fn now(&self) -> u64 {
        now()
    }
}

/// The HTTP client as batches use it.
struct Wire {
    client: Arc<Client>,
    headers: Result<HeaderMap, CallError>,
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
    answer: impl Future<Output = Result<crate::models::wire::Answer, CallError>>,
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
