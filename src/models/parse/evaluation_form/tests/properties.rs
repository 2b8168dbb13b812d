//! What holds for every reply: no panic, linear time, line ends do not matter.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::base::fixture::cpu_time;

/// Pieces from which replies of every shape, and near misses, can be put together.
const PIECES: [&str; 42] = [
    "FINAL",
    "Fluency",
    "Coherence",
    "Score",
    "Issues",
    ":",
    " ",
    "\n",
    "\n\n",
    "4",
    "3.5",
    "[",
    "]",
    "**",
    "*",
    "-",
    "- ",
    "1) ",
    "2. ",
    "->",
    "### ",
    "(",
    ")",
    "/5",
    "[GRAMMAR]",
    "[LOGIC], ",
    "None",
    "no issues",
    "<think>",
    "</think>",
    "é",
    "\u{a0}",
    "字",
    "\t",
    "word ",
    ";",
    "__",
    "`",
    "6",
    " or ",
    "\u{ff1a}",
    "−",
];

fn reply() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES.to_vec());
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Everything in a form but its positions.
fn content(form: Form) -> impl PartialEq + std::fmt::Debug {
    let readings: Vec<_> = form
        .readings
        .into_iter()
        // Reasons quote the reply, with its line ends.
        .map(|reading| {
            (
                format!("{:?}", reading.outcome).replace("\\r", ""),
                reading.contradicted,
            )
        })
        .collect();
    let issues: Vec<_> = form
        .issues
        .into_iter()
        .map(|issue| (issue.metric, issue.label, issue.text))
        .collect();
    (readings, issues)
}

/// Checks what every form must keep to.
fn check(reply: &str) {
    for finish in [Finish::Stop, Finish::Length] {
        for scale in [Scale::ANY_1_TO_5, Scale::HALF_POINTS_1_TO_5] {
            let form = read(reply, finish, &metrics(), &scale).unwrap();
            assert_eq!(form.readings.len(), 2);
            for reading in &form.readings {
                if let Some(score) = reading.outcome.score() {
                    assert!(scale.contains(score));
                }
                assert!(reading.outcome.score().is_none() || reading.span.is_some());
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_string_is_read_without_a_panic(reply in any::<String>()) {
        check(&reply);
    }

    #[test]
    fn anything_like_a_form_is_read_without_a_panic(reply in reply()) {
        check(&reply);
    }

    #[test]
    fn line_ends_do_not_matter(reply in reply()) {
        let windows = reply.replace('\n', "\r\n");
        prop_assert_eq!(content(form(&reply)), content(form(&windows)));
    }

    #[test]
    fn a_score_in_a_supported_shape_is_read_back(
        halves in 2..=10u32,
        shape in 0..12usize,
        // Letters that make no word: what is said around a score, such as `no`, may well change it.
        before in "[jqz ,.]{0,30}\n",
        after in "(\n[jqz ,.]{0,30})?",
    ) {
        let score = f64::from(halves) / 2.0;
        let line = match shape {
            0 => format!("FINAL Fluency Score: {score}"),
            1 => format!("4) FINAL Fluency Score: {score:.1}"),
            2 => format!("**FINAL Fluency Score: {score}**"),
            3 => format!("**FINAL Fluency Score:** {score}"),
            4 => format!("4) **FINAL Fluency Score**: **{score}**"),
            5 => format!("FINAL Fluency Score: [{score}]"),
            6 => format!("FINAL Fluency Score: {score}/5"),
            7 => format!("Fluency Score: **{score}**"),
            8 => format!("Fluency: {score}"),
            9 => format!("- **Fluency**: {score}"),
            10 => format!("### final fluency score: {score}"),
            _ => format!("4. **FINAL Fluency Score:** **{score}**"),
        };
        let reply = format!("{before}{line}{after}");
        prop_assert_eq!(fluency(&reply), Some(score), "{:?}", reply);
    }
}

#[test]
fn hostile_replies_take_linear_time() {
    // A debug build reads some 20 MB/s; quadratic time would take minutes.
    const SIZE: usize = 1 << 17;
    let reader = Reader::new(Parser::EvaluationForm, &metrics()).unwrap();
    for piece in [
        "[",
        "*",
        "#",
        "-",
        "- ",
        " ",
        "\n",
        "4",
        "_",
        "`",
        "]",
        "(",
        "é",
        "<think>",
        "</think>",
        "<think></think>",
        "Fluency Score:",
        "Fluency ",
        "FINAL ",
        "Fluency:\n1. ",
        "Fluency * ",
        "1) Fluency Issues: ",
        "- [AA] ",
        "[AA], ",
        "[AA] x; ",
        "** [",
        "issues ",
        "none ",
        "no ",
        "Fluency Issues:\n",
        "- [AA]\n",
        "\n   - x",
        "\n  x",
        "-> ",
        "1. ",
        "3 or ",
        "4/",
        "FINAL Fluency Score: 4 ",
        "2) FINAL Fluency Score",
        "\r\n",
        "[A ",
        "**1) Fluency",
    ] {
        for prefix in ["", "Fluency Issues:\n- [AA] ", "Fluency Score: "] {
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
                cpu_time().saturating_sub(start) < Duration::from_secs(20),
                "{piece:?} after {prefix:?}"
            );
        }
    }
}
