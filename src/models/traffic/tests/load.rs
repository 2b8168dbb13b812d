//! How many calls at once, and how long a busy server is left alone.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::time::{Instant, sleep};

use super::server::Server;
use super::{busy, flood, limits, milliseconds, seconds};
use crate::models::traffic::{Lane, Outcome};

#[tokio::test(start_paused = true)]
async fn a_thousand_calls_of_a_fifth_of_a_second_fifty_at_once_take_four_seconds() {
    let lane = Arc::new(Lane::new(limits(50), 1));
    let servers = Arc::new(vec![Server::default()]);
    let start = Instant::now();
    let flood = flood(&lane, &servers, 1_000, 1_000).await;
    let took = start.elapsed();
    assert_eq!(flood.answered, 1_000);
    assert_eq!(servers[0].most.load(Ordering::SeqCst), 50);
    assert!(
        took >= seconds(4) && took <= milliseconds(4_050),
        "{took:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_bears_eight_is_sent_about_eight() {
    let lane = Arc::new(Lane::new(limits(64), 1));
    let servers = Arc::new(vec![Server {
        capacity: 8,
        latency: (seconds(1), seconds(3)),
        ..Server::default()
    }]);
    let start = Instant::now();
    let first = flood(&lane, &servers, 64, 200).await;
    let at_first = servers[0].refused();
    let second = flood(&lane, &servers, 64, 2_000).await;
    let took = start.elapsed().as_secs_f64();
    let then = servers[0].refused() - at_first;
    assert_eq!(first.failed.len() + second.failed.len(), 0);
    // The sixty-four at the start could not know.
    assert!(at_first <= 56 + 2, "{at_first} refused at first");
    assert!(then <= 25, "{then} of 2000 refused later");
    assert!(
        (6..=9).contains(&lane.status().window),
        "{:?}",
        lane.status()
    );
    let ideal = 2_200.0 * 2.0 / 8.0;
    assert!(took < ideal * 1.1, "{took} s instead of {ideal} s");
}

#[tokio::test(start_paused = true)]
async fn after_an_overload_of_everything_full_speed_is_back_soon() {
    let lane = Arc::new(Lane::new(limits(64), 1));
    let servers = Arc::new(vec![Server::default()]);
    let switch = servers[0].overloaded.clone();
    let trouble = tokio::spawn(async move {
        sleep(seconds(2)).await;
        switch.flip();
        sleep(seconds(30)).await;
        switch.flip();
        Instant::now()
    });
    let flood = flood(&lane, &servers, 100, 10_000).await;
    assert_eq!(flood.answered, 10_000);
    assert_eq!(lane.status().window, 64);
    // 10,000 take 40 s, of which 2 were before; the last hold ends after at most 16 s more.
    let took = (Instant::now() - trouble.await.unwrap()).as_secs_f64();
    assert!(took < 30.0 + 16.0 + 3.0, "{took} s");
    assert!(servers[0].refused() < 100, "{}", servers[0].refused());
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_before_the_server_wants_it() {
    let lane = Arc::new(Lane::new(limits(10), 1));
    let servers = Arc::new(vec![Server {
        after: Some(milliseconds(7_321)),
        ..Server::default()
    }]);
    servers[0].overloaded.flip();
    let switch = servers[0].overloaded.clone();
    let start = Instant::now();
    tokio::spawn(async move {
        sleep(seconds(1)).await;
        switch.flip();
    });
    let flood = flood(&lane, &servers, 30, 30).await;
    assert_eq!(flood.answered, 30);
    // Refusals come after 20 ms.
    let sent = servers[0].sent.lock().unwrap();
    assert!(sent[..10].iter().all(|at| *at == start));
    let resumed = start + milliseconds(20 + 7_321);
    assert!(sent[10] >= resumed && sent[10] < resumed + milliseconds(2));
    assert!(sent[10..].iter().all(|at| *at >= resumed));
}

#[tokio::test(start_paused = true)]
async fn the_status_tells_what_keeps_calls_waiting() {
    let lane = Lane::new(limits(2), 1);
    let first = lane.enter(1).await.unwrap();
    let second = lane.enter(1).await.unwrap();
    let third = lane.enter(1);
    tokio::pin!(third);
    let waits = tokio::time::timeout(milliseconds(5), third.as_mut()).await;
    assert!(waits.is_err());
    let status = lane.status();
    assert_eq!((status.under_way, status.waiting, status.window), (2, 1, 2));
    assert_eq!(status.held_until, None);
    first.settle(&busy(Some(seconds(4))));
    let until = Instant::now() + seconds(4);
    let status = lane.status();
    assert_eq!((status.under_way, status.waiting, status.window), (1, 1, 1));
    assert_eq!(status.held_until, Some(until));
    drop(second);
    let third = third.await.unwrap();
    assert!(Instant::now() >= until);
    third.settle(&Outcome::Unreachable("connection refused".to_owned()));
    assert_eq!(lane.status().resting, [0]);
}
