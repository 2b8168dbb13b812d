//! Cleaning with several steps, and what each of them reports.

use std::borrow::Cow;

use serde::Serialize;

use super::change::{Change, Cleaned};
use super::step::Step;
use crate::base::wording::shorten;

/// What one step did to a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepReport {
    /// The step.
    pub step: Step,
    /// How many replacements it made.
    pub changes: usize,
    /// Characters it took out.
    pub characters_removed: usize,
    /// Characters it put in.
    pub characters_added: usize,
    /// The first few replacements.
    pub examples: Vec<Example>,
    /// What a reader should look at.
    pub notes: Vec<String>,
}

/// One replacement, shortened for reading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The line it begins on, from 1, in the text before the step.
    pub line: usize,
    /// What stood there. Where that is but a few characters, its surroundings come along.
    pub was: String,
    /// What stands there now; empty where a longer piece was taken out.
    pub now: String,
}

/// Most examples of a step.
const EXAMPLES: usize = 5;
/// Most characters shown of a replacement, and of either side of a small one.
const SHOWN: usize = 70;
const AROUND: usize = 20;
/// A replacement of fewer bytes than this shows its surroundings.
const SMALL: usize = 8;

/// Cleans a text with `steps`, in the order given; the text itself, where none of them changes it.
pub fn clean<'t>(text: &'t str, steps: &[Step]) -> (Cow<'t, str>, Vec<StepReport>) {
    let mut text = Cow::Borrowed(text);
    let mut reports = Vec::with_capacity(steps.len());
    for &step in steps {
        let cleaned = step.clean(&text);
        reports.push(report(step, &text, &cleaned));
        let new = match cleaned.text {
            Cow::Owned(new) => Some(new),
            Cow::Borrowed(_) => None,
        };
        text = new.map_or(text, Cow::Owned);
    }
    (text, reports)
}

fn report(step: Step, before: &str, cleaned: &Cleaned<'_>) -> StepReport {
    let removed = |change: &Change| change.span.of(before).chars().count();
    let added = |change: &Change| change.new.chars().count();
    StepReport {
        step,
        changes: cleaned.changes.len(),
        characters_removed: cleaned.changes.iter().map(removed).sum(),
        characters_added: cleaned.changes.iter().map(added).sum(),
        examples: examples(before, &cleaned.changes),
        notes: cleaned.notes.clone(),
    }
}

fn examples(text: &str, changes: &[Change]) -> Vec<Example> {
    let mut line = 1;
    let mut counted = 0;
    changes
        .iter()
        .take(EXAMPLES)
        .map(|change| {
            let start = change.span.start;
            line += text[counted..start]
                .bytes()
                .filter(|&byte| byte == b'\n')
                .count();
            counted = start;
            let was = change.span.of(text);
            if was.len() >= SMALL {
                return Example {
                    line,
                    was: shorten_lines(was),
                    now: shorten_lines(&change.new),
                };
            }
            let before = last(&text[..start], AROUND);
            let after = first(&text[change.span.end..], AROUND);
            Example {
                line,
                was: visible(&[before, was, after].concat()),
                now: visible(&[before, change.new.as_ref(), after].concat()),
            }
        })
        .collect()
}

/// The first characters of a piece with its white space folded; only as much is looked at as is shown.
fn shorten_lines(piece: &str) -> String {
    shorten(first(piece, SHOWN * 4), SHOWN)
}

/// Line breaks as `\n`, so that an example stays on one line.
fn visible(piece: &str) -> String {
    piece
        .replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t")
}

fn first(text: &str, letters: usize) -> &str {
    let end = text
        .char_indices()
        .nth(letters)
        .map_or(text.len(), |(at, _)| at);
    &text[..end]
}

fn last(text: &str, letters: usize) -> &str {
    let start = text
        .char_indices()
        .rev()
        .take(letters)
        .last()
        .map_or(text.len(), |(at, _)| at);
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_taken_in_the_order_given_and_reported() {
        let (text, reports) = clean(
            "He _came_ [in the night].\n",
            &[Step::Underscores, Step::Brackets],
        );
        assert_eq!(text, "He came.\n");
        assert_eq!(reports.len(), 2);
        assert_eq!((reports[0].changes, reports[0].characters_removed), (2, 2));
        assert_eq!(reports[0].examples[0].was, "He _came_ [in the night]");
        assert_eq!(reports[0].examples[0].now, "He came_ [in the night]");
        assert_eq!(reports[1].characters_removed, 15);
    }

    #[test]
    fn an_example_says_where_it_stood_and_keeps_to_one_line() {
        let (_, reports) = clean("é.\n\nOne.\nTwo.", &[Step::ParagraphBreaks]);
        assert_eq!(
            reports[0].examples,
            [Example {
                line: 4,
                was: "é.\\n\\nOne.\\nTwo.".to_owned(),
                now: "é.\\n\\nOne.\\n\\nTwo.".to_owned(),
            }]
        );
        assert_eq!(
            (reports[0].characters_removed, reports[0].characters_added),
            (0, 1)
        );
    }

    #[test]
    fn few_examples_are_shown_and_they_are_short() {
        let text = format!("[{}] ", "long words ".repeat(20))
            .repeat(9)
            .replace("] [", "] x [");
        let (_, reports) = clean(&text, &[Step::Brackets]);
        assert_eq!((reports[0].changes, reports[0].examples.len()), (9, 5));
        assert!(
            reports[0]
                .examples
                .iter()
                .all(|example| example.was.chars().count() <= SHOWN)
        );
    }

    #[test]
    fn no_steps_change_nothing() {
        assert_eq!(clean("a_b", &[]), (Cow::Borrowed("a_b"), Vec::new()));
    }
}
