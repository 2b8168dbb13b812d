//! Names that are near to what was written.

/// How alike two names must be (Jaro-Winkler, 0 to 1) to be offered as a repair when they differ in more than a slip.
const ALIKE: f64 = 0.88;

/// The longest name, in bytes, that is compared with others.
const LONGEST: usize = 400;

/// What is left of a name apart from case and blanks: what two ids that are meant to be one share.
pub fn folded(name: &str) -> String {
    let letters = name.chars().filter(|letter| !letter.is_whitespace());
    letters.flat_map(char::to_lowercase).collect()
}

/// The candidate a writer of `word` most probably meant, or none when nothing is near.
///
/// A candidate that differs only in case, or in `_` for `-`, always wins. Otherwise the number of slips (insertions,
/// deletions, substitutions, swaps) may be at most a third of the longer name, or the names must share most of their
/// letters from the start, or the word must be the first three or more letters of the candidate. Ties go to the earlier candidate.
/// What is too long to be a name resembles none: comparing takes as long as the product of both lengths.
pub fn nearest<'a, S: AsRef<str>>(word: &str, candidates: &'a [S]) -> Option<&'a str> {
    let plain = fold(word);
    if plain.is_empty() {
        return None;
    }
    let mut best: Option<(usize, f64, &'a str)> = None;
    for candidate in candidates {
        let candidate = candidate.as_ref();
        let other = fold(candidate);
        if other == plain {
            return Some(candidate);
        }
        if plain.len().max(other.len()) > LONGEST {
            continue;
        }
        let slips = strsim::damerau_levenshtein(&plain, &other);
        let alike = strsim::jaro_winkler(&plain, &other);
        let longer = plain.chars().count().max(other.chars().count());
        let start = plain.chars().count() >= 3 && other.starts_with(&plain);
        if slips * 3 > longer && alike < ALIKE && !start {
            continue;
        }
        let better = best
            .is_none_or(|(fewest, most, _)| slips < fewest || (slips == fewest && alike > most));
        if better {
            best = Some((slips, alike, candidate));
        }
    }
    best.map(|(_, _, candidate)| candidate)
}

/// "did you mean `x`?" in front of which stands ", ", for the nearest candidate; or nothing.
pub fn did_you_mean<S: AsRef<str>>(word: &str, candidates: &[S]) -> String {
    nearest(word, candidates).map_or_else(String::new, |near| format!(", did you mean `{near}`?"))
}

/// "did you mean `x`?" for the nearest candidate; what else there is to say, where none is near.
pub fn near_or<S: AsRef<str>>(
    word: &str,
    candidates: &[S],
    otherwise: impl FnOnce() -> String,
) -> String {
    nearest(word, candidates).map_or_else(otherwise, |near| format!("did you mean `{near}`?"))
}

/// The form in which names are compared: no case, and one kind of dash.
fn fold(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 6] = ["from", "tokens", "tokenizer", "base-url", "model", "prompt"];

    #[test]
    fn a_slip_is_recognised() {
        assert_eq!(nearest("token", &KEYS), Some("tokens"));
        assert_eq!(nearest("form", &KEYS), Some("from"));
        assert_eq!(nearest("promt", &KEYS), Some("prompt"));
        assert_eq!(nearest("tokeniser", &KEYS), Some("tokenizer"));
    }

    #[test]
    fn case_and_underscores_are_no_difference() {
        assert_eq!(nearest("Base_URL", &KEYS), Some("base-url"));
        assert_eq!(nearest("MODEL", &KEYS), Some("model"));
    }

    #[test]
    fn a_far_word_suggests_nothing() {
        assert_eq!(nearest("zebra", &KEYS), None);
        assert_eq!(nearest("", &KEYS), None);
        assert_eq!(nearest("a", &["b"]), None);
        assert_eq!(nearest::<&str>("a", &[]), None);
    }

    #[test]
    fn a_long_common_start_is_near_enough() {
        assert_eq!(
            nearest("temp", &["temperature", "top-p"]),
            Some("temperature")
        );
    }
}
