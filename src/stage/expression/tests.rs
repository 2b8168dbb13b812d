//! Conditions over rows.

use super::*;
use crate::frame::ColumnData;

fn kept(expression: &str) -> Vec<usize> {
    let frame = Frame::new(vec![
        (
            "year".into(),
            ColumnData::Int(vec![Some(1890), Some(1910), None]),
        ),
        (
            "genre".into(),
            ColumnData::text(["Poetry", "Fiction", "Fiction"]),
        ),
    ])
    .unwrap();
    Expression::parse(expression)
        .unwrap()
        .rows(&frame, vec![0, 1, 2])
        .unwrap()
        .rows
}

#[test]
fn numbers_and_text_are_compared() {
    assert_eq!(kept("year >= 1900 and genre == 'Fiction'"), [1]);
}

#[test]
fn an_absent_value_is_less_than_nothing() {
    assert_eq!(kept("year < 1900"), [0]);
}

#[test]
fn an_absent_value_can_be_asked_for() {
    assert_eq!(kept("year is none"), [2]);
}

#[test]
fn asking_for_one_absent_column_does_not_let_others_through() {
    assert_eq!(kept("genre is not none and year < 1900"), [0]);
}

#[test]
fn text_is_not_compared_with_a_number() {
    let frame = Frame::new(vec![("year".into(), ColumnData::text(["1850", "c. 1890"]))]).unwrap();
    let error = |text: &str| {
        let expression = Expression::parse(text).unwrap();
        expression.rows(&frame, vec![0, 1]).unwrap_err().message
    };
    for text in ["year >= 1900", "1900 < year", "year in [1850, 1860]"] {
        assert_eq!(
            error(text),
            format!(
                "`{text}`: row 1: `year` is text (`1850`), and is compared with a number ({})",
                if text.contains("1900") {
                    "`1900`"
                } else {
                    "`1850`"
                }
            )
        );
    }
}

#[test]
fn equality_with_none_is_refused() {
    let error = Expression::parse("year == none").unwrap_err();
    assert_eq!(
        error,
        "nothing equals `none`: write `is none` or `is not none`"
    );
}

#[test]
fn the_columns_used_are_known_without_running() {
    let expression = Expression::parse("year > 1900 and genre in ['a']").unwrap();
    assert_eq!(expression.columns(), ["genre", "year"]);
}

/// A table with a column of each kind, one of them with an absent value.
fn books() -> Frame {
    let some = |values: [Option<&str>; 3]| {
        ColumnData::Text(values.map(|value| value.map(str::to_owned)).to_vec())
    };
    Frame::new(vec![
        ("year".into(), ColumnData::text(["1850", "c. 1890", "1910"])),
        (
            "pages".into(),
            ColumnData::Int(vec![Some(90), Some(310), None]),
        ),
        (
            "genre".into(),
            some([Some("Poetry"), None, Some("Fiction")]),
        ),
        (
            "score".into(),
            ColumnData::Float(vec![Some(2.0), Some(3.5), Some(4.0)]),
        ),
        (
            "long".into(),
            ColumnData::Bool(vec![Some(false), Some(true), Some(true)]),
        ),
    ])
    .unwrap()
}

fn of_books(condition: &str) -> Result<Kept, Failure> {
    Expression::parse(condition)
        .unwrap()
        .rows(&books(), vec![0, 1, 2])
}

#[test]
fn values_of_different_kinds_are_refused_however_they_are_written() {
    for condition in [
        "(year) >= 1900",
        "1900 < (year)",
        "year|trim >= 1900",
        "score|int == '2'",
        "year == pages",
        "score > year",
        "score in ['2', '3']",
        "score in [2, '3']",
        "'a' in score",
        "2 in genre and genre is not none",
        "not year",
        "year",
        "score",
        "score + year > 3",
        "year * 2 == '18501850'",
        "-year < 0",
        "long == 1",
        "long + 1 == 2",
        "1 < score < '4'",
        "score is eq('2')",
        "score is lessthan('4')",
        "year is gt(1900)",
        "year is odd",
        "score is startingwith('2')",
        "[score, '3']|max == 3",
        "[2, 3]|select('eq', '2')|length == 1",
        "(year if long else score) == 'a' or score == year",
        "[score, year] == [2, 1850]",
        "score > 100 and year > 1900",
        "score > 1 or year > 1900",
        "year == ['1850']",
        "(year|trim)|length == '4'",
    ] {
        let wrong = of_books(condition).unwrap_err();
        assert!(
            wrong.message.starts_with(&format!("`{condition}`: row ")),
            "{}",
            wrong.message
        );
        assert!(wrong.hint.is_some(), "{condition}");
        assert!(!wrong.message.contains("cannot be"), "{}", wrong.message);
    }
}

#[test]
fn values_of_one_kind_are_compared() {
    let kept = |condition: &str| {
        of_books(condition)
            .map(|kept| kept.rows)
            .map_err(|wrong| wrong.message)
    };
    for (condition, rows) in [
        ("(score) >= 3.5", vec![1, 2]),
        ("score == 2", vec![0]),
        ("score in [2, 3.5]", vec![0, 1]),
        ("score not in [2, 3.5]", vec![2]),
        ("2 <= score < 4", vec![0, 1]),
        ("year|length == 4", vec![0, 2]),
        ("year|first == 'c'", vec![1]),
        ("year[0] == '1'", vec![0, 2]),
        ("year[:2] == '18'", vec![0]),
        ("'c. ' in year", vec![1]),
        ("year is startingwith('1')", vec![0, 2]),
        ("(year|replace('c. ', ''))|int > 1860", vec![1, 2]),
        ("long", vec![1, 2]),
        ("not long", vec![0]),
        ("long == (score > 3)", vec![0, 1, 2]),
        ("score * 2 - 1 > 5.5", vec![1, 2]),
        ("score // 1 in range(2, 4)", vec![0, 1]),
        ("score is even", vec![0, 2]),
        ("(3 if long else 2) < score", vec![1, 2]),
        ("year ~ '!' == '1850!'", vec![0]),
        ("[2, 3]|max == 3", vec![0, 1, 2]),
        ("year|upper == year", vec![0, 2]),
        ("doc is defined or true", vec![]),
    ] {
        if condition.contains("doc") {
            assert!(kept(condition).is_err());
            continue;
        }
        assert_eq!(kept(condition), Ok(rows), "{condition}");
    }
}

#[test]
fn rows_that_lack_what_decides_are_counted() {
    let said = |condition: &str| {
        let kept = of_books(condition).unwrap();
        (kept.rows, kept.undecided)
    };
    assert_eq!(
        said("pages > 100"),
        (
            vec![1],
            Some(
                "`pages > 100` leaves out 1 of 3 rows without a value in `pages`; begin it with `pages is not none and` \
                 if that is meant"
                    .to_owned()
            )
        )
    );
    // Neither a value that decides nothing nor one that is asked for is worth a word.
    assert_eq!(said("score < 4 and pages > 100"), (vec![1], None));
    assert_eq!(said("pages is not none and pages > 100"), (vec![1], None));
    assert_eq!(said("pages is none or pages > 100"), (vec![1, 2], None));
    // What is absent is less than nothing, also where it is asked for.
    assert_eq!(
        said("pages is not none or pages < 100"),
        (
            vec![0, 1],
            Some("`pages is not none or pages < 100` has no answer for 1 of 3 rows, which it leaves out".to_owned())
        )
    );
    let (rows, undecided) = said("pages > 100 or genre == 'Fiction'");
    assert_eq!(rows, [0; 0]);
    assert!(
        undecided
            .unwrap()
            .contains("2 of 3 rows without a value in `genre` or `pages`")
    );
}

#[test]
fn what_a_condition_calls_has_to_be_there() {
    for (condition, said) in [
        (
            "year|lowr == 'a'",
            "there is no filter `lowr`, did you mean `lower`?",
        ),
        (
            "year is nune",
            "there is no test `is nune`, did you mean `none`?",
        ),
        (
            "rnge(3) == 1",
            "there is no function `rnge`, did you mean `range`?",
        ),
        (
            "(year) == none",
            "nothing equals `none`: write `is none` or `is not none`",
        ),
        (
            "none != year",
            "nothing equals `none`: write `is none` or `is not none`",
        ),
    ] {
        assert_eq!(Expression::parse(condition).unwrap_err(), said);
    }
}

#[test]
fn a_column_may_have_the_name_of_a_function() {
    let frame = Frame::new(vec![(
        "range".into(),
        ColumnData::Int(vec![Some(1), Some(5)]),
    )])
    .unwrap();
    let kept = Expression::parse("range > 3")
        .unwrap()
        .rows(&frame, vec![0, 1])
        .unwrap();
    assert_eq!(kept.rows, [1]);
}

#[test]
fn long_chains_are_read_and_deep_ones_refused() {
    let long = vec!["year == 'a'"; 250].join(" or ");
    assert_eq!(of_books(&long).unwrap().rows, [0; 0]);
    let longer = vec!["year == 'a'"; 5_000].join(" or ");
    assert!(Expression::parse(&longer).is_err());
    let deep = format!("{}long{}", "not (".repeat(120), ")".repeat(120));
    assert!(Expression::parse(&deep).is_err());
}

#[test]
fn kinds_that_cannot_fit_are_found_without_rows() {
    let check = |condition: &str| {
        let axes = |name: &str| (name == "task").then(|| Scalar::from("gold"));
        Expression::parse(condition)
            .unwrap()
            .check_kinds(axes)
            .map_err(|wrong| wrong.message)
    };
    for (condition, said) in [
        (
            "task == 41",
            "`task` is text, and is compared with a number (`41`)",
        ),
        (
            "year|int == '1900'",
            "`year|int` is a number, and is compared with text (`'1900'`)",
        ),
        (
            "year > 1 and 'a'",
            "`'a'` is text, where true or false is needed",
        ),
    ] {
        assert_eq!(check(condition), Err(said.to_owned()));
    }
    for condition in [
        "task == 'gold'",
        "year > 1900",
        "year == pages",
        "task|int == 41",
        "task in ['41', 'gold']",
        "year",
        "task is none",
    ] {
        assert_eq!(check(condition), Ok(()), "{condition}");
    }
}
