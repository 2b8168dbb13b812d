//! Whether what came out is what a case expects.

use serde_json::Value;

use super::{Answers, Case, Got, Tolerance};

/// What comparing a case found.
pub(super) struct Compared {
    /// How many keys were compared.
    pub(super) keys: usize,
    /// How many were left out, being shown for information only.
    pub(super) aside: usize,
    /// What differs, a line each.
    pub(super) wrong: Vec<String>,
}

/// Compares every key that the case expects, and every key for which it states a range.
pub(super) fn compare(case: &Case, answers: &Answers, aside: &[&str]) -> Compared {
    let mut expected = Vec::new();
    flatten(&case.expected, String::new(), &mut expected);
    let mut compared = Compared {
        keys: 0,
        aside: 0,
        wrong: Vec::new(),
    };
    for (key, value) in expected {
        if aside.contains(&key.as_str()) {
            compared.aside += 1;
            continue;
        }
        compared.keys += 1;
        match answers.get(&key) {
            None => compared.wrong.push(format!("nothing answers `{key}`")),
            Some(got) if meets(got, value, case.tolerance) || accepted(case, &key, got) => {}
            Some(got) => compared
                .wrong
                .push(format!("`{key}` is {got:?}, expected {value}")),
        }
    }
    for (key, range) in &case.accept_ranges {
        compared.keys += 1;
        match answers.get(key) {
            Some(Got::Number(number)) if (range.low..=range.high).contains(number) => {}
            other => compared
                .wrong
                .push(format!("`{key}` is {other:?}, expected {range:?}")),
        }
    }
    compared
}

/// The leaves of what is expected, by dotted keys. A list is a leaf.
fn flatten<'a>(value: &'a Value, key: String, leaves: &mut Vec<(String, &'a Value)>) {
    let Value::Object(fields) = value else {
        leaves.push((key, value));
        return;
    };
    for (name, field) in fields {
        let below = if key.is_empty() {
            name.clone()
        } else {
            format!("{key}.{name}")
        };
        flatten(field, below, leaves);
    }
}

/// Whether it is one of the values that a tool may give instead.
fn accepted(case: &Case, key: &str, got: &Got) -> bool {
    let others = case.also_accept.get(key).into_iter().flatten();
    let Got::Number(number) = got else {
        return false;
    };
    others
        .copied()
        .any(|other| near(*number, other, case.tolerance))
}

fn near(number: f64, expected: f64, Tolerance { rel, abs }: Tolerance) -> bool {
    (number - expected).abs() <= abs + rel * expected.abs()
}

fn meets(got: &Got, expected: &Value, tolerance: Tolerance) -> bool {
    match (got, expected) {
        (Got::Nothing(why), Value::Null) => !why.is_empty(),
        // Whole numbers are counts, which must be equal.
        (Got::Number(number), Value::Number(wanted)) if wanted.is_i64() => {
            wanted.as_f64() == Some(*number)
        }
        (Got::Number(number), Value::Number(wanted)) => wanted
            .as_f64()
            .is_some_and(|wanted| near(*number, wanted, tolerance)),
        (Got::Flag(flag), Value::Bool(wanted)) => flag == wanted,
        (Got::Text(text), Value::String(wanted)) => text == wanted,
        (Got::List(items), Value::Array(wanted)) => {
            let pairs = items.iter().zip(wanted);
            items.len() == wanted.len()
                && pairs.fold(true, |so_far, (got, wanted)| {
                    so_far && meets(got, wanted, tolerance)
                })
        }
        _ => false,
    }
}

#[test]
fn what_differs_is_seen() {
    let case = |expected: &str| {
        let text = format!(
            r#"{{"name":"x","family":"f","statistic":"s","rows":[],"params":{{}},"expected":{expected},
            "also_accept":{{"p":[1.0]}},"accept_ranges":{{}},"tolerance":{{"rel":1e-8,"abs":1e-10}}}}"#
        );
        serde_json::from_str::<Case>(&text).unwrap()
    };
    let wrong = |expected: &str, key: &str, got: Got| {
        let answers = Answers::from([(key.to_owned(), got)]);
        compare(&case(expected), &answers, &[]).wrong.len()
    };
    let number = Got::Number;
    assert_eq!(wrong(r#"{"p":0.5}"#, "p", number(0.5 + 1e-9)), 0);
    assert_eq!(wrong(r#"{"p":0.5}"#, "p", number(0.5 + 1e-6)), 1);
    assert_eq!(wrong(r#"{"p":0.5}"#, "p", number(1.0)), 0);
    assert_eq!(wrong(r#"{"p":0.5}"#, "q", number(0.5)), 1);
    assert_eq!(wrong(r#"{"p":null}"#, "p", number(0.5)), 1);
    assert_eq!(wrong(r#"{"p":null}"#, "p", number(f64::NAN)), 1);
    assert_eq!(wrong(r#"{"p":null}"#, "p", Got::Nothing("none".into())), 0);
    assert_eq!(wrong(r#"{"p":0.5}"#, "p", Got::Nothing("none".into())), 1);
    assert_eq!(wrong(r#"{"n":3}"#, "n", number(3.000_000_001)), 1);
    assert_eq!(wrong(r#"{"a":{"b":3}}"#, "a.b", number(3.0)), 0);
    let list = |flags: &[bool]| Got::List(flags.iter().map(|&flag| Got::Flag(flag)).collect());
    assert_eq!(wrong(r#"{"r":[true,false]}"#, "r", list(&[true, false])), 0);
    assert_eq!(wrong(r#"{"r":[true,false]}"#, "r", list(&[true])), 1);
    assert_eq!(wrong(r#"{"r":[true,false]}"#, "r", list(&[true, true])), 1);
}
