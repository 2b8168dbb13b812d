//! The cases of `error_bars`, and of `proportions` that of a share in clusters.

use super::{Answers, Case, Got, Statistic, answers, got, hold, line, lines, statistic, text};
use crate::stats::measure::{Data, NoValue, Role, Settings};
use crate::stats::power::Plan;

/// What the cases of this family are computed by.
pub(super) const STATISTICS: &[Statistic] = &[
    statistic("error_bars", "clustered_mean", clustered_mean),
    statistic("proportions", "clustered_mean", clustered_mean),
    statistic("error_bars", "paired_difference", paired_difference),
    statistic("error_bars", "variance_decomposition", variance),
    statistic("error_bars", "power_paired", power),
    Statistic {
        family: "error_bars",
        name: "bootstrap_mean",
        answer: bootstrap,
        aside: &["percentile_low_exact", "percentile_high_exact"],
    },
];

#[test]
fn error_bars_are_those_of_the_cases() {
    hold(STATISTICS);
}

fn with_cluster(case: &Case, data: Data) -> Data {
    let Some(field) = case.text("cluster") else {
        return data;
    };
    let clusters = case.data(&[(Role::Cluster, &field)]);
    let cells = clusters.column(Role::Cluster).unwrap_or_default().to_vec();
    data.with(Role::Cluster, cells)
}

fn clustered_mean(case: &Case) -> Answers {
    let data = with_cluster(
        case,
        case.data(&[(Role::Item, "doc_id"), (Role::Value, "score")]),
    );
    let line = line("clustered-mean", &data, &case.settings());
    answers(
        "clustered-mean",
        &line,
        &[
            ("n", "n"),
            ("n_clusters", "clusters"),
            ("mean", "mean"),
            ("se_naive", "se_naive"),
            ("se_cr0", "se_cr0"),
            ("se_cr1", "se_cr1"),
            ("se_miller", "se_miller"),
            ("ci_low", "ci_low"),
            ("ci_high", "ci_high"),
        ],
    )
}

fn paired_difference(case: &Case) -> Answers {
    let side = |name| case.text(name).expect("a side");
    let (a, b) = (side("a"), side("b"));
    let pairs = case.pairs("doc_id", "judge", "score", &a, &b);
    let cluster = case.text("cluster").expect("a cluster");
    let of_item = |item: &super::Cell| {
        let item = item.text().expect("an item");
        let row = case.rows_where("doc_id", &item).next().expect("its row");
        super::cell(row.get(&cluster))
    };
    let items = pairs.column(Role::Item).expect("items").to_vec();
    let data = pairs.with(Role::Cluster, items.iter().map(of_item).collect());
    let line = line("clustered-difference", &data, &case.settings());
    answers(
        "clustered-difference",
        &line,
        &[
            ("n", "n"),
            ("n_docs_dropped", "dropped"),
            ("n_clusters", "clusters"),
            ("mean_diff", "mean"),
            ("sd_diff", "sd"),
            ("se_naive", "se_naive"),
            ("t_naive", "t_naive"),
            ("p_naive", "p_naive"),
            ("se_cr1", "se"),
            ("t", "t"),
            ("df", "df"),
            ("p", "p"),
            ("ci_low", "ci_low"),
            ("ci_high", "ci_high"),
        ],
    )
}

fn variance(case: &Case) -> Answers {
    let item = case.text("group").expect("an item");
    let rater = case.text("repeat").expect("a repeat");
    let data = case.data(&[
        (Role::Item, &item),
        (Role::Rater, &rater),
        (Role::Value, "score"),
    ]);
    let at = case.params["k_values"]
        .as_array()
        .expect("numbers of repeats");
    let settings = Settings {
        at: at.iter().filter_map(serde_json::Value::as_f64).collect(),
        ..case.settings()
    };
    let lines = lines("variance", &data, &settings);
    let mut found = answers(
        "variance",
        &lines[0],
        &[
            ("n_docs", "items"),
            ("n_scores", "n"),
            ("n_missing", "dropped"),
            ("ms_between", "ms_between"),
            ("ms_within", "ms_within"),
            ("n0", "n0"),
            ("var_within", "var_within"),
            ("var_between_raw", "var_between_raw"),
            ("var_between", "var_between"),
            ("share_within", "share_within"),
            // Where there are none at all.
            ("se_by_k", "se"),
        ],
    );
    for line in &lines {
        found.insert(
            format!("se_by_k.{}", line.keys[0]),
            got("variance", line, "se"),
        );
    }
    found
}

/// A plan has no rows, so it is made of the parameters alone.
fn power(case: &Case) -> Answers {
    let number = |name| case.number(name).expect("a number");
    let plan = Plan {
        sd: number("sd_diff"),
        alpha: number("alpha"),
        power: number("power"),
    };
    let mut found = Answers::new();
    let mut put = |key: &str, value: Result<f64, NoValue>| {
        let value = value.map_or_else(|why| Got::Nothing(why.why), Got::Number);
        found.insert(key.to_owned(), value);
    };
    let n = case.number("n").map(|n| n as usize);
    if let Some(n) = n {
        put("mde_t", plan.detectable(n));
        put("mde_normal", plan.detectable_normal(n));
        put("dz_t", plan.detectable(n).map(|at| at / plan.sd));
    }
    if let Some(delta) = case.number("delta") {
        put("n_t", plan.needed(delta));
        put("n_normal", plan.needed_normal(delta));
        if let Some(n) = n {
            put("power", plan.power_of(n, delta));
        }
    }
    found
}

fn bootstrap(case: &Case) -> Answers {
    let data = with_cluster(
        case,
        case.data(&[(Role::Item, "doc_id"), (Role::Value, "score")]),
    );
    let settings = Settings {
        seed: 20,
        ..case.settings()
    };
    assert_eq!(text(case.params.get("statistic")).as_deref(), Some("mean"));
    let line = line("bootstrap", &data, &settings);
    answers(
        "bootstrap",
        &line,
        &[
            ("n", "n"),
            ("n_clusters", "clusters"),
            ("mean", "mean"),
            ("bootstrap_se", "se"),
            ("bootstrap_se_exact", "se_limit"),
            ("acceleration", "acceleration"),
            ("percentile_low", "percentile_low"),
            ("percentile_high", "percentile_high"),
            ("bca_low", "bca_low"),
            ("bca_high", "bca_high"),
        ],
    )
}
