//! Lists and trees of small tables, row by row.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Explode, Tree, WhenEmpty};
use crate::frame::{ColumnData, Frame, Scalar};
use crate::stage::contract::Work;
use crate::stage::{Columns, Exploded, Holds, Kind, Relation, StageName};

fn of(column: &str) -> Explode {
    Explode {
        from: StageName::new(Kind::Judge, "base"),
        column: column.to_owned(),
        into: None,
        fields: None,
        index: None,
        empty: WhenEmpty::Drop,
        tree: None,
    }
}

fn fields(names: &[(&str, &str)]) -> Explode {
    let pair = |(new, old): &(&str, &str)| ((*new).to_owned(), (*old).to_owned());
    Explode {
        fields: Some(names.iter().map(pair).collect()),
        ..of("issues")
    }
}

/// Documents `a`, `b`, … with these lists.
fn table(lists: &[Option<&str>]) -> Frame {
    let ids = (b'a'..).map(|letter| char::from(letter).to_string());
    let ids: Vec<Option<String>> = ids.take(lists.len()).map(Some).collect();
    let lists = lists.iter().map(|list| list.map(str::to_owned)).collect();
    Frame::new(vec![
        ("doc_id".to_owned(), ColumnData::Text(ids)),
        ("issues".to_owned(), ColumnData::Json(lists)),
    ])
    .unwrap()
}

/// A cell; nothing where it or its column is not there.
fn cell(frame: &Frame, name: &str, row: usize) -> Option<String> {
    let column = frame.column(name).ok()?;
    column.text(row).map(std::borrow::Cow::into_owned)
}

/// The rows of a result as lines.
fn lines(frame: &Frame) -> Vec<String> {
    let row = |row: usize| {
        let names = frame.names().into_iter();
        let cells = names.map(|name| cell(frame, name, row).unwrap_or_else(|| "–".to_owned()));
        cells.collect::<Vec<_>>().join(" | ")
    };
    (0..frame.rows()).map(row).collect()
}

#[test]
fn fields_of_elements_become_columns_and_what_lacks_says_why() {
    let issues = table(&[
        Some(r#"[{"where": "x", "severity": 3}, {"where": null}, "y"]"#),
        Some("[]"),
        None,
        Some("{}"),
    ]);
    let explode = Explode {
        index: Some("item".to_owned()),
        ..fields(&[("severity", "severity"), ("place", "where")])
    };
    let output = explode.explode(&issues).unwrap();
    assert_eq!(
        output.frame.names(),
        [
            "doc_id",
            "severity",
            "no_severity",
            "place",
            "no_place",
            "item",
            "no_item"
        ]
    );
    assert_eq!(
        lines(&output.frame),
        [
            "a | 3 | – | x | – | 1 | –",
            "a | – | the element has no `severity` | – | `where` of the element is `null` | 2 | –",
            "a | – | the element is a text, not an object | – | the element is a text, not an object | 3 | –",
            "c | – | no `issues`: no value | – | no `issues`: no value | – | no `issues`: no value",
            "d | – | an object, not a list | – | an object, not a list | – | an object, not a list",
        ]
    );
    assert_eq!(
        output.warnings,
        [
            "1 of 3 rows with a value holds no list in `issues`: `d` (an object, not a list)",
            "2 of 3 elements in `issues` have no `severity`",
            "1 of 3 elements in `issues` has no `where`",
        ]
    );
}

#[test]
fn an_empty_list_keeps_its_row_where_that_is_asked_for() {
    let explode = Explode {
        empty: WhenEmpty::Keep,
        ..fields(&[("severity", "severity")])
    };
    let output = explode
        .explode(&table(&[Some("[]"), Some(r#"[{"severity": 1}]"#)]))
        .unwrap();
    assert_eq!(lines(&output.frame), ["a | – | empty list", "b | 1 | –"]);
    let counts = |kept| {
        let (lists, empty) = (2, 1);
        let rows = if kept { 2 } else { 1 };
        Some(Relation::Explode(Exploded {
            lists,
            empty,
            kept,
            without: 0,
            rows,
        }))
    };
    assert_eq!(output.counts.relation, counts(true));
    let dropped = fields(&[("severity", "severity")])
        .explode(&table(&[Some("[]"), Some(r#"[{"severity": 1}]"#)]))
        .unwrap();
    assert_eq!(dropped.counts.relation, counts(false));
    assert_eq!(output.warnings, [""; 0]);
}

#[test]
fn whole_elements_take_the_place_of_the_list_with_their_own_types() {
    let output = of("issues")
        .explode(&table(&[Some("[1, 2.5]"), Some("[null]")]))
        .unwrap();
    let column = output.frame.column("issues").unwrap();
    assert_eq!(
        column.scalars(),
        [Scalar::Float(1.0), Scalar::Float(2.5), Scalar::Null]
    );
    assert_eq!(lines(&output.frame)[2], "b | – | the element is `null`");
    let nested = of("issues")
        .explode(&table(&[Some(r#"[{"b": 1, "a": [2]}, [3]]"#)]))
        .unwrap();
    assert_eq!(lines(&nested.frame), [r#"a | {"b":1,"a":[2]}"#, "a | [3]"]);
    assert_eq!(nested.frame.column("issues").unwrap().kind(), "JSON");
}

#[test]
fn an_earlier_reason_for_a_missing_list_is_passed_on() {
    let reasons = ColumnData::Text(vec![Some("no reply".to_owned()), None]);
    let issues = table(&[None, Some("[1]")])
        .with_column("no_issues", reasons)
        .unwrap();
    let explode = Explode {
        into: Some("issue".to_owned()),
        ..of("issues")
    };
    let frame = explode.explode(&issues).unwrap().frame;
    assert_eq!(frame.names(), ["doc_id", "issue", "no_issue"]);
    assert_eq!(
        lines(&frame),
        ["a | – | no `issues`: no reply", "b | 1 | –"]
    );
}

#[test]
fn what_is_not_as_declared_in_every_row_is_an_error() {
    let failure = |explode: &Explode, lists: &[Option<&str>]| {
        let failure = explode.explode(&table(lists)).unwrap_err().to_string();
        failure.lines().next().unwrap().to_owned()
    };
    assert_eq!(
        failure(&of("issues"), &[Some("{}"), None, Some("7")]),
        "none of 2 rows with a value holds a list in `issues`: `a` (an object, not a list), `c` (a number, not a list)"
    );
    assert_eq!(
        failure(
            &fields(&[("severty", "severty")]),
            &[Some(r#"[{"severity": 1}, {"severity": 2}]"#)]
        ),
        "no element of `issues` has a field `severty`, did you mean `severity`?"
    );
    let taken = Explode {
        index: Some("doc_id".to_owned()),
        ..of("issues")
    };
    assert_eq!(
        failure(&taken, &[Some("[1]")]),
        "there already is a column `doc_id`, which `explode` adds"
    );
    let numbers = Frame::new(vec![("issues".to_owned(), ColumnData::Int(vec![Some(1)]))]).unwrap();
    assert_eq!(
        of("issues").explode(&numbers).unwrap_err().to_string(),
        "column `issues` holds whole numbers, not lists\nhint: name a column of JSON, or of texts that are JSON"
    );
}

#[test]
fn tables_without_rows_or_lists_keep_their_columns() {
    let explode = Explode {
        index: Some("item".to_owned()),
        ..fields(&[("severity", "severity")])
    };
    for lists in [&[][..], &[Some("[]")]] {
        let frame = explode.explode(&table(lists)).unwrap().frame;
        assert_eq!(frame.names(), ["doc_id", "severity", "item"]);
        assert_eq!(frame.rows(), 0);
        assert_eq!(frame.column("item").unwrap().kind(), "whole numbers");
    }
    let frame = explode.explode(&table(&[None])).unwrap().frame;
    assert_eq!(frame.rows(), 1);
}

fn facts() -> Explode {
    let levels = [("root", "roots"), ("branch", "branches")];
    let levels = levels.map(|(level, key)| (level.to_owned(), key.to_owned()));
    Explode {
        tree: Some(Tree {
            levels: levels.to_vec(),
            text: "fact".to_owned(),
        }),
        ..of("issues")
    }
}

#[test]
fn a_tree_has_a_row_for_every_node_depth_first() {
    let tree = r#"{"roots": [{"fact": "R", "why": "w", "branches": ["B", {"why": "v"}]}]}"#;
    let explode = Explode {
        fields: Some(vec![("because".to_owned(), "why".to_owned())]),
        ..facts()
    };
    let output = explode
        .explode(&table(&[Some(tree), Some(r#"{"roots": []}"#)]))
        .unwrap();
    assert_eq!(
        output.frame.names(),
        [
            "doc_id",
            "fact",
            "no_fact",
            "because",
            "no_because",
            "level",
            "node",
            "parent",
            "no_parent",
            "ancestors"
        ]
    );
    assert_eq!(
        lines(&output.frame),
        [
            "a | R | – | w | – | root | 1 | – | at the top | []",
            "a | B | – | – | the element is a text, not an object | branch | 1.1 | 1 | – | [\"1\"]",
            "a | – | the node has no `fact` | v | – | branch | 1.2 | 1 | – | [\"1\"]",
        ]
    );
    assert_eq!(
        output.warnings,
        [
            "1 of 3 nodes in `issues` is not as declared: `a 1.2` (the node has no `fact`)",
            "1 of 3 elements in `issues` has no `why`",
        ]
    );
}

#[test]
fn a_tree_of_other_keys_is_an_error() {
    let failure = |tree: &str| {
        let failure = facts().explode(&table(&[Some(tree)])).unwrap_err();
        failure.to_string().lines().next().unwrap().to_owned()
    };
    assert_eq!(
        failure(r#"{"root": []}"#),
        "the one row with a value holds no tree in `issues`: `a` (there is no `roots`)"
    );
    assert_eq!(
        failure(r#"{"roots": [{"text": "R"}]}"#),
        "no node in `issues` has a text: `a 1` (the node has no `fact`)"
    );
}

#[test]
fn fields_that_are_known_are_settled_before_anything_runs() {
    let mut columns = Columns::of([("issues".to_owned(), Holds::Json)], false);
    let mut explode = of("issues");
    explode.settle(&columns);
    assert_eq!(explode.into.as_deref(), Some("issues"));
    columns.set_fields("issues", ["location", "severity"]);
    let mut explode = of("issues");
    assert!(explode.is_open());
    explode.settle(&columns);
    let same = fields(&[("location", "location"), ("severity", "severity")]);
    assert_eq!(
        serde_json::to_string(&explode).unwrap(),
        serde_json::to_string(&same).unwrap()
    );
}

/// Lists of scalars and small objects, absent ones among them.
fn lists() -> impl Strategy<Value = Vec<Option<Vec<Value>>>> {
    let element = prop_oneof![
        any::<i32>().prop_map(|n| json!({ "x": n })),
        "[aé\"\\\\]{0,3}".prop_map(|text| json!({ "x": text, "y": null })),
        Just(json!({ "x": [1, { "z": null }] })),
    ];
    let list = prop::option::weighted(0.8, prop::collection::vec(element, 0..4));
    prop::collection::vec(list, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Against the plainest way there is: one element after the other.
    #[test]
    fn every_element_has_its_row_in_order(lists in lists()) {
        let written: Vec<Option<String>> = lists
            .iter()
            .map(|list| list.as_ref().map(|list| Value::from(list.clone()).to_string()))
            .collect();
        let written: Vec<Option<&str>> = written.iter().map(Option::as_deref).collect();
        let explode = Explode {
            empty: WhenEmpty::Keep,
            index: Some("item".to_owned()),
            into: Some("element".to_owned()),
            ..fields(&[("x", "x")])
        };
        let frame = explode.explode(&table(&written)).unwrap().frame;
        let mut expected = Vec::new();
        for (id, list) in (b'a'..).map(char::from).zip(&lists) {
            let elements = list.as_deref().unwrap_or_default();
            if elements.is_empty() {
                expected.push((id.to_string(), None, None));
            }
            for (item, element) in (1_usize..).zip(elements) {
                let x = &element["x"];
                let x = x.as_str().map_or_else(|| x.to_string(), str::to_owned);
                expected.push((id.to_string(), Some(item.to_string()), Some((element.to_string(), x))));
            }
        }
        prop_assert_eq!(frame.rows(), expected.len());
        for (row, (id, item, element)) in expected.into_iter().enumerate() {
            prop_assert_eq!(cell(&frame, "doc_id", row), Some(id));
            prop_assert_eq!(cell(&frame, "item", row), item);
            let there = cell(&frame, "element", row).zip(cell(&frame, "x", row));
            prop_assert_eq!(there.is_none(), cell(&frame, "no_element", row).is_some());
            prop_assert_eq!(there, element);
        }
    }
}
