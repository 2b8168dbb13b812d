//! What is done elsewhere, by jobs of a cluster: calls, each beside the server of its model, and stages that call none.
//!
//! A run waits for the replies to land in the store (`wait`) and then goes on as if they had been there before, so that its
//! tables are those of a run on one machine. A job makes the calls of blocks that it claimed (`fill`). A stage that a job
//! computes lands in the cache as a whole (`computed`).

mod computed;
mod disk;
mod fill;
mod wait;

use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) use self::computed::computed;
pub(super) use self::disk::{claim, listed, publish, settle};
pub(super) use self::fill::{fill, take_part};
pub(super) use self::wait::wait;
use super::outcome::{Done, NodeError};
use super::questions::Questions;
use crate::base::key::Digest;
use crate::cluster::crew::Crew;
use crate::cluster::note::{Failed, Sort, Want};
use crate::models::ask::CallError;

/// What jobs are told of a node whose inputs are there.
fn wanted(title: &str, key: &Digest, inputs: &[Arc<Done>], crew: Crew) -> Want {
    let inputs = inputs.iter();
    Want {
        title: title.to_owned(),
        key: key.to_string(),
        inputs: inputs
            .map(|done| (done.output.to_string(), done.rows))
            .collect(),
        crew,
    }
}

/// The call that a question needs next: its key, if any is missing. A call that came to nothing at a job is not missing.
fn missing(questions: &Questions, index: usize) -> Result<Option<Digest>, NodeError> {
    let repeats = questions.asking.repeats as usize;
    let row = index / repeats;
    if questions.rows.not_applicable(row).is_some() {
        return Ok(None);
    }
    let posed = questions.posed(index)?;
    let (gauge, model) = (&questions.route.gauge, &questions.asking.model);
    if gauge.too_long(model, &posed.question).is_some() {
        return Ok(None);
    }
    let caller = &questions.shared.caller;
    let missing = caller.missing(&questions.asking, &posed)?;
    Ok(missing
        .map(|(key, _)| key)
        .filter(|key| !questions.is_spoilt(key)))
}

/// An error as a job writes it down, if it is one for good.
fn written(call: Digest, error: &CallError) -> Failed {
    let sort = match error {
        CallError::Refused(_) => Sort::Refused,
        CallError::TooLong(_) => Sort::TooLong,
        CallError::Fatal(_) => Sort::Fatal,
        _ => Sort::Failed,
    };
    Failed {
        call: call.to_string(),
        sort,
        message: error.to_string(),
    }
}

/// The same, read back.
fn read(failed: &Failed) -> CallError {
    let message = failed.message.clone();
    match failed.sort {
        Sort::Refused => CallError::Refused(message),
        Sort::TooLong => CallError::TooLong(message),
        Sort::Fatal => CallError::Fatal(message),
        Sort::Failed => CallError::Failed(message),
    }
}

/// What tells the questions of one round of a node from those of another.
fn scope(questions: &Questions, indices: &[usize]) -> String {
    let ends: BTreeSet<usize> = indices
        .first()
        .into_iter()
        .chain(indices.last())
        .copied()
        .collect();
    let all = format!("{} {ends:?} {}", questions.part, indices.len());
    Digest::of(all).to_string()[..8].to_owned()
}
