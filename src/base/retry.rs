//! When something is tried again: how long is waited before, what may pass, and for how long a server may ask to be left
//! alone.
//!
//! The one place that knows first pauses, how they grow, up to what, and what `Retry-After` means. What is waited for (a
//! call, a whole server, a step of a batch, a file) and how often something is tried is up to those who wait. Pure.

use std::time::{Duration, SystemTime};

/// Pauses before something is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Before the second attempt.
    pub first: Duration,
    /// How many times longer each pause is than the one before.
    pub growth: u32,
    /// The longest.
    pub longest: Duration,
    /// The longest that a server may ask for.
    pub longest_asked: Duration,
}

impl Retry {
    /// Of one call among many: half a second, doubled up to thirty.
    pub const CALL: Self = Self {
        first: Duration::from_millis(500),
        growth: 2,
        longest: Duration::from_secs(30),
        longest_asked: Duration::from_mins(10),
    };

    /// Of a server that refuses, breaks or cannot be reached: a second, doubled up to a minute. One that asks for more
    /// than ten minutes (a day's quota is used up) is asked again, so that a run never stands still for hours without a
    /// word.
    pub const SERVER: Self = Self {
        first: Duration::from_secs(1),
        longest: Duration::from_mins(1),
        ..Self::CALL
    };

    /// Of a file on somebody else's server: two seconds, then three times as long; no more than two minutes are waited for
    /// because the server asks.
    pub const FILE: Self = Self {
        first: Duration::from_secs(2),
        growth: 3,
        longest: Duration::from_mins(2),
        longest_asked: Duration::from_mins(2),
    };

    /// No pauses, and none that is asked for: for tests.
    pub const NONE: Self = Self {
        first: Duration::ZERO,
        growth: 1,
        longest: Duration::ZERO,
        longest_asked: Duration::ZERO,
    };

    /// The pause after so many failures in a row (1 and up).
    pub fn pause(&self, failed: u32) -> Duration {
        let times = self.growth.saturating_pow(failed.saturating_sub(1));
        self.first.saturating_mul(times).min(self.longest)
    }

    /// The same, times a share from a half to one drawn from a seed, so that what failed together does not come back
    /// together: no dice, and the same seed waits alike.
    pub fn spread(&self, failed: u32, seed: &[u8]) -> Duration {
        self.pause(failed)
            .mul_f64(half_to_one(seed, u64::from(failed)))
    }

    /// What is waited because a server asks to.
    pub fn granted(&self, asked: Duration) -> Duration {
        asked.min(self.longest_asked)
    }
}

/// Whether what was answered with this status may fare better later.
pub fn may_pass(status: u16) -> bool {
    matches!(status, 408 | 409 | 424 | 425 | 429 | 500 | 502..=599)
}

/// How long an answer asks to wait, by its headers.
///
/// `retry-after-ms` (milliseconds, from OpenAI and Azure) goes before `retry-after`, being finer. The headers that say
/// when an allowance is whole again are not looked at: one may ask much sooner than that.
pub fn asked_wait<'h>(
    header: impl Fn(&str) -> Option<&'h str>,
    now: SystemTime,
) -> Option<Duration> {
    let milliseconds = header("retry-after-ms").and_then(|value| value.trim().parse::<f64>().ok());
    milliseconds
        .and_then(|value| Duration::try_from_secs_f64(value / 1000.0).ok())
        .or_else(|| retry_after(header("retry-after")?, now))
}

/// `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3). None where it says something else; a date that is over is no
/// wait.
fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// A share from 0.5 up to 1, spread evenly over seeds and numbers: the same for the same ones.
pub(crate) fn half_to_one(seed: &[u8], number: u64) -> f64 {
    // FNV-1a over the bytes, then the finalizer of SplitMix64, whose high bits are good.
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for byte in seed {
        state = (state ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    state = state.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^= state >> 31;
    0.5 + (state >> 11) as f64 / (1_u64 << 54) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest() {
        let seconds = |retry: Retry, failed: &[u32]| -> Vec<f64> {
            let pauses = failed.iter().map(|failed| retry.pause(*failed));
            pauses.map(|pause| pause.as_secs_f64()).collect()
        };
        assert_eq!(
            seconds(Retry::CALL, &[1, 2, 3, 6, 7, u32::MAX]),
            [0.5, 1.0, 2.0, 16.0, 30.0, 30.0]
        );
        assert_eq!(
            seconds(Retry::SERVER, &[1, 2, 6, 7, u32::MAX]),
            [1.0, 2.0, 32.0, 60.0, 60.0]
        );
        assert_eq!(seconds(Retry::FILE, &[1, 2, 3]), [2.0, 6.0, 18.0]);
        assert_eq!(seconds(Retry::NONE, &[1, 2, u32::MAX]), [0.0; 3]);
    }

    #[test]
    fn what_failed_together_comes_back_apart() {
        for failed in [1, 2, 3, 6, 7, u32::MAX] {
            let whole = Retry::CALL.pause(failed);
            for seed in 0..100_u8 {
                let pause = Retry::CALL.spread(failed, &[seed]);
                assert!(pause >= whole / 2 && pause < whole, "{failed}: {pause:?}");
            }
        }
        let mut pauses: Vec<Duration> = (0..50_u8)
            .map(|seed| Retry::CALL.spread(1, &[seed]))
            .collect();
        pauses.sort();
        let apart = pauses.windows(2).filter(|two| two[0] != two[1]).count();
        assert_eq!(apart, 49);
        assert!(pauses[0] + Duration::from_millis(200) < pauses[49]);
    }

    #[test]
    fn shares_fill_the_upper_half_evenly() {
        let mut tenths = [0_u32; 10];
        for seed in 0..1_000_u32 {
            for number in 0..10 {
                let share = half_to_one(&seed.to_le_bytes(), number);
                assert!((0.5..1.0).contains(&share));
                tenths[((share - 0.5) * 20.0) as usize] += 1;
            }
        }
        assert!(
            tenths.iter().all(|n| (900..1_100).contains(n)),
            "{tenths:?}"
        );
    }

    #[test]
    fn only_what_may_pass_is_asked_again() {
        for status in [408, 409, 424, 425, 429, 500, 502, 503, 504, 529] {
            assert!(may_pass(status), "{status}");
        }
        for status in [200, 301, 302, 400, 401, 403, 404, 410, 413, 501] {
            assert!(!may_pass(status), "{status}");
        }
    }

    #[test]
    fn a_wait_is_asked_for_in_seconds_or_until_a_date_or_in_milliseconds() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let wait = |name: &str, value: &'static str| {
            asked_wait(|header| (header == name).then_some(value), now)
        };
        let seconds = |value| wait("retry-after", value);
        assert_eq!(seconds("120"), Some(Duration::from_mins(2)));
        assert_eq!(seconds(" 0 "), Some(Duration::ZERO));
        let date = "Sun, 06 Nov 1994 08:50:37 GMT";
        assert_eq!(seconds(date), Some(Duration::from_mins(1)));
        let past = "Sun, 06 Nov 1994 08:00:00 GMT";
        assert_eq!(seconds(past), Some(Duration::ZERO));
        let fine = wait("retry-after-ms", "1500");
        assert_eq!(fine, Some(Duration::from_millis(1500)));
        for nonsense in ["", "soon", "-3", "NaN", "1e300", "99999999999999999999999"] {
            assert_eq!(seconds(nonsense), None, "{nonsense}");
            assert_eq!(wait("retry-after-ms", nonsense), None, "{nonsense}");
        }
        assert_eq!(seconds("1.5"), None);
        let both = |name: &str| Some(if name == "retry-after" { "2" } else { "1500" });
        assert_eq!(asked_wait(both, now), fine);
    }
}
