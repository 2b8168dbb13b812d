//! Words before a number that take it back or only bound it: `not a 4`, `no more than 2 out of 5`.
//!
//! Must not look at the number or at what follows.

use crate::models::parse::value::{DOUBTS, has};

/// How far back words count, in bytes.
const LOOK_BACK: usize = 48;

/// Words that take back whatever follows in their clause.
const NEGATIONS: [&str; 7] = ["not", "never", "cannot", "neither", "nor", "if", "unless"];

/// Words that bound what follows, beside those of [`DOUBTS`]: the last of a clause, or the one before it
/// (`at most a 3`).
const BOUNDS: [&str; 8] = [
    "about", "exceed", "exceeds", "least", "maximum", "minimum", "should", "than",
];

/// Signs that bound the number behind them.
const SIGNS: [char; 7] = ['<', '≤', '≥', '~', '≈', '±', '\u{ff5e}'];

/// The clause at the end of a text, as far as it counts.
pub(super) fn clause(before: &str) -> &str {
    let start = before.len().saturating_sub(LOOK_BACK);
    let near = &before[before.ceil_char_boundary(start)..];
    let ends = |c: char| ",;:.!?\n\"\u{201c}\u{201d}".contains(c);
    near.rsplit(ends).next().unwrap_or(near)
}

/// Whether a number right behind this text is taken back or bounded.
pub(super) fn hedged(before: &str) -> bool {
    let clause = clause(before);
    let end = clause.trim_end_matches(|c: char| c.is_whitespace() || "*_`".contains(c));
    // `->` and tags end with the same sign as a comparison does.
    let more = end
        .strip_suffix('>')
        .is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '\t', '*', '(', '|']));
    if more || end.ends_with(SIGNS) {
        return true;
    }
    let words = clause.rsplit(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}'));
    let words = words.filter(|word| !word.is_empty());
    let mut supposed = false;
    for (place, word) in words.enumerate() {
        let word = word.to_lowercase();
        let is = |known: &[&str]| known.contains(&&*word);
        // `I would say 4`, `I can say 4`: what is meant, politely.
        let polite = word == "would" || (!supposed && matches!(&*word, "can" | "may"));
        let bounds = !polite && has(&DOUBTS, &word);
        if is(&["but"]) {
            return false;
        }
        let negates = is(&NEGATIONS) || word.ends_with("n't") || word.ends_with("n\u{2019}t");
        supposed = word == "be";
        if negates || (place < 2 && (is(&BOUNDS) || bounds)) || (place == 0 && is(&["to"])) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_take_a_number_back_or_bound_it_are_known() {
        for before in [
            "No more than ",
            "it is less than a ",
            "At most ",
            "at **least** ",
            "up to ",
            "It does not deserve a score of ",
            "I can't call it a ",
            "I can’t call it a ",
            "if it were ",
            "barely a ",
            "Quality <",
            "quality: ≥ ",
            "quality ~**",
            "quality > ",
            ">",
        ] {
            assert!(hedged(before), "{before}");
        }
        for before in [
            "",
            "I say ",
            "not good, not bad: ",
            "It is not great. A ",
            "not a 5 but a ",
            "over all of it a ",
            "on a scale from 1 to 5 a ",
            "knot ",
            "-> ",
            "=> ",
            "<b>",
            "It is not something that I would say of all texts, many of which a ",
        ] {
            assert!(!hedged(before), "{before}");
        }
    }
}
