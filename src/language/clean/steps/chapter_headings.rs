//! `chapter-headings`: every heading a paragraph of its own, in one form.
//!
//! The form is that of the gold documents: `CHAPTER: ` before what the heading says (so `CHAPTER: I`,
//! but also `CHAPTER: CHAPTER I`), a number and its title in one line as `CHAPTER: I - THE START`,
//! and the title of the text, where it comes first, as `-THE TITLE-` (in ordinary letters where the
//! name of an author follows).
//!
//! Headings are lines that begin with `CHAPTER` (or another unit) and a number, numbers alone, and
//! titles in capitals. Capitals alone also stand on title pages, posters and telegrams, so they
//! count only over a paragraph of prose and beside two blank lines, as Project Gutenberg sets them.
//! `I`, `V` and `X` may be initials or the pronoun: alone they count only in a row of numbers, `I`
//! before `II`, `V` after `IV` or before `VI`.
//! Headings in ordinary letters without a number are not found: the thesis found those by hand.

use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::clean::heading::{
    PREFIX, Shape, in_row, is_capitals, is_title_case, is_title_line, shape, title_lines,
};
use crate::language::clean::lines::{Paragraph, is_indented, lines_in, paragraphs};
use crate::language::clean::sentence::{ends_sentence, is_closing_quote};
use crate::language::text::Span;

/// Brings headings into the standard form.
pub fn clean(text: &str) -> Cleaned<'_> {
    let mut rewrite = Rewrite::of(text);
    let book = Book::of(text);
    let mut after_heading = false;
    let mut number = 0;
    while let Some(&(Paragraph { span, blank_before }, shape)) = book.paragraphs.get(number) {
        let mut used = 1;
        let mut is_heading = true;
        if number > 0 && blank_before == 0 {
            rewrite.replace(Span::new(span.start, span.start), "\n");
        }
        match shape {
            Shape::Standard => {}
            Shape::Number { title_lines, .. } => {
                numbered(&mut rewrite, text, span);
                if title_lines == 0 && book.is_subtitle(number + 1) {
                    used = 2;
                    let title = book.paragraphs[number + 1].0.span;
                    join(&mut rewrite, text, Span::new(span.start, title.start), true);
                    one_line(&mut rewrite, text, title);
                }
            }
            Shape::Numbered => {
                rewrite.replace(indentation(text, span), PREFIX);
                one_line(&mut rewrite, text, span);
            }
            Shape::Capitals | Shape::Text if number == 0 && book.title().is_some() => {
                let title = book.title().unwrap_or(span);
                rewrite.replace(indentation(text, title), "-");
                one_line(&mut rewrite, text, title);
                rewrite.replace(Span::new(title.end, title.end), "-");
                if title.end < span.end {
                    // The name of the author is a paragraph of its own.
                    let rest = &text[title.end..span.end];
                    let break_at = title.end + rest.find('\n').unwrap_or(rest.len());
                    rewrite.replace(Span::new(break_at, break_at), "\n");
                }
            }
            Shape::Capitals if book.stands_over_text(number, after_heading) => {
                rewrite.replace(Span::new(span.start, span.start), PREFIX);
                one_line(&mut rewrite, text, span);
            }
            Shape::Capitals | Shape::Text => {
                is_heading = number == 0 && is_title_line(span.of(text));
            }
        }
        after_heading = is_heading;
        number += used;
    }
    rewrite.finish()
}

/// A text with its paragraphs and what they look like.
struct Book<'t> {
    text: &'t str,
    paragraphs: Vec<(Paragraph, Shape)>,
}

impl<'t> Book<'t> {
    /// The paragraphs of a text; text on the lines after a number is a paragraph of its own, with no
    /// blank line before it.
    fn of(text: &'t str) -> Self {
        let mut divided = Vec::new();
        for mut paragraph in paragraphs(text) {
            loop {
                let shape = shape(paragraph.span.of(text));
                divided.push((paragraph, shape));
                let Shape::Number {
                    title_lines,
                    body: true,
                } = shape
                else {
                    break;
                };
                let mut lines = lines_in(text, paragraph.span).skip(title_lines);
                let (Some(last), Some(rest)) = (lines.next(), lines.next()) else {
                    break;
                };
                if let Some((heading, _)) = divided.last_mut() {
                    heading.span.end = last.start + last.of(text).trim_end().len();
                }
                paragraph.span.start = rest.start;
                paragraph.blank_before = 0;
            }
        }
        let mut book = Self {
            text,
            paragraphs: divided,
        };
        book.drop_initials();
        book
    }

    /// Makes text of single letters that stand in no row of numbers: the next or the last other number
    /// does not follow or go before.
    fn drop_initials(&mut self) {
        let rows: Vec<_> = self
            .paragraphs
            .iter()
            .enumerate()
            .filter(|(_, (_, shape))| *shape != Shape::Text)
            .filter_map(|(at, (paragraph, _))| Some((at, in_row(paragraph.span.of(self.text))?)))
            .collect();
        // The same number twice in a row says nothing about itself.
        let runs: Vec<_> = rows
            .chunk_by(|(_, one), (_, next)| one.number == next.number)
            .collect();
        let number = |run: usize| Some(runs.get(run)?.first()?.1.number);
        for (at, run) in runs.iter().enumerate() {
            let before = at.checked_sub(1).and_then(number);
            let after = number(at + 1);
            for (paragraph, row) in *run {
                let follows = before.is_some_and(|before| before + 1 == row.number);
                let goes_on = after == Some(row.number + 1);
                if row.is_letter && !follows && !goes_on {
                    self.paragraphs[*paragraph].1 = Shape::Text;
                }
            }
        }
    }

    /// Where the title of the text stands, if its first paragraph begins with one.
    fn title(&self) -> Option<Span> {
        let (first, _) = self.paragraphs.first()?;
        let next = self.paragraphs.get(1);
        let next = next.map(|(next, _)| next.span.of(self.text));
        let lines = title_lines(first.span.of(self.text), next)?;
        let last = lines_in(self.text, first.span).nth(lines - 1)?;
        let end = last.start + last.of(self.text).trim_end().len();
        Some(Span::new(first.span.start, end))
    }

    /// Whether a paragraph is the title that belongs to a number before it.
    fn is_subtitle(&self, number: usize) -> bool {
        // What a title belongs to must follow.
        let [Some((title, shape)), Some((text_after, _))] =
            [number, number + 1].map(|number| self.paragraphs.get(number))
        else {
            return false;
        };
        if title.blank_before == 0 {
            return false;
        }
        let letters = title.span.of(self.text).trim_start();
        match shape {
            Shape::Capitals => true,
            Shape::Text => {
                // A stop at its end is that of a sentence, unless the title is set apart.
                let set_apart = text_after.blank_before >= 2;
                let stopped = letters.strip_suffix('.').filter(|_| set_apart);
                !letters.contains('\n')
                    && (is_title_case(letters)
                        || stopped.is_some_and(is_title_case)
                        || is_capitals(letters))
            }
            _ => false,
        }
    }

    /// Whether a paragraph in capitals is set as a heading of the prose under it.
    fn stands_over_text(&self, number: usize, after_heading: bool) -> bool {
        let Some((next, shape)) = self.paragraphs.get(number + 1) else {
            return false;
        };
        let letters = next.span.of(self.text);
        let is_prose = *shape == Shape::Text
            && (letters.contains('\n')
                || ends_sentence(letters)
                || letters.ends_with(is_closing_quote));
        // The two blank lines that this program puts after a heading say nothing.
        let enough = if after_heading { 3 } else { 2 };
        let set_apart = number == 0
            || next.blank_before >= 2
            || self.paragraphs[number].0.blank_before >= enough;
        is_prose && set_apart
    }
}

/// Puts a paragraph whose first line is a number into the standard form.
fn numbered(rewrite: &mut Rewrite<'_>, text: &str, span: Span) {
    rewrite.replace(indentation(text, span), PREFIX);
    let mut before: Option<Span> = None;
    for (number, line) in lines_in(text, span).enumerate() {
        if let Some(before) = before {
            let content = indentation(text, line).end;
            join(rewrite, text, Span::new(before.start, content), number == 1);
        }
        before = Some(line);
    }
}

/// Joins two lines of a heading: a number and its title with a dash, unless the number brings its
/// own sign, and the lines of a title with a blank. `span` goes from the start of the first to the
/// start of the second.
fn join(rewrite: &mut Rewrite<'_>, text: &str, span: Span, is_number: bool) {
    let first = span.of(text).trim_end();
    let has_sign = first.ends_with([':', '-', '—']);
    let second = text[span.end..].len() - text[span.end..].trim_start().len();
    let gap = Span::new(span.start + first.len(), span.end + second);
    rewrite.replace(gap, if is_number && !has_sign { " - " } else { " " });
}

/// Joins the lines of a heading with blanks.
fn one_line(rewrite: &mut Rewrite<'_>, text: &str, span: Span) {
    let mut end = None;
    for line in lines_in(text, span) {
        let start = indentation(text, line).end;
        if let Some(end) = end {
            rewrite.replace(Span::new(end, start), " ");
        }
        end = Some(line.start + line.of(text).trim_end().len());
    }
}

/// The white space a line or paragraph begins with.
fn indentation(text: &str, span: Span) -> Span {
    let letters = span.of(text);
    if !is_indented(letters) {
        return Span::new(span.start, span.start);
    }
    Span::new(span.start, span.end - letters.trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROSE: &str = "It was late, and nobody\nhad come.";

    /// Checks what becomes of a heading over prose, after a paragraph and four blank lines.
    fn check(heading: &str, expected: &str) {
        let text = format!("Before.\n\n\n\n\n{heading}\n\n{PROSE}");
        let done = clean(&text).text;
        assert_eq!(done, format!("Before.\n\n\n\n\n{expected}\n\n{PROSE}"));
        assert_eq!(clean(&done).text, done);
    }

    #[test]
    fn numbers_get_the_prefix() {
        check("CHAPTER I.", "CHAPTER: CHAPTER I.");
        check("Chapter 4", "CHAPTER: Chapter 4");
        check("          XIV", "CHAPTER: XIV");
        check("PART THE FIRST", "CHAPTER: PART THE FIRST");
        check("CHAPTER THIRTEENTH", "CHAPTER: CHAPTER THIRTEENTH");
    }

    #[test]
    fn a_number_and_its_title_come_into_one_line() {
        check(
            "CHAPTER TWENTY-ONE\n\nThe Storm",
            "CHAPTER: CHAPTER TWENTY-ONE - The Storm",
        );
        check("CHAPTER I\n\n\nTHE SEA", "CHAPTER: CHAPTER I - THE SEA");
        check(
            "CHAPTER I.\nTHE SEA AND\nTHE SHORE",
            "CHAPTER: CHAPTER I. - THE SEA AND THE SHORE",
        );
        check(
            "    II\n\n    The Quiet House",
            "CHAPTER: II - The Quiet House",
        );
        check(
            "Chapter I:\n\nTHE NEW HOUSE",
            "CHAPTER: Chapter I: THE NEW HOUSE",
        );
        check(
            "CHAPTER I. In which we\nstart",
            "CHAPTER: CHAPTER I. In which we start",
        );
    }

    #[test]
    fn capitals_count_only_when_set_apart_over_prose() {
        check("THE VOYAGE", "CHAPTER: THE VOYAGE");
        for text in [
            format!("Before.\n\nNO ENTRY\n\n{PROSE}"),
            format!("Before.\n\n\nOSCAR WILDE\n\nLondon\n\n{PROSE}"),
            "Before.\n\n\nTHE END".to_owned(),
            format!("CHAPTER: I\n\n\nTO A FRIEND\n\n{PROSE}"),
        ] {
            assert_eq!(clean(&text).text, text);
        }
    }

    #[test]
    fn capitals_under_the_title_need_more_than_its_two_blank_lines() {
        let text = |blank: &str| format!("-A-\n{blank}\nPREFACE\n\n{PROSE}");
        assert_eq!(clean(&text("\n")).text, text("\n"));
        assert!(clean(&text("\n\n")).text.contains("CHAPTER: PREFACE"));
    }

    #[test]
    fn capitals_at_the_start_are_the_title() {
        let book = format!("THE CANTERVILLE\nGHOST\n\n\nONE\n\n{PROSE}");
        let done = clean(&book).text;
        assert_eq!(
            done,
            format!("-THE CANTERVILLE GHOST-\n\n\nCHAPTER: ONE\n\n{PROSE}")
        );
        assert!(clean(&done).changes.is_empty());
        let centred = clean("         THE SEA\n           AND\n        THE SHORE\n\nIt was late.");
        assert_eq!(centred.text, "-THE SEA AND THE SHORE-\n\nIt was late.");
        assert!(
            clean(&format!("PREFACE\n\n{PROSE}"))
                .text
                .starts_with("CHAPTER: PREFACE")
        );
    }

    #[test]
    fn a_title_in_ordinary_letters_is_parted_from_its_author() {
        let done = clean("   The Sea\n     by\n   A. Writer\n\n\nCHAPTER I\n\nIt was late.").text;
        assert_eq!(
            done,
            "-The Sea-\n\n     by\n   A. Writer\n\n\nCHAPTER: CHAPTER I\n\nIt was late."
        );
        assert!(clean(&done).changes.is_empty());
        let done = clean("The Sea\n\nby A. Writer\n\nIt was late.").text;
        assert_eq!(done, "-The Sea-\n\nby A. Writer\n\nIt was late.");
    }

    #[test]
    fn a_title_with_a_stop_belongs_to_its_number_where_it_is_set_apart() {
        check(
            "CHAPTER I.\n\nThe Widow and her Child.\n",
            "CHAPTER: CHAPTER I. - The Widow and her Child.\n",
        );
        check(
            "CHAPTER I.\n\nThe Widow came.",
            "CHAPTER: CHAPTER I.\n\nThe Widow came.",
        );
    }

    #[test]
    fn text_on_the_line_after_a_number_is_parted_from_it() {
        assert_eq!(
            clean("CHAPTER II\nIt was late. Nobody came.\nHe left.").text,
            "CHAPTER: CHAPTER II\n\nIt was late. Nobody came.\nHe left."
        );
    }

    #[test]
    fn prose_after_a_number_is_no_title() {
        let text = "CHAPTER: I\n\n\nSilence.\n\n“Come in!”\n\nHe went home";
        assert_eq!(clean(text).text, text);
        assert_eq!(
            clean("IV\n\nSilence.\n\nHe went.").text,
            "CHAPTER: IV\n\nSilence.\n\nHe went."
        );
    }

    #[test]
    fn single_letters_are_numbers_only_in_a_row() {
        let row = |letters: &[&str]| {
            let text: Vec<_> = letters
                .iter()
                .map(|it| format!("{it}\n\n{PROSE}"))
                .collect();
            let text = text.join("\n\n\n\n");
            let done = clean(&text).text;
            assert_eq!(clean(&done).text, done);
            done.matches("CHAPTER: ").count()
        };
        for (letters, headings) in [
            (&["I", "II", "III"][..], 3),
            (&["I.", "II.", "I.", "II."], 4),
            (&["I", "CHAPTER: II"], 2),
            (&["I.\n\nTHE SEA", "CHAPTER II."], 2),
            (&["IV\nThe Sea", "V"], 2),
            (&["V", "VI"], 2),
            (&["IX", "X"], 2),
            (&["I"], 0),
            (&["V."], 0),
            (&["I", "II", "V", "III"], 3),
            (&["III", "I"], 1),
        ] {
            assert_eq!(row(letters), headings, "{letters:?}");
        }
    }
}
