//! Reading greetings and answers.

use serde_json::{Value, json};

use super::Given;
use super::answer::{Answer, check_greeting, number, shown};

fn read(line: &str) -> Answer {
    Answer::read(line.as_bytes()).unwrap()
}

fn wrong(line: &str) -> String {
    Answer::read(line.as_bytes()).unwrap_err()
}

#[test]
fn an_answer_has_scores_reasons_and_further_columns() {
    let answer = read(
        r#"{"id": 3, "scores": {"a": 1, "b": null}, "reason": {"b": "no b"}, "gives": {"x": "y"}, "explanation": "so"}"#,
    );
    assert_eq!(answer.id, 3);
    assert_eq!(answer.scores.get("a").and_then(number), Some(1.0));
    assert_eq!(answer.why("b").as_deref(), Some("no b"));
    assert_eq!(answer.why("a"), None);
    assert_eq!(answer.explanation.as_deref(), Some("so"));
    let all = read(r#"{"id": 0, "scores": {"a": null}, "reason": "empty"}"#);
    assert_eq!(all.why("a").as_deref(), Some("empty"));
}

#[test]
fn what_is_no_answer_is_quoted() {
    for (line, named) in [
        (
            "Loading model...\n",
            "`Loading model...` cannot be read: it is no object",
        ),
        (r#"{"scores": {}}"#, "missing field `id`"),
        (
            r#"{"id": 0, "score": {"a": 1}}"#,
            "unknown field `score`, expected one of `id`, `scores`",
        ),
        (r#"{"id": 0, "scores": 1}"#, "invalid type"),
        (
            r#"{"id": 0, "scores": {"a": 1, "a": 2}}"#,
            "the key `a` occurs twice",
        ),
        ("[0]", "it is no object"),
        (r#"{"id": -1}"#, "invalid value"),
    ] {
        let message = wrong(line);
        assert!(message.contains(named), "{line}: {message}");
        assert!(message.starts_with("the line `"), "{message}");
    }
    let message = Answer::read(b"{\"id\": 0, \"x\xff").unwrap_err();
    assert!(message.contains("utf-8"), "{message}");
}

#[test]
fn numbers_that_are_none_are_read_as_what_they_are() {
    let answer = read(
        r#"{"id": 0, "scores": {"a": NaN, "b": -Infinity, "c": 1e999, "d": 0.5, "e": inf}, "gives": {"t": "NaN \" inf", "j": [1, NaN]}}"#,
    );
    for (name, written) in [
        ("a", "NaN"),
        ("b", "-Infinity"),
        ("c", "1e999"),
        ("e", "inf"),
    ] {
        let value = answer.scores.get(name).unwrap();
        assert_eq!(number(value), None);
        assert_eq!(shown(value), written);
    }
    assert_eq!(answer.scores.get("d").and_then(number), Some(0.5));
    assert_eq!(
        answer.given("t", Given::Text),
        Ok(json!("NaN \" inf")),
        "a text keeps its words"
    );
    assert!(answer.given("j", Given::Json).is_err());
}

#[test]
fn a_value_of_another_type_is_absent_and_says_what_it_is() {
    let answer = read(
        r#"{"id": 0, "gives": {"n": "4", "t": 4, "b": "true", "j": "[]", "none": null}, "reason": {"none": "why not"}}"#,
    );
    let why = |name, given| answer.given(name, given).unwrap_err();
    assert_eq!(
        why("n", Given::Number),
        "the reply gives `\"4\"`, which is no number"
    );
    assert_eq!(
        why("t", Given::Text),
        "the reply gives `4`, which is no text"
    );
    assert_eq!(
        why("b", Given::Boolean),
        "the reply gives `\"true\"`, which is neither `true` nor `false`"
    );
    assert_eq!(
        why("j", Given::Json),
        "the reply gives `\"[]\"`, which is neither a list nor an object of JSON"
    );
    assert_eq!(why("none", Given::Number), "why not");
    assert_eq!(why("other", Given::Number), "the reply gives no `other`");
    assert_eq!(answer.given("t", Given::Number), Ok(Value::from(4)));
}

#[test]
fn a_greeting_names_the_declared_version() {
    let greeting = br#"{"scorer": "exact 1", "protocol": 1}"#;
    assert_eq!(check_greeting(greeting, "exact 1"), Ok(()));
    let other = check_greeting(greeting, "exact 2").unwrap_err();
    assert!(other.starts_with("it calls itself `exact 1`, and the spec declares `exact 2`"));
    let protocol = br#"{"scorer": "exact 1", "protocol": 2}"#;
    let other = check_greeting(protocol, "exact 1").unwrap_err();
    assert!(other.starts_with("it speaks protocol 2"));
    let none = check_greeting(b"Hello\n", "exact 1").unwrap_err();
    assert!(none.contains("and is `Hello`"), "{none}");
}
