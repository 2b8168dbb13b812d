//! The time of day, for records of when something happened. Nothing that is computed depends on it.

use std::time::SystemTime;

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
