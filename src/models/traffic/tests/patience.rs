//! Servers that stay away: everybody is told, and nobody too soon.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::task::JoinSet;
use tokio::time::{Duration, Instant, sleep};

use super::server::Server;
use super::{ask, flood, limits, milliseconds, seconds};
use crate::models::ask::CallError;
use crate::models::spec::Limits;
use crate::models::traffic::{Attempts, Lane, Unanswered, call};

fn minutes(n: u64) -> Duration {
    Duration::from_mins(n)
}

fn silent(why: &str) -> CallError {
    CallError::Failed(format!(
        "no server of the model answered for 5 minutes: {why}"
    ))
}

/// A lane with these limits, and servers that were reached.
async fn reached(
    limits: Limits,
    many: usize,
    server: impl Fn() -> Server,
) -> (Arc<Lane>, Arc<Vec<Server>>) {
    let lane = Arc::new(Lane::new(limits, many));
    let servers: Arc<Vec<Server>> = Arc::new((0..many).map(|_| server()).collect());
    for key in 0..many as u64 {
        ask(&lane, &servers, key, 100, 100).await.unwrap();
    }
    (lane, servers)
}

#[tokio::test(start_paused = true)]
async fn everybody_is_told_of_servers_that_died_after_five_minutes() {
    for many in [1, 3] {
        let (lane, servers) = reached(limits(16), many, Server::default).await;
        servers.iter().for_each(|server| server.down.flip());
        let start = Instant::now();
        let flood = flood(&lane, &servers, 64, 64).await;
        let took = start.elapsed();
        assert_eq!(flood.failed, vec![silent("connection refused"); 64]);
        // The tries are a minute apart by then.
        assert!(took >= minutes(5) && took <= minutes(6), "{took:?}");
        let status = lane.status();
        assert_eq!((status.under_way, status.waiting), (0, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_during_a_long_hold_is_tried_once_it_is_over() {
    let (lane, servers) = reached(limits(4), 1, || Server {
        after: Some(minutes(10)),
        ..Server::default()
    })
    .await;
    servers[0].overloaded.flip();
    let start = Instant::now();
    let switch = servers[0].down.clone();
    tokio::spawn(async move {
        sleep(seconds(1)).await;
        switch.flip();
    });
    let flood = flood(&lane, &servers, 6, 6).await;
    let took = start.elapsed();
    assert_eq!(flood.failed, vec![silent("connection refused"); 6]);
    assert!(took >= minutes(15) && took <= minutes(16), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_is_told_when_its_last_try_is_over() {
    let (lane, servers) = reached(limits(4), 1, Server::default).await;
    servers[0].hangs.flip();
    let start = Instant::now();
    let flood = flood(&lane, &servers, 6, 6).await;
    let took = start.elapsed();
    assert_eq!(flood.failed, vec![silent("no whole reply within 600 s"); 6]);
    // Four calls time out, and the one that tries it after a second's rest.
    assert!(took <= minutes(20) + seconds(2), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn four_minutes_of_silence_lose_nothing_though_replies_take_two() {
    for latency in [milliseconds(200), minutes(2)] {
        let (lane, servers) = reached(limits(4), 1, || Server {
            latency: (latency, latency),
            ..Server::default()
        })
        .await;
        servers[0].down.flip();
        let switch = servers[0].down.clone();
        tokio::spawn(async move {
            sleep(minutes(4)).await;
            switch.flip();
        });
        let flood = flood(&lane, &servers, 6, 20).await;
        assert_eq!(flood.answered, 20, "{:?}", flood.failed.first());
    }
}

#[tokio::test(start_paused = true)]
async fn everybody_is_told_of_a_server_that_only_puts_off_after_half_an_hour() {
    for (after, most) in [(None, 31), (Some(minutes(7)), 36)] {
        let (lane, servers) = reached(limits(4), 1, || Server {
            after,
            ..Server::default()
        })
        .await;
        servers[0].overloaded.flip();
        let start = Instant::now();
        let flood = flood(&lane, &servers, 12, 12).await;
        let took = start.elapsed();
        let told = CallError::Failed(
            "the servers of the model put off every call for 30 minutes: too many requests"
                .to_owned(),
        );
        assert_eq!(flood.failed, vec![told; 12]);
        assert!(took >= minutes(30) && took <= minutes(most), "{took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_alone_waits_as_long_as_many_do() {
    for after in [None, Some(seconds(1)), Some(minutes(7))] {
        let (lane, servers) = reached(limits(4), 1, || Server {
            after,
            ..Server::default()
        })
        .await;
        servers[0].overloaded.flip();
        let switch = servers[0].overloaded.clone();
        tokio::spawn(async move {
            sleep(seconds(65)).await;
            switch.flip();
        });
        assert_eq!(ask(&lane, &servers, 7, 100, 100).await, Ok(100));
        servers[0].overloaded.flip();
        let start = Instant::now();
        let told = CallError::Failed(
            "the servers of the model put off every call for 30 minutes: too many requests"
                .to_owned(),
        );
        assert_eq!(ask(&lane, &servers, 8, 100, 100).await, Err(told));
        let took = start.elapsed();
        assert!(took >= minutes(30) && took <= minutes(36), "{took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_quota_that_is_back_after_twenty_minutes_loses_nothing() {
    let (lane, servers) = reached(limits(4), 1, || Server {
        after: Some(seconds(60)),
        ..Server::default()
    })
    .await;
    servers[0].overloaded.flip();
    let switch = servers[0].overloaded.clone();
    tokio::spawn(async move {
        sleep(minutes(20)).await;
        switch.flip();
    });
    let flood = flood(&lane, &servers, 6, 60).await;
    assert_eq!(flood.answered, 60, "{:?}", flood.failed.first());
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_while_one_of_two_servers_answers() {
    let latency = (minutes(7), minutes(7));
    let patient = Limits {
        retries: 20,
        ..limits(4)
    };
    let (lane, servers) = reached(patient, 2, || Server {
        latency,
        ..Server::default()
    })
    .await;
    servers[0].down.flip();
    let switch = servers[1].down.clone();
    tokio::spawn(async move {
        // Six minutes after its last reply the other one is started anew, and breaks what is under way.
        sleep(minutes(20)).await;
        switch.flip();
        sleep(minutes(4)).await;
        switch.flip();
    });
    let flood = flood(&lane, &servers, 6, 20).await;
    assert_eq!(flood.answered, 20, "{:?}", flood.failed.first());
}

#[tokio::test(start_paused = true)]
async fn later_calls_are_told_at_once_until_one_finds_the_server_alive() {
    let (lane, servers) = reached(limits(16), 1, Server::default).await;
    servers[0].down.flip();
    flood(&lane, &servers, 64, 64).await;
    let start = Instant::now();
    let sent = || servers[0].sent.lock().unwrap().len();
    let before = sent();
    let told = flood(&lane, &servers, 64, 1_000).await;
    assert_eq!(told.failed, vec![silent("connection refused"); 1_000]);
    assert_eq!((start.elapsed(), sent() - before), (Duration::ZERO, 0));
    // An hour later it is still away: one call finds out.
    sleep(minutes(60)).await;
    let told = flood(&lane, &servers, 64, 1_000).await;
    assert_eq!(told.failed, vec![silent("connection refused"); 1_000]);
    assert_eq!(sent() - before, 1);
    assert!(start.elapsed() < minutes(60) + seconds(1));
    sleep(minutes(1)).await;
    servers[0].down.flip();
    assert_eq!(ask(&lane, &servers, 7, 100, 100).await, Ok(100));
    let start = Instant::now();
    assert_eq!(flood(&lane, &servers, 64, 1_600).await.answered, 1_600);
    assert!(start.elapsed() <= seconds(21), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn time_without_calls_does_not_count() {
    let (lane, servers) = reached(limits(16), 1, Server::default).await;
    servers[0].down.flip();
    flood(&lane, &servers, 1, 1).await;
    sleep(minutes(60)).await;
    let start = Instant::now();
    let flood = flood(&lane, &servers, 20, 20).await;
    assert_eq!(flood.failed.len(), 20);
    assert!(start.elapsed() >= minutes(5), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn one_prompt_that_never_ends_does_not_condemn_the_server() {
    let (lane, servers) = reached(limits(16), 1, Server::default).await;
    servers[0].hangs.flip();
    let alone = flood(&lane, &servers, 1, 1).await;
    let message = "given up after 6 attempts: no whole reply within 600 s";
    assert_eq!(alone.failed, [CallError::Failed(message.to_owned())]);
    servers[0].hangs.flip();
    assert_eq!(flood(&lane, &servers, 64, 64).await.answered, 64);
}

#[tokio::test(start_paused = true)]
async fn no_call_is_made_more_often_than_its_own_retries_allow() {
    for retries in [0, 1] {
        let limits = Limits {
            retries,
            ..Limits::default()
        };
        let lane = Arc::new(Lane::new(limits, 1));
        let reached = Server::default();
        ask(&lane, &[reached], 0, 1, 1).await.unwrap();
        let mut calls = JoinSet::new();
        for key in 0..64_u64 {
            let lane = Arc::clone(&lane);
            calls.spawn(async move {
                let made = AtomicU32::new(0);
                let result = call::<(), (), _, _>(
                    Attempts {
                        lane: &lane,
                        key: &key.to_le_bytes(),
                        tokens: 1,
                        stop: &|| false,
                    },
                    |_| Ok(()),
                    |_| {
                        made.fetch_add(1, Ordering::SeqCst);
                        async { Err(CallError::Unreachable("connection refused".to_owned())) }
                    },
                    |()| None,
                    async |reply| Ok(reply),
                )
                .await;
                assert!(matches!(
                    result,
                    Err(Unanswered::Error(CallError::Failed(_)))
                ));
                made.into_inner()
            });
        }
        let mut all = 0;
        while let Some(made) = calls.join_next().await {
            let made = made.unwrap();
            assert!(made <= 1 + retries, "{made} attempts, {retries} retries");
            all += made;
        }
        // The first, and one after each rest: of 1, 2, 4, 8, 16, 32 and four times 60 s.
        assert_eq!(all, 1 + 10);
    }
}
