//! Expectations beside those that numpy comes to, and what keeps one from being taken.

use serde_json::{Value, json};

use super::*;
use crate::models::logprobs::{spans, stored, tokens};
use crate::models::score::{Label, Scale};

fn read(written: &Value, text: &str, verdict: &str, scale: &Scale, least: f64) -> Expectation {
    let stored = stored(written, text).unwrap();
    let tokens = tokens(&stored).unwrap();
    let spans = spans(&tokens, text, false).unwrap();
    let place = match verdict {
        "" => sole(&spans, text).unwrap(),
        verdict => text
            .rfind(verdict)
            .map(|at| at..at + verdict.len())
            .unwrap(),
    };
    let marks = Marks::of(scale).unwrap();
    expected((&tokens, &spans), text, &place, &marks, least)
}

/// `5: 0.5, 4: 0.25` as one place of a reply.
fn place(alternatives: &[(&str, f64)]) -> Value {
    let pairs = alternatives.iter();
    pairs
        .map(|(token, share)| json!([token, share.ln()]))
        .collect()
}

fn whole(min: f64, max: f64) -> Scale {
    Scale::new(min, max, 1.0).unwrap()
}

fn reason(found: &Expectation) -> &Reason {
    found.outcome.reason().unwrap()
}

#[test]
fn expectations_are_those_of_numpy() {
    let cases = include_str!("../../../../tests/data/expectation/cases.json");
    let cases: Vec<Value> = serde_json::from_str(cases).unwrap();
    assert!(cases.len() >= 9);
    for case in &cases {
        let scale = scale(case);
        let (text, verdict) = (
            case["text"].as_str().unwrap(),
            case["verdict"].as_str().unwrap(),
        );
        let found = read(&case["logprobs"], text, verdict, &scale, 0.0);
        let near = |found: Option<f64>, wanted: &Value| {
            (found.unwrap() - wanted.as_f64().unwrap()).abs() < 1e-12
        };
        assert!(
            near(found.outcome.score(), &case["score"]),
            "{}: {found:?}",
            case["name"]
        );
        assert!(
            near(found.mass, &case["mass"]),
            "{}: {found:?}",
            case["name"]
        );
    }
}

fn scale(case: &Value) -> Scale {
    if let Some(labels) = case["labels"].as_object() {
        let label = |(name, value): (&String, &Value)| Label {
            name: name.clone(),
            value: value.as_f64().unwrap(),
            aliases: Vec::new(),
        };
        return Scale::of_labels(labels.iter().map(label).collect()).unwrap();
    }
    let number = |at: usize| case["scale"][at].as_f64().unwrap();
    Scale::new(number(0), number(1), number(2)).unwrap()
}

#[test]
fn by_hand() {
    // (5 * 0.5 + 4 * 0.25 + 1 * 0.05) / 0.8 = 3.55 / 0.8
    let written = json!([place(&[("5", 0.5), ("4", 0.25), ("The", 0.1), ("1", 0.05)])]);
    let found = read(&written, "5", "5", &whole(1.0, 5.0), 0.5);
    assert!((found.outcome.score().unwrap() - 4.4375).abs() < 1e-12);
    assert!((found.mass.unwrap() - 0.8).abs() < 1e-12);
}

#[test]
fn a_reply_of_one_token_is_the_place_whatever_it_says() {
    let written = place(&[("None", 0.3), ("5", 0.5), ("4", 0.1)]);
    let found = read(&written, "None", "", &whole(1.0, 5.0), 0.5);
    assert!((found.outcome.score().unwrap() - 2.9 / 0.6).abs() < 1e-12);
    let several = stored(&json!([[["a", -0.1]], [[" b", -0.1]]]), "a b").unwrap();
    let several = tokens(&several).unwrap();
    assert_eq!(sole(&spans(&several, "a b", false).unwrap(), "a b"), None);
}

#[test]
fn a_verdict_with_little_of_the_probability_on_the_scale_is_unscored() {
    let written = json!([place(&[("The", 0.6), ("5", 0.25), ("4", 0.0625)])]);
    let found = read(&written, "5", "5", &whole(1.0, 5.0), 0.5);
    assert_eq!(reason(&found), &Reason::LowMass("0.312".to_owned()));
    assert!((found.mass.unwrap() - 0.3125).abs() < 1e-12);
    let allowed = read(&written, "5", "5", &whole(1.0, 5.0), 0.3);
    assert!((allowed.outcome.score().unwrap() - 4.8).abs() < 1e-12);
    // Without any there is no mean, whatever is allowed.
    let none = json!([place(&[("The", 0.6), ("A", 0.25)])]);
    let found = read(&none, "The", "", &whole(1.0, 5.0), 0.0);
    assert_eq!(reason(&found), &Reason::LowMass("0".to_owned()));
}

#[test]
fn a_token_that_begins_several_marks_leaves_a_verdict_unscored() {
    let likely = json!([place(&[("7", 0.6), ("1", 0.3)])]);
    let found = read(&likely, "7", "7", &whole(1.0, 10.0), 0.5);
    assert_eq!(reason(&found), &Reason::SharedToken(vec!["1".to_owned()]));
    // What is hardly likely only lowers the mass.
    let unlikely = json!([place(&[("7", 0.6), ("8", 0.3), ("1", 0.0009)])]);
    let found = read(&unlikely, "7", "7", &whole(1.0, 10.0), 0.5);
    assert!((found.outcome.score().unwrap() - 6.6 / 0.9).abs() < 1e-12);
    assert!((found.mass.unwrap() - 0.9).abs() < 1e-12);
    // Where the reply ends with it, nothing says what else it might have become.
    let last = json!([place(&[("1", 0.6), ("7", 0.3)])]);
    let found = read(&last, "1", "1", &whole(1.0, 10.0), 0.5);
    assert_eq!(reason(&found), &Reason::SharedToken(vec!["1".to_owned()]));
}

#[test]
fn the_sign_of_the_only_negative_mark_stands_for_it() {
    for sign in ["-", " -", "\u{2212}"] {
        let written = json!([place(&[("0", 0.55), (sign, 0.4), ("1", 0.05)])]);
        let found = read(&written, "0", "0", &whole(-1.0, 1.0), 0.5);
        assert!((found.outcome.score().unwrap() + 0.35).abs() < 1e-12);
        assert!((found.mass.unwrap() - 1.0).abs() < 1e-12);
    }
    // Of several it is that of none.
    let written = json!([place(&[("0", 0.55), ("-", 0.4), ("1", 0.05)])]);
    let found = read(&written, "0", "0", &whole(-2.0, 2.0), 0.5);
    assert_eq!(reason(&found), &Reason::SharedToken(vec!["-".to_owned()]));
    // A dash before a word may begin any line.
    let label = |name: &str, value| Label {
        name: name.to_owned(),
        value,
        aliases: Vec::new(),
    };
    let labels = Scale::of_labels(vec![label("-bad", 0.0), label("fine", 1.0)]).unwrap();
    let written = json!([place(&[("fine", 0.6), ("-", 0.4)])]);
    let found = read(&written, "fine", "fine", &labels, 0.5);
    assert!((found.mass.unwrap() - 0.6).abs() < 1e-12);
}

#[test]
fn without_alternatives_or_within_a_token_there_is_no_expectation() {
    let none = json!([{"token": "4", "logprob": -0.1, "top_logprobs": []}]);
    let found = read(&none, "4", "4", &whole(1.0, 5.0), 0.5);
    let why = "no alternatives are listed for the token of the verdict";
    assert_eq!(reason(&found), &Reason::NoLogprobs(why.to_owned()));
    let within = json!([place(&[("Score4", 0.6), ("4", 0.3)])]);
    let found = read(&within, "Score4", "4", &whole(1.0, 5.0), 0.5);
    let why = "the verdict begins within the token `Score4`";
    assert_eq!(reason(&found), &Reason::NoLogprobs(why.to_owned()));
}
