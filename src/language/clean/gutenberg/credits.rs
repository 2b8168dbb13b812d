//! Credits and transcriber's notes: what volunteers wrote between the markers and the book.

use crate::language::clean::heading::{Shape, shape};
use crate::language::clean::lines::{Paragraph, begins, lines_in, paragraphs};
use crate::language::text::Span;

/// What a credit begins with.
const CREDITS: [&str; 41] = [
    "Produced by",
    "E-text prepared by",
    "Etext prepared by",
    "Etext produced by",
    "E-text produced by",
    "Ebook prepared by",
    "Ebook produced by",
    "This etext was",
    "This etext is in",
    "This e-text was",
    "This ebook was",
    "This text was",
    "This file was produced",
    "(This file was produced",
    "This book was produced",
    "(This book was produced",
    "Text file produced by",
    "HTML file produced by",
    "HTML version by",
    "Prepared by",
    "Project Gutenberg Etext",
    "Project Gutenberg EBook",
    "Project Gutenberg's",
    "Project Gutenberg’s",
    "The Project Gutenberg E",
    "This Project Gutenberg E",
    "This is the Project Gutenberg",
    "This file should be named",
    "Etext scanned by",
    "E-text created by",
    "Typed by",
    "Scanned by",
    "Scanned and proofed by",
    "Digitized by",
    "Transcribed by",
    "Transcribed from",
    "Proofread by",
    "Proofed by",
    "Note: Project Gutenberg",
    "Note: Images of the original",
    "Note: The original",
];
/// Places and people only credits name.
const PLACES: [&str; 6] = [
    "pgdp.net",
    "gutenberg.org",
    "gutenberg.net",
    "archive.org/",
    "Distributed Proofread",
    "Gutenberg Projekt-DE",
];
/// Most paragraphs that may stand before the title, where volunteers gave nothing but their names.
const NAMES: usize = 2;
/// A title of so many letters is known by the beginning of a paragraph.
const LONG_TITLE: usize = 8;
/// No name is longer, in bytes.
const NAME: usize = 60;
/// How many paragraphs before the book are looked at.
const MOST: usize = 10;
/// A note before the book has no more paragraphs.
const NOTE_PARAGRAPHS: usize = 6;
/// Notes after the book are not longer, in bytes, and no longer than a quarter of the file: a note
/// further up is the author's, or stands for a missing page.
const NOTES_LENGTH: usize = 10_000;
/// How much of a file is looked at for the paragraphs before the book, in bytes.
const CREDITS_LENGTH: usize = 20_000;

/// Where the book begins after the credits at the start of `span`. `title` is that of the header: a
/// line or two in ordinary letters right before it are names of volunteers.
pub(super) fn skip_leading(text: &str, span: Span, title: Option<&str>) -> usize {
    let mut end = span.end.min(span.start + CREDITS_LENGTH);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = &text[span.start..end];
    let paragraphs = paragraphs(head);
    let mut skipped = 0;
    while let Some(paragraph) = paragraphs.get(skipped).filter(|_| skipped < MOST) {
        let letters = paragraph.span.of(head).trim_start();
        if is_note(letters) {
            skipped += note_length(head, &paragraphs[skipped..]);
        } else if is_credit(letters) {
            skipped += 1;
        } else {
            break;
        }
    }
    skipped += names_before(head, &paragraphs[skipped..], title);
    // A paragraph that the limit cut cannot be told apart.
    let whole = |last: &&Paragraph| last.span.end < head.len() || end == span.end;
    paragraphs[..skipped]
        .last()
        .filter(whole)
        .map_or(span.start, |last| span.start + last.span.end)
}

/// How many paragraphs before the title of the header are one line each that may be a name.
fn names_before(text: &str, paragraphs: &[Paragraph], title: Option<&str>) -> usize {
    let letters = |words: &str| -> String {
        let letters = words.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let title = letters(
        title
            .unwrap_or_default()
            .split([':', ';', ','])
            .next()
            .unwrap_or_default(),
    );
    let is_title = |paragraph: &Paragraph| {
        let words = paragraph.span.of(text);
        let words = letters(if words.len() <= 10 * NAME { words } else { "" });
        words == title || (title.len() >= LONG_TITLE && words.starts_with(&title))
    };
    let is_name = |paragraph: &Paragraph| {
        let words = paragraph.span.of(text).trim();
        words.len() <= NAME
            && words.starts_with(char::is_uppercase)
            && words.contains(char::is_lowercase)
            && words
                .chars()
                .all(|letter| letter.is_alphabetic() || " .,-'’".contains(letter))
    };
    match paragraphs.iter().take(NAMES + 1).position(is_title) {
        Some(before) if !title.is_empty() && paragraphs[..before].iter().all(is_name) => before,
        _ => 0,
    }
}

/// How many paragraphs a note goes over: those that follow it closely, where a wider gap or a ruled
/// line ends them soon and no heading is among them; else the first alone.
fn note_length(text: &str, paragraphs: &[Paragraph]) -> usize {
    let rule = |paragraph: &Paragraph| {
        let letters = paragraph.span.of(text);
        letters.len() >= 3 && letters.chars().all(|letter| " \n-_=*~".contains(letter))
    };
    let gap = |&at: &usize| paragraphs[at].blank_before > 1 || rule(&paragraphs[at - 1]);
    let most = paragraphs.len().min(NOTE_PARAGRAPHS + 1);
    let end = (1..most).find(gap).unwrap_or(1);
    let no_heading = |next: &Paragraph| shape(next.span.of(text)) == Shape::Text;
    if paragraphs[1..end].iter().all(no_heading) {
        end
    } else {
        1
    }
}

/// Where the book ends before the transcriber's notes at the end of `span`. Notes in brackets are
/// left to the step that takes brackets.
pub(super) fn skip_trailing(text: &str, span: Span) -> usize {
    let mut from = span.end - NOTES_LENGTH.min(span.len() / 4);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut after_blank = false;
    for line in lines_in(text, Span::new(from, span.end)) {
        let letters = line.of(text).trim();
        if after_blank && begins_note(letters) {
            return line.start;
        }
        after_blank = letters.is_empty();
    }
    span.end
}

fn is_credit(paragraph: &str) -> bool {
    let words = paragraph.trim_start_matches(['[', '(', '_', '*', ' ']);
    CREDITS.iter().any(|credit| begins(words, credit))
        || PLACES.iter().any(|place| paragraph.contains(place))
        || paragraph.split_whitespace().any(is_address)
}

/// Whether a word is an address for mail.
fn is_address(word: &str) -> bool {
    word.split_once('@').is_some_and(|(name, host)| {
        name.ends_with(char::is_alphanumeric)
            && host.starts_with(char::is_alphanumeric)
            && host.contains('.')
    })
}

fn is_note(paragraph: &str) -> bool {
    begins_note(paragraph.trim_start_matches(['[', '_', '*', '=', ' ']))
}

/// Whether words begin as a transcriber's note does, however the apostrophe is set.
fn begins_note(words: &str) -> bool {
    const WHOSE: [&str; 3] = ["Transcriber", "Transcription", "Transcribing"];
    let Some(rest) = WHOSE
        .iter()
        .find(|whose| begins(words, whose))
        .and_then(|whose| words.get(whose.len()..))
    else {
        return false;
    };
    let rest = rest.trim_start_matches(['s', 'S', '\'', '’', '`']);
    rest.starts_with([' ', '\n']) && begins(rest.trim_start(), "Note")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(text: &str) -> &str {
        let start = skip_leading(text, Span::whole(text), Some("The Sea: A Story"));
        let end = skip_trailing(text, Span::new(start, text.len()));
        text[start..end].trim()
    }

    #[test]
    fn credits_before_the_book_go() {
        let text = "\n\nProduced by A. Person and the\nOnline Team at https://www.pgdp.net\n\n\n\
                    Note: Project Gutenberg also has an HTML version.\n  See 1-h.htm\n  (http://www.gutenberg.org/1)\n\n\
                    Transcriber's Note: Spelling was kept.\n\n\nTHE SEA\n\nProduced by chance, it was late.";
        assert_eq!(book(text), "THE SEA\n\nProduced by chance, it was late.");
    }

    #[test]
    fn a_note_before_the_book_may_have_several_paragraphs() {
        let text =
            "\n\nTranscriber’s Notes: Italics are _marked_.\n\nThere are sidenotes.\n\n\n\nTHE SEA";
        assert_eq!(book(text), "THE SEA");
        for text in [
            "Transcriber's Note: x.\n\nCHAPTER I\n\nIt was late.\n\n\nNobody came.",
            "Transcriber's Note: x.\n\nIt was late.\n\nNobody came.",
        ] {
            assert_eq!(book(text), text[22..].trim());
        }
    }

    #[test]
    fn the_apostrophe_of_a_note_may_be_any_or_missing_and_a_ruled_line_ends_it() {
        for start in [
            "Transcribers Note: x.",
            "TRANSCRIBER`S NOTES",
            "[Transcribers’ note.]",
            "=Transcriber's Note:=",
            "Transcription note: x.",
        ] {
            assert_eq!(
                book(&format!("{start}\n\n\nIt was late.")),
                "It was late.",
                "{start}"
            );
        }
        let text = "Transcribers Note: x.\n\nAnd y.\n\n-----\n\nEnglish Library\n\nIt was late.";
        assert_eq!(book(text), "English Library\n\nIt was late.");
        let prose = "Transcribers are many.\n\n\nIt was late.";
        assert_eq!(book(prose), prose);
    }

    #[test]
    fn addresses_and_the_name_of_the_project_are_credits() {
        let text = "*The Project Gutenberg Etext of The Sea*\n\nScanned for all with\nsoftware. Contact \
                    A. Person <person@example.org>\n\nTHE SEA\n\nTwo pears @ 3.5 d. were sold.";
        assert_eq!(book(text), "THE SEA\n\nTwo pears @ 3.5 d. were sold.");
    }

    #[test]
    fn names_right_before_the_title_are_those_of_volunteers() {
        assert_eq!(
            book("An Anonymous Volunteer\n\n\nTHE SEA\n\nIt was."),
            "THE SEA\n\nIt was."
        );
        for text in [
            "An Anonymous Volunteer\n\nIt was late.",
            "Hark! the sea.\n\nTHE SEA\n\nIt was.",
            "A. Person\n\nB. Person\n\nC. Person\n\nTHE SEA",
        ] {
            assert_eq!(book(text), text);
        }
    }

    #[test]
    fn notes_after_the_book_go() {
        let body = "The book.\n".repeat(20);
        let text = format!("{body}\n\nTranscriber’s Notes:\n\nSpelling was kept.\n");
        assert_eq!(book(&text), body.trim());
    }

    #[test]
    fn a_note_far_from_the_end_is_part_of_the_book() {
        let text = format!(
            "One.\n\nTranscriber's Note: no.\n\n{}",
            "Words.\n".repeat(2_000)
        );
        assert_eq!(book(&text), text.trim());
        let text = "One.\n\nTranscriber's Note: a page is missing.\n\nTwo and three and four.";
        assert_eq!(book(text), text);
    }

    #[test]
    fn letters_of_several_bytes_are_never_cut() {
        let text = "é".repeat(15_000);
        assert_eq!(book(&text), text);
        let text = format!("x{text}");
        assert_eq!(book(&text), text);
    }
}
