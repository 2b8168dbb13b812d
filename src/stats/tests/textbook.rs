//! Worked examples of textbooks and papers, and special functions against arithmetic of sixty digits, so that they are tested
//! where the reference cases are not there.
#![expect(clippy::float_cmp, reason = "what is exact is compared exactly")]

use super::close;
use crate::stats::binomial::at_most;
use crate::stats::distance::{anderson_darling, earth_mover, kolmogorov, mad, quantile};
use crate::stats::proportion::{clopper_pearson, share_difference, wilson_corrected};
use crate::stats::rank::{
    Exact, Zeros, chi_square_p, differences, flip_exact, flips, friedman, independent,
    kruskal_wallis, mann_whitney, mcnemar, sign_test, wilcoxon,
};
use crate::stats::{Correction, Interval, Tail, adjust, wilson};

/// Differences of Darwin's crossed and self-fertilised maize in eighths of an inch (R. A. Fisher, The Design of Experiments).
const MAIZE: [f64; 15] = [
    49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0,
];

/// Whether a printed number is this one, to as many decimals.
#[track_caller]
fn printed(ours: f64, theirs: f64, decimals: i32) {
    let half = 0.5 * 10_f64.powi(-decimals) + 1e-12;
    assert!((ours - theirs).abs() <= half, "{ours} against {theirs}");
}

#[test]
fn fishers_permutations_of_darwins_maize() {
    let zeros = [0.0; 15];
    let of = flips(&differences(&MAIZE, &zeros).unwrap()).unwrap();
    // He counted 863 of 32768 as large in this direction.
    assert_eq!(flip_exact(&of, Tail::TwoSided), Ok(1726.0 / 32768.0));
    assert_eq!(flip_exact(&of, Tail::Greater), Ok(863.0 / 32768.0));
    let signs = sign_test(&MAIZE, Tail::TwoSided);
    assert_eq!((signs.wins, signs.losses, signs.ties), (13, 2, 0));
    // 2·(1 + 15 + 105)/2¹⁵
    close(signs.p.unwrap(), 242.0 / 32768.0, 1e-12, "sign test");
}

#[test]
fn permutations_of_few_large_differences_are_gone_through_one_by_one() {
    // Steps of 10⁻² up to 10⁷: too many sums to keep, and few signs.
    let values = [1e7, 2.5, 0.75, -1e7, 12_345_678.25, 0.01];
    let of = flips(&differences(&values, &[0.0; 6]).unwrap()).unwrap();
    let p = flip_exact(&of, Tail::TwoSided).unwrap();
    let sums = (0..64_u32).map(|signs| {
        let signed = values.iter().enumerate();
        let signed = signed.map(|(at, d)| {
            if signs >> at & 1 == 1 {
                d.abs()
            } else {
                -d.abs()
            }
        });
        signed.sum::<f64>().abs()
    });
    let observed: f64 = values.iter().sum();
    let far = sums.filter(|sum| *sum >= observed - 1e-6).count();
    assert_eq!(p, far as f64 / 64.0);
}

#[test]
fn depression_scales_of_hollander_and_wolfe() {
    let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
    let after = [
        0.878,
        0.647,
        0.598,
        2.05,
        1.06,
        1.29,
        1.06,
        314.0 / 100.0,
        1.29,
    ];
    let of = differences(&before, &after).unwrap();
    let test = wilcoxon(&of.values, Zeros::Drop, Tail::Greater).unwrap();
    assert_eq!((test.plus, test.minus), (40.0, 5.0));
    assert_eq!(test.p_exact, Ok(10.0 / 512.0));
}

#[test]
fn permeability_of_hollander_and_wolfe() {
    let at_term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    let before = [1.15, 0.88, 0.90, 0.74, 1.21];
    let test = mann_whitney(&at_term, &before, Tail::Greater, Exact::Usual).unwrap();
    assert_eq!((test.u1, test.u2), (35.0, 15.0));
    printed(test.p_exact.unwrap(), 0.1272, 4);
}

#[test]
fn mucociliary_efficiency_of_hollander_and_wolfe() {
    let samples = [
        vec![2.9, 3.0, 2.5, 2.6, 3.2],
        vec![3.8, 2.7, 4.0, 2.4],
        vec![2.8, 3.4, 3.7, 2.2, 2.0],
    ];
    let test = kruskal_wallis(&samples).unwrap();
    printed(test.h, 0.771_43, 5);
    printed(test.p, 0.68, 2);
}

#[test]
fn approval_ratings_of_agresti() {
    let test = mcnemar(1600, 86, 150).unwrap();
    printed(test.chi2.sqrt(), 4.17, 2);
    close(test.chi2_corrected, 63.0 * 63.0 / 236.0, 1e-14, "corrected");
}

#[test]
fn a_friedman_by_hand() {
    // Four items, ranked 1 2 3, 1 2 3, 1 3 2 and, with a tie, 1½ 1½ 3.
    let blocks = [
        [1.0, 2.0, 3.0],
        [4.0, 5.0, 6.0],
        [1.0, 9.0, 5.0],
        [2.0, 2.0, 7.0],
    ];
    let test = friedman(&blocks.map(|block| block.to_vec()), 3).unwrap();
    // Rank sums 4.5, 8.5 and 11; 12/(4·3·4)·21.5 = 5.375, over 1 − 6/(4·24) = 0.9375.
    close(test.chi2, 5.375 / 0.9375, 1e-14, "chi2");
    close(test.w, 5.375 / 0.9375 / 8.0, 1e-14, "w");
}

#[test]
fn four_laboratories_of_scholz_and_stephens() {
    let samples = [
        vec![38.7, 41.5, 43.8, 44.5, 45.5, 46.0, 47.7, 58.0],
        vec![39.2, 39.3, 39.7, 41.4, 41.8, 42.9, 43.3, 45.8],
        vec![34.0, 35.0, 39.0, 40.0, 43.0, 43.0, 44.0, 45.0],
        vec![34.0, 34.8, 34.8, 35.4, 37.2, 37.8, 41.2, 42.8],
    ];
    let test = anderson_darling(&samples).unwrap();
    printed(test.a2, 8.3926, 4);
    printed(test.standardised.unwrap(), 4.480, 3);
}

#[test]
fn intervals_of_shares_of_newcombe() {
    // R. G. Newcombe, Statistics in Medicine 17, 1998, 857, table I.
    type Printed = [f64; 2];
    let table: [(u64, u64, Printed, Printed, Printed); 4] = [
        (
            81,
            263,
            [0.2553, 0.3662],
            [0.2535, 0.3682],
            [0.2527, 0.3676],
        ),
        (
            15,
            148,
            [0.0624, 0.1605],
            [0.0598, 0.1644],
            [0.0578, 0.1617],
        ),
        (0, 20, [0.0, 0.1611], [0.0, 0.2005], [0.0, 0.1684]),
        (1, 29, [0.0061, 0.1718], [0.0018, 0.1963], [0.0009, 0.1776]),
    ];
    let same = |ends: Option<Interval>, [low, high]: Printed| {
        let ends = ends.unwrap();
        printed(ends.low, low, 4);
        printed(ends.high, high, 4);
    };
    for (hits, n, score, corrected, exact) in table {
        same(wilson(hits, n, 0.95), score);
        same(wilson_corrected(hits, n, 0.95), corrected);
        same(clopper_pearson(hits, n, 0.95), exact);
    }
}

#[test]
fn intervals_of_differences_of_newcombe() {
    // The same volume, 873, table II, method 10.
    let table = [
        ((56, 70), (48, 80), [0.0524, 0.3339]),
        ((9, 10), (3, 10), [0.1705, 0.8090]),
        ((10, 10), (0, 20), [0.6791, 1.0]),
    ];
    for (first, second, [low, high]) in table {
        let ends = share_difference(first, second, 0.95)
            .unwrap()
            .interval
            .unwrap();
        printed(ends.low, low, 4);
        printed(ends.high, high, 4);
    }
}

#[test]
fn distances_by_hand() {
    let (a, b) = ([1.0, 2.0, 2.0, 5.0], [2.0, 3.0]);
    let test = kolmogorov(&a, &b).unwrap();
    // At 1 and 2 the gaps are ¼ and ¾ − ½, at 3 it is ¾ − 1.
    assert_eq!(test.d, 0.25);
    assert_eq!(test.p_exact, Ok(1.0));
    let moved = earth_mover(&a, &b).unwrap();
    // ¼ over [1, 2], ¼ over [2, 3], ¼ over [3, 5].
    assert_eq!((moved.distance, moved.shift), (1.0, 0.0));
    assert_eq!(quantile(&a, 0.25), Ok(1.75));
    assert_eq!(mad(&a), Ok(0.5));
}

#[test]
fn kolmogorovs_limit_and_the_correction_of_hedges() {
    // Samples of 2n are separated by D at √(n)·D = 1 for n = 2·8² and D = 1/8: K(1) of tables is 0.27000.
    let a: Vec<f64> = (0..128).map(f64::from).collect();
    let b: Vec<f64> = a.iter().map(|value| value + 16.0).collect();
    let test = kolmogorov(&a, &b).unwrap();
    assert_eq!(test.d, 0.125);
    close(test.p_asymptotic, 0.269_999_671_677_354_5, 1e-12, "K(1)");
    // J(2) = Γ(1)/(√1·Γ(½)) = 1/√π.
    let sizes = independent(&[1.0, 2.0], &[4.0, 5.0]).unwrap();
    let factor = sizes.hedges_g.unwrap() / sizes.cohens_d.unwrap();
    close(factor, std::f64::consts::PI.sqrt().recip(), 1e-14, "J(2)");
}

#[test]
fn the_correction_for_any_dependence() {
    let raw = [Some(0.01), None, Some(0.02), Some(0.5)];
    let adjusted = adjust(&raw, Correction::BenjaminiYekutieli).unwrap();
    // 11/6 times 3/1, 3/2 and 3/3 of the sorted ones, each at most those above.
    let expected = [Some(0.055), None, Some(0.055), Some(11.0 / 12.0)];
    for (ours, theirs) in adjusted.into_iter().zip(expected) {
        assert_eq!(ours.is_some(), theirs.is_some());
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            close(ours, theirs, 1e-14, "adjusted");
        }
    }
}

#[test]
fn tails_of_the_binomial_distribution_are_right_to_thirteen_digits() {
    // P(X ≤ k) of whole-number arithmetic.
    let table = [
        (3, 11, 0.5, 1.132_812_5e-1),
        (21, 52, 0.5, 1.058_042_843_807_580_6e-1),
        (440, 1000, 0.5, 8.252_493_527_522_651e-5),
        (4800, 10_000, 0.5, 3.296_757_799_336_221e-5),
        (49_000, 100_000, 0.5, 1.294_358_019_173_449e-10),
        (0, 60, 0.5, 8.673_617_379_884_035e-19),
        (2, 1000, 0.01, 2.679_431_993_791_534e-3),
        (30, 1000, 0.01, 9.999_999_358_007_14e-1),
        (120, 400, 0.25, 9.900_297_818_288_162e-1),
        (60, 3000, 0.05, 1.273_170_803_584_710_8e-17),
    ];
    for (hits, n, p, expected) in table {
        close(
            at_most(hits, n, p).unwrap(),
            expected,
            1e-13,
            &format!("{hits} of {n}"),
        );
    }
}

#[test]
fn a_half_of_very_many_is_a_half_and_a_bit() {
    // P(X ≤ n/2) is ½ and half of the probability of n/2, by Stirling's series.
    for n in [100_u64, 10_000, 1_000_000, 100_000_000] {
        let many = n as f64;
        let middle = (std::f64::consts::PI * many / 2.0).sqrt().recip();
        let series =
            1.0 - 1.0 / (4.0 * many) + 1.0 / (32.0 * many * many) + 5.0 / (128.0 * many.powi(3));
        let expected = 0.5 + middle * series / 2.0;
        close(
            at_most(n / 2, n, 0.5).unwrap(),
            expected,
            1e-10,
            &n.to_string(),
        );
    }
}

#[test]
fn tails_of_chi_square_are_right_to_twelve_digits() {
    let table = [
        (0.01, 1.0, 9.203_443_254_459_42e-1),
        (2.5, 1.0, 1.138_462_980_066_580_5e-1),
        (11.27, 1.0, 7.876_972_880_273_314e-4),
        (60.0, 1.0, 9.485_737_571_073_848e-15),
        (5.3, 2.0, 7.065_121_306_042_96e-2),
        (600.0, 2.0, 5.148_200_222_412_013e-131),
        (0.4, 3.0, 9.402_424_948_393_607e-1),
        (15.13, 3.0, 1.708_858_397_138_821_3e-3),
        (80.0, 3.0, 3.069_277_486_172_417e-17),
        (3.0, 10.0, 9.814_240_637_778_593e-1),
        (40.0, 10.0, 1.694_474_393_006_738_5e-5),
        (500.0, 10.0, 4.414_736_099_913_731e-101),
        (100.0, 100.0, 4.811_916_845_279_567_4e-1),
        (160.0, 100.0, 1.307_839_765_914_103_4e-4),
        (900.0, 1000.0, 9.892_827_619_087_102e-1),
        (1100.0, 1000.0, 1.461_440_812_629_519_4e-2),
    ];
    for (statistic, df, expected) in table {
        let ours = chi_square_p(statistic, df);
        close(ours, expected, 1e-12, &format!("{statistic} of {df}"));
    }
}
