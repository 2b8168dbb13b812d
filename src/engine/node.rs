//! One node: its key, whether its result is known, and running it if not.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::event::Event;
use super::node_key::key;
use super::outcome::{Done, NodeError, NodeSummary, failed};
use super::places::Place;
use super::product::{Product, Same, Stored, label};
use super::remote;
use super::shared::Shared;
use super::work;
use super::workers::blocking;
use crate::cache::Entry;
use crate::plan::NodeId;

/// Runs a node, or finds its result.
pub(super) async fn run(
    shared: &Arc<Shared>,
    id: NodeId,
    place: Option<Place>,
) -> Result<Done, NodeError> {
    let node = shared.plan.node(id);
    let title = &shared.titles[id.0];
    let inputs = node
        .inputs
        .iter()
        .map(|&input| shared.done(input))
        .collect::<Result<Vec<_>, _>>()?;
    let digests = inputs.iter().map(|done| done.output).collect();
    shared.books.fetch(title, node.stage.downloads()).await?;
    // Files are read for their digests.
    let (fields, key, files) = blocking({
        let shared = Arc::clone(shared);
        move || key(&shared, shared.plan.node(id), digests)
    })
    .await?
    .map_err(|error| unless_unchecked(shared, error))?;
    if let Some(done) = blocking({
        let (shared, title) = (Arc::clone(shared), title.clone());
        move || shared.results.known(&title, &key)
    })
    .await?
    {
        reused(shared, id, &done);
        return Ok(done);
    }
    if !shared.checked.load(Ordering::Relaxed) {
        return Err(NodeError::Unchecked);
    }
    let started = Instant::now();
    if let Some(done) = remote::computed(shared, id, &key, &inputs).await? {
        finished(shared, id, &done, started);
        return Ok(done);
    }
    // Exclusive among all processes: a second run of the same spec waits here and then reuses.
    let claim = blocking({
        let shared = Arc::clone(shared);
        move || {
            let nodes = &shared.results.nodes;
            nodes.claim(&key, &|| shared.interrupt.is_raised())
        }
    })
    .await?;
    let Some(claim) = claim else {
        return Err(NodeError::Interrupted);
    };
    // Damage was told of a moment ago.
    if let Ok(Some(done)) = shared.results.look(&key) {
        reused(shared, id, &done);
        return Ok(done);
    }
    let started = Instant::now();
    // Where answers decide how many are enough nobody knows how many there will be.
    let all = node.stage.asks().filter(|asks| asks.until().is_none());
    let questions = all
        .zip(inputs.first())
        .and_then(|(_, input)| node.stage.questions_about(input.rows));
    (shared.sink)(Event::Running {
        node: title.clone(),
        questions,
    });
    let (product, try_again) = work::run(shared, id, files.get("script").copied()).await?;
    let (counts, warnings) = match &product {
        Product::Table(output) => (&output.counts, &output.warnings),
        Product::Stored(stored) => (&stored.counts, &stored.warnings),
        Product::Same(same) => (&same.counts, &same.warnings),
    };
    let summary = NodeSummary {
        counts: counts.clone(),
        warnings: warnings.clone(),
        seconds: started.elapsed().as_secs_f64(),
        try_again,
    };
    let done = commit(shared, (id, place), claim, fields, product, summary).await?;
    finished(shared, id, &done, started);
    Ok(done)
}

/// Tells of a result that was made now.
fn finished(shared: &Shared, id: NodeId, done: &Done, started: Instant) {
    let title = &shared.titles[id.0];
    for warning in &done.summary.warnings {
        shared.warn(Some(title), warning.clone());
    }
    (shared.sink)(Event::Finished {
        node: title.clone(),
        rows: done.rows,
        seconds: started.elapsed().as_secs_f64(),
        counts: done.summary.counts.clone(),
    });
}

/// The error of a node, or that the plan has to be checked first, which knows more about it.
fn unless_unchecked(shared: &Shared, error: NodeError) -> NodeError {
    match error {
        NodeError::Failed(_) if !shared.checked.load(Ordering::Relaxed) => NodeError::Unchecked,
        error => error,
    }
}

/// Stores a result, which takes the disk and hardly a processor: another node begins meanwhile, if there is room for both in
/// memory.
async fn commit(
    shared: &Arc<Shared>,
    (id, place): (NodeId, Option<Place>),
    claim: crate::cache::Claim,
    fields: serde_json::Value,
    product: Product,
    summary: NodeSummary,
) -> Result<Done, NodeError> {
    let shared = Arc::clone(shared);
    blocking(move || {
        let key = *claim.key();
        let told = serde_json::to_value(&summary).map_err(failed)?;
        let (entry, committed) = match product {
            Product::Table(output) => {
                let frame = label(output.frame, shared.plan.node(id))?;
                let bytes = frame.to_parquet_quickly()?;
                let room = shared.workers.room_to_write(bytes.len());
                if let (Some(place), Some(_)) = (place, &room) {
                    place.leave();
                }
                let entry = Entry::new(key, fields, &bytes, frame.rows() as u64, told);
                let committed = claim.commit(&entry, &bytes);
                shared.frames.remember(&shared.plan, id, frame)?;
                (entry, committed)
            }
            Product::Stored(stored) => {
                let Stored { blob, rows, .. } = *stored;
                let entry = Entry::of_blob(key, fields, &blob, rows, told);
                let committed = claim.commit_blob(&entry, blob);
                (entry, committed)
            }
            Product::Same(same) => {
                let Same { output, rows, .. } = *same;
                let entry = Entry::of_stored(key, fields, output, rows, told);
                let committed = claim.commit_stored(&entry);
                (entry, committed)
            }
        };
        committed.map_err(|error| failed(error.in_full()))?;
        shared.results.wrote(&entry.output);
        Ok(Done {
            key,
            output: entry.output,
            rows: entry.rows,
            files: entry.fields.get("files").cloned().unwrap_or_default(),
            summary,
            reused: false,
        })
    })
    .await?
}

/// A known result is told with the warnings it had when it was made: they are still true.
pub(super) fn reused(shared: &Shared, id: NodeId, done: &Done) {
    let title = &shared.titles[id.0];
    for warning in &done.summary.warnings {
        shared.warn(Some(title), warning.clone());
    }
    (shared.sink)(Event::Reused {
        node: title.clone(),
        rows: done.rows,
    });
}
