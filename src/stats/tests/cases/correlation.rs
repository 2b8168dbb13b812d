//! The cases of `correlation`.

use std::collections::BTreeMap;

use super::{Answers, Case, Statistic, answers, line, statistic};
use crate::stats::measure::{Cell, Data, Role, Settings};

/// What the cases of this family are computed by.
pub(super) const STATISTICS: &[Statistic] = &[
    statistic("correlation", "pearson", pearson),
    statistic("correlation", "spearman", spearman),
    statistic("correlation", "kendall_tau_b", kendall),
    statistic("correlation", "dependent_correlations", dependent),
    statistic("correlation", "correlation_levels", levels),
    statistic("correlation", "pairwise_accuracy_ties", pairwise),
];

fn correlation(case: &Case, keys: &[(&str, &str)]) -> Answers {
    let (x, y) = (case.text("x").unwrap(), case.text("y").unwrap());
    let data = case.data(&[
        (Role::Item, "doc_id"),
        (Role::Value, &x),
        (Role::Reference, &y),
    ]);
    let line = line("correlation", &data, &case.settings());
    let mut all = vec![("n", "n"), ("n_dropped", "dropped")];
    all.extend(keys);
    answers("correlation", &line, &all)
}

fn pearson(case: &Case) -> Answers {
    let ends = [("ci_low", "ci_low"), ("ci_high", "ci_high")];
    correlation(case, &[[("r", "pearson"), ("p", "p")], ends].concat())
}

fn spearman(case: &Case) -> Answers {
    correlation(
        case,
        &[
            ("rho", "spearman"),
            ("p_t", "spearman_p_t"),
            ("p_exact", "spearman_p_exact"),
        ],
    )
}

fn kendall(case: &Case) -> Answers {
    correlation(
        case,
        &[
            ("tau_b", "kendall"),
            ("p_asymptotic", "kendall_p_asymptotic"),
            ("p_exact", "kendall_p_exact"),
            ("concordant", "concordant"),
            ("discordant", "discordant"),
        ],
    )
}

/// The values of judge a, of judge b and of the target, a row for each document.
fn dependent(case: &Case) -> Answers {
    let [a, b, target] = ["judge_a", "judge_b", "target"].map(|name| case.text(name).unwrap());
    let pairs = case.pairs("doc_id", "judge", "score", &a, &b);
    let targets: BTreeMap<_, _> = {
        let all = case.data(&[(Role::Item, "doc_id"), (Role::Reference, &target)]);
        let cell = |role, row| all.cell(role, row).clone();
        (0..all.len())
            .map(|row| (cell(Role::Item, row).text(), cell(Role::Reference, row)))
            .collect()
    };
    let column = |role| pairs.column(role).unwrap().to_vec();
    let target = |item: &Cell| targets[&item.text()].clone();
    let data = Data::of(pairs.len())
        .with(Role::Value, column(Role::Value))
        .with(Role::Rival, column(Role::Reference))
        .with(
            Role::Reference,
            column(Role::Item).iter().map(target).collect(),
        );
    let settings = Settings {
        method: case.text("method"),
        ..case.settings()
    };
    let line = line("correlation-difference", &data, &settings);
    let keys = [
        ("n", "n"),
        ("n_dropped", "dropped"),
        ("r_ah", "r_value"),
        ("r_bh", "r_rival"),
        ("r_ab", "r_between"),
        ("williams_t", "t"),
        ("df", "df"),
        ("p", "p"),
        ("steiger_z", "steiger_z"),
        ("p_steiger", "steiger_p"),
    ];
    answers("correlation-difference", &line, &keys)
}

fn levels(case: &Case) -> Answers {
    let fields = ["instance_group", "system", "score", "target"].map(|it| case.text(it).unwrap());
    let roles = [Role::Item, Role::System, Role::Value, Role::Reference];
    let columns: Vec<_> = roles
        .into_iter()
        .zip(fields.iter().map(String::as_str))
        .collect();
    let settings = Settings {
        method: case.text("method"),
        least: case.number("min_points").unwrap() as usize,
        ..case.settings()
    };
    let line = line("correlation-levels", &case.data(&columns), &settings);
    let keys = [
        ("n_rows", "n"),
        ("n_dropped", "dropped"),
        ("n_systems", "systems"),
        ("system_level", "system_level"),
        ("pooled", "pooled"),
        ("n_docs_used", "items_used"),
        ("n_docs_skipped", "items_skipped"),
        ("instance_level", "instance_level"),
        ("within_system", "within_system"),
    ];
    answers("correlation-levels", &line, &keys)
}

fn pairwise(case: &Case) -> Answers {
    let [score, target] = ["score", "target"].map(|name| case.text(name).unwrap());
    let mut columns = vec![(Role::Value, &*score), (Role::Reference, &*target)];
    let group = case.text("group");
    if let Some(group) = &group {
        columns.extend([(Role::Item, &**group), (Role::System, "system")]);
    }
    let line = line("pairwise-accuracy", &case.data(&columns), &case.settings());
    let keys = [
        ("n_groups", "groups"),
        ("acc_eq_eps0", "accuracy"),
        ("best_epsilon", "best_epsilon"),
        ("acc_eq_best", "best_accuracy"),
    ];
    answers("pairwise-accuracy", &line, &keys)
}

#[test]
fn the_cases_of_correlation_hold() {
    super::hold(STATISTICS);
}
