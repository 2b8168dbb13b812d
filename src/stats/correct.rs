//! p-values adjusted for asking many questions at once.
//!
//! With m p-values present, sorted as p₍₁₎ ≤ … ≤ p₍ₘ₎, each method gives every p-value an adjusted
//! one; comparing that with α decides as the method would. Missing p-values stay missing and do not
//! count in m: a hypothesis that cannot be rejected cannot be rejected falsely (compare R. E. Tarone, Biometrics 46,
//! 1990; R's `p.adjust` does the same). Whoever shows adjusted p-values must say what m was.
//! This file must not choose which p-values form a family; the spec does.

use serde::{Deserialize, Serialize};

use super::StatsError;

/// A correction for multiple comparisons; in a spec its name in kebab case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// The p-values as they are.
    #[default]
    None,
    /// min(1, m·p): holds the chance of any false positive at α (C. E. Bonferroni 1936;
    /// O. J. Dunn, JASA 56, 1961).
    Bonferroni,
    /// max over j ≤ k of min(1, (m - j + 1)·p₍ⱼ₎): the same guarantee, never less powerful
    /// (S. Holm, Scandinavian Journal of Statistics 6, 1979).
    Holm,
    /// min over j ≥ k of min(1, (m/j)·p₍ⱼ₎): holds the expected share of false positives among the
    /// positives at α, for independent or positively dependent tests (Y. Benjamini and
    /// Y. Hochberg, JRSS B 57, 1995).
    #[serde(alias = "bh")]
    BenjaminiHochberg,
    /// min over j ≥ k of min(1, c·(m/j)·p₍ⱼ₎) with c = 1 + 1/2 + … + 1/m: the same, however the tests depend on each other
    /// (Y. Benjamini and D. Yekutieli, Annals of Statistics 29, 2001).
    #[serde(alias = "by")]
    BenjaminiYekutieli,
}

/// The adjusted p-values, each in the place of its raw one.
///
/// They do not depend on the order of the input; raw ≤ Benjamini-Hochberg ≤ Holm ≤ Bonferroni and
/// Benjamini-Hochberg ≤ Benjamini-Yekutieli hold exactly. An error names the first p-value that is not a number from 0 to 1.
pub fn adjust(raw: &[Option<f64>], method: Correction) -> Result<Vec<Option<f64>>, StatsError> {
    let mut present: Vec<(usize, f64)> = Vec::with_capacity(raw.len());
    for (index, p) in raw.iter().enumerate() {
        match *p {
            None => {}
            Some(value) if (0.0..=1.0).contains(&value) => present.push((index, value)),
            Some(value) => return Err(StatsError::NotAProbability { index, value }),
        }
    }
    present.sort_by(|left, right| left.1.total_cmp(&right.1));
    let sorted: Vec<f64> = present.iter().map(|&(_, p)| p).collect();
    let adjusted = match method {
        Correction::None => sorted,
        Correction::Bonferroni => bonferroni(&sorted),
        Correction::Holm => holm(&sorted),
        Correction::BenjaminiHochberg => benjamini_hochberg(&sorted, 1.0),
        Correction::BenjaminiYekutieli => {
            let harmonic = (1..=sorted.len()).rev().map(|k| 1.0 / k as f64).sum();
            benjamini_hochberg(&sorted, harmonic)
        }
    };
    let mut out = vec![None; raw.len()];
    for ((index, _), p) in present.into_iter().zip(adjusted) {
        out[index] = Some(p);
    }
    Ok(out)
}

fn bonferroni(sorted: &[f64]) -> Vec<f64> {
    let m = sorted.len() as f64;
    sorted.iter().map(|p| (p * m).min(1.0)).collect()
}

fn holm(sorted: &[f64]) -> Vec<f64> {
    let m = sorted.len();
    let mut so_far = 0.0_f64;
    let step = |(below, p): (usize, &f64)| {
        so_far = so_far.max((p * (m - below) as f64).min(1.0));
        so_far
    };
    sorted.iter().enumerate().map(step).collect()
}

/// The step-up procedure with every p-value multiplied by a `factor`.
fn benjamini_hochberg(sorted: &[f64], factor: f64) -> Vec<f64> {
    let m = sorted.len() as f64;
    let mut adjusted = sorted.to_vec();
    let mut so_far = 1.0_f64;
    for (below, p) in adjusted.iter_mut().enumerate().rev() {
        // m/k is formed first: at k = m it is exactly 1, so the largest p-value keeps its bits.
        so_far = so_far.min(*p * (m / (below + 1) as f64) * factor);
        *p = so_far;
    }
    adjusted
}
