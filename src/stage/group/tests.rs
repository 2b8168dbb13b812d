//! Groups of rows.

use super::*;
use crate::stage::contract::Work;
use crate::stage::{Kind, with_reasons};

/// Verdicts of two aspects on nodes of two documents; one has no score, one aspect is missing.
fn verdicts() -> Frame {
    let text = |cells: [Option<&str>; 6]| {
        ColumnData::Text(cells.map(|cell| cell.map(str::to_owned)).to_vec())
    };
    Frame::new(vec![
        (
            "doc_id".to_owned(),
            text([Some("b"), Some("a"), Some("b"), Some("a"), Some("a"), None]),
        ),
        (
            "aspect".to_owned(),
            text([
                Some("clear"),
                Some("clear"),
                Some("true"),
                Some("true"),
                Some("true"),
                Some("true"),
            ]),
        ),
        (
            "score".to_owned(),
            ColumnData::Float(vec![
                Some(1.0),
                Some(3.0),
                Some(0.5),
                None,
                Some(4.0),
                Some(2.0),
            ]),
        ),
        (
            "unscored".to_owned(),
            text([None, None, None, Some("ambiguous"), None, None]),
        ),
        (
            "title".to_owned(),
            text([Some("B"), Some("A"), Some("B"), Some("A"), Some("A"), None]),
        ),
        (
            "item".to_owned(),
            ColumnData::Int([2, 3, 1, 2, 1, 1].map(Some).to_vec()),
        ),
    ])
    .unwrap()
}

fn group(by: &[&str], compute: &[(&str, &str)]) -> Group {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let compute = compute
        .iter()
        .map(|(name, text)| ((*name).to_owned(), Expression::of_groups(text).unwrap()));
    Group {
        from: StageName::new(Kind::Judge, "grades"),
        axes: Vec::new(),
        by: names(by),
        order: Vec::new(),
        compute: compute.collect(),
        columns: Vec::new(),
        complete: Vec::new(),
        every: None,
        over: Vec::new(),
        pool: Vec::new(),
    }
}

/// The cells of a column, absent ones with their reason in parentheses.
fn cells(frame: &Frame, name: &str) -> Vec<String> {
    let column = frame.column(name).unwrap();
    let why = frame.column(&reason_column(name)).ok();
    (0..frame.rows())
        .map(|row| match column.text(row) {
            Some(text) => text.into_owned(),
            None => {
                let why = why.as_ref().and_then(|why| why.text(row));
                format!("({})", why.unwrap_or_default())
            }
        })
        .collect()
}

fn of(by: &[&str], text: &str) -> Vec<String> {
    let frame = group(by, &[("new", text)])
        .group(&verdicts(), None)
        .unwrap();
    cells(&frame, "new")
}

#[test]
fn groups_stand_in_order_of_first_appearance_with_a_group_of_absent_keys() {
    let frame = group(&["doc_id"], &[("rows", "count()")])
        .group(&verdicts(), None)
        .unwrap();
    assert_eq!(frame.names(), ["doc_id", "rows", "n", "behind"]);
    assert_eq!(cells(&frame, "doc_id"), ["b", "a", "()"]);
    assert_eq!(cells(&frame, "rows"), ["2", "3", "1"]);
    assert_eq!(cells(&frame, "n"), ["2", "3", "1"]);
}

#[test]
fn every_aggregate_says_what_becomes_of_an_absent_value() {
    for (text, values) in [
        ("count()", ["2", "3", "1"]),
        ("count(score >= 1)", ["1", "(no `score`: ambiguous)", "1"]),
        ("share(score >= 1)", ["0.5", "1", "1"]),
        ("any(score >= 3)", ["false", "true", "false"]),
        (
            "any(score > 4)",
            ["false", "(no `score`: ambiguous)", "false"],
        ),
        (
            "all(score >= 1)",
            ["false", "(no `score`: ambiguous)", "true"],
        ),
        ("all(score > 3)", ["false", "false", "false"]),
        ("sum(score)", ["1.5", "(no `score`: ambiguous)", "2"]),
        ("sum(item)", ["3", "6", "1"]),
        ("mean(score)", ["0.75", "3.5", "2"]),
        ("sd(score, 0)", ["0.25", "0.5", "0"]),
        ("min(score)", ["0.5", "3", "2"]),
        ("max(score)", ["1", "4", "2"]),
        ("max(title)", ["B", "A", "()"]),
        ("median(score)", ["0.75", "3.5", "2"]),
        ("first(score)", ["1", "3", "2"]),
        ("list(score)", ["[1,0.5]", "[3,null,4]", "[2]"]),
        (
            "list(aspect, s = score + 1)",
            [
                r#"[{"aspect":"clear","s":2},{"aspect":"true","s":1.5}]"#,
                r#"[{"aspect":"clear","s":4},{"aspect":"true","s":null},{"aspect":"true","s":5}]"#,
                r#"[{"aspect":"true","s":3}]"#,
            ],
        ),
        ("max(score) - min(score)", ["0.5", "1", "0"]),
        (
            "sum(score) / count()",
            ["0.75", "(no `score`: ambiguous)", "2"],
        ),
        (
            "max(score) - 4 > 0 or count() == 1",
            ["false", "false", "true"],
        ),
        ("mean(score * 2)", ["1.5", "7", "4"]),
    ] {
        let expected: Vec<String> = values
            .iter()
            .map(|value| match *value {
                "()" => "(no `title`: no value)".to_owned(),
                value => value.to_owned(),
            })
            .collect();
        assert_eq!(of(&["doc_id"], text), expected, "{text}");
    }
    assert_eq!(of(&["doc_id"], "sd(score)")[2], "(only 1 value)");
}

#[test]
fn what_is_behind_an_aggregate_is_counted() {
    let compute = [
        ("mean", "mean(score)"),
        ("gap", "max(score) - min(item)"),
        ("double", "mean * 2"),
    ];
    let frame = group(&["doc_id"], &compute)
        .group(&verdicts(), None)
        .unwrap();
    let behind = frame.column("behind").unwrap();
    let read = |row: usize| -> serde_json::Value {
        serde_json::from_str(&behind.text(row).unwrap()).unwrap()
    };
    assert_eq!(read(0)["mean"], serde_json::json!({"n": 2, "n_of": "row"}));
    let lacking = serde_json::json!({
        "n": 2, "n_of": "row", "unscored": 1, "reasons": r#"{"ambiguous":1}"#
    });
    for name in ["mean", "gap", "double"] {
        assert_eq!(read(1)[name], lacking, "{name}");
    }
}

#[test]
fn a_group_without_a_part_that_others_have_is_marked() {
    let mut marked = group(
        &["title"],
        &[
            ("mean", "mean(score)"),
            ("n_true", "count(aspect == 'true')"),
        ],
    );
    marked.complete = vec!["aspect".to_owned()];
    let frame = marked.group(&verdicts(), None).unwrap();
    let lacks = cells(&frame, "lacks");
    assert_eq!(lacks[0], "()");
    let lack: serde_json::Value = serde_json::from_str(&lacks[2]).unwrap();
    assert_eq!(lack[0]["have"], 1);
    assert_eq!(lack[0]["parts"], 2);
    assert_eq!(lack[0]["part"], "aspects");
    assert_eq!(lack[0]["without"], serde_json::json!(["clear"]));
    assert!(cells(&frame, "behind")[2].contains(r#"\"without\":[\"clear\"]"#));
    // A part that is there without a value is none of what a mean is made of.
    let one = verdicts().take(&[0, 2, 1, 3]).unwrap();
    let frame = marked.group(&one, None).unwrap();
    assert_eq!(cells(&frame, "lacks"), ["()", "()"]);
    let behind = cells(&frame, "behind");
    assert!(!behind[0].contains("lacks"), "{}", behind[0]);
    assert!(
        behind[1].contains(r#"\"without\":[\"true\"]"#),
        "{}",
        behind[1]
    );
}

#[test]
fn a_pooled_group_lacks_what_only_other_groups_have() {
    let mut pooled = group(&["title"], &[("mean", "mean(score)")]);
    pooled.complete = vec!["item".to_owned()];
    pooled.pool = vec![Pool {
        column: "title".to_owned(),
        name: "b".to_owned(),
        of: vec!["B".to_owned()],
    }];
    let (frame, _) = pooled.group_and_pool(&verdicts(), None).unwrap();
    assert_eq!(cells(&frame, "title"), ["B", "A", "()", "b"]);
    let lacks = cells(&frame, "lacks");
    assert!(lacks[0].contains(r#""without":["3"]"#), "{}", lacks[0]);
    assert_eq!(lacks[3], lacks[0]);
}

#[test]
fn groups_that_do_not_exist_say_so_beside_reasons_of_others() {
    let mut every = group(&["aspect"], &[]);
    every.columns = vec!["score".to_owned()];
    let texts = ["clear", "true", "new"].map(Scalar::from);
    every.every = Some(Every::Values(vec![("aspect".to_owned(), texts.into())]));
    // The table has one row of each aspect, one of them unscored.
    let frame = verdicts().take(&[0, 3]).unwrap();
    let frame = every.group(&frame, None).unwrap();
    let why = frame.column("unscored").unwrap();
    let why: Vec<_> = (0..3)
        .map(|row| why.text(row).unwrap_or_default())
        .collect();
    assert_eq!(why, ["", "ambiguous", "no rows"]);
}

#[test]
fn a_mean_of_means_says_what_those_lack() {
    let first = group(&["doc_id", "aspect"], &[("mean", "mean(score)")]);
    let second = group(&["doc_id"], &[("means", "mean(mean)")]);
    let frame = second
        .group(&first.group(&verdicts(), None).unwrap(), None)
        .unwrap();
    let behind = cells(&frame, "behind");
    assert!(behind[0].contains(r#""means":{"n":2,"n_of":"row"}"#));
    assert!(behind[1].contains(r#"\"part\":\"rows\""#), "{}", behind[1]);
}

#[test]
fn an_order_is_what_first_and_lists_see() {
    let mut ordered = group(
        &["title"],
        &[("first", "first(score)"), ("items", "list(item)")],
    );
    ordered.order = vec!["item".to_owned()];
    let frame = ordered.group(&verdicts(), None).unwrap();
    assert_eq!(cells(&frame, "items"), ["[1,2]", "[1,2,3]", "[1]"]);
    assert_eq!(cells(&frame, "first"), ["0.5", "4", "2"]);
}

#[test]
fn columns_carried_along_must_be_the_same_in_a_group() {
    let mut carrying = group(&["doc_id"], &[]);
    carrying.columns = vec!["title".to_owned()];
    let frame = carrying.group(&verdicts(), None).unwrap();
    assert_eq!(frame.names(), ["doc_id", "title", "n", "behind"]);
    assert_eq!(cells(&frame, "title"), ["B", "A", "()"]);
    carrying.columns = vec!["score".to_owned()];
    let error = carrying.group(&verdicts(), None).unwrap_err();
    assert_eq!(
        error.message,
        "`score` differs within a group: row 1 has `1`, row 3 has `0.5` (doc_id = b)"
    );
}

#[test]
fn groups_that_must_exist_stay_though_empty() {
    let mut every = group(
        &["doc_id", "aspect"],
        &[
            ("rows", "count()"),
            ("mean", "mean(score)"),
            ("next", "count() + 1"),
            ("more", "mean + 1"),
        ],
    );
    let texts = |texts: &[&str]| texts.iter().map(|&text| Scalar::from(text)).collect();
    every.every = Some(Every::Values(vec![(
        "aspect".to_owned(),
        texts(&["true", "new"]),
    )]));
    every.columns = vec!["title".to_owned()];
    let frame = every
        .group(&verdicts().take(&[0, 1, 2]).unwrap(), None)
        .unwrap();
    assert_eq!(cells(&frame, "doc_id"), ["b", "a", "b", "b", "a", "a"]);
    assert_eq!(
        cells(&frame, "aspect"),
        ["clear", "clear", "true", "new", "true", "new"]
    );
    assert_eq!(cells(&frame, "rows"), ["1", "1", "1", "0", "0", "0"]);
    assert_eq!(cells(&frame, "next"), ["2", "2", "2", "1", "1", "1"]);
    assert_eq!(cells(&frame, "mean")[2..4], ["0.5", "(no rows)"]);
    assert_eq!(cells(&frame, "more")[2..4], ["1.5", "(no rows)"]);
    assert_eq!(cells(&frame, "title")[2..4], ["B", "(no rows)"]);
    every.every = Some(Every::Values(vec![(
        "aspect".to_owned(),
        vec![Scalar::Int(1)],
    )]));
    let error = every.group(&verdicts(), None).unwrap_err();
    assert_eq!(
        error.message,
        "`aspect` holds text in the rows, and whole numbers in `every`"
    );
    // A stage has a row for each.
    every.every = Some(Every::Stage(StageName::new(Kind::Source, "docs")));
    let frame = every
        .group(&verdicts().take(&[0]).unwrap(), Some(&verdicts()))
        .unwrap();
    assert_eq!(cells(&frame, "rows"), ["1", "0", "0", "0", "0"]);
}

#[test]
fn without_a_key_there_is_one_row_also_of_nothing() {
    let compute = [
        ("rows", "count()"),
        ("mean", "mean(score)"),
        ("all", "all(score > 1)"),
        ("list", "list(score)"),
    ];
    let all = group(&[], &compute).group(&verdicts(), None).unwrap();
    assert_eq!(cells(&all, "rows"), ["6"]);
    let none = group(&[], &compute)
        .group(&verdicts().take(&[]).unwrap(), None)
        .unwrap();
    assert_eq!(cells(&none, "rows"), ["0"]);
    for name in ["mean", "all"] {
        assert_eq!(cells(&none, name), ["(no rows)"], "{name}");
    }
    assert_eq!(cells(&none, "list"), ["[]"]);
    let none = group(&["doc_id"], &compute)
        .group(&verdicts().take(&[]).unwrap(), None)
        .unwrap();
    assert_eq!(none.rows(), 0);
}

#[test]
fn columns_that_a_group_does_not_look_at_change_nothing() {
    let plain = || {
        group(
            &["doc_id"],
            &[
                ("mean", "mean(score)"),
                ("more", "mean + 1"),
                ("clear", "count(aspect == 'clear')"),
                ("scores", "list(score, unscored)"),
                ("any", "any(score is none)"),
            ],
        )
    };
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let pooled = Pool {
        column: "aspect".to_owned(),
        name: "all".to_owned(),
        of: Vec::new(),
    };
    let means = group(&["doc_id", "title"], &[("score", "mean(score)")]);
    let means = means.group(&verdicts(), None).unwrap();
    let title = || names(&["title"]);
    for group in [
        plain(),
        Group {
            order: names(&["item"]),
            ..plain()
        },
        Group {
            columns: title(),
            ..plain()
        },
        Group {
            complete: title(),
            ..plain()
        },
        Group {
            axes: title(),
            ..plain()
        },
        Group {
            by: names(&["aspect"]),
            pool: vec![pooled],
            ..plain()
        },
        group(&["doc_id"], &[("again", "mean(score)")]),
    ] {
        let looked_at = with_reasons(&group.looks_at().unwrap());
        let looked_at = looked_at.iter().map(String::as_str).collect();
        for table in [verdicts(), means.clone()] {
            let detail = ColumnData::text(vec!["not looked at"; table.rows()]);
            let table = table.with_column("detail", detail).unwrap();
            let made = |table: &Frame| {
                let made = group.group_and_pool(table, None);
                made.map(|(frame, warnings)| (frame.to_parquet().unwrap(), warnings))
            };
            let narrow = table.only(&looked_at);
            assert!(!narrow.has("detail"), "{group:?}");
            assert_eq!(made(&narrow).ok(), made(&table).ok(), "{group:?}");
        }
    }
}

#[test]
fn what_an_aggregate_cannot_be_made_of_is_refused() {
    for (text, said) in [
        (
            "mean(title)",
            "`mean(title)`: `mean` needs numbers, and this is text",
        ),
        (
            "all(score)",
            "`all(score)`: `all` needs true or false, and this is numbers",
        ),
    ] {
        let error = group(&["doc_id"], &[("new", text)]).group(&verdicts(), None);
        assert_eq!(error.unwrap_err().message, format!("`compute.new`: {said}"));
    }
    // Truth values are 1 and 0.
    let judged = Expression::parse("score > 1").unwrap();
    let judged = judged.compute(verdicts(), "high", Holds::Truth).unwrap();
    let frame = group(&[], &[("share", "mean(high)"), ("hits", "sum(item)")]).group(&judged, None);
    assert_eq!(cells(&frame.unwrap(), "share"), ["0.6"]);
}
