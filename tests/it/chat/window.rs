//! How much is allowed within a minute, of whatever length.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The requests of the last minute.
#[derive(Debug)]
pub(super) struct Window {
    requests: usize,
    tokens: u64,
    minute: Duration,
    admitted: VecDeque<(Instant, u64)>,
}

impl Window {
    /// Allows so many requests and tokens in each stretch of a `minute`.
    pub(super) fn new(requests: Option<usize>, tokens: Option<u64>, minute: Duration) -> Self {
        Self {
            requests: requests.unwrap_or(usize::MAX),
            tokens: tokens.unwrap_or(u64::MAX),
            minute,
            admitted: VecDeque::new(),
        }
    }

    /// Admits a request of so many tokens, or says how long it has to wait. What is refused does not
    /// count; a request that is larger than the limit is refused for ever.
    pub(super) fn admit(&mut self, now: Instant, tokens: u64) -> Result<(), Duration> {
        let gone = |at: &(Instant, u64)| at.0 + self.minute <= now;
        while self.admitted.front().is_some_and(gone) {
            self.admitted.pop_front();
        }
        let mut used: u64 = self.admitted.iter().map(|(_, tokens)| tokens).sum();
        let mut left = self.admitted.len();
        let mut wait = Duration::ZERO;
        let mut oldest = self.admitted.iter();
        while left >= self.requests || used.saturating_add(tokens) > self.tokens {
            let Some((at, freed)) = oldest.next() else {
                return Err(self.minute);
            };
            wait = *at + self.minute - now;
            used -= freed;
            left -= 1;
        }
        if wait > Duration::ZERO {
            return Err(wait);
        }
        self.admitted.push_back((now, tokens));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    #[test]
    fn no_stretch_of_a_minute_has_more_requests_than_allowed() {
        let mut window = Window::new(Some(2), None, MINUTE);
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert_eq!(window.admit(at(0), 1), Ok(()));
        assert_eq!(window.admit(at(10), 1), Ok(()));
        assert_eq!(window.admit(at(20), 1), Err(Duration::from_secs(40)));
        assert_eq!(window.admit(at(60), 1), Ok(()));
        assert_eq!(window.admit(at(61), 1), Err(Duration::from_secs(9)));
    }

    #[test]
    fn tokens_are_waited_for_until_enough_have_left() {
        let mut window = Window::new(None, Some(100), MINUTE);
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert_eq!(window.admit(at(0), 30), Ok(()));
        assert_eq!(window.admit(at(10), 60), Ok(()));
        assert_eq!(window.admit(at(20), 10), Ok(()));
        assert_eq!(window.admit(at(30), 30), Err(Duration::from_secs(30)));
        assert_eq!(window.admit(at(30), 31), Err(Duration::from_secs(40)));
        assert_eq!(window.admit(at(30), 101), Err(MINUTE));
    }
}
