//! Which calls are made again, when, and how it ends.

use std::cell::{Cell, RefCell};

use tokio::time::{Instant, sleep};

use super::{Switch, milliseconds, seconds};
use crate::models::ask::CallError;
use crate::models::spec::Limits;
use crate::models::traffic::{Attempts, Lane, Outcome, Unanswered, call};

fn broken() -> CallError {
    CallError::Broken("connection reset".to_owned())
}

fn put_off() -> CallError {
    CallError::Busy {
        message: "slow down".to_owned(),
        after: None,
    }
}

/// A call whose attempts, by number, end like that; when they were made, and what came of it.
async fn attempts_end(
    lane: &Lane,
    end: impl Fn(u32) -> Result<u32, CallError>,
) -> (Vec<Instant>, Result<u32, Unanswered<()>>) {
    let made = RefCell::new(Vec::new());
    let result = call(
        Attempts {
            lane,
            key: b"key",
            tokens: 1,
            stop: &|| false,
        },
        |_| Ok(()),
        |_| {
            made.borrow_mut().push(Instant::now());
            let end = end(made.borrow().len() as u32);
            async move { end }
        },
        |_| None,
        async |reply| Ok(reply),
    )
    .await;
    (made.into_inner(), result)
}

fn error<D>(message: &str) -> Result<u32, Unanswered<D>> {
    Err(Unanswered::Error(CallError::Failed(message.to_owned())))
}

#[tokio::test(start_paused = true)]
async fn a_lost_connection_is_tried_again_after_a_pause_that_grows() {
    let lane = Lane::new(Limits::default(), 2);
    let (made, result) = attempts_end(&lane, |attempt| {
        if attempt < 3 {
            Err(broken())
        } else {
            Ok(attempt)
        }
    })
    .await;
    assert_eq!(result, Ok(3));
    let pauses = [made[1] - made[0], made[2] - made[1]];
    assert!((250..=501).contains(&pauses[0].as_millis()), "{pauses:?}");
    assert!((500..=1_001).contains(&pauses[1].as_millis()), "{pauses:?}");
}

#[tokio::test(start_paused = true)]
async fn what_cannot_heal_is_not_tried_again() {
    for error in [
        CallError::Failed("bad request".to_owned()),
        CallError::TooLong("too long".to_owned()),
        CallError::Refused("no".to_owned()),
        CallError::Fatal("no such key".to_owned()),
    ] {
        let lane = Lane::new(Limits::default(), 1);
        let (made, result) = attempts_end(&lane, |_| Err(error.clone())).await;
        assert_eq!(made.len(), 1);
        assert_eq!(result, Err(Unanswered::Error(error)));
        assert_eq!(lane.status().under_way, 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_never_heals_ends_with_its_last_error() {
    let lane = Lane::new(Limits::default(), 1);
    let (made, result) = attempts_end(&lane, |_| Err(broken())).await;
    assert_eq!(made.len(), 6);
    assert_eq!(result, error("given up after 6 attempts: connection reset"));
    let once = Limits {
        retries: 0,
        ..Limits::default()
    };
    let (made, result) = attempts_end(&Lane::new(once, 1), |_| Err(broken())).await;
    assert_eq!(made.len(), 1);
    assert_eq!(result, error("given up after 1 attempt: connection reset"));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_put_off_uses_up_no_retries() {
    let once = Limits {
        retries: 1,
        ..Limits::default()
    };
    let (made, result) = attempts_end(&Lane::new(once, 1), |attempt| match attempt {
        9 => Ok(attempt),
        5 => Err(broken()),
        _ => Err(put_off()),
    })
    .await;
    assert_eq!((made.len(), result), (9, Ok(9)));
    let (made, result) = attempts_end(&Lane::new(once, 1), |attempt| {
        Err(if attempt < 4 { put_off() } else { broken() })
    })
    .await;
    assert_eq!(made.len(), 5);
    assert_eq!(result, error("given up after 5 attempts: connection reset"));
    // Who allows none wants to know at once.
    let none = Limits { retries: 0, ..once };
    let (_, result) = attempts_end(&Lane::new(none, 1), |_| Err(put_off())).await;
    assert_eq!(result, error("given up after 1 attempt: slow down"));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_put_off_while_others_are_answered_is_given_up_after_two_minutes() {
    let lane = Lane::new(Limits::default(), 1);
    let start = Instant::now();
    let others = async {
        loop {
            let answered = Outcome::Answered { tokens_used: None };
            lane.enter(1).await.expect("open").settle(&answered);
            sleep(seconds(5)).await;
        }
    };
    let result: Result<u32, Unanswered<()>> = tokio::select! {
        (_, result) = attempts_end(&lane, |_| Err(put_off())) => result,
        () = others => unreachable!(),
    };
    let Err(Unanswered::Error(CallError::Failed(told))) = result else {
        panic!("{result:?}");
    };
    assert!(told.starts_with("given up after "), "{told}");
    assert!(told.ends_with(" attempts: slow down"), "{told}");
    let took = start.elapsed().as_secs();
    assert!((120..180).contains(&took), "{took} s");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_finds_out_that_waiting_is_in_vain_says_so() {
    let limits = Limits {
        retries: 2,
        ..Limits::default()
    };
    let gone = CallError::Unreachable("connection refused".to_owned());
    let (made, result) = attempts_end(&Lane::new(limits, 1), |_| Err(gone.clone())).await;
    assert_eq!(made.len(), 3);
    let message = "no server of the model was ever reached, in 3 attempts: connection refused";
    let fatal = CallError::Fatal(message.to_owned());
    assert_eq!(result, Err(Unanswered::Error(fatal)));
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_does_not_come_in_time_counts_as_broken() {
    let limits = Limits {
        retries: 1,
        ..Limits::default()
    };
    let lane = Lane::new(limits, 1);
    let start = Instant::now();
    let result = call::<u32, (), _, _>(
        Attempts {
            lane: &lane,
            key: b"key",
            tokens: 1,
            stop: &|| false,
        },
        |_| Ok(()),
        |_| std::future::pending(),
        |_| None,
        async |reply| Ok(reply),
    )
    .await;
    let message = "given up after 2 attempts: no whole reply within 600 s";
    assert_eq!(result, error(message));
    assert!((1_200..1_202).contains(&start.elapsed().as_secs()));
}

#[tokio::test(start_paused = true)]
async fn those_who_wait_stop_within_a_tenth_of_a_second_and_those_under_way_finish() {
    let lane = Lane::new(super::limits(1), 1);
    let stop = Switch::default();
    let stopping = || stop.is_on();
    let start = Instant::now();
    let one = async |key: &'static [u8], result: Result<u32, CallError>| {
        let answer = call::<_, (), _, _>(
            Attempts {
                lane: &lane,
                key,
                tokens: 1,
                stop: &stopping,
            },
            |_| Ok(()),
            |_| {
                let result = result.clone();
                async {
                    sleep(seconds(2)).await;
                    result
                }
            },
            |_| None,
            async |reply| Ok(reply),
        )
        .await;
        (answer, start.elapsed())
    };
    let (under_way, waiting, ()) =
        tokio::join!(one(b"first", Ok(1)), one(b"second", Ok(2)), async {
            sleep(milliseconds(1_230)).await;
            stop.flip();
        });
    assert_eq!(under_way.0, Ok(1));
    assert_eq!(waiting.0, Err(Unanswered::Stopped));
    assert!(waiting.1 <= milliseconds(1_331), "{:?}", waiting.1);
    // One that broke stops in its pause.
    stop.flip();
    let (broke, ()) = tokio::join!(one(b"third", Err(broken())), async {
        sleep(milliseconds(2_050)).await;
        stop.flip();
    });
    assert_eq!(broke.0, Err(Unanswered::Stopped));
    assert!(broke.1 <= milliseconds(2_000 + 2_151), "{:?}", broke.1);
}

#[tokio::test(start_paused = true)]
async fn a_call_is_under_way_until_its_reply_is_kept() {
    let lane = Lane::new(super::limits(1), 1);
    let start = Instant::now();
    let one = async |kept: Result<u32, &'static str>| {
        let asked = Cell::new(start);
        let answer = call(
            Attempts {
                lane: &lane,
                key: b"key",
                tokens: 1,
                stop: &|| false,
            },
            |_| Ok(()),
            |_| {
                asked.set(Instant::now());
                async { Ok(1) }
            },
            |_| None,
            async |_| {
                sleep(seconds(3)).await;
                kept
            },
        )
        .await;
        (answer, (asked.get() - start).as_secs())
    };
    let (full, next) = tokio::join!(one(Err("the disk is full")), one(Ok(1)));
    assert_eq!(full, (Err(Unanswered::Denied("the disk is full")), 0));
    assert_eq!(next, (Ok(1), 3));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_permitted_is_not_sent_and_costs_no_allowance() {
    let limits = Limits {
        requests_per_minute: Some(1.0),
        ..Limits::default()
    };
    let lane = Lane::new(limits, 1);
    let sent = Cell::new(0);
    let start = Instant::now();
    for permitted in [false, false, true] {
        let result = call(
            Attempts {
                lane: &lane,
                key: b"key",
                tokens: 1,
                stop: &|| false,
            },
            |attempt| permitted.then_some(()).ok_or(attempt),
            |_| {
                sent.set(sent.get() + 1);
                async { Ok(()) }
            },
            |()| None,
            async |reply| Ok(reply),
        )
        .await;
        assert_eq!(result, permitted.then_some(()).ok_or(Unanswered::Denied(1)));
    }
    assert_eq!(sent.get(), 1);
    assert!(start.elapsed() < seconds(1), "{:?}", start.elapsed());
}
