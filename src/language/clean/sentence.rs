//! Where a line ends a sentence, and which full stops do not.
//!
//! The rule is the one the gold documents show: a line ends a sentence with `.`, `!`, `?` or `…`
//! under any closing quotation marks, unless the stop belongs to an abbreviation. A closing
//! parenthesis ends none (in the gold documents lines that end so are never broken off).

use crate::language::text::abbreviation::{GOING_ON, TITLES};

/// Whether a line ends with the end of a sentence.
pub(super) fn ends_sentence(line: &str) -> bool {
    let line = line.trim_end();
    let bare = line.trim_end_matches(is_closing_quote);
    match bare.chars().next_back() {
        Some('!' | '?' | '…') => true,
        Some('.') => bare.len() < line.len() || !ends_with_abbreviation(bare),
        _ => false,
    }
}

/// Whether a line ends with a title such as `Mr.`, whose name must follow.
pub(super) fn ends_with_title(line: &str) -> bool {
    last_word(line.trim_end()).is_some_and(|word| TITLES.have(word))
}

/// Whether a letter is a closing quotation mark.
pub(super) fn is_closing_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '”' | '’' | '»')
}

/// Whether a line can begin a sentence: with a capital, under quotation marks and the like.
pub(super) fn begins_sentence(line: &str) -> bool {
    line.chars()
        .find(|letter| {
            !matches!(
                letter,
                '"' | '\'' | '“' | '‘' | '’' | '«' | '(' | '_' | '¿' | '¡' | '—' | '-'
            )
        })
        .is_some_and(char::is_uppercase)
}

/// Whether the last full stop of a line belongs to its word.
fn ends_with_abbreviation(line: &str) -> bool {
    let Some(word) = last_word(line) else {
        return false;
    };
    let initials = |word: &str| word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    // `I.` ends "So did I." far more often than it stands for Isaac.
    TITLES.have(word)
        || GOING_ON.have(word)
        || (initials(word) && word != "I")
        || (word.contains('.')
            && word
                .split('.')
                .all(|part| (1..=2).contains(&part.chars().count())))
}

/// The last word of a line without its full stop, or none where the line does not end with one or
/// the word is too long for an abbreviation.
fn last_word(line: &str) -> Option<&str> {
    const LONGEST: usize = 12;
    let line = line.strip_suffix('.')?;
    for (letters, (at, letter)) in line.char_indices().rev().enumerate() {
        if parts_words(letter) {
            return Some(&line[at + letter.len_utf8()..]);
        }
        if letters == LONGEST {
            return None;
        }
    }
    Some(line)
}

fn parts_words(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '-' | '—' | '–' | '(' | '[' | '"' | '\'' | '“' | '‘' | '”' | '’' | '_'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_marks_and_quotes_end_a_sentence() {
        for line in [
            "He went home.",
            "Did he?”",
            "\"Never!\"",
            "he said.'\"",
            "and so on...",
            "So did I.",
            "he said “Mr.”",
            "It was cold.  ",
        ] {
            assert!(ends_sentence(line), "{line}");
        }
    }

    #[test]
    fn abbreviations_initials_and_parentheses_end_none() {
        for line in [
            "and then Mr.",
            "the Palace--St.",
            "snares, etc.",
            "about 1400 B.C.",
            "a letter to Stephen F.",
            "of the U. S.",
            "see (pp.",
            "(as he said.)",
            "a comma,",
            "a dash--",
            "",
            "i.e.",
        ] {
            assert!(!ends_sentence(line), "{line}");
        }
    }

    #[test]
    fn a_sentence_begins_with_a_capital_under_its_quotes() {
        for line in ["The", "“Well", "_Then_", "(She", "—No", "Édith", "“’Tis"] {
            assert!(begins_sentence(line), "{line}");
        }
        for line in ["the", "“well", "27) he", "", "中文", "\"\""] {
            assert!(!begins_sentence(line), "{line}");
        }
    }

    #[test]
    fn only_titles_ask_for_a_name() {
        assert!(ends_with_title("commanded by Maj."));
        assert!(!ends_with_title("snares, etc."));
        assert!(!ends_with_title("Mr"));
    }
}
