//! Intraclass correlations.

use super::{f_critical, f_p};
use crate::stats::correlation::{Ends, Value};
use crate::stats::describe::power_of_two;
use crate::stats::{Code, NoValue};
use crate::stats::{exact_sum, mean};

/// Differences of fewer roundings than these are none.
const ROUNDINGS: f64 = 8.0;

/// Whose ratings are described: who the raters are, and of how many the mean is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Raters differ from item to item.
    OneWay,
    /// All items have the same raters, a sample; their differences in level count as disagreement.
    Agreement,
    /// All items have the same raters; their differences in level do not count.
    Consistency,
}

/// An intraclass correlation.
#[derive(Clone, Debug, PartialEq)]
pub struct Icc {
    /// The coefficient.
    pub icc: Value,
    /// Its interval.
    pub interval: Ends,
    /// F of the differences between items.
    pub f: Value,
    /// Its degrees of freedom.
    pub df: [f64; 2],
    /// Its p-value.
    pub p: Value,
}

/// Mean squares of a two-way layout without repeats.
struct Squares {
    n: f64,
    k: f64,
    between: f64,
    within: f64,
    raters: f64,
    error: f64,
}

/// The intraclass correlation of `scores`, a row for each item and in it one score of each of the same k raters; of one rater,
/// or of the mean of all k of them.
///
/// P. E. Shrout and J. L. Fleiss, Psychological Bulletin 86, 1979; the interval of two-way agreement is that of
/// K. O. `McGraw` and S. P. Wong, Psychological Methods 1, 1996, table 7.
pub fn icc(scores: &[Vec<f64>], model: Model, of_mean: bool, level: f64) -> Result<Icc, NoValue> {
    let squares = Squares::of(scores)?;
    let Squares {
        n,
        k,
        between,
        raters,
        ..
    } = squares;
    let (error, error_df) = match model {
        Model::OneWay => (squares.within, n * (k - 1.0)),
        Model::Agreement | Model::Consistency => (squares.error, (n - 1.0) * (k - 1.0)),
    };
    let df = [n - 1.0, error_df];
    let single = match model {
        Model::OneWay | Model::Consistency => (between - error) / (between + (k - 1.0) * error),
        Model::Agreement => {
            (between - error) / (between + (k - 1.0) * error + k * (raters - error) / n)
        }
    };
    let coefficient = match (of_mean, model) {
        (false, _) => single,
        (true, Model::Agreement) => (between - error) / (between + (raters - error) / n),
        (true, _) => (between - error) / between,
    };
    let finite = |value: f64, why: &str| {
        let none = || NoValue::new(Code::Undefined, why);
        value.is_finite().then_some(value).ok_or_else(none)
    };
    let icc = finite(
        coefficient,
        "items do not differ, so that it is divided by 0",
    );
    if error == 0.0 {
        let why = "there is no error, and F is infinite";
        let none = NoValue::new(Code::ZeroError, why);
        return Ok(Icc {
            icc,
            interval: Err(none.clone()),
            f: Err(none.clone()),
            df,
            p: Err(none),
        });
    }
    let f = between / error;
    let interval = match model {
        Model::Agreement => agreement_ends(&squares, single, level),
        Model::OneWay | Model::Consistency => ratio_ends(f, df, k, level),
    };
    let ends = |low: f64, high: f64| {
        let why = "an end is divided by 0";
        let spread = |end: f64| {
            if of_mean {
                k * end / (1.0 + (k - 1.0) * end)
            } else {
                end
            }
        };
        Ok((finite(spread(low), why)?, finite(spread(high), why)?))
    };
    let none = || NoValue::new(Code::Undefined, "F has no quantile here");
    Ok(Icc {
        interval: interval
            .ok_or_else(none)
            .and_then(|(low, high)| ends(low, high)),
        p: f_p(f, df[0], df[1]).ok_or_else(none),
        f: finite(f, "F is no finite number"),
        icc,
        df,
    })
}

/// The interval of (F − 1)/(F + k − 1).
fn ratio_ends(f: f64, [d1, d2]: [f64; 2], k: f64, level: f64) -> Option<(f64, f64)> {
    let tail = (1.0 - level) / 2.0;
    let low = f / f_critical(tail, d1, d2)?;
    let high = f * f_critical(tail, d2, d1)?;
    Some((
        (low - 1.0) / (low + k - 1.0),
        (high - 1.0) / (high + k - 1.0),
    ))
}

/// The interval of two-way agreement, with degrees of freedom after Satterthwaite.
fn agreement_ends(squares: &Squares, icc: f64, level: f64) -> Option<(f64, f64)> {
    let &Squares {
        n,
        k,
        between,
        raters,
        error,
        ..
    } = squares;
    let of_raters = k * icc * raters / error;
    let of_rest = n * (1.0 + (k - 1.0) * icc) - k * icc;
    let above = (k - 1.0) * (n - 1.0) * (of_raters + of_rest).powi(2);
    let v = above / ((n - 1.0) * of_raters.powi(2) + of_rest.powi(2));
    let tail = (1.0 - level) / 2.0;
    let low = f_critical(tail, n - 1.0, v)?;
    let high = f_critical(tail, v, n - 1.0)?;
    let shared = k * raters + (k * n - k - n) * error;
    Some((
        n * (between - low * error) / (low * shared + n * between),
        n * (high * between - error) / (shared + n * high * between),
    ))
}

impl Squares {
    fn of(scores: &[Vec<f64>]) -> Result<Self, NoValue> {
        let k = scores.first().map_or(0, Vec::len);
        let too_few = |code, why: String| Err(NoValue::new(code, why));
        if !scores.is_empty() && k < 2 {
            return too_few(Code::SingleRater, "it takes two raters".to_owned());
        }
        if scores.len() < 2 {
            let why = format!(
                "{} items with a score of every rater; it takes 2",
                scores.len()
            );
            return too_few(Code::TooFew, why);
        }
        let all = || scores.iter().flatten().copied();
        // By a power of two, which rounds nothing.
        let scale = power_of_two(all().fold(0.0, |most, score| most.max(score.abs())));
        let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), score| {
            (low.min(score / scale), high.max(score / scale))
        });
        let noise = ROUNDINGS * f64::EPSILON;
        if high - low <= noise {
            return too_few(Code::Constant, "every score is the same".to_owned());
        }
        let scaled = |score: f64| score / scale;
        let rows: Vec<Vec<f64>> = scores
            .iter()
            .map(|row| row.iter().copied().map(scaled).collect())
            .collect();
        let large = || NoValue::new(Code::Undefined, "the numbers are too large for it");
        let mean = |values: &[f64]| mean(values).ok_or_else(large);
        let of_items: Vec<f64> = rows.iter().map(|row| mean(row)).collect::<Result<_, _>>()?;
        let mut of_raters = Vec::with_capacity(k);
        for rater in 0..k {
            let column: Vec<f64> = rows.iter().map(|row| row[rater]).collect();
            of_raters.push(mean(&column)?);
        }
        let all = mean(&of_items)?;
        // What only rounding left is nothing.
        let squares = |deviations: &mut dyn Iterator<Item = f64>| {
            let real = deviations.map(|value| {
                if value.abs() <= noise {
                    0.0
                } else {
                    value * value
                }
            });
            exact_sum(real).ok_or_else(large)
        };
        let between = squares(&mut of_items.iter().map(|item| item - all))?;
        let raters = squares(&mut of_raters.iter().map(|rater| rater - all))?;
        let cells = || {
            rows.iter()
                .zip(&of_items)
                .flat_map(|(row, item)| row.iter().map(move |x| (x, item)))
        };
        let within = squares(&mut cells().map(|(score, item)| score - item))?;
        let mut levels = of_raters.iter().cycle().map(|rater| rater - all);
        let error = squares(
            &mut cells().map(|(score, item)| score - item - levels.next().unwrap_or_default()),
        )?;
        let (n, k) = (rows.len() as f64, k as f64);
        Ok(Self {
            n,
            k,
            between: k * between / (n - 1.0),
            within: within / (n * (k - 1.0)),
            raters: n * raters / (k - 1.0),
            error: error / ((n - 1.0) * (k - 1.0)),
        })
    }
}
