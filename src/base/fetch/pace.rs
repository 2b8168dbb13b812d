//! How fast is asked, what is asked again, and how long is waited before. Pure.

use std::time::{Duration, SystemTime};

/// How often something is asked for before it is given up.
pub(super) const ATTEMPTS: u32 = 3;

/// By how much pauses between attempts grow.
const GROWTH: u32 = 3;

/// Pauses. Nothing of this can change what is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Between two requests to one host. None is made for hosts on this machine, which are nobody
    /// else's.
    pub between: Duration,
    /// Before the second attempt; later pauses grow threefold.
    pub first: Duration,
    /// The longest wait that a server may ask for.
    pub longest: Duration,
}

impl Default for Pace {
    /// Two seconds between requests, which is what Project Gutenberg's own command for harvesters
    /// waits (`wget -w 2`).
    fn default() -> Self {
        Self {
            between: Duration::from_secs(2),
            first: Duration::from_secs(2),
            longest: Duration::from_mins(2),
        }
    }
}

impl Pace {
    /// No pauses at all: for tests.
    pub fn none() -> Self {
        Self {
            between: Duration::ZERO,
            first: Duration::ZERO,
            longest: Duration::ZERO,
        }
    }

    /// The pause before the attempt that follows this one (1 for the first).
    pub(super) fn after(&self, attempt: u32) -> Duration {
        self.first * GROWTH.saturating_pow(attempt.saturating_sub(1))
    }
}

/// Whether a request with this answer may fare better later.
pub(super) fn passes(status: u16) -> bool {
    status == 429 || (500..600).contains(&status)
}

/// How long a server asks to wait: `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3). None
/// where it says something else; a date that is over is no wait.
pub(crate) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_asked_for_in_seconds_or_until_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let wait = |value| retry_after(value, now);
        assert_eq!(wait("120"), Some(Duration::from_mins(2)));
        assert_eq!(wait(" 0 "), Some(Duration::ZERO));
        let date = "Sun, 06 Nov 1994 08:50:37 GMT";
        assert_eq!(wait(date), Some(Duration::from_mins(1)));
        let past = "Sun, 06 Nov 1994 08:00:00 GMT";
        assert_eq!(wait(past), Some(Duration::ZERO));
        for nonsense in ["", "soon", "-3", "1.5", "99999999999999999999999"] {
            assert_eq!(wait(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn pauses_grow() {
        let pace = Pace::default();
        let pauses: Vec<u64> = (1..=3)
            .map(|attempt| pace.after(attempt).as_secs())
            .collect();
        assert_eq!(pauses, [2, 6, 18]);
        assert_eq!(Pace::none().after(2), Duration::ZERO);
    }

    #[test]
    fn only_what_may_pass_is_asked_again() {
        for status in [429, 500, 502, 503, 504] {
            assert!(passes(status), "{status}");
        }
        for status in [301, 400, 401, 403, 404, 410] {
            assert!(!passes(status), "{status}");
        }
    }
}
