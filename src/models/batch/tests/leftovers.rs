//! What earlier runs leave: questions that nobody asks any more, and batches whose answers are stored.

use std::collections::BTreeSet;
use std::time::Duration;

use super::fake::{Fate, Fault};
use super::lab::{Lab, questions};
use crate::base::key::Digest;
use crate::models::batch::BatchError;
use crate::models::dialect::Dialect;
use crate::models::provider::batches::Outcome;

fn questions_from(first: u8, end: u8) -> BTreeSet<Digest> {
    (first..end).map(|n| Digest::of([n])).collect()
}

/// What was asked in each batch, in the order of keys.
fn asked(lab: &Lab) -> Vec<BTreeSet<Digest>> {
    let state = lab.server.state();
    let batches = state.batches.iter();
    batches
        .map(|batch| batch.ids.iter().map(|id| id.parse().unwrap()).collect())
        .collect()
}

/// Leaves a batch of `wanted` with the server.
async fn killed_while_waiting(lab: &Lab, wanted: &BTreeSet<Digest>) {
    lab.server.state().hang_at = Some((3, true));
    assert!(lab.run_until_it_hangs(wanted).await);
    assert_eq!((lab.created(), lab.written_down()), (1, 1));
}

/// The same, and then an answer to each of `answered` is stored and the batch not forgotten.
async fn killed_while_forgetting(
    lab: &Lab,
    wanted: &BTreeSet<Digest>,
    answered: &BTreeSet<Digest>,
) {
    killed_while_waiting(lab, wanted).await;
    store(lab, answered);
}

fn store(lab: &Lab, answered: &BTreeSet<Digest>) {
    for id in answered {
        let body = format!(r#"{{"text":"{id}"}}"#).into_bytes();
        lab.asker.store(*id, Outcome::Answer { status: 200, body });
    }
}

#[tokio::test(start_paused = true)]
async fn of_a_batch_that_was_never_sent_only_what_is_still_asked_is_sent() {
    for lab in Lab::both() {
        // The request that creates it does not arrive, which nobody knows until the list is seen.
        let hangs = Fault::Hangs { done: false };
        lab.server.state().faults = vec![
            ("POST /batches".to_owned(), 0, hangs.clone()),
            ("POST /messages/batches".to_owned(), 0, hangs),
        ];
        assert!(lab.run_until_it_hangs(&questions(4)).await);
        let wanted = questions_from(1, 4);
        lab.run(&wanted).await.unwrap();
        lab.assert_all_answered(&wanted);
        assert_eq!(asked(&lab), [wanted]);
        assert_eq!(lab.written_down(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn of_a_batch_that_found_no_room_only_what_is_still_asked_is_sent_again() {
    let mut lab = Lab::new(Dialect::OpenAi);
    killed_while_waiting(&lab, &questions(4)).await;
    lab.settings.most_requests = 4;
    let full = r#"{"id":"batch_0","status":"failed","errors":{"data":[{"code":"token_limit_exceeded","message":"full"}]}}"#;
    lab.server.state().faults = vec![(
        "GET /batches/batch_0".to_owned(),
        0,
        Fault::Says(200, full.to_owned()),
    )];
    let wanted = questions_from(1, 7);
    lab.run(&wanted).await.unwrap();
    lab.assert_all_answered(&wanted);
    assert_eq!(
        asked(&lab),
        [questions(4), questions_from(4, 7), questions_from(1, 4)]
    );
    assert_eq!(lab.written_down(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_batch_whose_answers_are_all_stored_is_forgotten_by_any_run() {
    for lab in Lab::both() {
        killed_while_forgetting(&lab, &questions(4), &questions(4)).await;
        lab.server.state().batches.clear();
        lab.run(&questions_from(7, 9)).await.unwrap();
        assert_eq!((lab.created(), lab.written_down()), (1, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_whose_answers_are_not_all_stored_is_kept() {
    for lab in Lab::both() {
        killed_while_forgetting(&lab, &questions(4), &questions(3)).await;
        lab.run(&questions_from(7, 9)).await.unwrap();
        assert_eq!(lab.written_down(), 1);
        lab.run(&questions_from(3, 4)).await.unwrap();
        lab.assert_all_answered(&questions(4));
        assert_eq!((lab.created(), lab.written_down()), (2, 0));
        // What is stored is not handed on once more.
        assert!(!lab.asker.order().contains(&Digest::of([0])));
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_stored_by_now_is_neither_sent_nor_waited_for() {
    for lab in Lab::both() {
        // In a batch that the server has forgotten, and in none.
        killed_while_forgetting(&lab, &questions(4), &questions_from(1, 7)).await;
        lab.server.state().batches.clear();
        let requests = lab.server.state().log.len();
        lab.run(&questions_from(1, 7)).await.unwrap();
        lab.assert_all_answered(&questions_from(1, 7));
        assert_eq!(lab.asker.order().len(), 6);
        assert_eq!(lab.server.state().log.len(), requests);
        // An answer to the first is still to come for whoever asks.
        assert_eq!(lab.written_down(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn what_expired_and_is_stored_by_now_is_not_asked_anew() {
    for lab in Lab::both() {
        let wanted = questions(3);
        lab.server.state().fate = Box::new(|batch, _| match batch {
            0 => Fate::Expired,
            _ => Fate::Answered,
        });
        let meanwhile = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            store(&lab, &questions(2));
        };
        let (done, ()) = tokio::join!(lab.run(&wanted), meanwhile);
        done.unwrap();
        lab.assert_all_answered(&wanted);
        assert_eq!(asked(&lab), [wanted, questions_from(2, 3)]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_forgotten_batch_is_no_error_once_all_that_is_asked_is_stored() {
    for lab in Lab::both() {
        for (stored, left) in [(questions(4), 0), (questions(3), 1)] {
            let lab = Lab::new(lab.service.dialect);
            killed_while_waiting(&lab, &questions(4)).await;
            lab.server.state().looks = 9;
            // Somebody asks them one by one, while the batch is waited for.
            let meanwhile = async {
                tokio::time::sleep(Duration::from_secs(2)).await;
                assert!(lab.asker.order().is_empty());
                store(&lab, &stored);
                lab.server.state().batches.clear();
            };
            let wanted = questions(3);
            let (done, ()) = tokio::join!(lab.run(&wanted), meanwhile);
            done.unwrap();
            lab.assert_all_answered(&wanted);
            assert_eq!((lab.created(), lab.written_down()), (0, left));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn forgotten_results_are_an_error_unless_all_that_is_asked_is_stored() {
    for lab in Lab::both() {
        let wanted = questions(3);
        let missing = || Fault::Says(404, "{}".to_owned());
        lab.server.state().faults = vec![
            ("GET /files/".to_owned(), 0, missing()),
            ("/results".to_owned(), 0, missing()),
        ];
        let meanwhile = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            store(&lab, &questions(2));
        };
        let (done, ()) = tokio::join!(lab.run(&wanted), meanwhile);
        let error = done.unwrap_err();
        assert!(matches!(error, BatchError::Gone { .. }), "{error}");
        assert_eq!((lab.created(), lab.written_down()), (1, 1));

        lab.server.state().faults = vec![
            ("GET /files/".to_owned(), 0, missing()),
            ("/results".to_owned(), 0, missing()),
        ];
        lab.server.state().looks = 9;
        let meanwhile = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            store(&lab, &wanted);
        };
        let (done, ()) = tokio::join!(lab.run(&wanted), meanwhile);
        done.unwrap();
        assert_eq!((lab.created(), lab.written_down()), (1, 0));
    }
}
