//! Servers and connections that fail now and then.

use std::time::Duration;

use super::fake::Fault;
use super::lab::{Lab, questions};
use crate::models::batch::{BatchError, BatchEvent};
use crate::models::dialect::Dialect;

fn faults(lab: &Lab, faults: &[(&str, usize, Fault)]) {
    lab.server.state().faults = faults
        .iter()
        .map(|(what, passes, fault)| ((*what).to_owned(), *passes, fault.clone()))
        .collect();
}

#[tokio::test(start_paused = true)]
async fn any_request_that_fails_once_is_made_again_and_no_batch_twice() {
    for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
        for fault in [
            Fault::ReplyLost,
            Fault::NotSent,
            Fault::Says(429, "{}".to_owned()),
            Fault::Says(503, "overloaded".to_owned()),
        ] {
            for passes in 0..7 {
                let lab = Lab::new(dialect);
                faults(&lab, &[(" /", passes, fault.clone())]);
                lab.run(&questions(3)).await.unwrap();
                lab.assert_all_answered(&questions(3));
                assert_eq!(lab.created(), 1, "{dialect:?}, {fault:?}, request {passes}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_created_batch_whose_name_did_not_arrive_is_looked_for() {
    for lab in Lab::both() {
        let create = &*format!("POST /{}", lab.format().path);
        // A proxy's page instead of the reply, then a server that is busy.
        faults(
            &lab,
            &[
                (create, 0, Fault::DoneBut("<html>".to_owned())),
                (create, 0, Fault::Says(429, String::new())),
            ],
        );
        lab.run(&questions(3)).await.unwrap();
        lab.assert_all_answered(&questions(3));
        assert_eq!(lab.created(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_step_ends_the_run_with_what_the_server_says() {
    let lab = Lab::new(Dialect::OpenAi);
    let said = r#"{"error":{"message":"this key may not upload"}}"#;
    faults(
        &lab,
        &[("POST /files", 0, Fault::Says(401, said.to_owned()))],
    );
    let error = lab.run(&questions(3)).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "the server refused POST /files: this key may not upload (status 401)"
    );
    assert_eq!((lab.created(), lab.written_down()), (0, 0));
    lab.run(&questions(3)).await.unwrap();
    lab.assert_all_answered(&questions(3));
}

#[tokio::test(start_paused = true)]
async fn a_server_without_batches_is_told_from_one_that_refuses_them() {
    for (dialect, what, path) in [
        (Dialect::OpenAi, "POST /files", "/files"),
        (Dialect::OpenAi, "POST /batches", "/batches"),
        (
            Dialect::Anthropic,
            "POST /messages/batches",
            "/messages/batches",
        ),
    ] {
        for status in [404, 405] {
            let lab = Lab::new(dialect);
            let said = r#"{"error":{"message":"no such route"}}"#.to_owned();
            faults(&lab, &[(what, 0, Fault::Says(status, said))]);
            let error = lab.run(&questions(3)).await.unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "the server takes no batches ({status} at `…{path}`): leave `batch` out; it says: no such route"
                )
            );
            assert_eq!((lab.created(), lab.written_down()), (0, 0));
            assert!(lab.asker.events().contains(&BatchEvent::Refused(error)));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_may_exist_stays_written_down_when_the_list_is_refused() {
    for lab in Lab::both() {
        faults(
            &lab,
            &[
                ("POST /batches", 0, Fault::ReplyLost),
                ("POST /messages/batches", 0, Fault::ReplyLost),
                ("batches?", 0, Fault::Says(403, "{}".to_owned())),
            ],
        );
        let error = lab.run(&questions(3)).await.unwrap_err();
        assert!(matches!(error, BatchError::Refused { .. }), "{error}");
        assert_eq!((lab.created(), lab.written_down()), (1, 1));
        lab.run(&questions(3)).await.unwrap();
        lab.assert_all_answered(&questions(3));
        assert_eq!((lab.created(), lab.written_down()), (1, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn what_may_take_minutes_is_told_before_it_begins() {
    for lab in Lab::both() {
        lab.server.state().hang_at = Some((0, false));
        let wanted = questions(3);
        tokio::select! {
            done = lab.run(&wanted) => done.unwrap(),
            () = lab.server.hanging.notified() => {}
        }
        let events = lab.asker.events();
        assert!(
            matches!(events[..], [BatchEvent::Uploading { requests: 3, bytes }] if bytes > 300),
            "{events:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_is_given_up_and_found_later() {
    let lab = Lab::new(Dialect::Anthropic);
    let gone = || {
        (
            "POST /messages/batches",
            0,
            Fault::Says(500, "{}".to_owned()),
        )
    };
    let all: Vec<_> = (0..6).map(|_| gone()).collect();
    faults(&lab, &all);
    let error = lab.run(&questions(3)).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "POST /messages/batches failed 6 times in a row: {} (status 500)"
    );
    assert_eq!(lab.written_down(), 1);
    lab.run(&questions(3)).await.unwrap();
    assert_eq!(lab.created(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_hour_without_a_connection_is_survived_while_waiting() {
    for lab in Lab::both() {
        lab.server.state().looks = 3;
        let id = if lab.format().marks {
            "batch_0"
        } else {
            "msgbatch_0"
        };
        let look = &*format!("GET /{}/{id}", lab.format().path);
        let all: Vec<_> = (0..60).map(|_| (look, 0, Fault::NotSent)).collect();
        faults(&lab, &all);
        let start = tokio::time::Instant::now();
        lab.run(&questions(3)).await.unwrap();
        lab.assert_all_answered(&questions(3));
        assert!(start.elapsed().as_secs() > 50 * 60);
        assert_eq!(lab.asker.warnings().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_stays_away_ends_the_run_and_not_the_batch() {
    let mut lab = Lab::new(Dialect::OpenAi);
    lab.settings.failed_looks = 3;
    let all: Vec<_> = (0..3)
        .map(|_| ("GET /batches/batch_0", 0, Fault::NotSent))
        .collect();
    faults(&lab, &all);
    let error = lab.run(&questions(3)).await.unwrap_err();
    assert!(
        matches!(error, BatchError::GaveUp { attempts: 3, .. }),
        "{error}"
    );
    lab.run(&questions(3)).await.unwrap();
    lab.assert_all_answered(&questions(3));
    assert_eq!(lab.created(), 1);
}

#[tokio::test(start_paused = true)]
async fn pauses_between_looks_grow_up_to_a_minute() {
    let lab = Lab::new(Dialect::OpenAi);
    lab.server.state().looks = 100;
    let start = tokio::time::Instant::now();
    lab.run(&questions(3)).await.unwrap();
    let minutes = start.elapsed().as_secs() / 60;
    assert!(
        (90..=101).contains(&minutes),
        "{minutes} minutes for 101 looks"
    );
    let progress = lab.asker.events();
    let progress = progress
        .iter()
        .filter(|event| matches!(event, BatchEvent::Progress { .. }));
    assert_eq!(progress.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn results_that_were_cut_off_are_fetched_again() {
    let lab = Lab::new(Dialect::Anthropic);
    faults(
        &lab,
        &[("/results", 0, Fault::DoneBut(r#"{"custom_id":"#.to_owned()))],
    );
    lab.run(&questions(3)).await.unwrap();
    lab.assert_all_answered(&questions(3));
    assert!(lab.asker.warnings().is_empty());

    let lab = Lab::new(Dialect::OpenAi);
    faults(
        &lab,
        &[("GET /files/output-0", 0, Fault::DoneBut(String::new()))],
    );
    lab.run(&questions(3)).await.unwrap();
    lab.assert_all_answered(&questions(3));
}

#[tokio::test(start_paused = true)]
async fn results_that_lag_behind_the_count_are_waited_for_but_not_for_ever() {
    let half = || {
        (
            "GET /files/output-0",
            0,
            Fault::DoneBut("{}\nhalf".to_owned()),
        )
    };
    // Three downloads a look; it is looked at anew before the batch is forgotten.
    for downloads in [3, 15] {
        let lab = Lab::new(Dialect::OpenAi);
        faults(&lab, &(0..downloads).map(|_| half()).collect::<Vec<_>>());
        lab.run(&questions(3)).await.unwrap();
        lab.assert_all_answered(&questions(3));
        assert!(lab.asker.warnings().is_empty());
        assert_eq!((lab.created(), lab.written_down()), (1, 0));
    }

    let lab = Lab::new(Dialect::OpenAi);
    faults(&lab, &(0..99).map(|_| half()).collect::<Vec<_>>());
    lab.run(&questions(3)).await.unwrap();
    assert_eq!(
        lab.asker.warnings(),
        ["the results of batch `batch_0` have 2 lines that belong to no question"]
    );
    assert_eq!((lab.created(), lab.written_down()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_server_without_a_list_of_batches_is_sent_the_questions_again() {
    let lab = Lab::new(Dialect::OpenAi);
    faults(
        &lab,
        &[
            ("POST /batches", 0, Fault::ReplyLost),
            ("GET /batches?", 0, Fault::Says(404, "{}".to_owned())),
        ],
    );
    lab.run(&questions(3)).await.unwrap();
    lab.assert_all_answered(&questions(3));
    assert_eq!(lab.created(), 2);
    assert!(lab.asker.warnings()[0].contains("no list of batches"));
}

#[tokio::test(start_paused = true)]
async fn a_status_of_another_batch_is_not_believed() {
    let lab = Lab::new(Dialect::OpenAi);
    let other = r#"{"id":"batch_7","status":"completed"}"#;
    faults(
        &lab,
        &[(
            "GET /batches/batch_0",
            0,
            Fault::Says(200, other.to_owned()),
        )],
    );
    lab.run(&questions(3)).await.unwrap();
    lab.assert_all_answered(&questions(3));
}

#[tokio::test(start_paused = true)]
async fn looks_that_fail_now_and_then_do_not_add_up() {
    let mut lab = Lab::new(Dialect::OpenAi);
    lab.settings.failed_looks = 3;
    let look = |passes| ("GET /batches/batch_0", passes, Fault::NotSent);
    faults(&lab, &[look(0), look(0), look(1), look(0), look(1)]);
    lab.run(&questions(3)).await.unwrap();
    lab.assert_all_answered(&questions(3));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_to_wait_is_waited_for_within_reason() {
    for (what, asks, least, most) in [
        ("POST /files", 300, 300, 400),
        ("POST /batches", 300, 300, 400),
        ("GET /batches/batch_0", 300, 300, 400),
        ("GET /files/output-0", 300, 300, 400),
        ("GET /batches/batch_0", 1_000_000, 600, 700),
    ] {
        let lab = Lab::new(Dialect::OpenAi);
        faults(&lab, &[(what, 0, Fault::Wait(Duration::from_secs(asks)))]);
        let start = tokio::time::Instant::now();
        lab.run(&questions(3)).await.unwrap();
        let took = start.elapsed().as_secs();
        assert!((least..most).contains(&took), "{what} took {took} s");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_certainly_not_sent_is_not_looked_for() {
    for fault in [Fault::NotSent, Fault::Wait(Duration::ZERO)] {
        let lab = Lab::new(Dialect::Anthropic);
        faults(&lab, &[("POST /messages/batches", 0, fault)]);
        lab.run(&questions(3)).await.unwrap();
        lab.assert_all_answered(&questions(3));
        let log = lab.server.state().log.clone();
        assert!(
            log.iter().all(|(what, _)| !what.contains("limit=")),
            "{log:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_can_never_be_sent_ends_the_run_and_leaves_no_doubt() {
    let lab = Lab::new(Dialect::Anthropic);
    faults(&lab, &[("POST /messages/batches", 0, Fault::Impossible)]);
    let error = lab.run(&questions(3)).await.unwrap_err();
    assert_eq!(error.to_string(), "no key");
    lab.run(&questions(3)).await.unwrap();
    lab.assert_all_answered(&questions(3));
    let log = lab.server.state().log.clone();
    assert!(
        log.iter().all(|(what, _)| !what.contains("limit=")),
        "{log:?}"
    );
}
