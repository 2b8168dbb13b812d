//! What is answered when nothing goes wrong.

use serde_json::{Value, json};

use super::{ask, call, get, message, post, question};
use crate::chat::ChatServer;

#[test]
fn an_answer_depends_on_the_request_and_on_nothing_else() {
    let (one, other) = (ChatServer::start(), ChatServer::start());
    ask(&other, &question(7)).unwrap();
    let text = |server, body: &Value| ask(server, body).unwrap().text();
    let answer = text(&one, &question(1));
    for server in [&one, &other] {
        assert_eq!(text(server, &question(1)), answer);
    }
    let mut same = question(1);
    same["max_tokens"] = json!(50);
    same["user"] = json!("me");
    let reordered: Value = json!({"messages": same["messages"], "model": same["model"]});
    assert_eq!(text(&one, &same), answer);
    assert_eq!(text(&one, &reordered), answer);
    let mut seeded = question(1);
    let mut others: Vec<String> = (0..5)
        .map(|seed| {
            seeded["seed"] = json!(seed);
            text(&one, &seeded)
        })
        .collect();
    others.sort();
    others.dedup();
    assert!(others.len() > 2, "{others:?}");
    assert_eq!(one.asked().len(), 6);
}

#[test]
fn a_form_has_scores_in_steps_of_a_half_and_all_of_them_occur() {
    let server = ChatServer::start();
    let mut seen: Vec<f64> = Vec::new();
    for n in 0..60 {
        let text = ask(&server, &question(n)).unwrap().text();
        for metric in ["Fluency", "Coherence"] {
            let label = format!("FINAL {metric} Score: ");
            let line = text.lines().find_map(|line| line.strip_prefix(&label));
            seen.push(line.unwrap().parse().unwrap());
        }
    }
    seen.sort_by(f64::total_cmp);
    seen.dedup();
    assert_eq!(seen, [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0]);
}

#[test]
fn a_completion_has_an_id_of_its_own_the_model_asked_and_the_tokens_of_both_sides() {
    let server = ChatServer::start();
    let ids: Vec<Value> = (0..3)
        .map(|n| ask(&server, &question(n)).unwrap().json()["id"].clone())
        .collect();
    assert_eq!(ids, [0, 1, 2].map(|n| format!("chatcmpl-{n:024}")));
    let mut asked = question(1);
    asked["model"] = json!("some/model:free");
    asked["messages"][1]["content"] = json!([{"type": "text", "text": "one two"}]);
    let got = ask(&server, &asked).unwrap();
    let (body, text) = (got.json(), got.text());
    assert_eq!(body["model"], "some/model:free");
    assert_eq!(body["choices"][0]["finish_reason"], "stop");
    let completion = text.split_whitespace().count() + 4;
    // `Be strict.`, `one two`, and four for each of both.
    assert_eq!(
        body["usage"],
        json!({"prompt_tokens": 12, "completion_tokens": completion, "total_tokens": 12 + completion})
    );
}

#[test]
fn a_message_says_the_same_things_in_anthropics_way() {
    let server = ChatServer::start();
    let got = post(&server, "/v1/messages", &message(1)).json();
    assert_eq!(got["id"], format!("msg_{:024}", 0));
    assert_eq!(
        (&got["type"], &got["role"]),
        (&json!("message"), &json!("assistant"))
    );
    assert_eq!(
        (&got["model"], &got["stop_reason"]),
        (&json!("judge"), &json!("end_turn"))
    );
    assert_eq!(got["usage"]["input_tokens"], 15);
    let text = got["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("FINAL Coherence Score: "), "{text}");
}

#[test]
fn json_is_answered_where_it_is_asked_for() {
    let server = ChatServer::start();
    let schema = json!({"type": "object", "properties": {"stars": {"type": "integer"}}});
    let stars = |text: &str| {
        let value: Value = serde_json::from_str(text).unwrap();
        assert!(
            (1..=5).contains(&value["stars"].as_i64().unwrap()),
            "{value}"
        );
    };
    let with = |mut body: Value, field: &str, value: Value| {
        body[field] = value;
        body
    };

    let format = json!({"type": "json_schema", "json_schema": {"name": "s", "schema": schema}});
    stars(
        &ask(&server, &with(question(1), "response_format", format))
            .unwrap()
            .text(),
    );

    let any = with(
        question(1),
        "response_format",
        json!({"type": "json_object"}),
    );
    let any: Value = serde_json::from_str(&ask(&server, &any).unwrap().text()).unwrap();
    assert!(any["fluency"].is_f64() && any["coherence"].is_f64());

    let tool = json!([{"type": "function", "function": {"name": "grade", "parameters": schema}}]);
    let got = ask(&server, &with(question(1), "tools", tool))
        .unwrap()
        .json();
    let choice = &got["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    let function = &choice["message"]["tool_calls"][0]["function"];
    assert_eq!(function["name"], "grade");
    stars(function["arguments"].as_str().unwrap());

    let tool = json!([{"name": "grade", "input_schema": schema}]);
    let got = post(&server, "/v1/messages", &with(message(1), "tools", tool)).json();
    assert_eq!(got["stop_reason"], "tool_use");
    assert_eq!(got["content"][0]["name"], "grade");
    stars(&got["content"][0]["input"].to_string());

    let format = json!({"format": {"type": "json_schema", "schema": schema}});
    let got = post(
        &server,
        "/v1/messages",
        &with(message(1), "output_config", format),
    )
    .json();
    stars(got["content"][0]["text"].as_str().unwrap());
}

#[test]
fn requests_that_make_no_sense_are_refused_in_the_servers_own_way() {
    let server = ChatServer::start();
    let openai = |body: &Value| post(&server, "/v1/chat/completions", body);
    for (field, value) in [
        ("model", json!(1)),
        ("messages", json!([])),
        ("stream", json!(true)),
    ] {
        let mut body = question(1);
        body[field] = value;
        let got = openai(&body);
        assert_eq!(
            (got.status, &got.json()["error"]["code"]),
            (400, &json!("invalid_request"))
        );
    }
    for (field, value) in [
        ("max_tokens", Value::Null),
        ("messages", json!([{"role": "system", "content": "x"}])),
    ] {
        let mut body = message(1);
        body[field] = value;
        let got = post(&server, "/v1/messages", &body);
        let kind = &got.json()["error"]["type"];
        assert_eq!((got.status, kind), (400, &json!("invalid_request_error")));
    }
    let got = call(&server, "POST", "/v1/chat/completions", "{").unwrap();
    assert_eq!(got.status, 400);
    assert_eq!(get(&server, "/v1/nothing").status, 404);
    assert_eq!(get(&server, "/chat/completions").status, 404);
    assert_eq!(server.statuses(), [(400, 6)].into());
}

#[test]
fn models_are_listed() {
    let server = ChatServer::start();
    assert_eq!(get(&server, "/v1/models").json()["data"][0]["id"], "judge");
    assert_eq!(server.count(), 0);
    assert_eq!(server.server().requests().len(), 1);
}
