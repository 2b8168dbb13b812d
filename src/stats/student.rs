//! Student's t distribution: tail probabilities, critical values, intervals.
//!
//! Written out rather than taken from a crate because the tails must hold: p-values of strong
//! effects reach 1e-300, and forming `1 - x` for an x near 1 costs digits at small t and at large df.
//! Measured against arithmetic of 60 to 400 digits (see `tests/data/stats/generate.py`), df from
//! 1 to 1e9: p is right to 2e-13 relative down to 1e-299, critical values to 2e-15. The last digits
//! rest on the platform's `exp` and `ln`, so p-values, unlike t itself, may differ there by machine.
//! This file must not know data, only t, degrees of freedom and levels.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::Interval;

/// Above this df the t and the normal distribution are the same in double precision.
const AS_GOOD_AS_NORMAL: f64 = 1e20;

/// Terms after which the continued fraction is given up; the most seen is 59.
const MOST_TERMS: u32 = 10_000;

/// Steps after which a critical value is given up; the most seen is 68.
const MOST_STEPS: u32 = 400;

/// Which outcomes count as at least as extreme as the observed t.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tail {
    /// |T| at least |t|: the mean differs from 0.
    #[default]
    TwoSided,
    /// T at least t: the mean is above 0.
    Greater,
    /// T at most t: the mean is below 0.
    Less,
}

impl std::fmt::Display for Tail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TwoSided => "two-sided",
            Self::Greater => "greater",
            Self::Less => "less",
        })
    }
}

/// Whether a critical value splits the error probability between both tails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sides {
    /// The whole of 1 - level lies in one tail. The thesis's 1.669 (section 5.2: df 64, 0.05 per
    /// side) is the one-sided value for level 0.95.
    One,
    /// Half of 1 - level lies in each tail; intervals use this.
    #[default]
    Two,
}

/// The p-value of a t statistic with `df` degrees of freedom (a whole number or not, at least 1).
///
/// Two-sided it is `I_x(df/2, 1/2)` at x = df/(df + t²), the regularised incomplete beta function
/// (DLMF 8.17, M. Abramowitz and I. A. Stegun 26.7.1). A value below the smallest double is 0.
/// `None` where t is not finite or df is not a finite number of at least 1.
pub fn t_p(t: f64, df: f64, tail: Tail) -> Option<f64> {
    if !t.is_finite() {
        return None;
    }
    let mass = mass(t.abs(), df)?;
    let beyond = match tail {
        Tail::TwoSided => return Some(mass.outside),
        Tail::Greater => t >= 0.0,
        Tail::Less => t <= 0.0,
    };
    Some(if beyond {
        mass.outside / 2.0
    } else {
        0.5 + mass.inside / 2.0
    })
}

/// The value c with P(|T| <= c) = `level` (two sides) or P(T <= c) = `level` (one side).
///
/// `None` where the level is not strictly between 0 and 1, df is not a finite number of at least 1,
/// or c exceeds the largest double.
pub fn t_critical(level: f64, df: f64, sides: Sides) -> Option<f64> {
    if !(level > 0.0 && level < 1.0) {
        return None;
    }
    // Both masses are kept, each formed without cancellation, so that the smaller one can be solved for.
    match sides {
        Sides::Two => two_sided_critical(level, 1.0 - level, df),
        Sides::One if level >= 0.5 => {
            two_sided_critical(2.0 * level - 1.0, 2.0 * (1.0 - level), df)
        }
        Sides::One => two_sided_critical(1.0 - 2.0 * level, 2.0 * level, df).map(|value| -value),
    }
}

/// The same for the standard normal distribution, the limit of large df.
pub fn normal_critical(level: f64, sides: Sides) -> Option<f64> {
    t_critical(level, AS_GOOD_AS_NORMAL, sides)
}

/// The confidence interval mean ± c·se, where c is the two-sided critical value.
///
/// `None` without spread (se = 0), for arguments that are not numbers, and where [`t_critical`] is none.
pub fn t_interval(mean: f64, se: f64, df: f64, level: f64) -> Option<Interval> {
    if !(se > 0.0 && se.is_finite() && mean.is_finite()) {
        return None;
    }
    let half_width = t_critical(level, df, Sides::Two)? * se;
    Interval::new(mean - half_width, mean + half_width, level)
}

/// How probability divides at ±t.
struct Mass {
    /// P(|T| < t).
    inside: f64,
    /// P(|T| > t).
    outside: f64,
    /// d inside / d ln t = 2·t·density(t).
    slope: f64,
}

/// Divides the distribution at ±t, for t >= 0.
///
/// With u = t/√df, x = 1/(1 + u²) and y = u²/(1 + u²) are formed apart, so neither is one minus the
/// other; whichever tail the continued fraction converges for is computed, and it is the smaller
/// one up to a factor of about ten.
#[expect(clippy::many_single_char_names, reason = "the letters of DLMF 8.17")]
fn mass(t: f64, df: f64) -> Option<Mass> {
    if !(df >= 1.0 && df.is_finite()) {
        return None;
    }
    if t == 0.0 {
        return Some(Mass {
            inside: 0.0,
            outside: 1.0,
            slope: 0.0,
        });
    }
    let df = df.min(AS_GOOD_AS_NORMAL);
    let (a, b) = (df / 2.0, 0.5);
    let u = t / df.sqrt();
    let (x, y, ln_sum) = if u < 1.0 {
        let square = u * u;
        (
            1.0 / (1.0 + square),
            square / (1.0 + square),
            square.ln_1p(),
        )
    } else {
        let square = u.recip() * u.recip();
        let ln_sum = 2.0 * u.ln() + square.ln_1p();
        (square / (1.0 + square), 1.0 / (1.0 + square), ln_sum)
    };
    // x^a · y^b / B(a, b), with √y = u / √(1 + u²) formed without squaring where u is small.
    let root_y = if u < 1.0 { u * x.sqrt() } else { y.sqrt() };
    let front = (-a * ln_sum).exp() * root_y * gamma_half_step(a) / PI.sqrt();
    let (inside, outside) = if y > (b + 1.0) / (a + b + 2.0) {
        let outside = (front / beta_fraction(a, b, x, y)?).clamp(0.0, 1.0);
        (1.0 - outside, outside)
    } else {
        let inside = (front / beta_fraction(b, a, y, x)?).clamp(0.0, 1.0);
        (inside, 1.0 - inside)
    };
    Some(Mass {
        inside,
        outside,
        slope: 2.0 * front,
    })
}

/// Γ(a + 1/2) / Γ(a), for a > 0.
pub(super) fn gamma_half_step(a: f64) -> f64 {
    // Lifts a by Γ(z + 1) = z·Γ(z) to where six terms of the asymptotic series reach full precision.
    let mut lifted = a;
    let mut factor = 1.0;
    while lifted < 20.0 {
        factor *= lifted / (lifted + 0.5);
        lifted += 1.0;
    }
    let r = lifted.recip();
    let r2 = r * r;
    let tail = 1.0 / 640.0 - r2 * (17.0 / 14336.0 - r2 * (31.0 / 18432.0 - r2 * 691.0 / 180_224.0));
    let series = r * (-1.0 / 8.0 + r2 * (1.0 / 192.0 - r2 * tail));
    factor * lifted.sqrt() * series.exp()
}

/// The continued fraction F with `I_x(a, b) = x^a·y^b / (B(a, b)·F)`, where y = 1 - x.
///
/// It is the even part of DLMF 8.17.22, arranged so that x near 1 enters only through y
/// (the arrangement of ACM Algorithm 708, TOMS 18, 1992), by the modified Lentz method.
#[expect(clippy::many_single_char_names, reason = "the letters of DLMF 8.17")]
pub(super) fn beta_fraction(a: f64, b: f64, x: f64, y: f64) -> Option<f64> {
    const TINY: f64 = 1e-290;
    let denominator = |m: f64| {
        let lead = a + 2.0 * m;
        // At m = 0 and a = 1 the quotient would be 0/0; its factor m makes it 0.
        let own = if m > 0.0 {
            m * (b - m) * x / (lead - 1.0)
        } else {
            0.0
        };
        m + own + (a + m) / (lead + 1.0) * (a * y - b * x + 1.0 + m * (1.0 + y))
    };
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut fraction = away_from_zero(denominator(0.0));
    let (mut c, mut d) = (fraction, 0.0);
    for term in 1..=MOST_TERMS {
        let m = f64::from(term);
        let lead = a + 2.0 * m - 1.0;
        let numerator = (a + m - 1.0) / lead * ((a + b + m - 1.0) / lead) * (m * (b - m) * x * x);
        let partial = denominator(m);
        d = away_from_zero(partial + numerator * d).recip();
        c = away_from_zero(partial + numerator / c);
        let step = c * d;
        fraction *= step;
        if (step - 1.0).abs() <= 2.0 * f64::EPSILON {
            return fraction.is_finite().then_some(fraction);
        }
    }
    None
}

/// The c >= 0 with P(|T| < c) = `inside` and P(|T| > c) = `outside`.
///
/// Newton's method on the logarithm of the smaller mass against ln c. The bracket halves in ln c
/// whenever a step leaves it, since c spans many magnitudes when df is small.
fn two_sided_critical(inside: f64, outside: f64, df: f64) -> Option<f64> {
    let in_tail = outside <= inside;
    let (mut low, mut high) = (f64::MIN_POSITIVE, f64::MAX);
    if mass(low, df)?.inside >= inside {
        return Some(0.0);
    }
    if mass(high, df)?.outside > outside {
        return None;
    }
    let mut c = 1.0_f64;
    for _ in 0..MOST_STEPS {
        let at = mass(c, df)?;
        // Positive where c must grow. Only the smaller mass is compared: the other has lost digits.
        let (gap, held) = if in_tail {
            ((at.outside / outside).ln(), at.outside)
        } else {
            ((inside / at.inside).ln(), at.inside)
        };
        if gap > 0.0 {
            low = c;
        } else {
            high = c;
        }
        let newton = c * (gap * held / at.slope).exp();
        let next = if newton > low && newton < high {
            newton
        } else {
            low.sqrt() * high.sqrt()
        };
        if (next - c).abs() <= 2.0 * f64::EPSILON * c {
            return Some(next);
        }
        c = next;
    }
    None
}
