//! `title-page`: what stands between the title and the first heading goes.
//!
//! That is the author, the publisher, a dedication: no gold document has them, the thesis took them
//! out by hand. Only short or indented lines go, and only when there is nothing else between the two;
//! where prose stands there, or no heading follows, the page stays for a person to look at. Both ends
//! must have the standard form, so this step comes after
//! [`chapter_headings`](super::chapter_headings).

use crate::clean::change::{Cleaned, Rewrite};
use crate::clean::heading::{Shape, is_title_line, shape};
use crate::clean::lines::{is_indented, paragraphs};
use crate::text::Span;

/// No line of a title page is longer, in characters, unless it is indented.
const LONGEST: usize = 60;
/// A title page has no more paragraphs.
const MOST: usize = 40;

/// Takes out the lines of the title page under the title.
pub fn clean(text: &str) -> Cleaned {
    let mut rewrite = Rewrite::of(text);
    let paragraphs = paragraphs(text);
    let is_heading = |span: Span| shape(span.of(text)) == Shape::Standard;
    if let Some((title, rest)) = paragraphs.split_first()
        && is_title_line(title.span.of(text))
        && let Some(heading) = rest
            .iter()
            .take(MOST + 1)
            .position(|next| is_heading(next.span))
        && rest[..heading]
            .iter()
            .all(|page| is_display(page.span.of(text)))
        && let Some(last) = rest[..heading].last()
    {
        rewrite.remove(Span::new(rest[0].span.start, last.span.end));
    }
    rewrite.finish()
}

/// Whether all lines are set for display: short or indented.
fn is_display(paragraph: &str) -> bool {
    paragraph
        .lines()
        .all(|line| is_indented(line) || line.chars().nth(LONGEST).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text).text
    }

    #[test]
    fn the_page_between_title_and_heading_goes() {
        let text = "-THE SEA-\n\nBY\n\nA. WRITER\n\n   LONDON\n   1906\n\nCHAPTER: I\n\nIt was.";
        assert_eq!(cleaned(text), "-THE SEA-\n\n\n\nCHAPTER: I\n\nIt was.");
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
