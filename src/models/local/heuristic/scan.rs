//! The smallest steps of reading: what a mark is, how far a number goes.
//!
//! Functions of a few characters each; nothing here knows of sentences.

use super::text::Kind;

/// Combining marks belong to the letter before them.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}')
}

/// Digits with the separators between them and an ordinal or plural ending.
pub(super) fn number_length(rest: &str) -> usize {
    let mut end = 0;
    for (offset, c) in rest.char_indices() {
        let inner = matches!(c, '.' | ',' | ':' | '/')
            && rest[offset + 1..]
                .chars()
                .next()
                .is_some_and(char::is_numeric);
        if !(c.is_alphanumeric() || inner) {
            break;
        }
        end = offset + c.len_utf8();
    }
    end
}

pub(super) fn punctuation(rest: &str, c: char, joins: bool) -> (Kind, usize) {
    let run = |wanted: char| rest.chars().take_while(|&x| x == wanted).count();
    match c {
        '.' => (Kind::Stop, run('.')),
        '?' | '!' | '\u{2026}' => (Kind::Stop, c.len_utf8()),
        ',' => (Kind::Comma, 1),
        ';' | ':' => (Kind::Semicolon, 1),
        '-' if run('-') > 1 => (Kind::Dash, run('-')),
        '-' | '\u{2010}' | '\u{2011}' if joins => (Kind::Hyphen, c.len_utf8()),
        '-' | '\u{2012}' | '\u{2013}' | '\u{2014}' | '\u{2015}' => (Kind::Dash, c.len_utf8()),
        '"' | '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{ab}'
        | '\u{bb}' => (Kind::Quote, c.len_utf8()),
        '(' | ')' | '[' | ']' | '{' | '}' => (Kind::Bracket, 1),
        _ => (Kind::Other, c.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, number_length, punctuation};

    #[test]
    fn a_number_takes_its_separators_and_its_ending() {
        assert_eq!(number_length("1,000.5th, and"), 9);
        assert_eq!(number_length("1850. Then"), 4);
    }

    #[test]
    fn dashes_and_hyphens_differ_by_what_they_join() {
        assert_eq!(punctuation("-b", '-', true), (Kind::Hyphen, 1));
        assert_eq!(punctuation("- b", '-', false), (Kind::Dash, 1));
        assert_eq!(punctuation("--b", '-', true), (Kind::Dash, 2));
    }
}
