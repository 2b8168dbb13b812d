//! `title-page`: what stands between the title and the first heading goes.
//!
//! That is the author, the publisher, a dedication: no gold document has them, the thesis took them
//! out by hand. Only short or indented lines go, and only when there is nothing else between the two;
//! where anything reads like prose (a line that ends a sentence, a quotation mark), or no heading
//! follows, the whole page stays for a person to look at. So does many a page that says `All rights
//! reserved.`: a page too many is seen, a lost opening is not. How many words went is always noted.
//!
//! Both ends must have the standard form, so this step comes after
//! [`chapter_headings`](super::chapter_headings).

use crate::base::wording::{count, shorten};
use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::clean::heading::{Shape, is_title_line, shape};
use crate::language::clean::lines::{is_indented, lines_in, paragraphs};
use crate::language::clean::sentence::ends_sentence;
use crate::language::text::Span;

/// No line of a title page is longer, in characters, unless it is indented.
const LONGEST: usize = 60;
/// A title page has no more paragraphs.
const MOST: usize = 40;
/// A title page has no more bytes.
const LARGEST: usize = 3_000;
/// Lines indented this far, in characters, are centred: prose and verse begin further left.
const CENTRED: usize = 8;
/// Most characters shown of the line that keeps a page.
const SHOWN: usize = 60;
/// What only prose holds, but for centred lines in capitals: quotation marks, and the stops of scripts that `ends_sentence` cannot read.
const PROSE: [char; 12] = [
    '"', '“', '”', '„', '‘', '«', '»', '「', '。', '！', '？', '।',
];

/// Takes out the lines of the title page under the title.
pub fn clean(text: &str) -> Cleaned<'_> {
    let mut rewrite = Rewrite::of(text);
    let Some(page) = page(text) else {
        return rewrite.finish();
    };
    let words = count(page.span.of(text).split_whitespace().count(), "word");
    if let Some(prose) = page.prose {
        rewrite.note(format!(
            "{words} between the title and the first heading stay, since one line may be prose: `{}`",
            shorten(prose.trim(), SHOWN)
        ));
    } else if page.span.len() <= LARGEST {
        rewrite.remove(page.span);
        rewrite.note(format!(
            "{words} between the title and the first heading went: see that they were no prose",
        ));
    }
    rewrite.finish()
}

/// What stands between the title and the first heading.
struct Page<'t> {
    span: Span,
    /// The first line that may be prose.
    prose: Option<&'t str>,
}

/// The title page, if there is one.
fn page(text: &str) -> Option<Page<'_>> {
    let paragraphs = paragraphs(text);
    let (title, rest) = paragraphs.split_first()?;
    if !is_title_line(title.span.of(text)) {
        return None;
    }
    let heading = rest
        .iter()
        .take(MOST + 1)
        .position(|next| shape(next.span.of(text)) == Shape::Standard)?;
    let span = Span::new(rest[0].span.start, rest[..heading].last()?.span.end);
    let mut lines = lines_in(text, span).map(|line| line.of(text));
    let prose = lines.find(|line| !is_display(line));
    Some(Page { span, prose })
}

/// Whether a line is set for display, short or indented, and does not read like prose.
fn is_display(line: &str) -> bool {
    let capitals = !line.contains(char::is_lowercase);
    let indentation = line.len() - line.trim_start().len();
    let may_end = capitals || indentation >= CENTRED;
    let may_quote = capitals && indentation >= CENTRED;
    (is_indented(line) || line.chars().nth(LONGEST).is_none())
        && (may_end || !holds_end(line))
        && (may_quote || !line.contains(PROSE))
}

/// Whether a sentence ends anywhere in a line.
fn holds_end(line: &str) -> bool {
    line.match_indices(' ')
        .map(|(blank, _)| &line[..blank])
        .chain([line])
        .any(ends_sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text).text.into_owned()
    }

    #[test]
    fn the_page_between_title_and_heading_goes() {
        let text = "-THE SEA-\n\nBY\n\nA. WRITER\n\n   LONDON\n   1906\n\nCHAPTER: I\n\nIt was.";
        assert_eq!(cleaned(text), "-THE SEA-\n\n\n\nCHAPTER: I\n\nIt was.");
    }

    #[test]
    fn how_many_words_went_is_noted() {
        let note = |text: &str| clean(text).notes;
        assert_eq!(
            note("-A-\n\nBY\n\nA. WRITER\n\nCHAPTER: I\n\nIt was."),
            ["3 words between the title and the first heading went: see that they were no prose"]
        );
        assert!(note("-A-\n\nCHAPTER: I\n\nIt was.").is_empty());
        assert_eq!(
            note("-A-\n\nBY\n\nA. WRITER\n\n  She said “so.”\n\nCHAPTER: I\n\nIt was."),
            [
                "6 words between the title and the first heading stay, since one line may be prose: `She said “so.”`"
            ]
        );
    }

    #[test]
    fn short_lines_of_prose_are_no_title_page() {
        for opening in [
            "“Who is there?” said Tom.\n\n“It is only I,” said Ann. He opened the door to her.",
            "The rain fell. They sat by the fire and waited.",
            "The rain fell, and they\nsat by the fire. Nobody\nsaid a word:",
            "    The rain fell. They sat by the fire.",
            "Roses are red,\nviolets are blue.",
            "    “NO ONE,” SAID TOM",
            "‘Come in,’ he said,",
            "雨が降った。",
            "BY A. WRITER\n\nThe rain fell.\n\nLONDON",
        ] {
            let text = format!("-THE HOUSE-\n\n{opening}\n\n\nCHAPTER: CHAPTER II\n\nThe next");
            assert_eq!(cleaned(&text), text);
        }
        let long = "Names upon names\n".repeat(200);
        let text = format!("-A-\n\n{long}\n\nCHAPTER: I");
        assert_eq!(cleaned(&text), text);
    }

    #[test]
    fn capitals_and_centred_lines_may_end_with_a_stop() {
        let text = "-A-\n\nLONDON: HALL AND SON.\n\n             By A. Person.\n\n          AUTHOR OF \"B,\" \"C.\"\n\nCHAPTER: I\n\nIt was.";
        assert_eq!(cleaned(text), "-A-\n\n\n\nCHAPTER: I\n\nIt was.");
    }

    #[test]
    fn a_page_with_prose_or_without_both_ends_stays() {
        let prose = "It was late in the year, and nobody had come to the house for days.";
        for text in [
            format!("-THE SEA-\n\nBY A. WRITER\n\n{prose}\n\nCHAPTER: I\n\nIt was."),
            "-THE SEA-\n\nBY A. WRITER\n\nIt was.".to_owned(),
            "THE SEA\n\nBY A. WRITER\n\nCHAPTER: I\n\nIt was.".to_owned(),
            format!("-THE SEA-\n\n{}CHAPTER: I", "Yes.\n\n".repeat(50)),
            "-THE SEA-\n\nCHAPTER: I\n\nIt was.".to_owned(),
        ] {
            assert_eq!(cleaned(&text), text);
        }
    }
}
