//! Chapters: what stands under the chapter headings of a text, where those can be trusted.
//!
//! 51 of the 65 published gold documents have chapters by this rule: of the others, 12 have no chapter
//! headings, one leaves out a number, and one begins long before its first heading.

use thiserror::Error;

use super::Span;
use super::heading::{Opening, opening};
use super::paragraphs::{Paragraph, paragraphs};

/// Most of a text, in percent, that may stand before the first chapter.
const FRONT: usize = 20;

/// Why a text has no chapters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoChapters {
    /// Fewer than two chapter headings have text under them.
    #[error(
        "the document has no reliable chapters: at least 2 chapter headings with text under them are needed, and there {}",
        if *.0 == 0 { "is none" } else { "is 1" }
    )]
    TooFew(usize),
    /// The numbers in the headings leave one out or are in disorder.
    #[error(
        "the document has no reliable chapters: their numbers should count up from 1, and {next} {}",
        if *.previous == 0 { "is the first".to_owned() } else { format!("follows {previous}") }
    )]
    Disorder {
        /// The number before the gap; 0 at the beginning.
        previous: usize,
        /// The number after it.
        next: usize,
    },
    /// Too much text stands before the first chapter heading.
    #[error(
        "the document has no reliable chapters: {0} % of its text stands before the first chapter heading, and at most {FRONT} % may"
    )]
    Front(usize),
}

/// The chapters of a text, without their headings, each from the first letter of its first paragraph
/// to the last letter of its last.
///
/// A chapter begins at a heading that says `CHAPTER`, or is a Roman numeral with or without a title.
/// A heading with nothing under it but the next heading opens no chapter, so a table of contents is
/// none. Chapters are reliable if there are at least two, the numbers that headings carry count
/// up from 1 (from the beginning or, as under `PART TWO`, again), and at most 20 % of the text (bytes of
/// paragraphs) stand before the first. If numerals without the word disturb the count, for they may
/// divide chapters, only headings that say `CHAPTER` are chapters.
///
/// # Errors
/// When the chapters are not reliable.
pub fn chapters(text: &str) -> Result<Vec<Span>, NoChapters> {
    let paragraphs = paragraphs(text);
    let all = read(text, &paragraphs, |_| true);
    check(&paragraphs, &all).or_else(|problem| {
        let labelled = read(text, &paragraphs, |opening| opening.labelled);
        if labelled.is_empty() {
            return Err(problem);
        }
        check(&paragraphs, &labelled)
    })
}

struct Chapter {
    number: Option<usize>,
    body: Span,
}

/// The chapters with text in them, under those openings that `counts`.
fn read(text: &str, paragraphs: &[Paragraph], counts: fn(Opening) -> bool) -> Vec<Chapter> {
    let mut found: Vec<Chapter> = Vec::new();
    // The heading whose text has not begun yet.
    let mut pending: Option<Opening> = None;
    for paragraph in paragraphs {
        if paragraph.heading {
            let opening = opening(paragraph.span.of(text)).filter(|opening| counts(*opening));
            pending = opening.or(pending);
        } else if let Some(opening) = pending.take() {
            found.push(Chapter {
                number: opening.number,
                body: paragraph.span,
            });
        } else if let Some(last) = found.last_mut() {
            last.body.end = paragraph.span.end;
        }
    }
    found
}

fn check(paragraphs: &[Paragraph], chapters: &[Chapter]) -> Result<Vec<Span>, NoChapters> {
    let [first, _, ..] = chapters else {
        return Err(NoChapters::TooFew(chapters.len()));
    };
    let mut previous = 0;
    for next in chapters.iter().filter_map(|chapter| chapter.number) {
        if next != previous + 1 && next != 1 {
            return Err(NoChapters::Disorder { previous, next });
        }
        previous = next;
    }
    let (mut before, mut whole) = (0, 0);
    for paragraph in paragraphs.iter().filter(|paragraph| !paragraph.heading) {
        whole += paragraph.span.len();
        if paragraph.span.start < first.body.start {
            before += paragraph.span.len();
        }
    }
    // Not empty: two chapters hold a paragraph each.
    let front = (before * 100).div_ceil(whole.max(1));
    if front > FRONT {
        return Err(NoChapters::Front(front));
    }
    Ok(chapters.iter().map(|chapter| chapter.body).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Result<Vec<&str>, NoChapters> {
        let spans = chapters(text)?;
        Ok(spans.into_iter().map(|span| span.of(text)).collect())
    }

    #[test]
    fn a_chapter_is_what_stands_under_its_heading() {
        let text =
            "TITLE\n\nCHAPTER I\n\nTHE STORM\n\nA a.\n\nB b.\n\nCHAPTER II\n\nC c.\n\nTHE END";
        assert_eq!(texts(text), Ok(vec!["A a.\n\nB b.", "C c."]));
    }

    #[test]
    fn headings_within_a_chapter_stay_in_it() {
        let text = "CHAPTER: ROME\n\nA a.\n\nTHE STORM\n\nB b.\n\nCHAPTER: PARIS\n\nC c.";
        assert_eq!(texts(text), Ok(vec!["A a.\n\nTHE STORM\n\nB b.", "C c."]));
    }

    #[test]
    fn a_table_of_contents_opens_no_chapters() {
        let text = "I. The Storm\n\nII. The Calm\n\nI. The Storm\n\nA a.\n\nII. The Calm\n\nB b.";
        assert_eq!(texts(text), Ok(vec!["A a.", "B b."]));
    }

    #[test]
    fn numerals_that_divide_chapters_are_none() {
        let text = "CHAPTER I\n\nA a.\n\nII\n\nB b.\n\nIII\n\nC c.\n\nCHAPTER II\n\nII\n\nD d.";
        assert_eq!(
            texts(text),
            Ok(vec!["A a.\n\nII\n\nB b.\n\nIII\n\nC c.", "D d."])
        );
    }

    #[test]
    fn numbers_may_begin_again_under_another_part() {
        let text = "PART ONE\n\nI\n\nA a.\n\nII\n\nB b.\n\nPART TWO\n\nI\n\nC c.";
        assert_eq!(texts(text), Ok(vec!["A a.", "B b.", "C c."]));
    }

    #[test]
    fn unreliable_chapters_are_refused_with_the_reason() {
        let gap = "CHAPTER I\n\nA a.\n\nCHAPTER III\n\nB b.";
        let disorder = NoChapters::Disorder {
            previous: 1,
            next: 3,
        };
        assert_eq!(texts(gap), Err(disorder));
        let late = "CHAPTER II\n\nA a.\n\nCHAPTER III\n\nB b.";
        assert!(matches!(texts(late), Err(NoChapters::Disorder { .. })));
        assert_eq!(texts("CHAPTER I\n\nA a."), Err(NoChapters::TooFew(1)));
        assert_eq!(texts("A a.\n\nB b."), Err(NoChapters::TooFew(0)));
        let front = "So it began.\n\nCHAPTER I\n\nA a.\n\nCHAPTER II\n\nB b.";
        assert_eq!(texts(front), Err(NoChapters::Front(60)));
        assert_eq!(
            texts(late).unwrap_err().to_string(),
            "the document has no reliable chapters: their numbers should count up from 1, and 2 is the first"
        );
        assert_eq!(
            NoChapters::TooFew(1).to_string(),
            "the document has no reliable chapters: at least 2 chapter headings with text under them \
             are needed, and there is 1"
        );
    }
}
