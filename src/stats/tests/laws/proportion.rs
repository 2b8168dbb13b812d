//! Intervals of shares and of their differences, and the corrections of p-values.

use proptest::prelude::*;

use crate::stats::binomial::{at_least, at_most};
use crate::stats::proportion::{clopper_pearson, share_difference, wilson_corrected};
use crate::stats::{Correction, adjust, wilson};

fn hits() -> impl Strategy<Value = (u64, u64)> {
    (1_u64..5_000).prop_flat_map(|n| (0..=n, Just(n)))
}

proptest! {
    #[test]
    fn an_interval_holds_its_share_and_turns_with_it((hits, n) in hits(), level in 0.5..0.999_f64) {
        let p = hits as f64 / n as f64;
        for of in [clopper_pearson, wilson_corrected, wilson] {
            let ends = of(hits, n, level).unwrap();
            prop_assert!(0.0 <= ends.low && ends.low <= p && p <= ends.high && ends.high <= 1.0);
            let back = of(n - hits, n, level).unwrap();
            prop_assert!((ends.low - (1.0 - back.high)).abs() < 1e-12);
        }
        // The correction widens.
        let (plain, wide) = (wilson(hits, n, level).unwrap(), wilson_corrected(hits, n, level).unwrap());
        prop_assert!(wide.low <= plain.low + 1e-15 && wide.high >= plain.high - 1e-15);
    }

    #[test]
    fn the_ends_of_clopper_and_pearson_leave_half_of_the_rest_on_each_side((hits, n) in hits(), level in 0.5..0.999_f64) {
        let ends = clopper_pearson(hits, n, level).unwrap();
        let half = (1.0 - level) / 2.0;
        if hits > 0 {
            prop_assert!((at_least(hits, n, ends.low).unwrap() / half - 1.0).abs() < 1e-9);
        }
        if hits < n {
            prop_assert!((at_most(hits, n, ends.high).unwrap() / half - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_difference_lies_in_its_interval_and_turns_with_its_sides(one in hits(), two in hits()) {
        let there = share_difference(one, two, 0.95).unwrap();
        let back = share_difference(two, one, 0.95).unwrap();
        let (ends, turned) = (there.interval.unwrap(), back.interval.unwrap());
        prop_assert!(-1.0 <= ends.low && ends.low <= there.difference);
        prop_assert!(there.difference <= ends.high && ends.high <= 1.0);
        prop_assert!((ends.low + turned.high).abs() < 1e-12);
        prop_assert_eq!(there.p, back.p);
    }

    #[test]
    fn what_holds_for_any_dependence_asks_for_more(raw in prop::collection::vec(prop::option::of(0.0..=1.0_f64), 0..40)) {
        let of = |method| adjust(&raw, method).unwrap();
        let (step_up, any) = (of(Correction::BenjaminiHochberg), of(Correction::BenjaminiYekutieli));
        let m = raw.iter().flatten().count();
        let harmonic: f64 = (1..=m).map(|k| 1.0 / k as f64).sum();
        for (step_up, any) in step_up.iter().zip(&any) {
            prop_assert_eq!(step_up.is_some(), any.is_some());
            let (Some(step_up), Some(any)) = (step_up, any) else { continue };
            prop_assert!(any >= step_up && *any <= 1.0);
            prop_assert!((any - (step_up * harmonic).min(1.0)).abs() < 1e-12 || *any < 1.0);
        }
    }
}
