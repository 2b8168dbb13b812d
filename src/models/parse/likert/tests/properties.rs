//! What holds for every reply: no panic, linear time, prose does not matter.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::base::fixture::cpu_time;

/// Pieces from which replies of every shape, and near misses, can be put together.
const PIECES: [&str; 62] = [
    "4",
    "3.5",
    "3,5",
    "6",
    "1984",
    "four",
    "one",
    "/5",
    "/10",
    " out of 5",
    "%",
    "-",
    " - ",
    "+",
    ".",
    ",",
    ":",
    " ",
    "\n",
    "\n\n",
    "*",
    "**",
    "_",
    "`",
    "\"",
    "“",
    "”",
    "> ",
    "(",
    ")",
    "[",
    "[[",
    "]]",
    "\\boxed{",
    "}",
    "<score>",
    "</score>",
    "Score",
    "FINAL ",
    "Fluency",
    "coherence",
    "the answer is ",
    "I give it a ",
    "because ",
    "<think>",
    "</think>",
    "é",
    "字",
    "\u{a0}",
    "\u{0}",
    "４",
    "．",
    "～",
    "评分：",
    "Total: ",
    "no more than ",
    "gets ",
    " points",
    " = ",
    " → ",
    "<",
    ">",
];

fn reply() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES.to_vec());
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// An outcome in words of which the ends of lines are alike: numbers that are offered are quoted with what lies between.
fn told(outcome: &Outcome) -> String {
    format!("{outcome:?}").replace("\\r\\n", "\\n")
}

/// Checks what every form must keep to.
fn check(reply: &str) {
    let whole = Scale::new(0.0, 10.0, 1.0).unwrap();
    for metrics in [&["fluency", "coherence"][..], &["fluency"]] {
        let reader = Reader::new(Parser::Likert, &names(metrics)).unwrap();
        for finish in [Finish::Stop, Finish::Length] {
            for scale in [Scale::ANY_1_TO_5, Scale::HALF_POINTS_1_TO_5, whole.clone()] {
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
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn any_string_is_read_without_a_panic(reply in any::<String>()) {
        check(&reply);
    }

    #[test]
    fn anything_like_a_score_is_read_without_a_panic(reply in reply()) {
        check(&reply);
    }

    #[test]
    fn line_ends_do_not_matter(reply in reply()) {
        let windows = reply.replace('\n', "\r\n");
        prop_assert_eq!(two(&reply).each_ref().map(told), two(&windows).each_ref().map(told));
        prop_assert_eq!(told(&one(&reply)), told(&one(&windows)));
    }

    #[test]
    fn prose_around_a_score_does_not_change_it(
        halves in 2..=10u32,
        shape in 0..9usize,
        // Letters that make no word: what is said around a score, such as `no`, may well change it.
        before in "[jqzé ,;]{0,40}",
        after in "[jqzé ,;]{0,40}",
    ) {
        let score = f64::from(halves) / 2.0;
        let line = match shape {
            0 => format!("{score}"),
            1 => format!("**{score}**"),
            2 => format!("Score: {score}"),
            3 => format!("**Rating:** {score}/5"),
            4 => format!("[[{score}]]"),
            5 => format!("<score>{score:.1}</score>"),
            6 => format!("Fluency: {score}"),
            7 => format!("I would give this a {score}."),
            _ => format!("{score} out of 5"),
        };
        for reply in [format!("{before}.\n{line}"), format!("{line}\n{after}")] {
            prop_assert_eq!(one(&reply), Outcome::Scored(score), "{}", reply);
        }
        if shape > 1 {
            let reply = format!("{before}.\n{line}\n{after}");
            prop_assert_eq!(one(&reply), Outcome::Scored(score), "{}", reply);
        }
    }
}

#[test]
fn hostile_replies_take_linear_time() {
    // A debug build reads a megabyte a second at worst; quadratic time would take minutes.
    const SIZE: usize = 1 << 15;
    for metrics in [&["fluency"][..], &["fluency", "coherence"]] {
        let reader = Reader::new(Parser::Likert, &names(metrics)).unwrap();
        for piece in [
            "4",
            "4 ",
            "4\n",
            "a 4 ",
            "Score: 4 ",
            "Score: ",
            "score ",
            "Fluency: ",
            "Fluency 4, ",
            "fluency ",
            "give ",
            "give a 4 ",
            "rate it 4. ",
            "give a ",
            "\"",
            "“",
            "> ",
            "[[",
            "[[4]]",
            "\\boxed{",
            "<score>",
            "<fluency>",
            "4/5 ",
            "4/",
            "out of ",
            "four ",
            "(",
            "Score (",
            "score on ",
            "score is ",
            "*",
            "_",
            " ",
            "\n",
            "é",
            "\u{0}",
            "-",
            "- ",
            "4 - ",
            ".",
            "final score ",
            "score: four ",
            "fluency (",
            "４",
            "４／",
            "～",
            "评分：4",
            "Total: 4 ",
            "total ",
            "not 4/5 ",
            "no more than ",
            "earns 4 points ",
            "4 - 1 - ",
            "Score: 4 = a, ",
            "Score: 4 = a, 5 ",
            "4 - good\n",
            "score of <4 ",
            "~",
        ] {
            for prefix in ["", "Score: 4"] {
                let reply = prefix.to_owned() + &piece.repeat(SIZE / piece.len());
                let start = cpu_time();
                let form = reader.read(
                    &reply,
                    Finish::Stop,
                    &Scale::ANY_1_TO_5,
                    Thoughts::default(),
                );
                assert_eq!(form.readings.len(), metrics.len());
                assert!(
                    cpu_time().saturating_sub(start) < Duration::from_secs(10),
                    "{piece:?} after {prefix:?}"
                );
            }
        }
    }
}
