//! Cooldown: how long no calls go to a server that asked to wait.
//!
//! If it said for how long, nothing is sent to it until then; for long waits see `patience`. Otherwise the pauses grow
//! (`base::retry`) while refusals follow each other without a reply in between.
//! Refusals of calls that were under way when the hold began lengthen it only if they say for how long.
//!
//! No single call is sent ahead after a hold: the window was cut by the same refusals, down to one call
//! if everything was refused, and lets few enough through.

use std::time::Duration;

use tokio::time::Instant;

use crate::base::retry::Retry;

/// The patience with one server.
#[derive(Debug, Default)]
pub(super) struct Hold {
    until: Option<Instant>,
    began: Option<Instant>,
    refusals: u32,
}

impl Hold {
    /// Until when nothing is sent, if it is not yet past.
    pub(super) fn until(&self, now: Instant) -> Option<Instant> {
        self.until.filter(|until| *until > now)
    }

    /// A call sent then was put off. `noise` is anything that differs between processes.
    pub(super) fn put_off(
        &mut self,
        now: Instant,
        sent: Instant,
        after: Option<Duration>,
        noise: u64,
    ) {
        let pause = match after {
            Some(after) => Retry::SERVER.granted(after),
            None if self.began.is_some_and(|began| sent < began) => return,
            None => {
                self.refusals = self.refusals.saturating_add(1);
                Retry::SERVER.spread(self.refusals, &noise.to_le_bytes())
            }
        };
        self.until = self.until.max(Some(now + pause));
        self.began = Some(now);
    }

    /// A call was answered.
    pub(super) fn answered(&mut self) {
        self.refusals = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_server_is_left_alone_as_long_as_it_asks() {
        let start = Instant::now();
        let mut hold = Hold::default();
        hold.put_off(start, start, Some(seconds(7)), 0);
        let last = start + Duration::from_nanos(6_999_999_999);
        assert_eq!(hold.until(last), Some(start + seconds(7)));
        assert_eq!(hold.until(start + seconds(7)), None);
    }

    #[test]
    fn a_shorter_wish_does_not_shorten_a_longer_one() {
        let start = Instant::now();
        let mut hold = Hold::default();
        hold.put_off(start, start, Some(seconds(7)), 0);
        hold.put_off(start, start, Some(seconds(1)), 0);
        hold.put_off(start, start, None, 0);
        assert_eq!(hold.until(start), Some(start + seconds(7)));
    }

    #[test]
    fn more_than_ten_minutes_are_cut_to_ten() {
        let start = Instant::now();
        let mut hold = Hold::default();
        hold.put_off(start, start, Some(Duration::MAX), 0);
        assert_eq!(hold.until(start), Some(start + Duration::from_mins(10)));
    }

    #[test]
    fn refusals_in_a_row_double_the_pause_up_to_a_minute() {
        let mut now = Instant::now();
        let mut hold = Hold::default();
        for whole in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0] {
            hold.put_off(now, now, None, 17);
            let until = hold.until(now).unwrap();
            let pause = (until - now).as_secs_f64();
            assert!(pause >= whole / 2.0 && pause < whole, "{pause} of {whole}");
            now = until;
        }
        hold.answered();
        hold.put_off(now, now, None, 17);
        assert!(hold.until(now).unwrap() - now < seconds(1));
    }

    #[test]
    fn refusals_of_calls_already_under_way_count_once() {
        let start = Instant::now();
        let mut hold = Hold::default();
        for late in 0..50 {
            hold.put_off(start + Duration::from_millis(100 + late), start, None, 0);
        }
        assert!(hold.until(start).unwrap() < start + Duration::from_millis(1_150));
        assert_eq!(hold.refusals, 1);
    }
}
