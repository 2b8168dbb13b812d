//! Whether a lower-case ASCII word is English: the list, regular inflection, elision, numerals.
//!
//! Derivation is kept narrow on purpose: every ending that is stripped also lets some misspellings
//! through. Names are not decided here.

use crate::language::text::lexicon::{Entry, lexicon};

/// The list's entry for a word: its own, or that of the word without a possessive ending.
pub(super) fn entry(word: &str) -> Option<Entry> {
    lexicon().get(word.as_bytes())
}

fn listed(word: &str) -> bool {
    word.len() > 1 && lexicon().get(word.as_bytes()).is_some()
}

/// Whether the word is listed, a regular form of a listed word, a numeral or an interjection, alone or
/// with one or two short endings after an apostrophe (`ghost's`, `wouldn't've`).
pub(super) fn is_known(word: &str) -> bool {
    if is_plain(word) {
        return true;
    }
    // Two rounds and no recursion: a word may be megabytes of `'s`.
    let mut rest = word;
    for _ in 0..2 {
        let Some((stem, ending)) = rest.rsplit_once('\'') else {
            return false;
        };
        let elided = matches!(stem, "o" | "d" | "t" | "y" | "l") && listed(ending);
        let short = matches!(
            ending,
            "s" | "d" | "ll" | "ve" | "re" | "t" | "m" | "st" | "n"
        );
        if elided || short && (stem.is_empty() || is_plain(stem)) {
            return true;
        }
        rest = stem;
    }
    false
}

fn is_plain(word: &str) -> bool {
    matches!(word, "a" | "i" | "o")
        || listed(word)
        || is_numeral(word)
        || is_derived(word)
        || is_interjection(word)
}

/// Endings and beginnings that join freely to listed words of four letters or more.
fn is_derived(word: &str) -> bool {
    const ENDINGS: [(&str, &[&str]); 16] = [
        ("ies", &["y"]),
        ("es", &["", "e"]),
        ("s", &[""]),
        ("ied", &["y"]),
        ("ed", &["", "e"]),
        ("ing", &["", "e"]),
        ("ingly", &["", "e"]),
        ("edly", &["", "e"]),
        ("ly", &["", "le"]),
        ("ness", &[""]),
        ("less", &[""]),
        ("like", &[""]),
        ("ish", &["", "e"]),
        ("er", &["", "e"]),
        ("est", &["", "e"]),
        ("eth", &["", "e"]),
    ];
    const BEGINNINGS: [&str; 11] = [
        "un", "re", "non", "over", "out", "under", "mis", "fore", "inter", "pre", "anti",
    ];
    let by_ending = ENDINGS.iter().any(|(ending, heads)| {
        word.strip_suffix(ending).is_some_and(|stem| {
            stem.len() >= 4 && heads.iter().any(|head| listed(&format!("{stem}{head}")))
        })
    });
    by_ending
        || BEGINNINGS.iter().any(|b| {
            word.strip_prefix(b)
                .is_some_and(|rest| rest.len() >= 4 && listed(rest))
        })
}

/// Roman numerals.
fn is_numeral(word: &str) -> bool {
    word.len() <= 8 && word.bytes().all(|b| b"ivxlcdm".contains(&b))
}

/// Drawn-out sounds: a letter three times over, or no more than two different letters.
fn is_interjection(word: &str) -> bool {
    let bytes = word.as_bytes();
    let drawn = bytes.windows(3).any(|w| w[0] == w[1] && w[1] == w[2]);
    let mut letters: Vec<u8> = bytes.to_vec();
    letters.sort_unstable();
    letters.dedup();
    drawn || (word.len() >= 4 && letters.len() <= 2)
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn old_and_british_spellings_and_regular_forms_are_known() {
        for word in [
            "colour",
            "to",
            "o'clock",
            "shouldn't",
            "ghostlike",
            "xiv",
            "ghost's",
            "ahhh",
            "unhaunted",
        ] {
            assert!(is_known(word), "{word}");
        }
    }

    #[test]
    fn slips_of_the_finger_are_unknown() {
        for word in [
            "thwir",
            "verh",
            "museumd",
            "kf",
            "saud",
            "themovertures",
            "b",
            "x'y'z",
        ] {
            assert!(!is_known(word), "{word}");
        }
    }
}
