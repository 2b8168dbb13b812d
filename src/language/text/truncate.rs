//! Beginnings of texts: as many whole sentences as a number of tokens allows.

use super::cuts::Cuts;
use super::paragraphs::Headings;
use super::{Tokenizer, TokenizerError, sentences};

/// The longest beginning of whole sentences with at most `limit` tokens, counted on the beginning, or
/// the first sentence where that has more already. A text that fits is unchanged; others lose the blanks
/// at their end. More exactly: the sentences before the first with which it would be too long, without
/// headings at their end unless nothing else is left.
///
/// With [`Tokenizer::Spaces`] and 2000 tokens this gives 31 of the 65 published short documents of the
/// thesis byte by byte, and 3 more but for a line break or blanks at the end. Of the others, 28 were cut
/// within a sentence, at a comma or before a conjunction, and given a full stop.
///
/// # Errors
/// When a tokenizer from a file cannot read the text.
pub fn beginning<'t>(
    text: &'t str,
    limit: usize,
    tokenizer: &Tokenizer,
) -> Result<&'t str, TokenizerError> {
    if tokenizer.count(text)? <= limit {
        return Ok(text);
    }
    let sentences = sentences(text);
    let headings = Headings::of(text);
    let ends: Vec<usize> = sentences.iter().map(|span| span.end).collect();
    let cuts = Cuts::new(text, tokenizer, ends)?;
    let furthest = cuts.within(0, 0, limit)?;
    let last = (0..=furthest)
        .rev()
        .find(|&last| sentences.get(last).is_some_and(|it| !headings.hold(*it)))
        .unwrap_or(furthest);
    let end = cuts.places().get(last).copied().unwrap_or(0);
    Ok(&text[..end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str, limit: usize) -> &str {
        beginning(text, limit, &Tokenizer::Whitespace).unwrap()
    }

    #[test]
    fn whole_sentences_are_kept_up_to_the_limit() {
        let text = "Mr. Hale came in. He sat down.\n\nNobody spoke for a while.";
        assert_eq!(words(text, 7), "Mr. Hale came in. He sat down.");
        assert_eq!(words(text, 9), "Mr. Hale came in. He sat down.");
        assert_eq!(words(text, 12), text);
    }

    #[test]
    fn a_first_sentence_that_is_too_long_is_kept_whole() {
        let text = "One two three four. Five.";
        assert_eq!(words(text, 2), "One two three four.");
        assert_eq!(words(text, 0), "One two three four.");
    }

    #[test]
    fn letters_of_several_bytes_do_not_move_the_cut() {
        let text = "“Où ça?” — dit-elle. Zwei drei vier. Fünf.";
        for limit in 1..10 {
            let cut = words(text, limit);
            assert!(text.starts_with(cut));
            assert!(cut.ends_with(['.', '?', '”']), "{limit}: {cut}");
        }
        assert_eq!(words("ééééé. Zwei drei vier. Drei ENDE.", 1), "ééééé.");
        assert_eq!(
            words("aéééé. Zwei drei vier. Drei ENDE.", 4),
            "aéééé. Zwei drei vier."
        );
    }

    #[test]
    fn a_beginning_ends_with_no_heading_unless_it_is_all_there_is() {
        let text = "TITLE\n\nOne two. Three.\n\nCHAPTER I\n\nTHE STORM\n\nFour.";
        for limit in 4..=8 {
            assert_eq!(words(text, limit), "TITLE\n\nOne two. Three.");
        }
        assert_eq!(words(text, 1), "TITLE");
    }

    #[test]
    fn a_text_that_fits_is_unchanged() {
        assert_eq!(words("  One.  ", 5), "  One.  ");
        assert_eq!(words("  ", 0), "  ");
    }

    #[test]
    fn spaces_count_lines_of_a_paragraph_as_one() {
        let text = "One\ntwo. Three\nfour. Five.";
        let two = "One\ntwo. Three\nfour.";
        assert_eq!(beginning(text, 2, &Tokenizer::Spaces), Ok(two));
        assert_eq!(words(text, 2), "One\ntwo.");
        assert_eq!(beginning("     ", 1, &Tokenizer::Spaces), Ok(""));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn a_beginning_has_no_more_tokens_than_allowed_or_one_sentence(
            text in "([A-Za-z\u{e9}\u{1f980}]{1,9}[.!?,\"”]{0,2}[ \n]{1,3}){0,12}",
            limit in 0usize..40,
        ) {
            for name in ["whitespace", "spaces", "llama3", "o200k_base"] {
                let tokenizer = Tokenizer::named(name).unwrap();
                let cut = beginning(&text, limit, &tokenizer).unwrap();
                prop_assert!(text.starts_with(cut));
                let found = sentences(&text);
                let kept = found.iter().filter(|span| span.end <= cut.len()).count();
                let count = tokenizer.count(cut).unwrap();
                prop_assert!(count <= limit || kept <= 1, "{}: {} > {}", name, count, limit);
                let headings = Headings::of(&text);
                let next = found[kept..].iter().find(|span| !headings.hold(**span));
                if let Some(next) = next {
                    prop_assert!(tokenizer.count(&text[..next.end]).unwrap() > limit);
                    prop_assert!(kept >= 1);
                }
            }
        }
    }
}
