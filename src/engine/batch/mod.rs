//! Calls that are submitted as batches, before the prompts are sent one by one: those then find
//! their replies stored.
//!
//! What was handed in is written down, so a run that is killed costs nothing; the next one, which needs not
//! ask the same questions, fetches what became of it. A call that comes to nothing in its batches is not
//! made live behind the user's back: it failed, and the next run hands it in again.

mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::mpsc;

use self::wire::Wire;
use crate::base::clock::now;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::lock::lock;
use crate::base::wording::count;
use crate::engine::budget::Aside;
use crate::engine::event::Event;
use crate::engine::no_call::NoCall;
use crate::engine::outcome::NodeError;
use crate::engine::questions::Questions;
use crate::engine::workers::blocking;
use crate::models::ask::{CallError, Question};
use crate::models::batch::{BatchError, BatchEvent, Batcher, Host, Service, Settings};
use crate::models::provider::batches::Outcome;
use crate::models::wire::ServerModel;

/// Hands in everything that is not stored, and again what was cut off, until nothing is missing but what
/// came to nothing.
pub(super) async fn hand_in(questions: &Arc<Questions>) -> Result<(), NodeError> {
    let spec = &questions.asking.model;
    let Some(model) = questions
        .shared
        .library
        .server(spec, &questions.route.gauge)
    else {
        return Ok(());
    };
    let Some(server) = spec.provider.server() else {
        return Ok(());
    };
    let Some(format) = server.dialect.contract().batches else {
        return Ok(());
    };
    let model = Arc::new(model);
    let base = server.base_urls.first().map_or("", String::as_str);
    let service = Service::new(server.dialect, base, spec.asked());
    let settings = Settings {
        first_look: spec.limits.batch_poll,
        ..Settings::of(format)
    };
    let batches = questions.shared.results.nodes.batches();
    let transport = Wire {
        client: Arc::clone(questions.shared.library.client()),
        headers: model.headers(),
    };
    loop {
        questions.shared.caller.refresh()?;
        let (own, asked) = (Arc::clone(questions), Arc::clone(&model));
        let wanted = blocking(move || wanted(&own, &asked)).await??;
        if wanted.calls.is_empty() {
            let Some(limit) = wanted.limit else {
                return Ok(());
            };
            // Calls of other stages that are under way may turn out cheaper than they might have been.
            if questions.shared.caller.account.budget.settles().await {
                continue;
            }
            questions.shared.interrupt.raise_because(limit);
            return Err(NodeError::Interrupted);
        }
        questions.shared.caller.can_store()?;
        let keys: BTreeSet<Digest> = wanted.calls.keys().copied().collect();
        let (sender, answers) = mpsc::unbounded_channel();
        let host = Desk {
            questions: Arc::clone(questions),
            model: Arc::clone(&model),
            calls: wanted.calls,
            taken: sender,
            answers: tokio::sync::Mutex::new(answers),
            asides: Mutex::new(wanted.asides),
        };
        let batcher = Batcher {
            service: &service,
            format,
            settings: &settings,
            batches: &batches,
            transport: &transport,
            host: &host,
        };
        match batcher.run(&keys).await {
            Ok(()) => {}
            Err(error @ BatchError::Interrupted { .. }) => {
                questions
                    .shared
                    .warn(Some(&questions.title), error.to_string());
                return Err(NodeError::Interrupted);
            }
            Err(error) => return Err(Failure::new(error.to_string()).into()),
        }
    }
}

/// The calls that are to be made: of every question the first attempt that is not stored, where those
/// before it were cut off.
fn wanted(questions: &Questions, model: &ServerModel) -> Result<Wanted, NodeError> {
    let spec = &questions.asking.model;
    let mut wanted = Wanted::default();
    for row in 0..questions.rows.count() {
        if questions.rows.not_applicable(row).is_some() {
            continue;
        }
        let mut posed = questions.posed(row * questions.asking.repeats as usize)?;
        let gauge = &questions.route.gauge;
        if gauge.too_long(spec, &posed.question).is_some() {
            continue;
        }
        for repeat in 0..questions.asking.repeats {
            posed.question.repeat = repeat;
            let caller = &questions.shared.caller;
            let missing = caller.missing(&questions.asking, &posed)?;
            let Some((key, attempt)) = missing else {
                continue;
            };
            if wanted.calls.contains_key(&key) || questions.is_spoilt(&key) {
                continue;
            }
            // What cannot be asked live cannot be asked in a batch.
            if let Err(error) = model.request(&posed.question) {
                return Err(Failure::new(format!("model `{}`: {error}", spec.name)).into());
            }
            match caller.account.set_aside(gauge, spec, &posed.question) {
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
    questions: Arc<Questions>,
    model: Arc<ServerModel>,
    calls: BTreeMap<Digest, (usize, u32, u32)>,
    taken: mpsc::UnboundedSender<(Digest, Outcome)>,
    answers: tokio::sync::Mutex<mpsc::UnboundedReceiver<(Digest, Outcome)>>,
    asides: Mutex<BTreeMap<Digest, Aside>>,
}

impl Desk {
    fn question(&self, id: &Digest) -> Option<Question> {
        let &(row, repeat, attempt) = self.calls.get(id)?;
        let question = self.questions.rows.question(row, repeat).ok()?;
        Some(Question {
            attempt,
            ..question
        })
    }

    /// Stores a reply, or notes why there is none.
    async fn file(&self, id: Digest, outcome: Outcome) -> Result<(), NoCall> {
        let question = self.question(&id);
        let aside = lock(&self.asides).remove(&id);
        let read = match outcome {
            Outcome::Answer { status, body } => {
                let secrets = self.questions.shared.library.client().secrets();
                let body = secrets.redact(body, status >= 400);
                self.model
                    .read_batched(Some(status), &body, question.as_ref())
                    .await
            }
            Outcome::Errored { body } => {
                let secrets = self.questions.shared.library.client().secrets();
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
                self.questions.shared.caller.keep(&id, &reply).await?;
                self.questions.came.note(id);
                let spec = &self.questions.asking.model;
                let caller = &self.questions.shared.caller;
                let gauge = &self.questions.route.gauge;
                caller
                    .account
                    .paid(gauge, spec, question.as_ref(), &reply, aside);
            }
            Err(error) if error.may_heal() => {
                self.questions
                    .spoil(id, CallError::Failed(error.to_string()));
            }
            Err(error) => self.questions.spoil(id, error),
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
        match self.questions.fatal() {
            Some(why) => Err(format!(
                "model `{}`: {why}",
                self.questions.asking.model.name
            )),
            None => Ok(()),
        }
    }

    fn tell(&self, event: BatchEvent) {
        let shared = &self.questions.shared;
        let what = match event {
            BatchEvent::Uploading { requests, bytes } => format!(
                "submitting {} ({:.1} MB)",
                count(requests, "call"),
                bytes as f64 / 1e6
            ),
            BatchEvent::Submitted { id, requests } => {
                format!("batch `{id}` of {} submitted", count(requests, "call"))
            }
            BatchEvent::Resumed { id, requests } => format!(
                "batch `{id}` of {} was submitted before and is running",
                count(requests, "call")
            ),
            BatchEvent::Progress {
                id,
                done,
                failed,
                of,
            } => format!("batch `{id}`: {done} of {of} answered, {failed} failed"),
            BatchEvent::Ended { id } => format!("batch `{id}` has ended"),
            BatchEvent::Waiting { questions } => {
                format!("another process submitted {}", count(questions, "call"))
            }
            BatchEvent::Refused(message) | BatchEvent::Warning(message) => {
                shared.warn(Some(&self.questions.title), message);
                return;
            }
        };
        (shared.sink)(Event::Batch {
            node: self.questions.title.clone(),
            what,
        });
    }

    fn stored(&self, id: &Digest) -> bool {
        self.questions.shared.caller.has(id)
    }

    fn stop(&self) -> bool {
        self.questions.shared.interrupt.is_raised()
    }

    fn now(&self) -> u64 {
        now()
    }
}
