//! What a job does for a node that is wanted: it makes some of its calls, or computes it.

use std::sync::Arc;

use super::cluster::Cluster;
use super::event::Event;
use super::execute::Engine;
use super::outcome::{Done, NodeError, NodeSummary, failed};
use super::questions::Questions;
use super::remote::{claim, fill, listed, publish, settle};
use super::shared::Shared;
use super::workers::blocking;
use super::{node, node_key, ready, work};
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::lock::lock;
use crate::cluster::crew::Crew;
use crate::cluster::desk::Desk;
use crate::cluster::note::{Failures, Want};
use crate::frame::Frame;
use crate::plan::NodeId;

/// Why a job could do nothing for a node.
#[derive(Clone, Debug)]
pub enum NoWork {
    /// It was asked to stop.
    Interrupted,
    /// What the node reads does not show here yet.
    NotHere,
    /// The node is another one here than where it was wanted.
    Other(String),
    /// It failed.
    Failed(Failure),
}

impl Engine {
    /// Takes part in the calls of a node that is wanted, or computes one that makes none; whether anything was claimed.
    ///
    /// # Errors
    /// Why nothing could be done.
    pub async fn work(&self, want: &Want) -> Result<bool, NoWork> {
        let shared = self.shared();
        let Cluster::Job(desk) = &shared.cluster else {
            return Err(NoWork::Failed(Failure::new("this process is no job")));
        };
        let digest = |text: &str| {
            let digest: Result<Digest, _> = text.parse();
            digest.map_err(|error| NoWork::Failed(Failure::new(error.to_string())))
        };
        let inputs: Vec<(Digest, u64)> = want
            .inputs
            .iter()
            .map(|(output, rows)| Ok((digest(output)?, *rows)))
            .collect::<Result<_, _>>()?;
        let key = digest(&want.key)?;
        let id = self.node_of(want, key, &inputs)?;
        if inputs
            .iter()
            .any(|(output, _)| !shared.results.nodes.path_of(output).exists())
        {
            return Err(NoWork::NotHere);
        }
        let plan_inputs = shared.plan.node(id).inputs.clone();
        for (&input, &(output, rows)) in plan_inputs.iter().zip(&inputs) {
            let done = Done {
                key: output,
                output,
                rows,
                files: serde_json::Value::Null,
                summary: NodeSummary::default(),
                reused: true,
            };
            shared.frames.has_result(input, Arc::new(done));
        }
        let done = if want.crew == Crew::Stages {
            computed(shared, desk, id, want).await
        } else {
            (shared.sink)(Event::Running {
                node: shared.titles[id.0].clone(),
                questions: None,
            });
            part(shared, desk, id, want).await
        };
        match done {
            Ok(claimed) => Ok(claimed),
            Err(NodeError::Failed(failure)) => Err(NoWork::Failed(failure)),
            Err(_) => Err(NoWork::Interrupted),
        }
    }

    /// The node that is wanted, which has the same key here.
    fn node_of(
        &self,
        want: &Want,
        key: Digest,
        inputs: &[(Digest, u64)],
    ) -> Result<NodeId, NoWork> {
        let shared = self.shared();
        let mut why = format!("there is no `{}` here", want.title);
        for id in shared
            .plan
            .ids()
            .filter(|id| shared.titles[id.0] == want.title)
        {
            let node = shared.plan.node(id);
            if node.inputs.len() != inputs.len() {
                continue;
            }
            let outputs = inputs.iter().map(|(output, _)| *output).collect();
            match node_key::key(shared, node, outputs) {
                Ok((_, own, _)) if own == key => return Ok(id),
                Ok(_) => {
                    why = format!(
                        "`{}` has another key on this node: a file or a template that it reads is another one here than where it was planned",
                        want.title
                    );
                }
                Err(error) => why = Failure::from(error).message,
            }
        }
        Err(NoWork::Other(why))
    }
}

/// Computes a node that nobody else has claimed. Its claim is done whether it has a result then or failed, which is said
/// before.
async fn computed(
    shared: &Arc<Shared>,
    desk: &Arc<Desk>,
    id: NodeId,
    want: &Want,
) -> Result<bool, NodeError> {
    let known = listed(desk).await?;
    let Some(claimed) = claim(desk, &want.key, &known).await? else {
        return Ok(false);
    };
    let ran = match sound(shared, id).await? {
        Some(damaged) => Err(damaged.into()),
        None => node::run(shared, id, None).await,
    };
    // Nothing here reads the result, and what it read is another node's business.
    shared.frames.reset();
    let stopped = match ran {
        Ok(_) => {
            desk.has_stored();
            None
        }
        Err(NodeError::Failed(failure)) => Some(failure),
        Err(error) => {
            settle(desk, &claimed, false).await?;
            return Err(error);
        }
    };
    let mut failures = Failures {
        node: want.key.clone(),
        calls: Vec::new(),
        stopped,
    };
    publish(desk, &mut failures).await?;
    settle(desk, &claimed, true).await?;
    Ok(true)
}

/// What of that which a node reads is no longer as it was written. Its run has what it takes to make it again, and a job has
/// not.
async fn sound(shared: &Arc<Shared>, id: NodeId) -> Result<Option<Failure>, NodeError> {
    let own = Arc::clone(shared);
    blocking(move || {
        for &input in &own.plan.node(id).inputs {
            let output = own.done(input)?.output;
            if let Err(damage) = own.results.check(&output) {
                let failure = Failure::new(damage.to_string());
                return Ok(Some(
                    failure.hint("a job cannot do that, but the next run does: run again"),
                ));
            }
        }
        Ok(None)
    })
    .await?
}

async fn part(
    shared: &Arc<Shared>,
    desk: &Arc<Desk>,
    id: NodeId,
    want: &Want,
) -> Result<bool, NodeError> {
    let node = shared.plan.node(id);
    let asks = node
        .stage
        .asks()
        .ok_or_else(|| failed("the stage calls no model"))?;
    let files = shared.files.of(node).map_err(failed)?;
    let script = files.get("script").copied();
    lock(&shared.wanted).insert(id, want.key.clone());
    if asks.until().is_some() {
        // Which rows are asked about follows from answers, which are read as the run reads them.
        let before = desk.stored();
        work::run(shared, id, script).await?;
        return Ok(desk.stored() > before);
    }
    let Some(long) = work::long(shared, id).await? else {
        let input = work::frame(shared, node.inputs[0]).await?;
        return of_rows(shared, desk, id, script, (0, input)).await;
    };
    let mut claimed = false;
    for at in 0..long.rows().len() {
        let own = Arc::clone(&long);
        let part = blocking(move || own.part(at)).await??;
        claimed |= of_rows(shared, desk, id, script, (at, Arc::new(part))).await?;
    }
    Ok(claimed)
}

/// Takes part in the calls about the rows of a table, or of one part of it.
async fn of_rows(
    shared: &Arc<Shared>,
    desk: &Arc<Desk>,
    id: NodeId,
    script: Option<Digest>,
    (at, input): (usize, Arc<Frame>),
) -> Result<bool, NodeError> {
    let own = Arc::clone(shared);
    let input = blocking(move || ready::asked(own.plan.node(id), input)).await??;
    let mut questions = Questions::new(shared, id, script, input).await?;
    questions.part = at;
    let questions = Arc::new(questions);
    let Some(key) = questions.job.clone() else {
        return Ok(false);
    };
    let total = questions.rows.count() * questions.asking.repeats as usize;
    let indices: Vec<usize> = (0..total).collect();
    let filled = fill(&questions, desk, &key, &indices).await?;
    Ok(filled.claimed > 0)
}
