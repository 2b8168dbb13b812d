//! Several runs that share a cache.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::lab::{Asker, Lab, questions};
use crate::base::key::Digest;
use crate::models::batch::{BatchError, BatchEvent};
use crate::models::dialect::Dialect;
use crate::models::provider::batches::Outcome;

fn elsewhere(asker: &Asker, wanted: &BTreeSet<Digest>) -> usize {
    let given = wanted
        .iter()
        .filter(|id| asker.of(id) == Some(Outcome::Elsewhere));
    given.count()
}

#[tokio::test(start_paused = true)]
async fn two_runs_at_once_send_every_question_once() {
    for lab in Lab::both() {
        let (one, two) = (questions(6), questions(9));
        let other = Asker::default();
        let (first, second) = tokio::join!(lab.run(&one), lab.run_for(&other, &two));
        first.unwrap();
        second.unwrap();
        lab.assert_all_answered(&one);
        // Those that only the second asks are its own; of the rest it hears where they are.
        assert_eq!(elsewhere(&other, &two), 6);
        let sizes: Vec<usize> = lab
            .server
            .state()
            .batches
            .iter()
            .map(|batch| batch.ids.len())
            .collect();
        assert_eq!(sizes, [6, 3]);
        assert!(
            other
                .events()
                .contains(&BatchEvent::Waiting { questions: 6 })
        );
        assert_eq!(lab.written_down(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_takes_over_what_an_interrupted_one_leaves() {
    for lab in Lab::both() {
        let wanted = questions(4);
        let other = Asker::default();
        // The batch is uploaded, submitted, then seen to be under way; then the run that sent it ends.
        other.stop_at.store(3, Ordering::SeqCst);
        lab.server.state().looks = 5;
        if lab.service.dialect == Dialect::Anthropic {
            other.stop_at.store(2, Ordering::SeqCst);
        }
        let (first, second) = tokio::join!(lab.run_for(&other, &wanted), lab.run(&wanted));
        assert!(matches!(
            first.unwrap_err(),
            BatchError::Interrupted { under_way: 1 }
        ));
        second.unwrap();
        lab.assert_all_answered(&wanted);
        assert_eq!((lab.created(), lab.written_down()), (1, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_sends_what_another_one_reserved_and_never_sent() {
    let lab = Lab::new(Dialect::OpenAi);
    let wanted = questions(4);
    let other = Asker::default();
    // The upload hangs, so there is no batch yet.
    lab.server.state().hang_at = Some((0, false));
    let stop = async {
        lab.server.hanging.notified().await;
        tokio::time::sleep(Duration::from_secs(9)).await;
        other.stop.store(true, Ordering::SeqCst);
    };
    let (first, second, ()) = tokio::join!(lab.run_for(&other, &wanted), lab.run(&wanted), stop);
    assert!(matches!(
        first.unwrap_err(),
        BatchError::Interrupted { under_way: 0 }
    ));
    second.unwrap();
    lab.assert_all_answered(&wanted);
    assert_eq!((lab.created(), lab.written_down()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn runs_can_be_tasks_on_any_thread() {
    fn is_send<T: Send>(_: &T) {}
    for lab in Lab::both() {
        let wanted = questions(1);
        let run = lab.run(&wanted);
        is_send(&run);
        run.await.unwrap();
    }
}
