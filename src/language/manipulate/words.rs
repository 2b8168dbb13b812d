//! Words as stretches between blanks and punctuation.
//!
//! No linguistics: what a Penn Treebank tokenizer would divide (`can't`) is one word here.

use crate::language::text::Span;

/// The words in a stretch of a text, in order. A single mark right between two letters belongs to the
/// word (`don't`, `good-natured`, `10,000`); two of them (`party--tapping`) and dashes do not.
pub(super) fn whole_words(text: &str, within: Span) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut joint = None;
    for (at, letter) in within.of(text).char_indices() {
        let at = within.start + at;
        let after = at + letter.len_utf8();
        if is_inner_mark(letter) {
            let ends_word = found.last().is_some_and(|word| word.end == at);
            joint = ends_word.then_some(after);
        } else if !letter.is_whitespace() && !is_punctuation(letter) {
            match found.last_mut() {
                Some(word) if word.end == at || joint == Some(at) => word.end = after,
                _ => found.push(Span::new(at, after)),
            }
        }
    }
    found
}

/// Whether it is punctuation: the 32 marks of Python's `string.punctuation`, or typographic.
pub(super) fn is_punctuation(letter: char) -> bool {
    letter.is_ascii_punctuation() || is_typographic(letter)
}

/// Whether it is a mark that typesetters use and Python's `string.punctuation` lacks: quotation marks,
/// dashes, the ellipsis, marks of Chinese and Japanese.
pub(super) fn is_typographic(letter: char) -> bool {
    matches!(letter,
        '¡' | '§' | '«' | '¶' | '·' | '»' | '¿'
        | '\u{2010}'..='\u{2027}'
        | '\u{2030}'..='\u{205e}'
        | '\u{3001}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}'
        | '\u{3014}'..='\u{301f}'
        | '\u{ff01}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}'
        | '\u{ff3b}'..='\u{ff40}'
        | '\u{ff5b}'..='\u{ff65}'
    )
}

fn is_inner_mark(letter: char) -> bool {
    matches!(
        letter,
        '\'' | '’' | '-' | '\u{2010}' | '\u{2011}' | '.' | ',' | '&' | '_'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(text: &str) -> Vec<&str> {
        let all = whole_words(text, Span::whole(text));
        all.iter().map(|word| word.of(text)).collect()
    }

    #[test]
    fn words_have_no_punctuation_around_them() {
        assert_eq!(
            words_of("“Don't,” said the good-natured\nMr. O’Hara--\"twice 10,000!\""),
            [
                "Don't",
                "said",
                "the",
                "good-natured",
                "Mr",
                "O’Hara",
                "twice",
                "10,000"
            ]
        );
    }

    #[test]
    fn dashes_divide_words_and_marks_alone_are_none() {
        assert_eq!(
            words_of("a--b—c - d ... e. f.g h-"),
            ["a", "b", "c", "d", "e", "f.g", "h"]
        );
        assert_eq!(words_of("...---!?"), Vec::<&str>::new());
    }

    #[test]
    fn letters_of_several_characters_are_not_cut() {
        assert_eq!(
            words_of("cafe\u{301}, क्षत्रिय。👩\u{200d}🚀 x"),
            ["cafe\u{301}", "क्षत्रिय", "👩\u{200d}🚀", "x"]
        );
    }
}
