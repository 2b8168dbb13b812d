//! Claims and what is published of them, on a shared disk that may be away for a moment.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use crate::cluster::claims::Blocks;
use crate::cluster::desk::{Claimed, Desk};
use crate::cluster::note::Failures;
use crate::engine::outcome::{NodeError, failed};
use crate::engine::workers::blocking;

/// How often something is tried on a disk that is away for a moment, and how long is waited in between.
const TRIES: (u32, Duration) = (5, Duration::from_secs(1));

/// Does something on the shared disk, again where it fails at first.
async fn steadily<T: Send + 'static>(
    work: impl Fn() -> std::io::Result<T> + Clone + Send + 'static,
) -> Result<T, NodeError> {
    let mut tried = 1;
    loop {
        match blocking(work.clone()).await? {
            Ok(done) => return Ok(done),
            // A session that is gone stays away.
            Err(error) if tried >= TRIES.0 || error.kind() == ErrorKind::NotFound => {
                return Err(failed(error));
            }
            Err(_) => tokio::time::sleep(TRIES.1).await,
        }
        tried += 1;
    }
}

/// What is known of all blocks.
pub(in crate::engine) async fn listed(desk: &Arc<Desk>) -> Result<Blocks, NodeError> {
    let desk = Arc::clone(desk);
    steadily(move || desk.blocks()).await
}

/// Claims a block, if nobody has it who lives.
pub(in crate::engine) async fn claim(
    desk: &Arc<Desk>,
    name: &str,
    known: &Blocks,
) -> Result<Option<Claimed>, NodeError> {
    let known = known.get(name).cloned();
    let (desk, name) = (Arc::clone(desk), name.to_owned());
    steadily(move || desk.take(&name, known.as_ref())).await
}

/// Ends a claim: all that was claimed is done, good or bad, or it is given back.
pub(in crate::engine) async fn settle(
    desk: &Arc<Desk>,
    claimed: &Claimed,
    whole: bool,
) -> Result<(), NodeError> {
    let (desk, claimed) = (Arc::clone(desk), claimed.clone());
    steadily(move || {
        if whole {
            desk.done(&claimed)
        } else {
            desk.release(&claimed)
        }
    })
    .await
}

/// Publishes what came to nothing, if anything did.
pub(in crate::engine) async fn publish(
    desk: &Arc<Desk>,
    failures: &mut Failures,
) -> Result<(), NodeError> {
    if failures.calls.is_empty() && failures.stopped.is_none() {
        return Ok(());
    }
    let publish = Failures {
        node: failures.node.clone(),
        calls: std::mem::take(&mut failures.calls),
        stopped: failures.stopped.take(),
    };
    let desk = Arc::clone(desk);
    steadily(move || desk.failed(&publish)).await
}
