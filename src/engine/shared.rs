//! What the nodes of one run share.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use super::absent::Absent;
use super::calls::Caller;
use super::cluster::Cluster;
use super::event::{self, Sink};
use super::fetch::Books;
use super::files::Files;
use super::frames::Frames;
use super::interrupt::Interrupt;
use super::library::Library;
use super::outcome::{Done, NodeError, Outcome};
use super::results::Results;
use super::workers::Workers;
use crate::base::failure::Failure;
use crate::frame::Frame;
use crate::models::ask::Needs;
use crate::models::template::Templates;
use crate::plan::{NodeId, Plan};
use crate::stage::{Asking, Rows, Said};

/// What the nodes of one run share, subject by subject.
pub(super) struct Shared {
    pub(super) plan: Plan,
    pub(super) titles: Vec<String>,
    pub(super) templates: Templates,
    /// Results that are stored.
    pub(super) results: Results,
    /// What this run came to so far.
    pub(super) frames: Frames,
    pub(super) caller: Caller,
    /// What replies say that were read.
    pub(super) said: Arc<Said>,
    pub(super) library: Library,
    pub(super) files: Arc<Files>,
    pub(super) books: Arc<Books>,
    pub(super) absent: Arc<Absent>,
    pub(super) workers: Workers,
    /// Nothing is asked for that is not stored.
    pub(super) offline: bool,
    /// Who makes the calls.
    pub(super) cluster: Cluster,
    /// For a job: the nodes that are wanted, by the keys they are wanted under.
    pub(super) wanted: Mutex<BTreeMap<NodeId, String>>,
    /// Whether the plan was checked, which it must be before a node runs whose result is not known.
    pub(super) checked: AtomicBool,
    pub(super) interrupt: Interrupt,
    pub(super) sink: Sink,
}

impl Shared {
    /// The result of a node that ran or was known in this run.
    pub(super) fn done(&self, id: NodeId) -> Result<Arc<Done>, NodeError> {
        let done = self.frames.done(id);
        done.ok_or_else(|| {
            Failure::new(format!("`{}` has no result yet", self.titles[id.0])).into()
        })
    }

    /// Notes which nodes are yet to run, and with that what will be needed of models and tables.
    pub(super) fn expect(&self, to_run: &[NodeId]) {
        self.library
            .expect(to_run.iter().map(|&id| self.plan.node(id)));
        self.frames.expect(&self.plan, to_run);
    }

    /// A node that was to run has its result.
    pub(super) fn ran(&self, id: NodeId, done: Done) -> Outcome {
        self.ended(id);
        self.found(id, done)
    }

    /// A node that was to run needs nothing any more: what it used is needed once less.
    pub(super) fn ended(&self, id: NodeId) {
        if let Some(model) = self.plan.node(id).stage.model() {
            self.library.release(model);
        }
        self.frames.has_read(&self.plan, id);
    }

    /// A node has its result, which others can read.
    pub(super) fn found(&self, id: NodeId, done: Done) -> Outcome {
        let done = Arc::new(done);
        self.frames.has_result(id, Arc::clone(&done));
        if let Some((fleet, crew)) = self.cluster.fleet_of(self.plan.node(id)) {
            fleet.has_result(&crew);
        }
        Outcome::Done(done)
    }

    /// The questions about the rows of a table.
    pub(super) fn rows(
        &self,
        asking: &Asking,
        input: Arc<Frame>,
        needs: Needs,
    ) -> Result<Rows, Failure> {
        let prompt = asking.prompt.as_ref();
        let template = prompt.and_then(|prompt| self.templates.get(&prompt.name));
        Rows::new(asking.clone(), template, input, needs)
    }

    /// Tells what a person should know, of a node or of none.
    pub(super) fn warn(&self, title: Option<&str>, message: String) {
        event::warn(&self.sink, title, message);
    }
}
