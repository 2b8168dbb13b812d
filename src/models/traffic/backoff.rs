//! How long a call that failed waits before it is made again.
//!
//! Half a second, doubled with every attempt up to thirty, times a share from a half to one, so that
//! calls which failed together do not come back together. The share is drawn from the call's key and
//! the number of the attempt: no dice, and the same run waits alike.

use std::time::Duration;

use super::mix::half_to_one;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// The pause after so many failed attempts (1 and up) of the call with this key.
pub(super) fn pause(key: &[u8], failed: u32) -> Duration {
    let doublings = failed.saturating_sub(1).min(16);
    let whole = FIRST.saturating_mul(1 << doublings).min(LONGEST);
    whole.mul_f64(half_to_one(key, u64::from(failed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_from_half_a_second_to_thirty() {
        for (failed, whole) in [
            (1, 0.5),
            (2, 1.0),
            (3, 2.0),
            (6, 16.0),
            (7, 30.0),
            (u32::MAX, 30.0),
        ] {
            for key in 0..100_u8 {
                let pause = pause(&[key], failed).as_secs_f64();
                assert!(pause >= whole / 2.0 && pause < whole, "{failed}: {pause}");
            }
        }
    }

    #[test]
    fn calls_that_failed_together_come_back_apart() {
        let mut pauses: Vec<Duration> = (0..50_u8).map(|key| pause(&[key], 1)).collect();
        pauses.sort();
        let apart = pauses.windows(2).filter(|two| two[0] != two[1]).count();
        assert_eq!(apart, 49);
        assert!(pauses[0] + Duration::from_millis(200) < pauses[49]);
    }
}
