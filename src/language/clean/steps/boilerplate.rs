//! `boilerplate`: Project Gutenberg's header, credits and licence go.

use crate::base::wording::count_of;
use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::clean::gutenberg::body;
use crate::language::text::Span;

/// Takes out what stands around the book; a text without markers stays whole, and a note says so.
pub fn clean(text: &str) -> Cleaned<'_> {
    let found = body(text);
    let mut rewrite = Rewrite::of(text);
    rewrite.remove(Span::new(0, found.span.start));
    rewrite.remove(Span::new(found.span.end, text.len()));
    let missing = match (found.header_end, found.footer_start) {
        (Some(_), Some(_)) => None,
        (None, None) => Some(
            "no markers of Project Gutenberg, as where `source` has taken them out: the text stays whole",
        ),
        (None, Some(_)) => {
            Some("no marker ends a header of Project Gutenberg: the beginning stays")
        }
        (Some(_), None) => Some("no marker begins a licence of Project Gutenberg: the end stays"),
    };
    if let Some(missing) = missing {
        rewrite.note(missing.to_owned());
    }
    if found.doubtful > 0 {
        rewrite.note(format!(
            "{} like the end of a file of Project Gutenberg, but as a part of the text: it stays",
            count_of(found.doubtful, "line reads", "lines read")
        ));
    }
    rewrite.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_around_the_book_goes() {
        let cleaned = clean(
            "Header\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\nThe book.\n\n\
             *** END OF THE PROJECT GUTENBERG EBOOK X ***\nLicence",
        );
        assert_eq!(cleaned.text, "\n\nThe book.\n\n");
        assert_eq!(cleaned.changes.len(), 2);
        assert!(cleaned.notes.is_empty());
    }

    #[test]
    fn missing_markers_are_noted() {
        let cleaned = clean("The book.");
        assert!(cleaned.changes.is_empty());
        assert_eq!(
            cleaned.notes,
            [
                "no markers of Project Gutenberg, as where `source` has taken them out: the text stays whole"
            ]
        );
        let cleaned = clean("The book.\n\nEnd of Project Gutenberg's X");
        assert_eq!(cleaned.text, "The book.\n\n");
        assert_eq!(cleaned.notes.len(), 1);
    }

    #[test]
    fn a_line_that_reads_like_an_end_but_is_none_is_noted() {
        let text = "One.\n\nEnd of the Project Gutenberg story was told by Tom, and it\nwas late.";
        let cleaned = clean(text);
        assert_eq!(cleaned.text, text);
        assert_eq!(
            cleaned.notes,
            [
                "no markers of Project Gutenberg, as where `source` has taken them out: the text stays whole",
                "1 line reads like the end of a file of Project Gutenberg, but as a part of the text: it stays"
            ]
        );
    }
}
