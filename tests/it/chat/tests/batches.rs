//! Batches from their making to their results.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Client, Got, ask, get, message, post, question};
use crate::chat::{ChatServer, Fault, Faults};

/// Uploads lines as a file; the reply.
fn upload(server: &ChatServer, lines: &str) -> Got {
    let field = |name: &str, content: &str| {
        format!("--cut\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{content}\r\n")
    };
    let file = field("file\"; filename=\"in.jsonl", lines);
    let body = format!("{}{file}--cut--\r\n", field("purpose", "batch"));
    let mut client = Client::new(server);
    let kind = "multipart/form-data; boundary=cut";
    client.send("POST", "/v1/files", kind, &body).unwrap();
    client.receive().unwrap()
}

/// Makes a batch of an uploaded file.
fn create(server: &ChatServer, file: &Value) -> Got {
    let body = json!({
        "input_file_id": file, "endpoint": "/v1/chat/completions", "completion_window": "24h",
        "metadata": {"run": "seven"},
    });
    post(server, "/v1/batches", &body)
}

/// Makes a batch of the first `n` questions; its path.
fn openai(server: &ChatServer, n: usize) -> String {
    let line = |n: usize| {
        let url = "/v1/chat/completions";
        let id = format!("q-{n}");
        format!(
            "{}\n",
            json!({"custom_id": id, "method": "POST", "url": url, "body": question(n)})
        )
    };
    let lines: String = (0..n).map(line).collect();
    let file = upload(server, &lines).json();
    assert_eq!(
        (&file["object"], &file["bytes"]),
        (&json!("file"), &json!(lines.len()))
    );
    let batch = create(server, &file["id"]).json();
    assert_eq!(batch["status"], "validating");
    assert_eq!(batch["metadata"], json!({"run": "seven"}));
    format!("/v1/batches/{}", batch["id"].as_str().unwrap())
}

/// Makes a batch of the first `n` messages; its path.
fn anthropic(server: &ChatServer, n: usize) -> String {
    let requests = (0..n).map(|n| json!({"custom_id": format!("q-{n}"), "params": message(n)}));
    let body = json!({"requests": requests.collect::<Value>()});
    let batch = post(server, "/v1/messages/batches", &body).json();
    assert_eq!(batch["processing_status"], "in_progress");
    assert_eq!(batch["results_url"], Value::Null);
    format!("/v1/messages/batches/{}", batch["id"].as_str().unwrap())
}

/// The lines of a file that a batch names.
fn file(server: &ChatServer, batch: &Value, name: &str) -> Vec<Value> {
    let path = format!("/v1/files/{}/content", batch[name].as_str().unwrap());
    lines(&get(server, &path))
}

fn lines(got: &Got) -> Vec<Value> {
    let lines = got.body.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn ids(lines: &[Value]) -> Vec<&str> {
    lines
        .iter()
        .map(|line| line["custom_id"].as_str().unwrap())
        .collect()
}

#[test]
fn a_batch_of_openai_is_done_at_the_look_it_should_be_and_answers_what_live_calls_do() {
    let server = ChatServer::setup().polls(3).start();
    let path = openai(&server, 8);
    let looks = [(); 3].map(|()| get(&server, &path).json());
    let statuses = looks
        .each_ref()
        .map(|batch| batch["status"].as_str().unwrap());
    assert_eq!(statuses, ["in_progress", "in_progress", "completed"]);
    assert_eq!(looks[1]["output_file_id"], Value::Null);
    let done = &looks[2];
    assert_eq!(
        done["request_counts"],
        json!({"total": 8, "completed": 8, "failed": 0})
    );
    assert_eq!(done["error_file_id"], Value::Null);
    let output = file(&server, done, "output_file_id");
    let in_order: Vec<String> = (0..8).map(|n| format!("q-{n}")).collect();
    let mut sorted = ids(&output);
    assert_ne!(sorted, in_order);
    sorted.sort_unstable();
    assert_eq!(sorted, in_order);
    for line in &output {
        let n = line["custom_id"].as_str().unwrap()[2..].parse().unwrap();
        assert_eq!(
            (&line["error"], &line["response"]["status_code"]),
            (&Value::Null, &json!(200))
        );
        let said = &line["response"]["body"]["choices"];
        assert_eq!(*said, ask(&server, &question(n)).unwrap().json()["choices"]);
    }
    // Looking on changes nothing.
    assert_eq!(get(&server, &path).json(), *done);
    let counts = server.batches();
    assert_eq!(
        (counts.uploads, counts.created, counts.downloads),
        (1, 1, 1)
    );
    assert_eq!((counts.polls, counts.cancelled), (4, 0));
    assert_eq!(counts.prompts, server.asked());
}

#[test]
fn what_goes_wrong_in_a_batch_of_openai_is_in_the_file_of_errors() {
    let share = |fault| Faults::none().share(0.5, [fault]);
    let server = ChatServer::setup()
        .in_batches(share(Fault::ServerError))
        .start();
    let done = get(&server, &openai(&server, 8)).json();
    assert_eq!(done["status"], "completed");
    let (output, errors) = ["output_file_id", "error_file_id"]
        .map(|name| file(&server, &done, name))
        .into();
    assert!(!output.is_empty() && !errors.is_empty());
    assert_eq!(output.len() + errors.len(), 8);
    assert_eq!(done["request_counts"]["failed"], errors.len());
    assert!(
        errors
            .iter()
            .all(|line| line["response"]["status_code"] == 500)
    );
    assert!(
        errors
            .iter()
            .all(|line| line["response"]["body"]["error"]["code"] == "server_error")
    );

    let server = ChatServer::setup().in_batches(share(Fault::Hang)).start();
    let done = get(&server, &openai(&server, 8)).json();
    assert_eq!(done["status"], "expired");
    let expired = file(&server, &done, "error_file_id");
    assert!(
        expired
            .iter()
            .all(|line| line["error"]["code"] == "batch_expired")
    );
    assert_eq!(
        file(&server, &done, "output_file_id").len() + expired.len(),
        8
    );
}

#[test]
fn results_may_be_missing_double_or_damaged() {
    let output = |fault| {
        let faults = Faults::none().every(4, fault);
        let server = ChatServer::setup().in_batches(faults).start();
        let done = get(&server, &openai(&server, 8)).json();
        assert_eq!(done["request_counts"]["completed"], 8);
        let path = format!(
            "/v1/files/{}/content",
            done["output_file_id"].as_str().unwrap()
        );
        get(&server, &path).body
    };
    assert_eq!(output(Fault::ResetBeforeReply).lines().count(), 6);
    assert_eq!(output(Fault::DuplicateDelivery).lines().count(), 10);
    let damaged = output(Fault::TruncatedJson);
    let read = damaged
        .lines()
        .filter(|line| serde_json::from_str::<Value>(line).is_ok());
    assert_eq!((damaged.lines().count(), read.count()), (8, 6));
}

#[test]
fn a_cancelled_batch_gives_what_was_done_before() {
    let server = ChatServer::setup().polls(9).start();
    let path = openai(&server, 8);
    let cancel = |path: &str| post(&server, &format!("{path}/cancel"), &json!({}));
    assert_eq!(cancel(&path).json()["status"], "cancelling");
    let batch = get(&server, &path).json();
    assert_eq!(batch["status"], "cancelled");
    assert_eq!(file(&server, &batch, "output_file_id").len(), 4);
    let errors = file(&server, &batch, "error_file_id");
    assert!(
        errors
            .iter()
            .all(|line| line["error"]["code"] == "batch_cancelled")
    );
    assert_eq!(cancel(&path).status, 409);

    let path = anthropic(&server, 8);
    assert_eq!(cancel(&path).json()["processing_status"], "canceling");
    let batch = get(&server, &path).json();
    assert_eq!(batch["processing_status"], "ended");
    assert_eq!(
        (
            &batch["request_counts"]["canceled"],
            server.batches().cancelled
        ),
        (&json!(4), 2)
    );
}

#[test]
fn a_file_that_makes_no_batch_fails_with_the_lines_to_blame() {
    let server = ChatServer::start();
    let line = |id: &str, model: &str| {
        let body = json!({"model": model});
        json!({"custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": body})
    };
    let text = format!(
        "{}\n{{\n{}\n{}\n",
        line("a", "m"),
        line("a", "m"),
        line("b", "other")
    );
    let file = upload(&server, &text).json();
    let batch = create(&server, &file["id"]).json();
    let path = format!("/v1/batches/{}", batch["id"].as_str().unwrap());
    let batch = get(&server, &path).json();
    assert_eq!(batch["status"], "failed");
    let errors = batch["errors"]["data"].as_array().unwrap();
    let errors: Vec<_> = errors
        .iter()
        .map(|one| (&one["line"], one["code"].as_str()))
        .collect();
    assert_eq!(
        errors,
        [
            (&json!(2), Some("invalid_json_line")),
            (&json!(3), Some("duplicate_custom_id")),
            (&json!(4), Some("mismatched_model")),
        ]
    );
    assert_eq!(create(&server, &json!("file-99")).status, 400);
    assert_eq!(post(&server, "/v1/files", &json!({})).status, 400);
    assert_eq!(get(&server, "/v1/batches/batch_99").status, 404);
}

#[test]
fn batches_are_listed_newest_first_and_page_by_page_each_dialect_for_itself() {
    let server = ChatServer::start();
    for _ in 0..3 {
        openai(&server, 1);
        anthropic(&server, 1);
    }
    for (path, after) in [
        ("/v1/batches", "after"),
        ("/v1/messages/batches", "after_id"),
    ] {
        let first = get(&server, &format!("{path}?limit=2")).json();
        assert_eq!(
            (first["data"].as_array().unwrap().len(), &first["has_more"]),
            (2, &json!(true))
        );
        assert_eq!(first["last_id"], first["data"][1]["id"]);
        let last = first["last_id"].as_str().unwrap();
        let second = get(&server, &format!("{path}?limit=2&{after}={last}")).json();
        assert_eq!(
            (
                second["data"].as_array().unwrap().len(),
                &second["has_more"]
            ),
            (1, &json!(false))
        );
        assert_ne!(second["data"][0]["id"], first["data"][1]["id"]);
    }
    assert_eq!(server.batches().lists, 4);
    let seen: BTreeMap<_, _> = server.batches().prompts;
    assert_eq!(seen.values().copied().collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn a_batch_of_anthropic_has_results_of_every_type() {
    let faults = [Fault::Hang, Fault::ServerError, Fault::Cut];
    let faults = Faults::none().share(0.6, faults);
    let server = ChatServer::setup().in_batches(faults).polls(2).start();
    let path = anthropic(&server, 12);
    assert_eq!(get(&server, &format!("{path}/results")).status, 404);
    assert_eq!(
        get(&server, &path).json()["processing_status"],
        "in_progress"
    );
    let done = get(&server, &path).json();
    assert_eq!(done["processing_status"], "ended");
    assert_eq!(done["results_url"], format!("http://here{path}/results"));
    let results = lines(&get(&server, &format!("{path}/results")));
    let of = |kind: &str| {
        results
            .iter()
            .filter(|line| line["result"]["type"] == kind)
            .count()
    };
    let counts = ["succeeded", "errored", "expired"].map(of);
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    assert_eq!(counts.iter().sum::<usize>(), 12);
    for (kind, count) in ["succeeded", "errored", "expired"].into_iter().zip(counts) {
        assert_eq!(done["request_counts"][kind], count);
    }
    let mut cut = 0;
    for line in &results {
        let result = &line["result"];
        match result["type"].as_str().unwrap() {
            "succeeded" if result["message"]["stop_reason"] == "max_tokens" => cut += 1,
            "succeeded" => {
                let n = line["custom_id"].as_str().unwrap()[2..].parse().unwrap();
                let live = post(&server, "/v1/messages", &message(n)).json();
                assert_eq!(result["message"]["content"], live["content"]);
            }
            "errored" => assert_eq!(result["error"]["error"]["type"], "api_error"),
            _ => {}
        }
    }
    assert!(cut > 0);
}

#[test]
fn a_batch_of_anthropic_is_refused_when_two_requests_have_one_id() {
    let server = ChatServer::start();
    let one = |id: &str| json!({"custom_id": id, "params": message(1)});
    for requests in [
        json!([one("a"), one("a")]),
        json!([one("not an id")]),
        json!([]),
    ] {
        let got = post(
            &server,
            "/v1/messages/batches",
            &json!({"requests": requests}),
        );
        assert_eq!(got.status, 400);
    }
    assert_eq!(server.batches().created, 0);
}
