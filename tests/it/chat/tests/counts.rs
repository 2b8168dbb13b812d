//! What the server remembers.

use std::time::{Duration, Instant};

use super::{Client, ask, question};
use crate::chat::{ChatServer, Fault, Faults};
use crate::server::Gate;

/// Asks until there is an answer, at most `tries` times; what it says.
fn insist(server: &ChatServer, client: &mut Client, n: usize, tries: usize) -> String {
    for _ in 0..tries {
        match client.ask(&question(n)) {
            Ok(got) if got.status == 200 => return got.text(),
            Ok(_) => {}
            Err(_) => *client = Client::new(server),
        }
    }
    panic!("question {n} was never answered");
}

#[test]
fn a_faulty_server_answers_what_a_healthy_one_does_once_it_was_asked_often_enough() {
    let faults = [Fault::Unavailable, Fault::ResetMidBody, Fault::CloseMidBody];
    let faults = Faults::none().share(0.6, faults).at_most(2);
    let (faulty, healthy) = (
        ChatServer::setup().faults(faults).start(),
        ChatServer::start(),
    );
    let (mut one, mut other) = (Client::new(&faulty), Client::new(&healthy));
    for n in 0..40 {
        assert_eq!(
            insist(&faulty, &mut one, n, 3),
            insist(&healthy, &mut other, n, 1)
        );
    }
    assert_eq!(faulty.answered(), healthy.answered());
    assert_eq!(faulty.answered().len(), 40);
    assert!(faulty.answered().values().all(|times| *times == 1));
    let (asked, calls) = (faulty.asked(), faulty.calls());
    assert_eq!(asked.values().sum::<usize>(), calls.len());
    assert!(asked.values().all(|times| (1..=3).contains(times)));
    let struck = calls.iter().filter(|call| call.fault.is_some()).count();
    assert_eq!((struck + 40, calls.len()), (calls.len(), faulty.count()));
    assert!(struck > 20, "{struck}");
    let statuses = faulty.statuses();
    assert_eq!(statuses[&200] + statuses[&503], calls.len());
}

#[test]
fn the_most_in_flight_is_what_clients_have_under_way_and_no_more() {
    let gate = Gate::default();
    let server = ChatServer::setup().hold_after(1, &gate).start();
    let mut clients: Vec<Client> = (0..9).map(|_| Client::new(&server)).collect();
    clients[0].ask(&question(0)).unwrap();
    assert_eq!(server.most_in_flight(), 1);
    for (n, client) in clients.iter_mut().enumerate() {
        client.begin(&question(n)).unwrap();
    }
    server.wait_for(10);
    assert_eq!(server.most_in_flight(), 9);
    gate.open();
    for client in &mut clients {
        client.receive().unwrap();
        client.ask(&question(1)).unwrap();
    }
    assert_eq!(server.most_in_flight(), 9);
    let request = &server.calls()[0].request;
    assert!(request.headers["authorization"].starts_with("Bearer "));
    assert!(request.body.starts_with(b"{\"model\""));
}

#[test]
fn a_reply_counts_from_the_moment_it_is_written_and_not_when_its_client_has_gone() {
    let gate = Gate::default();
    let server = ChatServer::setup().hold_after(1, &gate).start();
    ask(&server, &question(0)).unwrap();
    let mut clients = [(); 2].map(|()| Client::new(&server));
    for (n, client) in clients.iter_mut().enumerate() {
        client.begin(&question(n + 1)).unwrap();
        server.wait_for(n + 2);
    }
    let [gone, mut waiting] = clients;
    let replied = |server: &ChatServer| -> Vec<bool> {
        let calls = server.calls().into_iter();
        calls.map(|call| call.replied.is_some()).collect()
    };
    assert_eq!(replied(&server), [true, false, false]);
    drop(gone);
    let opened = Instant::now();
    gate.open();
    waiting.receive().unwrap();
    server.wait_for_replies(2);
    assert_eq!(replied(&server), [true, false, true]);
    let calls = server.calls();
    assert!(calls[0].replied.unwrap() < opened && calls[2].replied.unwrap() > opened);
    assert!(calls.iter().all(|call| call.came < opened));
    let statuses: Vec<_> = calls.iter().map(|call| call.status).collect();
    assert_eq!(statuses, [Some(200), None, Some(200)]);
}

#[test]
fn two_thousand_calls_over_fifty_connections_take_no_time_worth_mentioning() {
    let faults = Faults::none().every(10, Fault::Unavailable);
    let server = ChatServer::setup().faults(faults).start();
    let padding = "word ".repeat(400);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..50 {
            let (server, padding) = (&server, &padding);
            scope.spawn(move || {
                let mut client = Client::new(server);
                for n in 0..40 {
                    let mut asked = question(thread * 40 + n);
                    asked["messages"][0]["content"] = padding.as_str().into();
                    client.ask(&asked).unwrap();
                }
            });
        }
    });
    // Takes half a second where this was written; the rest is for machines that do more at once.
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(server.statuses(), [(200, 1800), (503, 200)].into());
    assert_eq!(
        (server.asked().len(), server.answered().len()),
        (2000, 1800)
    );
    assert!(server.most_in_flight() <= 50);
    assert_eq!(server.server().connections(), 50);
}
