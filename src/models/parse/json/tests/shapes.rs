//! Which shapes hold a score, and which do not.

use super::*;

#[test]
fn every_supported_shape_is_read() {
    for reply in [
        // JSON
        r#"{"fluency": 3.5}"#,
        r#"{"fluency":3.5,"coherence":2}"#,
        "{\r\n\t\"fluency\": 3.5,\r\n\t\"coherence\": 2\r\n}",
        r#"{"fluency": "3.5"}"#,
        r#"{"fluency": 35e-1}"#,
        r#"{"fl\u0075ency": 3.5}"#,
        r#"{"explanation": "two {odd} \"signs\" }, here", "fluency": 3.5}"#,
        r#"{"coherence": null, "fluency": 3.5}"#,
        r#"{"a": [], "b": {}, "c": [{}, [1, 2]], "fluency": 3.5}"#,
        // where it stands
        "```json\n{\"fluency\": 3.5}\n```",
        "Here it is:\n```\n{\"fluency\": 3.5}\n```\nDone.",
        "So {a, the} and of{this} in all: {\"fluency\": 3.5} as {asked}.",
        "{{\"fluency\": 3.5}}",
        "\\boxed{ {\"fluency\": 3.5} }",
        "Use {\"fluency\": <1-5>}. My answer: {\"fluency\": 3.5}",
        "The form {\"fluency\": \"...\"} is filled in: {\"fluency\": 3.5}",
        "[{\"fluency\": 3.5}]",
        "<think>{\"fluency\": 1}</think>{\"fluency\": 3.5}",
        // keys
        r#"{"Fluency": 3.5}"#,
        r#"{"FLUENCY SCORE": 3.5}"#,
        r#"{"fluency_score": 3.5}"#,
        r#"{"fluency-rating": 3.5}"#,
        r#"{"fluencyScore": 3.5}"#,
        r#"{"final_fluency_score": 3.5}"#,
        r#"{" fluency ": 3.5}"#,
        r#"{"Fluency (1-5)": 3.5}"#,
        r#"{"fluency_score (out of 5)": 3.5}"#,
        r#"{"score_fluency": 3.5}"#,
        r#"{"fluency_grade": 3.5}"#,
        // levels
        r#"{"scores": {"fluency": 3.5}}"#,
        r#"{"evaluation": {"scores": {"fluency": 3.5}}}"#,
        r#"{"fluency": {"score": 3.5, "reason": "good"}}"#,
        r#"{"fluency": {"reason": "good", "Rating": "3.5/5"}}"#,
        r#"{"fluency": {"value": 3.5}}"#,
        r#"{"fluency": {"grade": 3.5}}"#,
        r#"{"fluency": {"mark": 3.5, "grade": "good"}}"#,
        r#"{"Fluency (1-5)": {"grade": 3.5}}"#,
        r#"{"fluency": {"fluency_score": 3.5}}"#,
        r#"{"result": {"evaluation": {"fluency": {"score": 3.5}}}}"#,
        r#"{"score": {"fluency": 3.5}}"#,
        r#"{"coherence": {"fluency": 3.5}}"#,
        r#"{"scores": [{"metric": "fluency", "score": 3.5}, {"metric": "coherence", "score": 2}]}"#,
        r#"[{"criterion": "coherence", "rating": 2}, {"criterion": "Fluency", "rating": 3.5}]"#,
        r#"{"score": 3.5, "metric": "fluency"}"#,
        r#"{"evaluations": [{"name": "fluency", "value": "3.5"}]}"#,
        // values
        r#"{"fluency": "3,5"}"#,
        r#"{"fluency": "3.5/5"}"#,
        r#"{"fluency": "3.5 out of 5"}"#,
        r#"{"fluency": "**3.5**"}"#,
        r#"{"fluency": "3.5 - fair"}"#,
        r#"{"fluency": "3.5 (fair)"}"#,
        r#"{"fluency": "3.5 / 5 points"}"#,
        r#"{"fluency": "3.5 stars"}"#,
        r#"{"fluency": 3.5/5}"#,
        r#"{"fluency": 3,5, "coherence": 4}"#,
        r#"{"fluency": +3.5}"#,
        r#"{"fluency": 3.50}"#,
        // nearly JSON
        r#"{"fluency": 3.5,}"#,
        r#"{"coherence": 2,, "fluency": 3.5}"#,
        "{\"coherence\": \"2\"\n\"fluency\": 3.5}",
        "{\"coherence\": 2\n\"fluency\": 3.5}",
        "{'coherence': None, 'note': 'it's fine', 'fluency': 3.5}",
        "{fluency: 3.5}",
        "{coherence: 2, fluency score: 3.5}",
        "{\"ok\": True, \"x\": NaN, \"y\": -Infinity, \"fluency\": 3.5}",
        "{\"coherence\": 2, // {\"fluency\": 1}\n \"fluency\": 3.5 # good\n}",
        "{/* \"fluency\": 1, */ \"fluency\": /* so */ 3.5}",
        "{\"note\": \"two\nlines\n\", \"fluency\": 3.5}",
        r#"{"note": "the word "teh" is wrong", "fluency": 3.5}"#,
        r#"{"note": "says "fluency": 2 at most", "fluency": 3.5}"#,
        r#"{"note": , "fluency": 3.5}"#,
        r#"{"note": not quoted at all, "fluency": 3.5}"#,
        "{\"issues\": [\"a \"b\" c\", \"d\",], \"fluency\": 3.5}",
        "{\u{a0}\"fluency\"\u{ff1a} 3.5}",
        // not closed, or closed wrongly
        r#"{"fluency": 3.5"#,
        r#"{"scores": {"fluency": 3.5"#,
        r#"{"scores": {"fluency": 3.5}"#,
        r#"{"fluency": 3.5]"#,
        r#"{"fluency": 3.5, "note": "never closed"#,
        r#"{"fluency": 3.5, "coherence": ]}"#,
    ] {
        assert_eq!(fluency(reply), Some(3.5), "{reply}");
    }
}

#[test]
fn shapes_outside_the_rule_are_unscored() {
    for reply in [
        "3.5",
        "Fluency: 3.5",
        "\"fluency\": 3.5",
        "{}",
        "{fluency}",
        "{\"fluency\"}",
        "{\"fluency\", 3.5}",
        r#"{"fluency": null}"#,
        r#"{"fluency": "N/A"}"#,
        r#"{"fluency": None}"#,
        r#"{"fluency": NaN}"#,
        r#"{"fluency": ""}"#,
        r#"{"fluency": true}"#,
        r#"{"fluency": "good"}"#,
        r#"{"fluency": "4 typos"}"#,
        r#"{"fluency (2)": 4}"#,
        r#"{"fluency": {"grade": "A"}}"#,
        r#"{"fluency": "four"}"#,
        r#"{"fluency": [4]}"#,
        r#"{"fluency": {}}"#,
        r#"{"fluency": {"score": null}}"#,
        r#"{"fluency": {"count": 4}}"#,
        r#"{"fluency": }"#,
        r#"{"coherence": 4}"#,
        r#"{"disfluency": 4}"#,
        r#"{"score": 4}"#,
        r#"{"metric": "style", "score": 4}"#,
        r#"{"a": {"b": {"c": {"fluency": 4}}}}"#,
        r#"{"note": "{\"fluency\": 4}"}"#,
        r#"{"issues": [{"metric": "fluency", "score": 4}]}"#,
        "{// {\"fluency\": 4}\n}",
    ] {
        assert_eq!(
            why(reply, Finish::Stop),
            Some(Reason::NoScoreFound),
            "{reply}"
        );
    }
}

#[test]
fn a_number_off_the_scale_is_named() {
    for (value, found) in [
        ("0", "0"),
        ("85", "85"),
        ("-1", "-1"),
        ("1e999", "1e999"),
        ("\"4/10\"", "4/10"),
        ("\"80%\"", "80%"),
        ("8/10", "8/10"),
        ("\"6 (superb)\"", "6"),
    ] {
        let expected = Some(Reason::OffScale(found.to_owned()));
        assert_eq!(
            why(&format!("{{\"fluency\": {value}}}"), Finish::Stop),
            expected
        );
    }
}

#[test]
fn several_values_in_one_place_are_ambiguous() {
    for reply in [
        r#"{"fluency": 3, "fluency": 4}"#,
        r#"{"fluency": 3, "Fluency Score": 4}"#,
        r#"{"fluency": {"score": 3, "rating": 4}}"#,
        r#"{"a": {"fluency": 3}, "b": {"fluency": 4}}"#,
        r#"{"scores": [{"metric": "fluency", "score": 3}, {"metric": "fluency", "score": 4}]}"#,
    ] {
        let both = Some(Reason::Ambiguous(names(&["3", "4"])));
        assert_eq!(why(reply, Finish::Stop), both, "{reply}");
    }
    for reply in [r#"{"fluency": "3-4"}"#, r#"{"fluency": 3-4}"#] {
        let whole = Some(Reason::Ambiguous(names(&["3-4"])));
        assert_eq!(why(reply, Finish::Stop), whole, "{reply}");
    }
    for (value, words) in [("5 - 1 = 4", "5 - 1 = 4"), ("3 → 4", "3 → 4")] {
        let whole = Some(Reason::Ambiguous(names(&[words])));
        assert_eq!(
            why(&format!(r#"{{"fluency": "{value}"}}"#), Finish::Stop),
            whole
        );
    }
    assert_eq!(fluency(r#"{"fluency": 4, "fluency": "4.0"}"#), Some(4.0));
    assert_eq!(
        fluency(r#"{"fluency": "reads well", "fluency_score": 4}"#),
        Some(4.0)
    );
    assert_eq!(
        fluency(r#"{"fluency": null, "fluency_score": 4}"#),
        Some(4.0)
    );
}

#[test]
fn a_metric_may_be_called_like_another_key() {
    let scores = |metrics: &[&str], reply: &str| -> Vec<Option<f64>> {
        let form = read(metrics, reply, Finish::Stop);
        form.readings.iter().map(|r| r.outcome.score()).collect()
    };
    let reply = r#"{"fluency": {"score": 3}, "score": 4}"#;
    assert_eq!(scores(&["fluency", "score"], reply), [Some(3.0), Some(4.0)]);
    assert_eq!(scores(&["name"], r#"{"name": 3}"#), [Some(3.0)]);
    assert_eq!(scores(&["issues"], r#"{"issues": 3}"#), [Some(3.0)]);
    assert_eq!(
        scores(&["overall quality"], r#"{"Overall_Quality": 3}"#),
        [Some(3.0)]
    );
    assert_eq!(
        scores(&["Flüssigkeit"], r#"{"FLÜSSIGKEIT": 3}"#),
        [Some(3.0)]
    );
    assert_eq!(scores(&[], reply), []);
}

#[test]
fn the_schema_asks_for_what_is_read() {
    let metrics = names(&["fluency", "overall quality"]);
    let schema = schema(&metrics, &Scale::HALF_POINTS_1_TO_5, true, true);
    let keys: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["explanation", "issues", "fluency", "overall quality"]
    );
    assert_eq!(schema["required"].as_array().unwrap().len(), 4);
    assert_eq!(schema["additionalProperties"], false);
    let issue = &schema["properties"]["issues"]["items"];
    assert_eq!(issue["required"].as_array().unwrap().len(), 3);
    assert_eq!(issue["additionalProperties"], false);
    let score = serde_json::to_string(&schema["properties"]["fluency"]).unwrap();
    assert_eq!(
        score,
        r#"{"type":"number","enum":[1,1.5,2,2.5,3,3.5,4,4.5,5]}"#
    );
}

#[test]
fn the_schema_gives_bounds_where_marks_would_be_too_many() {
    let score = |metrics: usize, scale: Scale| {
        let metrics: Vec<_> = (0..metrics).map(|i| format!("m{i}")).collect();
        schema(&metrics, &scale, false, false)["properties"]["m0"].to_string()
    };
    let percent = Scale::new(0.0, 100.0, 1.0).unwrap();
    assert!(score(9, percent.clone()).contains("\"enum\":[0,1,2,"));
    let bounds = r#"{"type":"number","minimum":0,"maximum":100}"#;
    assert_eq!(score(10, percent), bounds);
    assert_eq!(
        score(1, Scale::ANY_1_TO_5),
        r#"{"type":"number","minimum":1,"maximum":5}"#
    );
    assert_eq!(score(1, Scale::new(0.0, 100.0, 0.5).unwrap()), bounds);
}

#[test]
fn a_metric_goes_before_a_property_of_its_name() {
    let schema = schema(
        &names(&["explanation"]),
        &Scale::HALF_POINTS_1_TO_5,
        true,
        false,
    );
    assert_eq!(schema["properties"]["explanation"]["type"], "number");
    assert_eq!(schema["required"], serde_json::json!(["explanation"]));
}

#[test]
fn a_reason_beside_a_score_is_its_explanation() {
    let own = |metric: &str, reason: &str| (metric.to_owned(), Some(reason.to_owned()));
    for reply in [
        r#"{"fluency": {"score": 4, "reason": "smooth"}, "coherence": {"score": 2, "rationale": "jumpy"}}"#,
        r#"{"fluency": 4, "fluency_explanation": "smooth", "coherence": 2, "coherenceReasoning": "jumpy"}"#,
        r#"[{"metric": "fluency", "score": 4, "justification": "smooth"}, {"metric": "coherence", "score": 2, "why": "jumpy"}]"#,
    ] {
        let reader = Reader::new(Parser::Json, &names(&["fluency", "coherence"])).unwrap();
        let form = reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, Thoughts::default());
        let readings = form.readings.into_iter();
        let said: Vec<_> = readings
            .map(|reading| (reading.metric, reading.explanation))
            .collect();
        assert_eq!(
            said,
            [own("fluency", "smooth"), own("coherence", "jumpy")],
            "{reply}"
        );
    }
    let reader = Reader::new(Parser::Json, &names(&["fluency"])).unwrap();
    let explanation = |reply: &str| {
        let form = reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, Thoughts::default());
        form.readings[0].explanation.clone()
    };
    for (reply, said) in [
        (
            r#"{"explanation": "all \"is\" well", "fluency": 4}"#,
            Some("all \"is\" well"),
        ),
        (
            r#"{"fluency": 4, "issues": [{"text": "a", "explanation": "not of the score"}]}"#,
            None,
        ),
        (
            r#"{"fluency": 4, "style": {"score": 3, "reason": "another's"}}"#,
            None,
        ),
        (r#"{"fluency": 4, "explanation": ""}"#, None),
        (
            r#"{"reason": "of a draft", "style": 1} {"fluency": 4}"#,
            None,
        ),
    ] {
        assert_eq!(explanation(reply).as_deref(), said, "{reply}");
    }
}
