//! The win rate that two texts of equal length would have: a logistic regression on the difference of lengths.
//!
//! logit P(win) = b0 + b1·tanh(difference/sd), with sd (n - 1) the spread of the differences used; the rate is 1/(1 + e^-b0).
//! A tie is half a win. The covariate is that of Y. Dubois et al. (2024, section 3), without their terms for the difficulty of
//! instructions and without their penalty, so the rate differs from the one that they publish.
//! This file must not know what lengths are counted in.

use crate::stats::describe::check_finite;
use crate::stats::normal::normal_quantile;
use crate::stats::{Code, NoValue};
use crate::stats::{Ddof, Interval, StatsError, describe};

/// Newton's method is given up after so many steps; ten are many.
const MOST_STEPS: usize = 200;

/// One comparison with the lengths of its texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lengths {
    /// How much of the win is the contender's.
    pub share: f64,
    /// The contender's length less the opponent's.
    pub longer: f64,
    /// The cluster of the comparison, from 0 on.
    pub cluster: usize,
}

/// The fitted regression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthControlled {
    /// b0.
    pub intercept: f64,
    /// b1.
    pub slope: f64,
    /// The standard error of b0.
    pub se_intercept: f64,
    /// The standard error of b1.
    pub se_slope: f64,
}

impl LengthControlled {
    /// The win rate at equal length.
    pub fn rate(&self) -> f64 {
        logistic(self.intercept)
    }

    /// Its interval, whose ends are those of b0.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        let z = normal_quantile(f64::midpoint(1.0, level))?;
        let end = |sign: f64| logistic(self.intercept + sign * z * self.se_intercept);
        Interval::new(end(-1.0), end(1.0), level)
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Fits the regression; with `clustered`, standard errors are of clusters, with the factor G/(G - 1).
pub fn length_controlled(
    rows: &[Lengths],
    clustered: bool,
) -> Result<Result<LengthControlled, NoValue>, StatsError> {
    let longer: Vec<f64> = rows.iter().map(|row| row.longer).collect();
    let about = describe(&longer, Ddof::Sample)?;
    check_finite(&rows.iter().map(|row| row.share).collect::<Vec<_>>())?;
    let none = |code, why: &str| Ok(Err(NoValue::new(code, why)));
    let separated = |why| none(Code::Separation, why);
    if rows.is_empty() {
        return none(Code::TooFew, "there is no comparison");
    }
    if rows.iter().all(|row| row.share >= 1.0) {
        return separated("the contender wins every comparison");
    }
    if rows.iter().all(|row| row.share <= 0.0) {
        return separated("the contender loses every comparison");
    }
    let Some(sd) = about.sd else {
        return none(Code::TooFew, "a regression needs at least 2 comparisons");
    };
    if sd == 0.0 {
        return none(
            Code::Constant,
            "the difference of lengths does not vary; the plain win rate is what there is",
        );
    }
    let ends = |of: fn(f64) -> f64| {
        let with = rows
            .iter()
            .filter(|row| of(row.share) > 0.0)
            .map(|row| row.longer);
        with.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
            (low.min(at), high.max(at))
        })
    };
    let (won, lost) = (ends(|share| share), ends(|share| 1.0 - share));
    if won.0 >= lost.1 || lost.0 >= won.1 {
        return separated(
            "the difference of lengths tells wins from losses, so no finite slope fits",
        );
    }
    let points: Vec<Point> = rows.iter().map(|row| Point::of(row, sd)).collect();
    Ok(fit(&points, clustered))
}

struct Point {
    share: f64,
    x: f64,
    cluster: usize,
}

impl Point {
    fn of(row: &Lengths, sd: f64) -> Self {
        Self {
            share: row.share,
            x: (row.longer / sd).tanh(),
            cluster: row.cluster,
        }
    }
}

/// The symmetric matrix of the two parameters: of b0, of both, of b1.
type Matrix = [f64; 3];

fn inverse([a, b, c]: Matrix) -> Option<Matrix> {
    let determinant = a * c - b * b;
    let inverse = [c / determinant, -b / determinant, a / determinant];
    (determinant > 0.0 && inverse.iter().all(|cell| cell.is_finite())).then_some(inverse)
}

fn fit(points: &[Point], clustered: bool) -> Result<LengthControlled, NoValue> {
    let fitted = || {
        NoValue::new(
            Code::Separation,
            "the difference of lengths all but tells wins from losses",
        )
    };
    let likelihood = |b: [f64; 2]| {
        let term = |point: &Point| {
            let at = b[0] + b[1] * point.x;
            point.share * at - (at.max(0.0) + (-at.abs()).exp().ln_1p())
        };
        points.iter().map(term).sum::<f64>()
    };
    let mut b = [0.0; 2];
    let mut here = likelihood(b);
    for _ in 0..MOST_STEPS {
        let inverse = inverse(information(points, b)).ok_or_else(fitted)?;
        let gradient = points.iter().fold([0.0; 2], |[first, second], point| {
            let rest = point.share - logistic(b[0] + b[1] * point.x);
            [first + rest, second + rest * point.x]
        });
        let step = [
            inverse[0] * gradient[0] + inverse[1] * gradient[1],
            inverse[1] * gradient[0] + inverse[2] * gradient[1],
        ];
        let largest = step[0].abs().max(step[1].abs());
        let mut share = 1.0;
        loop {
            let next = [b[0] + share * step[0], b[1] + share * step[1]];
            let there = likelihood(next);
            if there >= here || largest * share < 1e-6 {
                (b, here) = (next, there);
                break;
            }
            share /= 2.0;
        }
        if largest < 1e-10 {
            let covariance = inverse_at(points, b, clustered)?;
            return Ok(LengthControlled {
                intercept: b[0],
                slope: b[1],
                se_intercept: covariance[0].max(0.0).sqrt(),
                se_slope: covariance[2].max(0.0).sqrt(),
            });
        }
    }
    Err(fitted())
}

fn information(points: &[Point], b: [f64; 2]) -> Matrix {
    points.iter().fold([0.0; 3], |[a, both, c], point| {
        let p = logistic(b[0] + b[1] * point.x);
        let weight = p * (1.0 - p);
        [
            a + weight,
            both + weight * point.x,
            c + weight * point.x * point.x,
        ]
    })
}

/// The covariance of the parameters.
fn inverse_at(points: &[Point], b: [f64; 2], clustered: bool) -> Result<Matrix, NoValue> {
    let too_flat = || {
        NoValue::new(
            Code::NotIdentifiable,
            "the comparisons do not determine the regression",
        )
    };
    let bread = inverse(information(points, b)).ok_or_else(too_flat)?;
    if !clustered {
        return Ok(bread);
    }
    let mut scores = std::collections::BTreeMap::<usize, [f64; 2]>::new();
    for point in points {
        let rest = point.share - logistic(b[0] + b[1] * point.x);
        let score = scores.entry(point.cluster).or_default();
        score[0] += rest;
        score[1] += rest * point.x;
    }
    let groups = scores.len() as f64;
    if scores.len() < 2 {
        let why = "all comparisons are of one cluster, so nothing says how much clusters vary";
        return Err(NoValue::new(Code::TooFew, why));
    }
    let pulled = |score: &[f64; 2]| {
        [
            bread[0] * score[0] + bread[1] * score[1],
            bread[1] * score[0] + bread[2] * score[1],
        ]
    };
    let sum = scores
        .values()
        .map(pulled)
        .fold([0.0; 3], |[a, both, c], [first, second]| {
            [
                a + first * first,
                both + first * second,
                c + second * second,
            ]
        });
    Ok(sum.map(|cell| cell * groups / (groups - 1.0)))
}
