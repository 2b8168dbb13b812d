//! The cases of distances between samples, and of shapes of one sample.

use super::rank_tests::{against, samples};
use super::{Answers, Case, Got, Statistic, answers, got, hold, line, lines, statistic};
use crate::stats::measure::{Data, Role, Settings};

/// What the cases of this family are computed by.
pub(super) const STATISTICS: &[Statistic] = &[
    Statistic {
        // What another library gives instead.
        aside: &["p_asymptotic_scipy", "p_exact_ignoring_ties"],
        ..statistic("distributions", "ks_two_sample", ks)
    },
    statistic("distributions", "emd", emd),
    statistic("distributions", "anderson_darling_k_sample", anderson),
    statistic("distributions", "bipolarization", bipolarization),
    statistic("distributions", "describe", describe),
];

#[test]
fn distances_and_shapes_are_what_the_cases_expect() {
    hold(STATISTICS);
}

fn scale(case: &Case) -> Settings {
    let ends = case.number("scale_min").zip(case.number("scale_max"));
    Settings {
        scale: ends.map(|(min, max)| [min, max]),
        ..against(case)
    }
}

fn ks(case: &Case) -> Answers {
    let line = line("distance", &samples(case, "score"), &against(case));
    let keys = [
        ("n1", "n1"),
        ("n2", "n2"),
        ("n_dropped", "dropped"),
        ("d", "ks"),
        ("p_exact", "p_exact"),
        ("p_asymptotic", "p_asymptotic"),
    ];
    answers("distance", &line, &keys)
}

fn emd(case: &Case) -> Answers {
    let line = line("distance", &samples(case, "score"), &scale(case));
    let keys = [
        ("n1", "n1"),
        ("n2", "n2"),
        ("emd", "emd"),
        ("emd_normalised", "emd_normalised"),
        ("emd_centred", "emd_centred"),
        ("mean_shift", "shift"),
    ];
    answers("distance", &line, &keys)
}

fn anderson(case: &Case) -> Answers {
    let settings = Settings {
        resamples: 100,
        ..case.settings()
    };
    let line = line("anderson-darling", &samples(case, "score"), &settings);
    let keys = [
        ("k", "k"),
        ("n", "n"),
        ("statistic", "ad"),
        ("a2_midrank", "a2"),
    ];
    answers("anderson-darling", &line, &keys)
}

fn values(case: &Case) -> Data {
    case.data(&[(Role::Item, "doc_id"), (Role::Value, "score")])
}

fn bipolarization(case: &Case) -> Answers {
    let texts = case.texts("k");
    let at = texts.iter().map(|k| k.parse().expect("a number"));
    let settings = Settings {
        at: at.collect(),
        ..scale(case)
    };
    let mut all = Answers::new();
    for line in lines("bipolarization", &values(case), &settings) {
        let value = got("bipolarization", &line, "bipolarization");
        all.insert("n".to_owned(), Got::from(line.n));
        all.insert(format!("b.{}", line.keys[0]), value);
    }
    all
}

fn describe(case: &Case) -> Answers {
    let line = line("describe", &values(case), &case.settings());
    let same = [
        "n", "mean", "sd", "se", "min", "q25", "median", "q75", "max", "mad",
    ];
    let mut all = answers("describe", &line, &same.map(|key| (key, key)));
    all.extend(answers("describe", &line, &[("n_missing", "dropped")]));
    all
}
