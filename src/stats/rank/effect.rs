//! Effect sizes: standardised differences of means, and differences of ranks that need no unit.

use super::signed::rank_biserial;
use super::split::{Exact, mann_whitney};
use super::{Value, too_few};
use crate::stats::steps::Differences;
use crate::stats::student::gamma_half_step;
use crate::stats::{Code, NoValue};
use crate::stats::{Ddof, Describe, StatsError, TOptions, Tail, WhyNoT, describe, paired_t};

/// Effect sizes of pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Paired {
    /// The mean difference over the sd of differences (J. Cohen 1988, chapter 2).
    pub dz: Value,
    /// `dz` times the exact correction of Hedges for n − 1 degrees of freedom.
    pub g_z: Value,
    /// The mean difference over the mean of both sds (G. Cumming, Understanding the New Statistics, 2012, eq. 11.10).
    pub d_av: Value,
    /// The mean difference over the root of the mean variance.
    pub d_av_rms: Value,
    /// (W+ − W−)/(W+ + W−), zeros dropped (D. S. Kerby, Comprehensive Psychology 3, 2014).
    pub rank_biserial: Value,
}

/// Effect sizes of `left − right` over pairs, whose differences are `differences`.
pub fn paired(
    left: &[f64],
    right: &[f64],
    differences: &Differences,
) -> Result<Paired, StatsError> {
    let pairs: Vec<(f64, f64)> = left.iter().copied().zip(right.iter().copied()).collect();
    let test = paired_t(&pairs, &TOptions::default())?;
    let dz = match test.t {
        Ok(_) => test.dz.ok_or_else(too_large),
        Err(why) => Err(because(why)),
    };
    let g_z = dz
        .clone()
        .and_then(|dz| Ok(dz * hedges(pairs.len() as f64 - 1.0)?));
    let sides = [
        describe(left, Ddof::Sample)?,
        describe(right, Ddof::Sample)?,
    ];
    let over = |unit: fn(f64, f64) -> f64| {
        let [left, right] = spreads(&sides, "neither side varies")?;
        let mean = test.mean.ok_or_else(too_large)?;
        finite(mean / unit(left, right))
    };
    Ok(Paired {
        dz,
        g_z,
        d_av: over(f64::midpoint),
        d_av_rms: over(|left, right| left.hypot(right) / 2_f64.sqrt()),
        rank_biserial: rank_biserial(&differences.values),
    })
}

/// Effect sizes of two samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Independent {
    /// How much more often a value of the first is greater than one of the second than smaller
    /// (N. Cliff, Psychological Bulletin 114, 1993); the rank-biserial correlation of two samples is the same number.
    pub cliffs_delta: Value,
    /// The difference of means over the pooled sd (J. Cohen 1988).
    pub cohens_d: Value,
    /// `cohens_d` times the exact correction (L. V. Hedges, Journal of Educational Statistics 6, 1981, eq. 6).
    pub hedges_g: Value,
    /// `cohens_d` times 1 − 3/(4n − 9), which approximates it.
    pub hedges_g_approx: Value,
}

/// Effect sizes of `a` against `b`.
pub fn independent(a: &[f64], b: &[f64]) -> Result<Independent, StatsError> {
    let sides = [describe(a, Ddof::Sample)?, describe(b, Ddof::Sample)?];
    let n = (a.len() + b.len()) as f64;
    let d = cohens_d(&sides);
    let exact = |d: f64| Ok(d * hedges(n - 2.0)?);
    let ranks = mann_whitney(a, b, Tail::TwoSided, Exact::Never);
    Ok(Independent {
        cliffs_delta: ranks.map(|ranks| 2.0 * ranks.auc - 1.0),
        hedges_g: d.clone().and_then(exact),
        hedges_g_approx: d.clone().map(|d| d * (1.0 - 3.0 / (4.0 * n - 9.0))),
        cohens_d: d,
    })
}

fn cohens_d(sides: &[Describe; 2]) -> Value {
    let [a, b] = sides;
    if a.n < 2 || b.n < 2 {
        return Err(too_few("it takes 2 values in each sample"));
    }
    let [sd_a, sd_b] = spreads(sides, "neither sample varies")?;
    let (free_a, free_b) = (a.n as f64 - 1.0, b.n as f64 - 1.0);
    let parts = (free_a.sqrt() * sd_a).hypot(free_b.sqrt() * sd_b);
    let pooled = parts / (free_a + free_b).sqrt();
    let means = a.mean.zip(b.mean).ok_or_else(too_large)?;
    finite((means.0 - means.1) / pooled)
}

/// The standard deviations of both sides, unless both are 0.
fn spreads(sides: &[Describe; 2], constant: &str) -> Result<[f64; 2], NoValue> {
    let [a, b] = sides;
    if a.n < 2 || b.n < 2 {
        return Err(too_few("it takes 2 values on each side"));
    }
    let (a, b) = a.sd.zip(b.sd).ok_or_else(too_large)?;
    if a == 0.0 && b == 0.0 {
        return Err(NoValue::new(Code::Constant, constant));
    }
    Ok([a, b])
}

/// Hedges' factor Γ(m/2)/(√(m/2)·Γ((m − 1)/2)) of m degrees of freedom, which takes out the bias of d.
fn hedges(m: f64) -> Value {
    if m < 2.0 {
        return Err(too_few(
            "the correction of Hedges takes 2 degrees of freedom",
        ));
    }
    Ok(gamma_half_step((m - 1.0) / 2.0) / (m / 2.0).sqrt())
}

fn because(why: WhyNoT) -> NoValue {
    let code = match why {
        WhyNoT::TooFew { .. } => Code::TooFew,
        WhyNoT::AllZero { .. } | WhyNoT::NoVariation { .. } => Code::Constant,
        WhyNoT::TooLarge => Code::Undefined,
    };
    NoValue::new(code, why.to_string())
}

fn too_large() -> NoValue {
    NoValue::new(Code::Undefined, "the values are too large for it")
}

fn finite(value: f64) -> Value {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(too_large())
    }
}
