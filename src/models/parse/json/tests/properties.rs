//! What holds for every reply: no panic, linear time, strict JSON is read as JSON.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::base::fixture::cpu_time;

/// Pieces from which objects of every shape, and near misses, can be put together.
const PIECES: [&str; 46] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "\\\"",
    "\n",
    " ",
    "//",
    "/*",
    "*/",
    "#",
    "fluency",
    "\"fluency\"",
    "\"fluency\": ",
    "\"coherence\": ",
    "\"score\": ",
    "\"metric\": \"fluency\"",
    "\"issues\": [",
    "\"text\": \"",
    "4",
    "3.5",
    "4/5",
    "3-4",
    "6",
    "null",
    "None",
    "true",
    "NaN",
    "\"4\"",
    "\"[GRAMMAR] x\"",
    "<think>",
    "</think>",
    "é",
    "字",
    "\u{a0}",
    "\\u00e9",
    "\\ud83d",
    "```json\n",
    "word ",
    "-",
    "\u{0}",
];

fn reply() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES.to_vec());
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Checks what every form must keep to.
fn check(reply: &str) {
    for metrics in [&["fluency", "coherence"][..], &["fluency"]] {
        let reader = Reader::new(Parser::Json, &names(metrics)).unwrap();
        for finish in [Finish::Stop, Finish::Length] {
            for scale in [Scale::ANY_1_TO_5, Scale::HALF_POINTS_1_TO_5] {
                let form = reader.read(reply, finish, &scale, Thoughts::default());
                let order: Vec<_> = form.readings.iter().map(|r| &*r.metric).collect();
                assert_eq!(order, metrics);
                for reading in &form.readings {
                    if let Some(score) = reading.outcome.score() {
                        assert!(scale.contains(score) && reading.span.is_some());
                    }
                    if let Some(span) = &reading.span {
                        assert!(reply.get(span.clone()).is_some_and(|text| !text.is_empty()));
                    }
                }
                for issue in &form.issues {
                    assert!(
                        reply
                            .get(issue.span.clone())
                            .is_some_and(|text| !text.is_empty())
                    );
                }
            }
        }
    }
}

/// JSON of any sort, a few levels deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[\"'{}\\[\\],:/#\\\\ \n]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            // Without `=`: `6=a` states a scale.
            prop::collection::vec(("[^\\n=\"\\\\]{0,8}", inner), 0..4).prop_map(|entries| {
                Value::Object(
                    entries
                        .into_iter()
                        .map(|(k, v)| (format!("~{k}"), v))
                        .collect(),
                )
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn any_string_is_read_without_a_panic(reply in any::<String>()) {
        check(&reply);
    }

    #[test]
    fn anything_like_an_object_is_read_without_a_panic(reply in reply()) {
        check(&reply);
    }

    /// Whatever strict JSON stands around a score, the score is read, pretty or not.
    #[test]
    fn a_score_among_any_json_is_read_back(
        before in any_json(),
        behind in any_json(),
        halves in 2..=10u32,
        shape in 0..5usize,
    ) {
        let score = f64::from(halves) / 2.0;
        let core = match shape {
            0 => json!({"fluency": score}),
            1 => json!({"fluency": {"~": 1, "score": score}}),
            2 => json!({"scores": {"fluency": score.to_string()}}),
            3 => json!({"~": [{"metric": "fluency", "rating": score}]}),
            _ => json!({"result": {"data": {"fluency": {"score": score}}}}),
        };
        let mut object = Map::from_iter([("~before".to_owned(), before)]);
        object.extend(core.as_object().unwrap().clone());
        object.insert("~behind".to_owned(), behind);
        for text in [serde_json::to_string(&object).unwrap(), serde_json::to_string_pretty(&object).unwrap()] {
            if !text.contains("think>") {
                prop_assert_eq!(fluency(&text), Some(score), "{}", text);
            }
        }
    }

    #[test]
    fn prose_around_the_object_does_not_change_it(
        // Letters that make no word: what is said around a score, such as `no`, may well change it.
        before in "[jqzJQZ ,.'\"}\\n]{0,40}|[jqzJQZ ,.{}\\n]{0,40}",
        after in "[jqzJQZ ,.'\"{}:\\n]{0,40}",
    ) {
        // An object of which words say that it is an example does not count.
        prop_assume!(!crate::models::parse::value::names_another(&before));
        let object = r#"{"fluency": 4, "issues": ["x"]}"#;
        let form = form(&format!("{before}\n{object}\n{after}"));
        prop_assert_eq!(form.readings[0].outcome.score(), Some(4.0));
    }
}

#[test]
fn hostile_replies_take_linear_time() {
    // A debug build reads some megabytes a second; quadratic time would take minutes.
    const SIZE: usize = 1 << 16;
    let reader = Reader::new(Parser::Json, &names(&["fluency", "coherence"])).unwrap();
    for piece in [
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "\\",
        ",",
        ":",
        "#",
        "//",
        "/*",
        " ",
        "\n",
        "4",
        "é",
        "\u{0}",
        "{\"",
        "{'",
        "{\"a\":",
        "{\"a\":[",
        "[{\"a\":",
        "{\"a\":\"",
        "{\"a\":'",
        "{\"a\":[\"",
        "{\"a\":[\"x\",",
        "{\"a\":\"\\\"",
        "{\"a\" ",
        "{\"a\":1}",
        "{\"a\":1,",
        "\"a\":1,",
        "{a:",
        "{a:b",
        "{a:/*",
        "{/*",
        "{//",
        "{#\n",
        "{\"a\":/*",
        "\" ",
        "\",",
        "\",  ",
        "\"\n\"",
        "{\"fluency\":4}",
        "\"fluency\":4,",
        "{\"fluency\":",
        "\"issues\":[",
        "\"x\",",
        "\"[AA] x\",",
        "{\"text\":\"x\"},",
        "\\u00",
        "{\"a\":\"x\" ",
        "{'a\":\"",
        "aaaa_",
        "{\"a\":[{\"fluency\":4},{\"fluency\":3},",
        "{\"fluency\":4},",
        "{\"fluency (1-5\":4,",
        "{\"score_fluency (",
    ] {
        for prefix in ["", "{\"issues\": [", "{\"x\": [", "{\"x\": \""] {
            let reply = prefix.to_owned() + &piece.repeat(SIZE / piece.len());
            let start = cpu_time();
            let form = reader.read(
                &reply,
                Finish::Stop,
                &Scale::ANY_1_TO_5,
                Thoughts::default(),
            );
            assert_eq!(form.readings.len(), 2);
            assert!(
                cpu_time().saturating_sub(start) < Duration::from_secs(5),
                "{piece:?} after {prefix:?}"
            );
        }
    }
}
