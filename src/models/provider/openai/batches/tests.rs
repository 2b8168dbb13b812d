use super::*;
use crate::models::provider::batches::read_id;

fn read(text: &str) -> Status {
    BATCHES.read_status(text.as_bytes()).unwrap()
}

#[test]
fn a_file_has_one_request_a_line() {
    let ids = [Digest::of("a"), Digest::of("b")];
    let params =
        serde_json::json!({"model": "m", "messages": [{"role": "user", "content": "é\r\n\u{0}"}]});
    let mut bytes = Vec::new();
    file(
        &ids,
        &mut |id, out| write_request(id, &params, out),
        &mut bytes,
    );
    let body = r#"{"model":"m","messages":[{"role":"user","content":"é\r\n\u0000"}]}"#;
    let line = |id| {
        format!(
            r#"{{"custom_id":"{id}","method":"POST","url":"/v1/chat/completions","body":{body}}}"#
        )
    };
    let wanted = format!("{}\n{}\n", line(ids[0]), line(ids[1]));
    assert_eq!(String::from_utf8(bytes).unwrap(), wanted);
}

#[test]
fn a_batch_is_made_of_a_file_and_marked() {
    let mark = Digest::of("x");
    assert_eq!(
        String::from_utf8(create("file-1", &mark)).unwrap(),
        format!(
            r#"{{"input_file_id":"file-1","endpoint":"/v1/chat/completions","completion_window":"24h","metadata":{{"tribunal":"{mark}"}}}}"#
        )
    );
}

#[test]
fn the_uploaded_file_is_known_by_its_id() {
    let body = r#"{"id":"file-abc","object":"file","bytes":120,"created_at":1,"filename":"f","purpose":"batch"}"#;
    assert_eq!(read_id(body.as_bytes()), Ok("file-abc".to_owned()));
    assert!(read_id(b"{}").is_err());
    assert!(read_id(br#"{"id":7}"#).is_err());
}

#[test]
fn a_completed_batch_names_its_files() {
    let status = read(
        r#"{"id":"batch_1","object":"batch","endpoint":"/v1/chat/completions","errors":null,"input_file_id":"file-1",
        "completion_window":"24h","status":"completed","output_file_id":"file-2","error_file_id":"file-3",
        "created_at":1711471533,"in_progress_at":1711471538,"request_counts":{"total":100,"completed":95,"failed":5},
        "metadata":{"tribunal":"m","other":"x"},"new_field":{"a":[1]}}"#,
    );
    let wanted = Status {
        id: "batch_1".to_owned(),
        phase: Phase::Ended,
        counts: Counts {
            done: 95,
            failed: 5,
            of: 100,
        },
        created_at: Some(1_711_471_533),
        mark: Some("m".to_owned()),
        files: vec!["file-2".to_owned(), "file-3".to_owned()],
        ..Status::default()
    };
    assert_eq!(status, wanted);
}

#[test]
fn every_word_for_the_status_is_understood() {
    for (word, phase) in [
        ("validating", Phase::Going),
        ("in_progress", Phase::Going),
        ("finalizing", Phase::Going),
        ("cancelling", Phase::Going),
        ("a_new_word", Phase::Going),
        ("completed", Phase::Ended),
        ("expired", Phase::Expired),
        ("cancelled", Phase::Canceled),
        ("failed", Phase::Failed),
    ] {
        let status = read(&format!(
            r#"{{"id":"b","status":"{word}","metadata":null}}"#
        ));
        assert_eq!(status.phase, phase, "{word}");
    }
}

#[test]
fn the_first_errors_of_a_failed_batch_are_told_with_their_lines() {
    let status = read(
        r#"{"id":"b","status":"failed","errors":{"object":"list","data":[
        {"code":"invalid_json_line","line":3,"message":"This line is not parseable.","param":null},
        {"code":"mismatched_model","line":null,"message":"The model differs.","param":"body.model"},
        {"code":"c","message":"d"},{"code":"e"}]}}"#,
    );
    assert_eq!(
        status.errors,
        [
            "line 3: This line is not parseable. (invalid_json_line)",
            "The model differs. (mismatched_model)",
            "d (c)",
            "and 1 more"
        ]
    );
    assert!(!status.too_much_waiting);
    let status = read(
        r#"{"id":"b","status":"failed","errors":{"data":[{"code":"token_limit_exceeded","message":"Enqueued token limit reached"}]}}"#,
    );
    assert!(status.too_much_waiting);
    let status = read(r#"{"id":"b","status":"failed","errors":"no"}"#);
    assert_eq!(status.errors, ["no"]);
}

#[test]
fn a_batch_without_a_sound_id_is_refused() {
    let refused = |text: &str| {
        BATCHES
            .read_status(text.as_bytes())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(refused(r#"{"status":"failed"}"#), "it has no `id`");
    assert_eq!(
        refused(r#"{"id":"../x","status":"failed"}"#),
        "its `id` is no identifier: `../x`"
    );
    assert_eq!(refused(r#"{"id":"b"}"#), "it has no `status`");
    assert!(
        refused(r#"{"id":"b","status":"completed","output_file_id":"a b"}"#)
            .contains("output_file_id")
    );
    assert!(refused("[]").contains("status"));
}

#[test]
fn results_keep_the_bytes_of_the_answer() {
    let id = Digest::of("a");
    let body = r#"{"choices" : [{"message":{"content":"\ud800 \u00e9 1.10"}}]}"#;
    let line = format!(
        r#"{{"id":"batch_req_1","custom_id":"{id}","response":{{"status_code":200,"request_id":"r","body":{body}}},"error":null}}"#
    );
    let answer = |status, body: &str| Outcome::Answer {
        status,
        body: body.as_bytes().to_vec(),
    };
    assert_eq!(result(line.as_bytes()), Ok((id, answer(200, body))));
    let line = format!(
        r#"{{"error":null,"response":{{"body":{{"error":{{"message":"m"}}}},"status_code":400}},"custom_id":"{id}"}}"#
    );
    assert_eq!(
        result(line.as_bytes()),
        Ok((id, answer(400, r#"{"error":{"message":"m"}}"#)))
    );
}

#[test]
fn requests_without_an_answer_say_why() {
    let id = Digest::of("a");
    let read = |rest: &str| {
        let line = format!(r#"{{"custom_id":"{id}",{rest}}}"#);
        result(line.as_bytes()).unwrap().1
    };
    let error =
        |code: &str| format!(r#""response":null,"error":{{"code":"{code}","message":"m"}}"#);
    assert_eq!(read(&error("batch_expired")), Outcome::Expired);
    assert_eq!(read(&error("batch_cancelled")), Outcome::Canceled);
    assert_eq!(
        read(&error("request_timeout")),
        Outcome::Errored {
            body: br#"{"code":"request_timeout","message":"m"}"#.to_vec()
        }
    );
    assert!(matches!(read(r#""error":"text""#), Outcome::Errored { .. }));
    assert!(matches!(read(r#""response":null"#), Outcome::Broken(_)));
    assert!(matches!(
        read(r#""response":{"body":{}}"#),
        Outcome::Broken(_)
    ));
}

#[test]
fn a_result_of_a_foreign_id_is_not_read() {
    for line in [
        r#"{"custom_id":"request-1","response":null,"error":null}"#,
        r#"{"custom_id":7}"#,
        r#"{"response":null}"#,
        "\u{0}",
        r#"{"custom_id":"#,
    ] {
        assert!(result(line.as_bytes()).is_err(), "{line}");
    }
}
