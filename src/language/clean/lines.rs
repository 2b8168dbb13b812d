//! Lines and paragraphs of a text as places in it.
//!
//! A line is blank when it holds nothing but white space; a paragraph is a run of lines that are not.

use crate::language::text::Span;

/// A run of lines without a blank one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paragraph {
    /// From the start of its first line (indentation included) to the last letter of its last.
    pub(super) span: Span,
    /// Blank lines between it and what stands before it.
    pub(super) blank_before: usize,
}

/// The lines of a text, each without its line break.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Span> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let span = Span::new(start, start + line.strip_suffix('\n').unwrap_or(line).len());
        start += line.len();
        span
    })
}

/// The lines of a stretch of `text`, as places in the whole text.
pub(super) fn lines_in(text: &str, stretch: Span) -> impl Iterator<Item = Span> {
    lines(stretch.of(text))
        .map(move |line| Span::new(line.start + stretch.start, line.end + stretch.start))
}

/// The paragraphs of a text.
pub(super) fn paragraphs(text: &str) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let mut blank = 0;
    let mut open = false;
    for line in lines(text) {
        let letters = line.of(text).trim_end().len();
        if letters == 0 {
            blank += 1;
            open = false;
            continue;
        }
        let end = line.start + letters;
        match found.last_mut() {
            Some(last) if open => last.span.end = end,
            _ => found.push(Paragraph {
                span: Span::new(line.start, end),
                blank_before: blank,
            }),
        }
        blank = 0;
        open = true;
    }
    found
}

/// Whole lines that are to go, with the blank lines on that side of them where there are fewer, so
/// that what stood apart from them does not stand further apart than before.
pub(super) fn with_gap(text: &str, whole: Span) -> Span {
    let before = text[..whole.start].trim_end_matches(char::is_whitespace);
    let before = match text[before.len()..whole.start].find('\n') {
        Some(end_of_line) if !before.is_empty() => before.len() + end_of_line + 1,
        // Blank lines at the start of the text: all of them may go.
        _ => before.len().min(whole.start),
    };
    let rest = &text[whole.end..];
    let blanks = &rest[..rest.len() - rest.trim_start().len()];
    let after = if blanks.len() == rest.len() {
        text.len()
    } else {
        whole.end + blanks.rfind('\n').map_or(0, |last| last + 1)
    };
    let blank_lines = |gap: &str| gap.bytes().filter(|&byte| byte == b'\n').count();
    if blank_lines(&text[before..whole.start]) < blank_lines(&text[whole.end..after]) {
        Span::new(before, whole.end)
    } else {
        Span::new(whole.start, after)
    }
}

/// Whether a line or paragraph begins with white space.
pub(super) fn is_indented(text: &str) -> bool {
    text.starts_with(char::is_whitespace)
}

/// How far in a line begins, in bytes.
pub(super) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a line begins with `start`, whatever the case of its ASCII letters.
pub(super) fn begins(line: &str, start: &str) -> bool {
    line.get(..start.len())
        .is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_lie_between_blank_lines() {
        let text = "\n one\ntwo  \n \t\n\nthree";
        let found = paragraphs(text);
        let shown: Vec<_> = found
            .iter()
            .map(|p| (p.span.of(text), p.blank_before))
            .collect();
        assert_eq!(shown, [(" one\ntwo", 1), ("three", 2)]);
    }

    #[test]
    fn a_text_of_blanks_has_no_paragraph() {
        assert!(paragraphs("").is_empty());
        assert!(paragraphs(" \n\n\t\u{a0}\n").is_empty());
    }

    #[test]
    fn lines_are_given_without_their_breaks() {
        let text = "a\n\nb";
        let shown: Vec<_> = lines(text).map(|line| line.of(text)).collect();
        assert_eq!(shown, ["a", "", "b"]);
    }

    #[test]
    fn lines_that_go_take_the_smaller_gap_along() {
        let left = |text: &str| {
            let start = text.find('#').unwrap();
            let gone = with_gap(text, Span::new(start, start + 2));
            format!("{}|{}", &text[..gone.start], &text[gone.end..])
        };
        assert_eq!(left("a\n\n#\n\nb"), "a\n\n|b");
        assert_eq!(left("a\n\n#\n\n\n\nb"), "a\n|\n\n\nb");
        assert_eq!(left("a\n\n\n#\n \n  b"), "a\n\n\n|  b");
        assert_eq!(left("a\n#\nb"), "a\n|b");
        assert_eq!(left("a\n#\n\nb"), "a\n|\nb");
        assert_eq!(left("\n#\nb"), "\n|b");
        assert_eq!(left("a\n\n#\n"), "a\n\n|");
    }

    #[test]
    fn a_beginning_is_compared_without_case_and_never_inside_a_letter() {
        assert!(begins("End of Project", "END OF"));
        assert!(!begins("é", "e"));
        assert!(!begins("Ende", "end of"));
    }
}
