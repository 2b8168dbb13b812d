//! What scales contain, and that codes are stable.

use super::*;

fn every_reason() -> Vec<Reason> {
    vec![
        Reason::NoReply,
        Reason::CutByLength,
        Reason::ThinkNotClosed,
        Reason::NoScoreFound,
        Reason::NotJson,
        Reason::OffScale("10/10".to_owned()),
        Reason::Ambiguous(vec!["3".to_owned(), "4".to_owned()]),
        Reason::NotRecorded,
        Reason::NotApplicable("too few verbs".to_owned()),
        Reason::TooLong("9,113 tokens".to_owned()),
        Reason::Refused,
        Reason::Failed("connection reset".to_owned()),
        Reason::NoLogprobs("the reply came without them".to_owned()),
        Reason::LowMass("0.31".to_owned()),
        Reason::SharedToken(vec!["1".to_owned(), "2".to_owned()]),
        Reason::NoItem,
        Reason::Misaligned("2 verdicts for 3 elements".to_owned()),
    ]
}

#[test]
fn half_points_lie_on_the_likert_scale_and_quarter_points_do_not() {
    let scale = Scale::HALF_POINTS_1_TO_5;
    for x in [1.0, 1.5, 3.0, 4.5, 5.0] {
        assert!(scale.contains(x), "{x}");
    }
    for x in [0.0, 0.5, 4.25, 5.5, -1.0, f64::NAN, f64::INFINITY] {
        assert!(!scale.contains(x), "{x}");
    }
}

#[test]
fn a_step_of_zero_allows_every_number_between_the_bounds() {
    assert!(Scale::ANY_1_TO_5.contains(4.25));
    assert!(!Scale::ANY_1_TO_5.contains(5.01));
}

#[test]
fn steps_that_are_not_exact_in_binary_still_count() {
    let scale = Scale::new(0.0, 1.0, 0.1).unwrap();
    assert!((0..=10).all(|i| scale.contains(f64::from(i) / 10.0)));
    assert!(!scale.contains(0.15));
}

#[test]
fn impossible_scales_are_refused() {
    assert_eq!(Scale::new(5.0, 1.0, 0.5), Err(ScaleError::Empty(5.0, 1.0)));
    assert_eq!(
        Scale::new(1.0, 5.0, -1.0),
        Err(ScaleError::BadStep(-1.0, 4.0))
    );
    assert_eq!(
        Scale::new(1.0, 5.0, 9.0),
        Err(ScaleError::BadStep(9.0, 4.0))
    );
    assert!(Scale::new(1.0, f64::NAN, 0.5).is_err());
    assert!(Scale::new(f64::MIN, f64::MAX, 0.5).is_err());
}

#[test]
fn codes_are_unique_and_listed() {
    let codes: Vec<_> = every_reason().iter().map(Reason::code).collect();
    assert_eq!(codes, Reason::CODES);
}

#[test]
fn a_reason_survives_being_written_as_code_and_detail() {
    for reason in every_reason() {
        let detail = reason.detail();
        assert_eq!(
            Reason::from_code(reason.code(), detail.as_deref()),
            Some(reason)
        );
    }
    assert_eq!(Reason::from_code("out-of-luck", None), None);
}

#[test]
fn a_reason_is_written_with_its_code_apart_from_its_detail() {
    let json = |reason: &Reason| serde_json::to_string(reason).unwrap();
    assert_eq!(json(&Reason::NoReply), r#"{"code":"no-reply"}"#);
    assert_eq!(
        json(&Reason::OffScale("6".to_owned())),
        r#"{"code":"off-scale","detail":"6"}"#
    );
    for reason in every_reason() {
        let value = serde_json::to_value(&reason).unwrap();
        assert_eq!(value["code"], reason.code());
    }
}

#[test]
fn a_reason_reads_as_a_sentence() {
    let text = Reason::Ambiguous(vec!["3".to_owned(), "4".to_owned()]).to_string();
    assert_eq!(text, "one place offers several scores: `3`, `4`");
    let text = Reason::Ambiguous(vec!["No".to_owned()]).to_string();
    assert_eq!(
        text,
        "what stands around `No` leaves in doubt whether it is the score"
    );
}
