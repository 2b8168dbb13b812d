//! The cases of `agreement`.

use super::{Answers, Case, Statistic, answers, got, line, lines, statistic};
use crate::stats::measure::{Line, Role, Settings};

/// What the cases of this family are computed by.
pub(super) const STATISTICS: &[Statistic] = &[
    statistic("agreement", "raw_agreement", raw),
    statistic("agreement", "cohen_kappa", cohen),
    statistic("agreement", "fleiss_kappa", fleiss),
    statistic("agreement", "gwet_ac", gwet),
    statistic("agreement", "krippendorff_alpha", krippendorff),
    statistic("agreement", "icc", icc),
    statistic("agreement", "classification", classification),
    statistic("agreement", "bland_altman", bland_altman),
];

/// The line of all raters; `none` is what the cases call weights of identity.
fn agreement(case: &Case) -> Line {
    let usual = case.settings();
    let weights = usual.weights.clone().filter(|weights| weights != "none");
    let scores = case.rows.iter().any(|row| row.contains_key("score"));
    let value = if scores { "score" } else { "label" };
    let data = case.data(&[
        (Role::Item, "doc_id"),
        (Role::Rater, "judge"),
        (Role::Value, value),
    ]);
    line("agreement", &data, &Settings { weights, ..usual })
}

fn raw(case: &Case) -> Answers {
    let keys = [
        ("n_items", "n"),
        ("n_items_dropped", "dropped"),
        ("agreement", "agreement"),
        ("agreement_pooled", "agreement_pooled"),
        ("all_agree", "all_agree"),
    ];
    answers("agreement", &agreement(case), &keys)
}

fn cohen(case: &Case) -> Answers {
    let keys = [
        ("n", "n"),
        ("n_dropped", "dropped"),
        ("p_observed", "observed"),
        ("p_expected", "cohen_expected"),
        ("kappa", "cohen"),
        ("se", "cohen_se"),
        ("ci_low", "cohen_ci_low"),
        ("ci_high", "cohen_ci_high"),
    ];
    answers("agreement", &agreement(case), &keys)
}

fn fleiss(case: &Case) -> Answers {
    let keys = [
        ("n_items", "items_labelled"),
        ("n_items_2plus", "n"),
        ("p_observed", "observed"),
        ("p_expected", "fleiss_expected"),
        ("coefficient", "fleiss"),
        ("se", "fleiss_se"),
        ("ci_low", "fleiss_ci_low"),
        ("ci_high", "fleiss_ci_high"),
        ("n_items_complete", "items_complete"),
        ("coefficient_complete_items", "fleiss_complete"),
    ];
    answers("agreement", &agreement(case), &keys)
}

fn gwet(case: &Case) -> Answers {
    let keys = [
        ("n_items", "items_labelled"),
        ("n_items_2plus", "n"),
        ("p_observed", "observed"),
        ("p_expected", "gwet_expected"),
        ("coefficient", "gwet"),
        ("se", "gwet_se"),
        ("ci_low", "gwet_ci_low"),
        ("ci_high", "gwet_ci_high"),
    ];
    answers("agreement", &agreement(case), &keys)
}

fn krippendorff(case: &Case) -> Answers {
    let level = case.text("level_of_measurement").unwrap();
    let keys = [
        ("n_units", "n"),
        ("n_pairable", "values_paired"),
        ("alpha", &*format!("alpha_{level}")),
    ];
    answers("agreement", &agreement(case), &keys)
}

fn icc(case: &Case) -> Answers {
    let data = case.data(&[
        (Role::Item, "doc_id"),
        (Role::Rater, "judge"),
        (Role::Value, "score"),
    ]);
    let lines = lines("icc", &data, &case.settings());
    let mut all = answers(
        "icc",
        &lines[0],
        &[
            ("n_items", "n"),
            ("n_items_dropped", "dropped"),
            ("n_raters", "raters"),
            ("F_oneway", "f"),
            ("p_oneway", "p"),
        ],
    );
    for line in lines {
        let model = line.keys[0].replace(',', "_");
        for column in ["icc", "ci_low", "ci_high"] {
            all.insert(format!("icc_{model}.{column}"), got("icc", &line, column));
        }
        if model == "3_1" {
            all.extend(answers(
                "icc",
                &line,
                &[("F_twoway", "f"), ("p_twoway", "p")],
            ));
        }
    }
    all
}

fn classification(case: &Case) -> Answers {
    let [truth, given] = ["truth", "prediction"].map(|name| case.text(name).unwrap());
    let data = case.data(&[
        (Role::Item, "doc_id"),
        (Role::Value, &given),
        (Role::Reference, &truth),
    ]);
    let settings = Settings {
        categories: case.texts("classes"),
        ..case.settings()
    };
    let line = line("classification", &data, &settings);
    let same = [
        "accuracy",
        "macro_f1",
        "weighted_f1",
        "balanced_accuracy",
        "mcc",
    ];
    let mut keys: Vec<_> = same.into_iter().map(|name| (name, name)).collect();
    keys.extend([("n", "n"), ("n_dropped", "dropped")]);
    let mut all = answers("classification", &line, &keys);
    for line in lines("classes", &data, &settings) {
        for column in ["precision", "recall", "f1", "support"] {
            let key = format!("per_class.{}.{column}", line.keys[0]);
            all.insert(key, got("classes", &line, column));
        }
    }
    all
}

fn bland_altman(case: &Case) -> Answers {
    let z = case.number("z").unwrap();
    let rounded = (z - 1.96).abs() < 1e-9;
    let settings = Settings {
        method: Some(if rounded { "1.96" } else { "quantile" }.to_owned()),
        ..case.settings()
    };
    let fields = [
        (Role::Item, "doc_id"),
        (Role::Value, "score"),
        (Role::Reference, "human"),
    ];
    let line = line("bland-altman", &case.data(&fields), &settings);
    let keys = [
        ("n", "n"),
        ("n_dropped", "dropped"),
        ("bias", "bias"),
        ("sd", "sd"),
        ("loa_low", "loa_low"),
        ("loa_high", "loa_high"),
        ("bias_ci_low", "ci_low"),
        ("bias_ci_high", "ci_high"),
        ("se_loa_1986", "loa_se_1986"),
        ("se_loa", "loa_se"),
    ];
    answers("bland-altman", &line, &keys)
}

#[test]
fn the_cases_of_agreement_hold() {
    super::hold(STATISTICS);
}
