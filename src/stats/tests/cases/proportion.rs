//! The cases of shares, of their differences, and of corrected p-values.

use serde_json::Value;

use super::rank_tests::{against, samples};
use super::{Answers, Case, Got, Statistic, answers, hold, line, statistic};
use crate::stats::measure::Role;
use crate::stats::{Correction, adjust};

/// What the cases of this family are computed by.
pub(super) const STATISTICS: &[Statistic] = &[
    statistic("proportions", "proportion_ci", share),
    statistic("proportions", "difference_of_proportions", difference),
    statistic("multiple_comparisons", "p_adjust", p_adjust),
];

#[test]
fn shares_and_corrected_p_values_are_what_the_cases_expect() {
    hold(STATISTICS);
}

fn share(case: &Case) -> Answers {
    let data = case.data(&[(Role::Item, "doc_id"), (Role::Value, "label")]);
    let line = line("share", &data, &case.settings());
    let keys = [
        ("n", "n"),
        ("n_missing", "dropped"),
        ("successes", "hits"),
        ("p", "share"),
        ("wilson_low", "ci_low"),
        ("wilson_high", "ci_high"),
        ("wilson_cc_low", "wilson_cc_low"),
        ("wilson_cc_high", "wilson_cc_high"),
        ("cp_low", "exact_low"),
        ("cp_high", "exact_high"),
    ];
    answers("share", &line, &keys)
}

fn difference(case: &Case) -> Answers {
    let line = line("share-difference", &samples(case, "label"), &against(case));
    let keys = [
        ("n1", "n1"),
        ("n2", "n2"),
        ("successes1", "hits1"),
        ("successes2", "hits2"),
        ("difference", "difference"),
        ("newcombe_low", "ci_low"),
        ("newcombe_high", "ci_high"),
        ("z", "z"),
        ("p_z", "p"),
    ];
    answers("share-difference", &line, &keys)
}

fn p_adjust(case: &Case) -> Answers {
    let raw = case.rows.iter().map(|row| row.get("p")?.as_f64());
    let raw: Vec<Option<f64>> = raw.collect();
    let alpha = case.params.get("alpha").and_then(Value::as_f64);
    let alpha = alpha.expect("an alpha");
    let mut all = Answers::new();
    all.insert("m".to_owned(), Got::from(raw.iter().flatten().count()));
    let methods = [
        ("bonferroni", Correction::Bonferroni),
        ("holm", Correction::Holm),
        ("bh", Correction::BenjaminiHochberg),
        ("by", Correction::BenjaminiYekutieli),
    ];
    for (name, method) in methods {
        let adjusted = adjust(&raw, method).expect("p-values");
        let list = |of: fn(f64, f64) -> Got| {
            let missing = || Got::Nothing("the p-value itself is missing".to_owned());
            let each = adjusted
                .iter()
                .map(|p| p.map_or_else(missing, |p| of(p, alpha)));
            Got::List(each.collect())
        };
        all.insert(name.to_owned(), list(|p, _| Got::Number(p)));
        let rejected = list(|p, alpha| Got::Flag(p <= alpha));
        all.insert(format!("{name}_reject"), rejected);
    }
    all
}
