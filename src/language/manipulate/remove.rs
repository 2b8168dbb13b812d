//! \[12\] Remove content: units of a text are left out (thesis, Eq. 3.9), and a shortened text is filled up
//! from where it was cut off (footnote 9).
//!
//! Finds no units or sentences, and does not know how the text was shortened.

use super::edit::{Change, NotApplicable};
use super::gap::{nothing_left, with_gaps};
use super::shortage::enough;
use super::{About, Damaged, Intensity, Job, Passages, Refusal, Subject, Takes, Target, Work};
use crate::base::draw::Draw;
use crate::language::text::{Span, sentences};

/// \[12\] Passages are taken out (Eq. 3.9).
#[derive(Clone, Copy, Debug)]
pub struct RemoveContent;

impl Work for RemoveContent {
    type Settings = Passages;

    const ABOUT: About = About {
        usual: Some(Intensity::Count(2)),
        takes: Takes::Wholes,
        ..About::of("remove-content", Some(12), Target::Coherence)
    };

    fn perform(passages: &Passages, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let subject = job.subject;
        let units = passages.of(subject.text)?;
        job.make(units.len(), |operations, draw| {
            let mut changes = remove(subject.text, &units, operations, draw)?;
            changes.extend(filled(&subject, &changes));
            Ok(changes)
        })
    }
}

/// Removes `operations` of `units`, the eligible paragraphs, sections or chapters, each with one of the
/// delimiters beside it: the weaker one, so that headings keep their distance.
///
/// # Errors
/// When there are too few units, or when nothing but blanks would be left of the text.
pub fn remove(
    text: &str,
    units: &[Span],
    operations: usize,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    enough(operations, "removal", units.len(), "eligible unit")?;
    let chosen = draw.some(units.len(), operations);
    let chosen: Vec<Span> = chosen.into_iter().map(|number| units[number]).collect();
    let taken = with_gaps(text, &chosen);
    if operations > 0 && nothing_left(text, &taken) {
        return Err(NotApplicable(
            "removing every unit would leave nothing of the text".to_owned(),
        ));
    }
    Ok(taken
        .into_iter()
        .enumerate()
        .map(|(operation, span)| Change::new(operation, span, ""))
        .collect())
}

/// What follows in the whole text after the end of a shortened one.
#[derive(Clone, Copy, Debug)]
pub struct Continuation<'c> {
    /// Everything after the cut, the blanks at its beginning included.
    pub text: &'c str,
    /// Its sentences, in order.
    pub sentences: &'c [Span],
}

/// How a text is filled up after removals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fill {
    /// An insertion at the end of the text, as the operation after the removals; none when nothing fits.
    pub change: Option<Change>,
    /// Whitespace tokens by which the text stays shorter than it was: less than the next sentence has,
    /// or more when the continuation is too short or there is none.
    pub missing: usize,
}

/// Fills up a text with whole sentences of its continuation, as many as fit into the whitespace tokens
/// that `removals` take out of it, so that it gets no longer than it was. A text without a
/// continuation, such as one of full length, stays short: the removals hold, and [`Fill::missing`]
/// says by how much.
///
/// Where the text's last unit is removed, the fill begins a paragraph, even where the cut went
/// through that unit.
pub fn fill(text: &str, removals: &[Change], continuation: Option<Continuation<'_>>) -> Fill {
    let mut missing: usize = removals
        .iter()
        .map(|change| tokens(change.span.of(text)))
        .sum();
    let Some(continuation) = continuation else {
        return Fill {
            change: None,
            missing,
        };
    };
    let mut end = 0;
    for sentence in continuation.sentences {
        let more = tokens(&continuation.text[end..sentence.end]);
        if more > missing {
            break;
        }
        missing -= more;
        end = sentence.end;
    }
    let filling = &continuation.text[..end];
    if filling.trim().is_empty() {
        return Fill {
            change: None,
            missing,
        };
    }
    let last = removals.iter().map(|change| change.span).max();
    let new = match last {
        // What stood between the removed unit and the one before it went with the removal.
        Some(span) if span.end == text.trim_end().len() => {
            let removed = span.of(text);
            let delimiter = &removed[..removed.len() - removed.trim_start().len()];
            format!("{delimiter}{}", filling.trim_start())
        }
        _ => filling.to_owned(),
    };
    let operation = removals
        .iter()
        .map(|change| change.operation + 1)
        .max()
        .unwrap_or(0);
    let place = text.trim_end().len();
    Fill {
        change: Some(Change::new(operation, Span::new(place, place), new)),
        missing,
    }
}

fn tokens(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The insertion that makes up for removals, where the whole document goes on after the text.
fn filled(subject: &Subject<'_>, removals: &[Change]) -> Option<Change> {
    let rest = subject.whole?.strip_prefix(subject.text)?;
    let continuation = Continuation {
        text: rest,
        sentences: &sentences(rest),
    };
    fill(subject.text, removals, Some(continuation)).change
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::manipulate::edit::apply;
    use crate::language::manipulate::testing::{paragraphs, sentences};

    fn removed(text: &str, operations: usize, seed: u64) -> Result<String, NotApplicable> {
        let mut draw = Draw::new(seed, &["remove"]);
        let changes = remove(text, &paragraphs(text), operations, &mut draw)?;
        Ok(apply(text, changes).unwrap().0)
    }

    /// The text without its paragraph `number`, filled up; and the tokens that are missing.
    fn filled(text: &str, number: usize, continuation: &str) -> (String, usize) {
        let units = &paragraphs(text)[number..=number];
        let mut changes = remove(text, units, 1, &mut Draw::new(0, &[])).unwrap();
        let sentences = sentences(continuation, &paragraphs(continuation));
        let continuation = Continuation {
            text: continuation,
            sentences: &sentences,
        };
        let fill = fill(text, &changes, Some(continuation));
        changes.extend(fill.change);
        (apply(text, changes).unwrap().0, fill.missing)
    }

    #[test]
    fn a_unit_goes_with_one_delimiter() {
        let text = "a\n\nb\n\nc\n";
        let seen: std::collections::BTreeSet<String> = (0..40)
            .map(|seed| removed(text, 1, seed).unwrap())
            .collect();
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            ["a\n\nb\n", "a\n\nc\n", "b\n\nc\n"]
        );
    }

    #[test]
    fn too_few_units_and_an_empty_rest_are_said() {
        assert_eq!(
            removed("a\n\nb", 3, 0).unwrap_err().0,
            "3 removals need 3 eligible units, and there are 2"
        );
        assert_eq!(
            removed("a\n\nb", 2, 0).unwrap_err().0,
            "removing every unit would leave nothing of the text"
        );
        assert_eq!(removed("", 0, 0).unwrap(), "");
    }

    #[test]
    fn a_shortened_text_is_filled_up_with_whole_sentences() {
        let text = "One two three four.\n\nFive six.";
        assert_eq!(
            filled(text, 0, " Seven eight. Nine. Ten eleven. No more."),
            ("Five six. Seven eight. Nine.".to_owned(), 1)
        );
        assert_eq!(
            filled(text, 0, "\n\nSeven eight.\n\nNine ten.\n\nNo more."),
            ("Five six.\n\nSeven eight.\n\nNine ten.".to_owned(), 0)
        );
    }

    #[test]
    fn the_fill_does_not_join_a_paragraph_it_does_not_belong_to() {
        let text = "One two.\n\n\nThree four five.";
        assert_eq!(
            filled(text, 1, " Six seven. Eight nine ten."),
            ("One two.\n\n\nSix seven.".to_owned(), 1)
        );
        assert_eq!(
            filled("One two.\n\nThree four.\n", 1, "\nFive six."),
            ("One two.\n\nFive six.\n".to_owned(), 0)
        );
    }

    #[test]
    fn what_cannot_be_filled_is_missing() {
        let text = "One two three.\n\nFour.";
        assert_eq!(filled(text, 0, " Five."), ("Four. Five.".to_owned(), 2));
        assert_eq!(filled(text, 0, ""), ("Four.".to_owned(), 3));
        let changes = [Change::new(0, Span::new(0, 16), "")];
        let expected = Fill {
            change: None,
            missing: 3,
        };
        assert_eq!(fill(text, &changes, None), expected);
    }
}
