//! The ways in which batches end.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Duration;

use super::fake::{BASE, Fate, Fault};
use super::lab::{Lab, questions};
use crate::base::key::Digest;
use crate::models::batch::{BatchError, BatchEvent};
use crate::models::dialect::Dialect;
use crate::models::provider::batches::Outcome;

/// A server on which the questions of `questions(8)` fare as follows, the first eight by number.
fn fates(lab: &Lab, fates: &[Fate]) {
    let by_id: Vec<(String, Fate)> = fates
        .iter()
        .enumerate()
        .map(|(n, fate)| (Digest::of([n as u8]).to_string(), *fate))
        .collect();
    lab.server.state().fate = Box::new(move |_, id| {
        let found = by_id.iter().find(|(other, _)| other == id);
        found.map_or(Fate::Answered, |(_, fate)| *fate)
    });
}

#[tokio::test(start_paused = true)]
async fn every_question_gets_its_own_answer_in_the_order_of_keys() {
    for mut lab in Lab::both() {
        lab.settings.most_requests = 2;
        let wanted = questions(7);
        lab.run(&wanted).await.unwrap();
        lab.assert_all_answered(&wanted);
        assert_eq!(lab.created(), 4);
        let order = lab.asker.order();
        assert_eq!(order, wanted.iter().copied().collect::<Vec<_>>());
        let sent = |event: &BatchEvent| {
            matches!(
                event,
                BatchEvent::Uploading { .. } | BatchEvent::Submitted { .. }
            )
        };
        let ended = |event: &BatchEvent| matches!(event, BatchEvent::Ended { .. });
        let events = lab.asker.events();
        assert!(events[..8].iter().all(sent), "{events:?}");
        assert_eq!(events.iter().filter(|event| ended(event)).count(), 4);
        assert_eq!(lab.written_down(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn answers_are_handed_on_in_pieces() {
    let lab = Lab::new(Dialect::OpenAi);
    let wanted: BTreeSet<Digest> = (0..2500_u16).map(|n| Digest::of(n.to_le_bytes())).collect();
    lab.run(&wanted).await.unwrap();
    lab.assert_all_answered(&wanted);
    assert_eq!(lab.created(), 1);
    assert_eq!(lab.asker.most_at_once.load(Ordering::SeqCst), 1000);
}

#[test]
fn other_tasks_go_on_while_results_are_read() {
    for mut lab in Lab::both() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(1)
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        lab.settings.first_look = Duration::ZERO;
        lab.server.state().looks = 0;
        let wanted = questions(4);
        runtime.block_on(async {
            // The only thread for what takes long is taken until another task has had its turn.
            let (release, released) = std::sync::mpsc::channel();
            let taken = tokio::task::spawn_blocking(move || released.recv().is_ok());
            let fetched = |(what, _): &(String, bool)| {
                what.starts_with("GET /files/") || what.ends_with("/results")
            };
            let other = std::future::poll_fn(|_| {
                let fetched = lab.server.state().log.iter().any(fetched);
                if fetched && lab.asker.order().is_empty() {
                    let _ = release.send(());
                }
                Poll::<()>::Pending
            });
            tokio::select! {
                biased;
                done = lab.run(&wanted) => done.unwrap(),
                () = other => {}
            }
            drop(release);
            assert!(taken.await.unwrap());
        });
        lab.assert_all_answered(&wanted);
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_requests_to_be_put_together() {
    for lab in Lab::both() {
        // Some expire, so that batches are planned at the beginning and later.
        fates(&lab, &[Fate::Expired; 4]);
        *lab.asker.batches.lock().unwrap() = Some(lab.batches());
        lab.run(&questions(6)).await.unwrap();
        assert_eq!(lab.created(), 4);
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_run_makes_the_same_requests() {
    for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
        let (one, two) = (Lab::new(dialect), Lab::new(dialect));
        one.run(&questions(9)).await.unwrap();
        two.run(&questions(9)).await.unwrap();
        assert_eq!(one.server.state().log, two.server.state().log);
        assert_eq!(one.server.state().files, two.server.state().files);
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_asked_is_nothing_sent() {
    for lab in Lab::both() {
        lab.run(&questions(0)).await.unwrap();
        assert!(lab.server.state().log.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn each_question_has_an_ending_of_its_own() {
    let lab = Lab::new(Dialect::OpenAi);
    let all = [
        Fate::Answered,
        Fate::BadRequest,
        Fate::Errored,
        Fate::Unmentioned,
        Fate::Twice,
        Fate::TwiceOtherwise,
    ];
    fates(&lab, &all);
    lab.run(&questions(6)).await.unwrap();
    let of = |n: u8| lab.asker.of(&Digest::of([n])).unwrap();
    assert!(matches!(of(0), Outcome::Answer { status: 200, .. }));
    assert!(matches!(of(1), Outcome::Answer { status: 400, .. }));
    assert_eq!(
        of(2),
        Outcome::Errored {
            body: br#"{"code":"request_timeout"}"#.to_vec()
        }
    );
    assert!(matches!(of(3), Outcome::Broken(why) if why.contains("without a result")));
    assert!(matches!(of(4), Outcome::Answer { status: 200, .. }));
    assert!(matches!(of(5), Outcome::Broken(why) if why.contains("two different")));
    assert_eq!((lab.created(), lab.written_down()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn what_expired_is_asked_anew_and_what_was_answered_is_not() {
    for lab in Lab::both() {
        let late = Digest::of([1]).to_string();
        lab.server.state().fate = Box::new(move |batch, id| match batch {
            0 | 1 if id == late => Fate::Expired,
            _ => Fate::Answered,
        });
        lab.run(&questions(4)).await.unwrap();
        lab.assert_all_answered(&questions(4));
        let sizes: Vec<usize> = lab
            .server
            .state()
            .batches
            .iter()
            .map(|batch| batch.ids.len())
            .collect();
        assert_eq!(sizes, [4, 1, 1]);
    }
}

#[tokio::test(start_paused = true)]
async fn what_expires_each_time_is_given_up_after_three_more_batches() {
    for lab in Lab::both() {
        fates(&lab, &[Fate::Expired; 4]);
        lab.run(&questions(4)).await.unwrap();
        assert_eq!((lab.created(), lab.written_down()), (4, 0));
        assert_eq!(lab.asker.of(&Digest::of([0])), Some(Outcome::Expired));
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_cancelled_is_not_asked_anew() {
    for lab in Lab::both() {
        fates(&lab, &[Fate::Canceled, Fate::Answered]);
        lab.run(&questions(2)).await.unwrap();
        assert_eq!(lab.created(), 1);
        assert_eq!(lab.asker.of(&Digest::of([0])), Some(Outcome::Canceled));
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_cancelled_batch_does_not_mention_was_cancelled() {
    let lab = Lab::new(Dialect::OpenAi);
    fates(&lab, &[Fate::Canceled, Fate::Unmentioned]);
    lab.run(&questions(2)).await.unwrap();
    assert_eq!(lab.asker.of(&Digest::of([1])), Some(Outcome::Canceled));
}

#[tokio::test(start_paused = true)]
async fn a_batch_refused_as_a_whole_names_its_first_errors() {
    let mut lab = Lab::new(Dialect::OpenAi);
    lab.settings.most_requests = 2;
    let failed = r#"{"id":"batch_1","status":"failed","errors":{"data":[{"code":"c","line":2,"message":"no such model"}]}}"#;
    lab.server.state().faults = vec![(
        "GET /batches/batch_1".to_owned(),
        0,
        Fault::Says(200, failed.to_owned()),
    )];
    let error = lab.run(&questions(4)).await.unwrap_err().to_string();
    let wanted = "the server refused the batch `batch_1`: line 2: no such model (c)";
    assert_eq!(error, wanted);
    // The other one was waited for, and neither is written down any more.
    assert_eq!(lab.unanswered(&questions(4)).len(), 2);
    assert_eq!(lab.written_down(), 0);
    assert!(
        lab.asker
            .events()
            .contains(&BatchEvent::Refused(wanted.to_owned()))
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_full_gets_one_batch_after_the_other() {
    let mut lab = Lab::new(Dialect::OpenAi);
    lab.settings.most_requests = 2;
    lab.server.state().room = 1;
    lab.run(&questions(6)).await.unwrap();
    lab.assert_all_answered(&questions(6));
    assert_eq!(lab.written_down(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_takes_nothing_at_all_is_not_asked_for_ever() {
    let mut lab = Lab::new(Dialect::OpenAi);
    lab.settings.most_requests = 2;
    lab.server.state().room = 0;
    let error = lab.run(&questions(6)).await.unwrap_err().to_string();
    assert!(
        error.contains("Enqueued token limit reached (token_limit_exceeded)"),
        "{error}"
    );
    assert!(lab.created() <= 6);
}

#[tokio::test(start_paused = true)]
async fn a_question_too_large_for_any_batch_is_given_back_unsent() {
    for mut lab in Lab::both() {
        lab.settings.most_bytes = 100;
        lab.run(&questions(2)).await.unwrap();
        assert!(lab.server.state().log.is_empty());
        let given = lab.asker.of(&Digest::of([0])).unwrap();
        assert!(
            matches!(given, Outcome::TooLarge { bytes, limit: 85 } if bytes > 150),
            "{given:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn results_elsewhere_are_fetched_without_the_key_and_only_if_they_are_not_here() {
    let lab = Lab::new(Dialect::Anthropic);
    lab.server.state().results_base = "https://files.example".to_owned();
    lab.run(&questions(2)).await.unwrap();
    assert!(
        lab.server
            .state()
            .log
            .iter()
            .all(|(what, key)| *key && !what.contains("files.example"))
    );

    let lab = Lab::new(Dialect::Anthropic);
    lab.server.state().results_base = "https://files.example".to_owned();
    lab.server.state().no_results_here = true;
    lab.run(&questions(2)).await.unwrap();
    lab.assert_all_answered(&questions(2));
    let log = lab.server.state().log.clone();
    let last = log.last().unwrap();
    assert_eq!(
        last,
        &("GET /https://files.example/msgbatch_0".to_owned(), false)
    );
    assert_eq!(log.iter().filter(|(_, key)| !key).count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_the_server_has_forgotten_says_what_to_do() {
    for lab in Lab::both() {
        lab.server.state().hang_at = Some((3, true));
        assert!(lab.run_until_it_hangs(&questions(2)).await);
        lab.server.state().batches.clear();
        let error = lab.run(&questions(2)).await.unwrap_err();
        assert!(matches!(error, BatchError::Gone { .. }), "{error}");
        assert_eq!(lab.written_down(), 1);
        assert!(!error.to_string().contains(BASE));
    }
}
