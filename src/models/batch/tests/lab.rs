//! A cache folder, a server in memory, and somebody who asks.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use async_trait::async_trait;
use serde_json::{Value, json};

use super::fake::{BASE, Fake};
use crate::base::key::Digest;
use crate::cache::{Batches, NodeStore};
use crate::models::batch::{BatchError, BatchEvent, Batcher, Host, Service, Settings};
use crate::models::dialect::Dialect;
use crate::models::provider::batches::{Batches as Format, Outcome};

pub(super) struct Lab {
    pub(super) folder: tempfile::TempDir,
    pub(super) server: Fake,
    pub(super) asker: Asker,
    pub(super) service: Service,
    pub(super) settings: Settings,
}

/// Keeps answers as a store would: what was taken is lost in a crash unless it was settled.
#[derive(Default)]
pub(super) struct Asker {
    taken: Mutex<BTreeMap<Digest, Outcome>>,
    stored: Mutex<BTreeMap<Digest, Outcome>>,
    order: Mutex<Vec<Digest>>,
    events: Mutex<Vec<BatchEvent>>,
    pub(super) stop: AtomicBool,
    /// Stops when the event with this number is told.
    pub(super) stop_at: AtomicU32,
    pub(super) cannot_store: AtomicBool,
    /// What the run wants.
    wanted: Mutex<BTreeSet<Digest>>,
    /// The most that was taken before it was to be stored.
    pub(super) most_at_once: AtomicUsize,
    /// Where it is seen whether anybody waits for requests to be put together.
    pub(super) batches: Mutex<Option<Batches>>,
}

#[async_trait]
impl Host for Asker {
    fn params(&self, id: &Digest) -> Value {
        if let Some(batches) = &*self.batches.lock().unwrap() {
            let tried = Cell::new(false);
            let deciding = batches.lock_all(&|| tried.replace(true));
            assert!(deciding.is_some(), "others wait");
        }
        if !self.wanted.lock().unwrap().contains(id) {
            // Nobody knows any more what it was.
            return json!({});
        }
        json!({"model": "m", "prompt": format!("what is\r\n--{id}?")})
    }

    fn stored(&self, id: &Digest) -> bool {
        matches!(self.of(id), Some(Outcome::Answer { .. }))
    }

    fn take(&self, id: &Digest, outcome: Outcome) {
        let mut taken = self.taken.lock().unwrap();
        taken.insert(*id, outcome);
        self.most_at_once.fetch_max(taken.len(), Ordering::SeqCst);
        self.order.lock().unwrap().push(*id);
    }

    async fn settle(&self) -> Result<(), String> {
        if self.cannot_store.load(Ordering::SeqCst) {
            return Err("no room left".to_owned());
        }
        tokio::task::yield_now().await;
        let taken = std::mem::take(&mut *self.taken.lock().unwrap());
        for (id, outcome) in taken {
            if outcome != Outcome::Elsewhere || !self.stored(&id) {
                self.store(id, outcome);
            }
        }
        Ok(())
    }

    fn tell(&self, event: BatchEvent) {
        let mut events = self.events.lock().unwrap();
        events.push(event);
        if events.len() == self.stop_at.load(Ordering::SeqCst) as usize {
            self.stop.store(true, Ordering::SeqCst);
        }
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    fn now(&self) -> u64 {
        1_000_000
    }
}

impl Asker {
    pub(super) fn of(&self, id: &Digest) -> Option<Outcome> {
        self.stored.lock().unwrap().get(id).cloned()
    }

    pub(super) fn store(&self, id: Digest, outcome: Outcome) {
        self.stored.lock().unwrap().insert(id, outcome);
    }

    pub(super) fn order(&self) -> Vec<Digest> {
        self.order.lock().unwrap().clone()
    }

    pub(super) fn events(&self) -> Vec<BatchEvent> {
        self.events.lock().unwrap().clone()
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let events = self.events().into_iter();
        events
            .filter_map(|event| match event {
                BatchEvent::Warning(text) => Some(text),
                _ => None,
            })
            .collect()
    }

    /// What a process that is killed forgets.
    pub(super) fn forget(&self) {
        self.taken.lock().unwrap().clear();
        self.order.lock().unwrap().clear();
        self.events.lock().unwrap().clear();
        self.stop.store(false, Ordering::SeqCst);
        self.stop_at.store(0, Ordering::SeqCst);
    }
}

impl Lab {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            server: Fake::new(dialect),
            asker: Asker::default(),
            service: Service::new(dialect, BASE, "m"),
            settings: Settings::of(dialect.contract().batches.unwrap()),
        }
    }

    pub(super) fn both() -> [Self; 2] {
        [Self::new(Dialect::OpenAi), Self::new(Dialect::Anthropic)]
    }

    /// How the provider takes batches.
    pub(super) fn format(&self) -> &'static Format {
        self.service.dialect.contract().batches.unwrap()
    }

    pub(super) fn batches(&self) -> Batches {
        NodeStore::open(self.folder.path()).unwrap().batches()
    }

    pub(super) async fn run(&self, wanted: &BTreeSet<Digest>) -> Result<(), BatchError> {
        self.run_for(&self.asker, wanted).await
    }

    pub(super) async fn run_for(
        &self,
        asker: &Asker,
        wanted: &BTreeSet<Digest>,
    ) -> Result<(), BatchError> {
        let batches = self.batches();
        asker.wanted.lock().unwrap().clone_from(wanted);
        let batcher = Batcher {
            service: &self.service,
            format: self.format(),
            settings: &self.settings,
            batches: &batches,
            transport: &self.server,
            host: asker,
        };
        batcher.run(wanted).await
    }

    /// Runs until the server hangs, then drops everything; false if it came to its end.
    pub(super) async fn run_until_it_hangs(&self, wanted: &BTreeSet<Digest>) -> bool {
        let hung = tokio::select! {
            done = self.run(wanted) => {
                done.unwrap();
                false
            }
            () = self.server.hanging.notified() => true,
        };
        self.asker.forget();
        self.server.state().hang_at = None;
        hung
    }

    /// Which of the questions have no stored answer.
    pub(super) fn unanswered(&self, wanted: &BTreeSet<Digest>) -> BTreeSet<Digest> {
        let ids = wanted.iter().copied();
        ids.filter(|id| self.asker.of(id).is_none()).collect()
    }

    pub(super) fn assert_all_answered(&self, wanted: &BTreeSet<Digest>) {
        for id in wanted {
            let answer = Outcome::Answer {
                status: 200,
                body: format!(r#"{{"text":"{id}"}}"#).into_bytes(),
            };
            assert_eq!(self.asker.of(id), Some(answer));
        }
    }

    /// How many batches of ours were created on the server.
    pub(super) fn created(&self) -> usize {
        let state = self.server.state();
        state.batches.iter().filter(|batch| !batch.foreign).count()
    }

    /// What is still written down.
    pub(super) fn written_down(&self) -> usize {
        self.batches().all::<Value>().unwrap().whole.len()
    }
}

pub(super) fn questions(n: u8) -> BTreeSet<Digest> {
    (0..n).map(|n| Digest::of([n])).collect()
}
