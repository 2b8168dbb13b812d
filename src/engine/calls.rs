//! Calls: asked once, stored before they are used, shared by everyone who asks the same.
//!
//! For one key at most one request is under way, in this process and among all processes that
//! share the cache. Errors and refusals are never stored; a reply cut off by the length limit is
//! stored under its own attempt, so that asking again never pays for it twice.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::sync::{Semaphore, oneshot};

use super::breaker::Breaker;
use super::interrupt::Interrupt;
use crate::cache::{CacheError, CallStore, KeyLocks};
use crate::key::{CallKey, Digest, KEY_FORMAT, encode};
use crate::model::{CallError, Model, Question, Reply};
use crate::parse::Finish;
use crate::stage::Judge;

/// Why a call has no outcome at all.
#[derive(Clone, Debug)]
pub(super) enum NoCall {
    /// The run was interrupted, or the judge failed, before it was asked.
    Interrupted,
    /// It is not stored, and nothing may be asked.
    Offline,
    /// It failed.
    Error(CallError),
    /// The cache cannot be used.
    Cache(String),
}

impl From<CacheError> for NoCall {
    fn from(error: CacheError) -> Self {
        Self::Cache(error.in_full())
    }
}

/// A reply with where it came from.
pub(super) struct Called {
    pub(super) reply: Reply,
    pub(super) key: Digest,
    pub(super) asked: bool,
}

/// Makes calls.
pub(super) struct Caller {
    store: CallStore,
    locks: KeyLocks,
    slots: Mutex<BTreeMap<String, Arc<Semaphore>>>,
    offline: bool,
    interrupt: Interrupt,
    /// Why replies can no longer be stored: nothing more is asked, for it would be paid for in vain.
    full: OnceLock<String>,
    pub(super) made: AtomicU64,
    pub(super) reused: AtomicU64,
}

impl Caller {
    pub(super) fn open(
        cache: &Path,
        offline: bool,
        interrupt: Interrupt,
    ) -> Result<Self, CacheError> {
        Ok(Self {
            store: CallStore::open(cache)?,
            locks: KeyLocks::open(cache)?,
            slots: Mutex::default(),
            offline,
            interrupt,
            full: OnceLock::new(),
            made: AtomicU64::new(0),
            reused: AtomicU64::new(0),
        })
    }

    /// Damaged records met since the last time, in sentences.
    pub(super) fn damages(&self) -> Vec<String> {
        self.store
            .take_damages()
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// The reply to one question, asking again while it is cut off and the judge allows.
    ///
    /// `breaker` is told of the outcome while the question's slot is still held: once it has
    /// stopped, of those that wait for a slot none is asked any more.
    pub(super) async fn call(
        &self,
        model: &dyn Model,
        judge: &Judge,
        script: Option<Digest>,
        question: &Question,
        breaker: &Breaker,
    ) -> Result<Called, NoCall> {
        let mut attempt = 0;
        let mut asked = false;
        loop {
            let (_, key) = encode(&CallKey {
                format: KEY_FORMAT,
                model: judge.model.model.as_deref().unwrap_or(&judge.model.name),
                revision: judge.model.revision.as_deref(),
                messages: &question.messages,
                sampling: &judge.model.sampling,
                script,
                repeat: question.repeat,
                attempt,
            });
            let called = self.once(model, judge, key, question, breaker).await?;
            asked |= called.asked;
            if called.reply.finish != Finish::Length || attempt >= judge.retry_cut {
                return Ok(Called { asked, ..called });
            }
            attempt += 1;
        }
    }

    async fn once(
        &self,
        model: &dyn Model,
        judge: &Judge,
        key: Digest,
        question: &Question,
        breaker: &Breaker,
    ) -> Result<Called, NoCall> {
        if let Some(reply) = self.stored(&key)? {
            return Ok(self.reuse(reply, key));
        }
        if self.offline {
            return Err(NoCall::Offline);
        }
        let _alone = self.lock(&key).await?;
        // Whoever had the lock before may have stored the reply meanwhile.
        self.store.refresh()?;
        if let Some(reply) = self.stored(&key)? {
            return Ok(self.reuse(reply, key));
        }
        let slots = self.slots_of(judge);
        let _slot = slots.acquire().await.map_err(|_| NoCall::Interrupted)?;
        if self.interrupt.is_raised() || breaker.stopped() {
            return Err(NoCall::Interrupted);
        }
        if let Some(why) = self.full.get() {
            return Err(NoCall::Cache(why.clone()));
        }
        self.made.fetch_add(1, Ordering::Relaxed);
        let reply = model.ask(question).await;
        breaker.saw(reply.as_ref().err());
        let reply = reply.map_err(NoCall::Error)?;
        if let Err(why) = self.keep(&key, &reply).await {
            if let NoCall::Cache(why) = &why {
                self.full.get_or_init(|| why.clone());
            }
            return Err(why);
        }
        Ok(Called {
            reply,
            key,
            asked: true,
        })
    }

    fn reuse(&self, reply: Reply, key: Digest) -> Called {
        self.reused.fetch_add(1, Ordering::Relaxed);
        Called {
            reply,
            key,
            asked: false,
        }
    }

    fn stored(&self, key: &Digest) -> Result<Option<Reply>, NoCall> {
        let Some(bytes) = self.store.get(key)? else {
            return Ok(None);
        };
        // The bytes are checked by digest, so they are what some version wrote. The first reply stays:
        // were this one passed over, a new one would be paid for in every run and never kept.
        serde_json::from_slice(&bytes).map(Some).map_err(|error| {
            NoCall::Cache(format!(
                "the stored reply `{key}` has a form that this version does not know ({error}): use the version that wrote it, or another cache folder"
            ))
        })
    }

    async fn lock(&self, key: &Digest) -> Result<crate::cache::Guard, NoCall> {
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(guard) = self.locks.try_lock(key) {
                return Ok(guard);
            }
            if self.interrupt.is_raised() {
                return Err(NoCall::Interrupted);
            }
            // Another task or process is asking the same; its reply will be read from the store.
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    async fn keep(&self, key: &Digest, reply: &Reply) -> Result<(), NoCall> {
        let bytes = serde_json::to_vec(reply).map_err(|error| NoCall::Cache(error.to_string()))?;
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        let (sender, receiver) = oneshot::channel();
        self.store.put_then(key, &bytes, now, move |result| {
            // Gone only if this task was cancelled; then nobody uses the reply either.
            let _ = sender.send(result);
        });
        match receiver.await {
            Ok(result) => Ok(result?),
            Err(_) => Err(NoCall::Cache("the writer of calls stopped".to_owned())),
        }
    }

    fn slots_of(&self, judge: &Judge) -> Arc<Semaphore> {
        let slots = judge.model.limits.concurrency as usize;
        Arc::clone(
            self.slots
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(judge.model.name.clone())
                .or_insert_with(|| Arc::new(Semaphore::new(slots))),
        )
    }
}
