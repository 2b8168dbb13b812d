//! Waiting for the result of a stage that a job computes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::wanted;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::cluster::crew::Crew;
use crate::cluster::fleet::Fleet;
use crate::engine::event::Event;
use crate::engine::outcome::{Done, NodeError};
use crate::engine::shared::Shared;
use crate::engine::workers::blocking;
use crate::plan::NodeId;

/// How often it is looked whether a job has said something, at the beginning and at the longest.
const LOOK: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(2)];

/// How late a disk may show what another machine wrote.
const LATE: Duration = Duration::from_mins(3);

/// Waits until a job has computed a node; nothing, if this process is to compute it.
pub(in crate::engine) async fn computed(
    shared: &Arc<Shared>,
    id: NodeId,
    key: &Digest,
    inputs: &[Arc<Done>],
) -> Result<Option<Done>, NodeError> {
    let Some((fleet, Crew::Stages)) = shared.cluster.fleet_of(shared.plan.node(id)) else {
        return Ok(None);
    };
    if !fleet.is_worth_it(inputs.iter().map(|input| input.rows).sum()) {
        return Ok(None);
    }
    let (own, outputs) = (Arc::clone(shared), inputs.to_vec());
    let sound = move || {
        outputs
            .iter()
            .all(|one| own.results.check(&one.output).is_ok())
    };
    // What is damaged is made again by whoever has the plan's results, which is this process.
    if !blocking(sound).await? {
        return Ok(None);
    }
    let want = wanted(&shared.titles[id.0], key, inputs, Crew::Stages);
    (shared.sink)(Event::Running {
        node: want.title.clone(),
        questions: None,
    });
    let name = want.key.clone();
    fleet.want(want, 1);
    let ended = until_there(shared, id, fleet, key).await;
    if ended.is_ok() {
        fleet.landed(&name, 1);
    }
    fleet.settled(&name);
    ended.map(Some)
}

async fn until_there(
    shared: &Arc<Shared>,
    id: NodeId,
    fleet: &Fleet,
    key: &Digest,
) -> Result<Done, NodeError> {
    let name = key.to_string();
    let mut pause = LOOK[0];
    let mut computed: Option<Instant> = None;
    loop {
        if shared.interrupt.is_raised() {
            return Err(NodeError::Interrupted);
        }
        if let Some(why) = fleet.stopped(&name, &Crew::Stages) {
            return Err(why.into());
        }
        // Not by the result alone: one some of whose rows failed before is there all the while.
        if fleet.is_computed(&name) {
            let (own, key) = (Arc::clone(shared), *key);
            let there = blocking(move || {
                // Disks that show late what others wrote may show what names a result before the result.
                let entry = own.results.nodes.entry(&key).ok().flatten()?;
                let bytes = own.results.nodes.path_of(&entry.output).exists();
                let found = bytes.then(|| own.results.find(&key))?;
                own.results.told(&own.titles[id.0], found)
            });
            if let Some(done) = there.await? {
                return Ok(Done {
                    reused: false,
                    ..done
                });
            }
            if computed.get_or_insert_with(Instant::now).elapsed() >= LATE {
                let failure = Failure::new("a job has computed it, and its result is not there");
                return Err(failure
                    .hint("see that nobody removes files from the cache, and run again")
                    .into());
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LOOK[1]);
    }
}
