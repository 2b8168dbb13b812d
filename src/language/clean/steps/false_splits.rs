//! `false-splits`: a paragraph that was broken off in the middle of a sentence is joined again.
//!
//! Such breaks come from page ends, illustrations and removed lines. Two paragraphs are joined when
//! the first does not end a sentence and the second goes on in lower case, or when the first ends
//! with a title such as `Mr.`. Indented lines (verse, letters), headings and lists stay apart; a
//! break before a capital stays too, since nothing tells it from a real one.

use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::clean::heading::{Shape, is_byline, is_title_line, shape};
use crate::language::clean::lines::{is_indented, paragraphs};
use crate::language::clean::sentence::{begins_sentence, ends_with_title, is_closing_quote};
use crate::language::text::Span;

/// Joins broken paragraphs, keeping the line break.
pub fn clean(text: &str) -> Cleaned<'_> {
    let mut rewrite = Rewrite::of(text);
    let paragraphs = paragraphs(text);
    for (number, pair) in paragraphs.windows(2).enumerate() {
        let [first, second] = [pair[0].span, pair[1].span];
        let is_title = (number == 0 && is_title_line(first.of(text))) || is_signed(second.of(text));
        if !is_title && goes_on(first.of(text), second.of(text)) {
            rewrite.replace(Span::new(first.end, second.start), "\n");
        }
    }
    rewrite.finish()
}

/// Whether a second paragraph begins with the name of an author on a line of its own.
fn is_signed(second: &str) -> bool {
    second.lines().next().is_some_and(is_byline)
}

/// Whether the second paragraph is the rest of the first.
fn goes_on(first: &str, second: &str) -> bool {
    let last_line = first.rsplit('\n').next().unwrap_or(first);
    if is_indented(last_line) || is_indented(second) {
        return false;
    }
    let joined = if second.starts_with(char::is_lowercase) {
        !is_list_item(second) && breaks_off(last_line)
    } else if second
        .trim_start_matches(['"', '“', '‘', '\''])
        .starts_with(char::is_lowercase)
    {
        // Speech that a "said he," has interrupted.
        last_line.ends_with(',')
    } else {
        ends_with_title(last_line) && begins_sentence(second)
    };
    let ends_in_text = matches!(shape(first), Shape::Text | Shape::Number { body: true, .. });
    joined && ends_in_text && shape(second) == Shape::Text
}

/// Whether a last line, before a line in lower case, ends no sentence. `!` and `?` may stand inside
/// one (`"Where?" she asked`); after a colon or a semicolon a list or a letter may follow.
fn breaks_off(line: &str) -> bool {
    !line
        .trim_end_matches(is_closing_quote)
        .ends_with(['.', ':', ';', '…'])
}

/// Whether a paragraph begins with a small letter or number for a list: `a.`, `ii)`.
fn is_list_item(paragraph: &str) -> bool {
    let word = paragraph.split_whitespace().next().unwrap_or_default();
    word.ends_with(['.', ')']) && word.chars().count() <= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text).text.into_owned()
    }

    #[test]
    fn a_sentence_that_goes_on_is_joined() {
        assert_eq!(cleaned("along the\n\n\nroad to"), "along the\nroad to");
        assert_eq!(
            cleaned("CHAPTER I\nHe took the\n\nroad to"),
            "CHAPTER I\nHe took the\nroad to"
        );
        assert_eq!(
            cleaned("“Yes, sir,”\n\nreplied he"),
            "“Yes, sir,”\nreplied he"
        );
        assert_eq!(
            cleaned("“Nobody,” said she,\n\n“has paid.”"),
            "“Nobody,” said she,\n“has paid.”"
        );
        assert_eq!(cleaned("\"Where?\"\n\nshe asked"), "\"Where?\"\nshe asked");
        assert_eq!(
            cleaned("a letter to Messrs.\n\nMyers and"),
            "a letter to Messrs.\nMyers and"
        );
    }

    #[test]
    fn several_breaks_in_one_sentence_are_all_joined() {
        assert_eq!(cleaned("one\n\ntwo\n\nthree."), "one\ntwo\nthree.");
    }

    #[test]
    fn ends_headings_verse_and_lists_stay_apart() {
        for text in [
            "He left.\n\nand so",
            "as follows:\n\nfirst",
            "CHAPTER I\n\nit was",
            "CHAPTER: THE SEA\n\nit was",
            "-The Sea-\n\nit was",
            "The Sea\n\nby A. Writer",
            "THE SEA\n\nit was",
            "said Mr.\n\nCHAPTER II",
            "he had read\n\n“the rules”",
            "  the rose,\n\nthe violet",
            "the rose,\n\n  the violet",
            "the rules\n\na. no noise",
            "the road\n\nThe end",
            "snares, etc.\n\nThe",
        ] {
            assert_eq!(cleaned(text), text);
        }
    }
}
