//! Paragraphs: what stands between blank lines (thesis, Section 3.2.3 a).
//!
//! Says where they are and which are headings ([`heading`](super::heading) decides); changes nothing.

use super::Span;
use super::heading::is_heading;

/// A paragraph of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// Where it stands, without the blanks around it; so the indentation of its first line belongs
    /// to the separator before it.
    pub span: Span,
    /// Whether it is a title or a heading rather than running text.
    pub heading: bool,
}

/// The paragraphs of a text, in order. They are separated by one or more lines with nothing but
/// blanks; lines end with `\n` or `\r\n` (a `\r` alone is a blank like others), and a byte order mark
/// counts as a blank.
pub fn paragraphs(text: &str) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let mut open: Option<Span> = None;
    let mut position = 0;
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
    for end in ends.chain([text.len()]) {
        let inked = trimmed(&text[position..end], position);
        position = end;
        if inked.is_empty() {
            found.extend(open.take().map(|span| paragraph(text, span, &found)));
        } else {
            let start = open.map_or(inked.start, |span| span.start);
            open = Some(Span::new(start, inked.end));
        }
    }
    found.extend(open.map(|span| paragraph(text, span, &found)));
    found
}

/// The paragraphs that hold at least `min_chars` characters and are no headings: what a manipulation
/// of paragraphs may touch.
pub fn units(text: &str, min_chars: usize) -> Vec<Span> {
    paragraphs(text)
        .into_iter()
        .filter(|paragraph| !paragraph.heading && has_chars(paragraph.span.of(text), min_chars))
        .map(|paragraph| paragraph.span)
        .collect()
}

/// The headings of a text.
#[derive(Clone, Debug)]
pub(crate) struct Headings(Vec<Span>);

impl Headings {
    pub(crate) fn of(text: &str) -> Self {
        let headings = paragraphs(text).into_iter().filter(|it| it.heading);
        Self(headings.map(|paragraph| paragraph.span).collect())
    }

    /// Whether a stretch, such as a sentence or a word, begins in one of them.
    pub(crate) fn hold(&self, span: Span) -> bool {
        let next = self.0.partition_point(|heading| heading.end <= span.start);
        self.0
            .get(next)
            .is_some_and(|heading| heading.start <= span.start)
    }
}

/// The span with the blanks in front of it on its line, if only they are there: its indentation.
pub(crate) fn with_indentation(text: &str, unit: Span) -> Span {
    let is_break = |letter| matches!(letter, '\n' | '\r');
    let is_gap = |letter: char| letter.is_whitespace() && !is_break(letter);
    let line = text[..unit.start].trim_end_matches(is_gap);
    // A byte order mark is a blank as well, but stays where it is.
    let written = line.trim_end_matches(|letter| is_gap(letter) || letter == '\u{feff}');
    let alone = written.is_empty() || written.ends_with(is_break);
    Span::new(if alone { line.len() } else { unit.start }, unit.end)
}

/// The blanks before, between and after the paragraphs: one more than there are paragraphs, so that
/// separator, paragraph, separator, … put together give the text again.
#[cfg(test)]
fn separators(text: &str, paragraphs: &[Paragraph]) -> Vec<Span> {
    let starts = paragraphs.iter().map(|paragraph| paragraph.span.start);
    let ends = paragraphs.iter().map(|paragraph| paragraph.span.end);
    std::iter::once(0)
        .chain(ends)
        .zip(starts.chain(std::iter::once(text.len())))
        .map(|(end, start)| Span::new(end, start))
        .collect()
}

/// Whether a text has at least `least` characters; reads no more of it than needed.
pub(super) fn has_chars(text: &str, least: usize) -> bool {
    least == 0 || text.chars().nth(least - 1).is_some()
}

/// Where the letters of `part` are, without the blanks around them, given where `part` begins.
pub(super) fn trimmed(part: &str, at: usize) -> Span {
    let end = part.trim_end_matches(is_blank).len();
    let start = end - part[..end].trim_start_matches(is_blank).len();
    Span::new(at + start, at + end)
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

fn paragraph(text: &str, span: Span, before: &[Paragraph]) -> Paragraph {
    Paragraph {
        span,
        heading: is_heading(span.of(text), before.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let spans = paragraphs(text).into_iter().map(|p| p.span);
        spans.map(|span| span.of(text)).collect()
    }

    #[test]
    fn blank_lines_separate_paragraphs() {
        assert_eq!(
            texts("One.\nStill one.\n\nTwo."),
            ["One.\nStill one.", "Two."]
        );
        assert_eq!(
            texts("One.\n \t\nTwo.\n\n\n\nThree."),
            ["One.", "Two.", "Three."]
        );
        assert_eq!(
            texts("One.\r\nStill.\r\n\r\nTwo.\r\n"),
            ["One.\r\nStill.", "Two."]
        );
    }

    #[test]
    fn a_paragraph_has_no_blanks_around_it() {
        assert_eq!(
            texts("\u{feff}\n   One.  \n\n\u{a0}Two.\n"),
            ["One.", "Two."]
        );
    }

    #[test]
    fn a_text_of_blanks_has_no_paragraphs() {
        for text in ["", " ", "\n\n\n", "\r\n \r\n", "\u{feff}"] {
            assert!(paragraphs(text).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn letters_without_meaning_are_letters() {
        assert_eq!(texts("\0\n\n👩‍👩‍👧\n\ne\u{301}"), ["\0", "👩‍👩‍👧", "e\u{301}"]);
    }

    #[test]
    fn units_are_long_enough_and_no_headings() {
        let text = "CHAPTER I\n\nÉtéé.\n\nA longer paragraph.\n\nTHE STORM";
        let found: Vec<&str> = units(text, 5).iter().map(|span| span.of(text)).collect();
        assert_eq!(found, ["Étéé.", "A longer paragraph."]);
        assert_eq!(units(text, 6).len(), 1);
        assert_eq!(units(text, 0).len(), 2);
    }

    #[test]
    fn a_sentence_in_a_heading_is_told_from_others() {
        let text = "TITLE\n\nOne. Two.\n\nCHAPTER I\n\nThree.";
        let headings = Headings::of(text);
        let held = |word: &str| {
            let at = text.find(word).unwrap();
            headings.hold(Span::new(at, at + word.len()))
        };
        assert!(held("TITLE") && held("CHAPTER") && held("I"));
        assert!(!held("One.") && !held("Two.") && !held("Three."));
        assert!(!Headings::of("").hold(Span::new(0, 0)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn separators_and_paragraphs_give_the_text_again(text in "[ab.\u{e9}\u{1f980}\u{a0}\u{feff}\0 \r\n]{0,60}") {
            let found = paragraphs(&text);
            let between = separators(&text, &found);
            prop_assert_eq!(between.len(), found.len() + 1);
            let mut whole = String::new();
            for (index, separator) in between.iter().enumerate() {
                prop_assert!(separator.of(&text).chars().all(is_blank));
                whole.push_str(separator.of(&text));
                if let Some(paragraph) = found.get(index) {
                    let inked = paragraph.span.of(&text);
                    prop_assert_eq!(trimmed(inked, 0), Span::whole(inked));
                    prop_assert!(!inked.is_empty() && !inked.contains("\n\n"));
                    whole.push_str(inked);
                }
            }
            prop_assert_eq!(whole, text);
        }
    }
}
