//! Lines through pairs of numbers: bias with limits of agreement, and the straight line of least squares.

use indexmap::IndexMap;

use super::{Made, as_number};
use crate::base::failure::Failure;
use crate::frame::Scalar;
use crate::stage::stats::one_of;
use crate::stats::{Ddof, Sides, describe, exact_sum, normal_critical};

/// The share of differences that limits of agreement are made for.
const AGREEMENT: f64 = 0.95;

/// The complete pairs of each panel and series; `x` is the place of the field with the first number.
fn pairs(rows: &[Made], x: usize) -> IndexMap<Vec<String>, Vec<(f64, f64)>> {
    let mut found: IndexMap<Vec<String>, Vec<(f64, f64)>> = IndexMap::new();
    for row in rows {
        let pair = row.fields[x].parse().ok().zip(row.value);
        found
            .entry(elsewhere(&row.fields, x))
            .or_default()
            .extend(pair);
    }
    found
}

/// The fields of a row that stands at no number of `x`.
pub(super) fn elsewhere(fields: &[String], x: usize) -> Vec<String> {
    let mut fields = fields.to_vec();
    fields[x].clear();
    fields
}

/// A row that is a line.
fn line(fields: Vec<String>, n: usize) -> Made {
    let mut counts = one_of(i64::try_from(n).unwrap_or(i64::MAX));
    counts.set("n_of", Scalar::from("pair"));
    Made {
        fields,
        value: None,
        interval: (None, None),
        bound: None,
        reference: true,
        counts,
        computed: Scalar::Null,
        undefined: None,
        why: None,
        r: None,
    }
}

/// For each panel and series a row with the mean of the differences, value - x, and the limits of agreement: 1.96 standard
/// deviations to either side (Bland and Altman, Lancet 327, 1986), which one pair does not have.
pub(super) fn agreement(rows: &[Made], x: usize) -> Result<Vec<Made>, Failure> {
    let mut made = Vec::new();
    for (fields, pairs) in pairs(rows, x) {
        let differences: Vec<f64> = pairs.iter().map(|(x, y)| y - x).collect();
        let about = describe(&differences, Ddof::Sample)
            .map_err(|error| Failure::new(format!("differences: {error}")))?;
        let around = about
            .sd
            .zip(normal_critical(AGREEMENT, Sides::Two))
            .map(|(sd, z)| z * sd);
        made.push(Made {
            value: about.mean,
            interval: super::around(about.mean, around),
            undefined: around
                .is_none()
                .then(|| "limits of agreement need two pairs".to_owned()),
            ..line(fields, pairs.len())
        });
    }
    Ok(made)
}

/// A straight line: its height at a number, and how the two numbers of pairs correlate (Pearson), where both vary.
struct Straight {
    slope: f64,
    through: (f64, f64),
    r: Option<f64>,
}

/// The line of least squares; `None` where all x are one, or sums are too large for a number.
fn straight(pairs: &[(f64, f64)]) -> Option<Straight> {
    let n = pairs.len() as f64;
    let x = exact_sum(pairs.iter().map(|pair| pair.0))? / n;
    let y = exact_sum(pairs.iter().map(|pair| pair.1))? / n;
    let sum = |of: fn(f64, f64) -> f64| {
        let products = pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y));
        exact_sum(products)
    };
    let (across, up) = (sum(|x, _| x * x)?, sum(|_, y| y * y)?);
    let both = sum(|x, y| x * y)?;
    let slope = both / across;
    let r = both / (across.sqrt() * up.sqrt());
    slope.is_finite().then(|| Straight {
        slope,
        through: (x, y),
        r: r.is_finite().then(|| r.clamp(-1.0, 1.0)),
    })
}

/// For each panel and series two rows, the ends of the line of least squares within the pairs. Pairs that all have the
/// same x have no such line.
pub(super) fn fit(rows: &[Made], x: usize) -> Vec<Made> {
    let mut made = Vec::new();
    for (fields, pairs) in pairs(rows, x) {
        let n = pairs.len();
        let Some(found) = straight(&pairs) else {
            made.push(Made {
                undefined: Some("a line needs two values of x".to_owned()),
                ..line(fields, n)
            });
            continue;
        };
        let low = pairs
            .iter()
            .map(|pair| pair.0)
            .fold(f64::INFINITY, f64::min);
        let high = pairs
            .iter()
            .map(|pair| pair.0)
            .fold(f64::NEG_INFINITY, f64::max);
        for end in [low, high] {
            let mut at = fields.clone();
            at[x] = as_number(end);
            made.push(Made {
                value: Some(found.through.1 + found.slope * (end - found.through.0)),
                r: found.r,
                ..line(at, n)
            });
        }
    }
    made
}
