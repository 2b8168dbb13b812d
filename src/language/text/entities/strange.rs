//! Words that are in no dictionary: what is written so with a capital is a name, or is made from one.
//!
//! Says nothing of what is named. Words made from names (`Irwadian`, `Spencerism`) are told by their
//! endings, which some names share; these need words beside them that speak for them, as all others do.

use crate::language::text::lexicon::lexicon;

/// Endings of peoples, followers, doctrines and adjectives.
const DERIVED: [&str; 21] = [
    "ans", "ean", "eans", "ese", "esque", "ians", "ian", "ic", "ical", "ics", "ish", "ism", "isms",
    "ist", "ists", "ite", "ites", "ised", "ized", "ment", "ness",
];

/// Whether English has no such word, in small letters and with straight apostrophes, nor any that it is
/// plainly made from.
pub(super) fn is_strange(small: &str) -> bool {
    let mut letters = small.chars();
    letters.clone().count() > 2
        && letters.all(|letter| letter.is_alphabetic() || matches!(letter, '-' | '\''))
        && !DERIVED.iter().any(|ending| small.ends_with(ending))
        && !is_known(small)
        && !is_compound(small)
}

/// Whether English has a word, in small letters and with straight apostrophes.
pub(super) fn is_known(word: &str) -> bool {
    has(word)
        // `goin'`, `settin'`; plurals that the list lacks; `social-democracy`.
        || word.strip_suffix("in'").is_some_and(|stem| has(&format!("{stem}ing")))
        || word.strip_suffix('s').is_some_and(has)
        || word.contains('-') && word.split('-').any(has)
}

/// Whether it is two words in one: `earthgirl`, `toolhouse`.
fn is_compound(word: &str) -> bool {
    /// Shorter parts are found in any name.
    const SHORTEST: usize = 4;
    word.char_indices()
        .map(|(at, _)| word.split_at(at))
        .filter(|(first, second)| first.len() >= SHORTEST && second.len() >= SHORTEST)
        .any(|(first, second)| {
            has(first) && (has(second) || second.strip_suffix('s').is_some_and(has))
        })
}

fn has(word: &str) -> bool {
    lexicon().get(word.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::is_strange;

    #[test]
    fn what_no_dictionary_has_is_strange() {
        for name in ["namyauza", "isabey", "d'artagnan", "brueghel", "fénélon"] {
            assert!(is_strange(name), "{name}");
        }
    }

    #[test]
    fn words_and_what_is_made_from_words_or_names_are_not() {
        for word in [
            "suffrage",
            "tower",
            "irwadian",
            "spencerism",
            "bar-le-duc",
            "u-235",
            "o",
            "earthgirls",
            "goin'",
        ] {
            assert!(!is_strange(word), "{word}");
        }
    }
}
