//! Statistics as pure functions of numbers: descriptions, Student's t, shares and corrected p-values.
//!
//! | file | what it computes |
//! |---|---|
//! | `sum` | correctly rounded sums, so that the order of rows cannot reach a result |
//! | `describe` | n, mean, standard deviation, standard error, extremes, median |
//! | `student` | tail probabilities, critical values and intervals of the t distribution |
//! | `paired` | the one-sample and the paired t-test with effect size |
//! | `correct` | Bonferroni, Holm and Benjamini-Hochberg adjusted p-values |
//! | `wilson` | shares with their score interval |
//! | `interval` | the interval type and the check of a confidence level |
//! | `statistic` | the list of statistics that results hold, made of these |
//!
//! A number that does not exist is `None` or a reason, never NaN, infinite or a stand-in.
//! This module must not know tables, columns or specs, must not drop a value it is given
//! (the caller decides what is scored), and must not round for print.

mod correct;
mod describe;
mod interval;
mod paired;
pub mod statistic;
mod student;
mod sum;
mod wilson;

#[cfg(test)]
mod tests;

pub use correct::{Correction, adjust};
pub use describe::{Ddof, Describe, describe, mean};
pub use interval::{DEFAULT_LEVEL, Interval};
pub(crate) use paired::short;
pub use paired::{TOptions, TTest, WhyNoT, one_sample_t, paired_t};
pub use student::{Sides, Tail, normal_critical, t_critical, t_interval, t_p};
pub use sum::exact_sum;
pub use wilson::{Share, share, wilson};

/// An input no statistic is defined for; always the caller's mistake, never a property of the data.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// A value is NaN or infinite; `index` counts from 0 (for pairs: the pair).
    #[error("value {index} is {value}, not a finite number; pass only scored values")]
    NotFinite {
        /// Position in the input.
        index: usize,
        /// The offending value.
        value: f64,
    },
    /// A p-value lies outside [0, 1] or is NaN; `index` counts from 0.
    #[error("p-value {index} is {value}, not a number from 0 to 1; pass a missing p-value as none")]
    NotAProbability {
        /// Position in the input.
        index: usize,
        /// The offending value.
        value: f64,
    },
    /// A confidence level is not strictly between 0 and 1.
    #[error("confidence level {level} is not between 0 and 1; write 95 % as `0.95`")]
    Level {
        /// The offending level.
        level: f64,
    },
    /// The magnitude handed to a t-test is negative, NaN or infinite.
    #[error(
        "magnitude {magnitude} is not a finite number of at least 0; pass the largest score, or 0"
    )]
    Magnitude {
        /// The offending magnitude.
        magnitude: f64,
    },
    /// More hits than trials.
    #[error("{hits} of {n} is not a share; count hits among the {n} only")]
    MoreHitsThanTrials {
        /// How many were counted.
        hits: u64,
        /// How many there are.
        n: u64,
    },
}
