//! The reasons of a form, where it gives them on lines of their own: `Fluency Explanation: …`, `Reason: …`.
//!
//! Must not read values.

use super::hit::Hit;
use crate::models::parse::agree::Asked;
use crate::models::parse::form::Reading;
use crate::models::parse::reason::reason;

/// The longest that a line begins with before the colon, in bytes.
const KEY: usize = 80;

/// A reason in a reply.
struct Said {
    /// The metric that it names.
    metric: Option<usize>,
    /// Where its line begins, and where its text ends.
    start: usize,
    end: usize,
    text: String,
}

/// Gives each reading its reason: that which names its metric, the one above or below its score, or the only one.
pub(super) fn explain(asked: &Asked<'_>, hits: &[Hit], readings: &mut [Reading]) {
    let said = said(asked, hits);
    for said in &said {
        if let Some(metric) = said.metric {
            put(&mut readings[metric], &said.text);
        }
    }
    let unnamed: Vec<&Said> = said.iter().filter(|said| said.metric.is_none()).collect();
    let spans = readings.iter().filter_map(|reading| reading.span.clone());
    let (first, last) = spans.fold((usize::MAX, 0), |(first, last), span| {
        (first.min(span.start), last.max(span.end))
    });
    if let [only] = &unnamed[..]
        && (readings.len() == 1 || only.end <= first || last <= only.start)
    {
        for reading in readings.iter_mut().filter(|reading| reading.span.is_some()) {
            put(reading, &only.text);
        }
        return;
    }
    // In one form all reasons stand on one side of their scores.
    let before = unnamed.first().is_some_and(|said| said.end <= first);
    for said in unnamed {
        for reading in readings.iter_mut() {
            let Some(span) = &reading.span else { continue };
            let gap = if before {
                asked.reply.get(said.end..span.start)
            } else {
                asked.reply.get(span.end..said.start)
            };
            if gap.is_some_and(|gap| gap.matches('\n').count() <= 1) {
                put(reading, &said.text);
            }
        }
    }
}

/// Keeps the first reason.
fn put(reading: &mut Reading, text: &str) {
    reading.explanation.get_or_insert_with(|| text.to_owned());
}

/// All reasons, in their order.
fn said(asked: &Asked<'_>, hits: &[Hit]) -> Vec<Said> {
    let mut all: Vec<Said> = Vec::new();
    for part in &asked.answer.parts {
        let mut at = part.start;
        // Whether the next line belongs to the last reason.
        let mut open = false;
        for line in asked.reply[part.clone()].split_inclusive('\n') {
            let (start, end) = (at, at + line.trim_end().len());
            at += line.len();
            let led = line.split_once(':').and_then(|(key, text)| {
                let owner = reason(without_number(key), asked)?;
                Some((owner.metric, without_marks(text)))
            });
            if let Some((metric, text)) = led {
                all.push(Said {
                    metric,
                    start,
                    end,
                    text: text.to_owned(),
                });
                open = true;
            } else if line.trim().is_empty() || begins_anew(asked, hits, line, start) {
                open = false;
            } else if let Some(last) = all.last_mut().filter(|_| open) {
                let gap = if last.text.is_empty() { "" } else { "\n" };
                last.text = format!("{}{gap}{}", last.text, line.trim());
                last.end = end;
            }
        }
    }
    all.retain(|said| said.text.contains(char::is_alphanumeric));
    all
}

/// Whether a line is another entry of the form: a heading, or one that names a metric.
fn begins_anew(asked: &Asked<'_>, hits: &[Hit], line: &str, start: usize) -> bool {
    let inside = start..start + line.len();
    let valued = |hit: &Hit| hit.value.is_some() && inside.contains(&hit.label.start);
    let key = line.split_once(':').map(|(key, _)| key);
    let named = key
        .filter(|key| key.len() <= KEY)
        .is_some_and(|key| asked.metrics.mentions(key).next().is_some());
    line.trim_start().starts_with('#') || named || hits.iter().any(valued)
}

/// What stands before a colon, without the number or sign of a list.
fn without_number(key: &str) -> &str {
    key.trim_start_matches(|c: char| !c.is_alphabetic())
}

/// A text without blanks and marks of bold around it.
fn without_marks(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['*', '_', ' ']);
    text.trim_end_matches("**").trim_end()
}

#[cfg(test)]
mod tests {
    use crate::models::parse::{Finish, Parser, Reader, Thoughts};
    use crate::models::score::Scale;

    fn explained(reply: &str) -> [Option<String>; 2] {
        let metrics = ["fluency", "coherence"].map(str::to_owned);
        let reader = Reader::new(Parser::EvaluationForm, &metrics).unwrap();
        let thoughts = Thoughts::default();
        let form = reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, thoughts);
        let mut readings = form.readings.into_iter();
        [(); 2].map(|()| readings.next().unwrap().explanation)
    }

    const FLOWS: &str = "It flows, but for one clause.";
    const JUMPS: &str = "The end comes\nbefore the trial.";

    #[test]
    fn a_reason_belongs_to_the_metric_that_it_names_or_stands_beside() {
        let both = [FLOWS, JUMPS].map(|text| Some(text.to_owned()));
        for reply in [
            format!(
                "Fluency Explanation: {FLOWS}\nCoherence Explanation: {JUMPS}\n\n\
                 FINAL Fluency Score: 4\nFINAL Coherence Score: 2"
            ),
            format!(
                "1) FINAL Fluency Score: 4\n2) **Reason for fluency:** {FLOWS}\n\
                 3) FINAL Coherence Score: 2\n4) **Reason for coherence:** {JUMPS}"
            ),
            format!(
                "FINAL Fluency Score: 4\nReason: {FLOWS}\n\nFINAL Coherence Score: 2/5\nReason: {JUMPS}\n"
            ),
            format!(
                "Rationale: {FLOWS}\nFINAL Fluency Score: 4\n\nRationale:\n{JUMPS}\nFINAL Coherence Score: 2\n"
            ),
        ] {
            assert_eq!(explained(&reply), both, "{reply}");
        }
    }

    #[test]
    fn the_only_reason_is_that_of_all_unless_it_stands_between_them() {
        let all = [FLOWS, FLOWS].map(|text| Some(text.to_owned()));
        let scores = "FINAL Fluency Score: 4\nFINAL Coherence Score: 2";
        assert_eq!(explained(&format!("{scores}\n\nExplanation: {FLOWS}")), all);
        assert_eq!(
            explained(&format!("**Overall comment**: {FLOWS}\n\n{scores}")),
            all
        );
        let between = format!("Fluency: 4\nComment: {FLOWS}\nCoherence: 2");
        assert_eq!(explained(&between), [Some(FLOWS.to_owned()), None]);
    }

    #[test]
    fn what_is_an_issue_or_speaks_of_something_else_is_no_reason() {
        for reply in [
            "1) Fluency Issues:\n- [GRAMMAR] reason: no verb\n3) FINAL Fluency Score: 4\n4) FINAL Coherence Score: 2",
            "Style explanation: baroque\nFINAL Fluency Score: 4\nFINAL Coherence Score: 2",
            "FINAL Fluency Score: 4\nFINAL Coherence Score: 2\nExplanation:",
        ] {
            assert_eq!(explained(reply), [None, None], "{reply}");
        }
    }
}
