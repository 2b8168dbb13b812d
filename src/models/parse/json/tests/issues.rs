//! Issues: where they are listed, and what an entry says.

use super::*;

/// Each issue of a reply as `metric|label|text`.
fn issues(reply: &str) -> Vec<String> {
    let form = form(reply);
    for issue in &form.issues {
        assert!(
            reply
                .get(issue.span.clone())
                .is_some_and(|span| !span.is_empty())
        );
    }
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let line = |issue: Issue| {
        format!(
            "{}|{}|{}",
            or_dash(issue.metric),
            or_dash(issue.label),
            issue.text
        )
    };
    form.issues.into_iter().map(line).collect()
}

#[test]
fn issues_are_found_on_every_level_that_is_read() {
    for reply in [
        r#"{"fluency": {"score": 4, "issues": ["[GRAMMAR] bad"]}}"#,
        r#"{"fluency_issues": ["[GRAMMAR] bad"]}"#,
        r#"{"issues": {"fluency": ["[GRAMMAR] bad"]}}"#,
        r#"{"issues": {"fluency": "[GRAMMAR] bad"}}"#,
        r#"{"issues": {"fluency": {"[GRAMMAR]": ["bad"], "[LEXICON]": []}}}"#,
        r#"{"section_01": {"issues": {"fluency": {"[GRAMMAR]": ["bad", ""]}}, "fluency": 4}}"#,
        r#"{"fluency": {"issues": {"GRAMMAR": [{"text": "bad"}]}}}"#,
        r#"{"issues": {"metric": "fluency", "label": "GRAMMAR", "text": "bad", "lines": [4, "x"]}}"#,
        r#"{"evaluation": {"fluency": {"problems": ["[GRAMMAR] bad"]}}}"#,
        r#"{"a": {"b": {"fluency": {"problems": ["[GRAMMAR] bad"]}}}}"#,
        r#"{"scores": [{"metric": "fluency", "errors": ["[GRAMMAR] bad"]}]}"#,
        r#"{"issues": [{"metric": "Fluency", "type": "GRAMMAR", "description": "bad"}]}"#,
        r#"{"issues": [{"aspect": "fluency", "label": "GRAMMAR", "text": "bad"}]}"#,
        r#"{"errors": [{"Category": "GRAMMAR", "explanation": "bad", "aspect": "fluency"}]}"#,
        r#"{"issues": {"aspect": "fluency", "label": "GRAMMAR", "text": "bad"}}"#,
        r#"{"fluency": {"issues": [{"issue": "[GRAMMAR] **bad**"}]}}"#,
    ] {
        assert_eq!(issues(reply), ["fluency|GRAMMAR|bad"], "{reply}");
    }
}

#[test]
fn an_issue_need_not_name_a_metric_or_a_label() {
    assert_eq!(
        issues(r#"{"issues": ["a  gap\n here"]}"#),
        ["-|-|a gap here"]
    );
    assert_eq!(issues(r#"{"issues": "a gap"}"#), ["-|-|a gap"]);
    assert_eq!(
        issues(r#"{"issues": [{"quote": "he go", "text": "wrong"}]}"#),
        ["-|-|he go: wrong"]
    );
    assert_eq!(issues(r#"{"issues": [{"type": "LOGIC"}]}"#), ["-|LOGIC|"]);
    assert_eq!(
        issues(r#"{"issues": [{"type": "coherence", "text": "x"}]}"#),
        ["coherence|coherence|x"]
    );
    assert_eq!(
        issues(r#"{"issues": ["[LOGIC], [PLOT] a gap"]}"#),
        ["-|LOGIC|a gap", "-|PLOT|a gap"]
    );
}

#[test]
fn escapes_in_issues_are_decoded() {
    let reply = r#"{"issues": ["\"caf\u00e9\" \ud83d\ude00 \ud83d"]}"#;
    assert_eq!(issues(reply), ["-|-|\"café\" 😀 \u{fffd}"]);
}

#[test]
fn what_names_no_fault_is_no_issue() {
    for reply in [
        r#"{"issues": []}"#,
        r#"{"issues": "None"}"#,
        r#"{"issues": ["None.", "No major issues", "", "-", 4, null, []]}"#,
        r#"{"issues": [{"type": "None", "text": ""}, {"severity": "high"}, {}]}"#,
        r#"{"issues": 3}"#,
        r#"{"strengths": ["vivid"], "explanation": "bad"}"#,
        r#"{"known_issues": ["x"]}"#,
        r#"<think>{"issues": ["x"]}</think>"#,
    ] {
        assert!(issues(reply).is_empty(), "{reply}");
    }
}

#[test]
fn repetitions_and_what_stood_before_a_cut_are_kept() {
    assert_eq!(
        issues(r#"{"issues": ["x", "x"]} {"issues": ["x"]}"#).len(),
        3
    );
    assert_eq!(
        issues(r#"{"issues": ["first", "second", "thi"#),
        ["-|-|first", "-|-|second"]
    );
}

#[test]
fn the_span_of_an_issue_is_its_entry() {
    let reply = r#"{"issues": ["é bad", {"text": "x"}]}"#;
    let spans: Vec<_> = form(reply)
        .issues
        .into_iter()
        .map(|issue| &reply[issue.span])
        .collect();
    assert_eq!(spans, ["é bad", r#"{"text": "x"}"#]);
}

#[test]
fn issues_of_a_metric_that_is_not_asked_for_are_dropped() {
    for (reply, found) in [
        (
            r#"{"fluency": 5, "issues": [{"metric": "coherence", "text": "the rain"}]}"#,
            &[][..],
        ),
        (
            r#"{"fluency": 5, "issues": {"fluency": [], "coherence": ["[LOGIC] the rain"]}}"#,
            &[],
        ),
        (
            r#"{"fluency_issues": ["a slip"], "coherence_issues": ["the rain"]}"#,
            &["a slip"],
        ),
        (
            r#"{"issues": {"fluency_issues": ["a slip"], "coherence_issues": ["the rain"]}}"#,
            &["a slip"],
        ),
        (
            r#"{"fluency": {"score": 4, "issues": ["a slip"]}, "coherence": {"score": 3, "issues": ["the rain"]}}"#,
            &["a slip"],
        ),
        (
            r#"[{"metric": "fluency", "score": 4, "issues": ["a slip"]}, {"metric": "coherence", "score": 3, "issues": ["the rain"]}]"#,
            &["a slip"],
        ),
        (
            r#"{"fluency": 5, "issues": [{"metric": "fluency and coherence", "text": "a slip"}, {"name": "Tense", "text": "mixed"}]}"#,
            &["a slip", "mixed"],
        ),
        (
            r#"{"score": 5, "issues": {"GRAMMAR": ["a slip"]}}"#,
            &["a slip"],
        ),
    ] {
        let issues = read(&["fluency"], reply, Finish::Stop).issues;
        let texts: Vec<&str> = issues.iter().map(|issue| issue.text.as_str()).collect();
        assert_eq!(texts, found, "{reply}");
    }
}
