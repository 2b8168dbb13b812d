//! Every fault, as it looks on the wire.

use std::io::{ErrorKind, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Client, Got, KEY, ask, get, message, post, question};
use crate::chat::{ChatServer, Fault, Faults, OTHER_MODEL};
use crate::server::PATIENCE;

/// A server whose first call goes wrong.
fn failing(fault: Fault) -> ChatServer {
    let faults = Faults::none().first(1, fault);
    ChatServer::setup().faults(faults).start()
}

/// What a fault makes of the first call; the second must be answered well.
fn once(fault: Fault) -> std::io::Result<Got> {
    let server = failing(fault);
    let got = ask(&server, &question(1));
    assert_eq!(ask(&server, &question(1)).unwrap().text(), healthy());
    let calls = server.calls();
    assert_eq!((calls[0].fault, calls[1].fault), (Some(fault), None));
    assert!(calls[1].answered());
    got
}

fn healthy() -> String {
    ask(&ChatServer::start(), &question(1)).unwrap().text()
}

/// Waits until no reply is under way any more: the handler and the server itself are left.
fn left_alone(server: &ChatServer) {
    let begun = Instant::now();
    while Arc::strong_count(&server.chat) > 2 {
        assert!(begun.elapsed() < PATIENCE, "a reply waits for nobody");
        std::thread::yield_now();
    }
}

#[test]
fn errors_have_their_status_and_the_body_of_their_dialect() {
    let limited = |retry_after| Fault::TooManyRequests { retry_after };
    for (fault, status, code, kind) in [
        (
            limited(None),
            429,
            "rate_limit_exceeded",
            "rate_limit_error",
        ),
        (Fault::Unavailable, 503, "unavailable", "api_error"),
        (Fault::ServerError, 500, "server_error", "api_error"),
        (Fault::Overloaded529, 529, "overloaded", "overloaded_error"),
        (
            Fault::ContextTooLong,
            400,
            "context_length_exceeded",
            "invalid_request_error",
        ),
        (
            Fault::BadKey,
            401,
            "invalid_api_key",
            "authentication_error",
        ),
        (
            Fault::UnknownModel,
            404,
            "model_not_found",
            "not_found_error",
        ),
    ] {
        let openai = once(fault).unwrap();
        assert_eq!(
            (openai.status, &openai.json()["error"]["code"]),
            (status, &json!(code))
        );
        let anthropic = post(&failing(fault), "/v1/messages", &message(1));
        assert_eq!(anthropic.status, status);
        assert_eq!(anthropic.json()["error"]["type"], kind);
        assert!(!anthropic.headers.contains_key("retry-after"));
    }
    let got = once(limited(Some("0.5"))).unwrap();
    assert_eq!(got.headers["retry-after"], "0.5");
}

#[test]
fn a_gateway_and_a_wrong_type_speak_html() {
    for (fault, status) in [(Fault::BadGateway, 502), (Fault::WrongContentType, 200)] {
        let got = once(fault).unwrap();
        assert_eq!(
            (got.status, &*got.headers["content-type"]),
            (status, "text/html")
        );
        assert!(got.body.starts_with("<html>"), "{got:?}");
    }
}

#[test]
fn the_key_comes_back_where_it_is_told_to() {
    let refused = once(Fault::BadKey).unwrap();
    assert!(
        refused.body.contains(&format!("Bearer {KEY}")),
        "{refused:?}"
    );
    let echoed = once(Fault::EchoesKey).unwrap().text();
    assert_eq!(echoed, format!("{}\nYour key is Bearer {KEY}", healthy()));
    let mut asked = question(1);
    asked["response_format"] = json!({"type": "json_object"});
    let echoed = ask(&failing(Fault::EchoesKey), &asked).unwrap().text();
    let echoed: Value = serde_json::from_str(&echoed).unwrap();
    assert_eq!(echoed["key"], format!("Bearer {KEY}"));
    assert!(echoed["fluency"].is_f64());
}

#[test]
fn the_model_says_nothing_half_or_no() {
    let choice = |fault| once(fault).unwrap().json()["choices"][0].clone();
    let empty = choice(Fault::EmptyReply);
    assert_eq!(
        (&empty["message"]["content"], &empty["finish_reason"]),
        (&json!(""), &json!("stop"))
    );
    let cut = choice(Fault::Cut);
    assert_eq!(cut["finish_reason"], "length");
    let said = cut["message"]["content"].as_str().unwrap();
    assert!(
        healthy().starts_with(said) && !said.contains("FINAL"),
        "{said}"
    );
    let refusal = choice(Fault::Refusal);
    assert_eq!(refusal["message"]["content"], Value::Null);
    assert!(refusal["message"]["refusal"].is_string());

    let said = |fault| post(&failing(fault), "/v1/messages", &message(1)).json();
    assert_eq!(said(Fault::EmptyReply)["content"], json!([]));
    assert_eq!(said(Fault::Cut)["stop_reason"], "max_tokens");
    let refusal = said(Fault::Refusal);
    assert_eq!(
        (&refusal["stop_reason"], &refusal["content"]),
        (&json!("refusal"), &json!([]))
    );
}

#[test]
fn another_model_or_a_shorter_prompt_is_reported_with_the_same_answer() {
    let other = once(Fault::OtherModel).unwrap();
    assert_eq!(
        (&other.json()["model"], other.text()),
        (&json!(OTHER_MODEL), healthy())
    );
    let cut = once(Fault::CutsPrompt).unwrap();
    assert_eq!(
        (&cut.json()["usage"]["prompt_tokens"], cut.text()),
        (&json!(7), healthy())
    );
}

#[test]
fn truncated_json_is_whole_to_http() {
    let got = once(Fault::TruncatedJson).unwrap();
    assert_eq!(
        (got.status, &*got.headers["content-type"]),
        (200, "application/json")
    );
    assert!(got.body.starts_with("{\"id\""), "{got:?}");
    assert!(serde_json::from_str::<Value>(&got.body).is_err());
}

#[test]
fn a_lost_connection_is_reset_or_closed_before_or_within_the_reply() {
    for (fault, kind) in [
        (Fault::ResetBeforeReply, ErrorKind::ConnectionReset),
        (Fault::ResetMidBody, ErrorKind::ConnectionReset),
        (Fault::CloseMidBody, ErrorKind::UnexpectedEof),
    ] {
        assert_eq!(once(fault).unwrap_err().kind(), kind, "{fault:?}");
    }
    let server = failing(Fault::CloseMidBody);
    let mut client = Client::new(&server);
    client.begin(&question(1)).unwrap();
    let mut text = String::new();
    client.0.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let (_, length) = head.split_once("content-length: ").unwrap();
    let length: usize = length.lines().next().unwrap().parse().unwrap();
    assert_eq!(body.len(), length / 2);
    assert!(server.calls()[0].replied.is_none());
}

#[test]
fn a_duplicate_is_found_where_the_next_answer_should_be() {
    let server = failing(Fault::DuplicateDelivery);
    let mut client = Client::new(&server);
    client.begin(&question(1)).unwrap();
    client.begin(&question(2)).unwrap();
    let ids = [(); 4].map(|()| client.receive().unwrap().json()["id"].clone());
    assert_eq!(ids, [0, 0, 1, 1].map(|n| format!("chatcmpl-{n:024}")));
}

#[test]
fn a_call_that_hangs_waits_for_its_client_to_go_and_then_ends() {
    let server = failing(Fault::Hang);
    let mut client = Client::new(&server);
    client.begin(&question(1)).unwrap();
    server.wait_for(1);
    let patience = Some(Duration::from_millis(10));
    client.0.get_ref().set_read_timeout(patience).unwrap();
    assert_eq!(client.receive().unwrap_err().kind(), ErrorKind::WouldBlock);
    assert!(Arc::strong_count(&server.chat) > 2);
    assert_eq!(
        (server.calls()[0].status, server.calls()[0].answered()),
        (None, false)
    );
    drop(client);
    left_alone(&server);
}

#[test]
fn a_slow_reply_drips_and_is_whole_for_whoever_waits() {
    let pause = Duration::from_millis(1);
    let begun = Instant::now();
    let got = once(Fault::SlowDrip { pause }).unwrap();
    assert!(begun.elapsed() >= 20 * pause);
    assert_eq!(got.text(), healthy());

    let pause = Duration::from_hours(1);
    let server = failing(Fault::SlowDrip { pause });
    let mut client = Client::new(&server);
    client.begin(&question(1)).unwrap();
    let mut first = [0; 12];
    client.0.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    drop(client);
    left_alone(&server);
    assert!(!server.calls()[0].answered());
}

#[test]
fn nobody_waits_on_for_a_client_that_has_gone_away_during_the_latency() {
    let hour = Duration::from_hours(1);
    let server = ChatServer::setup().latency(hour).start();
    let mut client = Client::new(&server);
    client.begin(&question(1)).unwrap();
    server.wait_for(1);
    drop(client);
    left_alone(&server);
    assert!(server.calls()[0].replied.is_none());
}

#[test]
fn calls_about_batches_fail_before_or_after_they_are_done() {
    let faults = Faults::none().first(1, Fault::Unavailable);
    let server = ChatServer::setup().around_batches(faults).start();
    assert_eq!(get(&server, "/v1/models").status, 503);
    assert_eq!(get(&server, "/v1/models").status, 200);
    assert_eq!(get(&server, "/v1/batches").status, 503);
    assert_eq!(ask(&server, &question(1)).unwrap().status, 200);

    let faults = Faults::none().first(1, Fault::ResetBeforeReply);
    let server = ChatServer::setup().around_batches(faults).start();
    let body = json!({"requests": [{"custom_id": "a", "params": message(1)}]});
    let lost = super::call(&server, "POST", "/v1/messages/batches", &body.to_string());
    assert_eq!(lost.unwrap_err().kind(), ErrorKind::ConnectionReset);
    assert_eq!(server.batches().created, 1);
}
