//! What short clauses are on a scale with labels.

use super::super::found::Value;
use super::super::number::{How, read};
use crate::models::score::{Label, Scale};

fn scale(names: &[&str]) -> Scale {
    let labels = (1..).zip(names).map(|(value, name)| Label {
        name: (*name).to_owned(),
        value: f64::from(value),
        aliases: Vec::new(),
    });
    Scale::of_labels(labels.collect()).unwrap()
}

/// The label of a clause behind a firm label, and whether the clause is unclear.
fn clause(text: &str, scale: &Scale) -> (Option<String>, bool) {
    let how = How {
        firm: true,
        ..How::plain(scale)
    };
    let found = read(text, 0, how);
    let unclear = found
        .as_ref()
        .is_some_and(|found| matches!(found.value, Value::Several(_)));
    (found.and_then(|found| found.label(scale)), unclear)
}

#[test]
fn a_label_is_the_same_in_other_letters_marks_and_with_its_number_or_reason() {
    let scale = scale(&["Poor", "Fair", "Good", "Very good"]);
    for text in [
        "Good",
        "good.",
        "**GOOD**",
        "\"Good\"",
        "'good'.",
        "„Good“",
        "[Good]",
        "(Good)",
        "「Good」。",
        "Ｇｏｏｄ",
        "Good (3)",
        "Good (3/4)",
        "Good: 3",
        "Good 3/4",
        "3 - Good",
        "3. Good",
        "3/4 (Good)",
        "3: **Good**",
        "Good, because the plot holds",
        "Good — the plot holds",
        "Good. The plot holds.",
        "Good; 3 errors",
        "Good (no serious errors)",
        "Good since it is no poor text",
        "Good</rating>",
        "Good | ",
        "the answer Good",
    ] {
        assert_eq!(
            clause(text, &scale),
            (Some("Good".to_owned()), false),
            "{text}"
        );
    }
    for text in [
        "Very good",
        "very-good.",
        "VERY_GOOD",
        "very  good, overall",
    ] {
        assert_eq!(
            clause(text, &scale).0.as_deref(),
            Some("Very good"),
            "{text}"
        );
    }
}

#[test]
fn what_offers_or_denies_a_label_is_unclear() {
    let scale = scale(&["Poor", "Fair", "Good", "Very good"]);
    for text in [
        "Good to Very good",
        "Good or Fair",
        "Good/Fair",
        "Good-Fair",
        "Good – Fair",
        "Good & Fair",
        "Good, Fair",
        "Good, or maybe Fair",
        "Good, though closer to Fair",
        "Good (was Fair)",
        "Good (2)",
        "2 - Good",
        "Good?",
        "Good... no, Fair",
        "Good. Actually, Fair.",
        "Good → Fair",
        "Good | Fair",
        "not Good",
        "neither Good nor Poor",
        "between Fair and Good",
        "rather Good",
        "**Good** / Fair",
    ] {
        assert_eq!(clause(text, &scale), (None, true), "{text}");
    }
}

#[test]
fn a_label_in_other_words_is_none() {
    let scale = scale(&["Poor", "Fair", "Good", "Very good"]);
    for text in [
        "Good writing",
        "Good-ish",
        "Good's",
        "Goodness",
        "Good+",
        "Fair enough",
        "Mediocre",
        "",
        "3",
    ] {
        assert_eq!(clause(text, &scale).0, None, "{text}");
    }
}

#[test]
fn labels_may_be_signs_and_letters_of_any_script() {
    let grades = scale(&["C", "B", "A-", "A", "A+"]);
    for (text, label) in [
        ("A", "A"),
        ("A-", "A-"),
        ("A+.", "A+"),
        ("**A-**", "A-"),
        ("B, because", "B"),
        ("a", "A"),
    ] {
        assert_eq!(clause(text, &grades).0.as_deref(), Some(label), "{text}");
    }
    assert_eq!(clause("B+", &grades).0, None);
    assert_eq!(clause("A good one", &grades).0, None);
    let sides = scale(&["B>A", "A=B", "A>B", "A>>B"]);
    for (text, label) in [("[[A>B]]", "A>B"), ("A>>B", "A>>B"), ("a=b", "A=B")] {
        assert_eq!(clause(text, &sides).0.as_deref(), Some(label), "{text}");
    }
    let chinese = scale(&["差", "好", "很好"]);
    for (text, label) in [
        ("好", Some("好")),
        ("很好。", Some("很好")),
        ("不好", None),
        ("好的", None),
    ] {
        assert_eq!(clause(text, &chinese).0.as_deref(), label, "{text}");
    }
    let facts = scale(&["not supported", "supported"]);
    assert_eq!(
        clause("Not supported", &facts).0.as_deref(),
        Some("not supported")
    );
    assert_eq!(clause("supported", &facts).0.as_deref(), Some("supported"));
}
