//! Clustered means, variances, bootstraps and power.

use proptest::prelude::*;

use crate::stats::cluster::{ClusterSe, clustered_mean};
use crate::stats::power::Plan;
use crate::stats::resample::bootstrap_mean;
use crate::stats::variance::variance;
use crate::stats::{Ddof, describe};

type Rows = Vec<(f64, usize)>;

/// Rows of a value and a cluster, and the same rows in another order.
fn rows() -> impl Strategy<Value = (Rows, Rows)> {
    let value = prop_oneof![(-8_i32..=8).prop_map(f64::from), -1e3..1e3, -1e300..1e300];
    prop::collection::vec((value, 0_usize..6), 1..40)
        .prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))
}

/// Values of ordinary size.
fn values() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-100.0..100.0_f64, 3..30)
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1e-3)
}

proptest! {
    #[test]
    fn order_and_names_of_clusters_do_not_reach_a_clustered_mean((rows, other) in rows()) {
        let of = |rows: &[(f64, usize)], name: fn(usize) -> usize| {
            let (values, clusters): (Vec<f64>, Vec<usize>) = rows.iter().map(|row| (row.0, name(row.1))).unzip();
            clustered_mean(&values, &clusters).unwrap()
        };
        prop_assert_eq!(of(&rows, |name| name), of(&other, |name| name));
        prop_assert_eq!(of(&rows, |name| name), of(&rows, |name| 7 - name));
        let found = of(&rows, |name| name);
        for se in [&found.se_naive, &found.se_cr0, &found.se_cr1, &found.se_miller] {
            prop_assert!(se.as_ref().map_or(true, |se| se.is_finite() && *se >= 0.0));
        }
        if let (Ok(mean), Ok(interval)) = (&found.mean, found.interval(ClusterSe::Cr1, 0.9)) {
            prop_assert!(interval.low <= *mean && *mean <= interval.high);
        }
    }

    #[test]
    fn clusters_of_one_row_are_independent_rows(values in values()) {
        let clusters: Vec<usize> = (0..values.len()).collect();
        let found = clustered_mean(&values, &clusters).unwrap();
        let naive = found.se_naive.unwrap();
        prop_assert!(near(found.se_cr1.unwrap(), naive));
        prop_assert!(near(found.se_miller.unwrap(), naive));
    }

    #[test]
    fn rows_told_twice_do_not_make_a_mean_surer(values in values()) {
        let clusters: Vec<usize> = (0..values.len()).collect();
        let once = clustered_mean(&values, &clusters).unwrap().se_cr1.unwrap();
        let (values, clusters) = (values.repeat(2), clusters.repeat(2));
        let twice = clustered_mean(&values, &clusters).unwrap().se_cr1.unwrap();
        prop_assert!(near(once, twice));
    }

    #[test]
    fn the_parts_of_a_variance_are_all_of_it(rows in prop::collection::vec((-50.0..50.0_f64, 0_usize..5), 6..40)) {
        let (values, items): (Vec<f64>, Vec<usize>) = rows.iter().copied().unzip();
        if let Ok(found) = variance(&values, &items).unwrap() {
            let sd = describe(&values, Ddof::Sample).unwrap().sd.unwrap();
            let all = sd * sd * (found.n - 1) as f64;
            let parts = found.ms_between * (found.items - 1) as f64 + found.ms_within * (found.n - found.items) as f64;
            prop_assert!(near(all, parts), "{all} {parts}");
            prop_assert!(found.se(1.0) >= found.se(2.0));
            if let Ok(repeats) = found.repeats_to_halve() {
                prop_assert!(found.se(repeats) <= found.se(found.n0) / 2.0 + 1e-9);
            }
        }
    }

    #[test]
    fn a_bootstrap_does_not_see_the_order_of_rows_and_follows_the_scale((rows, other) in rows(), seed in any::<u64>()) {
        let of = |rows: &[(f64, usize)], factor: f64, clustered: bool| {
            let (values, clusters): (Vec<f64>, Vec<usize>) = rows.iter().map(|row| (row.0 * factor, row.1)).unzip();
            bootstrap_mean(&values, clustered.then_some(&*clusters), 60, seed, 0.9).unwrap()
        };
        for clustered in [false, true] {
            let found = of(&rows, 1.0, clustered);
            prop_assert_eq!(&found, &of(&other, 1.0, clustered));
            let least = rows.iter().map(|row| row.0).fold(f64::INFINITY, f64::min);
            let most = rows.iter().map(|row| row.0).fold(f64::NEG_INFINITY, f64::max);
            let margin = 1e-9 * least.abs().max(most.abs());
            for interval in [&found.percentile, &found.bca].into_iter().flatten() {
                prop_assert!(interval.low >= least - margin && interval.high <= most + margin);
            }
            if let (Ok(one), Ok(four)) = (&found.percentile, &of(&rows, 4.0, clustered).percentile) {
                prop_assert_eq!((4.0 * one.low).to_bits(), four.low.to_bits());
            }
        }
    }

    #[test]
    fn more_pairs_and_larger_differences_are_found_more_often(n in 2_usize..300, effect in 0.01..3.0_f64) {
        let plan = Plan { sd: 1.0, alpha: 0.05, power: 0.8 };
        let power = plan.power_of(n, effect).unwrap();
        prop_assert!((0.05 - 1e-9..=1.0).contains(&power));
        prop_assert!(plan.power_of(n + 1, effect).unwrap() >= power - 1e-9);
        prop_assert!(plan.power_of(n, effect * 1.1).unwrap() >= power - 1e-9);
        prop_assert_eq!(plan.power_of(n, -effect), Ok(power));
    }
}
