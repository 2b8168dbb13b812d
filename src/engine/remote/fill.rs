//! Making the calls of blocks that this job has claimed.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::disk::{claim, listed, publish, settle};
use super::{missing, read, scope, written};
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::cluster::claims::Block;
use crate::cluster::desk::{Claimed, Desk};
use crate::cluster::note::Failures;
use crate::engine::calls::Asker;
use crate::engine::no_call::NoCall;
use crate::engine::outcome::{NodeError, failed};
use crate::engine::questions::Questions;
use crate::engine::workers::blocking;
use crate::models::ask::CallError;

/// How long is waited for others whose blocks are not done.
const PAUSE: Duration = Duration::from_millis(500);

/// Questions are divided into so many blocks, which have no more than so many each: what a job that dies has claimed is made by
/// others only when it is missed.
const BLOCKS: usize = 64;
const LONGEST: usize = 256;

/// What one walk through the blocks of some questions came to.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::engine) struct Filled {
    /// Blocks that were claimed here.
    pub(in crate::engine) claimed: usize,
    /// Blocks that others have and that are not done.
    pub(in crate::engine) open: usize,
}

/// Takes part in the calls of some questions until all are made, by whomever.
pub(in crate::engine) async fn take_part(
    questions: &Arc<Questions>,
    desk: &Arc<Desk>,
    indices: Vec<usize>,
) -> Result<(), NodeError> {
    let Some(node) = questions.job.clone() else {
        return Err(failed("a job makes calls of nodes that are wanted"));
    };
    loop {
        let filled = fill(questions, desk, &node, &indices).await?;
        if filled.open == 0 && filled.claimed == 0 {
            questions.shared.caller.reopen()?;
            return spoil(questions, desk, &node).await;
        }
        if filled.claimed == 0 {
            tokio::time::sleep(PAUSE).await;
        }
        if questions.shared.interrupt.is_raised() {
            return Err(NodeError::Interrupted);
        }
    }
}

/// Takes note of calls that came to nothing at any job, which are not made again.
async fn spoil(questions: &Questions, desk: &Arc<Desk>, node: &str) -> Result<(), NodeError> {
    let own = Arc::clone(desk);
    let failures = blocking(move || own.session().failures(&|_| false)).await?;
    let of_node = failures
        .iter()
        .filter(|(_, failures)| failures.node == node);
    for failed in of_node.flat_map(|(_, failures)| &failures.calls) {
        if let Ok(call) = failed.call.parse::<Digest>() {
            questions.spoil(call, read(failed));
        }
    }
    Ok(())
}

/// How many of so many questions make a block, which is claimed as a whole. All jobs have to divide the same questions in the
/// same way, whenever they come to them: a block is known by its number.
fn block_of(questions: usize) -> usize {
    questions.div_ceil(BLOCKS).clamp(1, LONGEST)
}

/// A block that is under way.
struct UnderWay {
    claimed: Claimed,
    left: usize,
    /// Whether all its calls came to something, good or bad.
    whole: bool,
}

/// Walks once through the blocks of some questions, and makes the calls of those that it can claim.
pub(in crate::engine) async fn fill(
    questions: &Arc<Questions>,
    desk: &Arc<Desk>,
    node: &str,
    indices: &[usize],
) -> Result<Filled, NodeError> {
    let shared = &questions.shared;
    let prefix = format!(
        "{}-{}",
        &node[..node.len().min(16)],
        scope(questions, indices)
    );
    let block = block_of(indices.len());
    let count = indices.len().div_ceil(block);
    let known = listed(desk).await?;
    let begin = desk.begin_at(count);
    let mut order = (0..count).map(|at| (begin + at) % count);
    let window = questions.asking.model.limits.concurrency.max(1) as usize;
    let mut filled = Filled::default();
    let mut blocks: BTreeMap<usize, UnderWay> = BTreeMap::new();
    let mut queue: VecDeque<(usize, usize)> = VecDeque::new();
    let mut running = JoinSet::new();
    let mut stopped_by = None;
    let mut failures = Failures {
        node: node.to_owned(),
        ..Failures::default()
    };
    loop {
        let stop = shared.interrupt.is_raised() || questions.breaker.stopped();
        // One block ahead, so that no place at the server is free while a claim is made.
        while !stop && queue.is_empty() && running.len() < window {
            let Some(number) = order.next() else {
                break;
            };
            let name = format!("{prefix}-{number}");
            let Some(claimed) = claim(desk, &name, &known).await? else {
                filled.open += usize::from(!matches!(known.get(&name), Some(Block::Done)));
                continue;
            };
            filled.claimed += 1;
            let part = &indices[number * block..indices.len().min((number + 1) * block)];
            let calls = calls_of(questions, part).await?;
            let under_way = UnderWay {
                claimed,
                left: calls.len(),
                whole: true,
            };
            if calls.is_empty() {
                settle(desk, &under_way.claimed, under_way.whole).await?;
            } else {
                blocks.insert(number, under_way);
                queue.extend(calls.into_iter().map(|index| (number, index)));
            }
        }
        while !stop && running.len() < window {
            let Some((number, index)) = queue.pop_front() else {
                break;
            };
            let own = Arc::clone(questions);
            running.spawn(async move { (number, ask(&own, index).await) });
        }
        if stop {
            for (number, _) in queue.drain(..) {
                if let Some(under_way) = blocks.get_mut(&number) {
                    under_way.left -= 1;
                    under_way.whole = false;
                }
            }
            while let Some((&number, _)) = blocks.iter().find(|(_, one)| one.left == 0)
                && let Some(under_way) = blocks.remove(&number)
            {
                settle(desk, &under_way.claimed, under_way.whole).await?;
            }
        }
        let Some(joined) = running.join_next().await else {
            if stop || queue.is_empty() && order.len() == 0 {
                break;
            }
            continue;
        };
        let (number, asked) = joined.map_err(failed)?;
        let interrupted = shared.interrupt.is_raised();
        let came = came_to(asked, interrupted, &mut failures, &mut stopped_by)?;
        if let Some(under_way) = blocks.get_mut(&number) {
            under_way.left -= 1;
            under_way.whole &= came;
            if under_way.left == 0
                && let Some(under_way) = blocks.remove(&number)
            {
                // What it came to is published before it counts as done.
                publish(desk, &mut failures).await?;
                settle(desk, &under_way.claimed, under_way.whole).await?;
            }
        }
    }
    end(questions, desk, failures, stopped_by).await?;
    Ok(filled)
}

/// Whether a call came to something, good or bad; what is bad for good is written down.
fn came_to(
    asked: Result<(), (Digest, NoCall)>,
    interrupted: bool,
    failures: &mut Failures,
    stopped_by: &mut Option<Failure>,
) -> Result<bool, NodeError> {
    match asked {
        Ok(()) => Ok(true),
        // What failed because the server is gone, or the job is to stop, is made by another.
        Err((_, NoCall::Error(_))) if interrupted => Ok(false),
        Err((key, NoCall::Error(error))) => {
            if let CallError::Fatal(why) = &error {
                let failure = stopped_by.get_or_insert_with(|| Failure::new(why)).clone();
                failures.stopped.get_or_insert(failure);
            }
            failures.calls.push(written(key, &error));
            Ok(true)
        }
        Err((_, NoCall::Interrupted | NoCall::Offline)) => Ok(false),
        Err((_, NoCall::Cache(why))) => Err(Failure::new(why).into()),
    }
}

/// Publishes what is left to be published.
///
/// # Errors
/// Why no further call is made here, if so.
async fn end(
    questions: &Questions,
    desk: &Arc<Desk>,
    mut failures: Failures,
    stopped_by: Option<Failure>,
) -> Result<(), NodeError> {
    let interrupted = questions.shared.interrupt.is_raised();
    if !interrupted && let Some(why) = questions.breaker.why() {
        failures.stopped.get_or_insert_with(|| Failure::new(why));
    }
    let stopped = failures.stopped.clone().or(stopped_by);
    publish(desk, &mut failures).await?;
    match stopped {
        _ if interrupted => Err(NodeError::Interrupted),
        _ if !questions.breaker.stopped() => Ok(()),
        why => Err(why
            .unwrap_or_else(|| Failure::new("no call can succeed"))
            .into()),
    }
}

/// The questions of a block whose calls are not stored: whoever had it before may have stored some.
async fn calls_of(questions: &Arc<Questions>, part: &[usize]) -> Result<Vec<usize>, NodeError> {
    questions.shared.caller.reopen()?;
    let (own, part) = (Arc::clone(questions), part.to_vec());
    blocking(move || {
        let mut calls = Vec::new();
        for index in part {
            calls.extend(missing(&own, index)?.map(|_| index));
        }
        Ok(calls)
    })
    .await?
}

/// Makes the call of a question and stores its reply.
async fn ask(questions: &Questions, index: usize) -> Result<(), (Digest, NoCall)> {
    let nothing = |why: Failure| (Digest::of(""), NoCall::Cache(why.message));
    let posed = questions.posed(index).map_err(nothing)?;
    let asker = Asker {
        model: &*questions.model,
        asking: &questions.asking,
        route: &questions.route,
        breaker: &questions.breaker,
        came: &questions.came,
    };
    let asked = questions.shared.caller.call(asker, &posed).await;
    match asked {
        Ok(_) => Ok(()),
        Err(error) => {
            // Of a question whose first replies were cut off, the attempt that is missing.
            let caller = &questions.shared.caller;
            let missing = caller.missing(&questions.asking, &posed);
            let key = match missing {
                Ok(Some((key, _))) => key,
                _ => posed.key(0),
            };
            Err((key, error))
        }
    }
}
