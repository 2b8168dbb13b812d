//! The lines that part a book from the header and the licence around it.

use super::credits;
use crate::language::clean::lines::{begins, lines, lines_in};
use crate::language::text::Span;

/// Where the book stands in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// The book, without markers, credits and transcriber's notes around it.
    pub span: Span,
    /// Where the header ends, its last marker included; none where no marker ends a header.
    pub header_end: Option<usize>,
    /// Where the licence begins; none where no marker ends the book.
    pub footer_start: Option<usize>,
    /// Lines in the book that read like its end, but do not stand like one: they stay.
    pub doubtful: usize,
}

/// Most lines that a long title adds to a marker.
const MARKER_LINES: usize = 4;

/// Most that follows a line `End of Project Gutenberg's …` before the licence, in bytes: a
/// transcriber's few words.
const LITTLE: usize = 1_000;
/// What a line begins with that ends a book in words.
const ENDS: [&str; 5] = ["END OF ", "ENDE DIESES ", "ENDE DES ", "FIN DE ", "FIN DU "];
/// What the files of the nineties say after such a line.
const AFTER: [&str; 5] = [
    "This file should be named",
    "This and all associated files",
    "Updated editions will replace",
    "Most people start at our",
    "THE SMALL PRINT",
];

/// Finds the book in a file. A text without markers is all book.
///
/// The header ends at the last starting marker before the first ending one: files of about 2000
/// have both the small print and a `START` line. The book ends at the first line with asterisks that
/// says so, or at the licence. A line `End of Project Gutenberg's …` without asterisks may be a
/// sentence of the book: it ends the book only after a blank line and where little follows it.
pub fn body(text: &str) -> Body {
    let mut header_end = None;
    let mut footer_start = None;
    let mut plain: Vec<PlainEnd> = Vec::new();
    let mut after_blank = true;
    for line in lines(text) {
        let letters = line.of(text);
        if ends_header(letters) && !plain.iter().any(|end| end.is_known) {
            header_end = Some(marker_end(text, line));
            plain.clear();
        } else if ends_book(letters) {
            footer_start = Some(line.start);
            break;
        } else if let Some(is_known) = plain_end(letters) {
            plain.push(PlainEnd {
                at: line.start,
                is_known: is_known && after_blank,
            });
        }
        after_blank = letters.trim().is_empty();
    }
    let start = header_end.unwrap_or(0);
    let mut span = Span::new(start, footer_start.unwrap_or(text.len()));
    if footer_start.is_some() {
        span.end = credits::skip_trailing(text, span);
    }
    // From the end: of two such lines that follow each other both go.
    let ends = |end: &mut PlainEnd, to: usize| {
        end.at >= to || (end.is_known && nothing_follows(&text[end.at..to]))
    };
    while let Some(end) = plain.pop_if(|end| ends(end, span.end)) {
        footer_start = Some(footer_start.map_or(end.at, |start| start.min(end.at)));
        span.end = span.end.min(end.at);
    }
    if header_end.is_some() {
        let title = title_of(&text[..span.start]);
        span.start = credits::skip_leading(text, span, title);
    }
    if footer_start.is_some() {
        span.end = credits::skip_trailing(text, span);
    }
    Body {
        span,
        header_end,
        footer_start,
        doubtful: plain.len(),
    }
}

/// The first line of the title that a header gives.
fn title_of(header: &str) -> Option<&str> {
    lines(header).find_map(|line| line.of(header).strip_prefix("Title:").map(str::trim))
}

/// A line without asterisks that reads like the end of a book.
struct PlainEnd {
    at: usize,
    /// Whether it has the known form and stands after a blank line.
    is_known: bool,
}

/// Whether what begins with such a line is no part of the book.
fn nothing_follows(rest: &str) -> bool {
    if rest.len() <= LITTLE {
        return true;
    }
    let mut near = LITTLE;
    while !rest.is_char_boundary(near) {
        near -= 1;
    }
    AFTER.iter().any(|words| rest[..near].contains(words))
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
        .take_while(|line| !line.of(text).trim().is_empty() && !ends_book(line.of(text)))
        .find(closed)
        .map_or(first.end, |line| line.end)
}

/// Whether a line is the last of a header: `*** START OF …`, or the end of the small print.
fn ends_header(line: &str) -> bool {
    let Some(words) = after_asterisks(line) else {
        return false;
    };
    // `*SMALL PRINT! Ver.03.17.95 FOR COPYRIGHT PROTECTED ETEXTS*END*` ends it as well.
    let ends = |form: &str| {
        begins(words, form) && (begins(words, "END") || words.trim_end().ends_with("*END*"))
    };
    names_gutenberg(words, "START OF ")
        || [
            "END*THE SMALL PRINT",
            "END THE SMALL PRINT",
            "END* THE SMALL PRINT",
            "THE SMALL PRINT",
            "SMALL PRINT",
        ]
        .iter()
        .any(|form| ends(form))
}

/// Whether a line is the first after a book: `*** END OF …` or the licence itself.
fn ends_book(line: &str) -> bool {
    if let Some(words) = after_asterisks(line) {
        return names_gutenberg(words, "END OF ") || begins(words, "START: FULL LICENSE");
    }
    let line = line.trim();
    line == "START: FULL LICENSE"
        || (line.starts_with("THE FULL PROJECT GUTENBERG") && line.ends_with(" LICENSE"))
}

/// Whether a line without asterisks is the first after a book, `End of Project Gutenberg's …`, and
/// whether it has the form that such lines are known to have.
fn plain_end(line: &str) -> Option<bool> {
    let line = line.trim_start();
    let rest = ENDS.iter().find_map(|end| after_name(line, end))?;
    let possessive = ["'s ", "’s "].iter().any(|form| begins(rest, form));
    let kind = ["EBOOK", "E-BOOK", "ETEXT", "E-TEXT", "EDITION"]
        .iter()
        .find(|kind| begins(rest.trim_start(), kind))
        .and_then(|kind| rest.trim_start().get(kind.len()..));
    let is_kind = |after: &str| {
        let after = after.strip_prefix("es").unwrap_or(after);
        let after = after.trim_start_matches([',', '.', ':', ' ']).trim_end();
        let first = after.trim_start_matches(['"', '“', '«', '»', '„', '_']);
        after.is_empty()
            || ["of ", "de ", "von "].iter().any(|of| begins(after, of))
            || first.starts_with(char::is_uppercase)
    };
    Some(possessive || kind.is_some_and(is_kind))
}

/// Whether words are `start`, an article at most, and the project's name.
fn names_gutenberg(words: &str, start: &str) -> bool {
    after_name(words, start).is_some()
}

/// What follows `start`, an article at most, and the project's name.
fn after_name<'l>(words: &'l str, start: &str) -> Option<&'l str> {
    let rest = words.get(start.len()..).filter(|_| begins(words, start))?;
    [
        "PROJECT GUTENBERG",
        "THE PROJECT GUTENBERG",
        "THIS PROJECT GUTENBERG",
        "PROJEKT GUTENBERG",
        "THE COPYRIGHTED PROJECT GUTENBERG",
        "THIS COPYRIGHTED PROJECT GUTENBERG",
    ]
    .iter()
    .find(|name| begins(rest, name))
    .and_then(|name| rest.get(name.len()..))
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
            "*SMALL PRINT! Ver.03.17.95 FOR COPYRIGHT PROTECTED ETEXTS*END*",
            "*** START OF THE COPYRIGHTED PROJECT GUTENBERG EBOOK, THE SEA ***",
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
            "End of Project Gutenberg Edition of The Sea",
            "Ende dieses Project Gutenberg Etextes \"Der Hafen\", von A. Schreiber",
            "Ende dieses Projekt Gutenberg Etextes Der Hafen",
            "Fin de Project Gutenberg's Le Port, par A. Auteur",
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
                    \nEnd of Project Gutenberg's X\n\nEnd of the Project Gutenberg EBook of X\n\
                    *** END OF THE PROJECT GUTENBERG EBOOK X ***\nL\n\
                    *** END OF THE PROJECT GUTENBERG EBOOK Y ***\n";
        assert_eq!(book(text), "The book.");
    }

    #[test]
    fn a_sentence_that_begins_like_an_ending_line_ends_no_book() {
        let start = "*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\n";
        let end = "\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\n";
        let more = "Nobody came, and it rained.\n".repeat(50);
        for sentence in [
            "End of the Project Gutenberg story was told by Tom, and it",
            "End of Project Gutenberg was near.",
            "End of the Project Gutenberg ebook was what he read.",
            "The full Project Gutenberg license is long.",
        ] {
            for text in [
                format!("One.\n\n{sentence}\nwas late."),
                format!("One.\n\n{sentence}\n\n{more}"),
            ] {
                assert_eq!(book(&format!("{start}{text}{end}")), text.trim());
                assert_eq!(book(&text), text.trim());
            }
        }
        let known = "End of the Project Gutenberg EBook of The Sea";
        for text in [
            format!("One.\n\n{known}\n\n{more}"),
            format!("One, and so the\n{known}"),
        ] {
            let found = body(&text);
            assert_eq!((found.span, found.doubtful), (Span::whole(&text), 1));
        }
    }

    #[test]
    fn an_ending_line_is_no_part_of_the_starting_one() {
        let text = "*** START OF THE PROJECT GUTENBERG EBOOK X\n\
                    *** END OF THE PROJECT GUTENBERG EBOOK X ***\n";
        assert_eq!(book(text), "");
    }

    #[test]
    fn licence_text_may_follow_an_ending_line() {
        let licence = "Updated editions will replace the previous one.\n".repeat(100);
        let text = format!("The book.\n\nEnd of Project Gutenberg's X\n\n{licence}");
        assert_eq!(book(&text), "The book.");
        let notes = format!(
            "Transcriber's Note\n\n{}",
            "Spelling was kept.\n".repeat(80)
        );
        let text = format!(
            "{}\n\nEnd of Project Gutenberg's X\n\n{notes}\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\n",
            "The book. ".repeat(1_000)
        );
        assert!(book(&text).ends_with("The book."));
        let text = format!(
            "{}\n\nTranscriber's Note\n\nSpelling was kept.\n\n\
             End of Project Gutenberg's X\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\n",
            "The book. ".repeat(100)
        );
        assert!(book(&text).ends_with("The book."));
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
