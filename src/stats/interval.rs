//! An interval estimate and its confidence level.
//!
//! This file must not know which statistic the interval belongs to.

use serde::{Deserialize, Serialize};

use super::StatsError;

/// The confidence level used where a spec names none.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// A two-sided confidence interval; both ends are finite and `low <= high`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end, in the unit of the estimate.
    pub low: f64,
    /// Upper end, in the unit of the estimate.
    pub high: f64,
    /// Confidence level, strictly between 0 and 1.
    pub level: f64,
}

impl Interval {
    /// The interval, or `None` where an end is not a finite number.
    pub(super) fn new(low: f64, high: f64, level: f64) -> Option<Self> {
        (low.is_finite() && high.is_finite() && low <= high).then_some(Self { low, high, level })
    }
}

impl From<Interval> for (f64, f64) {
    fn from(interval: Interval) -> Self {
        (interval.low, interval.high)
    }
}

/// Refuses a confidence level outside the open interval from 0 to 1.
pub(super) fn check_level(level: f64) -> Result<(), StatsError> {
    if level > 0.0 && level < 1.0 {
        Ok(())
    } else {
        Err(StatsError::Level { level })
    }
}
