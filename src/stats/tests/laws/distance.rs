//! Distances against going through everything, and what must not change them.
#![expect(clippy::float_cmp, reason = "what is exact is compared exactly")]

use proptest::prelude::*;

use crate::stats::distance::{
    anderson_darling, anderson_darling_p, bipolarization, earth_mover, kolmogorov, mad, quantile,
};

fn scores(most: usize) -> impl Strategy<Value = Vec<f64>> {
    let score = (0_i32..=20).prop_map(|half| f64::from(half) / 2.0);
    prop::collection::vec(score, 1..most)
}

/// The largest gap in parts of 1/(n1·n2), by looking at every value.
fn gap(a: &[f64], b: &[f64]) -> usize {
    let below = |values: &[f64], at: f64| values.iter().filter(|value| **value <= at).count();
    let all = a.iter().chain(b);
    let of = |at: &f64| (below(a, *at) * b.len()).abs_diff(below(b, *at) * a.len());
    all.map(of).max().unwrap()
}

/// All splits of the values into one sample of this size and another.
fn splits(all: &[f64], size: usize) -> Vec<(Vec<f64>, Vec<f64>)> {
    let of = |signs: u32| {
        let (a, b): (Vec<_>, Vec<_>) = (0..all.len()).partition(|index| signs >> index & 1 == 1);
        let values = |places: Vec<usize>| places.into_iter().map(|place| all[place]).collect();
        (values(a), values(b))
    };
    let chosen = (0..1_u32 << all.len()).filter(|signs| signs.count_ones() as usize == size);
    chosen.map(of).collect()
}

proptest! {
    #[test]
    fn an_exact_kolmogorov_smirnov_is_the_share_of_all_splits(a in scores(7), b in scores(7)) {
        let test = kolmogorov(&a, &b).unwrap();
        let observed = gap(&a, &b);
        prop_assert!((test.d - observed as f64 / (a.len() * b.len()) as f64).abs() < 1e-15);
        let all = splits(&[a.clone(), b].concat(), a.len());
        let extreme = all.iter().filter(|(a, b)| gap(a, b) >= observed).count();
        let expected = extreme as f64 / all.len() as f64;
        let p = test.p_exact.unwrap();
        prop_assert!((p - expected).abs() < 1e-12, "{} {}", p, expected);
        prop_assert!((0.0..=1.0).contains(&test.p_asymptotic));
    }

    #[test]
    fn distances_do_not_mind_sides_and_grow_with_the_unit(a in scores(40), b in scores(40)) {
        let (one, two) = (kolmogorov(&a, &b).unwrap(), kolmogorov(&b, &a).unwrap());
        prop_assert_eq!(one.d, two.d);
        prop_assert!((one.p_exact.clone().unwrap() - two.p_exact.unwrap()).abs() < 1e-12);
        let (there, back) = (earth_mover(&a, &b).unwrap(), earth_mover(&b, &a).unwrap());
        prop_assert!((there.distance - back.distance).abs() < 1e-12);
        prop_assert!((there.centred - back.centred).abs() < 1e-12);
        prop_assert_eq!(there.shift, -back.shift);
        // A shift alone moves everything by itself, and nothing moves less than the shift.
        prop_assert!(there.distance >= there.shift.abs() - 1e-12);
        let scaled = |values: &[f64]| -> Vec<f64> { values.iter().map(|value| value * 4.0 - 7.0).collect() };
        let four = earth_mover(&scaled(&a), &scaled(&b)).unwrap();
        prop_assert!((four.distance - 4.0 * there.distance).abs() < 1e-9);
        prop_assert!((four.centred - 4.0 * there.centred).abs() < 1e-9);
        prop_assert_eq!(kolmogorov(&scaled(&a), &scaled(&b)).unwrap(), one);
    }

    #[test]
    fn the_earth_mover_of_equal_sizes_pairs_them_in_order(mut a in scores(40), mut b in scores(40)) {
        let n = a.len().min(b.len());
        a.truncate(n);
        b.truncate(n);
        let moved = earth_mover(&a, &b).unwrap().distance;
        a.sort_by(f64::total_cmp);
        b.sort_by(f64::total_cmp);
        let expected = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).sum::<f64>() / n as f64;
        prop_assert!((moved - expected).abs() < 1e-12);
    }

    #[test]
    fn a_sample_is_at_no_distance_from_itself(a in scores(40), by in -9_i32..9) {
        let same = kolmogorov(&a, &a).unwrap();
        prop_assert_eq!((same.d, same.p_exact.unwrap(), same.p_asymptotic), (0.0, 1.0, 1.0));
        let shifted: Vec<f64> = a.iter().map(|value| value + f64::from(by)).collect();
        let moved = earth_mover(&a, &shifted).unwrap();
        prop_assert!((moved.distance - f64::from(by).abs()).abs() < 1e-12);
        prop_assert!(moved.centred < 1e-12);
    }

    #[test]
    fn an_anderson_darling_does_not_mind_order_and_unit(a in scores(20), b in scores(20), c in scores(20)) {
        let one = anderson_darling(&[a.clone(), b.clone(), c.clone()]);
        let turned = |values: &[f64]| -> Vec<f64> { values.iter().rev().map(|value| value * 8.0 + 3.0).collect() };
        let two = anderson_darling(&[turned(&c), turned(&a), turned(&b)]);
        match (one, two) {
            (Ok(one), Ok(two)) => prop_assert!((one.a2 - two.a2).abs() < 1e-9 * one.a2 && one.a2 > 0.0),
            (one, two) => prop_assert_eq!(one.map_err(|why| why.code), two.map_err(|why| why.code)),
        }
    }

    #[test]
    fn quantiles_rise_and_stay_within(values in scores(40), share in 0.0..=1.0_f64) {
        let of = |share| quantile(&values, share).unwrap();
        prop_assert!(of(0.0) <= of(share) && of(share) <= of(1.0));
        prop_assert!(values.contains(&of(0.0)) && values.contains(&of(1.0)));
        prop_assert!(mad(&values).unwrap() <= of(1.0) - of(0.0));
    }

    #[test]
    fn bipolarization_grows_with_k_up_to_1_and_does_not_mind_a_turned_scale(values in scores(40)) {
        let mut last = 0.0;
        for k in [0.0, 1.0, 2.5, 4.0, 4.5] {
            let ends = bipolarization(&values, [0.0, 10.0], k).unwrap();
            prop_assert!(ends.bipolarization >= last && ends.bipolarization <= 1.0);
            last = ends.bipolarization;
            let turned: Vec<f64> = values.iter().map(|value| 10.0 - value).collect();
            let back = bipolarization(&turned, [0.0, 10.0], k).unwrap();
            prop_assert_eq!((ends.low, ends.high), (back.high, back.low));
        }
    }
}

#[test]
fn a_drawn_anderson_darling_comes_near_all_assignments() {
    let (a, b) = ([1.0, 2.0, 3.0, 4.0, 4.0], [3.0, 5.0, 6.0, 6.0, 7.0]);
    let observed = anderson_darling(&[a.to_vec(), b.to_vec()]).unwrap().a2;
    let all = splits(&[a, b].concat(), 5);
    let of = |(a, b): (Vec<f64>, Vec<f64>)| anderson_darling(&[a, b]).unwrap().a2;
    let extreme = all.len() as f64;
    let extreme = all
        .into_iter()
        .map(of)
        .filter(|a2| *a2 >= observed * (1.0 - 1e-10))
        .count() as f64
        / extreme;
    let drawn = anderson_darling_p(&[a.to_vec(), b.to_vec()], 20_000, 7).unwrap();
    // Six standard errors.
    let error = (extreme * (1.0 - extreme) / 20_000.0).sqrt();
    assert!((drawn - extreme).abs() < 6.0 * error, "{drawn} {extreme}");
    let again = anderson_darling_p(&[a.to_vec(), b.to_vec()], 20_000, 7).unwrap();
    assert_eq!(drawn.to_bits(), again.to_bits());
}
