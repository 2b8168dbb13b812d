//! Which of several objects decides, and what a cut reply still says.

use super::*;

fn readings(reply: &str) -> Vec<(Option<f64>, bool)> {
    let form = form(reply);
    form.readings
        .iter()
        .map(|r| (r.outcome.score(), r.contradicted))
        .collect()
}

#[test]
fn of_objects_that_differ_only_an_announced_one_decides() {
    let reply = r#"First: {"fluency": 3, "coherence": 2}. Final: {"fluency": 4, "coherence": 2}"#;
    assert_eq!(readings(reply), [(Some(4.0), true), (Some(2.0), false)]);
    let reply = r#"{"fluency": 4}{"fluency": 3}{"fluency": 4}"#;
    assert_eq!(readings(reply)[0], (None, true));
    // A draft or an example is nobody's verdict.
    for reply in [
        r#"Draft: {"fluency": 3}. Now: {"fluency": 4}"#,
        r#"{"fluency": 4} An example of the form: {"fluency": 3}"#,
    ] {
        assert_eq!(readings(reply)[0], (Some(4.0), false), "{reply}");
    }
}

#[test]
fn metrics_may_stand_in_objects_of_their_own() {
    let reply = "{\"fluency\": 4}\n{\"coherence\": 2}";
    assert_eq!(readings(reply), [(Some(4.0), false), (Some(2.0), false)]);
    let reply =
        "{\"metric\": \"coherence\", \"score\": 2}\n{\"metric\": \"fluency\", \"score\": 4}";
    assert_eq!(readings(reply), [(Some(4.0), false), (Some(2.0), false)]);
}

#[test]
fn a_later_object_may_take_a_score_back_but_words_do_not() {
    let reply = r#"{"fluency": 4} no: {"fluency": null}"#;
    assert_eq!(readings(reply)[0].0, None);
    let reply = r#"{"fluency": 4} since {"fluency": "it reads well"}"#;
    assert_eq!(readings(reply)[0], (Some(4.0), false));
}

#[test]
fn the_level_nearest_to_the_top_decides() {
    let reply = r#"{"sections": [{"fluency": 2}, {"fluency": 3}], "fluency": 4}"#;
    assert_eq!(readings(reply)[0], (Some(4.0), false));
    let reply = r#"{"fluency": 4, "sections": [{"fluency": 2}]}"#;
    assert_eq!(readings(reply)[0], (Some(4.0), false));
}

#[test]
fn entries_of_an_array_that_speak_of_the_same_metric_are_sections() {
    let (four, two) = (Some(4.0), Some(2.0));
    for (reply, scores) in [
        (
            r#"{"sections": [{"fluency": 3}, {"fluency": 5}], "overall": {"fluency": 4, "coherence": 2}}"#,
            [four, two],
        ),
        (
            r#"{"overall": {"fluency": 4, "coherence": 2}, "sections": [{"fluency": 3}, {"no": 1}, {"fluency": 5}]}"#,
            [four, two],
        ),
        (
            r#"{"sections": [{"metric": "fluency", "score": 3}, {"metric": "fluency", "score": 5}], "all": [{"metric": "fluency", "score": 4}, {"metric": "coherence", "score": 2}]}"#,
            [four, two],
        ),
        // Metric by metric.
        (
            r#"{"sections": [{"fluency": 3}, {"fluency": 5, "coherence": 2}], "all": {"fluency": 4, "coherence": 3}}"#,
            [four, None],
        ),
        // A section alone is a whole like another.
        (
            r#"{"sections": [{"fluency": 3}], "overall": {"fluency": 4}}"#,
            [None, None],
        ),
        // One entry that says two things is not two.
        (
            r#"{"sections": [{"fluency": 3, "fluency score": 5}, {"coherence": 2}], "overall": {"fluency": 4}}"#,
            [None, two],
        ),
        (
            r#"{"sections": [{"fluency": 4}, {"fluency": 4}, {"coherence": 2}]}"#,
            [four, two],
        ),
        (
            r#"{"sections": [{"fluency": 3}, {"fluency": 5}]}"#,
            [None, None],
        ),
    ] {
        let found = readings(reply).into_iter().map(|(score, _)| score);
        assert_eq!(found.collect::<Vec<_>>(), scores, "{reply}");
    }
}

#[test]
fn an_incomplete_object_may_contradict_a_complete_one() {
    let reply = r#"{"fluency": 3} and {"fluency": 4, "coherence": 2"#;
    assert_eq!(readings(reply), [(None, true), (Some(2.0), false)]);
    let reply = r#"{"fluency": 4, "coherence": 2 ! then {"fluency": 3}"#;
    assert_eq!(readings(reply)[0], (None, true));
}

#[test]
fn what_was_complete_before_the_cut_counts() {
    let scores = |reply: &str| -> Vec<Option<f64>> {
        let form = read(&["fluency", "coherence"], reply, Finish::Length);
        form.readings.iter().map(|r| r.outcome.score()).collect()
    };
    for (reply, fluency) in [
        (r#"{"fluency": 4"#, None),
        (r#"{"fluency": 4 "#, None),
        (r#"{"fluency": 4."#, None),
        (r#"{"fluency": "4"#, None),
        (r#"{"fluency":"#, None),
        (r#"{"flue"#, None),
        (r#"{"fluency": {"score": 4"#, None),
        (r#"{"fluency": 4,"#, Some(4.0)),
        (r#"{"fluency": 4}"#, Some(4.0)),
        ("{\"fluency\": 4\n", Some(4.0)),
        (r#"{"fluency": "4""#, Some(4.0)),
        (r#"{"fluency": {"score": 4}"#, Some(4.0)),
        (r#"{"fluency": {"score": 4, "reason": "it rea"#, Some(4.0)),
        (
            r#"{"scores": [{"metric": "fluency", "score": 4}, {"metr"#,
            Some(4.0),
        ),
        (r#"{"fluency": 4, "coherence": 3"#, Some(4.0)),
    ] {
        assert_eq!(scores(reply), [fluency, None], "{reply}");
        let reason = read(&["fluency", "coherence"], reply, Finish::Length)
            .readings
            .remove(1);
        assert_eq!(
            reason.outcome,
            Outcome::Unscored(Reason::CutByLength),
            "{reply}"
        );
    }
}

#[test]
fn with_one_metric_a_score_needs_no_name() {
    let one = |reply: &str| {
        let reading = read(&["fluency"], reply, Finish::Stop).readings.remove(0);
        (reading.outcome.score(), reading.contradicted)
    };
    for reply in [
        r#"{"score": 4}"#,
        r#"{"Rating": "4/5", "reason": "good"}"#,
        r#"{"final_score": 4}"#,
        r#"{"grade": 4}"#,
        r#"{"Final Mark": 4}"#,
        r#"{"Score (1-5)": "4 points"}"#,
        r#"{"score": 4, "issues": []}"#,
    ] {
        assert_eq!(one(reply), (Some(4.0), false), "{reply}");
    }
    for reply in [
        r#"{"metric": "coherence", "score": 4}"#,
        r#"{"coherence": {"score": 4}}"#,
        r#"{"overall_score": 4}"#,
    ] {
        assert_eq!(one(reply), (None, false), "{reply}");
    }
    // Named objects are stronger, wherever they stand.
    assert_eq!(one(r#"{"fluency": 4} {"score": 3}"#), (Some(4.0), false));
    assert_eq!(
        one(r#"{"score": 3} {"score": 2} {"fluency": 4}"#),
        (Some(4.0), false)
    );
    assert_eq!(one(r#"{"score": 3, "fluency": 4}"#), (Some(4.0), false));
    assert_eq!(one(r#"{"score": 3} {"score": 4}"#), (None, true));
}

#[test]
fn thoughts_are_not_the_answer() {
    for reply in [r#"<think>{"fluency": 1}"#, r#"{"fluency": 1}</think>"#] {
        assert_eq!(why(reply, Finish::Stop), Some(Reason::ThinkNotClosed));
        assert_eq!(why(reply, Finish::Length), Some(Reason::ThinkNotClosed));
    }
    let reader = Reader::new(Parser::Json, &names(&["fluency"])).unwrap();
    let reply = r#"<reasoning>{"fluency": 1}</reasoning>{"fluency": 4}"#;
    let reasoning = Thoughts {
        tag: "reasoning",
        opened: false,
    };
    let form = reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, reasoning);
    assert_eq!(form.readings[0].outcome, Outcome::Scored(4.0));
    assert!(!form.readings[0].contradicted);
}

#[test]
fn a_blank_reply_is_no_reply() {
    assert_eq!(why(" \n", Finish::Stop), Some(Reason::NoReply));
    assert_eq!(
        why("<think>hm</think>\n", Finish::Stop),
        Some(Reason::NoReply)
    );
    assert_eq!(
        why("I cannot.", Finish::Unknown),
        Some(Reason::NoScoreFound)
    );
    assert_eq!(why("I cann", Finish::Length), Some(Reason::CutByLength));
}

#[test]
fn the_span_covers_key_and_value() {
    for (reply, span) in [
        (r#"é {"fluency": 4.0 }"#, r#"fluency": 4.0"#),
        (
            r#"{"fluency": {"score": "4/5"}}"#,
            r#"fluency": {"score": "4/5"#,
        ),
        (
            r#"{"metric": "fluency", "score": 4}"#,
            r#"metric": "fluency", "score": 4"#,
        ),
        (r#"{"fluency": null}"#, r#"fluency": null"#),
    ] {
        let found = form(reply).readings[0].span.clone().unwrap();
        assert_eq!(&reply[found], span);
    }
    assert_eq!(form("{}").readings[0].span, None);
}
