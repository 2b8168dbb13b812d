//! From rates to scores, and from findings to the most serious ones.
//!
//! Each metric adds its signals to one burden, in errors per 1,000 words or their like:
//! burden = Σ factor × rate. A burden below an allowance (what clean print shows of names, dialect and
//! false alarms) costs nothing; beyond it, score = 5 − 1.2 × ln(1 + (burden − allowance) / 2), held
//! between 1 and 5 and rounded to half points. The logarithm makes the first errors count most, as they
//! do with readers, and keeps the score monotone in every rate. The factors were set by hand so that
//! clean published prose of 1800 to 2005 lies between 4 and 5; they carry no theory.

use super::agreement::agreement;
use super::cohesion::cohesion;
use super::finding::{Finding, Signal};
use super::form::form;
use super::generic::empty_nouns;
use super::names::names;
use super::repetition::repetition;
use super::spelling::spelling;
use super::stems::Stems;
use super::tense::tense;
use super::text::Document;
use super::ties::ties;
use super::verbs::verb_forms;
use super::word_order::word_order;
use super::years::years;

const ALLOWANCE: f64 = 1.0;
const SLOPE: f64 = 1.2;
const SCALE: f64 = 2.0;

/// What the judge reports for one metric.
#[derive(Debug)]
pub(super) struct Verdict {
    /// 1 to 5 in half points.
    pub(super) score: f64,
    /// The most serious first; of equal weight, the earlier in the text.
    pub(super) findings: Vec<Finding>,
}

/// Judges fluency: spelling, verb forms, agreement, word order, tense, mechanics.
pub(super) fn fluency(document: &Document<'_>) -> Verdict {
    verdict([
        (0.6, spelling(document)),
        (3.0, verb_forms(document)),
        (3.0, agreement(document)),
        (8.0, word_order(document)),
        (0.5, tense(document)),
        (0.6, form(document)),
    ])
}

/// Judges coherence: cohesion, names, loose sentences, empty nouns, repetition, years.
pub(super) fn coherence(document: &Document<'_>) -> Verdict {
    let stems = Stems::of(document);
    verdict([
        (60.0, cohesion(document, &stems)),
        (5.0, names(document)),
        (4.0, ties(document, &stems)),
        (2.0, empty_nouns(document)),
        (0.05, repetition(document, &stems)),
        (2.0, years(document)),
    ])
}

fn verdict<const N: usize>(signals: [(f64, Signal); N]) -> Verdict {
    let burden: f64 = signals
        .iter()
        .map(|(factor, signal)| factor * signal.rate)
        .sum();
    let mut findings: Vec<Finding> = signals
        .into_iter()
        .flat_map(|(_, signal)| signal.findings)
        .collect();
    findings.sort_by(|a, b| {
        let heavier = b.weight.total_cmp(&a.weight);
        heavier.then_with(|| (a.tokens.start, a.label).cmp(&(b.tokens.start, b.label)))
    });
    Verdict {
        score: halves(burden),
        findings,
    }
}

/// The score of a burden, in half points.
fn halves(burden: f64) -> f64 {
    let excess = f64::max(0.0, burden - ALLOWANCE);
    let score = 5.0 - SLOPE * (1.0 + excess / SCALE).ln();
    (score.clamp(1.0, 5.0) * 2.0).round() / 2.0
}

#[cfg(test)]
mod tests {
    use super::halves;

    #[test]
    fn scores_fall_with_the_burden_and_stay_on_the_scale() {
        let scores: Vec<f64> = (0..200).map(|b| halves(f64::from(b))).collect();
        assert!(scores.windows(2).all(|w| w[0] >= w[1]));
        assert!((scores[0] - 5.0).abs() < 1e-9 && (scores[199] - 1.0).abs() < 1e-9);
        assert!(scores.iter().all(|s| (s * 2.0).fract() == 0.0));
    }
}
