//! Values of expressions over rows.

use super::*;
use crate::frame::ColumnData;
use crate::stage::Holds;

/// Judged rows, one of them without a score, with lists.
fn judged() -> Frame {
    let json = |cells: [Option<&str>; 3]| {
        ColumnData::Json(cells.map(|cell| cell.map(str::to_owned)).to_vec())
    };
    Frame::new(vec![
        ("doc_id".into(), ColumnData::text(["a", "b", "c"])),
        (
            "score".into(),
            ColumnData::Float(vec![Some(4.0), None, Some(2.5)]),
        ),
        (
            "unscored".into(),
            ColumnData::Text(vec![None, Some("ambiguous".into()), None]),
        ),
        (
            "step".into(),
            ColumnData::Int(vec![Some(-2), Some(1), Some(0)]),
        ),
        (
            "year".into(),
            ColumnData::Int(vec![None, Some(1900), Some(i64::MAX)]),
        ),
        (
            "nodes".into(),
            json([Some(r#"["1","1.2"]"#), Some("[]"), None]),
        ),
        (
            "fallen".into(),
            json([Some(r#"["1.2","3"]"#), Some(r#"["1"]"#), Some(r#"["1"]"#)]),
        ),
        (
            "numbers".into(),
            json([Some("[0.1,0.2,0.3]"), Some("[3,null]"), Some("[]")]),
        ),
    ])
    .unwrap()
}

/// The cells of an expression, each as text or with its reason in parentheses.
fn cells(text: &str) -> Vec<String> {
    let frame = Expression::parse(text).unwrap();
    let frame = frame.compute(judged(), "new", Holds::Unknown).unwrap();
    let column = frame.column("new").unwrap();
    let why = frame.column("no_new").ok();
    (0..frame.rows())
        .map(|row| match column.text(row) {
            Some(text) => text.into_owned(),
            None => format!("({})", why.as_ref().unwrap().text(row).unwrap()),
        })
        .collect()
}

fn error(text: &str) -> String {
    let expression = Expression::parse(text).unwrap();
    let failure = expression
        .compute(judged(), "new", Holds::Unknown)
        .unwrap_err();
    failure.message
}

#[test]
fn a_value_made_of_an_absent_one_is_absent_and_says_which() {
    assert_eq!(
        cells("score + step"),
        ["2", "(no `score`: ambiguous)", "2.5"]
    );
    assert_eq!(
        cells("score * year"),
        [
            "(no `year`: no value)",
            "(no `score`: ambiguous)",
            "23058430092136940000"
        ]
    );
    assert_eq!(
        cells("[1, [score + step, 3] | min] | max"),
        ["2", "(no `score`: ambiguous)", "2.5"]
    );
    // What is decided needs no value.
    assert_eq!(cells("step > 0 or score > 3"), ["true", "true", "false"]);
    assert_eq!(cells("0 if score is none else step"), ["-2", "0", "0"]);
    assert_eq!(cells("step if step > 0 else score"), ["4", "1", "2.5"]);
    assert_eq!(
        cells("score if step > 0 else step"),
        ["-2", "(no `score`: ambiguous)", "0"]
    );
}

#[test]
fn what_cannot_be_computed_is_absent_with_the_reason() {
    assert_eq!(cells("1 / step"), ["-0.5", "1", "(division by zero)"]);
    assert_eq!(cells("7 // step"), ["-4", "7", "(division by zero)"]);
    assert_eq!(
        cells("year + 1"),
        ["(no `year`: no value)", "1901", "(the number is too large)"]
    );
    assert_eq!(
        cells("(step - 1) ** 0.5")[0],
        "(there is no such number, or it is too large)"
    );
    assert_eq!(
        cells("step ** -1")[2],
        "(there is no such number, or it is too large)"
    );
    assert_eq!(
        cells("10.0 ** (400 + step)")[0],
        "(there is no such number, or it is too large)"
    );
    assert_eq!(
        cells("step if step > 0"),
        [
            "(the condition does not hold, and there is no `else`)",
            "1",
            "(the condition does not hold, and there is no `else`)"
        ]
    );
}

#[test]
fn a_t_that_rows_hold_has_a_p() {
    assert_eq!(
        cells("score | t_p(10) | round(6)"),
        ["0.002518", "(no `score`: ambiguous)", "0.031447"]
    );
    assert_eq!(
        cells("1 | t_p(step) | round(6)"),
        [
            "(fewer than 1 degree of freedom)",
            "0.5",
            "(fewer than 1 degree of freedom)"
        ]
    );
    assert!(error("score | t_p").contains("`t_p` takes the degrees of freedom"));
    assert!(error("doc_id | t_p(3)").contains("`t_p` reads numbers"));
}

#[test]
fn lists_are_values() {
    assert_eq!(
        cells("nodes | length"),
        ["2", "0", "(no `nodes`: no value)"]
    );
    assert_eq!(cells("'[5, 3]' | fromjson | sort | first"), ["3", "3", "3"]);
    assert_eq!(
        cells("doc_id | fromjson | length"),
        [
            "(the text is no JSON)",
            "(the text is no JSON)",
            "(the text is no JSON)"
        ]
    );
    assert_eq!(
        cells("nodes | intersects(fallen)"),
        ["true", "false", "(no `nodes`: no value)"]
    );
    assert_eq!(
        cells("numbers | sum"),
        ["0.6", "(the list lacks an element)", "0"]
    );
    assert_eq!(
        cells("numbers | max"),
        ["0.3", "(the list lacks an element)", "(the list is empty)"]
    );
    assert_eq!(cells("numbers | first")[..2], ["0.1", "3"]);
    assert_eq!(
        cells("numbers | last")[..2],
        ["0.3", "(the list lacks an element)"]
    );
    assert_eq!(cells("fallen | join('+')"), ["1.2+3", "1", "1"]);
    assert_eq!(
        cells("['b', 'B', 'a', 'b'] | unique")[0],
        r#"["b","B","a"]"#
    );
    assert_eq!(cells("['b', 'B', 'a'] | sort")[0], r#"["B","a","b"]"#);
    assert_eq!(cells("[doc_id, step]")[1], r#"["b",1]"#);
    assert_eq!(cells("{'id': doc_id}")[0], r#"{"id":"a"}"#);
    assert_eq!(cells("numbers"), ["[0.1,0.2,0.3]", "[3,null]", "[]"]);
    assert_eq!(cells("doc_id in ['a', 'c']"), ["true", "false", "true"]);
    assert_eq!(cells("(5 * step / 2) | round | int | abs")[0], "5");
    assert_eq!(cells("doc_id ~ '-' ~ step"), ["a--2", "b-1", "c-0"]);
    assert_eq!(cells("'12' | int + '0.5' | float")[0], "12.5");
}

#[test]
fn one_column_holds_values_of_one_kind() {
    assert_eq!(
        error("doc_id if step < 0 else step"),
        "`doc_id if step < 0 else step`: row 1 is text (`a`), and row 2 a number (`1`)"
    );
    assert_eq!(
        error("doc_id + 1"),
        "`doc_id + 1`: row 1: `doc_id` is text (`a`), and `+` needs numbers"
    );
    assert_eq!(cells("1 if step > 0 else 0.5"), ["0.5", "1", "0.5"]);
}

#[test]
fn what_an_expression_makes_is_known_without_rows() {
    let known = |name: &str| match name {
        "score" => Holds::Numbers,
        "doc_id" => Holds::Text,
        _ => Holds::Unknown,
    };
    for (text, holds) in [
        ("score > 3", Holds::Truth),
        ("score - 1", Holds::Numbers),
        ("[score, 1] | max", Holds::Numbers),
        ("doc_id ~ score", Holds::Text),
        ("doc_id if score > 3 else 'x'", Holds::Text),
        ("doc_id if score > 3 else 1", Holds::Unknown),
        ("[doc_id, score] | length", Holds::Numbers),
        ("[doc_id, score]", Holds::Json),
        ("nodes | intersects(fallen)", Holds::Truth),
        ("score", Holds::Numbers),
        ("other", Holds::Unknown),
    ] {
        assert_eq!(
            Expression::parse(text).unwrap().holds(&known),
            holds,
            "{text}"
        );
    }
}

#[test]
fn aggregates_have_their_place() {
    for (text, said) in [
        (
            "mean(score)",
            "`mean` is over the rows of a group: write it in a `group` stage",
        ),
        (
            "max(score)",
            "`max` is a filter over a list here: `[one, other]|max`; over the rows of a group it belongs into a `group` stage",
        ),
        (
            "nodes|intersect(fallen)",
            "there is no filter `intersect`, did you mean `intersects`?",
        ),
    ] {
        assert_eq!(Expression::parse(text).unwrap_err(), said);
    }
    for (text, said) in [
        (
            "meen(score)",
            "there is no aggregate `meen`, did you mean `mean`?",
        ),
        (
            "mean(score - mean(score))",
            "`mean` stands in another aggregate: compute one of them in a `group` before",
        ),
        ("all()", "`all` takes one condition, such as `score == 1`"),
        ("sum(a, b)", "`sum` takes one column or expression"),
        (
            "sd(score, 3)",
            "the second argument of `sd` is taken off n in the denominator: `sd(x, 0)` or `sd(x, 1)`",
        ),
        ("list()", "`list` takes columns: `list(node, text)`"),
        (
            "list(node, score + 1)",
            "the fields of a list need names: write `list(node, score = 5 - score)`",
        ),
        ("list(node, node)", "`list` has the field `node` twice"),
    ] {
        assert_eq!(Expression::of_groups(text).unwrap_err(), said, "{text}");
    }
    let expression = Expression::of_groups("sum(score == 1) / count() * weight").unwrap();
    assert_eq!(expression.columns(), ["score"]);
    assert_eq!(expression.outer(), ["weight"]);
}

#[test]
fn what_is_made_of_each_element_is_measured_together() {
    let text = "x".repeat(1000);
    let list = format!("[{}]", vec![format!("\"{text}\""); 100].join(","));
    let frame = Frame::new(vec![
        ("text".to_owned(), ColumnData::text([text])),
        ("texts".to_owned(), ColumnData::Json(vec![Some(list)])),
    ])
    .unwrap();
    let computed = |text: &str| {
        let expression = Expression::parse(text).unwrap();
        let made = expression.compute(frame.clone(), "new", Holds::Unknown);
        made.map(drop).map_err(|failure| failure.message)
    };
    for text in [
        "texts | map('replace', 'x', text) | join",
        "texts | map('indent', 1000000, true) | join",
        "texts | map('list') | map('join', text) | join",
        "texts | map('slice', 1000000) | length",
        "[texts, texts] | map('tojson', 1000000) | join",
    ] {
        let said = computed(text).err();
        let refused = said
            .as_ref()
            .is_some_and(|said| said.contains("grows beyond"));
        assert!(refused, "{text}: {said:?}");
    }
    for text in [
        "texts | map('replace', 'x', 'yy') | join",
        "texts | map('upper') | join(text)",
        "text | replace('x', text)",
    ] {
        assert_eq!(computed(text), Ok(()), "{text}");
    }
}
