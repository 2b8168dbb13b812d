//! Groups of random tables, against a reference that knows no index, no types and no loop but one.

use proptest::prelude::*;

use super::*;
use crate::stage::Kind;

/// A row: two columns of a key, a value.
type Row = (Option<String>, Option<i64>, Option<f64>);

/// What two texts that look alike may be.
const KEYS: &[&str] = &["", "a", "b", "é", "e\u{301}", "日本", "a b"];

fn row() -> impl Strategy<Value = Row> {
    let one = prop::option::of(prop::sample::select(KEYS).prop_map(str::to_owned));
    let value = prop_oneof![
        2 => (-3_i32..4).prop_map(f64::from),
        1 => -1.0e6..1.0e6,
    ];
    (
        one,
        prop::option::of(-1_i64..2),
        prop::option::weighted(0.8, value),
    )
}

/// What the reference makes of the rows of one group: a text for each column.
fn reference(rows: &[f64], absent: usize) -> Vec<(&'static str, Option<String>)> {
    let all = rows.len() + absent;
    let hits = rows.iter().filter(|value| **value > 0.0).count();
    let misses = rows.len() - hits;
    let text = |value: f64| Scalar::Float(value).to_string();
    let sum = exact_sum(rows.iter().copied()).unwrap_or_default();
    let mean = match rows {
        [] => None,
        // Equal values have themselves as mean.
        [first, rest @ ..] if rest.iter().all(|value| value.total_cmp(first).is_eq()) => {
            Some(text(*first))
        }
        rows => Some(text(sum / rows.len() as f64)),
    };
    let known = |holds: bool, decided: bool| decided.then(|| holds.to_string());
    vec![
        ("rows", Some(all.to_string())),
        ("hits", (absent == 0).then(|| hits.to_string())),
        ("any", known(hits > 0, hits > 0 || absent == 0)),
        ("all", known(misses == 0, misses > 0 || absent == 0)),
        (
            "share",
            (!rows.is_empty()).then(|| text(hits as f64 / rows.len() as f64)),
        ),
        ("sum", (absent == 0).then(|| text(sum))),
        ("mean", mean),
        ("min", rows.iter().copied().reduce(f64::min).map(text)),
        ("max", rows.iter().copied().reduce(f64::max).map(text)),
    ]
}

fn exact_sum(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    crate::stats::exact_sum(values)
}

fn frame(rows: &[Row]) -> Frame {
    Frame::new(vec![
        (
            "one".to_owned(),
            ColumnData::Text(rows.iter().map(|row| row.0.clone()).collect()),
        ),
        (
            "two".to_owned(),
            ColumnData::Int(rows.iter().map(|row| row.1).collect()),
        ),
        (
            "x".to_owned(),
            ColumnData::Float(rows.iter().map(|row| row.2.map(|x| x + 0.0)).collect()),
        ),
    ])
    .unwrap()
}

fn grouping(by: &[&str]) -> Group {
    let compute = [
        ("rows", "count()"),
        ("hits", "count(x > 0)"),
        ("any", "any(x > 0)"),
        ("all", "all(x > 0)"),
        ("share", "share(x > 0)"),
        ("sum", "sum(x)"),
        ("mean", "mean(x)"),
        ("min", "min(x)"),
        ("max", "max(x)"),
        ("list", "list(x)"),
    ];
    let compute =
        compute.map(|(name, text)| (name.to_owned(), Expression::of_groups(text).unwrap()));
    Group {
        from: StageName::new(Kind::Source, "docs"),
        axes: Vec::new(),
        by: by.iter().map(|&name| name.to_owned()).collect(),
        order: Vec::new(),
        compute: compute.to_vec(),
        columns: Vec::new(),
        complete: Vec::new(),
        every: None,
        over: Vec::new(),
        pool: Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn groups_are_those_of_the_reference(
        rows in prop::collection::vec(row(), 0..40),
        by in prop::sample::select(vec![vec![], vec!["one"], vec!["two"], vec!["one", "two"], vec!["two", "one"]]),
    ) {
        let key = |row: &Row| -> Vec<Option<String>> {
            let two = row.1.map(|two| two.to_string());
            by.iter().map(|&name| if name == "one" { row.0.clone() } else { two.clone() }).collect()
        };
        let mut keys: Vec<Vec<Option<String>>> = Vec::new();
        if by.is_empty() {
            keys.push(Vec::new());
        }
        for row in &rows {
            if !keys.contains(&key(row)) {
                keys.push(key(row));
            }
        }
        let made = grouping(&by).group(&frame(&rows), None).unwrap();
        prop_assert_eq!(made.rows(), keys.len());
        for (at, wanted) in keys.iter().enumerate() {
            let own: Vec<&Row> = rows.iter().filter(|row| key(row) == *wanted).collect();
            let text = |name: &str| {
                let column = made.column(name).unwrap();
                column.text(at).map(std::borrow::Cow::into_owned)
            };
            for (name, part) in by.iter().zip(wanted) {
                prop_assert_eq!(&text(name), part);
            }
            let values: Vec<f64> = own.iter().filter_map(|row| row.2.map(|x| x + 0.0)).collect();
            let absent = own.len() - values.len();
            for (name, expected) in reference(&values, absent) {
                let expected = expected.filter(|_| ["rows", "hits"].contains(&name) || !own.is_empty());
                prop_assert_eq!(text(name), expected.clone(), "{}", name);
                if expected.is_none() {
                    let why = text(&reason_column(name));
                    let wanted = if own.is_empty() { "no rows" } else { "no `x`: no value" };
                    prop_assert_eq!(why.as_deref(), Some(wanted));
                }
            }
            if !own.is_empty() {
                let list: Vec<Option<f64>> = serde_json::from_str(&text("list").unwrap()).unwrap();
                let wanted: Vec<Option<f64>> = own.iter().map(|row| row.2).collect();
                prop_assert_eq!(list, wanted);
            }
        }
        // The same rows in another place are the same groups.
        let bytes = made.to_parquet().unwrap();
        prop_assert_eq!(grouping(&by).group(&frame(&rows), None).unwrap().to_parquet().unwrap(), bytes);
    }
}
