//! The cases of tests on ranks, signs and permutations, and of effect sizes.

use super::{Answers, Case, Statistic, answers, got, hold, line, statistic};
use crate::stats::measure::{Data, Role, Settings};

/// What the cases of this family are computed by.
pub(super) const STATISTICS: &[Statistic] = &[
    statistic("tests", "wilcoxon_signed_rank", wilcoxon),
    statistic("tests", "sign_test", sign),
    statistic("tests", "mann_whitney", mann_whitney),
    statistic("tests", "paired_permutation", permutation),
    statistic("tests", "mcnemar", mcnemar),
    statistic("tests", "friedman", friedman),
    statistic("tests", "kruskal_wallis", kruskal),
    statistic("effect_sizes", "effect_size_paired", paired),
    statistic("effect_sizes", "effect_size_independent", independent),
];

#[test]
fn tests_and_effect_sizes_are_what_the_cases_expect() {
    hold(STATISTICS);
}

fn pairs(case: &Case, value: &str) -> Data {
    let [a, b] = ["a", "b"].map(|side| case.text(side).expect("two judges"));
    case.pairs("doc_id", "judge", value, &a, &b)
}

/// Values in their samples.
pub(super) fn samples(case: &Case, value: &str) -> Data {
    case.data(&[
        (Role::Item, "doc_id"),
        (Role::Sample, "group"),
        (Role::Value, value),
    ])
}

/// With the second sample as the one that the first is held against.
pub(super) fn against(case: &Case) -> Settings {
    Settings {
        base: case.text("group_b"),
        ..case.settings()
    }
}

fn wilcoxon(case: &Case) -> Answers {
    let settings = Settings {
        method: case.text("zero_method"),
        ..case.settings()
    };
    let line = line("wilcoxon", &pairs(case, "score"), &settings);
    let (z, p) = if case.flag("continuity") {
        ("z_cc", "p_asymptotic_cc")
    } else {
        ("z", "p_asymptotic")
    };
    let keys = [
        ("n", "n"),
        ("n_dropped", "dropped"),
        ("n_zero", "zeros"),
        ("w_plus", "w_plus"),
        ("w_minus", "w_minus"),
        ("z", z),
        ("p_approx", p),
        ("p_exact", "p_exact"),
    ];
    answers("wilcoxon", &line, &keys)
}

fn sign(case: &Case) -> Answers {
    let line = line("sign", &pairs(case, "score"), &case.settings());
    let keys = [
        ("n", "n"),
        ("wins_a", "wins"),
        ("wins_b", "losses"),
        ("ties", "ties"),
        ("p", "p"),
    ];
    answers("sign", &line, &keys)
}

fn mann_whitney(case: &Case) -> Answers {
    let line = line("mann-whitney", &samples(case, "score"), &against(case));
    let keys = [
        ("n1", "n1"),
        ("n2", "n2"),
        ("n_dropped", "dropped"),
        ("u1", "u1"),
        ("u2", "u2"),
        ("auc", "auc"),
        ("p_asymptotic", "p_asymptotic"),
        ("p_asymptotic_cc", "p_asymptotic_cc"),
        ("p_exact", "p_exact"),
    ];
    answers("mann-whitney", &line, &keys)
}

fn permutation(case: &Case) -> Answers {
    let data = pairs(case, "score");
    let exact = line("permutation", &data, &case.settings());
    let keys = [
        ("n", "n"),
        ("n_dropped", "dropped"),
        ("mean_diff", "mean"),
        ("p_exact", "p_exact"),
    ];
    let mut all = answers("permutation", &exact, &keys);
    let drawn = Settings {
        method: Some("monte-carlo".to_owned()),
        ..case.settings()
    };
    let drawn = line("permutation", &data, &drawn);
    let p = got("permutation", &drawn, "p_monte_carlo");
    all.insert("p_monte_carlo".to_owned(), p);
    all
}

fn mcnemar(case: &Case) -> Answers {
    let line = line("mcnemar", &pairs(case, "label"), &case.settings());
    let keys = [
        ("n", "n"),
        ("n_dropped", "dropped"),
        ("only_a", "only_value"),
        ("only_b", "only_reference"),
        ("p_exact", "p"),
        ("p_mid", "p_mid"),
        ("chi2", "chi2"),
        ("p_chi2", "p_chi2"),
        ("chi2_cc", "chi2_cc"),
        ("p_chi2_cc", "p_chi2_cc"),
    ];
    answers("mcnemar", &line, &keys)
}

fn friedman(case: &Case) -> Answers {
    let data = case.data(&[
        (Role::Item, "doc_id"),
        (Role::Rater, "judge"),
        (Role::Value, "score"),
    ]);
    let line = line("friedman", &data, &case.settings());
    let keys = [
        ("n_blocks", "n"),
        ("n_blocks_dropped", "dropped"),
        ("k", "k"),
        ("chi2", "chi2"),
        ("df", "df"),
        ("p", "p"),
        ("kendall_w", "kendall_w"),
    ];
    answers("friedman", &line, &keys)
}

fn kruskal(case: &Case) -> Answers {
    let line = line("kruskal-wallis", &samples(case, "score"), &case.settings());
    let keys = [
        ("n", "n"),
        ("n_dropped", "dropped"),
        ("groups", "k"),
        ("h", "h"),
        ("df", "df"),
        ("p", "p"),
        ("epsilon_squared", "epsilon_squared"),
    ];
    answers("kruskal-wallis", &line, &keys)
}

fn paired(case: &Case) -> Answers {
    let line = line("effect-size", &pairs(case, "score"), &case.settings());
    let keys = [
        ("n", "n"),
        ("n_dropped", "dropped"),
        ("dz", "dz"),
        ("g_z", "g_z"),
        ("d_av", "d_av"),
        ("d_av_rms", "d_av_rms"),
        ("rank_biserial_paired", "rank_biserial"),
    ];
    answers("effect-size", &line, &keys)
}

fn independent(case: &Case) -> Answers {
    let name = "effect-size-independent";
    let line = line(name, &samples(case, "score"), &against(case));
    let keys = [
        "n1",
        "n2",
        "cliffs_delta",
        "rank_biserial",
        "cohens_d",
        "hedges_g",
        "hedges_g_approx",
    ];
    answers(name, &line, &keys.map(|key| (key, key)))
}
