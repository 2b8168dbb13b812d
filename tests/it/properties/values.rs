//! Replies put together from the pieces of clauses: no parser gives another number than the pieces say, and no two
//! parsers differ.

use proptest::prelude::*;
use tribunal::models::parse::{Finish, Parser, Reader, Reading, Thoughts};
use tribunal::models::score::Scale;

/// What stands before a clause.
const LABELS: [&str; 10] = [
    "FINAL Fluency Score: ",
    "Fluency: ",
    "**Fluency:** ",
    "- Fluency: ",
    "Score: ",
    "Rating: ",
    "Final score: ",
    "It reads well.\n\nFluency Score: ",
    "Fluency (1-5): ",
    "My verdict:\nFluency: ",
];

/// Forms in which a verdict `V` is given or only spoken of.
const PIECES: [&str; 30] = [
    "FINAL Fluency Score: V",
    "FINAL Fluency Score is V",
    "| FINAL Fluency Score | V |",
    "Fluency Score: V",
    "Fluency: V",
    "Fluency is V",
    "Fluency:\nV",
    "Final score: V",
    "Final: V",
    "Score: V",
    "[[V]]",
    "<fluency>V</fluency>",
    "<score>V</score>",
    "I would give it a V.",
    "V",
    "{\"fluency\": \"V\"}",
    "{fluency: V}",
    "{\"fluency\": \"V\", \"final\": \"V\"}",
    "```json\n{\"score\": \"V\"}\n```",
    "Final: {\"fluency\": \"V\"}",
    "Example: {\"fluency\": \"V\"}",
    "{\n  \"previous\": {\n    \"fluency\": V\n  }\n}",
    "{\"comment\": \"Score: V\"}",
    "<think>Fluency: V</think>",
    "<draft>Fluency: V</draft>",
    "Example: Fluency: V",
    "1 - poor\n5 - great",
    "{\"fluency\": ",
    "Correction:",
    "It reads well",
];

/// What may stand around a number without changing it.
const AROUND: [(&str, &str); 7] = [
    ("", ""),
    ("**", "**"),
    ("`", "`"),
    ("", "/5"),
    ("", " out of 5"),
    ("**", "**/5"),
    ("", " points"),
];

/// What may stand behind a number without changing it.
const HARMLESS: [&str; 9] = [
    "",
    ".",
    "\n",
    " - good",
    " (good)",
    ", since it flows",
    ". It reads well.",
    " — smooth",
    " - 2 slips were found",
];

/// What makes the number before it another one or none, `N` being a number of the scale.
const HARMFUL: [&str; 34] = [
    "-N",
    " - N",
    "–N",
    " – N",
    "~N",
    " ~ N",
    " to N",
    " or N",
    ", maybe N",
    " (or N)",
    " and N",
    "..N",
    "...N",
    " | N",
    ", N",
    "; N",
    "? No, N.",
    ". No, N.",
    ", or rather N",
    " → N",
    " -> N",
    " => N",
    " + N",
    " - N = N",
    " × N",
    " ± N",
    "/10",
    " out of 10",
    " of 10",
    " (out of 10)",
    "%",
    " if it were longer, else N",
    " spelling errors were found",
    " vs N",
];

fn scores(reply: &str) -> Vec<f64> {
    let readings = readings(reply).into_iter();
    readings
        .filter_map(|reading| reading.outcome.score())
        .collect()
}

/// What each parser makes of a reply.
fn readings(reply: &str) -> Vec<Reading> {
    readings_of(reply, Finish::Stop, &["fluency"])
}

/// What each parser makes of a reply for the first of some metrics.
fn readings_of(reply: &str, finish: Finish, metrics: &[&str]) -> Vec<Reading> {
    let metrics: Vec<String> = metrics.iter().map(|name| (*name).to_owned()).collect();
    let read = |parser: &Parser| {
        let reader = Reader::new(*parser, &metrics).unwrap();
        let form = reader.read(reply, finish, &Scale::ANY_1_TO_5, Thoughts::default());
        form.readings.into_iter().next().unwrap()
    };
    Parser::ALL.iter().map(read).collect()
}

/// What stands around a verdict `V`, or in the place of one.
fn piece() -> impl Strategy<Value = String> {
    prop::sample::select(PIECES.to_vec()).prop_map(str::to_owned)
}

/// A clause, and the number that it gives, if it gives one.
fn clause() -> impl Strategy<Value = (String, Option<f64>)> {
    let half = || (2..=10u32).prop_map(|halves| f64::from(halves) / 2.0);
    let around = prop::sample::select(AROUND.to_vec());
    let harmless = prop::sample::select(HARMLESS.to_vec());
    let harmful = prop::sample::select(HARMFUL.to_vec());
    (half(), half(), around, harmless, harmful, any::<bool>()).prop_map(
        |(value, other, (open, close), harmless, harmful, harm)| {
            // Of `1 - 2 slips` nobody can say whether it is a range.
            let harmless = if value.total_cmp(&1.0).is_eq() && harmless.starts_with(" - 2") {
                ""
            } else {
                harmless
            };
            if harm {
                let other = if other.total_cmp(&value).is_eq() {
                    1.25
                } else {
                    other
                };
                let behind = harmful.replace('N', &other.to_string());
                (format!("{value}{behind}"), None)
            } else {
                (format!("{open}{value}{close}{harmless}"), Some(value))
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_clause_gives_the_number_of_its_pieces_or_none(
        label in prop::sample::select(LABELS.to_vec()),
        (clause, value) in clause(),
        object in any::<bool>(),
    ) {
        let reply = if object {
            serde_json::json!({ "fluency": clause }).to_string()
        } else {
            format!("{label}{clause}")
        };
        let scores = scores(&reply);
        let right = |score: &f64| value.is_some_and(|value| value.total_cmp(score).is_eq());
        prop_assert!(scores.iter().all(right), "{:?} gives {:?}, not {:?}", reply, scores, value);
        prop_assert!(value.is_none() || !scores.is_empty(), "{:?} is not read", reply);
    }

    #[test]
    fn no_two_parsers_give_different_numbers(
        pieces in prop::collection::vec((piece(), clause()), 1..5),
        between in prop::sample::select(vec!["\n", "\n\n", " ", ". ", ", "]),
        cut in prop::option::of(0..200usize),
    ) {
        let pieces = pieces.iter().map(|(piece, (clause, _))| piece.replace('V', clause));
        let mut reply = pieces.collect::<Vec<_>>().join(between);
        let finish = if cut.is_some() { Finish::Length } else { Finish::Stop };
        if let Some(cut) = cut {
            reply.truncate(reply.floor_char_boundary(cut));
        }
        for metrics in [&["fluency"][..], &["fluency", "coherence"]] {
            let readings = readings_of(&reply, finish, metrics);
            let scores: Vec<f64> = readings.iter().filter_map(|reading| reading.outcome.score()).collect();
            let same = |pair: &[f64]| pair[0].total_cmp(&pair[1]).is_eq();
            prop_assert!(scores.windows(2).all(same), "{:?} gives {:?}", reply, scores);
        }
    }
}
