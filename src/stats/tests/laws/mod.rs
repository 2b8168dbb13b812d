//! What must hold for any input.

mod agreement;
mod corrected;
mod correlation;
mod distance;
mod error_bars;
mod preference;
mod proportion;
mod rank_tests;

use proptest::prelude::*;

use crate::stats::{
    Correction, Ddof, Sides, TOptions, Tail, adjust, describe, exact_sum, one_sample_t, share,
    t_critical, t_p,
};

/// Scores, differences, and numbers of every size.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-8_i32..=8).prop_map(|half| f64::from(half) / 2.0),
        (-50_i32..=50).prop_map(|tenth| f64::from(tenth) / 10.0),
        -1e3..1e3,
        any::<f64>().prop_filter("finite", |value| value.is_finite()),
    ]
}

fn shuffled() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    prop::collection::vec(value(), 0..40)
        .prop_flat_map(|values| (Just(values.clone()), Just(values).prop_shuffle()))
}

fn p_values() -> impl Strategy<Value = Vec<Option<f64>>> {
    let p = prop_oneof![
        0.0..=1.0_f64,
        Just(0.0),
        Just(1.0),
        Just(0.05),
        (0.0..300.0_f64).prop_map(|power| 10_f64.powf(-power))
    ];
    prop::collection::vec(prop::option::weighted(0.8, p), 0..60)
}

fn hits() -> impl Strategy<Value = (u64, u64)> {
    (1_u64..1_000_000).prop_flat_map(|n| (0..=n, Just(n)))
}

fn all_finite(numbers: &[Option<f64>]) -> bool {
    numbers.iter().flatten().all(|number| number.is_finite())
}

proptest! {
    #[test]
    fn order_does_not_reach_a_description((values, other) in shuffled()) {
        for ddof in [Ddof::Sample, Ddof::Population] {
            let (left, right) = (describe(&values, ddof).unwrap(), describe(&other, ddof).unwrap());
            prop_assert_eq!(format!("{left:?}"), format!("{right:?}"));
            prop_assert!(all_finite(&[left.mean, left.sd, left.se, left.median]));
            if let (Some(min), Some(mean), Some(max)) = (left.min, left.mean, left.max) {
                prop_assert!(min <= mean && mean <= max);
            }
        }
    }

    #[test]
    fn order_does_not_reach_a_sum((values, other) in shuffled()) {
        let small = |list: &[f64]| exact_sum(list.iter().map(|value| value / 1e10)).unwrap();
        prop_assert_eq!(small(&values).to_bits(), small(&other).to_bits());
        let negated: Vec<f64> = values.iter().map(|value| -value).collect();
        prop_assert_eq!(Some(small(&negated)), Some(-small(&values)));
    }

    #[test]
    fn order_does_not_reach_a_test((values, other) in shuffled()) {
        let of = |list: &[f64]| format!("{:?}", one_sample_t(list, &TOptions::default()).unwrap());
        prop_assert_eq!(of(&values), of(&other));
    }

    #[test]
    fn t_changes_sign_with_the_data(values in prop::collection::vec(value(), 0..40)) {
        let negated: Vec<f64> = values.iter().map(|value| -value).collect();
        let test = one_sample_t(&values, &TOptions::default()).unwrap();
        let mirror = one_sample_t(&negated, &TOptions::default()).unwrap();
        prop_assert_eq!(test.t.ok().map(|t| -t), mirror.t.ok());
        prop_assert_eq!((test.p, test.sd), (mirror.p, mirror.sd));
        prop_assert_eq!(test.dz.map(|dz| -dz), mirror.dz);
        if let (Some(one), Some(two)) = (test.interval, mirror.interval) {
            prop_assert_eq!((one.low, one.high), (-two.high, -two.low));
        }
    }

    #[test]
    fn a_test_holds_together(values in prop::collection::vec(value(), 0..40)) {
        let test = one_sample_t(&values, &TOptions::default()).unwrap();
        prop_assert!(all_finite(&[test.mean, test.sd, test.se, test.t.ok(), test.p, test.dz]));
        if let (Ok(t), Some(dz)) = (test.t, test.dz) {
            // t = d_z·√n
            prop_assert!((t - dz * (test.n as f64).sqrt()).abs() <= 1e-14 * t.abs());
        }
        // p < 1 - level exactly where 0 lies outside the interval, but for rounding at the border.
        if let (Some(p), Some(interval)) = (test.p, test.interval)
            && (p - 0.05).abs() > 1e-9
        {
            prop_assert_eq!(p < 0.05, interval.low > 0.0 || interval.high < 0.0);
        }
    }

    #[test]
    fn a_p_value_is_a_probability_and_falls_with_t(
        t in prop_oneof![-50.0..50.0_f64, any::<f64>()],
        df in prop_oneof![1.0..500.0_f64, any::<f64>()],
    ) {
        for tail in [Tail::TwoSided, Tail::Greater, Tail::Less] {
            match t_p(t, df, tail) {
                Some(p) => prop_assert!((0.0..=1.0).contains(&p)),
                None => prop_assert!(
                    !(t.is_finite() && df.is_finite() && df >= 1.0), "t {} df {}", t, df
                ),
            }
        }
        if let (Some(near), Some(far)) = (t_p(t, df, Tail::TwoSided), t_p(t * 1.01, df, Tail::TwoSided)) {
            prop_assert!(far <= near * (1.0 + 1e-12));
        }
        if let (Some(up), Some(down)) = (t_p(t, df, Tail::Greater), t_p(t, df, Tail::Less)) {
            prop_assert!((up + down - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn a_critical_value_has_the_p_value_it_stands_for(
        level in 1e-6..0.999_999_f64, df in prop_oneof![1.0..500.0_f64, 1.0..2.0_f64, 1.0..1e12_f64],
    ) {
        let c = t_critical(level, df, Sides::Two).unwrap();
        let p = t_p(c, df, Tail::TwoSided).unwrap();
        prop_assert!((p - (1.0 - level)).abs() <= 1e-12 * (1.0 - level), "{} {}", p, 1.0 - level);
        let upper = t_critical(level, df, Sides::One).unwrap();
        let lower = t_p(upper, df, Tail::Less).unwrap();
        prop_assert!((lower - level).abs() <= 1e-12 * level);
    }

    #[test]
    fn a_critical_value_never_hangs_or_panics(level in any::<f64>(), df in any::<f64>()) {
        for sides in [Sides::One, Sides::Two] {
            prop_assert!(t_critical(level, df, sides).is_none_or(f64::is_finite));
        }
    }

    #[test]
    fn corrections_are_ordered_and_keep_places(raw in p_values()) {
        let by = |method| adjust(&raw, method).unwrap();
        prop_assert_eq!(&by(Correction::None), &raw);
        let rows = by(Correction::BenjaminiHochberg).into_iter()
            .zip(by(Correction::Holm)).zip(by(Correction::Bonferroni));
        for (raw, ((bh, holm), bonferroni)) in raw.iter().zip(rows) {
            match (*raw, bh, holm, bonferroni) {
                (None, None, None, None) => {}
                (Some(raw), Some(bh), Some(holm), Some(bonferroni)) => {
                    prop_assert!(raw <= bh && bh <= holm && holm <= bonferroni && bonferroni <= 1.0);
                }
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }

    #[test]
    fn order_does_not_reach_a_correction(raw in p_values(), turn in 0_usize..60) {
        let mut turned = raw.clone();
        turned.reverse();
        turned.rotate_left(turn.min(raw.len()));
        for method in [Correction::Bonferroni, Correction::Holm, Correction::BenjaminiHochberg] {
            let mut direct = adjust(&raw, method).unwrap();
            direct.reverse();
            direct.rotate_left(turn.min(raw.len()));
            prop_assert_eq!(direct, adjust(&turned, method).unwrap());
        }
    }

    #[test]
    fn a_share_lies_in_its_interval((hits, n) in hits(), level in 1e-6..0.999_999_f64) {
        let share = share(hits, n, level).unwrap();
        let (value, interval) = (share.share.unwrap(), share.interval.unwrap());
        prop_assert!(0.0 <= interval.low && interval.low <= value);
        prop_assert!(value <= interval.high && interval.high <= 1.0);
    }
}
