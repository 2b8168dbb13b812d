//! The questions of a stage that asks, with what is known of them from batches and jobs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::breaker::Breaker;
use super::call_key::{Posed, form_of};
use super::calls::Route;
use super::came::Came;
use super::cluster::Cluster;
use super::outcome::{NodeError, failed};
use super::ready;
use super::shared::Shared;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::lock::lock;
use crate::frame::Frame;
use crate::models::ask::{CallError, Model};
use crate::models::key::Form;
use crate::plan::NodeId;
use crate::stage::{Asking, ReadsAnswers, Rows};

/// The questions of a stage that asks.
pub(super) struct Questions {
    pub(super) shared: Arc<Shared>,
    pub(super) id: NodeId,
    /// Which part of a long table they are about.
    pub(super) part: usize,
    /// For a job: the key under which the node is wanted.
    pub(super) job: Option<String>,
    pub(super) title: String,
    pub(super) asking: Asking,
    pub(super) model: Arc<dyn Model>,
    pub(super) script: Option<Digest>,
    /// What the keys of its calls have in common.
    form: Arc<Form>,
    pub(super) reader: Arc<dyn ReadsAnswers>,
    pub(super) rows: Rows,
    pub(super) route: Route,
    pub(super) breaker: Arc<Breaker>,
    pub(super) came: Came,
    /// Calls that came to nothing in a batch, which are not made again by this run.
    spoilt: Mutex<BTreeMap<Digest, CallError>>,
    /// Questions whose answers were told of when they came.
    told: Mutex<BTreeSet<usize>>,
    /// The last row that was asked about, for its repeats: they follow one another.
    last: Mutex<Option<(usize, Posed)>>,
}

impl Questions {
    /// The questions of a node about every row of `input`.
    pub(super) async fn new(
        shared: &Arc<Shared>,
        id: NodeId,
        script: Option<Digest>,
        input: Arc<Frame>,
    ) -> Result<Self, NodeError> {
        let node = shared.plan.node(id);
        let asking = ready::asking(&shared.files, node)?;
        let (model, route) = ready::model(shared, &asking.model).await?;
        let rows = shared.rows(&asking, input, model.needs())?;
        let asks = node.stage.asks();
        let asks = asks.ok_or_else(|| failed("the stage calls no model"))?;
        let mut questions = Self {
            shared: Arc::clone(shared),
            id,
            part: 0,
            job: lock(&shared.wanted).get(&id).cloned(),
            title: shared.titles[id.0].clone(),
            form: form_of(&asking, script),
            asking,
            model,
            script,
            reader: asks.reader(&shared.said)?.into(),
            rows,
            route,
            breaker: Arc::default(),
            came: Came::default(),
            spoilt: Mutex::default(),
            told: Mutex::default(),
            last: Mutex::default(),
        };
        questions.came.by_jobs = questions.on_cluster();
        Ok(questions)
    }

    /// The question of this number, of those about rows about which there is one.
    pub(super) fn posed(&self, index: usize) -> Result<Posed, Failure> {
        let repeats = self.asking.repeats as usize;
        let (row, repeat) = (index / repeats, index % repeats);
        let repeat = u32::try_from(repeat).unwrap_or(u32::MAX);
        let of_row = |(of, posed): &(usize, Posed)| (*of == row).then(|| posed.clone());
        let last = lock(&self.last).as_ref().and_then(of_row);
        if let Some(mut posed) = last {
            posed.question.repeat = repeat;
            return Ok(posed);
        }
        let posed = Posed::new(self.rows.question(row, repeat)?, &self.form);
        if repeats > 1 {
            *lock(&self.last) = Some((row, posed.clone()));
        }
        Ok(posed)
    }

    /// Whether jobs make the calls, this process being one of them or not.
    pub(super) fn on_cluster(&self) -> bool {
        match &self.shared.cluster {
            Cluster::None => false,
            Cluster::Job(_) => true,
            fleet @ Cluster::Fleet(_) => fleet.fleet_of(self.shared.plan.node(self.id)).is_some(),
        }
    }

    /// Why a question was not answered in a batch, if it was in one.
    pub(super) fn spoilt(&self, posed: &Posed) -> Option<CallError> {
        let spoilt = lock(&self.spoilt);
        if spoilt.is_empty() {
            return None;
        }
        (0..=self.asking.retry_cut).find_map(|attempt| spoilt.get(&posed.key(attempt)).cloned())
    }

    /// Takes note that the answer to a question was told of when it came.
    pub(super) fn note_told(&self, index: usize) {
        lock(&self.told).insert(index);
    }

    /// Whether it was.
    pub(super) fn was_told(&self, index: usize) -> bool {
        lock(&self.told).remove(&index)
    }

    /// Whether a call came to nothing in a batch.
    pub(super) fn is_spoilt(&self, key: &Digest) -> bool {
        let spoilt = lock(&self.spoilt);
        spoilt.contains_key(key)
    }

    /// Takes note of a call that came to nothing in a batch.
    pub(super) fn spoil(&self, key: Digest, error: CallError) {
        let mut spoilt = lock(&self.spoilt);
        spoilt.insert(key, error);
    }

    /// An error that no call of the model can escape.
    pub(super) fn fatal(&self) -> Option<String> {
        let spoilt = lock(&self.spoilt);
        spoilt.values().find_map(|error| match error {
            CallError::Fatal(why) => Some(why.clone()),
            _ => None,
        })
    }
}
