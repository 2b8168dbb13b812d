//! Agreement against values from books and papers.

use crate::stats::agreement::{
    Chance, Metric, Model, Ratings, Weights, bland_altman, classification, cohen, corrected,
    f_critical, f_p, icc, krippendorff,
};
use crate::stats::tests::close;
use crate::stats::{Tail, t_p};

#[test]
fn alpha_is_that_of_krippendorffs_own_example() {
    // Four observers, twelve units ("Computing Krippendorff's alpha-reliability", 2011, section C).
    let units: Vec<Vec<f64>> = [
        "111", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555", "11", "3",
    ]
    .iter()
    .map(|unit| {
        unit.chars()
            .map(|digit| f64::from(digit.to_digit(10).unwrap()))
            .collect()
    })
    .collect();
    for (metric, published) in [
        (Metric::Nominal, 0.743),
        (Metric::Ordinal, 0.815),
        (Metric::Interval, 0.849),
        (Metric::Ratio, 0.797),
    ] {
        let alpha = krippendorff(&units, metric).unwrap();
        assert!((alpha - published).abs() < 5e-4, "{metric:?} {alpha}");
    }
}

#[test]
fn icc_is_that_of_shrout_and_fleiss() {
    // Six targets, four judges (Psychological Bulletin 86, 1979, tables 2 and 4).
    let scores: Vec<Vec<f64>> = [
        [9.0, 2.0, 5.0, 8.0],
        [6.0, 1.0, 3.0, 2.0],
        [8.0, 4.0, 6.0, 8.0],
        [7.0, 1.0, 2.0, 6.0],
        [10.0, 5.0, 6.0, 9.0],
        [6.0, 2.0, 4.0, 7.0],
    ]
    .map(Vec::from)
    .to_vec();
    for (model, single, mean) in [
        (Model::OneWay, 0.17, 0.44),
        (Model::Agreement, 0.29, 0.62),
        (Model::Consistency, 0.71, 0.91),
    ] {
        for (of_mean, published) in [(false, single), (true, mean)] {
            let found = icc(&scores, model, of_mean, 0.95).unwrap();
            let value = found.icc.unwrap();
            assert!((value - published).abs() < 5e-3, "{model:?} {value}");
            let (low, high) = found.interval.unwrap();
            assert!(low < value && value < high, "{model:?} {low} {high}");
        }
    }
    // The interval of ICC(2,1) that other tools give for these data: 0.019 to 0.761.
    let (low, high) = icc(&scores, Model::Agreement, false, 0.95)
        .unwrap()
        .interval
        .unwrap();
    assert!(
        (low - 0.019).abs() < 1e-3 && (high - 0.761).abs() < 1e-3,
        "{low} {high}"
    );
}

#[test]
fn kappas_are_those_of_well_known_tables() {
    // Fifty proposals, two readers: 20 both yes, 15 both no, 5 and 10 apart; kappa is 0.4.
    let mut labels = vec![(1, 1); 20];
    labels.extend(vec![(0, 0); 15]);
    labels.extend(vec![(1, 0); 5]);
    labels.extend(vec![(0, 1); 10]);
    close(
        cohen(&labels, 2, Weights::Identity, 0.95).kappa.unwrap(),
        0.4,
        1e-14,
        "kappa",
    );
    // Ten subjects, fourteen raters, five categories: kappa is 0.210.
    let table = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ];
    let item = |counts: &[usize; 5]| {
        let labels = counts
            .iter()
            .enumerate()
            .flat_map(|(k, &count)| vec![k; count]);
        labels.enumerate().collect()
    };
    let ratings = Ratings {
        items: table.iter().map(item).collect(),
        raters: 14,
        categories: 5,
    };
    let kappa = corrected(&ratings, Weights::Identity, Chance::Fleiss, 0.95)
        .coefficient
        .unwrap();
    assert!((kappa - 0.209_93).abs() < 1e-5, "{kappa}");
}

#[test]
fn limits_are_those_of_bland_and_altman() {
    // Peak flow of 17 people by two meters (The Lancet 327, 1986): mean −2.1, standard deviation 38.8.
    let wright = [
        494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427,
    ];
    let mini = [
        512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451,
    ];
    let differences: Vec<f64> = wright
        .iter()
        .zip(mini)
        .map(|(a, b)| f64::from(a - b))
        .collect();
    let found = bland_altman(&differences, 2.0, 0.95).unwrap();
    assert!((found.bias.unwrap() + 2.1).abs() < 0.05);
    assert!((found.sd.unwrap() - 38.8).abs() < 0.05);
    let (low, high) = found.limits.unwrap();
    assert!(
        (low + 79.7).abs() < 0.1 && (high - 75.5).abs() < 0.1,
        "{low} {high}"
    );
}

#[test]
fn labels_are_counted_as_on_paper() {
    // Truth aaabbc, given aabbca.
    let labels = [(0, 0), (0, 0), (0, 1), (1, 1), (1, 2), (2, 0)];
    let found = classification(&labels, 3);
    close(found.accuracy.unwrap(), 0.5, 1e-15, "accuracy");
    close(
        found.balanced_accuracy.unwrap(),
        (2.0 / 3.0 + 0.5) / 3.0,
        1e-15,
        "balanced",
    );
    close(
        found.macro_f1.unwrap(),
        (2.0 / 3.0 + 0.5) / 3.0,
        1e-15,
        "macro",
    );
    // (6·3 − (9 + 4 + 1))/(36 − 14), both sides having the same margins.
    close(found.mcc.unwrap(), 4.0 / 22.0, 1e-15, "mcc");
}

#[test]
fn f_has_the_tails_of_t_and_quantiles_that_lead_back() {
    for (t, df) in [(0.1, 3.0), (2.0, 7.5), (9.0, 40.0)] {
        let p = t_p(t, df, Tail::TwoSided).unwrap();
        close(f_p(t * t, 1.0, df).unwrap(), p, 1e-11, "tail");
    }
    // One minus (1 + x)^−1 with two and two degrees of freedom.
    close(f_p(19.0, 2.0, 2.0).unwrap(), 0.05, 1e-13, "closed form");
    for (upper, d1, d2) in [
        (0.025, 5.0, 15.0),
        (0.025, 15.0, 5.0),
        (0.4, 0.7, 300.0),
        (1e-6, 2.0, 9.0),
    ] {
        let x = f_critical(upper, d1, d2).unwrap();
        close(f_p(x, d1, d2).unwrap(), upper, 1e-11, "back");
    }
    assert_eq!(f_critical(f64::NAN, 1.0, 1.0), None);
    assert_eq!(f_p(1.0, f64::NAN, 1.0), None);
}
