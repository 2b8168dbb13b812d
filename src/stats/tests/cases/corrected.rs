//! The cases of `corrected_rates`.

use super::{Answers, Case, Statistic, answers, hold, line, statistic};
use crate::stats::measure::{Role, Settings};

/// What the cases of this family are computed by.
pub(super) const STATISTICS: &[Statistic] = &[
    statistic("corrected_rates", "rogan_gladen", rogan_gladen),
    statistic("corrected_rates", "ppi_mean", ppi),
];

#[test]
fn corrected_rates_are_those_of_the_cases() {
    hold(STATISTICS);
}

fn rogan_gladen(case: &Case) -> Answers {
    let fields = [
        (Role::Item, "doc_id"),
        (Role::Value, "judge"),
        (Role::Reference, "human"),
        (Role::Sample, "split"),
    ];
    let settings = Settings {
        base: Some("calibration".to_owned()),
        ..case.settings()
    };
    let line = line("corrected-share", &case.data(&fields), &settings);
    answers(
        "corrected-share",
        &line,
        &[
            ("n_test", "n"),
            ("m_pos", "positives"),
            ("m_neg", "negatives"),
            ("judge_rate", "judged"),
            ("tpr", "tpr"),
            ("tnr", "tnr"),
            ("rate_raw_formula", "rate_raw"),
            ("rate", "rate"),
            ("se", "se"),
            ("ci_low", "ci_low"),
            ("ci_high", "ci_high"),
            ("lr_low", "lr_low"),
            ("lr_high", "lr_high"),
        ],
    )
}

fn ppi(case: &Case) -> Answers {
    let field = |name: &str| case.text(name).expect("a field");
    let (target, prediction) = (field("target"), field("prediction"));
    let data = case.data(&[
        (Role::Item, "doc_id"),
        (Role::Value, &prediction),
        (Role::Reference, &target),
    ]);
    let settings = Settings {
        method: case.text("lambda_rule"),
        ..case.settings()
    };
    let line = line("ppi", &data, &settings);
    answers(
        "ppi",
        &line,
        &[
            ("n_labelled", "labelled"),
            ("n_unlabelled", "unlabelled"),
            ("estimate", "mean"),
            ("se", "se"),
            ("ci_low", "ci_low"),
            ("ci_high", "ci_high"),
            ("classical_mean", "human_mean"),
            ("lambda", "lambda"),
        ],
    )
}
