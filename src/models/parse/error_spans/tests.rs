//! What is read of replies with blocks of errors.

use std::time::Duration;

use proptest::prelude::*;

use crate::base::fixture::cpu_time;
use crate::models::parse::{Finish, Form, Parser, Reader, Severity, Thoughts};
use crate::models::score::{Outcome, Reason, Scale};

fn read_for(reply: &str, metrics: &[&str]) -> Form {
    let metrics: Vec<String> = metrics.iter().map(|&name| name.to_owned()).collect();
    let reader = Reader::new(Parser::ErrorSpans, &metrics).unwrap();
    let form = reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, Thoughts::default());
    for span in form.spans.iter().flatten() {
        assert!(
            reply
                .get(span.span.clone())
                .is_some_and(|text| !text.is_empty())
        );
    }
    assert_eq!(form.issues.len(), form.spans.as_ref().map_or(0, Vec::len));
    form
}

fn read(reply: &str) -> Form {
    read_for(reply, &["overall"])
}

fn score(form: &Form) -> Option<f64> {
    form.readings[0].outcome.score()
}

/// Location, explanation, severity.
fn told(form: &Form) -> Vec<(String, String, String)> {
    let spans = form.spans.iter().flatten();
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    spans
        .map(|span| {
            let severity = match &span.severity {
                Severity::Number(number) => number.to_string(),
                Severity::Word(word) => word.clone(),
                Severity::None => String::new(),
            };
            (text(&span.location), text(&span.explanation), severity)
        })
        .collect()
}

fn own(spans: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    let own = |text: &str| text.to_owned();
    let spans = spans.iter();
    spans.map(|(a, b, c)| (own(a), own(b), own(c))).collect()
}

#[test]
fn blocks_and_the_verdict_are_read_in_whatever_marks() {
    let two = own(&[
        ("teh cat", "a typo (rated 4)", "3"),
        ("sat, sat", "twice", "1"),
    ]);
    for reply in [
        "```\nError 1:\nLocation: \"teh cat\"\nExplanation: a typo (rated 4)\nSeverity: 3\n\nError 2:\nLocation: \
         \"sat, sat\"\nExplanation: twice\nSeverity: 1\n\nOverall score: 2\nExplanation of the score: weak, a severity of 4.\n```",
        "**Error 1:**\n- **Location:** “teh cat”\n- **Explanation:** a typo\n(rated 4)\n- **Severity:** 3/5\n\n**Error \
         2:**\n- **Location:** `sat, sat`\n- **Explanation:** twice\n- **Severity:** 1 (suggestion)\n\n**Overall Score:** \
         **2**\n**Explanation of the Score:** weak, a severity of 4.",
        "### Issue 1\n1. Location: \"teh cat\"\n2. Severity: 3\n3. Explanation: a typo (rated 4)\n\n### Issue 2\n1. \
         Location: \"sat, sat\"\n2. Severity: 1\n3. Explanation: twice\n\n### Overall score: 2\n\nReasoning: weak, a severity of 4.",
        "Location: \"teh cat\" | Explanation: a typo (rated 4) | Severity: 3\nLocation: \"sat, sat\"; Explanation: twice; \
         Severity: 1\n\nOverall score: 2\nRationale: weak, a severity of 4.",
        "{\"errors\": [{\"location\": \"teh cat\", \"explanation\": \"a typo (rated 4)\", \"severity\": 3}, {\"span\": \
         \"sat, sat\", \"reason\": \"twice\", \"severity\": \"1\"}], \"overall_score\": 2}",
    ] {
        let form = read(reply);
        assert_eq!(told(&form), two, "{reply}");
        assert_eq!(score(&form), Some(2.0), "{reply}");
        if !reply.starts_with('{') {
            let explanation = form.readings[0].explanation.as_deref();
            assert_eq!(explanation, Some("weak, a severity of 4."), "{reply}");
        }
    }
}

#[test]
fn no_errors_are_said_or_nothing_is_known_of_them() {
    for reply in [
        "No Error\n\nOverall score: 5",
        "**No errors found.**\n\n**Overall score:** **5**",
        "Error 1:\nNone\n\nOverall score: 5\nno errors",
        "{\"errors\": [], \"overall\": 5}",
    ] {
        let form = read(reply);
        assert_eq!(form.spans.as_deref().map(<[_]>::len), Some(0), "{reply}");
        assert_eq!(score(&form), Some(5.0), "{reply}");
    }
    let form = read("Overall score: 5");
    assert_eq!((form.spans.as_ref(), score(&form)), (None, Some(5.0)));
}

#[test]
fn blocks_that_name_nothing_are_no_errors() {
    let reply = "Error 1:\nLocation: \"a\"\nExplanation: wrong\nSeverity: 2\n\nError 2:\nLocation: None of the others.\n\n\
                 Error 3:\nNone identified beyond Error 1.\n\nError 4 (Revised - None)\n\nOverall score: 4";
    assert_eq!(told(&read(reply)), own(&[("a", "wrong", "2")]));
    let reply = "Error 1:\nLocation: entire text\nExplanation: dull\nSeverity: N/A (no error)\n\nOverall score: 4";
    assert_eq!(told(&read(reply)), own(&[("entire text", "dull", "")]));
}

#[test]
fn a_form_written_anew_takes_the_place_of_the_first() {
    let form = |severity: u32, score: u32| {
        format!(
            "Error 1:\nLocation: \"a\"\nSeverity: {severity}\n\nOverall score: {score}\nExplanation of the score: as is\n"
        )
    };
    let twice = read(&format!("{}\nRevised:\n\n{}", form(4, 3), form(2, 3)));
    assert_eq!(
        (told(&twice), score(&twice)),
        (own(&[("a", "", "2")]), Some(3.0))
    );
    let other = read(&format!("{}\n{}", form(4, 3), form(2, 4)));
    assert_eq!(score(&other), None);
}

#[test]
fn what_refers_to_errors_in_the_explanation_is_no_error() {
    let reply = "Error 1:\nLocation: \"a\"\nExplanation: b\nSeverity: 3\n\nOverall score: 2\nExplanation of the score:\n\
                 - **Error 1** (Severity: 3): serious\n- **Error 2 (Severity 1):** not counted\n- Overall it is weak.";
    let form = read(reply);
    assert_eq!(told(&form), own(&[("a", "b", "3")]));
    assert_eq!(score(&form), Some(2.0));
    let explanation = form.readings[0].explanation.as_deref().unwrap();
    assert!(explanation.starts_with("- **Error 1**") && explanation.ends_with("weak."));
}

#[test]
fn numbers_of_blocks_are_no_verdict() {
    for reply in [
        "Error 1:\nLocation: \"a\"\nExplanation: I would give this a 4.\nSeverity: 3",
        "Error 1: \"a\" is wrong\nSeverity: 3\n",
        "Severity: 4",
    ] {
        let reading = &read(reply).readings[0];
        assert_eq!(
            reading.outcome,
            Outcome::Unscored(Reason::NoScoreFound),
            "{reply}"
        );
    }
    let marked = "Error 1:\nLocation: \"a\"\nExplanation: [[5]]\nSeverity: 3\n\nOverall score: 2";
    assert_eq!(score(&read(marked)), None);
}

#[test]
fn each_metric_may_have_a_verdict_of_its_own() {
    let reply = "Error 1:\nLocation: \"a\"\nCategory: Grammar\nSeverity: major\n\nFluency score: 4\nExplanation: \
                 smooth\nCoherence score: 2\nExplanation: jumpy\n";
    let form = read_for(reply, &["fluency", "coherence"]);
    let scores: Vec<_> = form
        .readings
        .iter()
        .map(|reading| reading.outcome.score())
        .collect();
    assert_eq!(scores, [Some(4.0), Some(2.0)]);
    let reasons: Vec<_> = form
        .readings
        .iter()
        .map(|reading| reading.explanation.as_deref())
        .collect();
    assert_eq!(reasons, [Some("smooth"), Some("jumpy")]);
    assert_eq!(form.issues[0].label.as_deref(), Some("Grammar"));
    assert_eq!(form.issues[0].text, "“a” (major)");
}

/// Pieces from which forms, and near misses, can be put together.
const PIECES: [&str; 34] = [
    "Error 1:",
    "Error 2",
    "**Error 3:**",
    "Location: ",
    "Explanation: ",
    "Severity: ",
    "Category: ",
    "Overall score: ",
    "Explanation of the score: ",
    "FINAL Fluency Score: ",
    "No Error",
    "None",
    "N/A",
    "\n",
    "\n\n",
    "\n- ",
    " | ",
    "; ",
    ":",
    "\"",
    "“",
    "”",
    "(",
    ")",
    "```",
    "4",
    "3.5",
    "3-4",
    "word ",
    "{\"errors\": [",
    "{\"location\": \"a\"}",
    "]}",
    "é",
    "<think>",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn every_reply_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..60)) {
        let reply = pieces.concat();
        for metrics in [&["overall"][..], &["fluency", "coherence"]] {
            for reading in read_for(&reply, metrics).readings {
                if let Some(span) = reading.span {
                    prop_assert!(reply.get(span).is_some());
                }
            }
        }
    }
}

#[test]
fn time_is_linear_in_the_reply() {
    let long = |piece: &str| piece.repeat(400_000 / piece.len());
    for reply in [
        long("Error 1:\nLocation: \"a\"\nSeverity: 3\n"),
        format!("Location: {}", long("a; ")),
        format!("Location: {}", long("Severity: 1; ")),
        format!("Error 1: {}", long("|")),
        long("Error 1: "),
        long("Overall score: 4\nExplanation: a\n"),
        long("Location: \"a (\n"),
        format!("Location: {}{}", long(";"), long(" ")),
    ] {
        let start = cpu_time();
        drop(read(&reply));
        let time = cpu_time().saturating_sub(start);
        assert!(time < Duration::from_secs(10), "{time:?}: {}", &reply[..30]);
    }
}
