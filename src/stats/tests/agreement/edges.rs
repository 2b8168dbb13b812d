//! Agreement through measures: the ceiling, categories, and where there is none.

#![expect(clippy::float_cmp, reason = "these numbers are exact")]

use super::{code, compute, long, number, read, settings};
use crate::stats::StatsError;
use crate::stats::measure::{Cell, Code, Data, Given, Role, Settings};
use crate::stats::tests::close;

#[test]
fn judge_and_humans_stand_beside_the_ceiling() {
    // Two people and a judge on four texts; the judge is the reference of each row.
    let rows = [
        ("a", "ann", "1", "1"),
        ("a", "bob", "1", "1"),
        ("b", "ann", "2", "2"),
        ("b", "bob", "3", "2"),
        ("c", "ann", "3", "1"),
        ("c", "bob", "3", "1"),
        ("d", "ann", "", "5"),
        ("d", "bob", "5", "5"),
    ];
    let triples: Vec<_> = rows
        .iter()
        .map(|&(item, rater, value, _)| (item, rater, value))
        .collect();
    let judge = rows.iter().map(|row| read(row.3)).collect();
    let data = long(&triples).with(Role::Reference, judge);
    let lines = compute("ceiling", &data, &Settings::default()).unwrap();
    let keys: Vec<_> = lines.iter().map(|line| line.keys[0].as_str()).collect();
    assert_eq!(keys, ["raters", "reference"]);
    // Ann and Bob say the same of a and c; the judge says what Ann says of a and b, and what Bob says of a and d.
    close(
        number(&lines[0], "agreement"),
        2.0 / 3.0,
        1e-15,
        "among raters",
    );
    close(
        number(&lines[1], "agreement"),
        7.0 / 12.0,
        1e-15,
        "with the judge",
    );
    assert_eq!((lines[0].n, lines[0].dropped, lines[1].n), (3, 1, 4));
    let pairs = compute("agreement-pairs", &data, &Settings::default()).unwrap();
    let keys: Vec<_> = pairs.iter().map(|line| line.keys.join("–")).collect();
    assert_eq!(keys, ["ann–bob", "ann–reference", "bob–reference"]);
    // Together they are three raters, of whom there is no Cohen's kappa.
    let all = compute("agreement", &data, &Settings::default())
        .unwrap()
        .remove(0);
    assert_eq!(number(&all, "raters"), 3.0);
    assert_eq!(code(&all, "cohen"), Code::Undefined);
}

#[test]
fn distances_need_an_order() {
    let data = long(&[("a", "x", "good"), ("a", "y", "bad")]);
    for weights in ["linear", "quadratic"] {
        let refused = compute("agreement", &data, &settings(weights, &[]));
        assert_eq!(refused, Err(StatsError::NoOrder));
        let found = compute(
            "agreement",
            &data,
            &settings(weights, &["bad", "fair", "good"]),
        );
        assert_eq!(number(&found.unwrap()[0], "observed"), 0.0);
    }
    let found = compute("agreement", &data, &Settings::default()).unwrap();
    assert_eq!(code(&found[0], "alpha_ordinal"), Code::InvalidParameter);
    assert_eq!(code(&found[0], "alpha_interval"), Code::InvalidParameter);
    assert!(matches!(
        compute("agreement", &data, &settings("cubic", &[])),
        Err(StatsError::Choice {
            setting: "weights",
            ..
        })
    ));
}

#[test]
fn a_scale_gives_the_categories_that_nobody_used() {
    let data = long(&[
        ("a", "x", "1"),
        ("a", "y", "2"),
        ("b", "x", "5"),
        ("b", "y", "5"),
    ]);
    let on = |scale| Settings {
        scale,
        ..settings("linear", &[])
    };
    let observed = |settings: &Settings| {
        number(
            &compute("agreement", &data, settings).unwrap()[0],
            "observed",
        )
    };
    // 1 and 2 are half of three values apart, but a quarter of the scale.
    assert_eq!(observed(&on(None)), 0.75);
    assert_eq!(observed(&on(Some([1.0, 5.0]))), 0.875);
    let outside = compute("agreement", &data, &on(Some([1.0, 4.0]))).unwrap();
    let why = outside[0].why.as_ref().unwrap();
    assert_eq!(why.to_string(), "`5` occurs and is none of the categories");
    // As numbers, categories may be written either way.
    assert_eq!(
        observed(&settings("linear", &["1.0", "2", "3", "4", "5.00"])),
        0.875
    );
}

#[test]
fn one_rater_no_rater_and_a_rater_twice_get_a_reason() {
    let found = compute(
        "agreement",
        &long(&[("a", "x", "1"), ("b", "x", "2")]),
        &Settings::default(),
    );
    let line = found.unwrap().remove(0);
    assert_eq!((line.n, line.dropped), (0, 2));
    for column in ["agreement", "cohen", "fleiss", "gwet", "alpha_nominal"] {
        assert_eq!(code(&line, column), Code::SingleRater, "{column}");
    }
    let twice = long(&[("a", "x", "1"), ("a", "x", "2"), ("a", "y", "2")]);
    for measure in ["agreement", "agreement-pairs", "ceiling", "icc"] {
        let found = compute(measure, &twice, &Settings::default()).unwrap();
        let why = found[0].why.as_ref().unwrap().to_string();
        assert_eq!(
            why,
            "`x` has several values of `a`; a rater has one of each item"
        );
        let empty = compute(measure, &long(&[]), &Settings::default()).unwrap();
        assert!(empty.iter().all(|line| line.n == 0));
    }
    let refused = compute("agreement", &Data::of(1), &Settings::default());
    assert!(matches!(refused, Err(StatsError::NoColumn { .. })));
}

#[test]
fn raters_that_differ_in_level_only_are_consistent_without_error() {
    let data = long(&[
        ("a", "x", "1"),
        ("a", "y", "2"),
        ("b", "x", "3"),
        ("b", "y", "4"),
        ("c", "x", "4"),
        ("c", "y", "5"),
    ]);
    let lines = compute("icc", &data, &Settings::default()).unwrap();
    let by: Vec<_> = lines.iter().map(|line| line.keys[0].as_str()).collect();
    assert_eq!(by, ["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"]);
    assert_eq!(number(&lines[2], "icc"), 1.0);
    assert_eq!(code(&lines[2], "ci_low"), Code::ZeroError);
    assert!(number(&lines[1], "icc") < 1.0);
    let only = Settings {
        method: Some("2,1".into()),
        ..Settings::default()
    };
    assert_eq!(compute("icc", &data, &only).unwrap().len(), 1);
    let texts = long(&[("a", "x", "good"), ("a", "y", "bad")]);
    assert_eq!(
        compute("icc", &texts, &Settings::default()),
        Err(StatsError::Text {
            column: "value",
            row: 0
        })
    );
}

#[test]
fn the_largest_numbers_do_not_break_agreement() {
    let data = long(&[
        ("a", "x", "1e308"),
        ("a", "y", "-1e308"),
        ("b", "x", "1e-308"),
        ("b", "y", "5"),
        ("c", "x", "-1e308"),
        ("c", "y", "1e308"),
    ]);
    for measure in ["agreement", "agreement-pairs", "ceiling", "icc"] {
        for line in compute(measure, &data, &Settings::default()).unwrap() {
            for value in line.values.values() {
                assert!(!matches!(value, Given::Number(number) if !number.is_finite()));
            }
        }
    }
    let wide = Data::of(1)
        .with(Role::Value, vec![Cell::Number(1e308)])
        .with(Role::Reference, vec![Cell::Number(-1e308)]);
    let found = compute("bland-altman", &wide, &Settings::default()).unwrap();
    assert_eq!(code(&found[0], "bias"), Code::Undefined);
}

#[test]
fn numbers_that_are_no_labels_are_not_listed_one_by_one() {
    let numbers = |of: fn(u32) -> u32| (0..500).map(|it| Cell::Number(f64::from(of(it)))).collect();
    let data = Data::of(500)
        .with(Role::Value, numbers(|it| it))
        .with(Role::Reference, numbers(|it| it / 2));
    for measure in ["classes", "confusion"] {
        let lines = compute(measure, &data, &Settings::default()).unwrap();
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].why.as_ref().unwrap().code, Code::TooMany);
    }
    let line = compute("classification", &data, &Settings::default())
        .unwrap()
        .remove(0);
    assert_eq!(number(&line, "accuracy"), 1.0 / 500.0);
    assert_eq!(code(&line, "precision"), Code::InvalidParameter);
}

#[test]
fn classes_and_cells_count_every_pair_once() {
    let labels = |texts: &str| texts.chars().map(|it| read(&it.to_string())).collect();
    let data = Data::of(6)
        .with(Role::Reference, labels("aaabbc"))
        .with(Role::Value, labels("aabbca"));
    let with = Settings {
        positive: Some("a".into()),
        ..Settings::default()
    };
    let all = compute("classification", &data, &with).unwrap().remove(0);
    assert_eq!(number(&all, "precision"), 2.0 / 3.0);
    assert_eq!(number(&all, "specificity"), 2.0 / 3.0);
    let classes = compute("classes", &data, &with).unwrap();
    let names: Vec<_> = classes.iter().map(|line| line.keys[0].as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert_eq!(
        (
            number(&classes[2], "support"),
            number(&classes[2], "recall")
        ),
        (1.0, 0.0)
    );
    let cells = compute("confusion", &data, &with).unwrap();
    assert_eq!(cells.len(), 9);
    assert_eq!(
        cells.iter().map(|cell| number(cell, "count")).sum::<f64>(),
        6.0
    );
    let cell = cells.iter().find(|cell| cell.keys == ["b", "c"]).unwrap();
    assert_eq!(
        (number(cell, "count"), number(cell, "share_of_truth")),
        (1.0, 0.5)
    );
    let unknown = Settings {
        positive: Some("d".into()),
        ..Settings::default()
    };
    let line = compute("classification", &data, &unknown)
        .unwrap()
        .remove(0);
    assert_eq!(code(&line, "recall"), Code::InvalidParameter);
}

#[test]
fn rows_that_name_no_item_are_counted_and_values_that_name_no_rater_are_told() {
    let rows = [
        ("a", "x", "1"),
        ("a", "y", "1"),
        ("b", "x", "2"),
        ("b", "y", "2"),
    ];
    let names = |texts: [&str; 4]| texts.map(read).to_vec();
    let data = long(&rows).with(Role::Item, names(["a", "a", "", "b"]));
    let line = compute("agreement", &data, &Settings::default())
        .unwrap()
        .remove(0);
    assert_eq!((line.n, line.dropped), (1, 2));
    let data = long(&rows).with(Role::Rater, names(["x", "y", "x", ""]));
    let line = compute("agreement", &data, &Settings::default())
        .unwrap()
        .remove(0);
    assert_eq!(
        line.why.unwrap().to_string(),
        "a value of `b` names no rater"
    );
}
