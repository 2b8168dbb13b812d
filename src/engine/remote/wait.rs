//! Waiting for replies that jobs store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{missing, read, wanted};
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::cluster::crew::Crew;
use crate::cluster::fleet::Fleet;
use crate::cluster::note::Want;
use crate::engine::event::Event;
use crate::engine::node_key;
use crate::engine::outcome::NodeError;
use crate::engine::questions::Questions;
use crate::engine::workers::blocking;

/// How often the store is looked at: soon again while replies come, less often while none do.
const LOOK: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(2)];

/// How often segments are opened anew, for disks that show late how long a file is.
const ANEW: Duration = Duration::from_secs(5);

/// Calls that are still to come, and the questions that need each.
type Missing = BTreeMap<Digest, Vec<usize>>;

/// Waits until all calls of these questions are stored, or came to nothing at a job.
pub(in crate::engine) async fn wait(
    questions: &Arc<Questions>,
    fleet: &Arc<Fleet>,
    indices: Vec<usize>,
) -> Result<(), NodeError> {
    questions.shared.caller.refresh()?;
    let mut left = look(questions, indices).await?;
    if left.is_empty() {
        return Ok(());
    }
    questions.shared.caller.can_store()?;
    let want = want(questions).await?;
    let (key, crew) = (want.key.clone(), want.crew.clone());
    fleet.want(want, left.len() as u64);
    let mut came = 0;
    let ended = until_none(questions, fleet, (&key, &crew), (&mut left, &mut came)).await;
    fleet.settled(&key);
    if ended.is_err() {
        questions.shared.caller.account.made_elsewhere(came);
    }
    ended
}

/// The calls that questions need and that are not stored.
async fn look(questions: &Arc<Questions>, indices: Vec<usize>) -> Result<Missing, NodeError> {
    let questions = Arc::clone(questions);
    blocking(move || {
        let mut found = Missing::new();
        for index in indices {
            if let Some(key) = missing(&questions, index)? {
                found.entry(key).or_default().push(index);
            }
        }
        Ok(found)
    })
    .await?
}

/// What jobs are told of the node.
async fn want(questions: &Arc<Questions>) -> Result<Want, NodeError> {
    let own = Arc::clone(questions);
    blocking(move || {
        let shared = &own.shared;
        let node = shared.plan.node(own.id);
        let inputs = node.inputs.iter().map(|&input| shared.done(input));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        let (_, key, _) = node_key::key(
            shared,
            node,
            inputs.iter().map(|done| done.output).collect(),
        )?;
        let crew = Crew::of_model(&own.asking.model.name);
        Ok(wanted(&own.title, &key, &inputs, crew))
    })
    .await?
}

async fn until_none(
    questions: &Arc<Questions>,
    fleet: &Arc<Fleet>,
    (key, crew): (&str, &Crew),
    (left, came): (&mut Missing, &mut u64),
) -> Result<(), NodeError> {
    let shared = &questions.shared;
    let mut pause = LOOK[0];
    let mut anew = Instant::now();
    let mut failures_seen = 0;
    while !left.is_empty() {
        if shared.interrupt.is_raised() {
            return Err(NodeError::Interrupted);
        }
        if let Some(Failure { message, hint }) = fleet.stopped(key, crew) {
            let usual = "finished replies are stored; the next run resumes from there";
            let failure = Failure::new(format!("model {crew}: {message}"));
            return Err(failure
                .hint(hint.unwrap_or_else(|| usual.to_owned()))
                .into());
        }
        tokio::time::sleep(pause).await;
        if anew.elapsed() >= ANEW {
            shared.caller.reopen()?;
            anew = Instant::now();
        } else {
            shared.caller.refresh()?;
        }
        let looked = Instant::now();
        let landed: Vec<Digest> = left
            .keys()
            .filter(|key| shared.caller.has(key))
            .copied()
            .collect();
        let mut again = Vec::new();
        for call in &landed {
            questions.came.note(*call);
            again.extend(left.remove(call).unwrap_or_default());
        }
        // Of a reply that was cut off the next attempt is waited for.
        let more = if questions.asking.retry_cut > 0 {
            look(questions, again.clone()).await?
        } else {
            Missing::new()
        };
        let waiting: BTreeSet<usize> = more.values().flatten().copied().collect();
        for index in again.iter().filter(|index| !waiting.contains(index)) {
            questions.note_told(*index);
            (shared.sink)(Event::Answered {
                node: questions.title.clone(),
                asked: true,
                spent: None,
            });
        }
        left.extend(more);
        let failures = fleet.failed_after(key, failures_seen);
        failures_seen += failures.len();
        for failed in failures {
            let Ok(call) = failed.call.parse::<Digest>() else {
                continue;
            };
            if left.remove(&call).is_some() {
                questions.spoil(call, read(&failed));
                shared.caller.account.failed();
                fleet.landed(key, 1);
            }
        }
        if landed.is_empty() {
            pause = (pause * 2).min(LOOK[1]);
        } else {
            fleet.landed(key, landed.len() as u64);
            *came += landed.len() as u64;
            pause = LOOK[0];
        }
        // Of a million calls it takes as long to look at all as of a thousand it takes to wait.
        pause = pause.max(looked.elapsed() * 5);
    }
    Ok(())
}
