//! What must hold of correlations of any columns.

#![expect(clippy::float_cmp, reason = "these numbers are exact")]

use proptest::prelude::*;

use crate::stats::correlation::{
    Coefficient, dependent, kendall, mid_ranks, pairwise, pearson, spearman, spearman_exact_p,
};
use crate::stats::measure::{Cell, Data, Given, Line, Measure, Role, Settings, named};

/// Cells of every kind: ratings, decimals, numbers of every size, texts, nothing.
pub(super) fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        6 => (1_i32..=5).prop_map(|score| Cell::Number(f64::from(score))),
        3 => (-20_i32..=20).prop_map(|quarter| Cell::Number(f64::from(quarter) / 4.0)),
        1 => any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(Cell::Number),
        1 => Just(Cell::Absent),
    ]
}

pub(super) fn name(of: &'static str, most: u32) -> impl Strategy<Value = Cell> {
    (0..most).prop_map(move |number| Cell::Text(format!("{of}{number}")))
}

/// Rows of cells as data, each column with its role.
pub(super) fn as_data(rows: &[Vec<Cell>], roles: &[Role]) -> Data {
    let column = |place: usize| rows.iter().map(|row| row[place].clone()).collect();
    let with = |data: Data, (place, role): (usize, &Role)| data.with(*role, column(place));
    roles.iter().enumerate().fold(Data::of(rows.len()), with)
}

/// A measure answers with what it lists: every column has a finite value or a reason, and nothing else is there.
pub(super) fn answers_all(measure: &Measure, lines: &[Line]) -> Result<(), TestCaseError> {
    for line in lines {
        prop_assert_eq!(line.keys.len(), measure.keys.len());
        for column in measure.gives {
            let value = line.values.get(column.name);
            match value {
                None => prop_assert!(line.why.is_some(), "{} {}", measure.name, column.name),
                Some(Given::Number(number)) => prop_assert!(number.is_finite()),
                Some(Given::Nothing(why)) => prop_assert!(!why.why.is_empty()),
                Some(Given::Text(_)) => {}
            }
        }
        for name in line.values.keys() {
            let listed = measure.gives.iter().any(|column| column.name == *name);
            prop_assert!(listed, "{} does not list {}", measure.name, name);
        }
    }
    Ok(())
}

fn ratings() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let rating = || {
        prop_oneof![
            (1_i32..=5).prop_map(f64::from),
            (-400_i32..400).prop_map(|it| f64::from(it) / 8.0)
        ]
    };
    prop::collection::vec((rating(), rating()), 0..40)
}

/// All orders of the numbers from 0 to n − 1.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(n - 1);
    let longer = shorter.iter().flat_map(|order| {
        (0..n).map(move |place| {
            let mut order = order.clone();
            order.insert(place, n - 1);
            order
        })
    });
    longer.collect()
}

const ROLES: [Role; 5] = [
    Role::Item,
    Role::System,
    Role::Value,
    Role::Reference,
    Role::Rival,
];

fn rows() -> impl Strategy<Value = Vec<Vec<Cell>>> {
    let row = (name("d", 6), name("s", 4), cell(), cell(), cell());
    let row = row.prop_map(|(a, b, c, d, e)| vec![a, b, c, d, e]);
    prop::collection::vec(row, 0..50)
}

const MEASURES: [&str; 4] = [
    "correlation",
    "correlation-difference",
    "correlation-levels",
    "pairwise-accuracy",
];

proptest! {
    #[test]
    fn the_order_of_rows_does_not_reach_a_correlation(
        (rows, other) in rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))
    ) {
        for name in MEASURES {
            let measure = named(name).unwrap();
            let of = |rows: &[Vec<Cell>]| (measure.compute)(&as_data(rows, &ROLES), &Settings::default()).unwrap();
            answers_all(measure, &of(&rows))?;
            prop_assert_eq!(format!("{:?}", of(&rows)), format!("{:?}", of(&other)));
        }
    }

    #[test]
    fn coefficients_are_bounded_symmetric_and_change_sign(pairs in ratings()) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let turned: Vec<f64> = x.iter().map(|x| -x).collect();
        for coefficient in [Coefficient::Pearson, Coefficient::Spearman, Coefficient::Kendall] {
            let value = coefficient.of(&x, &y);
            // Which of two constant columns is named is not a law.
            let value = value.map_err(|reason| reason.code);
            prop_assert_eq!(&value, &coefficient.of(&y, &x).map_err(|reason| reason.code));
            prop_assert_eq!(value.ok().map(|r| -r), coefficient.of(&turned, &y).ok());
            prop_assert!(value.is_err() || value.unwrap().abs() <= 1.0);
        }
    }

    #[test]
    fn scale_and_offset_do_not_reach_pearson(pairs in ratings(), power in -300_i32..300, offset in -1e6..1e6) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let moved: Vec<f64> = x.iter().map(|x| (x + offset) * 2_f64.powi(power)).collect();
        match (pearson(&x, &y), pearson(&moved, &y)) {
            (Ok(one), Ok(other)) => prop_assert!((one - other).abs() < 1e-8, "{one} {other}"),
            (one, other) => prop_assert_eq!(one.is_err(), other.is_err()),
        }
    }

    #[test]
    fn only_the_order_reaches_rank_correlations(pairs in ratings()) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let cubed: Vec<f64> = x.iter().map(|x| x.powi(3) + 7.0).collect();
        prop_assert_eq!(spearman(&x, &y).ok(), spearman(&cubed, &y).ok());
        prop_assert_eq!(kendall(&x, &y).tau.ok(), kendall(&cubed, &y).tau.ok());
        let sum: f64 = mid_ranks(&x).iter().sum();
        prop_assert_eq!(sum, (x.len() * (x.len() + 1)) as f64 / 2.0);
    }

    #[test]
    fn kendall_counts_as_looking_at_every_pair_does(pairs in ratings()) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let (mut concordant, mut discordant, mut both) = (0, 0, 0);
        for i in 0..x.len() {
            for j in 0..i {
                let (dx, dy) = (x[i] - x[j], y[i] - y[j]);
                concordant += u64::from(dx * dy > 0.0);
                discordant += u64::from(dx * dy < 0.0);
                both += u64::from(dx == 0.0 && dy == 0.0);
            }
        }
        let kendall = kendall(&x, &y);
        prop_assert_eq!((kendall.concordant, kendall.discordant, kendall.tied_both), (concordant, discordant, both));
    }

    #[test]
    fn an_exact_p_is_the_share_of_all_orders(pairs in prop::collection::vec((0_i32..5, 0_i32..5), 3..7)) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(x, y)| (f64::from(*x), f64::from(*y))).unzip();
        let orders = orders(x.len());
        if let Ok(rho) = spearman(&x, &y) {
            let extreme = orders.iter().filter(|order| {
                let y: Vec<f64> = order.iter().map(|&place| y[place]).collect();
                spearman(&x, &y).unwrap().abs() >= rho.abs() - 1e-12
            });
            let share = extreme.count() as f64 / orders.len() as f64;
            prop_assert!((spearman_exact_p(&x, &y).unwrap() - share).abs() < 1e-15);
        }
    }

    #[test]
    fn an_exact_p_of_kendall_is_twice_the_tail_of_all_orders(order in Just((0..6).collect::<Vec<i32>>()).prop_shuffle()) {
        let x: Vec<f64> = (0..6).map(f64::from).collect();
        let y: Vec<f64> = order.into_iter().map(f64::from).collect();
        let observed = kendall(&x, &y);
        let fewer = observed.concordant.min(observed.discordant);
        let orders = orders(6);
        let tail = orders.iter().filter(|order| {
            let y: Vec<f64> = order.iter().map(|&place| y[place]).collect();
            kendall(&x, &y).discordant <= fewer
        });
        let p = (2.0 * tail.count() as f64 / orders.len() as f64).min(1.0);
        prop_assert!((observed.p_exact.unwrap() - p).abs() < 1e-14);
    }

    #[test]
    fn exchanged_judges_turn_the_sign_of_their_difference(
        rows in prop::collection::vec((0_i32..9, 0_i32..9, 0_i32..9), 0..30)
    ) {
        let column = |of: fn(&(i32, i32, i32)) -> i32| -> Vec<f64> { rows.iter().map(|row| f64::from(of(row))).collect() };
        let [a, b, human] = [column(|row| row.0), column(|row| row.1), column(|row| row.2)];
        let one = dependent(Coefficient::Pearson, [&a, &b, &human], 0.95);
        let other = dependent(Coefficient::Pearson, [&b, &a, &human], 0.95);
        let (Ok(one), Ok(other)) = (one, other) else { return Ok(()) };
        let near = |left: f64, right: f64| (left - right).abs() <= 1e-9 * (1.0 + left.abs());
        if let (Ok(t), Ok(turned)) = (&one.t, &other.t) {
            prop_assert!(near(*t, -turned));
        }
        if let (Ok((low, high)), Ok((low2, high2))) = (&one.interval, &other.interval) {
            prop_assert!(near(*low, -high2) && near(*high, -low2));
            let difference = one.first - one.second;
            prop_assert!(*low <= difference && difference <= *high);
        }
    }

    #[test]
    fn the_threshold_is_the_best_of_all_differences(
        groups in prop::collection::vec(prop::collection::vec((0_i32..8, 0_i32..4), 0..7), 0..5)
    ) {
        let groups: Vec<Vec<(f64, f64)>> = groups.iter()
            .map(|group| group.iter().map(|&(x, y)| (f64::from(x) / 4.0, f64::from(y))).collect())
            .collect();
        let found = pairwise(&groups);
        // Shares of whole numbers: with at most 21 pairs a group, multiples of 1/5040 tell them apart.
        let accuracy = |epsilon: f64| -> Option<f64> {
            let mut shares = Vec::new();
            for group in groups.iter().filter(|group| group.len() > 1) {
                let (mut right, mut all) = (0, 0);
                for (i, a) in group.iter().enumerate() {
                    for b in &group[..i] {
                        let tied = (a.0 - b.0).abs() <= epsilon;
                        let same = (a.0 > b.0) == (a.1 > b.1) && a.1 != b.1;
                        right += i32::from(if tied { a.1 == b.1 } else { same });
                        all += 1;
                    }
                }
                shares.push(f64::from(right) / f64::from(all));
            }
            (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
        };
        let Some(at_zero) = accuracy(0.0) else {
            prop_assert!(found.accuracy.is_err() && found.best.is_err());
            return Ok(());
        };
        let mut best = (0.0, at_zero);
        for quarter in 1..8 {
            let epsilon = f64::from(quarter) / 4.0;
            let accuracy = accuracy(epsilon).unwrap();
            if accuracy > best.1 + 1e-9 {
                best = (epsilon, accuracy);
            }
        }
        prop_assert!((found.accuracy.unwrap() - at_zero).abs() < 1e-12);
        prop_assert!((found.best.unwrap() - best.1).abs() < 1e-12);
        prop_assert_eq!(found.epsilon.unwrap(), best.0);
    }
}
