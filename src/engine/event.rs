//! The events that the engine emits while it works. Terminal, log lines and JSON are consumers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::cluster::crew::Crew;
use crate::stage::{Counts, Shortfall};

/// Something that happened. Nodes are named by their titles.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The run begins, or begins again because a damaged result came out differently.
    Started {
        /// How many nodes it has.
        nodes: usize,
    },
    /// A node's result was already known.
    Reused {
        /// The node.
        node: String,
        /// Rows of its result.
        rows: u64,
    },
    /// A book that a node reads is asked for.
    Fetching {
        /// The node.
        node: String,
        /// The book's number at Project Gutenberg.
        book: u64,
        /// How many of the node's books are there already.
        done: usize,
        /// How many it reads.
        of: usize,
    },
    /// A node begins to work.
    Running {
        /// The node.
        node: String,
        /// Questions it has to put to a model, if it is a judge.
        questions: Option<u64>,
    },
    /// One question was answered, or found to have no answer.
    Answered {
        /// The node.
        node: String,
        /// Whether a model was asked now, rather than a stored or recorded reply read.
        asked: bool,
        /// What the run has spent so far, where models have prices.
        #[serde(skip_serializing_if = "Option::is_none")]
        spent: Option<f64>,
    },
    /// A model's server cannot be asked as fast as the run would, and what the run waits for.
    Held {
        /// The model.
        model: String,
        /// What the server said, or what is waited for.
        why: String,
    },
    /// Something happened to a batch of a node's calls.
    Batch {
        /// The node.
        node: String,
        /// What happened.
        what: String,
    },
    /// How it goes with the jobs of a crew.
    Jobs {
        /// What the jobs are for.
        crew: Crew,
        /// How they stand.
        what: String,
    },
    /// Something happened between the run and a scheduler.
    Scheduler {
        /// What happened.
        what: String,
    },
    /// A node has its result, on disk.
    Finished {
        /// The node.
        node: String,
        /// Rows of the result.
        rows: u64,
        /// Time from beginning to stored result, in seconds.
        seconds: f64,
        /// What was scored and what not.
        counts: Counts,
    },
    /// A node failed.
    Failed {
        /// The node.
        node: String,
        /// What is wrong.
        message: String,
        /// How to repair it.
        hint: Option<String>,
    },
    /// A node was not run because something it reads has no result.
    Skipped {
        /// The node.
        node: String,
    },
    /// Something a person should know.
    Warning {
        /// The node it is about, if it is about one.
        node: Option<String>,
        /// What it is.
        message: String,
    },
    /// The run is over.
    Done(Summary),
}

/// What a run came to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Nodes that had to be run.
    pub ran: usize,
    /// Nodes whose result was known.
    pub reused: usize,
    /// Nodes that failed.
    pub failed: usize,
    /// Nodes not run because of a failure or interruption.
    pub skipped: usize,
    /// Calls made to models.
    pub calls_made: u64,
    /// Of these, calls that came to a reply.
    #[serde(skip)]
    pub calls_answered: u64,
    /// Calls that came to no reply, some of which were never sent.
    pub calls_failed: u64,
    /// Requests that were sent for them, those included that were put off or broke.
    pub requests: u64,
    /// Calls whose reply was stored already.
    pub calls_reused: u64,
    /// What all judges together scored and did not.
    pub counts: Counts,
    /// Stages that got too little of what they asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shortfalls: Vec<Shortfall>,
    /// Tokens that models read for the calls that were made, as far as servers say.
    pub tokens_read: u64,
    /// Tokens that models wrote for them.
    pub tokens_written: u64,
    /// What the calls cost, where models have prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// The limit that was reached, if that is why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Time taken, in seconds.
    pub seconds: f64,
    /// Seconds spent per node that ran, by title.
    pub spent: BTreeMap<String, f64>,
}

impl Summary {
    pub(super) fn took(&mut self, elapsed: Duration) {
        self.seconds = elapsed.as_secs_f64();
    }
}

/// Where events go. Called from many threads.
pub type Sink = Arc<dyn Fn(Event) + Send + Sync>;

/// Tells what a person should know, of a node or of none.
pub(super) fn warn(sink: &Sink, node: Option<&str>, message: String) {
    sink(Event::Warning {
        node: node.map(str::to_owned),
        message,
    });
}
