//! Statistics as pure functions of numbers: descriptions, Student's t, shares and corrected p-values.
//!
//! | file | what it computes |
//! |---|---|
//! | `sum` | correctly rounded sums, so that the order of rows cannot reach a result |
//! | `describe` | n, mean, standard deviation, standard error, extremes, median |
//! | `student` | tail probabilities, critical values and intervals of the t distribution |
//! | `paired` | the one-sample and the paired t-test with effect size |
//! | `correct` | Bonferroni, Holm, Benjamini-Hochberg and Benjamini-Yekutieli adjusted p-values |
//! | `wilson` | shares with their score interval |
//! | `interval` | the interval type and the check of a confidence level |
//! | `correlation/` | correlations, on which level, and whether two differ |
//! | `agreement/` | agreement of raters, of a judge with the truth, of two measurements |
//! | `rank/` | tests on ranks, signs and permutations, with their effect sizes |
//! | `distance/` | distances between samples, and shapes of one sample |
//! | `proportion/` | intervals of shares beside Wilson's, and differences of shares |
//! | `beta` | the regularised incomplete beta function |
//! | `binomial` | tails of the binomial distribution |
//! | `cluster` | means of rows that come in clusters |
//! | `variance` | variance between items and within them |
//! | `power` | what a planned test can find |
//! | `normal` | the standard normal distribution |
//! | `resample/` | the bootstrap and its draws |
//! | `preference/` | win rates, order, strengths and cycles of comparisons |
//! | `corrected/` | rates and means corrected by a few labels of humans |
//! | `reason` | why a value does not exist |
//! | `statistic` | the list of statistics that results hold, made of these |
//!
//! A number that does not exist is `None` or a reason, never NaN, infinite or a stand-in.
//! This module must not know tables, columns or specs, must not drop a value it is given
//! (the caller decides what is scored), and must not round for print.

pub mod agreement;
mod beta;
mod binomial;
pub mod cluster;
mod correct;
pub mod corrected;
pub mod correlation;
mod describe;
pub mod distance;
mod interval;
pub mod measure;
pub mod normal;
mod paired;
pub mod power;
pub mod preference;
pub mod proportion;
pub mod rank;
mod reason;
pub mod resample;
pub mod statistic;
pub mod steps;
mod student;
mod sum;
pub mod variance;
mod wilson;

#[cfg(test)]
mod tests;

pub use correct::{Correction, adjust};
pub use describe::{Ddof, Describe, describe, mean};
pub use interval::{DEFAULT_LEVEL, Interval};
pub(crate) use paired::short;
pub use paired::{TOptions, TTest, WhyNoT, one_sample_t, paired_t};
pub use reason::{Code, NoValue};
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
    /// A column holds a text where numbers are needed; `row` counts from 0.
    #[error("`{column}` holds a text in row {row} of its group; this takes numbers")]
    Text {
        /// The key that names the column in a spec.
        column: &'static str,
        /// Position in the input.
        row: usize,
    },
    /// A setting that the measure does not know in this form.
    #[error("`{setting}` is none of {known}")]
    Choice {
        /// The setting.
        setting: &'static str,
        /// What it may be, in words.
        known: &'static str,
    },
    /// A share of a win that is not from 0 to 1.
    #[error(
        "the share of a win is {value} in row {index} of its group; it is 1 for a win, 0.5 for a tie, 0 for a loss"
    )]
    NotAShare {
        /// Position in the input.
        index: usize,
        /// The offending value.
        value: f64,
    },
    /// A value that is neither a hit nor none.
    #[error(
        "the value {value} in row {index} of its group is neither 1 nor 0; name the label that is a hit in `positive`"
    )]
    NotAHit {
        /// Position in the input.
        index: usize,
        /// The offending value.
        value: f64,
    },
    /// None of several columns, of which one is needed.
    #[error("it takes {columns}, and has none of them")]
    NoColumn {
        /// The keys that could name it, in words.
        columns: &'static str,
    },
    /// Distances between labels that have no order.
    #[error(
        "the labels have no order, and `weights` asks for one; name them all in `categories`, from one end to the other"
    )]
    NoOrder,
    /// A value that neither counts as a hit nor as none; `row` counts from 0.
    #[error(
        "`{column}` holds something other than 1 and 0 in row {row} of its group; name the label that counts in `positive`"
    )]
    NoHit {
        /// The key that names the column in a spec.
        column: &'static str,
        /// Position in the input.
        row: usize,
    },
}
