//! Rows of two tables together.

use super::{How, Join};
use crate::frame::{ColumnData, Frame};
use crate::stage::{Kind, Relation, StageName};

fn join(how: How) -> Join {
    Join {
        from: StageName::new(Kind::Source, "a"),
        with: StageName::new(Kind::Judge, "b"),
        on: vec![("id".to_owned(), "name".to_owned())],
        how,
        columns: None,
        many: false,
        axes: Vec::new(),
        alone: Vec::new(),
    }
}

fn frame(columns: Vec<(&str, ColumnData)>) -> Frame {
    let columns = columns.into_iter();
    let columns = columns.map(|(name, data)| (name.to_owned(), data));
    Frame::new(columns.collect()).unwrap()
}

fn texts(cells: &[Option<&str>]) -> ColumnData {
    let cells = cells.iter();
    ColumnData::Text(cells.map(|cell| cell.map(str::to_owned)).collect())
}

fn left() -> Frame {
    frame(vec![
        ("id", texts(&[Some("x"), Some("y"), None, Some("x")])),
        (
            "v",
            ColumnData::Int(vec![Some(1), Some(2), Some(3), Some(4)]),
        ),
    ])
}

fn right() -> Frame {
    frame(vec![
        ("name", texts(&[Some("z"), Some("x")])),
        ("score", ColumnData::Float(vec![Some(5.0), None])),
        ("unscored", texts(&[None, Some("ambiguous")])),
    ])
}

fn cells(frame: &Frame, name: &str) -> Vec<String> {
    let cells = frame.column(name).unwrap().scalars();
    cells.iter().map(ToString::to_string).collect()
}

#[test]
fn what_finds_nothing_is_absent_and_says_so_beside_the_reasons_of_the_right() {
    let output = join(How::Left).join(&left(), &right()).unwrap();
    assert_eq!(output.frame.names(), ["id", "v", "score", "unscored"]);
    assert_eq!(cells(&output.frame, "score"), ["", "", "", ""]);
    assert_eq!(
        cells(&output.frame, "unscored"),
        [
            "ambiguous",
            "no match in `judge.b`",
            "no `id`: no value",
            "ambiguous"
        ]
    );
    assert_eq!(
        output
            .counts
            .relation
            .as_ref()
            .map(Relation::words)
            .unwrap(),
        "2 of 4 rows have a match in `judge.b`; 1 of its 2 rows matches nothing"
    );
    let mut renamed = join(How::Left);
    renamed.columns = Some(vec![("second".to_owned(), "score".to_owned())]);
    let output = renamed.join(&left(), &right()).unwrap();
    assert_eq!(output.frame.names(), ["id", "v", "second", "no_second"]);
    assert_eq!(
        cells(&output.frame, "no_second")[..2],
        ["ambiguous", "no match in `judge.b`"]
    );
}

#[test]
fn an_inner_join_leaves_out_what_an_anti_join_keeps() {
    let inner = join(How::Inner).join(&left(), &right()).unwrap();
    assert_eq!(cells(&inner.frame, "v"), ["1", "4"]);
    assert_eq!(cells(&inner.frame, "unscored"), ["ambiguous", "ambiguous"]);
    let anti = join(How::Anti).join(&left(), &right()).unwrap();
    assert_eq!(anti.frame.names(), ["id", "v"]);
    assert_eq!(cells(&anti.frame, "v"), ["2", "3"]);
}

#[test]
fn every_row_meets_every_other_in_a_cross_join() {
    let cross = join(How::Cross).join(&left(), &right()).unwrap();
    assert_eq!(
        cells(&cross.frame, "v"),
        ["1", "1", "2", "2", "3", "3", "4", "4"]
    );
    let mut crossed = join(How::Cross);
    crossed.on.clear();
    let cross = crossed.join(&left(), &right()).unwrap();
    assert_eq!(cells(&cross.frame, "name")[..3], ["z", "x", "z"]);
}

#[test]
fn two_rows_with_one_key_are_shown_and_allowed_where_the_spec_says_so() {
    let twice = right().take(&[1, 0, 1]).unwrap();
    let twice = twice
        .with_column("turn", ColumnData::Int(vec![Some(1), Some(2), Some(3)]))
        .unwrap();
    let failure = join(How::Left).join(&left(), &twice).unwrap_err();
    assert_eq!(
        failure.message,
        "two rows of `judge.b` have the same key: name = x: row 1 (turn = 1) and row 3 (turn = 3)"
    );
    let mut many = join(How::Left);
    many.many = true;
    let output = many.join(&left(), &twice).unwrap();
    assert_eq!(cells(&output.frame, "v"), ["1", "1", "2", "3", "4", "4"]);
    assert_eq!(cells(&output.frame, "turn"), ["1", "3", "", "", "1", "3"]);
    let anti = join(How::Anti).join(&left(), &twice).unwrap();
    assert_eq!(cells(&anti.frame, "v"), ["2", "3"]);
}

#[test]
fn a_column_that_both_have_is_refused_with_the_repair() {
    let right = right()
        .with_column("v", ColumnData::Int(vec![Some(7), Some(8)]))
        .unwrap();
    let failure = join(How::Left).join(&left(), &right).unwrap_err();
    assert_eq!(failure.message, "both `source.a` and `judge.b` have `v`");
    assert_eq!(
        failure.hint.unwrap(),
        "name the columns that come from `judge.b`, those under another name: `columns = { b_v = \"v\" }`"
    );
}

#[test]
fn keys_that_are_never_equal_are_refused() {
    let numbers = right()
        .with_column("name", ColumnData::Int(vec![Some(1), Some(2)]))
        .unwrap();
    let failure = join(How::Left).join(&left(), &numbers).unwrap_err();
    assert_eq!(
        failure.message,
        "`id` of `source.a` holds text, and `name` of `judge.b` whole numbers, which are never equal"
    );
}

#[test]
fn a_table_without_rows_is_a_table_all_the_same() {
    let (none, nothing) = (left().take(&[]).unwrap(), right().take(&[]).unwrap());
    for how in [How::Left, How::Inner, How::Anti, How::Cross] {
        let mut join = join(how);
        join.columns = (how != How::Anti).then(|| vec![("s".to_owned(), "score".to_owned())]);
        let one = join.join(&none, &right()).unwrap();
        assert_eq!(one.frame.rows(), 0, "{how:?}");
        let two = join.join(&left(), &nothing).unwrap();
        let rows = if [How::Left, How::Anti].contains(&how) {
            4
        } else {
            0
        };
        assert_eq!(two.frame.rows(), rows, "{how:?}");
    }
}

#[test]
fn lists_are_no_key() {
    let lists =
        |name, list: &str| frame(vec![(name, ColumnData::Json(vec![Some(list.to_owned())]))]);
    for (left, right, which) in [
        (lists("id", "[1]"), lists("name", "[1.0]"), "id"),
        (left(), lists("name", "[1]"), "name"),
    ] {
        let failure = join(How::Left).join(&left, &right).unwrap_err();
        assert_eq!(
            failure.message,
            format!("`{which}` holds lists or objects, which are no key")
        );
    }
}

#[test]
fn more_pairs_than_a_table_can_have_are_refused_before_they_are_made() {
    let rows = |name, n: usize| frame(vec![(name, texts(&vec![Some("x"); n]))]);
    let (one, two) = (rows("id", 30_000), rows("name", 30_000));
    let mut many = join(How::Inner);
    many.many = true;
    for join in [join(How::Cross), many.clone(), join(How::Anti)] {
        let failure = join.join(&one, &two).unwrap_err();
        assert_eq!(
            failure.message,
            "30,000 rows of `source.a` and 30,000 rows of `judge.b` make 900,000,000 pairs, and a join may have 50,000,000"
        );
        assert!(failure.hint.is_some());
    }
    // As many rows with few partners, or without a key, are no such case.
    let numbers = |name| {
        let keys = (0..30_000_i64).map(|row| (row % 3 > 0).then_some(row));
        frame(vec![(name, ColumnData::Int(keys.collect()))])
    };
    let found = many.join(&numbers("id"), &numbers("name")).unwrap();
    assert_eq!(found.frame.rows(), 20_000);
}
