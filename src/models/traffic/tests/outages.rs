//! Servers that die, come back, or were never there.

use std::sync::Arc;

use tokio::time::{Instant, sleep};

use super::server::Server;
use super::{flood, limits, seconds};
use crate::models::ask::CallError;
use crate::models::traffic::Lane;

#[tokio::test(start_paused = true)]
async fn others_take_over_from_a_server_that_dies_until_it_is_back() {
    let lane = Arc::new(Lane::new(limits(8), 2));
    let servers = Arc::new(vec![Server::default(), Server::default()]);
    let start = Instant::now();
    let switch = servers[0].down.clone();
    tokio::spawn(async move {
        sleep(seconds(10)).await;
        switch.flip();
        sleep(seconds(20)).await;
        switch.flip();
    });
    let flood = flood(&lane, &servers, 20, 4_000).await;
    assert_eq!(flood.answered, 4_000);
    let sent = servers[0].sent.lock().unwrap();
    let between = |from, to| {
        let (from, to) = (start + seconds(from), start + seconds(to));
        sent.iter().filter(|at| (from..to).contains(at)).count()
    };
    // Eight at once, a fifth of a second each: forty in a second, shared by two.
    assert_eq!(between(0, 10), 200);
    let tries = between(10, 30);
    assert!((4..=12).contains(&tries), "{tries}");
    assert!(between(42, 52) >= 190);
    let took = start.elapsed();
    assert!(
        took <= seconds(102),
        "the other one took the whole load: {took:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn four_minutes_without_any_server_lose_nothing() {
    let lane = Arc::new(Lane::new(limits(16), 2));
    let servers = Arc::new(vec![Server::default(), Server::default()]);
    let switches = [servers[0].down.clone(), servers[1].down.clone()];
    let start = Instant::now();
    tokio::spawn(async move {
        sleep(seconds(5)).await;
        switches.iter().for_each(super::Switch::flip);
        sleep(seconds(240)).await;
        switches.iter().for_each(super::Switch::flip);
    });
    let flood = flood(&lane, &servers, 16, 2_000).await;
    assert_eq!(flood.answered, 2_000, "{:?}", flood.failed.first());
    // 25 s of work, four minutes of nothing, and at most a minute's rest.
    assert!(start.elapsed() < seconds(25 + 240 + 60 + 5));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_never_there_is_told_in_seconds() {
    let lane = Arc::new(Lane::new(limits(16), 1));
    let servers = Arc::new(vec![Server::default()]);
    servers[0].down.flip();
    let start = Instant::now();
    let flood = flood(&lane, &servers, 50, 50).await;
    assert!(start.elapsed() < seconds(4), "{:?}", start.elapsed());
    assert_eq!(flood.answered, 0);
    let fatal = CallError::Fatal(
        "no server of the model was ever reached, in 3 attempts: connection refused".to_owned(),
    );
    assert!(flood.failed.iter().all(|error| *error == fatal));
    assert_eq!(servers[0].sent.lock().unwrap().len(), 16 + 2);
}

#[tokio::test(start_paused = true)]
async fn one_wrong_url_among_several_is_passed_over() {
    let lane = Arc::new(Lane::new(limits(16), 3));
    let servers = Arc::new((0..3).map(|_| Server::default()).collect::<Vec<_>>());
    servers[1].down.flip();
    let start = Instant::now();
    let flood = flood(&lane, &servers, 50, 8_000).await;
    assert_eq!(flood.answered, 8_000);
    assert!(servers[1].sent.lock().unwrap().len() <= 6 + 7);
    assert!(start.elapsed() < seconds(102), "{:?}", start.elapsed());
    assert_eq!(lane.status().resting, [1]);
}

#[tokio::test(start_paused = true)]
async fn without_calls_to_spare_a_long_outage_is_told() {
    let lane = Arc::new(Lane::new(limits(1), 1));
    let servers = Arc::new(vec![Server::default()]);
    assert_eq!(flood(&lane, &servers, 1, 1).await.answered, 1);
    servers[0].down.flip();
    let flood = flood(&lane, &servers, 1, 1).await;
    let failed = CallError::Failed("given up after 6 attempts: connection refused".to_owned());
    assert_eq!(flood.failed, [failed]);
}
