//! Limits of agreement.

use crate::stats::correlation::{Ends, Value};
use crate::stats::{Code, NoValue};
use crate::stats::{Ddof, Sides, StatsError, describe, t_critical};

/// The differences of two measurements of the same.
#[derive(Clone, Debug, PartialEq)]
pub struct BlandAltman {
    /// Their mean.
    pub bias: Value,
    /// Their standard deviation.
    pub sd: Value,
    /// The standard error of the bias.
    pub se: Value,
    /// The interval of the bias, of t with n − 1 degrees of freedom.
    pub interval: Ends,
    /// bias ± z·sd.
    pub limits: Ends,
    /// The standard error of a limit, sd·√(1/n + z²/(2(n − 1))).
    pub limit_se: Value,
    /// The same as first published, sd·√(3/n).
    pub limit_se_1986: Value,
}

/// Bias and limits of agreement of `differences` (J. M. Bland and D. G. Altman, The Lancet 327, 1986; the standard error of a
/// limit: Statistical Methods in Medical Research 8, 1999).
pub fn bland_altman(differences: &[f64], z: f64, level: f64) -> Result<BlandAltman, StatsError> {
    let about = describe(differences, Ddof::Sample)?;
    let n = about.n as f64;
    let few = |needed: usize| {
        if about.n >= needed {
            return NoValue::new(Code::Undefined, "the differences are too large for it");
        }
        let pairs = if about.n == 1 { "pair" } else { "pairs" };
        let why = format!("{} complete {pairs}; it takes {needed}", about.n);
        NoValue::new(Code::TooFew, why)
    };
    let bias = about.mean.ok_or_else(|| few(1));
    let sd = about.sd.ok_or_else(|| few(2));
    let se = about.se.ok_or_else(|| few(2));
    let around = |half: Value| -> Ends {
        let (bias, half) = (bias.clone()?, half?);
        Ok((bias - half, bias + half))
    };
    let t = t_critical(level, n - 1.0, Sides::Two).ok_or_else(|| few(2));
    let half = || Ok(t? * se.clone()?);
    let times = |factor: f64| sd.clone().map(|sd| sd * factor);
    Ok(BlandAltman {
        interval: around(half()),
        limits: around(times(z)),
        limit_se: times((1.0 / n + z * z / (2.0 * (n - 1.0))).sqrt()),
        limit_se_1986: times((3.0 / n).sqrt()),
        bias,
        sd,
        se,
    })
}
