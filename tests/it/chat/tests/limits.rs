//! What is refused because there is too much of it, and what takes its time.

use std::time::{Duration, Instant};

use super::{Client, ask, question};
use crate::chat::{ChatServer, Fault, Faults};
use crate::server::Gate;

const HOUR: Duration = Duration::from_hours(1);

#[test]
fn requests_beyond_the_limit_are_told_when_to_come_again() {
    let server = ChatServer::setup().limit(Some(2), None, HOUR).start();
    let [one, two, three] = [1, 2, 3].map(|n| ask(&server, &question(n)).unwrap());
    assert_eq!((one.status, two.status, three.status), (200, 200, 429));
    let wait: u64 = three.headers["retry-after"].parse().unwrap();
    assert!((3500..=3600).contains(&wait), "{wait}");
    assert_eq!(server.calls()[2].fault, None);
}

#[test]
fn tokens_beyond_the_limit_are_refused_and_smaller_calls_are_not() {
    let tokens = ask(&ChatServer::start(), &question(1)).unwrap().json()["usage"]["total_tokens"]
        .as_u64()
        .unwrap();
    let limits = ChatServer::setup().limit(None, Some(2 * tokens), HOUR);
    let server = limits.start();
    let statuses = [1, 1, 1].map(|n| ask(&server, &question(n)).unwrap().status);
    assert_eq!(statuses, [200, 200, 429]);
}

#[test]
fn a_short_minute_passes_quickly() {
    let minute = Duration::from_millis(20);
    let server = ChatServer::setup().limit(Some(1), None, minute).start();
    let begun = Instant::now();
    let mut client = Client::new(&server);
    let mut answered = 0;
    while answered < 3 {
        let got = client.ask(&question(answered)).unwrap();
        answered += usize::from(got.status == 200);
    }
    assert!(begun.elapsed() >= 2 * minute);
}

#[test]
fn what_a_limit_refuses_is_no_attempt_to_the_plan_of_faults() {
    let faults = Faults::none().first(1, Fault::Unavailable);
    let server = ChatServer::setup()
        .faults(faults)
        .limit(Some(1), None, HOUR);
    let server = server.start();
    let statuses = [1, 2].map(|n| ask(&server, &question(n)).unwrap().status);
    assert_eq!(statuses, [503, 429]);
    let faults: Vec<_> = server.calls().iter().map(|call| call.fault).collect();
    assert_eq!(faults, [Some(Fault::Unavailable), None]);
}

#[test]
fn calls_beyond_the_capacity_are_refused_until_others_are_answered() {
    let gate = Gate::default();
    let server = ChatServer::setup().capacity(2).hold_after(0, &gate).start();
    let mut clients = [(); 2].map(|()| Client::new(&server));
    for client in &mut clients {
        client.begin(&question(1)).unwrap();
    }
    server.wait_for(2);
    assert_eq!(ask(&server, &question(1)).unwrap().status, 429);
    gate.open();
    for client in &mut clients {
        assert_eq!(client.receive().unwrap().status, 200);
        assert_eq!(client.ask(&question(2)).unwrap().status, 200);
    }
    assert_eq!(server.statuses(), [(200, 4), (429, 1)].into());
}

#[test]
fn an_answer_takes_its_time_and_an_error_does_not() {
    let latency = Duration::from_millis(30);
    let faults = Faults::none().first(1, Fault::Unavailable);
    let server = ChatServer::setup().faults(faults).latency(latency).start();
    let [refused, answered] = [1, 1].map(|n| {
        ask(&server, &question(n)).unwrap();
        let call = server.calls().pop().unwrap();
        call.replied.unwrap() - call.came
    });
    assert!(
        answered >= latency && refused < answered,
        "{refused:?} {answered:?}"
    );
}
