//! Rows of several tables below each other.

use std::sync::Arc;

use super::Concat;
use crate::frame::{ColumnData, Frame};
use crate::stage::inputs::Inputs;
use crate::stage::{Kind, Relation, StageName};

fn name(name: &str) -> StageName {
    StageName::new(Kind::Source, name)
}

fn concat(columns: &[&str]) -> Concat {
    Concat {
        from: vec![name("a"), name("b")],
        origin: Some(("origin".to_owned(), vec!["a".to_owned(), "b".to_owned()])),
        over: Vec::new(),
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        axes: Vec::new(),
        uneven: Vec::new(),
    }
}

fn table(columns: Vec<(&str, ColumnData)>) -> Arc<Frame> {
    let columns = columns.into_iter();
    let columns = columns.map(|(name, data)| (name.to_owned(), data));
    Arc::new(Frame::new(columns.collect()).unwrap())
}

fn inputs(a: Arc<Frame>, b: Arc<Frame>) -> Inputs {
    Inputs::new(vec![(name("a"), a), (name("b"), b)])
}

#[test]
fn rows_keep_their_order_say_where_they_are_from_and_are_counted() {
    let a = table(vec![("year", ColumnData::Int(vec![Some(3), Some(1)]))]);
    let b = table(vec![("year", ColumnData::Float(vec![Some(0.5)]))]);
    let output = concat(&[]).put_together(&inputs(a, b)).unwrap();
    let cells = |name: &str| -> Vec<String> {
        let column = output.frame.column(name).unwrap();
        column.scalars().iter().map(ToString::to_string).collect()
    };
    assert_eq!(cells("year"), ["3", "1", "0.5"]);
    assert_eq!(cells("origin"), ["a", "a", "b"]);
    let said = output.counts.relation.as_ref().map(Relation::words);
    let said = said.unwrap();
    assert_eq!(said, "3 rows: 2 of `source.a`, 1 of `source.b`");
}

#[test]
fn a_column_that_only_some_have_is_refused_unless_the_columns_are_named() {
    let a = || {
        table(vec![
            ("x", ColumnData::text(["1"])),
            ("y", ColumnData::text(["2"])),
        ])
    };
    let b = || table(vec![("x", ColumnData::text(["3"]))]);
    let failure = concat(&[]).put_together(&inputs(a(), b())).unwrap_err();
    assert_eq!(
        failure.message,
        "`source.b` has no `y`, which `source.a` has"
    );
    let hint = failure.hint.unwrap();
    assert_eq!(
        hint,
        "name the columns wanted; all have `columns = [\"x\"]`"
    );
    let output = concat(&["x"]).put_together(&inputs(a(), b())).unwrap();
    assert_eq!(output.frame.names(), ["x", "origin"]);
}

#[test]
fn reasons_are_there_where_something_is_absent_and_come_along() {
    let why = ColumnData::Text(vec![Some("no match".to_owned())]);
    let absent = ColumnData::Float(vec![None]);
    let a = || table(vec![("x", absent.clone()), ("no_x", why.clone())]);
    let b = || table(vec![("x", ColumnData::Float(vec![Some(2.0)]))]);
    for columns in [&[][..], &["x"]] {
        let output = concat(columns).put_together(&inputs(a(), b())).unwrap();
        let said = output.frame.column("no_x").unwrap();
        assert_eq!(said.text(0).as_deref(), Some("no match"), "{columns:?}");
        assert_eq!(said.text(1), None);
    }
}

#[test]
fn numbers_beside_texts_are_refused_and_columns_without_values_are_neither() {
    let text = table(vec![("x", ColumnData::text(["1"]))]);
    let numbers = || table(vec![("x", ColumnData::Int(vec![Some(1)]))]);
    let failure = concat(&[])
        .put_together(&inputs(numbers(), text))
        .unwrap_err();
    assert_eq!(
        failure.message,
        "`x` of `source.a` holds numbers, and of `source.b` text"
    );
    let empty = table(vec![("x", ColumnData::Text(vec![None]))]);
    let output = concat(&[]).put_together(&inputs(numbers(), empty)).unwrap();
    assert_eq!(output.frame.column("x").unwrap().kind(), "whole numbers");
}
