//! How tasks stand and whether more are submitted, from what they wrote and what the scheduler says. Pure.
//!
//! A task's own note counts more than the scheduler's word; a task that is not listed is unknown, and unknown is alive
//! until nothing was heard of it for long.

use std::time::Duration;

use super::note::{Note, Phase};
use super::polling::{LONGEST, SHORTEST};
use super::profile::Profile;
use super::slurm::{Row, State};

/// How a task stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It waits, and why, in the scheduler's word.
    Waiting(String),
    /// It runs, as far as is known.
    Running,
    /// It did what it could and ended.
    Finished,
    /// It ended before its time, and how.
    Dead(String),
}

impl Standing {
    /// Whether anything may still come of it.
    pub fn is_alive(&self) -> bool {
        matches!(self, Self::Waiting(_) | Self::Running)
    }
}

/// How a task stands, of which the scheduler last listed this row, and which has written this note with its latest start.
///
/// `silent` is for how long neither has been seen to change, counted only while the scheduler answers.
pub fn standing(
    row: Option<&Row>,
    note: Option<&Note>,
    silent: Duration,
    profile: &Profile,
) -> Standing {
    let restarts = row.map(|row| row.restarts);
    // The note of an earlier start says nothing about the one that is listed.
    let note = note.filter(|note| restarts.is_none_or(|restarts| restarts <= note.of.restart));
    match note.map(|note| &note.phase) {
        Some(Phase::Finished) => return Standing::Finished,
        // Whoever stopped it, or made it drain to have its node, may start it again: that is seen when the scheduler lists it
        // next, or no longer does.
        Some(phase @ (Phase::Stopped | Phase::Drained)) => {
            let missed = *phase == Phase::Drained || silent >= profile.lost_after;
            return match row.map(|row| &row.state) {
                Some(State::Ended(_)) => Standing::Dead("was stopped".to_owned()),
                None if missed => Standing::Dead("was stopped".to_owned()),
                _ => Standing::Waiting(String::new()),
            };
        }
        Some(Phase::Failed(why)) => return Standing::Dead(why.clone()),
        Some(Phase::Starting | Phase::Working | Phase::Draining | Phase::Requeued) | None => {}
    }
    match row.map(|row| (&row.state, row.reason.as_str())) {
        Some((State::Pending, reason)) => Standing::Waiting(reason.to_owned()),
        Some((State::Running | State::Other(_), _)) => Standing::Running,
        Some((State::Ended(state), _)) => {
            Standing::Dead(ended(state, row.and_then(|row| row.exit)))
        }
        None if silent >= profile.lost_after => {
            Standing::Dead("is no longer listed, and nothing is heard of it".to_owned())
        }
        None if note.is_some() => Standing::Running,
        None => Standing::Waiting(String::new()),
    }
}

/// A state in words, with how it ended as the scheduler has it.
fn ended(state: &str, exit: Option<i64>) -> String {
    const KILLED: i64 = 9;
    match state {
        "FAILED" if exit.is_some_and(|exit| exit & 0x7f == KILLED) => {
            "was killed, as happens where `memory` does not suffice".to_owned()
        }
        "TIMEOUT" => "reached its time limit".to_owned(),
        "OUT_OF_MEMORY" => "ran out of memory".to_owned(),
        "CANCELLED" => "was cancelled".to_owned(),
        "NODE_FAIL" => "lost its node".to_owned(),
        "PREEMPTED" => "was preempted".to_owned(),
        "COMPLETED" => "ended without a word".to_owned(),
        "FAILED" => "ended before it could say why".to_owned(),
        other => format!("ended as {other}"),
    }
}

/// What is done about a crew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Nothing.
    Wait,
    /// So many tasks are submitted.
    Submit(u32),
    /// It is given up: its tasks die without a reply.
    GiveUp,
}

/// How it goes with a crew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Going {
    /// Calls, or stages, that are missing.
    pub missing: u64,
    /// So many of them are worth a task.
    pub each: u64,
    /// Tasks that may still do something.
    pub alive: u32,
    /// Submissions in a row after which nothing came.
    pub barren: u32,
    /// Whether anything came since the last submission.
    pub progress: bool,
    /// Whether those that died may be replaced by now.
    pub rested: bool,
    /// Whether more is missing than was when jobs were submitted last.
    pub grown: bool,
}

/// So many submissions in a row may come to nothing.
const TRIES: u32 = 2;

/// How long what has been done so many times already is not done again: longer each time.
pub fn rest(times: u32) -> Duration {
    SHORTEST.saturating_mul(1 << times.min(16)).min(LONGEST)
}

/// How many tasks what is missing is worth.
fn worth(going: Going, profile: &Profile) -> u32 {
    let tasks = going.missing.div_ceil(going.each.max(1));
    u32::try_from(tasks)
        .unwrap_or(u32::MAX)
        .min(profile.tasks.max(1))
}

/// What is done about a crew.
pub fn decide(going: Going, profile: &Profile) -> Decision {
    let worth = worth(going, profile);
    if going.missing == 0 || going.alive >= worth {
        return Decision::Wait;
    }
    match going.alive {
        0 if going.barren >= TRIES => Decision::GiveUp,
        // A server that dies after a few replies must not be started every second.
        0 if going.barren == 0 && !going.rested && !going.grown => Decision::Wait,
        0 => Decision::Submit(worth),
        // Those that died are replaced as long as the others get on, if not at once: a node that ends every job must not
        // be given a job every second.
        _ if going.progress && going.rested || going.grown => Decision::Submit(worth - going.alive),
        _ => Decision::Wait,
    }
}

#[cfg(test)]
mod tests;
