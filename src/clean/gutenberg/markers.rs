//! The lines that part a book from the header and the licence around it.

use super::credits;
use crate::clean::lines::{begins, lines, lines_in};
use crate::text::Span;

/// Where the book stands in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// The book, without markers, credits and transcriber's notes around it.
    pub span: Span,
    /// Where the header ends, its last marker included; none where no marker ends a header.
    pub header_end: Option<usize>,
    /// Where the licence begins; none where no marker ends the book.
    pub footer_start: Option<usize>,
}

/// Most lines that a long title adds to a marker.
const MARKER_LINES: usize = 4;

/// Finds the book in a file. A text without markers is all book.
///
/// The header ends at the last starting marker before the first ending one: files of about 2000
/// have both the small print and a `START` line.
pub fn body(text: &str) -> Body {
    let mut header_end = None;
    let mut footer_start = None;
    for line in lines(text) {
        let letters = line.of(text);
        if ends_header(letters) {
            header_end = Some(marker_end(text, line));
        } else if ends_book(letters) {
            footer_start = Some(line.start);
            break;
        }
    }
    let start = header_end.unwrap_or(0);
    let end = footer_start.unwrap_or(text.len());
    let mut span = Span::new(start, end);
    if header_end.is_some() {
        span.start = credits::skip_leading(text, span);
    }
    if footer_start.is_some() {
        span.end = credits::skip_trailing(text, span);
    }
    Body {
        span,
        header_end,
        footer_start,
    }
}

/// Where a starting marker ends: a long title goes on in the next lines, up to closing asterisks.
fn marker_end(text: &str, first: Span) -> usize {
    let closed = |line: &Span| line.of(text).trim_end().ends_with('*');
    if closed(&first) {
        return first.end;
    }
    lines_in(text, Span::new(first.end, text.len()))
        .skip(1)
        .take(MARKER_LINES)
        .take_while(|line| !line.of(text).trim().is_empty())
        .find(closed)
        .map_or(first.end, |line| line.end)
}

/// Whether a line is the last of a header: `*** START OF …`, or the end of the small print.
fn ends_header(line: &str) -> bool {
    let Some(words) = after_asterisks(line) else {
        return false;
    };
    names_gutenberg(words, "START OF ")
        || [
            "END*THE SMALL PRINT",
            "END THE SMALL PRINT",
            "END* THE SMALL PRINT",
        ]
        .iter()
        .any(|form| begins(words, form))
}

/// Whether a line is the first after a book: `*** END OF …`, `End of Project Gutenberg's …`, or the
/// licence itself.
fn ends_book(line: &str) -> bool {
    let words = after_asterisks(line).unwrap_or(line.trim_start());
    names_gutenberg(words, "END OF ")
        || begins(words, "START: FULL LICENSE")
        || begins(words, "THE FULL PROJECT GUTENBERG LICENSE")
}

/// Whether words are `start`, an article at most, and the project's name.
fn names_gutenberg(words: &str, start: &str) -> bool {
    begins(words, start)
        && words.get(start.len()..).is_some_and(|rest| {
            [
                "PROJECT GUTENBERG",
                "THE PROJECT GUTENBERG",
                "THIS PROJECT GUTENBERG",
            ]
            .iter()
            .any(|name| begins(rest, name))
        })
}

/// What follows the asterisks a line begins with.
fn after_asterisks(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.starts_with('*')
        .then(|| line.trim_start_matches(['*', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(text: &str) -> &str {
        body(text).span.of(text).trim()
    }

    #[test]
    fn all_forms_of_the_starting_line_are_known() {
        for start in [
            "*** START OF THE PROJECT GUTENBERG EBOOK THE SEA ***",
            "*** START OF THIS PROJECT GUTENBERG EBOOK THE SEA ***",
            "***START OF THE PROJECT GUTENBERG EBOOK THE SEA***",
            "*** START OF THE PROJECT GUTENBERG EBOOK, THE SEA ***",
            "*** START OF THE PROJECT GUTENBERG EBOOK A VERY LONG TITLE\nTHAT GOES ON ***",
            "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
            "*END THE SMALL PRINT! FOR PUBLIC DOMAIN EBOOKS*Ver.02/11/02*END*",
        ] {
            let text = format!("Header\n\n{start}\n\nThe book.\n");
            assert_eq!(book(&text), "The book.", "{start}");
        }
    }

    #[test]
    fn all_forms_of_the_ending_line_are_known() {
        for end in [
            "*** END OF THE PROJECT GUTENBERG EBOOK THE SEA ***",
            "***END OF THIS PROJECT GUTENBERG EBOOK THE SEA***",
            "End of Project Gutenberg's The Sea, by A. Writer",
            "End of the Project Gutenberg EBook of The Sea, by A. Writer",
            "End of The Project Gutenberg Etext of The Sea",
            "END OF PROJECT GUTENBERG ETEXT",
            "*** START: FULL LICENSE ***",
        ] {
            let text = format!("The book.\n\n\n{end}\n\nLicence\n");
            assert_eq!(book(&text), "The book.", "{end}");
        }
    }

    #[test]
    fn the_small_print_begins_no_book() {
        let text = "***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***\nWhy?\n\
                    *END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\nThe book.";
        assert_eq!(book(text), "The book.");
    }

    #[test]
    fn of_two_starting_lines_the_last_counts_and_of_two_ending_lines_the_first() {
        let text = "*END*THE SMALL PRINT! X*END*\nmore header\n\
                    *** START OF THE PROJECT GUTENBERG EBOOK X ***\nThe book.\n\
                    End of Project Gutenberg's X\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\nL";
        assert_eq!(book(text), "The book.");
    }

    #[test]
    fn a_text_without_markers_is_all_book() {
        let text = "The end of the project was near.\n* * *\nStart of it.";
        let found = body(text);
        assert_eq!(
            (found.span, found.header_end, found.footer_start),
            (Span::whole(text), None, None)
        );
    }
}
