//! Where a sentence can be added to a paragraph.

use crate::language::text::abbreviation::CUT_SHORT;

/// The byte at which a further sentence fits, which is the paragraph's end, without blanks and before the
/// bracket that closes a paragraph wholly in brackets; none where the paragraph does not end a
/// sentence there, but with a colon, a dash or what stands before a name.
pub(super) fn place_for_sentence(paragraph: &str) -> Option<usize> {
    let mut body = paragraph.trim_end();
    if is_in_brackets(body) {
        // The closing bracket is the last letter and has one byte.
        body = body[..body.len() - 1].trim_end();
    }
    let words = body.trim_end_matches(is_closing);
    (words.ends_with(is_final) && !awaits_name(words)).then_some(body.len())
}

/// Whether the text breaks off after an initial or a title: some cleaned books have a paragraph break
/// after the stop of `W.` in `W. Sombart`. `I.` ends a sentence more often than it abbreviates.
fn awaits_name(text: &str) -> bool {
    let Some(text) = text.strip_suffix('.') else {
        return false;
    };
    let word = text.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '.');
    let word = word.into_iter().next().unwrap_or(text);
    let mut letters = word.chars();
    let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    word.len() < text.len() && (initial && word != "I" || CUT_SHORT.have(word))
}

/// Whether one pair of brackets holds the whole text.
fn is_in_brackets(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1 == text.len();
                }
            }
            _ => {}
        }
        if depth == 0 {
            return false;
        }
    }
    false
}

fn is_final(letter: char) -> bool {
    matches!(
        letter,
        '.' | '!' | '?' | '…' | '。' | '！' | '？' | '।' | '۔' | '؟'
    )
}

fn is_closing(letter: char) -> bool {
    matches!(
        letter,
        '"' | '\'' | '”' | '’' | '»' | '›' | '“' | '」' | '』' | ')' | ']' | '}' | '_' | '*'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(paragraph: &str) -> Option<String> {
        let place = place_for_sentence(paragraph)?;
        Some(format!("{}#{}", &paragraph[..place], &paragraph[place..]))
    }

    #[test]
    fn a_sentence_fits_after_the_last_one() {
        for (paragraph, expected) in [
            ("He left.", "He left.#"),
            ("“Who?” ", "“Who?”# "),
            ("(It rained.)", "(It rained.#)"),
            ("(It [really] rained. )", "(It [really] rained.# )"),
            ("(a) He left (he had to).", "(a) He left (he had to).#"),
            ("(One.) And (two.)", "(One.) And (two.)#"),
            ("_He left!_\r\n", "_He left!_#\r\n"),
            ("It was I.", "It was I.#"),
            ("A.", "A.#"),
            ("About 1400 B.C.", "About 1400 B.C.#"),
            ("He was a Col!", "He was a Col!#"),
        ] {
            assert_eq!(added(paragraph).as_deref(), Some(expected));
        }
    }

    #[test]
    fn nothing_fits_where_no_sentence_ends() {
        for paragraph in [
            "",
            "CHAPTER I",
            "He said:",
            "He said--",
            "“Well,”",
            "Such is the view of W.",
            "He saw Mr.",
            "(by J.)",
            "((",
            ")",
            "()",
        ] {
            assert_eq!(added(paragraph), None, "{paragraph}");
        }
    }
}
