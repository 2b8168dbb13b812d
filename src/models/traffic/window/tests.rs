use super::*;

const TIMEOUT: Duration = Duration::from_secs(100);

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// So many replies with the window in full use, each a moment after the one before.
fn answers(window: &mut Window, now: &mut Instant, many: u32, latency: Duration) {
    for _ in 0..many {
        *now += latency;
        let with = window.limit();
        window.answered(*now, *now - latency, with, with);
    }
}

#[test]
fn it_starts_at_the_declared_maximum_and_never_exceeds_it() {
    let mut now = Instant::now();
    let mut window = Window::new(50, TIMEOUT);
    assert_eq!(window.limit(), 50);
    answers(&mut window, &mut now, 1_000, seconds(1));
    assert_eq!(window.limit(), 50);
    assert_eq!(Window::new(0, TIMEOUT).limit(), 1);
}

#[test]
fn of_a_volley_of_refusals_the_smallest_number_counts_once() {
    let start = Instant::now();
    let later = start + seconds(1);
    let mut window = Window::new(64, TIMEOUT);
    for with in [30, 11, 40, 64, 12, 13] {
        window.refused(later, start, with);
    }
    assert_eq!(window.limit(), 7);
    assert_eq!(window.refused_at, Some(11));
}

#[test]
fn a_refusal_of_what_was_borne_before_counts_the_second_time() {
    let mut now = Instant::now();
    let mut window = Window::new(64, TIMEOUT);
    for _ in 0..5 {
        window.answered(now, now, 9, 9);
        window.refused(now, now, 9);
        assert_eq!(window.limit(), 64);
        now += seconds(1);
    }
    window.refused(now, now, 9);
    assert_eq!(window.limit(), 6);
}

#[test]
fn timeouts_of_one_round_count_once() {
    let start = Instant::now();
    let mut window = Window::new(20, TIMEOUT);
    for _ in 0..10 {
        window.timed_out(start + seconds(1), start, 20);
    }
    assert_eq!(window.limit(), 14);
    window.timed_out(start + seconds(2), start + seconds(1), 14);
    assert_eq!(window.limit(), 9);
}

#[test]
fn a_window_of_replies_lets_one_more_through() {
    let mut now = Instant::now();
    let mut window = Window::new(20, TIMEOUT);
    window.timed_out(now, now, 20);
    answers(&mut window, &mut now, 15, seconds(1));
    assert_eq!(window.limit(), 15);
    answers(&mut window, &mut now, 200, seconds(1));
    assert_eq!(window.limit(), 20);
}

#[test]
fn a_window_that_is_not_in_use_does_not_grow() {
    let now = Instant::now();
    let mut window = Window::new(20, TIMEOUT);
    window.timed_out(now, now, 20);
    for _ in 0..1_000 {
        window.answered(now, now, 6, 6);
    }
    assert_eq!(window.limit(), 14);
}

#[test]
fn the_number_that_was_refused_is_approached_slowly() {
    let mut now = Instant::now();
    let mut window = Window::new(64, TIMEOUT);
    window.refused(now, now, 9);
    assert_eq!(window.limit(), 6);
    answers(&mut window, &mut now, 16, seconds(1));
    assert_eq!(window.limit(), 8);
    answers(&mut window, &mut now, 100, seconds(1));
    assert_eq!(window.limit(), 8);
    answers(&mut window, &mut now, 40, seconds(1));
    assert_eq!(window.limit(), 9);
    answers(&mut window, &mut now, 2_500, seconds(1));
    assert_eq!(window.limit(), 64, "once passed it is forgotten");
}

#[test]
fn after_an_outage_the_window_opens_quickly() {
    let mut now = Instant::now();
    let mut window = Window::new(64, TIMEOUT);
    for with in 1..=64 {
        window.refused(now + seconds(1), now, with);
    }
    assert_eq!(window.limit(), 1);
    now += seconds(1);
    answers(&mut window, &mut now, 63, seconds(1));
    assert_eq!(window.limit(), 64);
}

#[test]
fn replies_near_the_deadline_shrink_it_while_that_helps() {
    let mut now = Instant::now();
    let mut window = Window::new(64, TIMEOUT);
    // A server that works on four calls at a time, five seconds each, and lets the others wait.
    for _ in 0..200 {
        let latency = Duration::from_secs_f64(f64::from(window.limit()) / 4.0 * 5.0);
        answers(&mut window, &mut now, 1, latency);
    }
    assert!((25..=41).contains(&window.limit()), "{}", window.limit());
}

#[test]
fn long_replies_by_nature_cost_one_cut() {
    let mut now = Instant::now();
    let mut window = Window::new(64, TIMEOUT);
    let mut least = 64;
    for _ in 0..3_000 {
        answers(&mut window, &mut now, 1, seconds(80));
        least = least.min(window.limit());
    }
    assert_eq!(least, 44);
    assert_eq!(window.limit(), 64);
}

#[test]
fn latencies_of_all_kinds_far_from_the_deadline_are_no_signal() {
    let mut now = Instant::now();
    let mut window = Window::new(64, TIMEOUT);
    for reply in 0..1_000_u64 {
        answers(&mut window, &mut now, 1, seconds(reply * reply % 97 / 2));
        assert_eq!(window.limit(), 64);
    }
}
