//! Tests on ranks, signs and permutations, against going through everything, and what must not change them.
#![expect(clippy::float_cmp, reason = "what is exact is compared exactly")]

use proptest::prelude::*;

use crate::stats::Tail;
use crate::stats::rank::{
    Differences, Exact, Zeros, differences, flip_exact, flip_monte_carlo, flips, friedman,
    independent, kruskal_wallis, mann_whitney, mcnemar, paired, sign_test, wilcoxon,
};

const TAILS: [Tail; 3] = [Tail::TwoSided, Tail::Greater, Tail::Less];

/// Few scores with many ties.
fn scores(most: usize) -> impl Strategy<Value = Vec<f64>> {
    let score = (-6_i32..=6).prop_map(|half| f64::from(half) / 2.0);
    prop::collection::vec(score, 1..most)
}

fn pairs() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let tenth = || (0_i32..=50).prop_map(|tenth| f64::from(tenth) / 10.0);
    prop::collection::vec((tenth(), tenth()), 1..30).prop_map(|pairs| pairs.into_iter().unzip())
}

/// The share of `all` for which the value is as extreme as `observed`, from the `middle`; values are exact here.
fn share(all: &[f64], observed: f64, middle: f64, tail: Tail) -> f64 {
    let extreme = |value: &&f64| match tail {
        Tail::TwoSided => (**value - middle).abs() >= (observed - middle).abs(),
        Tail::Greater => **value >= observed,
        Tail::Less => **value <= observed,
    };
    all.iter().filter(extreme).count() as f64 / all.len() as f64
}

/// The sums of all choices of weights.
fn choices(weights: &[f64]) -> Vec<(u32, f64)> {
    let of = |signs: u32| {
        let chosen = weights.iter().enumerate();
        let chosen = chosen.filter(|(index, _)| signs >> index & 1 == 1);
        (signs.count_ones(), chosen.map(|(_, weight)| weight).sum())
    };
    (0..1 << weights.len()).map(of).collect()
}

/// The mean rank of a value among others, by counting.
fn rank(value: f64, among: &[f64]) -> f64 {
    let less = among.iter().filter(|other| **other < value).count() as f64;
    let same = among.iter().filter(|other| **other <= value).count() as f64 - less;
    less + f64::midpoint(same, 1.0)
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-12 * left.abs().max(right.abs())
}

proptest! {
    #[test]
    fn an_exact_wilcoxon_is_the_share_of_all_signs(values in scores(11), pratt in any::<bool>()) {
        let zeros = if pratt { Zeros::Rank } else { Zeros::Drop };
        let Ok(test) = wilcoxon(&values, zeros, Tail::TwoSided) else {
            prop_assert!(values.iter().all(|value| *value == 0.0));
            return Ok(());
        };
        let kept: Vec<f64> = values.iter().copied().filter(|d| pratt || *d != 0.0).collect();
        let sizes: Vec<f64> = kept.iter().map(|d| d.abs()).collect();
        let moved = kept.iter().filter(|d| **d != 0.0);
        let ranks: Vec<f64> = moved.map(|d| rank(d.abs(), &sizes)).collect();
        let all: Vec<f64> = choices(&ranks).into_iter().map(|(_, sum)| sum).collect();
        for tail in TAILS {
            let p = wilcoxon(&values, zeros, tail).unwrap().p_exact.unwrap();
            let expected = share(&all, test.plus, ranks.iter().sum::<f64>() / 2.0, tail);
            prop_assert!(close(p, expected), "{p} {expected}");
        }
    }

    #[test]
    fn an_exact_mann_whitney_is_the_share_of_all_splits(a in scores(7), b in scores(7)) {
        let all = [a.clone(), b.clone()].concat();
        let ranks: Vec<f64> = all.iter().map(|value| rank(*value, &all)).collect();
        let splits = choices(&ranks).into_iter();
        let sums: Vec<f64> = splits.filter(|split| split.0 as usize == a.len()).map(|split| split.1).collect();
        let observed = ranks[..a.len()].iter().sum();
        let middle = ranks.iter().sum::<f64>() * a.len() as f64 / all.len() as f64;
        for tail in TAILS {
            let test = mann_whitney(&a, &b, tail, Exact::Usual).unwrap();
            prop_assert_eq!(test.u1 + test.u2, (a.len() * b.len()) as f64);
            if let Ok(p) = test.p_exact {
                let expected = share(&sums, observed, middle, tail);
                prop_assert!(close(p, expected), "{} {}", p, expected);
            }
        }
    }

    #[test]
    fn an_exact_permutation_is_the_share_of_all_signs(values in scores(11)) {
        let sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
        let total: f64 = sizes.iter().sum();
        let sums: Vec<f64> = choices(&sizes).into_iter().map(|(_, sum)| 2.0 * sum - total).collect();
        let whole = differences(&values, &vec![0.0; values.len()]).unwrap();
        let plain = Differences { values: values.clone(), denominator: None };
        for tail in TAILS {
            let expected = share(&sums, values.iter().sum(), 0.0, tail);
            for of in [&whole, &plain] {
                let Ok(flips) = flips(of) else { continue };
                let p = flip_exact(&flips, tail).unwrap();
                prop_assert!(close(p, expected), "{p} {expected}");
            }
            if let Ok(flips) = flips(&whole) {
                // Twelve standard errors of 2000 draws, and the one that is added.
                let drawn = flip_monte_carlo(&flips, tail, 2000, 1).unwrap();
                prop_assert!((drawn - expected).abs() < 0.15, "{drawn} {expected}");
            }
        }
    }

    #[test]
    fn sides_that_are_swapped_swap_the_tails((left, right) in pairs()) {
        let there = differences(&left, &right).unwrap();
        let back = differences(&right, &left).unwrap();
        let mirrored = [(Tail::Greater, Tail::Less), (Tail::TwoSided, Tail::TwoSided)];
        for (tail, other) in mirrored {
            let (one, two) = (sign_test(&there.values, tail), sign_test(&back.values, other));
            prop_assert_eq!(one.p, two.p);
            prop_assert_eq!((one.wins, one.losses), (two.losses, two.wins));
            let tests = [(&there, tail), (&back, other)].map(|(of, tail)| wilcoxon(&of.values, Zeros::Drop, tail));
            let [Ok(one), Ok(two)] = tests else { continue };
            prop_assert_eq!((one.plus, one.minus), (two.minus, two.plus));
            prop_assert!(close(one.z, -two.z));
            prop_assert!(close(one.p_normal, two.p_normal) && close(one.p_corrected, two.p_corrected));
            prop_assert!(close(one.p_exact.unwrap(), two.p_exact.unwrap()));
            let (one, two) = (flips(&there).unwrap(), flips(&back).unwrap());
            prop_assert_eq!(flip_exact(&one, tail), flip_exact(&two, other));
        }
    }

    #[test]
    fn order_unit_and_origin_do_not_reach_a_test((left, right) in pairs(), turn in 0_usize..30) {
        let turned = |values: &[f64]| {
            let mut values = values.to_vec();
            let by = turn % values.len();
            values.rotate_left(by);
            values
        };
        // Tenths become hundredths on another scale: the same steps.
        let moved = |values: &[f64]| -> Vec<f64> {
            values.iter().map(|value| ((value * 10.0).round() * 3.0 + 700.0) / 100.0).collect()
        };
        let first = differences(&left, &right).unwrap();
        let others = [
            differences(&turned(&left), &turned(&right)).unwrap(),
            differences(&moved(&left), &moved(&right)).unwrap(),
        ];
        for other in &others {
            let [one, two] = [&first, other].map(|of| wilcoxon(&of.values, Zeros::Drop, Tail::TwoSided));
            prop_assert_eq!(one, two);
            let [one, two] = [&first, other].map(|of| flips(of).and_then(|of| flip_exact(&of, Tail::TwoSided)));
            prop_assert_eq!(one.clone().map_err(|why| why.code), two.clone().map_err(|why| why.code));
            if let (Ok(one), Ok(two)) = (one, two) {
                prop_assert!(close(one, two));
            }
        }
        let test = |a: &[f64], b: &[f64]| mann_whitney(a, b, Tail::TwoSided, Exact::Usual).unwrap();
        let one = test(&left, &right);
        prop_assert_eq!(&one, &test(&turned(&left), &right));
        prop_assert_eq!(&one, &test(&moved(&left), &moved(&right)));
        prop_assert_eq!(one.u1, test(&right, &left).u2);
    }

    #[test]
    fn p_values_lie_between_0_and_1_and_both_tails_share_the_observed((left, right) in pairs()) {
        let of = differences(&left, &right).unwrap();
        let of_tail = |tail| {
            let mut all = vec![sign_test(&of.values, tail).p];
            let ranks = wilcoxon(&of.values, Zeros::Rank, tail);
            all.push(ranks.clone().and_then(|ranks| ranks.p_exact));
            all.push(flips(&of).and_then(|of| flip_exact(&of, tail)));
            all.push(mann_whitney(&left, &right, tail, Exact::Usual).and_then(|test| test.p_exact));
            all
        };
        let [both, above, below] = TAILS.map(of_tail);
        for ((both, above), below) in both.into_iter().zip(above).zip(below) {
            let (Ok(both), Ok(above), Ok(below)) = (both, above, below) else { continue };
            prop_assert!((0.0..=1.0).contains(&both));
            prop_assert!(above + below >= 1.0 - 1e-12);
            prop_assert!(both >= above.min(below) - 1e-12);
        }
    }

    #[test]
    fn two_samples_are_a_mann_whitney_to_kruskal_and_wallis(a in scores(30), b in scores(30)) {
        let test = mann_whitney(&a, &b, Tail::TwoSided, Exact::Usual).unwrap();
        match (kruskal_wallis(&[a, b]), test.z) {
            (Ok(kruskal), Ok(z)) => {
                prop_assert!((kruskal.h - z * z).abs() < 1e-9 * (1.0 + z * z));
                let p = test.p_normal.unwrap();
                prop_assert!((kruskal.p - p).abs() < 1e-12);
                prop_assert!((0.0..=1.0 + 1e-12).contains(&kruskal.epsilon_squared.unwrap()));
            }
            (Err(one), Err(two)) => prop_assert_eq!(one.code, two.code),
            (one, two) => prop_assert!(false, "{:?} {:?}", one, two),
        }
    }

    #[test]
    fn concordance_lies_between_0_and_1(rows in prop::collection::vec(prop::collection::vec(0_i32..5, 4), 2..20)) {
        let blocks: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|value| f64::from(*value)).collect()).collect();
        if let Ok(test) = friedman(&blocks, 4) {
            prop_assert!((-1e-12..=1.0 + 1e-12).contains(&test.w), "{}", test.w);
            let relabelled: Vec<Vec<f64>> = blocks.iter().rev().map(|row| row.iter().rev().copied().collect()).collect();
            prop_assert!(close(friedman(&relabelled, 4).unwrap().chi2, test.chi2));
        }
    }

    #[test]
    fn mcnemar_does_not_mind_which_side_is_first(b in 0_u64..300, c in 0_u64..300) {
        let (one, two) = (mcnemar(600, b, c), mcnemar(600, c, b));
        prop_assert_eq!(&one, &two);
        if let Ok(test) = one {
            prop_assert!(test.p_mid <= test.p_exact && test.p_mid > 0.0);
            prop_assert!(test.chi2 >= 0.0 && test.p_chi2 <= 1.0);
        }
    }

    #[test]
    fn effect_sizes_change_their_sign_with_the_sides_and_know_their_bounds((left, right) in pairs()) {
        let [there, back] = [(&left, &right), (&right, &left)].map(|(one, two)| {
            paired(one, two, &differences(one, two).unwrap()).unwrap()
        });
        let minus = |value: Result<f64, _>| value.map(|value: f64| -value);
        for (one, two) in [(&there.dz, &back.dz), (&there.g_z, &back.g_z), (&there.d_av, &back.d_av), (&there.d_av_rms, &back.d_av_rms)] {
            let (Ok(one), Ok(two)) = (one, minus(two.clone())) else { continue };
            prop_assert!((one - two).abs() < 1e-9 * (1.0 + one.abs()));
        }
        if let Ok(biserial) = there.rank_biserial {
            prop_assert!((-1.0..=1.0).contains(&biserial));
        }
        let sizes = independent(&left, &right).unwrap();
        prop_assert!((-1.0..=1.0).contains(&sizes.cliffs_delta.unwrap()));
        if let (Ok(d), Ok(g)) = (sizes.cohens_d, sizes.hedges_g) {
            prop_assert!(g.abs() <= d.abs());
        }
    }
}

#[test]
fn differences_of_decimals_and_of_means_of_repeats_tie_as_on_paper() {
    let ties = |left: &[f64], right: &[f64]| {
        let all = differences(left, right).unwrap();
        assert!(all.denominator.is_some(), "{left:?}");
        all.values.windows(2).all(|pair| pair[0] == pair[1])
    };
    assert!(ties(&[4.3, 3.3, 0.3], &[4.1, 3.1, 0.1]));
    assert!(ties(&[13.0 / 3.0, 10.0 / 3.0], &[4.0, 3.0]));
    assert!(ties(&[0.1 + 0.25, 0.35], &[0.1, 0.1]));
    assert!(!ties(&[0.3, 0.31], &[0.1, 0.1]));
    // Without a common step they are subtracted as they are.
    let plain = differences(&[2_f64.sqrt(), 1.0], &[1.0, 1.0]).unwrap();
    assert_eq!(plain.denominator, None);
    assert_eq!(differences(&[1e308], &[-1e308]), None);
}
