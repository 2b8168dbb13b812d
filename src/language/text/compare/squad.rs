//! Exact match and token F1 by the rules of `SQuAD`'s evaluation: small letters, no ASCII punctuation, no English articles,
//! words between blanks.

use super::blanks::between_blanks;
use super::grams::{Grams, Numbers};

pub(super) fn exact_match(text: &str, reference: &str) -> f64 {
    let (text, reference) = (plain(text), plain(reference));
    f64::from(between_blanks(&text).eq(between_blanks(&reference)))
}

pub(super) fn token_f1(text: &str, reference: &str) -> f64 {
    let (text, reference) = (plain(text), plain(reference));
    let mut numbers = Numbers::default();
    let text = Grams::of(&numbers.of(between_blanks(&text)), 1);
    let reference = Grams::of(&numbers.of(between_blanks(&reference)), 1);
    let (own, theirs) = (text.total(), reference.total());
    if own == 0 || theirs == 0 {
        return f64::from(own == theirs);
    }
    let matched = text.matched(&reference) as f64;
    if matched == 0.0 {
        return 0.0;
    }
    let (precision, recall) = (matched / own as f64, matched / theirs as f64);
    2.0 * precision * recall / (precision + recall)
}

/// The text without what does not count.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let lower: String = lower
        .chars()
        .filter(|c| !c.is_ascii_punctuation())
        .collect();
    let mut made = String::with_capacity(lower.len());
    let mut rest = lower.as_str();
    while let Some(next) = rest.chars().next() {
        let in_word = next.is_alphanumeric();
        let length = rest.find(|c: char| c.is_alphanumeric() != in_word);
        let (run, behind) = rest.split_at(length.unwrap_or(rest.len()));
        made.push_str(match run {
            "a" | "an" | "the" => " ",
            run => run,
        });
        rest = behind;
    }
    made
}
