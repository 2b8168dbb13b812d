//! Calls: asked once, stored before they are used, shared by everyone who asks the same.
//!
//! For one key at most one request is under way, in this process and among all processes that
//! share the cache. Errors and refusals are never stored; a reply cut off by the length limit is
//! stored under its own attempt, so that asking again never pays for it twice. When a request is sent is
//! the business of `traffic`, whether it may be that of the `budget`, what all came to that of the `account`.

mod store;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use super::account::Account;
use super::breaker::Breaker;
use super::budget;
use super::call_key::Posed;
use super::came::Came;
use super::event::{Event, Sink};
use super::gauge::{Gauge, price, used};
use super::interrupt::Interrupt;
use super::no_call::NoCall;
use crate::base::key::Digest;
use crate::base::lock::lock;
use crate::cache::{CacheError, CallStore, KeyLocks};
use crate::cluster::desk::Desk;
use crate::models::ask::{CallError, Model, Question, Reply};
use crate::models::parse::Finish;
use crate::models::spec::ModelSpec;
use crate::models::traffic::{self, Attempts, Lane, Unanswered};
use crate::stage::Asking;

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
    lanes: Mutex<BTreeMap<String, Arc<Lane>>>,
    gauges: Mutex<BTreeMap<String, Arc<Gauge>>>,
    offline: bool,
    interrupt: Interrupt,
    pub(super) account: Account,
    sink: Sink,
    /// Where a job says how many replies it stored.
    desk: Option<Arc<Desk>>,
    /// Why replies can no longer be stored: nothing more is asked, for it would be paid for in vain.
    full: OnceLock<String>,
    /// Whether replies can be stored, which is tried before the first is asked for.
    prepared: OnceLock<Result<(), CacheError>>,
    /// When the cache was last seen to be there.
    seen: Mutex<Option<Instant>>,
}

/// The way to one model.
pub(super) struct Route {
    /// Shared by all stages that ask it at the same places within the same limits.
    lane: Arc<Lane>,
    /// Shared by all stages to which a token is the same.
    pub(super) gauge: Arc<Gauge>,
}

/// What is the same for all questions of one stage.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    pub(super) model: &'a dyn Model,
    pub(super) asking: &'a Asking,
    pub(super) route: &'a Route,
    pub(super) breaker: &'a Breaker,
    pub(super) came: &'a Came,
}

impl Caller {
    pub(super) fn open(
        cache: &Path,
        offline: bool,
        limits: budget::Limits,
        interrupt: Interrupt,
        sink: Sink,
        desk: Option<Arc<Desk>>,
    ) -> Result<Self, CacheError> {
        let locks = KeyLocks::open(cache)?;
        let store = match &desk {
            None => CallStore::open(cache)?,
            Some(desk) => {
                locks.among_threads();
                CallStore::open_as(cache, &desk.name())?
            }
        };
        Ok(Self {
            store,
            locks,
            lanes: Mutex::default(),
            gauges: Mutex::default(),
            offline,
            interrupt,
            account: Account::new(limits),
            sink,
            desk,
            full: OnceLock::new(),
            prepared: OnceLock::new(),
            seen: Mutex::default(),
        })
    }

    /// The way to a model. An axis may set where it is served, its limits or its tokenizer: those are told
    /// apart by what they are, not by the model's name.
    pub(super) fn route<E>(
        &self,
        model: &ModelSpec,
        gauge: impl FnOnce() -> Result<Gauge, E>,
    ) -> Result<Route, E> {
        fn shared<T, E>(
            shelf: &Mutex<BTreeMap<String, Arc<T>>>,
            name: String,
            make: impl FnOnce() -> Result<T, E>,
        ) -> Result<Arc<T>, E> {
            let mut shelf = lock(shelf);
            if let Some(there) = shelf.get(&name) {
                return Ok(Arc::clone(there));
            }
            let made = Arc::new(make()?);
            shelf.insert(name, Arc::clone(&made));
            Ok(made)
        }
        let urls = model.provider.server().map(|server| &server.base_urls);
        let places = urls.map_or(1, Vec::len);
        let lane = format!("{} {urls:?} {:?}", model.name, model.limits);
        let tokens = format!("{} {:?}", model.name, model.tokenizer);
        Ok(Route {
            lane: shared(&self.lanes, lane, || Ok(Lane::new(model.limits, places)))?,
            gauge: shared(&self.gauges, tokens, gauge)?,
        })
    }

    /// The reply to one question, asking again while it is cut off and the stage allows.
    pub(super) async fn call(&self, asker: Asker<'_>, posed: &Posed) -> Result<Called, NoCall> {
        let first = &posed.question;
        let mut attempt = 0;
        let (mut asked, mut came) = (false, false);
        loop {
            let key = posed.key(attempt);
            let again;
            let question = if attempt == 0 {
                first
            } else {
                again = Question {
                    attempt,
                    ..first.clone()
                };
                &again
            };
            let called = self.once(asker, key, question).await?;
            if !called.asked {
                // What was asked again after a reply that came, came too.
                came |= asker.came.take(&called.key);
                self.read(asker, question, &called.reply, came);
            }
            asked |= called.asked || came;
            if called.reply.finish != Finish::Length || attempt >= asker.asking.retry_cut {
                // What is stored is what the server sent.
                let reply = called.reply.whole(question.begins());
                return Ok(Called {
                    reply,
                    asked,
                    ..called
                });
            }
            attempt += 1;
        }
    }

    async fn once(
        &self,
        asker: Asker<'_>,
        key: Digest,
        question: &Question,
    ) -> Result<Called, NoCall> {
        let spec = &asker.asking.model;
        // Before the store is looked at: what is scored must not depend on what was asked before.
        if let Some(how) = aside(question, || asker.route.gauge.too_long(spec, question)) {
            return Err(NoCall::Error(CallError::TooLong(how)));
        }
        if let Some(called) = self.found(asker, key, question).await? {
            return Ok(called);
        }
        if self.offline {
            return Err(NoCall::Offline);
        }
        let _alone = self.lock(&key).await?;
        // Whoever had the lock before may have stored the reply meanwhile.
        self.store.refresh()?;
        if let Some(called) = self.found(asker, key, question).await? {
            return Ok(called);
        }
        let reply = self.ask(asker, &key, question).await?;
        Ok(Called {
            reply,
            key,
            asked: true,
        })
    }

    /// The stored reply to one question, if there is one.
    async fn found(
        &self,
        asker: Asker<'_>,
        key: Digest,
        question: &Question,
    ) -> Result<Option<Called>, NoCall> {
        let Some(reply) = self.stored(&key, &asker.asking.model)? else {
            return Ok(None);
        };
        Ok(Some(Called {
            reply: checked(asker.model, question, reply).await?,
            key,
            asked: false,
        }))
    }

    /// Asks, as often as the model's limits allow, and stores the reply.
    async fn ask(
        &self,
        asker: Asker<'_>,
        key: &Digest,
        question: &Question,
    ) -> Result<Reply, NoCall> {
        let (spec, gauge) = (&asker.asking.model, &asker.route.gauge);
        let counted = spec.limits.tokens_per_minute.is_some() || self.account.budget.bounds_cost();
        let read = if counted {
            aside(question, || gauge.question(question))
        } else {
            0
        };
        let price = |read, written| price(spec, read, written, false);
        let most = price(read, gauge.longest_reply(spec)).unwrap_or(0.0);
        let mut money = match self.account.budget.set_aside(most).await {
            Ok(money) => Some(money),
            Err(limit) => {
                self.interrupt.raise_because(limit);
                return Err(NoCall::Interrupted);
            }
        };
        let stop = || self.interrupt.is_raised() || asker.breaker.stopped();
        // Whether the breaker knows of the error already that the call ends with.
        let noted = AtomicBool::new(false);
        let attempts = Attempts {
            lane: &asker.route.lane,
            key: key.as_bytes(),
            tokens: read + gauge.expected_reply(spec),
            stop: &stop,
        };
        let permit = |attempt: u32| {
            if stop() {
                return Err(NoCall::Interrupted);
            }
            self.can_store()?;
            self.account.requested(attempt);
            Ok(())
        };
        let answered = traffic::call(
            attempts,
            permit,
            async |place: usize| {
                let answered = asker.model.ask(question, place).await;
                match &answered {
                    // Noted while the place in the lane is still held: of those that wait for one, none
                    // is asked after an error that nothing heals.
                    Ok(_) => asker.breaker.saw(None),
                    Err(error) if error.may_heal() => (self.sink)(Event::Held {
                        model: spec.name.clone(),
                        why: error.to_string(),
                    }),
                    Err(error) => {
                        noted.store(true, Ordering::Relaxed);
                        asker.breaker.saw(Some(error));
                    }
                }
                answered
            },
            |reply: &Reply| used(reply).map(|(read, written)| read + written),
            async |reply: Reply| {
                let (read, written) = self.account.took(gauge, spec, Some(question), &reply);
                if let Some(money) = money.take() {
                    money.settle(price(read, written));
                }
                if let Err(why) = self.keep(key, &reply).await {
                    if let NoCall::Cache(why) = &why {
                        self.full.get_or_init(|| why.clone());
                    }
                    return Err(why);
                }
                Ok(reply)
            },
        )
        .await;
        match answered {
            Ok(reply) => Ok(reply),
            Err(Unanswered::Stopped) => Err(NoCall::Interrupted),
            Err(Unanswered::Denied(why)) => Err(why),
            Err(Unanswered::Error(error)) => {
                self.account.failed();
                if !noted.load(Ordering::Relaxed) {
                    // Tried too often, which no single attempt could know.
                    asker.breaker.saw(Some(&error));
                }
                if let CallError::Refused(_) = &error {
                    // The prompt was read, and is paid for.
                    let read = aside(question, || gauge.question(question));
                    if let Some(money) = money.take() {
                        money.settle(price(read, 0));
                    }
                }
                Err(NoCall::Error(error))
            }
        }
    }

    /// Counts a reply that was read from the store.
    fn read(&self, asker: Asker<'_>, question: &Question, reply: &Reply, came: bool) {
        if !came {
            self.account.reused();
        } else if asker.came.by_jobs {
            let (gauge, spec) = (&asker.route.gauge, &asker.asking.model);
            self.account.paid(gauge, spec, Some(question), reply, None);
        }
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
}

/// Prompts of more bytes are counted where that holds up no other call.
const LONG: usize = 1 << 16;

/// Does work over a whole prompt, which takes milliseconds where it is long.
fn aside<T>(question: &Question, work: impl FnOnce() -> T) -> T {
    let bytes: usize = question.messages.iter().map(|one| one.content.len()).sum();
    if bytes > LONG {
        tokio::task::block_in_place(work)
    } else {
        work()
    }
}

/// A stored reply that came in a batch whose questions nobody knew then is checked when somebody does.
async fn checked(model: &dyn Model, question: &Question, reply: Reply) -> Result<Reply, NoCall> {
    if reply.unchecked {
        model.check(question, &reply).await.map_err(NoCall::Error)?;
    }
    Ok(reply)
}
