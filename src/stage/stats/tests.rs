//! Statistics of small tables, by hand: pooling, levels that lack a column's values, answers without a score.

use super::{Asked, Output, Pair, Roles, Stats, Test};
use crate::frame::{ColumnData, Frame, Scalar};
use crate::stage::{Kind, StageName};
use crate::stats::{DEFAULT_LEVEL, Ddof, Tail};

/// Document, task, degree of damage, score or the reason for there being none.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    Result<f64, &'static str>,
);

fn frame(rows: &[Row]) -> Frame {
    let text = |of: fn(&Row) -> &'static str| ColumnData::text(rows.iter().map(of));
    let reason = |row: &Row| row.3.err().map(str::to_owned);
    Frame::new(vec![
        ("doc_id".to_owned(), text(|row| row.0)),
        ("task".to_owned(), text(|row| row.1)),
        ("degree".to_owned(), text(|row| row.2)),
        (
            "score".to_owned(),
            ColumnData::Float(rows.iter().map(|row| row.3.ok()).collect()),
        ),
        (
            "unscored".to_owned(),
            ColumnData::Text(rows.iter().map(reason).collect()),
        ),
    ])
    .unwrap()
}

fn stats(test: Test, by: &[&str]) -> Stats {
    Stats {
        of_kept: false,
        from: vec![StageName::new(Kind::Judge, "grades")],
        test,
        value: "score".to_owned(),
        condition: None,
        over: vec!["doc_id".to_owned()],
        alike: Vec::new(),
        pool: Vec::new(),
        by: by.iter().map(|&name| name.to_owned()).collect(),
        pair: Vec::new(),
        ddof: Ddof::Sample,
        level: DEFAULT_LEVEL,
        alternative: Tail::TwoSided,
        correct: None,
        family: Vec::new(),
        also: Vec::new(),
        roles: Roles::default(),
        asked: Asked::default(),
    }
}

fn against_gold() -> Pair {
    Pair {
        axis: "task".to_owned(),
        against: "gold".to_owned(),
        regardless: Vec::new(),
        pool: false,
    }
}

/// The cells of some columns, row by row.
fn cells(output: &Output, columns: &[&str]) -> Vec<Vec<String>> {
    let columns: Vec<_> = columns
        .iter()
        .map(|name| output.frame.column(name).unwrap())
        .collect();
    let cell = |scalar: Scalar| match scalar {
        Scalar::Null => "none".to_owned(),
        value => value.to_string(),
    };
    (0..output.frame.rows())
        .map(|row| {
            columns
                .iter()
                .map(|column| cell(column.scalar(row)))
                .collect()
        })
        .collect()
}

#[test]
fn undamaged_documents_are_subtracted_from_every_degree_of_damage() {
    let rows = frame(&[
        ("a", "gold", "", Ok(4.0)),
        ("b", "gold", "", Ok(5.0)),
        ("a", "typos", "1", Ok(3.0)),
        ("b", "typos", "1", Ok(3.0)),
        ("a", "typos", "2", Ok(1.0)),
        ("b", "typos", "2", Err("no-score-found")),
    ]);
    let mut stats = stats(Test::PairedT, &["degree"]);
    stats.pair = vec![Pair {
        regardless: vec!["degree".to_owned()],
        ..against_gold()
    }];
    let output = stats.compute(&rows).unwrap();
    assert_eq!(
        cells(
            &output,
            &["degree", "task", "mean", "n", "dropped", "unscored"]
        ),
        [
            ["1", "typos", "-1.5", "2", "0", "0"],
            ["2", "typos", "-3", "1", "1", "1"],
        ]
    );
}

#[test]
fn of_a_level_regardless_of_a_column_there_is_one_row_for_each_document() {
    let rows = frame(&[
        ("a", "gold", "1", Ok(4.0)),
        ("a", "gold", "2", Ok(4.0)),
        ("a", "typos", "1", Ok(3.0)),
    ]);
    let mut stats = stats(Test::PairedT, &["degree"]);
    stats.pair = vec![Pair {
        regardless: vec!["degree".to_owned()],
        ..against_gold()
    }];
    let error = stats.compute(&rows).unwrap_err();
    assert!(error.message.starts_with("2 rows of `score`"), "{error:?}");
}

#[test]
fn pooled_levels_are_one_sample_of_differences() {
    let rows = frame(&[
        ("a", "gold", "", Ok(4.0)),
        ("b", "gold", "", Err("cut-by-length")),
        ("a", "typos", "", Ok(3.0)),
        ("b", "typos", "", Ok(3.0)),
        ("a", "tenses", "", Ok(1.0)),
        ("b", "tenses", "", Err("no-score-found")),
    ]);
    let mut stats = stats(Test::PairedT, &[]);
    stats.pair = vec![Pair {
        pool: true,
        ..against_gold()
    }];
    let output = stats.compute(&rows).unwrap();
    // Gold is counted once, although two levels are compared with it: 2 rows without a score, not 3.
    // Of the levels the mean is (3 + 3 + 1) / 3, of gold 4.
    assert_eq!(
        cells(
            &output,
            &[
                "mean",
                "n",
                "dropped",
                "unscored",
                "level_mean",
                "difference"
            ]
        ),
        [[
            "-2",
            "2",
            "2",
            "2",
            "2.3333333333333335",
            "-1.6666666666666665"
        ]]
    );
    assert!(!output.frame.has("task"));
}

#[test]
fn a_mean_of_one_side_and_a_difference_of_means_have_counts_of_their_own() {
    let rows = frame(&[
        ("a", "gold", "", Ok(4.0)),
        ("b", "gold", "", Ok(4.0)),
        ("c", "gold", "", Err("cut-by-length")),
        ("a", "typos", "", Ok(3.0)),
        ("b", "typos", "", Ok(2.0)),
        ("c", "typos", "", Ok(5.0)),
    ]);
    let mut stats = stats(Test::PairedT, &[]);
    stats.pair = vec![against_gold()];
    let output = stats.compute(&rows).unwrap();
    assert_eq!(
        cells(&output, &["n", "n_of", "unscored", "dropped"]),
        [["2", "pair", "1", "1"]]
    );
    let counts = |statistic| {
        let behind = super::Behind::of(&output.frame, statistic);
        let support = behind.support(0).unwrap();
        ["n", "n_of", "unscored", "dropped"].map(|name| match support.counts.get(name) {
            Scalar::Null => "none".to_owned(),
            count => count.to_string(),
        })
    };
    assert_eq!(counts("mean"), ["2", "pair", "1", "1"]);
    assert_eq!(counts("level_mean"), ["3", "document", "0", "0"]);
    assert_eq!(counts("difference"), ["2", "document", "1", "0"]);
}

#[test]
fn statistics_of_tests_count_the_pairs_that_these_dropped() {
    let rows = frame(&[
        ("a", "gold", "", Ok(4.0)),
        ("b", "gold", "", Err("cut-by-length")),
        ("a", "typos", "", Ok(3.0)),
        ("b", "typos", "", Ok(2.0)),
        ("a", "tenses", "", Ok(2.0)),
        ("b", "tenses", "", Ok(2.0)),
    ]);
    let mut tests = stats(Test::PairedT, &[]);
    tests.pair = vec![against_gold()];
    let tests = tests.compute(&rows).unwrap();
    let all = of_statistics("mean", &[], &["task"])
        .compute(&tests.frame)
        .unwrap();
    assert_eq!(
        cells(&all, &["n", "dropped", "unscored"]),
        [["2", "2", "2"]]
    );
    // The differences of means drop no pair.
    let all = of_statistics("difference", &[], &["task"])
        .compute(&tests.frame)
        .unwrap();
    assert_eq!(
        cells(&all, &["n", "dropped", "unscored"]),
        [["2", "0", "2"]]
    );
}

#[test]
fn a_condition_on_the_score_does_not_make_unscored_rows_vanish() {
    let rows = frame(&[
        ("a", "gold", "", Ok(4.0)),
        ("b", "gold", "", Ok(2.0)),
        ("c", "gold", "", Err("cut-by-length")),
        ("a", "typos", "", Err("cut-by-length")),
    ]);
    let mut stats = stats(Test::Mean, &["task"]);
    stats.condition =
        Some(crate::stage::Expression::parse("score > 3 and task == 'gold'").unwrap());
    let output = stats.compute(&rows).unwrap();
    assert_eq!(
        cells(&output, &["task", "mean", "n", "unscored"]),
        [["gold", "4", "1", "1"]]
    );
}

#[test]
fn groups_that_look_alike_are_told() {
    let rows = frame(&[
        ("a", "gold", "1", Ok(4.0)),
        ("b", "gold", "1 ", Ok(2.0)),
        ("c", "gold", "", Ok(2.0)),
    ]);
    let degrees: Vec<Option<String>> = ["1", "1 ", ""].map(|text| Some(text.to_owned())).into();
    let with = |degrees: Vec<Option<String>>| {
        let mut columns: Vec<(String, ColumnData)> = Vec::new();
        for name in ["doc_id", "task"] {
            let column = rows.column(name).unwrap();
            let texts = (0..3).map(|row| column.text(row).map(std::borrow::Cow::into_owned));
            columns.push((name.to_owned(), ColumnData::Text(texts.collect())));
        }
        columns.push(("degree".to_owned(), ColumnData::Text(degrees)));
        columns.push(("score".to_owned(), ColumnData::Float(vec![Some(1.0); 3])));
        Frame::new(columns).unwrap()
    };
    let stats = stats(Test::Mean, &["degree"]);
    let told = |degrees| stats.compute(&with(degrees)).unwrap().warnings;
    assert_eq!(
        told(degrees),
        [r#"groups of `degree` differ only in blanks: "1" and "1 ""#]
    );
    assert_eq!(
        told(vec![Some("1".to_owned()), None, Some(String::new())]),
        ["rows without a `degree` and rows in which it is empty are one group"]
    );
    assert_eq!(told(vec![Some("1".to_owned()), None, None]), [""; 0]);
}

#[test]
fn answers_without_a_score_are_counted_among_answers() {
    let rows = frame(&[
        ("a", "gold", "", Ok(4.0)),
        ("b", "gold", "", Err("cut-by-length")),
        ("c", "gold", "", Err("not-recorded")),
        ("d", "gold", "", Err("no-score-found")),
        ("a", "typos", "", Err("not-recorded")),
    ]);
    let output = stats(Test::Unscored, &["task"]).compute(&rows).unwrap();
    assert_eq!(
        cells(
            &output,
            &["task", "count", "n", "unscored", "reasons", "why"]
        ),
        [
            ["gold", "2", "3", "1", r#"{"not-recorded":1}"#, "none"],
            [
                "typos",
                "none",
                "0",
                "1",
                r#"{"not-recorded":1}"#,
                "no score among 1 row (1 not recorded)"
            ],
        ]
    );
    let share = &cells(&output, &["share"])[0][0];
    assert!(share.starts_with("0.666666"), "{share}");
}

/// Document, another column, and the score or why there is none.
type Scored = (&'static str, &'static str, Result<f64, &'static str>);

/// Rows of a judge with one column beside document and score.
fn scores(column: &str, rows: &[Scored]) -> Frame {
    let text = |of: fn(&Scored) -> String| ColumnData::text(rows.iter().map(of));
    let reason = |row: &Scored| row.2.err().map(str::to_owned);
    Frame::new(vec![
        ("doc_id".to_owned(), text(|row| row.0.to_owned())),
        (column.to_owned(), text(|row| row.1.to_owned())),
        (
            "score".to_owned(),
            ColumnData::Float(rows.iter().map(|row| row.2.ok()).collect()),
        ),
        (
            "unscored".to_owned(),
            ColumnData::Text(rows.iter().map(reason).collect()),
        ),
    ])
    .unwrap()
}

/// Of the second document coherence is unscored, of the third everything.
const METRICS: [(&str, &str, Result<f64, &str>); 6] = [
    ("a", "fluency", Ok(4.0)),
    ("a", "coherence", Ok(1.0)),
    ("b", "fluency", Ok(4.0)),
    ("b", "coherence", Err("no-score-found")),
    ("c", "fluency", Err("no-score-found")),
    ("c", "coherence", Err("no-score-found")),
];

/// What each row of a result lacks, in words.
fn lacking(output: &Output) -> Vec<String> {
    let rows = cells(output, &["lacks"]).into_iter().flatten();
    rows.map(|text| match text.as_str() {
        "none" => String::new(),
        json => crate::output::report::lack::words(&super::lacks::read(json).unwrap()),
    })
    .collect()
}

fn of_statistics(value: &str, by: &[&str], over: &[&str]) -> Stats {
    Stats {
        from: vec![StageName::new(Kind::Stats, "below")],
        value: value.to_owned(),
        over: over.iter().map(|&name| name.to_owned()).collect(),
        ..stats(Test::Mean, by)
    }
}

#[test]
fn a_mean_over_two_of_three_metrics_says_so_and_so_does_the_mean_of_such_means() {
    let rows = scores("metric", &METRICS[..4]);
    let mut each = stats(Test::Mean, &["doc_id"]);
    each.over = vec!["metric".to_owned()];
    let each = each.compute(&rows).unwrap();
    assert_eq!(
        lacking(&each),
        ["", "over 1 of 2 metrics: without coherence"]
    );
    let all = of_statistics("mean", &[], &["doc_id"])
        .compute(&each.frame)
        .unwrap();
    assert_eq!(
        lacking(&all),
        ["1 of 2 documents is a mean of fewer than 2 metrics: without coherence"]
    );
    assert_eq!(cells(&all, &["mean", "n", "partial"]), [["3.25", "2", "1"]]);
}

#[test]
fn scores_pooled_over_documents_and_metrics_count_documents_with_fewer_metrics() {
    let rows = scores("metric", &METRICS);
    let mut pooled = stats(Test::Mean, &[]);
    pooled.over.push("metric".to_owned());
    let output = pooled.compute(&rows).unwrap();
    // A document without any score lowers n and changes nothing about what is averaged.
    assert_eq!(
        lacking(&output),
        ["1 of 2 documents is a mean of fewer than 2 metrics: without coherence"]
    );
}

#[test]
fn a_pooled_group_lacks_what_the_groups_in_it_lack() {
    let raters = [("gold", 2), ("typos", 2), ("other", 3)];
    let of = |(task, n): (&'static str, usize)| {
        let raters = ["one", "two", "three"].into_iter().take(n);
        raters.map(move |rater| ("a", task, rater, Ok(1.0)))
    };
    let rows: Vec<Row> = raters.into_iter().flat_map(of).collect();
    let mut pooled = stats(Test::Mean, &["task"]);
    pooled.over.push("degree".to_owned());
    pooled.pool = vec![crate::stage::Pool {
        column: "task".to_owned(),
        name: "both".to_owned(),
        of: ["gold", "typos"].map(str::to_owned).to_vec(),
    }];
    let output = pooled.compute(&frame(&rows)).unwrap();
    let two = "1 of 1 documents is a mean of fewer than 3 degrees: without three";
    let four = "1 of 1 documents is a mean of fewer than 6 degrees and tasks: without three · gold, three · typos";
    assert_eq!(lacking(&output), [two, two, "", four]);
}

#[test]
fn documents_whose_repeats_are_partly_unscored_are_counted_in_means_and_pairs() {
    let all = [
        ("a", "gold", Ok(4.0)),
        ("a", "gold", Err("no-score-found")),
        ("b", "gold", Ok(3.0)),
        ("b", "gold", Ok(3.0)),
        ("a", "typos", Ok(2.0)),
        ("a", "typos", Ok(2.0)),
        ("b", "typos", Ok(2.0)),
        ("b", "typos", Ok(1.0)),
    ];
    let mut columns = vec![(
        "repeat".to_owned(),
        ColumnData::infer((0..8_i64).map(|at| Scalar::Int(at % 2)).collect()),
    )];
    let frame = scores("task", &all);
    for name in ["doc_id", "task", "score", "unscored"] {
        let cells = frame.column(name).unwrap().scalars();
        columns.push((name.to_owned(), ColumnData::infer(cells)));
    }
    let frame = Frame::new(columns).unwrap();
    let means = stats(Test::Mean, &["task"]).compute(&frame).unwrap();
    let said = "1 of 2 documents is a mean of fewer than 2 repeats";
    assert_eq!(lacking(&means), [said, ""]);
    let mut paired = stats(Test::PairedT, &[]);
    paired.pair = vec![against_gold()];
    let paired = paired.compute(&frame).unwrap();
    assert_eq!(
        lacking(&paired),
        ["1 of 2 pairs rests on means of fewer than 2 repeats"]
    );
    assert_eq!(cells(&paired, &["n", "partial"]), [["2", "1"]]);
}

/// Statistics of groups, by task and degree of damage; a value that is not there has a reason.
fn degrees(rows: &[(&str, &str, Option<f64>)]) -> Frame {
    Frame::new(vec![
        (
            "task".to_owned(),
            ColumnData::text(rows.iter().map(|row| row.0)),
        ),
        (
            "degree".to_owned(),
            ColumnData::text(rows.iter().map(|row| row.1)),
        ),
        (
            "mean".to_owned(),
            ColumnData::Float(rows.iter().map(|row| row.2).collect()),
        ),
    ])
    .unwrap()
}

#[test]
fn parts_that_other_groups_have_are_missed_and_parts_that_never_meet_are_not() {
    let rows = degrees(&[
        ("gold", "", Some(4.0)),
        ("typos", "1", Some(3.0)),
        ("typos", "2", Some(2.0)),
        ("tenses", "1", Some(3.0)),
        ("order", "1", Some(3.0)),
        ("order", "2", None),
    ]);
    let output = of_statistics("mean", &["task"], &["degree"])
        .compute(&rows)
        .unwrap();
    let fewer = "over 1 of 2 degrees: without 2";
    assert_eq!(lacking(&output), ["", "", fewer, fewer]);
    // `missing` counts parts that should have a value and do not.
    assert_eq!(
        cells(&output, &["missing", "parts"]),
        [["0", "1"], ["0", "2"], ["0", "1"], ["1", "2"]]
    );
}

#[test]
fn a_pair_of_statistics_that_lacks_a_part_on_both_sides_lacks_one() {
    let rows = degrees(&[
        ("gold", "1", Some(4.0)),
        ("gold", "2", Some(4.0)),
        ("gold", "3", None),
        ("typos", "1", Some(3.0)),
        ("typos", "2", Some(1.0)),
        ("typos", "3", None),
    ]);
    let mut paired = of_statistics("mean", &[], &["degree"]);
    paired.test = Test::PairedT;
    paired.pair = vec![against_gold()];
    let output = paired.compute(&rows).unwrap();
    assert_eq!(
        cells(&output, &["n", "missing", "parts"]),
        [["2", "1", "3"]]
    );
    assert_eq!(lacking(&output), ["over 2 of 3 degrees: without 3"]);
}

#[test]
fn a_correction_counts_the_tests_that_were_made_and_says_how_many_were_not() {
    let rows = frame(&[
        ("a", "gold", "", Ok(4.0)),
        ("b", "gold", "", Ok(4.0)),
        ("c", "gold", "", Ok(4.0)),
        ("a", "typos", "", Ok(2.0)),
        ("b", "typos", "", Ok(2.0)),
        ("c", "typos", "", Ok(2.0)),
        ("a", "tenses", "", Ok(3.0)),
        ("b", "tenses", "", Ok(3.5)),
        ("c", "tenses", "", Ok(3.0)),
        ("a", "order", "", Ok(3.0)),
    ]);
    let mut paired = stats(Test::PairedT, &[]);
    paired.pair = vec![against_gold()];
    paired.correct = Some(super::Correction::Holm);
    let output = paired.compute(&rows).unwrap();
    assert_eq!(
        cells(
            &output,
            &[
                "task",
                "correction",
                "family_tests",
                "family_undefined",
                "why"
            ]
        ),
        [
            ["typos", "holm", "1", "2", "all differences are −2"],
            ["tenses", "holm", "1", "2", "none"],
            ["order", "holm", "1", "2", "only 1 complete pair"],
        ]
    );
}

#[test]
fn a_mean_without_an_interval_says_why_there_is_none() {
    let rows = frame(&[
        ("a", "one", "", Ok(4.0)),
        ("a", "alike", "", Ok(4.0)),
        ("b", "alike", "", Ok(4.0)),
    ]);
    let output = stats(Test::Mean, &["task"]).compute(&rows).unwrap();
    assert_eq!(
        cells(&output, &["task", "mean", "ci_low", "why"]),
        [
            ["one", "4", "none", "only 1 value"],
            ["alike", "4", "none", "all values are 4"],
        ]
    );
}

#[test]
fn every_test_gives_the_columns_that_it_says() {
    let rows = frame(&[("a", "gold", "", Ok(4.0)), ("a", "typos", "", Ok(2.0))]);
    for test in [Test::Mean, Test::PairedT, Test::Unscored] {
        let paired = test == Test::PairedT;
        let mut stats = stats(test, if paired { &[] } else { &["task"] });
        stats.correct = Some(super::Correction::Holm);
        if paired {
            stats.pair = vec![against_gold()];
        }
        let output = stats.compute(&rows).unwrap();
        let groups = stats.groups().map(str::to_owned);
        let said = groups.chain(stats.gives().into_iter().map(|(name, _)| name));
        assert_eq!(output.frame.names(), said.collect::<Vec<_>>());
    }
}
