//! What a task says of itself: one small file, replaced again and again, that is believed more than the scheduler.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::crew::Crew;
use crate::base::failure::Failure;

/// A task as it was started for the so-many-th time. Two of one task can run at once, so each has files of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Incarnation {
    /// The token of its array.
    pub array: String,
    /// Its number in the array.
    pub task: u32,
    /// How often it was started before.
    pub restart: u32,
}

impl fmt::Display for Incarnation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}.{}", self.array, self.task, self.restart)
    }
}

impl Incarnation {
    /// The one of this name.
    pub fn read(name: &str) -> Option<Self> {
        let (rest, restart) = name.rsplit_once('.')?;
        let (array, task) = rest.rsplit_once('_')?;
        Some(Self {
            array: array.to_owned(),
            task: task.parse().ok()?,
            restart: restart.parse().ok()?,
        })
    }
}

/// What a task does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Its server is being started, if it has one.
    Starting,
    /// It takes calls, or stages.
    Working,
    /// Its time is nearly up: it finishes what is in flight.
    Draining,
    /// There was nothing left to do.
    Finished,
    /// It drained, and asked the scheduler to be started again.
    Requeued,
    /// It drained, and is not started again.
    Drained,
    /// It was asked to stop.
    Stopped,
    /// It could not go on, and why not.
    Failed(String),
}

impl Phase {
    /// Whether this incarnation does nothing more.
    pub fn has_ended(&self) -> bool {
        !matches!(self, Self::Starting | Self::Working | Self::Draining)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Starting => "starting",
            Self::Working => "working",
            Self::Draining => "finishing before its time limit",
            Self::Finished => "finished",
            Self::Requeued => "waiting to be started again",
            Self::Drained => "ended at its time limit",
            Self::Stopped => "was stopped",
            Self::Failed(why) => return write!(f, "failed: {why}"),
        })
    }
}

/// A task's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Who writes.
    pub of: Incarnation,
    /// Larger each time it is written: who sees it grow knows that the task lives, whatever clocks say.
    pub beat: u64,
    /// What it does.
    pub phase: Phase,
    /// The node.
    pub host: String,
    /// The scheduler's id.
    pub job: String,
    /// What it is for.
    pub crew: Crew,
    /// Replies, or results of stages, that it has stored.
    pub stored: u64,
}

/// A call that came to nothing at a task, for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// The call's key.
    pub call: String,
    /// What sort of error it was.
    pub sort: Sort,
    /// What it said.
    pub message: String,
}

/// What sort of error a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    /// The model declined.
    Refused,
    /// The prompt was too long.
    TooLong,
    /// It failed for this row.
    Failed,
    /// No call of the model can succeed.
    Fatal,
}

/// What a task could not do for one node of the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failures {
    /// The key of the node.
    pub node: String,
    /// Calls that came to nothing.
    pub calls: Vec<Failed>,
    /// Why nothing more is done for it, if so.
    pub stopped: Option<Failure>,
}

/// What is to be done: the calls of a node whose inputs are there, or all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Want {
    /// The node, as people know it.
    pub title: String,
    /// Its key: a task that comes to another one has other files than the run.
    pub key: String,
    /// What it reads: digests and rows of results.
    pub inputs: Vec<(String, u64)>,
    /// Who does it.
    pub crew: Crew,
}

/// What all tasks are told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orders {
    /// The nodes that are to be worked for now.
    pub wanted: Vec<Want>,
    /// Of whom nothing will be wanted any more.
    pub over: Vec<Crew>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incarnation_is_read_back_from_its_name() {
        let own = Incarnation {
            array: "tribunal-ab12-judge.x_1".to_owned(),
            task: 7,
            restart: 2,
        };
        assert_eq!(Incarnation::read(&own.to_string()), Some(own));
        for strange in ["", "a", "a_1", "a.1", "a_x.1", "a_1.x"] {
            assert_eq!(Incarnation::read(strange), None, "{strange}");
        }
    }
}
