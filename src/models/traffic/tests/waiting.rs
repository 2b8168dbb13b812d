//! The queue: order, leaving, and that nothing is lost or exceeded.

use std::cell::RefCell;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use proptest::prelude::*;
use tokio::time::{Duration, Instant, advance, timeout};

use super::{busy, limits, milliseconds, seconds};
use crate::models::spec::Limits;
use crate::models::traffic::{Closed, Entry, Lane, Outcome};

const ANSWERED: Outcome = Outcome::Answered { tokens_used: None };

type Entering<'l> = Pin<Box<dyn Future<Output = Result<Entry<'l>, Closed>> + 'l>>;

/// Looks once, as if woken; who waits keeps waiting.
fn look<'l>(entering: &mut Entering<'l>) -> Option<Result<Entry<'l>, Closed>> {
    let mut context = Context::from_waker(Waker::noop());
    match entering.as_mut().poll(&mut context) {
        Poll::Ready(entry) => Some(entry),
        Poll::Pending => None,
    }
}

#[tokio::test(start_paused = true)]
async fn who_leaves_after_being_woken_wakes_the_next() {
    let lane = Lane::new(limits(1), 1);
    let under_way = lane.enter(1).await.unwrap();
    let mut first: Entering<'_> = Box::pin(lane.enter(1));
    assert!(look(&mut first).is_none());
    let second = lane.enter(1);
    tokio::pin!(second);
    assert!(timeout(milliseconds(1), second.as_mut()).await.is_err());
    under_way.settle(&ANSWERED);
    drop(first);
    assert!(timeout(milliseconds(1), second).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn who_leaves_during_a_hold_leaves_the_watch_to_the_next() {
    let lane = Lane::new(limits(5), 1);
    let after = Some(seconds(3));
    lane.enter(1).await.unwrap().settle(&busy(after));
    let start = Instant::now();
    let mut first: Entering<'_> = Box::pin(lane.enter(1));
    assert!(look(&mut first).is_none());
    let (entered, ()) = tokio::join!(timeout(seconds(10), lane.enter(1)), async {
        tokio::time::sleep(seconds(1)).await;
        drop(first);
    });
    assert!(entered.is_ok());
    assert!((3_000..3_002).contains(&start.elapsed().as_millis()));
}

#[tokio::test(start_paused = true)]
async fn long_prompts_are_not_overtaken_by_short_ones() {
    let few = Limits {
        tokens_per_minute: Some(10_000.0),
        ..limits(100)
    };
    let lane = Lane::new(few, 1);
    let order = RefCell::new(Vec::new());
    let (lane, order) = (&lane, &order);
    let calls = (0..40_u64).map(|call| async move {
        let tokens = if call % 4 == 0 { 2_000 } else { 10 };
        lane.enter(tokens).await.unwrap().settle(&ANSWERED);
        order.borrow_mut().push(call);
    });
    let mut calls: Vec<_> = calls.map(Box::pin).collect();
    // Polled backwards after they came, so that only the queue can put them in order.
    std::future::poll_fn(|context| {
        calls.retain_mut(|call| call.as_mut().poll(context).is_pending());
        calls.reverse();
        if calls.is_empty() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    assert_eq!(*order.borrow(), (0..40).collect::<Vec<u64>>());
}

#[tokio::test(start_paused = true)]
async fn a_short_prompt_that_would_fit_waits_for_the_long_one_before_it() {
    let few = Limits {
        tokens_per_minute: Some(10_000.0),
        ..limits(100)
    };
    let lane = Lane::new(few, 1);
    let start = Instant::now();
    let used = Outcome::Answered {
        tokens_used: Some(5_000),
    };
    lane.enter(5_000).await.unwrap().settle(&used);
    let enter = async |after, tokens| {
        tokio::time::sleep(seconds(after)).await;
        let entry = lane.enter(tokens).await.unwrap();
        entry.settle(&ANSWERED);
        start.elapsed().as_secs()
    };
    let (long, short) = tokio::join!(enter(1, 6_000), enter(40, 10));
    assert_eq!(long, 61);
    assert!(short >= long, "{short}");
}

/// What happens next in a schedule.
#[derive(Clone, Debug)]
enum Step {
    Come(u64),
    Leave(usize),
    End(usize, Outcome),
    Pass(u64),
}

/// How a call ends; in a dark time, none is answered.
fn outcome(dark: bool) -> impl Strategy<Value = Outcome> {
    let after = proptest::option::of((0..3_000_u64).prop_map(Duration::from_millis));
    let light = u32::from(!dark);
    // In a tenth of all schedules, somebody is told that waiting is in vain.
    prop_oneof![
        6 * light => (0..500_u64).prop_map(|used| Outcome::Answered { tokens_used: Some(used) }),
        2 => after.prop_map(busy),
        1 => Just(Outcome::Unreachable("gone".to_owned())),
        1 => Just(Outcome::Broken("cut short".to_owned())),
        1 => Just(Outcome::TimedOut("too late".to_owned())),
        light => Just(Outcome::Rejected),
        1 => Just(Outcome::Unsent),
        1 => Just(Outcome::Abandoned),
    ]
}

fn step(dark: bool) -> impl Strategy<Value = Step> {
    let longest = if dark { 200_000 } else { 2_000_u64 };
    prop_oneof![
        6 => (0..500_u64).prop_map(Step::Come),
        1 => (0..20_usize).prop_map(Step::Leave),
        4 => ((0..20_usize), outcome(dark)).prop_map(|(which, how)| Step::End(which, how)),
        2 => (0..longest).prop_map(Step::Pass),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    proptest::bool::ANY.prop_flat_map(|dark| proptest::collection::vec(step(dark), 0..120))
}

/// Goes through a schedule, and then ends everything well.
async fn go_through(lane: &Lane, most: u32, places: usize, steps: Vec<Step>) {
    // Only one that was never reached stays closed whatever happens.
    lane.enter(1).await.unwrap().settle(&ANSWERED);
    let mut waiting: Vec<Entering<'_>> = Vec::new();
    let mut under_way: Vec<Entry<'_>> = Vec::new();
    for step in steps {
        match step {
            Step::Come(tokens) => waiting.push(Box::pin(lane.enter(tokens))),
            Step::Leave(which) if which < waiting.len() => drop(waiting.remove(which)),
            Step::End(which, how) if !under_way.is_empty() => {
                under_way.remove(which % under_way.len()).settle(&how);
            }
            Step::Pass(time) => advance(milliseconds(time)).await,
            Step::Leave(_) | Step::End(..) => {}
        }
        waiting.retain_mut(|entering| {
            let before = lane.status().window;
            let entry = match look(entering) {
                Some(Ok(entry)) => entry,
                Some(Err(_)) => return false,
                None => return true,
            };
            under_way.push(entry);
            let now = lane.status().under_way;
            // With several servers, one may still have more under way than its window was cut to; and one
            // that is tried after a rest is not counted in the window.
            let told = places == 1 && lane.status().resting.is_empty();
            assert!(now <= before || !told, "{now} of {before}");
            assert!(now <= most);
            false
        });
        assert_eq!(lane.status().under_way as usize, under_way.len());
        assert!(lane.status().waiting <= waiting.len());
    }
    drop(under_way);
    let calls = waiting.len();
    for entering in waiting {
        let entry = timeout(Duration::from_mins(10), entering).await.unwrap();
        // Whoever is told that waiting is in vain has left as well.
        if let Ok(entry) = entry {
            entry.settle(&ANSWERED);
        }
    }
    let status = lane.status();
    assert_eq!((status.under_way, status.waiting), (0, 0), "{calls}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn no_schedule_exceeds_the_window_or_loses_a_place(
        most in 1..6_u32,
        places in 1..4_usize,
        paced in proptest::bool::ANY,
        steps in steps(),
    ) {
        let limits = Limits {
            concurrency: most,
            requests_per_minute: paced.then_some(600.0),
            tokens_per_minute: paced.then_some(60_000.0),
            ..Limits::default()
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let lane = Lane::new(limits, places);
            go_through(&lane, most, places, steps).await;
        });
    }
}
