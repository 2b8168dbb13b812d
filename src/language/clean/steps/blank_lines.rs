//! `blank-lines`: one blank line between paragraphs, two around headings, none at the ends.
//!
//! This is the spacing of the gold documents. Only headings in the standard form count, so this
//! step comes after [`chapter_headings`](super::chapter_headings). Blanks that other steps left at
//! the ends of lines go as well.

use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::clean::heading::{Shape, is_title_line, shape};
use crate::language::clean::lines::{lines_in, paragraphs};
use crate::language::text::Span;

/// Gives paragraphs their distance.
pub fn clean(text: &str) -> Cleaned<'_> {
    let mut rewrite = Rewrite::of(text);
    let mut end = 0;
    let mut after_heading = false;
    for (number, paragraph) in paragraphs(text).into_iter().enumerate() {
        let letters = paragraph.span.of(text);
        let is_heading =
            shape(letters) == Shape::Standard || (number == 0 && is_title_line(letters));
        let gap = match (number, is_heading || after_heading) {
            (0, _) => "",
            (_, true) => "\n\n\n",
            (_, false) => "\n\n",
        };
        rewrite.replace(Span::new(end, paragraph.span.start), gap);
        for line in lines_in(text, paragraph.span) {
            let kept = line.start + line.of(text).trim_end().len();
            rewrite.remove(Span::new(kept, line.end));
        }
        end = paragraph.span.end;
        after_heading = is_heading;
    }
    rewrite.remove(Span::new(end, text.len()));
    rewrite.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text).text.into_owned()
    }

    #[test]
    fn paragraphs_get_one_blank_line_and_headings_two() {
        assert_eq!(
            cleaned(
                "\n\n-T-\n\nCHAPTER: I\n\nOne \nline.\n\n\n\n  Two.\n\n\nCHAPTER: II\nThree.\n"
            ),
            "-T-\n\n\nCHAPTER: I\n\n\nOne\nline.\n\n  Two.\n\n\nCHAPTER: II\nThree."
        );
    }

    #[test]
    fn only_the_first_paragraph_can_be_a_title() {
        assert_eq!(cleaned("One.\n\n\n-so-\n\n\nTwo."), "One.\n\n-so-\n\nTwo.");
    }

    #[test]
    fn blanks_alone_leave_nothing() {
        assert_eq!(cleaned(" \n\n \t\n"), "");
        assert_eq!(cleaned(""), "");
    }
}
