//! Whole lanes against simulated servers, in simulated time.

mod load;
mod outages;
mod patience;
mod rates;
mod retries;
mod server;
mod waiting;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;

use self::server::Server;
use super::{Attempts, Lane, Outcome, Unanswered, call};
use crate::models::ask::CallError;
use crate::models::spec::Limits;

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn milliseconds(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn limits(concurrency: u32) -> Limits {
    Limits {
        concurrency,
        ..Limits::default()
    }
}

fn busy(after: Option<Duration>) -> Outcome {
    let message = "slow down".to_owned();
    Outcome::Busy { message, after }
}

/// One call with this key and estimate; the servers are the lane's, in order.
async fn ask(
    lane: &Lane,
    servers: &[Server],
    key: u64,
    estimate: u64,
    tokens: u64,
) -> Result<u64, CallError> {
    let answer = call::<_, (), _, _>(
        Attempts {
            lane,
            key: &key.to_le_bytes(),
            tokens: estimate,
            stop: &|| false,
        },
        |_| Ok(()),
        |place| servers[place].ask(tokens),
        |used| Some(*used),
        async |reply| Ok(reply),
    )
    .await;
    answer.map_err(|unanswered| match unanswered {
        Unanswered::Error(error) => error,
        other => panic!("{other:?}"),
    })
}

/// What came of many calls.
struct Flood {
    answered: u64,
    failed: Vec<CallError>,
}

/// So many callers, each of which makes one call after the other until there were enough of them.
async fn flood(lane: &Arc<Lane>, servers: &Arc<Vec<Server>>, callers: u64, calls: u64) -> Flood {
    let next = Arc::new(AtomicU64::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..callers {
        let (lane, servers, next) = (Arc::clone(lane), Arc::clone(servers), Arc::clone(&next));
        tasks.spawn(async move {
            let mut answered = 0;
            let mut failed = Vec::new();
            loop {
                let key = next.fetch_add(1, Ordering::Relaxed);
                if key >= calls {
                    return (answered, failed);
                }
                match ask(&lane, &servers, key, 100, 100).await {
                    Ok(_) => answered += 1,
                    Err(error) => failed.push(error),
                }
            }
        });
    }
    let mut flood = Flood {
        answered: 0,
        failed: Vec::new(),
    };
    while let Some(done) = tasks.join_next().await {
        let (answered, failed) = done.unwrap();
        flood.answered += answered;
        flood.failed.extend(failed);
    }
    flood
}

/// A switch that tests flip from outside.
#[derive(Clone, Default)]
struct Switch(Arc<AtomicBool>);

impl Switch {
    fn flip(&self) {
        self.0.fetch_xor(true, Ordering::SeqCst);
    }

    fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
