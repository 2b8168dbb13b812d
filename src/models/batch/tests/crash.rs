//! Runs that are killed at every request, before and after it reaches the server.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::fake::{BASE, FakeBatch, Fault};
use super::lab::{Lab, questions};
use crate::base::key::Digest;
use crate::models::batch::{BatchError, BatchEvent, Service};
use crate::models::dialect::Dialect;

#[tokio::test(start_paused = true)]
async fn a_run_killed_at_any_request_pays_for_nothing_twice() {
    for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
        for done in [false, true] {
            let mut at = 0;
            loop {
                let mut lab = Lab::new(dialect);
                // Two batches of equal size, so that one must not be taken for the other.
                lab.settings.most_requests = 3;
                lab.server.state().hang_at = Some((at, done));
                let wanted = questions(6);
                let hung = lab.run_until_it_hangs(&wanted).await;
                let rest = lab.unanswered(&wanted);
                lab.run(&rest).await.unwrap();
                lab.assert_all_answered(&wanted);
                let case = format!("{dialect:?}, request {at}, done: {done}");
                assert_eq!(lab.created(), 2, "{case}");
                assert_eq!(lab.written_down(), 0, "{case}");
                if !hung {
                    break;
                }
                at += 1;
            }
            assert!(at >= 10, "{at} requests");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_killed_twice_pays_for_nothing_twice() {
    for lab in Lab::both() {
        let wanted = questions(4);
        for (at, done) in [(1, true), (2, true), (4, false), (6, true)] {
            lab.server.state().hang_at = Some((at, done));
            lab.run_until_it_hangs(&wanted).await;
        }
        lab.run(&wanted).await.unwrap();
        lab.assert_all_answered(&wanted);
        assert_eq!(lab.created(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn answers_that_could_not_be_stored_are_fetched_again() {
    for lab in Lab::both() {
        let wanted = questions(4);
        lab.asker.cannot_store.store(true, Ordering::SeqCst);
        let error = lab.run(&wanted).await.unwrap_err();
        assert!(matches!(error, BatchError::Store(_)), "{error}");
        assert_eq!(lab.written_down(), 1);
        lab.asker.cannot_store.store(false, Ordering::SeqCst);
        lab.run(&wanted).await.unwrap();
        lab.assert_all_answered(&wanted);
        assert_eq!((lab.created(), lab.written_down()), (1, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn other_questions_do_not_hide_a_batch_under_way() {
    for lab in Lab::both() {
        lab.server.state().hang_at = Some((3, true));
        assert!(lab.run_until_it_hangs(&questions(4)).await);
        // One of the four is no longer asked, another one is new.
        let mut wanted = questions(5);
        wanted.remove(&Digest::of([0]));
        lab.run(&wanted).await.unwrap();
        assert_eq!(lab.created(), 2);
        // What is no longer asked is paid for, so its answer is handed on all the same.
        lab.assert_all_answered(&questions(5));
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_reserved_and_never_sent_is_forgotten_by_any_run() {
    for lab in Lab::both() {
        lab.server.state().hang_at = Some((0, false));
        assert!(lab.run_until_it_hangs(&questions(1)).await);
        let before = lab.written_down();
        lab.run(&BTreeSet::from([Digest::of("other")]))
            .await
            .unwrap();
        let reserved = lab.service.dialect == Dialect::OpenAi;
        // Anthropic's first request creates the batch; nobody knows whether it has.
        assert_eq!((before, lab.written_down()), (1, usize::from(!reserved)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_found_behind_many_others_and_not_among_failed_ones() {
    let lab = Lab::new(Dialect::OpenAi);
    let wanted = questions(4);
    // The same questions, refused.
    lab.server.state().room = 0;
    lab.run(&wanted).await.unwrap_err();
    lab.server.state().room = usize::MAX;
    let hang = |done| vec![("POST /batches".to_owned(), 0, Fault::Hangs { done })];
    lab.server.state().faults = hang(false);
    assert!(lab.run_until_it_hangs(&wanted).await);
    lab.server.state().faults = hang(true);
    assert!(lab.run_until_it_hangs(&wanted).await);
    let others = (0..5).map(|_| somebody_elses(4));
    lab.server.state().batches.extend(others);
    lab.run(&wanted).await.unwrap();
    lab.assert_all_answered(&wanted);
    assert_eq!(lab.created(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_interrupted_run_says_that_the_batch_goes_on() {
    for lab in Lab::both() {
        let wanted = questions(4);
        // When the batch is submitted.
        lab.asker.stop_at.store(2, Ordering::SeqCst);
        let error = lab.run(&wanted).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "interrupted: the batch goes on; the next run picks it up"
        );
        lab.asker.forget();
        lab.run(&wanted).await.unwrap();
        lab.assert_all_answered(&wanted);
        assert_eq!(lab.created(), 1);
        assert!(matches!(
            &lab.asker.events()[0],
            BatchEvent::Resumed { requests: 4, .. }
        ));
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_stopped_at_once_sends_nothing() {
    for lab in Lab::both() {
        lab.asker.stop.store(true, Ordering::SeqCst);
        let error = lab.run(&questions(4)).await.unwrap_err();
        assert!(matches!(error, BatchError::Interrupted { under_way: 0 }));
        assert!(lab.server.state().log.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_whose_answer_hangs_can_be_interrupted() {
    let lab = Lab::new(Dialect::OpenAi);
    lab.server.state().hang_at = Some((2, true));
    let stop = async {
        lab.server.hanging.notified().await;
        lab.asker.stop.store(true, Ordering::SeqCst);
    };
    let wanted = questions(2);
    let (done, ()) = tokio::join!(lab.run(&wanted), stop);
    assert!(matches!(
        done.unwrap_err(),
        BatchError::Interrupted { under_way: 1 }
    ));
}

fn somebody_elses(requests: usize) -> FakeBatch {
    FakeBatch {
        ids: (0..requests).map(|n| format!("request-{n}")).collect(),
        created_at: 1_000_000,
        foreign: true,
        ..FakeBatch::default()
    }
}

/// Kills a run of four questions while it creates its batch.
async fn killed_while_creating(lab: &Lab, done: bool) {
    lab.server.state().faults = vec![(
        "POST /messages/batches".to_owned(),
        0,
        Fault::Hangs { done },
    )];
    assert!(lab.run_until_it_hangs(&questions(4)).await);
}

#[tokio::test(start_paused = true)]
async fn of_two_batches_without_marks_none_is_taken_and_the_questions_are_sent_again() {
    let lab = Lab::new(Dialect::Anthropic);
    killed_while_creating(&lab, true).await;
    lab.server.state().batches.push(somebody_elses(4));
    lab.run(&questions(4)).await.unwrap();
    lab.assert_all_answered(&questions(4));
    assert_eq!(lab.created(), 2);
    assert!(lab.asker.warnings()[0].contains("2 batches on the server look like it"));
}

#[tokio::test(start_paused = true)]
async fn somebody_elses_batch_is_let_go_when_its_results_show_it() {
    let lab = Lab::new(Dialect::Anthropic);
    killed_while_creating(&lab, false).await;
    lab.server.state().batches.push(somebody_elses(4));
    lab.run(&questions(4)).await.unwrap();
    lab.assert_all_answered(&questions(4));
    assert_eq!((lab.created(), lab.written_down()), (1, 0));
    assert!(
        lab.asker.warnings()[0].contains("but is not"),
        "{:?}",
        lab.asker.warnings()
    );
}

#[tokio::test(start_paused = true)]
async fn batches_that_are_older_or_of_another_size_are_not_taken_for_ours() {
    let lab = Lab::new(Dialect::Anthropic);
    let old = FakeBatch {
        created_at: 998_000,
        ..somebody_elses(4)
    };
    lab.server
        .state()
        .batches
        .extend([old, somebody_elses(5), somebody_elses(3)]);
    killed_while_creating(&lab, true).await;
    lab.run(&questions(4)).await.unwrap();
    lab.assert_all_answered(&questions(4));
    assert_eq!(lab.created(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_drops_marks_is_paid_twice() {
    let lab = Lab::new(Dialect::OpenAi);
    lab.server.state().drops_marks = true;
    lab.server.state().faults = vec![("POST /batches".to_owned(), 0, Fault::Hangs { done: true })];
    assert!(lab.run_until_it_hangs(&questions(4)).await);
    lab.run(&questions(4)).await.unwrap();
    lab.assert_all_answered(&questions(4));
    assert_eq!(lab.created(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_batch_with_another_server_is_not_sent_again() {
    let mut lab = Lab::new(Dialect::OpenAi);
    lab.server.state().hang_at = Some((3, true));
    assert!(lab.run_until_it_hangs(&questions(4)).await);
    lab.service = Service::new(Dialect::OpenAi, "http://other.example/v1", "m");
    let error = lab.run(&questions(2)).await.unwrap_err().to_string();
    assert!(
        error.contains(&format!("sent in a batch to `{BASE}`: set `base-url`")),
        "{error}"
    );
    assert_eq!(lab.created(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_damaged_entry_is_told_and_its_questions_sent_again() {
    let lab = Lab::new(Dialect::OpenAi);
    lab.server.state().hang_at = Some((3, true));
    assert!(lab.run_until_it_hangs(&questions(4)).await);
    let name = lab.batches().all::<serde_json::Value>().unwrap().whole[0].0;
    fs_err::write(lab.batches().path_of(&name), "half").unwrap();
    lab.run(&questions(4)).await.unwrap();
    lab.assert_all_answered(&questions(4));
    assert!(lab.asker.warnings()[0].contains("its answers cannot be found"));
}
