//! Numbers that do not exist, and inputs that are refused.

use crate::stats::{
    Correction, Ddof, Describe, Sides, StatsError, TOptions, TTest, Tail, WhyNoT, adjust, describe,
    exact_sum, one_sample_t, paired_t, share, t_critical, t_interval, t_p, wilson,
};

fn test_of(values: &[f64]) -> TTest {
    one_sample_t(values, &TOptions::default()).unwrap()
}

#[test]
fn nothing_has_no_mean() {
    assert_eq!(
        describe(&[], Ddof::Population).unwrap(),
        Describe::default()
    );
}

#[test]
fn one_value_has_a_population_spread_of_zero_and_no_sample_spread() {
    let population = describe(&[3.5], Ddof::Population).unwrap();
    let sample = describe(&[3.5], Ddof::Sample).unwrap();
    assert_eq!((population.sd, population.se), (Some(0.0), Some(0.0)));
    assert_eq!((sample.sd, sample.se), (None, None));
    assert_eq!((sample.mean, sample.median), (Some(3.5), Some(3.5)));
}

#[test]
fn equal_values_have_themselves_as_mean_and_no_spread() {
    for n in 1..200 {
        let about = describe(&vec![0.1; n], Ddof::Population).unwrap();
        assert_eq!((about.mean, about.sd), (Some(0.1), Some(0.0)), "{n}");
    }
}

#[test]
fn negative_zero_does_not_come_out() {
    let about = describe(&[-0.0, -0.0], Ddof::Sample).unwrap();
    for value in [about.mean, about.min, about.max, about.median] {
        assert!(value.unwrap().is_sign_positive());
    }
}

#[test]
fn extreme_values_neither_overflow_nor_vanish() {
    let large = describe(&[f64::MAX, f64::MAX / 2.0], Ddof::Population).unwrap();
    assert_eq!(large.mean, Some(f64::MAX * 0.75));
    assert_eq!(large.sd, Some(f64::MAX / 4.0));
    let opposite = describe(&[f64::MAX, -f64::MAX], Ddof::Sample).unwrap();
    assert_eq!((opposite.mean, opposite.sd), (Some(0.0), None));
    let small = describe(&[1e-300, 3e-300], Ddof::Population).unwrap();
    assert!((small.sd.unwrap() / 1e-300 - 1.0).abs() < 1e-15);
    let least = f64::from_bits(1);
    let tiny = describe(&[0.0, 4.0 * least], Ddof::Population).unwrap();
    assert_eq!((tiny.mean, tiny.sd), (Some(2.0 * least), Some(2.0 * least)));
}

#[test]
fn a_value_that_is_no_number_is_named() {
    let error = describe(&[1.0, f64::INFINITY, 2.0], Ddof::Sample).unwrap_err();
    assert_eq!(
        error.to_string(),
        "value 1 is inf, not a finite number; pass only scored values"
    );
    let error = paired_t(&[(1.0, 2.0), (3.0, f64::NAN)], &TOptions::default()).unwrap_err();
    assert!(matches!(error, StatsError::NotFinite { index: 1, .. }));
}

#[test]
fn fewer_than_two_differences_have_no_t() {
    assert_eq!(test_of(&[]).t, Err(WhyNoT::TooFew { n: 0 }));
    let one = test_of(&[-0.5]);
    assert_eq!(one.t, Err(WhyNoT::TooFew { n: 1 }));
    assert_eq!((one.mean, one.sd, one.df), (Some(-0.5), None, Some(0.0)));
    assert_eq!((one.p, one.interval, one.dz), (None, None, None));
    let says = |n| WhyNoT::TooFew { n }.to_string();
    assert_eq!(
        says(0),
        "a t statistic needs at least 2 values, here are none"
    );
    assert_eq!(says(1), "a t statistic needs at least 2 values, here is 1");
}

#[test]
fn differences_that_are_all_zero_have_no_t_but_a_mean() {
    let test = test_of(&[0.0; 5]);
    assert_eq!(test.t, Err(WhyNoT::AllZero { n: 5 }));
    assert_eq!(
        (test.mean, test.sd, test.se),
        (Some(0.0), Some(0.0), Some(0.0))
    );
    assert_eq!((test.p, test.interval, test.dz), (None, None, None));
}

#[test]
fn equal_differences_have_no_t_and_say_which_difference() {
    let test = test_of(&[-0.5; 4]);
    assert_eq!(test.t, Err(WhyNoT::NoVariation { n: 4, mean: -0.5 }));
    assert_eq!(test.t.unwrap_err().to_string(), "all differences are −0.5");
}

#[test]
fn differences_that_cancel_have_a_t_of_exactly_zero() {
    let test = test_of(&[0.5, -0.5, 1.0, -1.0]);
    assert_eq!((test.t, test.p, test.dz), (Ok(0.0), Some(1.0), Some(0.0)));
}

#[test]
fn rounding_of_decimal_scores_is_no_variation() {
    let pairs = [(4.3_f64, 4.1), (3.3, 3.1), (1.3, 1.1), (2.2, 2.0)];
    assert!(
        pairs
            .iter()
            .any(|(left, right)| (left - right).to_bits() != 0.2_f64.to_bits())
    );
    let test = paired_t(&pairs, &TOptions::default()).unwrap();
    assert_eq!(test.t.unwrap_err().to_string(), "all differences are 0.2");
    // The same for differences of differences, where the magnitude must be told.
    let twice: Vec<(f64, f64)> = pairs
        .iter()
        .map(|(left, right)| (left - right, 0.2))
        .collect();
    let options = TOptions {
        magnitude: 5.0,
        ..TOptions::default()
    };
    assert_eq!(
        paired_t(&twice, &options).unwrap().t,
        Err(WhyNoT::AllZero { n: 4 })
    );
}

#[test]
fn rounding_of_decimal_scores_is_no_mean() {
    let pairs = [(4.3, 4.1), (3.1, 3.3), (1.3, 1.1), (2.0, 2.2)];
    let test = paired_t(&pairs, &TOptions::default()).unwrap();
    assert_eq!((test.mean, test.t), (Some(0.0), Ok(0.0)));
}

#[test]
fn too_large_differences_say_so() {
    assert_eq!(test_of(&[f64::MAX, -f64::MAX]).t, Err(WhyNoT::TooLarge));
    let error = paired_t(&[(f64::MAX, -f64::MAX)], &TOptions::default()).unwrap_err();
    assert!(matches!(error, StatsError::NotFinite { index: 0, .. }));
}

#[test]
fn a_level_is_between_zero_and_one() {
    for level in [0.0, 1.0, 95.0, -0.1, f64::NAN] {
        let options = TOptions {
            level,
            ..TOptions::default()
        };
        assert!(matches!(
            one_sample_t(&[1.0, 2.0], &options),
            Err(StatsError::Level { .. })
        ));
        assert!(matches!(share(1, 2, level), Err(StatsError::Level { .. })));
        assert_eq!(t_critical(level, 5.0, Sides::Two), None);
        assert_eq!(wilson(1, 2, level), None);
    }
}

#[test]
fn a_magnitude_is_a_number_of_at_least_zero() {
    for magnitude in [-1.0, f64::NAN, f64::INFINITY] {
        let options = TOptions {
            magnitude,
            ..TOptions::default()
        };
        let error = one_sample_t(&[1.0, 2.0], &options).unwrap_err();
        assert!(matches!(error, StatsError::Magnitude { .. }));
    }
}

#[test]
fn student_refuses_what_is_no_number() {
    for (t, df) in [
        (f64::NAN, 5.0),
        (f64::INFINITY, 5.0),
        (1.0, 0.0),
        (1.0, 0.5),
        (1.0, -2.0),
        (1.0, f64::NAN),
    ] {
        assert_eq!(t_p(t, df, Tail::TwoSided), None, "t {t}, df {df}");
    }
    assert_eq!(t_p(1.0, f64::INFINITY, Tail::TwoSided), None);
    assert_eq!(t_critical(0.95, 0.0, Sides::One), None);
    assert_eq!(t_interval(1.0, 0.0, 5.0, 0.95), None);
    assert_eq!(t_interval(f64::NAN, 1.0, 5.0, 0.95), None);
    // A value beyond the largest double.
    assert_eq!(t_critical(1e-320, 1.0, Sides::One), None);
}

#[test]
fn a_p_value_below_the_smallest_double_is_zero_and_not_negative() {
    assert_eq!(t_p(1e3, 1e4, Tail::TwoSided), Some(0.0));
    assert_eq!(t_p(f64::MAX, 64.0, Tail::TwoSided), Some(0.0));
    assert_eq!(t_p(0.0, 64.0, Tail::TwoSided), Some(1.0));
}

#[test]
fn a_p_value_outside_zero_to_one_is_named() {
    let error = adjust(&[Some(0.5), None, Some(1.5)], Correction::Holm).unwrap_err();
    assert_eq!(
        error.to_string(),
        "p-value 2 is 1.5, not a number from 0 to 1; pass a missing p-value as none"
    );
    assert!(adjust(&[Some(f64::NAN)], Correction::None).is_err());
}

#[test]
fn a_share_of_none_is_no_number_and_more_hits_than_trials_is_an_error() {
    let none = share(0, 0, 0.95).unwrap();
    assert_eq!((none.share, none.interval), (None, None));
    assert_eq!(
        share(3, 2, 0.95).unwrap_err().to_string(),
        "3 of 2 is not a share; count hits among the 2 only"
    );
}

#[test]
fn a_sum_that_overflows_is_none() {
    assert_eq!(exact_sum([f64::MAX, f64::MAX]), None);
    assert_eq!(exact_sum([1.0, f64::NAN]), None);
    assert_eq!(exact_sum([]), Some(0.0));
}

#[test]
fn a_tie_is_decided_by_what_lies_below_it() {
    let half_unit = f64::EPSILON / 2.0;
    assert_eq!(exact_sum([1.0, half_unit]), Some(1.0));
    assert_eq!(
        exact_sum([1.0, half_unit, 1e-300]),
        Some(1.0 + f64::EPSILON)
    );
    assert_eq!(
        exact_sum([-1.0, -half_unit, -1e-300]),
        Some(-1.0 - f64::EPSILON)
    );
    assert_eq!(
        exact_sum([1.0 + f64::EPSILON, half_unit, -1e-300]),
        Some(1.0 + f64::EPSILON)
    );
    assert_eq!(exact_sum([1e100, 1.0, -1e100]), Some(1.0));
}

#[test]
fn spec_words_are_read() {
    let read = |text: &str| serde_json::from_str::<Correction>(text).unwrap();
    assert_eq!(read("\"bh\""), Correction::BenjaminiHochberg);
    assert_eq!(
        read("\"benjamini-hochberg\""),
        Correction::BenjaminiHochberg
    );
    assert_eq!(serde_json::from_str::<Ddof>("0").unwrap(), Ddof::Population);
    assert_eq!(serde_json::to_string(&Ddof::Sample).unwrap(), "1");
    let error = serde_json::from_str::<Ddof>("2").unwrap_err().to_string();
    assert!(error.starts_with("`ddof` is 2; write `1`"), "{error}");
}
