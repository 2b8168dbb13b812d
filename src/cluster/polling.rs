//! When the scheduler may be asked: never twice in ten seconds, and less and less often while nothing changes. Pure.

use std::time::Duration;

/// The shortest time between two questions.
pub const SHORTEST: Duration = Duration::from_secs(10);

/// The shortest after the first minute.
const LATER: Duration = Duration::from_secs(30);

/// The longest.
pub const LONGEST: Duration = Duration::from_mins(5);

/// How long the beginning is, when a person looks on.
const BEGINNING: Duration = Duration::from_mins(1);

/// When the scheduler is asked next. Times are since the beginning of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polling {
    next: Duration,
    pause: Duration,
}

impl Polling {
    /// Nothing was asked yet; jobs that were just submitted are not looked at before ten seconds have passed.
    pub fn new(now: Duration) -> Self {
        Self {
            next: now + SHORTEST,
            pause: SHORTEST,
        }
    }

    /// Whether it may be asked now.
    pub fn is_due(&self, now: Duration) -> bool {
        now >= self.next
    }

    /// It was asked and answered.
    pub fn answered(&mut self, now: Duration, changed: bool) {
        let shortest = if now < BEGINNING { SHORTEST } else { LATER };
        self.pause = if changed || now < BEGINNING {
            shortest
        } else {
            (self.pause * 2).clamp(shortest, LONGEST)
        };
        self.next = now + self.pause;
    }

    /// It was asked and did not answer: it has enough to do.
    pub fn failed(&mut self, now: Duration) {
        self.pause = (self.pause * 2).clamp(SHORTEST, LONGEST);
        self.next = now + self.pause;
    }

    /// Something was submitted: it is looked at soon, but not at once.
    pub fn submitted(&mut self, now: Duration) {
        self.pause = SHORTEST;
        self.next = self.next.min(now + SHORTEST).max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// When a day's polls are made, second by second.
    fn polls(until: u64, mut answer: impl FnMut(u64, &mut Polling)) -> Vec<u64> {
        let mut polling = Polling::new(seconds(0));
        let mut made = Vec::new();
        for now in 0..until {
            if polling.is_due(seconds(now)) {
                made.push(now);
                answer(now, &mut polling);
            }
        }
        made
    }

    #[test]
    fn a_scheduler_where_nothing_changes_is_asked_less_and_less() {
        let made = polls(3600, |now, polling| polling.answered(seconds(now), false));
        assert_eq!(made[..6], [10, 20, 30, 40, 50, 60]);
        assert_eq!(
            made[6..],
            [
                90, 150, 270, 510, 810, 1110, 1410, 1710, 2010, 2310, 2610, 2910, 3210, 3510
            ]
        );
    }

    #[test]
    fn one_that_does_not_answer_is_left_alone_for_longer() {
        let made = polls(2000, |now, polling| polling.failed(seconds(now)));
        assert_eq!(made, [10, 30, 70, 150, 310, 610, 910, 1210, 1510, 1810]);
    }

    #[test]
    fn whatever_happens_ten_seconds_lie_between_two_questions() {
        for seed in 0_u64..200 {
            let mut draw = seed;
            let made = polls(3000, |now, polling| {
                draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                match draw >> 61 {
                    0..=2 => polling.answered(seconds(now), true),
                    3 => polling.failed(seconds(now)),
                    _ => polling.answered(seconds(now), false),
                }
                if draw >> 63 == 0 {
                    polling.submitted(seconds(now));
                }
            });
            assert!(
                made.windows(2).all(|two| two[1] - two[0] >= 10),
                "{seed}: {made:?}"
            );
        }
    }
}
