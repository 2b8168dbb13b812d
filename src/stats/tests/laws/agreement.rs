//! What must hold of agreement, whoever the raters are.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::correlation::{answers_all, as_data, cell, name};
use crate::stats::agreement::{Chance, Ratings};
use crate::stats::agreement::{
    Metric, Model, Weights, classification, cohen, corrected, icc, krippendorff,
};
use crate::stats::measure::{Cell, Given, Line, Role, Settings, named};

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-10 * (1.0 + right.abs())
}

/// Each rater rates each item at most once; some ratings are missing.
fn table(most: usize) -> impl Strategy<Value = Vec<Vec<Option<u8>>>> {
    (1_usize..5).prop_flat_map(move |raters| {
        let item = prop::collection::vec(prop::option::weighted(0.8, 0_u8..4), raters);
        prop::collection::vec(item, 0..most)
    })
}

fn long(table: &[Vec<Option<u8>>], label: impl Fn(u8) -> Cell) -> Vec<Vec<Cell>> {
    let rows = table.iter().enumerate().flat_map(|(item, raters)| {
        let raters = raters.iter().enumerate();
        let label = &label;
        raters.map(move |(rater, value)| {
            let value = value.map_or(Cell::Absent, label);
            vec![
                Cell::Text(format!("d{item}")),
                Cell::Text(format!("r{rater}")),
                value,
            ]
        })
    });
    rows.collect()
}

const LONG: [Role; 3] = [Role::Item, Role::Rater, Role::Value];

fn agreement(rows: &[Vec<Cell>], settings: &Settings) -> Line {
    let measure = named("agreement").unwrap();
    (measure.compute)(&as_data(rows, &LONG), settings)
        .unwrap()
        .remove(0)
}

fn ratings(table: &[Vec<Option<u8>>]) -> Ratings {
    let item = |raters: &Vec<Option<u8>>| {
        let labels = raters.iter().enumerate();
        labels
            .filter_map(|(rater, label)| Some((rater, usize::from((*label)?))))
            .collect()
    };
    Ratings {
        items: table.iter().map(item).collect(),
        raters: table.first().map_or(0, Vec::len),
        categories: 4,
    }
}

/// Alpha from the table of coincidences, as its definition says.
fn alpha(units: &[Vec<f64>], metric: Metric) -> Option<f64> {
    let mut coincidences = BTreeMap::<(i64, i64), f64>::new();
    for unit in units.iter().filter(|unit| unit.len() > 1) {
        for (i, c) in unit.iter().enumerate() {
            for (j, k) in unit.iter().enumerate() {
                if i != j {
                    *coincidences.entry((*c as i64, *k as i64)).or_default() +=
                        1.0 / (unit.len() as f64 - 1.0);
                }
            }
        }
    }
    let mut margins = BTreeMap::<i64, f64>::new();
    for ((c, _), count) in &coincidences {
        *margins.entry(*c).or_default() += count;
    }
    let n: f64 = margins.values().sum();
    let distance = |c: i64, k: i64| -> f64 {
        let (low, high) = (c.min(k), c.max(k));
        match metric {
            Metric::Nominal => f64::from(u8::from(c != k)),
            Metric::Interval => ((c - k) as f64).powi(2),
            Metric::Ratio if c + k == 0 => 0.0,
            Metric::Ratio => ((c - k) as f64 / (c + k) as f64).powi(2),
            Metric::Ordinal => {
                let between: f64 = margins.range(low..=high).map(|(_, count)| count).sum();
                (between - f64::midpoint(margins[&low], margins[&high])).powi(2)
            }
        }
    };
    let observed: f64 = coincidences
        .iter()
        .map(|((c, k), count)| count * distance(*c, *k))
        .sum();
    let mut expected = 0.0;
    for (c, of_c) in &margins {
        for (k, of_k) in &margins {
            expected += of_c * of_k * distance(*c, *k);
        }
    }
    (expected > 0.0).then(|| 1.0 - (n - 1.0) * observed / expected)
}

proptest! {
    #[test]
    fn the_order_of_rows_does_not_reach_agreement(
        (rows, other) in table(12).prop_flat_map(|table| {
            let rows = long(&table, |label| Cell::Number(f64::from(label)));
            (Just(rows.clone()), Just(rows).prop_shuffle())
        })
    ) {
        for name in ["agreement", "agreement-pairs", "ceiling", "icc"] {
            let measure = named(name).unwrap();
            let of = |rows: &[Vec<Cell>]| (measure.compute)(&as_data(rows, &LONG), &Settings::default()).unwrap();
            answers_all(measure, &of(&rows))?;
            prop_assert_eq!(format!("{:?}", of(&rows)), format!("{:?}", of(&other)));
        }
    }

    #[test]
    fn any_cells_get_a_value_a_reason_or_an_error(
        rows in prop::collection::vec(
            (name("d", 4), name("r", 3), cell(), prop_oneof![cell(), name("l", 3)]), 0..20,
        ),
        weights in prop::option::of(prop_oneof![Just("linear"), Just("quadratic"), Just("identity")]),
        categories in prop_oneof![Just(vec![]), Just(vec!["1", "2", "3", "4", "5", "l0", "l1", "l2"])],
    ) {
        let rows: Vec<Vec<Cell>> = rows.into_iter().map(|(a, b, c, d)| vec![a, b, c, d]).collect();
        let settings = Settings {
            weights: weights.map(str::to_owned),
            categories: categories.into_iter().map(str::to_owned).collect(),
            positive: Some("1".to_owned()),
            ..Settings::default()
        };
        let roles = [Role::Item, Role::Rater, Role::Value, Role::Reference];
        let of_columns = [Role::Item, Role::Cluster, Role::Value, Role::Reference];
        for name in ["agreement", "agreement-pairs", "ceiling", "icc", "classification", "classes", "confusion", "bland-altman"] {
            let measure = named(name).unwrap();
            let by = if measure.takes.contains(&Role::Rater) && rows.len().is_multiple_of(2) { roles } else { of_columns };
            if measure.needs.contains(&Role::Rater) && by == of_columns {
                continue;
            }
            if let Ok(lines) = (measure.compute)(&as_data(&rows, &by), &settings) {
                answers_all(measure, &lines)?;
            }
        }
    }

    #[test]
    fn names_of_labels_do_not_reach_agreement(table in table(15)) {
        let one = agreement(&long(&table, |label| Cell::Text(format!("label {label}"))), &Settings::default());
        let other = agreement(&long(&table, |label| Cell::Text(["w", "a", "q", "b"][usize::from(label)].to_owned())), &Settings::default());
        prop_assert_eq!(one.n, other.n);
        for (name, value) in &one.values {
            match (value, &other.values[name]) {
                (Given::Number(one), Given::Number(other)) => prop_assert!(near(*one, *other), "{} {} {}", name, one, other),
                (one, other) => prop_assert_eq!(one, other),
            }
        }
    }

    #[test]
    fn coefficients_do_not_exceed_one(table in table(15)) {
        let line = agreement(&long(&table, |label| Cell::Number(f64::from(label))), &Settings::default());
        for (name, value) in &line.values {
            let Given::Number(value) = value else { continue };
            let bounded = ["agreement", "all_agree", "observed", "cohen", "fleiss", "gwet", "alpha_"];
            if bounded.iter().any(|start| name.starts_with(start)) && *name != "cohen_ci_high" && !name.ends_with("_se") {
                prop_assert!(*value <= 1.0 + 1e-12, "{} {}", name, value);
            }
        }
    }

    #[test]
    fn alpha_is_that_of_the_table_of_coincidences(
        units in prop::collection::vec(prop::collection::vec((0_u8..6).prop_map(f64::from), 0..5), 0..10)
    ) {
        for metric in [Metric::Nominal, Metric::Ordinal, Metric::Interval, Metric::Ratio] {
            match (krippendorff(&units, metric), alpha(&units, metric)) {
                (Ok(ours), Some(theirs)) => prop_assert!(near(ours, theirs), "{:?} {} {}", metric, ours, theirs),
                (ours, theirs) => prop_assert!(ours.is_err() && theirs.is_none()),
            }
        }
    }

    #[test]
    fn kappa_is_that_of_its_table(labels in prop::collection::vec((0_usize..4, 0_usize..4), 1..30)) {
        let n = labels.len() as f64;
        for (weights, power) in [(Weights::Identity, 0), (Weights::Linear, 1), (Weights::Quadratic, 2)] {
            // Disagreement instead of agreement: 1 − observed/expected.
            let apart = |i: usize, j: usize| if power == 0 { f64::from(u8::from(i != j)) } else { (i.abs_diff(j) as f64).powi(power) };
            let observed: f64 = labels.iter().map(|&(i, j)| apart(i, j)).sum::<f64>() / n;
            let expected: f64 = labels.iter().flat_map(|&(i, _)| labels.iter().map(move |&(_, j)| apart(i, j))).sum::<f64>() / (n * n);
            let kappa = cohen(&labels, 4, weights, 0.95).kappa;
            if expected > 0.0 {
                prop_assert!(near(kappa.unwrap(), 1.0 - observed / expected));
            } else {
                prop_assert!(kappa.is_err());
            }
        }
        // Of two categories there is one way to differ.
        let two: Vec<_> = labels.iter().map(|&(i, j)| (i / 2, j / 2)).collect();
        prop_assert_eq!(cohen(&two, 2, Weights::Identity, 0.95), cohen(&two, 2, Weights::Quadratic, 0.95));
    }

    #[test]
    fn fleiss_of_two_raters_is_scotts_pi(table in prop::collection::vec((0_usize..3, 0_usize..3), 2..30)) {
        let items: Vec<_> = table.iter().map(|&(a, b)| vec![(0, a), (1, b)]).collect();
        let ratings = Ratings { items, raters: 2, categories: 3 };
        let n = table.len() as f64;
        let observed = table.iter().filter(|(a, b)| a == b).count() as f64 / n;
        let share = |k| table.iter().map(|&(a, b)| usize::from(a == k) + usize::from(b == k)).sum::<usize>() as f64 / (2.0 * n);
        let expected: f64 = (0..3).map(|k| share(k).powi(2)).sum();
        match corrected(&ratings, Weights::Identity, Chance::Fleiss, 0.95).coefficient {
            Ok(pi) => prop_assert!(near(pi, (observed - expected) / (1.0 - expected))),
            Err(_) => prop_assert!((expected - 1.0).abs() < 1e-12),
        }
    }

    #[test]
    fn intervals_hold_their_coefficient(table in table(20), linear in any::<bool>()) {
        let weights = if linear { Weights::Linear } else { Weights::Identity };
        for chance in [Chance::Fleiss, Chance::Gwet] {
            let found = corrected(&ratings(&table), weights, chance, 0.9);
            if let (Ok(value), Ok((low, high)), Ok(se)) = (found.coefficient, found.interval, found.se) {
                // The interval is cut where a coefficient lies below −1.
                let value = value.max(-1.0);
                prop_assert!(se >= 0.0 && low <= value + 1e-12 && value <= high + 1e-12, "{} {} {}", low, value, high);
            }
        }
    }

    #[test]
    fn icc_is_that_of_its_table_of_variance(
        scores in (2_usize..5).prop_flat_map(|k| prop::collection::vec(prop::collection::vec((0_i32..9).prop_map(f64::from), k), 2..12)),
        shift in -50_i32..50,
    ) {
        let (n, k) = (scores.len() as f64, scores[0].len() as f64);
        let mean = |row: &[f64]| row.iter().sum::<f64>() / row.len() as f64;
        let grand = scores.iter().map(|row| mean(row)).sum::<f64>() / n;
        let between = k * scores.iter().map(|row| (mean(row) - grand).powi(2)).sum::<f64>() / (n - 1.0);
        let within = scores.iter().flat_map(|row| row.iter().map(|score| (score - mean(row)).powi(2))).sum::<f64>() / (n * (k - 1.0));
        let one_way = icc(&scores, Model::OneWay, false, 0.95);
        if let Ok(found) = one_way {
            prop_assert!(near(found.icc.unwrap(), (between - within) / (between + (k - 1.0) * within)));
            if let Ok((low, high)) = found.interval {
                prop_assert!(low <= high);
            }
        }
        // A rater's own level does not reach consistency; that of all reaches nothing.
        let of_rater: Vec<Vec<f64>> = scores.iter().map(|row| {
            let mut row = row.clone();
            row[0] += f64::from(shift);
            row
        }).collect();
        let of_all: Vec<Vec<f64>> = scores.iter().map(|row| row.iter().map(|score| 2.0 * score + f64::from(shift)).collect()).collect();
        for (model, moved) in [(Model::Consistency, &of_rater), (Model::Consistency, &of_all), (Model::Agreement, &of_all), (Model::OneWay, &of_all)] {
            let [one, other] = [&scores, moved].map(|scores| icc(scores, model, false, 0.95).and_then(|found| found.icc));
            if let (Ok(one), Ok(other)) = (one, other) {
                prop_assert!((one - other).abs() < 1e-9, "{:?} {} {}", model, one, other);
            }
        }
    }

    #[test]
    fn matthews_is_pearson_of_two_classes(labels in prop::collection::vec((0_usize..2, 0_usize..2), 3..40)) {
        let found = classification(&labels, 2);
        let (x, y): (Vec<f64>, Vec<f64>) = labels.iter().map(|&(x, y)| (x as f64, y as f64)).unzip();
        match (found.mcc, crate::stats::correlation::pearson(&x, &y)) {
            (Ok(mcc), Ok(r)) => prop_assert!(near(mcc, r)),
            (mcc, r) => prop_assert!(mcc.is_err() && r.is_err()),
        }
        let recalls: Vec<f64> = found.classes.iter().filter_map(|class| class.recall.clone().ok()).collect();
        prop_assert!(near(found.balanced_accuracy.unwrap(), recalls.iter().sum::<f64>() / recalls.len() as f64));
    }
}
