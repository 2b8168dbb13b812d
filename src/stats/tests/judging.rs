//! Error bars, preferences and corrected rates against values from books and by hand, and against input that nobody planned.

use proptest::prelude::*;

use crate::stats::cluster::clustered_mean;
use crate::stats::corrected::{Calibration, rogan_gladen};
use crate::stats::measure::{Cell, Data, Given, Line, Measure, Role, Settings, all, named};
use crate::stats::power::Plan;
use crate::stats::preference::{Comparison, bradley_terry, order_effect};
use crate::stats::resample::bootstrap_mean;
use crate::stats::variance::variance;

use super::close;

#[test]
fn clustered_errors_are_those_worked_out_by_hand() {
    let found = clustered_mean(&[1.0, 3.0, 5.0, 7.0], &[0, 0, 1, 1]).unwrap();
    close(found.mean.unwrap(), 4.0, 0.0, "mean");
    close(found.se_cr0.unwrap(), 2.0_f64.sqrt(), 1e-15, "cr0");
    close(found.se_cr1.unwrap(), 2.0, 1e-15, "cr1");
    close(
        found.se_miller.unwrap(),
        (29.0_f64 / 12.0).sqrt(),
        1e-15,
        "miller",
    );
    let parts = variance(&[1.0, 3.0, 5.0, 7.0], &[0, 0, 1, 1])
        .unwrap()
        .unwrap();
    assert_eq!(
        (parts.ms_between, parts.ms_within, parts.between),
        (16.0, 2.0, 7.0)
    );
    // Half of √(7/2 + 2/4) is not reached by repeats, since √(7/2) is more.
    assert!(parts.repeats_to_halve().is_err());
}

#[test]
fn pairs_that_a_test_takes_are_those_of_published_tables() {
    // The paired t-test of G*Power 3 (F. Faul et al., 2007): two sides, alpha 0.05, power 0.8.
    let plan = Plan {
        sd: 1.0,
        alpha: 0.05,
        power: 0.8,
    };
    for (effect, pairs) in [(0.2, 199.0), (0.5, 34.0), (0.8, 15.0)] {
        assert_eq!(plan.needed(effect), Ok(pairs), "{effect}");
    }
}

#[test]
fn baseball_teams_are_as_strong_as_the_textbook_says() {
    // American League East 1987: A. Agresti, "Categorical data analysis", 2002, table 10.10 and section 10.6.1.
    let wins = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    let mut games = Vec::new();
    for (contender, row) in wins.iter().enumerate() {
        for (opponent, &won) in row.iter().enumerate() {
            let one = Comparison {
                contender,
                opponent,
                share: 1.0,
            };
            games.extend(std::iter::repeat_n(one, won));
        }
    }
    let found = bradley_terry(7, &games, None).unwrap();
    let published = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0];
    for (team, published) in published.into_iter().enumerate() {
        let ahead = found.strengths[team] - found.strengths[6];
        assert!((ahead - published).abs() < 0.001, "{team}: {ahead}");
    }
}

#[test]
fn a_share_is_corrected_as_by_hand() {
    let counts = Calibration {
        positives: 10,
        true_positives: 9,
        negatives: 10,
        true_negatives: 8,
        n: 10,
        hits: 3,
    };
    let found = rogan_gladen(&counts, 0.95).unwrap();
    close(found.rate.unwrap(), 1.0 / 7.0, 1e-14, "rate");
    let variance: f64 = 0.021 + (1.0 / 49.0) * 0.009 + (36.0 / 49.0) * 0.016;
    close(found.se.unwrap(), variance.sqrt() / 0.7, 1e-13, "se");
}

#[test]
fn the_effect_of_order_is_a_difference_of_means_with_errors_of_clusters() {
    let rows = [
        (0.0, false, 0),
        (0.0, false, 1),
        (1.0, true, 2),
        (0.0, true, 3),
    ];
    let found = order_effect(&rows).unwrap();
    close(found.effect.unwrap(), 0.5, 0.0, "effect");
    // Residuals 0, 0, ½, -½: s² = ½/2, times ½ + ½.
    close(found.se_naive.unwrap(), 0.5, 1e-15, "naive");
    // Σ(½/2)² = 1/8, times 4/3 and 3/2.
    close(found.se.unwrap(), 0.5, 1e-15, "clustered");
}

/// Six comparisons in three clusters, of which these are won by whoever is shown first.
fn first_wins(wins: [bool; 6]) -> Line {
    let texts = |cells: [&str; 6]| cells.map(|cell| Cell::Text(cell.to_owned())).to_vec();
    let data = Data::of(6)
        .with(Role::Item, texts(["1", "2", "3", "4", "5", "6"]))
        .with(Role::Cluster, texts(["a", "a", "b", "b", "c", "c"]))
        .with(Role::Order, texts(["given"; 6]))
        .with(
            Role::Value,
            wins.map(|win| Cell::Number(f64::from(win))).to_vec(),
        );
    let position = named("position").unwrap();
    (position.compute)(&data, &Settings::default())
        .unwrap()
        .remove(0)
}

#[test]
fn the_share_of_the_first_is_known_by_clusters_where_they_are_named() {
    let line = first_wins([true, true, true, false, false, true]);
    // Both the difference from ½ and the standard error are 1/6, so t is 1 with 2 degrees of freedom.
    let Given::Number(p) = line.values["p"] else {
        panic!("{:?}", line.values["p"]);
    };
    close(p, 1.0 - 1.0 / 3.0_f64.sqrt(), 1e-14, "p");
    assert_eq!(line.values["ci_low"], Given::Number(0.0));
    assert_eq!(line.values["ci_high"], Given::Number(1.0));
    // Clusters that do not differ say nothing of how well the share is known.
    let line = first_wins([true; 6]);
    assert_eq!(line.values["first_share"], Given::Number(1.0));
    for column in ["ci_low", "ci_high", "p"] {
        assert!(matches!(line.values[column], Given::Nothing(_)), "{column}");
    }
}

/// Five clusters of twenty comparisons, of which each cluster wins all or none.
fn wins_of_clusters(wins: [bool; 5]) -> Line {
    let rows = || (0..100).map(|row| row / 20);
    let clusters = rows().map(|cluster: usize| Cell::Text(cluster.to_string()));
    let shares = rows().map(|cluster| Cell::Number(f64::from(wins[cluster])));
    let data = Data::of(100)
        .with(Role::Cluster, clusters.collect())
        .with(Role::Value, shares.collect());
    let win_rate = named("win-rate").unwrap();
    (win_rate.compute)(&data, &Settings::default())
        .unwrap()
        .remove(0)
}

#[test]
fn a_win_rate_is_tested_by_the_clusters_that_its_interval_is_made_of() {
    let number = |line: &Line, column: &str| match line.values[column] {
        Given::Number(number) => number,
        ref other => panic!("{column}: {other:?}"),
    };
    let line = wins_of_clusters([true, true, true, true, false]);
    close(number(&line, "se"), 0.2, 1e-14, "se");
    // t = 0.3/0.2 with 4 degrees of freedom: P(|T| > t) = 1 - t(6 + t^2)/(4 + t^2)^1.5 = 1 - 12.375/15.625.
    close(number(&line, "p"), 0.208, 1e-12, "p");
    // 0.8 - 2.776445105·0.2, by python; the upper end would be above 1.
    close(number(&line, "ci_low"), 0.244_710_978_960_4, 1e-9, "ci_low");
    assert_eq!(line.values["ci_high"], Given::Number(1.0));
    let line = wins_of_clusters([true; 5]);
    for column in ["ci_low", "ci_high", "p"] {
        assert!(matches!(line.values[column], Given::Nothing(_)), "{column}");
    }
}

#[test]
fn a_bootstrap_stays_as_it_is() {
    let values: Vec<f64> = (0..1000).map(|at| f64::from(at * at % 97)).collect();
    let found = bootstrap_mean(&values, None, 500, 7, 0.95).unwrap();
    close(
        bootstrap_mean(&[1.0, 2.0, 3.0, 4.0, 5.0], None, 2, 1, 0.9)
            .unwrap()
            .se_limit
            .unwrap(),
        0.4_f64.sqrt(),
        1e-15,
        "limit",
    );
    // Written down once: what a seed means must never change.
    let ends = found.percentile.unwrap();
    assert_eq!((ends.low, ends.high), (46.078_375, 49.725_725));
    let threads = |count| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .build()
            .unwrap();
        pool.install(|| bootstrap_mean(&values, None, 500, 7, 0.95).unwrap())
    };
    assert_eq!(threads(1), threads(4));
}

/// The measures of these families.
const OURS: [&str; 13] = [
    "clustered-mean",
    "clustered-difference",
    "variance",
    "power",
    "bootstrap",
    "win-rate",
    "position",
    "bradley-terry",
    "davidson",
    "transitivity",
    "length-controlled",
    "corrected-share",
    "ppi",
];

fn ours() -> impl Iterator<Item = &'static Measure> {
    OURS.iter().map(|name| named(name).unwrap())
}

/// Every column is a finite number, a text or a reason; none is missing without one.
fn whole(measure: &Measure, line: &Line) {
    assert_eq!(line.keys.len(), measure.keys.len(), "{}", measure.name);
    for column in measure.gives {
        match line.values.get(column.name) {
            Some(Given::Number(number)) => {
                assert!(number.is_finite(), "{} {}", measure.name, column.name);
            }
            Some(Given::Nothing(why)) => assert!(!why.why.is_empty()),
            Some(Given::Text(_)) => {}
            None => assert!(line.why.is_some(), "{} {}", measure.name, column.name),
        }
    }
    let listed = |name: &&str| measure.gives.iter().any(|column| column.name == *name);
    assert!(line.values.keys().all(listed), "{}", measure.name);
}

fn quick() -> Settings {
    Settings {
        resamples: 20,
        ..Settings::default()
    }
}

fn compute(measure: &Measure, data: &Data) {
    if let Ok(lines) = (measure.compute)(data, &quick()) {
        assert!(!lines.is_empty(), "{}", measure.name);
        for line in &lines {
            whole(measure, line);
        }
    }
}

#[test]
fn names_of_measures_and_of_their_columns_are_unique() {
    let names: Vec<&str> = all().map(|measure| measure.name).collect();
    let unique: std::collections::BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(unique.len(), names.len());
    for measure in ours() {
        let columns: std::collections::BTreeSet<&str> =
            measure.gives.iter().map(|column| column.name).collect();
        assert_eq!(columns.len(), measure.gives.len(), "{}", measure.name);
    }
}

#[test]
fn no_rows_and_rows_without_values_have_reasons() {
    let roles = |measure: &Measure| [measure.needs, measure.takes].concat();
    for measure in ours() {
        for rows in [0, 1, 5] {
            let empty = roles(measure)
                .into_iter()
                .fold(Data::of(rows), |data, role| data.with(role, Vec::new()));
            let lines = (measure.compute)(&empty, &quick()).unwrap();
            for line in &lines {
                whole(measure, line);
                assert_eq!((line.n, line.dropped), (0, rows), "{}", measure.name);
            }
        }
    }
}

#[test]
fn texts_where_numbers_are_needed_are_errors() {
    for measure in ours() {
        let text = |role: Role| match role {
            Role::Order => "given",
            _ => "good",
        };
        let roles = [measure.needs, measure.takes].concat();
        let with =
            |data: Data, role: Role| data.with(role, vec![Cell::Text(text(role).to_owned()); 3]);
        let data = roles.into_iter().fold(Data::of(3), with);
        let found = (measure.compute)(&data, &quick());
        // Where both names are the same, there is no comparison to read.
        let named = measure.needs.contains(&Role::Contender);
        assert!(found.is_err() || named, "{}", measure.name);
    }
}

fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        2 => Just(Cell::Absent),
        4 => prop_oneof![Just(0.0), Just(0.5), Just(1.0)].prop_map(Cell::Number),
        1 => prop_oneof![Just(1e308), Just(-1e308), Just(5e-324), -9.0..9.0_f64].prop_map(Cell::Number),
        1 => "[ab]".prop_map(Cell::Text),
        1 => prop_oneof![Just("given"), Just("swapped")].prop_map(|order| Cell::Text(order.to_owned())),
    ]
}

/// Cells as a role usually has them, or anything.
fn column(role: Role) -> BoxedStrategy<Vec<Cell>> {
    let usual = match role {
        Role::Order => prop_oneof![Just("given"), Just("swapped")]
            .prop_map(|order| Cell::Text(order.to_owned()))
            .boxed(),
        Role::Item
        | Role::Cluster
        | Role::Contender
        | Role::Opponent
        | Role::Sample
        | Role::Rater => "[a-d]".prop_map(Cell::Text).boxed(),
        Role::Length | Role::OpponentLength => prop_oneof![0.0..500.0_f64, Just(1e308)]
            .prop_map(Cell::Number)
            .boxed(),
        _ => prop_oneof![3 => Just(0.0), 1 => Just(0.5), 3 => Just(1.0)]
            .prop_map(Cell::Number)
            .boxed(),
    };
    let cells = prop_oneof![9 => usual, 1 => Just(Cell::Absent)];
    prop_oneof![6 => prop::collection::vec(cells, 0..25), 1 => prop::collection::vec(cell(), 0..25)]
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_is_a_value_or_a_reason_or_an_error(
        which in 0..OURS.len(),
        rows in 0_usize..25,
        cells in [
            column(Role::Item), column(Role::Value), column(Role::Reference), column(Role::Rater), column(Role::Sample),
            column(Role::Cluster), column(Role::Contender), column(Role::Opponent), column(Role::Order),
            column(Role::Length), column(Role::OpponentLength),
        ],
        without in any::<[bool; 11]>(),
    ) {
        let measure = named(OURS[which]).unwrap();
        let roles = [
            Role::Item, Role::Value, Role::Reference, Role::Rater, Role::Sample, Role::Cluster, Role::Contender,
            Role::Opponent, Role::Order, Role::Length, Role::OpponentLength,
        ];
        let mut data = Data::of(rows);
        for ((role, cells), without) in roles.into_iter().zip(cells).zip(without) {
            if measure.needs.contains(&role) || (measure.takes.contains(&role) && !without) {
                data = data.with(role, cells);
            }
        }
        compute(measure, &data);
    }
}
