//! Credits and transcriber's notes: what volunteers wrote between the markers and the book.

use crate::clean::heading::{Shape, shape};
use crate::clean::lines::{Paragraph, begins, lines_in, paragraphs};
use crate::text::Span;

/// What a credit begins with.
const CREDITS: [&str; 29] = [
    "Produced by",
    "E-text prepared by",
    "Etext prepared by",
    "Etext produced by",
    "E-text produced by",
    "Ebook prepared by",
    "Ebook produced by",
    "This etext was",
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
/// What a transcriber's note begins with.
const NOTES: [&str; 4] = [
    "Transcriber's Note",
    "Transcriber’s Note",
    "Transcribers' Note",
    "Transcriber Note",
];
/// Places only credits name.
const PLACES: [&str; 4] = ["pgdp.net", "gutenberg.org", "gutenberg.net", "archive.org/"];
/// How many paragraphs before the book are looked at.
const MOST: usize = 10;
/// A note before the book has no more paragraphs.
const NOTE_PARAGRAPHS: usize = 6;
/// Notes after the book are not longer, in bytes, and no longer than a quarter of the file: a note
/// further up is the author's, or stands for a missing page.
const NOTES_LENGTH: usize = 10_000;
/// How much of a file is looked at for the paragraphs before the book, in bytes.
const CREDITS_LENGTH: usize = 20_000;

/// Where the book begins after the credits at the start of `span`.
pub(super) fn skip_leading(text: &str, span: Span) -> usize {
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
    // A paragraph that the limit cut cannot be told apart.
    let whole = |last: &&Paragraph| last.span.end < head.len() || end == span.end;
    paragraphs[..skipped]
        .last()
        .filter(whole)
        .map_or(span.start, |last| span.start + last.span.end)
}

/// How many paragraphs a note goes over: those that follow it closely, where a wider gap ends them
/// soon and no heading is among them; else the first alone.
fn note_length(text: &str, paragraphs: &[Paragraph]) -> usize {
    let gap = |next: &Paragraph| next.blank_before > 1;
    let end = paragraphs
        .iter()
        .skip(1)
        .take(NOTE_PARAGRAPHS)
        .position(gap)
        .map_or(1, |at| at + 1);
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
        if after_blank && NOTES.iter().any(|note| begins(letters, note)) {
            return line.start;
        }
        after_blank = letters.is_empty();
    }
    span.end
}

fn is_credit(paragraph: &str) -> bool {
    CREDITS.iter().any(|credit| begins(paragraph, credit))
        || PLACES.iter().any(|place| paragraph.contains(place))
}

fn is_note(paragraph: &str) -> bool {
    let words = paragraph.trim_start_matches(['[', '_', '*', ' ']);
    NOTES.iter().any(|note| begins(words, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(text: &str) -> &str {
        let start = skip_leading(text, Span::whole(text));
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
