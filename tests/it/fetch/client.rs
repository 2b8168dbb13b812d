//! One file, whatever the server does.

use std::time::Duration;

use tribunal::base::fetch::{FetchError, Fetched, Fetcher, Limits, Pace};

use crate::server::{Gate, Reply, Server};

fn fetcher() -> Fetcher {
    Fetcher::new(Pace::none(), Limits::default())
}

fn get(fetcher: &Fetcher, url: &str) -> Result<Fetched, FetchError> {
    runtime().block_on(fetcher.get(url, &|| false))
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// What comes of these replies, and how many of them it took.
fn of(replies: impl IntoIterator<Item = Reply>) -> (Result<Fetched, String>, usize) {
    let server = Server::start();
    server.on("/11", replies);
    let fetched = get(&fetcher(), &server.url("/11"));
    let fetched = fetched.map_err(|error| error.to_string().replace(&server.url(""), ""));
    (fetched, server.count("/11"))
}

fn ok(outcome: (Result<Fetched, String>, usize), requests: usize) {
    let (fetched, count) = outcome;
    assert_eq!(fetched.unwrap().bytes, b"Alice");
    assert_eq!(count, requests);
}

#[track_caller]
fn fails(outcome: (Result<Fetched, String>, usize), message: &str, requests: usize) {
    let (fetched, count) = outcome;
    assert_eq!(fetched.unwrap_err(), message);
    assert_eq!(count, requests);
}

#[test]
fn a_file_comes_whole_with_its_type_and_the_server_learns_who_asks() {
    let server = Server::start();
    server.on("/11", [Reply::text("Alice")]);
    let fetched = get(&fetcher(), &server.url("/11")).unwrap();
    assert_eq!(fetched.bytes, b"Alice");
    let declared = fetched.content_type.as_deref();
    assert_eq!(declared, Some("text/plain; charset=utf-8"));
    let request = &server.requests()[0];
    assert_eq!((&*request.method, &request.body[..]), ("GET", &b""[..]));
    let agent = &request.headers["user-agent"];
    assert!(agent.starts_with("tribunal/"), "{agent}");
    assert!(!request.headers.contains_key("accept-encoding"));
}

#[test]
fn what_may_pass_is_asked_for_again() {
    let text = || Reply::text("Alice");
    ok(of([Reply::status(503), text()]), 2);
    let now = Reply::status(429).header("retry-after", "0");
    ok(of([now, Reply::status(500), text()]), 3);
    let past = Reply::status(503).header("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT");
    ok(of([past, text()]), 2);
    ok(of([Reply::reset(), text()]), 2);
    ok(of([text().cut(3), text()]), 2);
    ok(of([text().cut_and_reset(3), text()]), 2);
}

#[test]
fn three_attempts_are_enough() {
    let (text, busy) = (Reply::text("Alice"), Reply::status(503));
    let replies = [busy.clone(), busy.clone(), busy, text.clone()];
    let message = "`/11` answers 503 Service Unavailable (3 attempts)";
    fails(of(replies), message, 3);
    let (fetched, count) = of([text.cut(3)]);
    let message = fetched.unwrap_err();
    assert!(
        message.starts_with("`/11` cannot be fetched: "),
        "{message}"
    );
    assert!(message.ends_with(" (3 attempts)"), "{message}");
    assert_eq!(count, 3);
}

#[test]
fn what_does_not_pass_is_asked_for_once() {
    for (status, name) in [(404, "404 Not Found"), (403, "403 Forbidden")] {
        let message = format!("`/11` answers {name}");
        fails(of([Reply::status(status)]), &message, 1);
    }
}

#[test]
fn a_server_that_asks_for_more_patience_than_there_is_is_left_alone() {
    let reply = Reply::status(429).header("retry-after", "3600");
    let message = "`/11` answers 429 Too Many Requests and asks to come back in 3600 seconds";
    fails(of([reply]), message, 1);
}

#[test]
fn redirections_are_followed_and_circles_are_not() {
    let server = Server::start();
    let to = |path: &str| Reply::status(302).header("location", path);
    server.on("/11", [to("/ebooks/11")]);
    server.on("/ebooks/11", [Reply::text("Alice")]);
    server.on("/round", [to("/round")]);
    let fetched = get(&fetcher(), &server.url("/11")).unwrap();
    assert_eq!(fetched.bytes, b"Alice");
    let error = get(&fetcher(), &server.url("/round")).unwrap_err();
    assert!(matches!(error, FetchError::Broken { .. }), "{error:?}");
    assert_eq!(server.count("/round"), 6, "it is no use to try again");
}

#[test]
fn what_is_too_large_is_not_read_to_its_end() {
    let server = Server::start();
    server.on("/11", [Reply::text("Alice")]);
    let limits = Limits {
        bytes: 4,
        ..Limits::default()
    };
    let fetcher = Fetcher::new(Pace::none(), limits);
    let error = get(&fetcher, &server.url("/11")).unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { limit: 4, .. }));
    assert_eq!(server.count("/11"), 1);
}

#[test]
fn an_encoding_that_was_not_asked_for_is_refused() {
    let reply = Reply::text("Alice").header("content-encoding", "br");
    fails(
        of([reply]),
        "`/11` comes as `br`, which was not asked for",
        1,
    );
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    let (server, gate) = (Server::start(), Gate::default());
    server.on("/11", [Reply::text("Alice").behind(&gate)]);
    let limits = Limits {
        read: Duration::from_millis(50),
        ..Limits::default()
    };
    let fetcher = Fetcher::new(Pace::none(), limits);
    let error = get(&fetcher, &server.url("/11")).unwrap_err();
    let message = error.to_string().replace(&server.url(""), "");
    let wanted = "`/11` cannot be fetched: no answer within 50ms (3 attempts)";
    assert_eq!(message, wanted);
    gate.open();
}

#[test]
fn a_server_that_is_not_there_is_named() {
    // Bound and dropped: nobody listens at this address now.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/11", listener.local_addr().unwrap());
    drop(listener);
    let error = get(&fetcher(), &url).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("`{url}` cannot be fetched: ")),
        "{error}"
    );
    assert!(error.contains("refused"), "{error}");
    let error = get(&fetcher(), "no url").unwrap_err();
    assert!(matches!(error, FetchError::NoUrl { .. }), "{error:?}");
}

#[test]
fn one_request_at_a_time_is_under_way() {
    let server = Server::start();
    let urls = ["/1", "/2", "/3", "/4"].map(|path| {
        server.on(path, [Reply::text(path)]);
        server.url(path)
    });
    let fetcher = fetcher();
    let (one, two, three, four) = runtime().block_on(async {
        let get = |at: usize| fetcher.get(&urls[at], &|| false);
        tokio::join!(get(0), get(1), get(2), get(3))
    });
    let bytes = [one, two, three, four].map(|fetched| fetched.unwrap().bytes);
    assert_eq!(bytes, [b"/1", b"/2", b"/3", b"/4"]);
    // Two at once would have needed two.
    assert_eq!(server.connections(), 1);
}

#[test]
fn whoever_stops_sends_nothing_more() {
    let server = Server::start();
    server.on("/11", [Reply::status(503)]);
    let stop = || server.count("/11") > 0;
    let fetcher = fetcher();
    let url = server.url("/11");
    let error = runtime().block_on(fetcher.get(&url, &stop)).unwrap_err();
    assert_eq!(error, FetchError::Interrupted);
    assert_eq!(server.count("/11"), 1);
}
