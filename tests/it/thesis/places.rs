//! The places in replies that scores and issues were read from, over the recorded replies: all of them for the parser that
//! reads them, some for the others.

use std::ops::Range;

use tribunal::frame::Frame;
use tribunal::models::parse::{Finish, Parser, Reader, Thoughts, trailer};
use tribunal::models::score::Scale;

use super::data::or_skip;

#[test]
fn a_score_stands_where_its_reading_says_and_an_issue_where_it_says() {
    let Some(data) = or_skip() else { return };
    let bytes = fs_err::read(data.file("responses.parquet")).unwrap();
    let frame = Frame::from_parquet(bytes, Some(&["raw_text"])).unwrap();
    let replies = frame.column("raw_text").unwrap();
    let metrics = ["fluency", "coherence"].map(str::to_owned);
    for parser in Parser::ALL.iter().copied() {
        let step = if parser == Parser::default() { 1 } else { 20 };
        let reader = Reader::new(parser, &metrics).unwrap();
        let (mut scores, mut issues) = (0, 0);
        for row in (0..replies.len()).step_by(step) {
            let raw = replies.text(row).unwrap();
            let (reply, finish) = trailer::strip(&raw);
            let finish = finish.unwrap_or(Finish::Unknown);
            let form = reader.read(reply, finish, &Scale::ANY_1_TO_5, Thoughts::default());
            for reading in &form.readings {
                let Some(score) = reading.outcome.score() else {
                    continue;
                };
                let place = reading.span.clone().unwrap();
                assert_eq!(
                    last_number(reply, place.clone()),
                    Some(score),
                    "{}",
                    &reply[place]
                );
                scores += 1;
            }
            for issue in &form.issues {
                // Blanks are collapsed and marks of bold print taken out of the text.
                let place = &reply[issue.span.clone()];
                let (said, text) = (letters(place), letters(&issue.text));
                assert!(said.contains(&text), "{text} in {place}");
                // The label of several issues stands above them.
                let label = issue.label.as_deref().unwrap_or_default();
                assert!(
                    reply[..issue.span.end].contains(label),
                    "{label} before {place}"
                );
                issues += 1;
            }
        }
        if parser == Parser::EvaluationForm {
            assert!(scores > 50_000 && issues > 100_000, "{scores} {issues}");
        } else if parser == Parser::Likert {
            assert!(scores > 2_000 && issues == 0, "{scores} {issues}");
        }
    }
}

/// The last number in a place.
fn last_number(reply: &str, place: Range<usize>) -> Option<f64> {
    let text = &reply[place];
    let mut numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let number = numbers.rfind(|piece| piece.contains(|c: char| c.is_ascii_digit()))?;
    number
        .trim_matches(['.', ','])
        .replace(',', ".")
        .parse()
        .ok()
}

/// The letters and digits of a text.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}
