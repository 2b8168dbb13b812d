//! Corrected rates.

use proptest::prelude::*;

use crate::stats::corrected::{Calibration, Lambda, ppi, rogan_gladen};
use crate::stats::mean;

fn counts() -> impl Strategy<Value = Calibration> {
    let part = || (0_usize..60).prop_flat_map(|n| (0..=n, Just(n)));
    (part(), part(), part()).prop_map(|(positive, negative, judged)| Calibration {
        positives: positive.1,
        true_positives: positive.0,
        negatives: negative.1,
        true_negatives: negative.0,
        n: judged.1,
        hits: judged.0,
    })
}

proptest! {
    #[test]
    fn a_corrected_share_is_a_share_and_mirrors_its_label(counts in counts()) {
        let found = rogan_gladen(&counts, 0.9).unwrap();
        let mirrored = Calibration {
            positives: counts.negatives,
            true_positives: counts.true_negatives,
            negatives: counts.positives,
            true_negatives: counts.true_positives,
            n: counts.n,
            hits: counts.n - counts.hits,
        };
        let other = rogan_gladen(&mirrored, 0.9).unwrap();
        prop_assert_eq!(found.rate.is_ok(), other.rate.is_ok());
        if let (Ok(rate), Ok(mirrored)) = (found.rate, other.rate) {
            prop_assert!((0.0..=1.0).contains(&rate));
            prop_assert!((rate + mirrored - 1.0).abs() < 1e-9);
            let ends = found.interval.unwrap();
            prop_assert!(ends.low <= rate && rate <= ends.high);
            prop_assert_eq!(found.adjusted.is_ok(), other.adjusted.is_ok());
            if let (Ok(adjusted), Ok(turned)) = (found.adjusted, other.adjusted) {
                prop_assert!(0.0 <= adjusted.low && adjusted.low <= adjusted.high && adjusted.high <= 1.0);
                prop_assert!((adjusted.low + turned.high - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_judge_who_is_right_gives_the_mean_of_all(values in prop::collection::vec(-50.0..50.0_f64, 6..40), at in 2_usize..4) {
        let (own, others) = values.split_at(at);
        let labelled: Vec<[f64; 2]> = own.iter().map(|value| [*value, *value]).collect();
        if let Ok(found) = ppi(&labelled, others, Lambda::One, 0.95).unwrap() {
            prop_assert!((found.estimate - mean(others).unwrap()).abs() < 1e-9);
        }
        if let Ok(found) = ppi(&labelled, others, Lambda::Tuned, 0.95).unwrap() {
            prop_assert!((0.0..=1.0).contains(&found.lambda));
            prop_assert_eq!(found.interval.is_ok(), found.se > 0.0);
            if let Ok(ends) = found.interval {
                prop_assert!(ends.low <= found.estimate && found.estimate <= ends.high);
            }
        }
    }

    #[test]
    fn order_and_scale_do_not_reach_a_prediction_powered_mean(rows in prop::collection::vec((-9_i32..9, -9_i32..9), 3..20), others in prop::collection::vec(-9_i32..9, 2..20)) {
        let of = |factor: f64, turn: bool| {
            let mut labelled: Vec<[f64; 2]> = rows.iter().map(|&(y, f)| [f64::from(y) * factor, f64::from(f) * factor]).collect();
            let mut others: Vec<f64> = others.iter().map(|&f| f64::from(f) * factor).collect();
            if turn {
                labelled.reverse();
                others.reverse();
            }
            ppi(&labelled, &others, Lambda::Tuned, 0.95).unwrap()
        };
        prop_assert_eq!(of(1.0, false), of(1.0, true));
        if let (Ok(one), Ok(eight)) = (of(1.0, false), of(8.0, false)) {
            prop_assert_eq!((8.0 * one.estimate, 8.0 * one.se), (eight.estimate, eight.se));
        }
    }
}
