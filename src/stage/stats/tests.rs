//! Statistics of small tables, by hand: pooling, levels that lack a column's values, answers without a score.

use super::{Output, Pair, Stats, Test};
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
        from: vec![StageName::new(Kind::Judge, "grades")],
        test,
        value: "score".to_owned(),
        condition: None,
        over: vec!["doc_id".to_owned()],
        by: by.iter().map(|&name| name.to_owned()).collect(),
        pair: Vec::new(),
        ddof: Ddof::Sample,
        level: DEFAULT_LEVEL,
        alternative: Tail::TwoSided,
        correct: None,
        family: Vec::new(),
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
    let output = stats.run(&rows).unwrap();
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
    let error = stats.run(&rows).unwrap_err();
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
    let output = stats.run(&rows).unwrap();
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
fn answers_without_a_score_are_counted_among_answers() {
    let rows = frame(&[
        ("a", "gold", "", Ok(4.0)),
        ("b", "gold", "", Err("cut-by-length")),
        ("c", "gold", "", Err("not-recorded")),
        ("d", "gold", "", Err("no-score-found")),
        ("a", "typos", "", Err("not-recorded")),
    ]);
    let output = stats(Test::Unscored, &["task"]).run(&rows).unwrap();
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
