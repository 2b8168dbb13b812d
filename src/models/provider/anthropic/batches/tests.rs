use super::*;
use crate::models::provider::batches::AROUND;

#[test]
fn a_body_has_all_requests() {
    let ids = [Digest::of("a"), Digest::of("b")];
    let params = serde_json::json!({"model": "m", "max_tokens": 5});
    let bytes = body(&ids, &mut |id, out| write_request(id, &params, out));
    let one = |id| format!(r#"{{"custom_id":"{id}","params":{{"model":"m","max_tokens":5}}}}"#);
    let wanted = format!(r#"{{"requests":[{},{}]}}"#, one(ids[0]), one(ids[1]));
    assert_eq!(String::from_utf8(bytes.clone()).unwrap(), wanted);
    assert_eq!(bytes.len(), AROUND + one(ids[0]).len() * 2 + 1);
}

#[test]
fn an_ended_batch_says_how_it_went_and_where_its_results_are() {
    let status = BATCHES.read_status(
            br#"{"id":"msgbatch_1","type":"message_batch","processing_status":"ended","request_counts":
            {"processing":0,"succeeded":95,"errored":2,"canceled":1,"expired":2},"ended_at":"2024-08-20T18:37:24.100435Z",
            "created_at":"2024-08-20T18:37:24.100435Z","expires_at":"x","cancel_initiated_at":null,
            "results_url":"https://api.anthropic.com/v1/messages/batches/msgbatch_1/results"}"#,
        )
        .unwrap();
    let wanted = Status {
        id: "msgbatch_1".to_owned(),
        phase: Phase::Ended,
        counts: Counts {
            done: 95,
            failed: 5,
            of: 100,
        },
        created_at: Some(1_724_179_044),
        results_url: Some(
            "https://api.anthropic.com/v1/messages/batches/msgbatch_1/results".to_owned(),
        ),
        ..Status::default()
    };
    assert_eq!(status, wanted);
    for word in ["in_progress", "canceling", "a_new_word"] {
        let text = format!(r#"{{"id":"m","processing_status":"{word}"}}"#);
        let status = BATCHES.read_status(text.as_bytes()).unwrap();
        assert_eq!(status.phase, Phase::Going);
    }
    assert!(BATCHES.read_status(br#"{"id":"m"}"#).is_err());
}

#[test]
fn every_kind_of_result_is_understood() {
    let id = Digest::of("a");
    let read = |ending: &str| {
        let line = format!(r#"{{"custom_id":"{id}","result":{ending},"later":1}}"#);
        let (read, outcome) = result(line.as_bytes()).unwrap();
        assert_eq!(read, id);
        outcome
    };
    assert_eq!(
        read(r#"{"type":"succeeded","message":{"id":"msg_1", "content":[]}}"#),
        Outcome::Answer {
            status: 200,
            body: br#"{"id":"msg_1", "content":[]}"#.to_vec()
        }
    );
    let error = r#"{"type":"error","error":{"type":"invalid_request_error","message":"m"}}"#;
    assert_eq!(
        read(&format!(r#"{{"type":"errored","error":{error}}}"#)),
        Outcome::Errored {
            body: error.as_bytes().to_vec()
        }
    );
    assert_eq!(read(r#"{"type":"expired"}"#), Outcome::Expired);
    assert_eq!(read(r#"{"type":"canceled"}"#), Outcome::Canceled);
    for broken in [r#"{"type":"succeeded"}"#, r#"{"type":"new"}"#, "7", "{}"] {
        assert!(matches!(read(broken), Outcome::Broken(_)), "{broken}");
    }
    assert!(result(br#"{"custom_id":"my-request","result":{}}"#).is_err());
}

#[test]
fn an_answer_may_be_nested_deeply() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let id = Digest::of("a");
    let line =
        format!(r#"{{"custom_id":"{id}","result":{{"type":"succeeded","message":{deep}}}}}"#);
    let read = result(line.as_bytes()).unwrap().1;
    assert!(matches!(read, Outcome::Answer { body, .. } if body == deep.as_bytes()));
}
