//! What a paired t-test can find: its power, the least difference it detects, and the pairs that it takes.
//!
//! The power is that of the noncentral t distribution with n - 1 degrees of freedom and noncentrality δ = √n·difference/sd,
//! both tails. No crate at hand has it, so P(T > t) = ∫ Φ(δ - t·s) f(s) ds, with s² a χ² over its degrees of freedom, is added
//! up on a grid in ln s (trapezoid rule, which is exact to rounding for an integrand that fades at both ends). The normal
//! form is (z(1 - α/2) + z(power))·sd/√n. This file must not know data.

use super::normal::normal_quantile;
use super::{Code, NoValue};
use super::{Sides, t_critical};

/// More pairs than this are not searched for.
const MOST: f64 = 1e9;
/// Points of the grid on each side of its middle.
const POINTS: i32 = 400;

/// A planned two-sided paired t-test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Standard deviation of the differences.
    pub sd: f64,
    /// The probability of finding a difference where there is none, 1 - level.
    pub alpha: f64,
    /// The probability of finding one that is there.
    pub power: f64,
}

impl Plan {
    /// Refuses a plan that no number of pairs can meet.
    fn check(&self) -> Result<(), NoValue> {
        let invalid = |why: String| Err(NoValue::new(Code::InvalidParameter, why));
        let between = |value: f64| value > 0.0 && value < 1.0;
        if !between(self.alpha) {
            return invalid(format!("an alpha of {} is not between 0 and 1", self.alpha));
        }
        if !between(self.power) || self.power <= self.alpha {
            return invalid(format!(
                "a power of {} is not between alpha ({}) and 1",
                self.power, self.alpha
            ));
        }
        if self.sd == 0.0 {
            return Err(NoValue::new(Code::Constant, "all differences are equal"));
        }
        if !(self.sd > 0.0 && self.sd.is_finite()) {
            return invalid(format!("a standard deviation of {} is none", self.sd));
        }
        Ok(())
    }

    fn check_pairs(&self, n: usize) -> Result<(), NoValue> {
        self.check()?;
        if n < 2 {
            let why = format!("a t statistic needs at least 2 pairs, here {n}");
            return Err(NoValue::new(Code::TooFew, why));
        }
        Ok(())
    }

    /// The probability that n pairs find a difference.
    pub fn power_of(&self, n: usize, difference: f64) -> Result<f64, NoValue> {
        self.check_pairs(n)?;
        Ok(power(n as f64, difference.abs() / self.sd, self.alpha))
    }

    /// The least difference that n pairs find with the planned power.
    pub fn detectable(&self, n: usize) -> Result<f64, NoValue> {
        self.check_pairs(n)?;
        let pairs = n as f64;
        let reached = |effect: f64| power(pairs, effect, self.alpha) >= self.power;
        let (mut low, mut high) = (0.0, self.z_sum()? / pairs.sqrt());
        while !reached(high) {
            (low, high) = (high, 2.0 * high);
            if high > 1e12 {
                return Err(NoValue::new(
                    Code::Undefined,
                    "no difference is found with this power",
                ));
            }
        }
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if reached(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(f64::midpoint(low, high) * self.sd)
    }

    /// The same by the normal distribution, which is too hopeful of few pairs.
    pub fn detectable_normal(&self, n: usize) -> Result<f64, NoValue> {
        self.check_pairs(n)?;
        Ok(self.z_sum()? * self.sd / (n as f64).sqrt())
    }

    /// The fewest pairs that find a difference with the planned power.
    pub fn needed(&self, difference: f64) -> Result<f64, NoValue> {
        let effect = self.effect(difference)?;
        let reached = |n: f64| power(n, effect, self.alpha) >= self.power;
        let (mut low, mut high) = (1.0, self.pairs_by_normal(effect)?.max(2.0));
        while !reached(high) {
            (low, high) = (high, 2.0 * high);
            if high > MOST {
                return Err(too_many());
            }
        }
        while high - low > 1.0 {
            let middle = f64::midpoint(low, high).floor();
            if reached(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(high)
    }

    /// The same by the normal distribution.
    pub fn needed_normal(&self, difference: f64) -> Result<f64, NoValue> {
        let effect = self.effect(difference)?;
        self.pairs_by_normal(effect)
    }

    fn effect(&self, difference: f64) -> Result<f64, NoValue> {
        self.check()?;
        if difference == 0.0 || !difference.is_finite() {
            let why = format!("no number of pairs finds a difference of {difference}");
            return Err(NoValue::new(Code::InvalidParameter, why));
        }
        Ok(difference.abs() / self.sd)
    }

    fn pairs_by_normal(&self, effect: f64) -> Result<f64, NoValue> {
        let pairs = (self.z_sum()? / effect).powi(2).ceil().max(1.0);
        if pairs > MOST {
            return Err(too_many());
        }
        Ok(pairs)
    }

    fn z_sum(&self) -> Result<f64, NoValue> {
        let z = |probability| {
            normal_quantile(probability).ok_or_else(|| {
                NoValue::new(
                    Code::InvalidParameter,
                    "the probability is too near to 0 or 1",
                )
            })
        };
        Ok(z(1.0 - self.alpha / 2.0)? + z(self.power)?)
    }
}

fn too_many() -> NoValue {
    NoValue::new(
        Code::Undefined,
        "it takes more than a thousand million pairs",
    )
}

/// The power of n pairs to find an effect in standard deviations of the differences.
fn power(n: f64, effect: f64, alpha: f64) -> f64 {
    let df = n - 1.0;
    let Some(critical) = t_critical(1.0 - alpha, df, Sides::Two) else {
        return 0.0;
    };
    let shift = effect * n.sqrt();
    // The density of u = ln s is proportional to exp(df·(u - (e^{2u} - 1)/2)), which has its top at 0.
    let log_density = |u: f64| df * (u - ((2.0 * u).exp_m1()) / 2.0);
    // Below e^-45 nothing is added any more.
    let end = |sign: f64| {
        let mut end = sign * 7.0 / df.sqrt();
        while log_density(end) > -45.0 {
            end *= 1.25;
        }
        end
    };
    let (low, high) = (end(-1.0), end(1.0));
    // The integrand changes over widths of 1/√(2·df) and of 1/δ in u.
    let wanted = (high - low) * ((2.0 * df).sqrt().max(shift) * 4.0);
    let steps = (wanted as i32).clamp(POINTS, 50 * POINTS);
    let step = (high - low) / f64::from(steps);
    let (mut mass, mut found) = (0.0, 0.0);
    for at in 0..=steps {
        let u = low + step * f64::from(at);
        let density = log_density(u).exp();
        let bound = critical * u.exp();
        mass += density;
        found += density * (upper_tail(bound - shift) + upper_tail(bound + shift));
    }
    (found / mass).clamp(0.0, 1.0)
}

/// P(Z > z). The crate's `erfc` is off by at most 3e-11, and a tenth of the time of `normal_below` is what counts here.
fn upper_tail(z: f64) -> f64 {
    statrs::function::erf::erfc(z / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::normal::normal_below;

    #[test]
    fn without_an_effect_the_power_is_alpha() {
        for (n, alpha) in [(2.0, 0.05), (3.0, 0.01), (30.0, 0.2), (1e6, 0.001)] {
            let found = power(n, 0.0, alpha);
            assert!((found - alpha).abs() < 1e-10, "{n} {alpha}: {found}");
        }
    }

    #[test]
    fn erfc_of_the_crate_is_the_tail_of_t_at_infinity() {
        for tenth in -80..=80 {
            let z = f64::from(tenth) / 10.0;
            let (crates, ours) = (upper_tail(z), normal_below(-z));
            assert!(
                (crates / ours - 1.0).abs() < 2e-10,
                "{z}: {crates:e} {ours:e}"
            );
        }
    }

    #[test]
    fn what_is_detectable_is_found_with_the_planned_power() {
        let plan = Plan {
            sd: 12.5,
            alpha: 0.05,
            power: 0.8,
        };
        for n in [2, 5, 50, 3000] {
            let difference = plan.detectable(n).unwrap();
            let found = plan.power_of(n, difference).unwrap();
            assert!((found - 0.8).abs() < 1e-9, "{n}: {found}");
            // Just below what is detectable one pair more is needed.
            assert_eq!(plan.needed(difference * 1.000_001), Ok(n as f64));
            assert_eq!(plan.needed(difference * 0.999_999), Ok((n + 1) as f64));
        }
    }
}
